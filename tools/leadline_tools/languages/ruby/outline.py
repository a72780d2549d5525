"""Definitions of Ruby: modules, classes and methods, and what calls define: ``attr_reader``, ``Class.new``.

An *attribute* is what ``attr_reader`` and its like declare. A *made* class is one that ``Class.new``, ``Struct.new`` or
``Data.define`` gives. See https://docs.ruby-lang.org/en/master/syntax_rdoc.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import fields, text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

ATTRIBUTES: frozenset[str] = frozenset({"attr", "attr_reader", "attr_writer", "attr_accessor"})
_METHODS = frozenset({"define_method", "define_singleton_method", "alias_method"})
_STRUCTURES = frozenset({"Struct", "Data"})
_CLASSES = _STRUCTURES | {"Class"}

_DEEPEST_NAME = 32
_OPENS_SINGLETON = lazy_compile(rb"\bclass\s*<<")


def find_last_constant(node: Node) -> Sequence[Node]:
    """Return the last constant of ``A::B``."""
    name = node.child_by_field_name("name")
    return () if name is None else (name.child_by_field_name("name") or name,)


def name_owner(node: Node) -> str:
    """Return ``A.B`` for what is defined as ``A::B::C``."""
    parts: list[str] = []
    name = node.child_by_field_name("name")
    for _ in range(_DEEPEST_NAME):
        name = name.child_by_field_name("scope") if name is not None and name.type == "scope_resolution" else None
        if name is None:
            break
        parts.append(text(name.child_by_field_name("name") or name))
    return ".".join(reversed(parts))


def classify_method(node: Node) -> SymbolKind:
    """Tell a constructor from any other method."""
    return SymbolKind.Constructor if text(node.child_by_field_name("name")) == "initialize" else SymbolKind.Function


def is_of_class(node: Node) -> bool:
    """Return whether a method is one of a class or a module itself: ``def self.a``, or any in ``class << self``.

    https://docs.ruby-lang.org/en/master/syntax/methods_rdoc.html#label-Scope
    """
    if node.type == "singleton_method" or name_method(node) == "define_singleton_method":
        return True
    around = node.parent
    while around is not None and around.type in ("body_statement", "argument_list", "call"):
        around = around.parent  # a call takes a definition: ``private def a``
    return around is not None and around.type == "singleton_class"


def is_written_of_class(content: bytes, before: str) -> bool | None:
    """Return whether a method is one of a class itself, by what stands before its name; None in ``class << self``."""
    head = before.rstrip()
    if head.endswith("."):
        return True
    return None if b"<<" in content and _OPENS_SINGLETON.search(content) is not None else False


def find_method_scope(node: Node) -> ScopeKind:
    """Return the kind of the scope of a method, whose ``self`` is the class where it is one of the class."""
    return ScopeKind.Static if is_of_class(node) else ScopeKind.Function


def classify_in_module(around: Node, kind: SymbolKind) -> SymbolKind:
    """Tell that what a module holds are methods, too."""
    return SymbolKind.Method if around.type == "module" and kind is SymbolKind.Function else kind


def list_targets(assignment: Node) -> Sequence[Node]:
    """Return what stands on the left of an assignment."""
    left = assignment.child_by_field_name("left")
    if left is None:
        return ()
    return left.named_children if left.type == "left_assignment_list" else (left,)


def list_assigned(node: Node) -> Sequence[Node]:
    """Return the constants, class variables and globals on the left of an assignment."""
    return [one for one in list_targets(node) if one.type in ("constant", "class_variable", "global_variable")]


def find_class_maker(node: Node) -> Node | None:
    """Return the call of ``Point = Struct.new(:x) do ... end`` and its like."""
    right = node.child_by_field_name("right")
    return right if right is not None and right.type == "call" and _makes_class(right) else None


def _makes_class(call: Node) -> bool:
    """Return whether a call makes a class or a module, whose body its block is."""
    if text(call.child_by_field_name("method")) not in ("new", "define"):
        return False
    receiver = text(call.child_by_field_name("receiver")).removeprefix("::")
    return receiver in _CLASSES or receiver == "Module"


def find_block_scope(node: Node) -> ScopeKind:
    """Return the kind of the scope of a block, whose ``self`` is the class or the module where a call makes one.

    https://docs.ruby-lang.org/en/3.3/Class.html#method-c-new
    """
    call = node.parent
    return ScopeKind.Class if call is not None and call.type == "call" and _makes_class(call) else ScopeKind.Block


def classify_assignment(node: Node) -> SymbolKind:
    """Tell what an assignment declares: a class, a module, a constant, a variable."""
    names = list_assigned(node)
    if not names or names[0].type != "constant":
        return SymbolKind.Field if names and names[0].type == "class_variable" else SymbolKind.Variable
    made = find_class_maker(node)
    if made is None:
        return SymbolKind.Constant
    return SymbolKind.Module if text(made.child_by_field_name("receiver")) == "Module" else SymbolKind.Class


def list_made_body(node: Node) -> Sequence[Node]:
    """Return the block that is the body of a class that a call makes."""
    made = find_class_maker(node)
    return made.children_by_field_name("block") if made is not None else ()


def _list_block_body(call: Node) -> Sequence[Node]:
    block = call.child_by_field_name("block")
    return () if block is None else fields("body")(block)


def list_made_head(node: Node) -> Sequence[Node]:
    """Return the arguments of ``A = Struct.new(:b)`` and ``Data.define(:b)``, which name the attributes of ``A``."""
    made = find_class_maker(node)
    return made.children_by_field_name("arguments") if made is not None and _has_named_attributes(made) else ()


def list_superclass_head(node: Node) -> Sequence[Node]:
    """Return the arguments in ``class A < Struct.new(:b)``, which name attributes that ``A`` inherits."""
    made = find_made_superclass(node)
    return made.children_by_field_name("arguments") if made is not None and _has_named_attributes(made) else ()


def find_made_superclass(node: Node) -> Node | None:
    """Return the call in ``class A < Struct.new(:b)`` and its like, which makes the class that ``A`` inherits from."""
    superclass = node.child_by_field_name("superclass")
    made = superclass.named_children[0] if superclass is not None and superclass.named_children else None
    return made if made is not None and made.type == "call" and _makes_class(made) else None


def _has_named_attributes(call: Node) -> bool:
    return text(call.child_by_field_name("receiver")).removeprefix("::") in _STRUCTURES


def classify_symbol(node: Node) -> SymbolKind | None:
    """Tell that a symbol is an attribute of the class that a call makes, and that has a name or is inherited from."""
    around = node.parent
    call = around.parent if around is not None and around.type == "argument_list" else None
    named = call.parent if call is not None and call.type == "call" else None
    if call is None or named is None or not (named.type == "superclass" or _names_class(named)):
        return None
    return SymbolKind.Property if _makes_class(call) and _has_named_attributes(call) else None


def _names_class(node: Node) -> bool:
    return node.type == "assignment" and bool(list_assigned(node))


def list_arguments(call: Node) -> Sequence[Node]:
    """Return the arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    return () if arguments is None else arguments.named_children


def name_method(call: Node) -> str:
    """Return the name of the method that is called without a receiver; empty for any other."""
    return text(call.child_by_field_name("method")) if call.child_by_field_name("receiver") is None else ""


def classify_call(node: Node) -> SymbolKind | None:
    """Tell what a call defines; one with a block or with a method for an argument may hold definitions."""
    method = name_method(node)
    if list_defined_names(node):
        return SymbolKind.Property if method in ATTRIBUTES else SymbolKind.Method
    return SymbolKind.Class if list_call_body(node) else None


def list_defined_names(node: Node) -> Sequence[Node]:
    """Return the names that a call defines: attributes, or a method."""
    method = name_method(node)
    if method not in ATTRIBUTES and method not in _METHODS:
        return ()
    names = [name for argument in list_arguments(node) for name in list_written_name(argument)]
    return names if method in ATTRIBUTES else names[:1]


def list_written_name(node: Node) -> Sequence[Node]:
    """Return the name that a symbol or a string is, without its quotes."""
    if node.type == "simple_symbol":
        return (node,)
    inner = node.named_children if node.type in ("string", "delimited_symbol") else ()
    return inner if len(inner) == 1 and inner[0].type == "string_content" else ()


def list_call_body(node: Node) -> Sequence[Node]:
    """Return what may hold definitions in a call: its arguments, or its block."""
    if any(argument.type in ("method", "singleton_method", "call") for argument in list_arguments(node)):
        return node.children_by_field_name("arguments")  # private def ..., private attr_reader ...
    return _list_block_body(node)


def spell_symbol(node: Node) -> str:
    """Return a symbol or a string without its colon and quotes."""
    return text(node).strip(":\"'")


def is_getter(node: Node) -> bool:
    """Tell that a method without parameters is called by its mere name, as a variable is read."""
    return node.child_by_field_name("parameters") is None


def is_attribute(node: Node) -> bool:
    """Return whether a call declares attributes."""
    return name_method(node) in ATTRIBUTES


def refuse_rename(old: str, new: str) -> str:
    """Refuse what would make a constant of what is none, or another kind of variable."""
    kind, becomes = _SIGIL.match(old), _SIGIL.match(new)
    same = kind is not None and becomes is not None and kind[0] == becomes[0]
    return "" if same and old[0].isupper() == new[0].isupper() else "its first letter says what it is"


_SIGIL = re.compile(r"[@$]*")
