"""Ruby: https://docs.ruby-lang.org/en/master/syntax_rdoc.html.

Modules and classes can be opened again in any file, so a module is a namespace here. What runs to define something is
followed where the core library gives it that meaning: ``attr_reader``, ``alias_method``, ``Class.new``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import lexing
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    no_module,
    text,
)
from leadline_tools.model import Role, SymbolKind

_ATTRIBUTES = frozenset({"attr", "attr_reader", "attr_writer", "attr_accessor"})
_METHODS = frozenset({"define_method", "define_singleton_method", "alias_method"})
_CLASSES = frozenset({"Class", "Struct", "Data"})
_REQUIRES = frozenset({"require", "require_relative", "load"})
_DEEPEST_NAME = 32


def _last(node: Node) -> Sequence[Node]:
    """Return the last constant of ``A::B``."""
    name = node.child_by_field_name("name")
    return () if name is None else (name.child_by_field_name("name") or name,)


def _owner(node: Node) -> str:
    """Return ``A.B`` for what is defined as ``A::B::C``."""
    parts: list[str] = []
    name = node.child_by_field_name("name")
    for _ in range(_DEEPEST_NAME):
        name = name.child_by_field_name("scope") if name is not None and name.type == "scope_resolution" else None
        if name is None:
            break
        parts.append(text(name.child_by_field_name("name") or name))
    return ".".join(reversed(parts))


def _method_kind(node: Node) -> SymbolKind:
    return SymbolKind.Constructor if text(node.child_by_field_name("name")) == "initialize" else SymbolKind.Function


def _in_module(around: Node, kind: SymbolKind) -> SymbolKind:
    """Tell that what a module holds are methods, too."""
    return SymbolKind.Method if around.type == "module" and kind is SymbolKind.Function else kind


def _assigned(node: Node) -> Sequence[Node]:
    """Return the constants, class variables and globals on the left of an assignment."""
    left = node.child_by_field_name("left")
    targets = left.named_children if left is not None and left.type == "left_assignment_list" else [left]
    return [t for t in targets if t is not None and t.type in ("constant", "class_variable", "global_variable")]


def _made(node: Node) -> Node | None:
    """Return the call of ``Point = Struct.new(:x) do ... end`` and its like."""
    right = node.child_by_field_name("right")
    if right is None or right.type != "call" or text(right.child_by_field_name("method")) not in ("new", "define"):
        return None
    receiver = text(right.child_by_field_name("receiver"))
    return right if receiver in _CLASSES or receiver == "Module" else None


def _assignment_kind(node: Node) -> SymbolKind:
    names = _assigned(node)
    if not names or names[0].type != "constant":
        return SymbolKind.Field if names and names[0].type == "class_variable" else SymbolKind.Variable
    made = _made(node)
    if made is None:
        return SymbolKind.Constant
    return SymbolKind.Module if text(made.child_by_field_name("receiver")) == "Module" else SymbolKind.Class


def _made_body(node: Node) -> Sequence[Node]:
    made = _made(node)
    return _block_body(made) if made is not None else ()


def _block_body(call: Node) -> Sequence[Node]:
    block = call.child_by_field_name("block")
    return () if block is None else fields("body")(block)


def _arguments(call: Node) -> Sequence[Node]:
    arguments = call.child_by_field_name("arguments")
    return () if arguments is None else arguments.named_children


def _method(call: Node) -> str:
    return text(call.child_by_field_name("method")) if call.child_by_field_name("receiver") is None else ""


def _call_kind(node: Node) -> SymbolKind | None:
    """Tell what a call defines; one with a block or with a method for an argument may hold definitions."""
    method = _method(node)
    if _called_names(node):
        return SymbolKind.Property if method in _ATTRIBUTES else SymbolKind.Method
    return SymbolKind.Class if _call_body(node) else None


def _called_names(node: Node) -> Sequence[Node]:
    method = _method(node)
    if method not in _ATTRIBUTES and method not in _METHODS:
        return ()
    names = [a for a in _arguments(node) if a.type in ("simple_symbol", "string") and "#{" not in text(a)]
    return names if method in _ATTRIBUTES else names[:1]


def _call_body(node: Node) -> Sequence[Node]:
    if any(argument.type in ("method", "singleton_method", "call") for argument in _arguments(node)):
        return node.children_by_field_name("arguments")  # private def ..., private attr_reader ...
    return _block_body(node)


def _symbol(node: Node) -> str:
    return text(node).strip(":\"'")


def _locals(target: Node | None) -> Iterator[Node]:
    """Yield the local variables in a target or a pattern."""
    stack = [target] if target is not None else []
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            yield node
        elif node.type not in ("call", "element_reference", "scope_resolution"):
            stack += node.named_children


def _bound(*names: str) -> Binds:
    return Binds(lambda node: [name for part in fields(*names)(node) for name in _locals(part)])


def _parameters(node: Node) -> Sequence[Node]:
    """Return the names in a list of parameters; what a default is made of is none."""
    found: list[Node] = []
    for parameter in node.named_children:
        name = parameter.child_by_field_name("name")
        found += [name] if name is not None else _locals(parameter)
    return found


def _require(node: Node) -> Iterator[Imported]:
    """Read ``require "a"`` with a literal path; a relative one is given a leading dot."""
    method = _method(node)
    arguments = _arguments(node)
    if method not in _REQUIRES or len(arguments) != 1 or arguments[0].type != "string":
        return
    parts = arguments[0].named_children
    if len(parts) == 1 and parts[0].type == "string_content":
        path = text(parts[0]).removesuffix(".rb")
        yield Imported(f"./{path}" if method == "require_relative" else path, "*", "")


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a require: beside the file, or on what is most likely the load path."""
    if module.startswith("."):
        beside = posixpath.normpath(f"{posixpath.join(posixpath.dirname(importer), module)}.rb")
        return (beside,) if paths.exists(beside) else ()
    for form in (f"lib/{module}.rb", f"{module}.rb"):
        if paths.exists(form):
            return (form,)
        found = paths.ending(form)
        if len(found) == 1:
            return found
    return ()


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside, above and below: a module is mostly told by its folder, and each file tells its own."""
    folder, _, name = path.rpartition("/")
    folders = dict.fromkeys((folder, posixpath.dirname(folder), posixpath.join(folder, name.rpartition(".")[0])))
    found = [other for each in folders if each for other in paths.inside(each)]
    return [other for other in dict.fromkeys(found) if other.endswith(".rb") and other != path]


_CALLABLE = Defines(_method_kind, member=SymbolKind.Method, within=_in_module, parameters=fields("parameters"))
_ASSIGNMENT = Defines(_assignment_kind, name=_assigned, body=_made_body)

LANGUAGE = Language(
    name="ruby",
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    filenames=("Rakefile", "Gemfile"),
    interpreters=("ruby",),
    grammar=("tree_sitter_ruby", "language"),
    definitions={
        "module": Defines(SymbolKind.Module, name=_last, container=_owner),
        "class": Defines(SymbolKind.Class, name=_last, container=_owner),
        "singleton_class": Defines(SymbolKind.Class, name=fields(), emits=False),
        "method": _CALLABLE,
        "singleton_method": _CALLABLE,
        "assignment": _ASSIGNMENT,
        "operator_assignment": _ASSIGNMENT,
        "alias": Defines(SymbolKind.Method, body=fields(), spell=_symbol),
        "call": Defines(
            _call_kind,
            name=_called_names,
            body=_call_body,
            spell=_symbol,
            emits=lambda node: bool(_called_names(node)),
        ),
    },
    through=frozenset(
        "body_statement block_body begin if unless else elsif then if_modifier unless_modifier rescue ensure"
        " parenthesized_statements".split()
    ),
    module=no_module,
    lexis=lexing.RUBY,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "constant", "class_variable", "global_variable"}),
        scopes={
            "module": ScopeKind.Namespace,
            "class": ScopeKind.Class,
            "singleton_class": ScopeKind.Block,
            "method": ScopeKind.Function,
            "singleton_method": ScopeKind.Function,
            "block": ScopeKind.Block,
            "do_block": ScopeKind.Block,
            "lambda": ScopeKind.Block,
        },
        binds={
            "method_parameters": Binds(_parameters),
            "block_parameters": Binds(_parameters),
            "lambda_parameters": Binds(_parameters),
            "assignment": _bound("left"),
            "operator_assignment": _bound("left"),
            "for": _bound("pattern"),
            "exception_variable": Binds(lambda node: list(_locals(node))),
            "in_clause": _bound("pattern"),
        },
        members={"call": ("receiver", "method"), "scope_resolution": ("scope", "name")},
        roles={
            ("call", "method"): Role.Call,
            ("superclass", ""): Role.Inherit,
            ("assignment", "left"): Role.Write,
            ("operator_assignment", "left"): Role.Write,
        },
        imports={"call": _require},
        locate=_locate,
        siblings=_siblings,
        spaced=True,
        passes_on=True,
        calls_apart=True,
        this=frozenset({"self"}),
        opaque=frozenset({"element_reference"}),
    ),
)
