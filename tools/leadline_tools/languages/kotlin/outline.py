"""Definitions of Kotlin: kinds, names, parameters and declared types.

The grammar has few fields: most parts of a node are found by their types.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import SymbolKind

TYPES = ("user_type", "nullable_type", "function_type", "parenthesized_type")


def has_token(node: Node, *tokens: str) -> bool:
    """Return whether a node has one of some tokens as a child."""
    return any(child.type in tokens for child in node.children)


def list_name(node: Node) -> Sequence[Node]:
    """Return the first identifier in a node, which is its name."""
    return children_of_type("identifier")(node)[:1]


def _has_modifier(node: Node, modifier: str) -> bool:
    return any(
        text(child) == modifier
        for modifiers in children_of_type("modifiers")(node)
        for child in modifiers.named_children
    )


_STRINGS = re.compile(r'"[^"\n]*"')
_HEAD = re.compile(r"(?P<modifiers>.*?)\b(?:fun|val|var|class|interface|object|typealias|constructor)\b", re.DOTALL)


def modifiers_of(head: str) -> Sequence[str]:
    """Return the words before the keyword of a declaration, its annotations among them."""
    found = _HEAD.match(_STRINGS.sub("", head))
    return found["modifiers"].split() if found is not None else ()


def is_private_head(head: str) -> bool:
    """Return whether a function or property outside of a class says that only its file sees it.

    https://kotlinlang.org/docs/visibility-modifiers.html#packages
    """
    return "private" in modifiers_of(head)


def classify_class(node: Node) -> SymbolKind:
    """Return the kind of a class: an interface and an enumeration are declared like one."""
    if has_token(node, "interface"):
        return SymbolKind.Interface
    return SymbolKind.Enum if _has_modifier(node, "enum") else SymbolKind.Class


def list_annotation_class_name(node: Node) -> Sequence[Node]:
    """Return the name in ``annotation class Name`` before the end of a line, which the grammar takes for an infix call.

    No function can be called ``class``.
    """
    names = children_of_type("identifier")(node)
    return names[2:] if len(names) == 3 and text(names[1]) == "class" else ()


def list_class_parameters(node: Node) -> Sequence[Node]:
    """Return the lists of parameters in the head of a class."""
    return [
        inner
        for child in children_of_type("primary_constructor")(node)
        for inner in children_of_type("class_parameters")(child)
    ]


def classify_parameter(node: Node) -> SymbolKind | None:
    """Return the kind of a parameter of a constructor that is a property too; None for any other."""
    return SymbolKind.Property if has_token(node, "val", "var") else None


def list_property_names(node: Node) -> Sequence[Node]:
    """Return the names that a property declaration declares."""
    declarations = [*children_of_type("variable_declaration")(node)]
    for several in children_of_type("multi_variable_declaration")(node):
        declarations.extend(children_of_type("variable_declaration")(several))
    return [name for declaration in declarations for name in list_name(declaration)]


def classify_property(node: Node) -> SymbolKind:
    """Return what a declaration outside of a class makes: a value, or a member of the type before its name."""
    if any(child.type in TYPES for child in node.named_children):
        return SymbolKind.Property
    return SymbolKind.Constant if has_token(node, "val") else SymbolKind.Variable


_BEFORE_RECEIVER = frozenset("modifiers type_parameters line_comment block_comment".split())


def find_receiver(node: Node) -> Node | None:
    """Return the type that an extension is a member of: the one before its name."""
    first = next((child for child in node.named_children if child.type not in _BEFORE_RECEIVER), None)
    return first if first is not None and first.type in TYPES else None


def spell_receiver(node: Node) -> str:
    """Return the type that an extension is a member of, as it is written; empty for no extension."""
    receiver = find_receiver(node)
    return "".join(text(receiver).split()) if receiver is not None else ""


def find_property_type(node: Node) -> Node | None:
    """Return the declared type of a property."""
    return next((find_type(declaration) for declaration in children_of_type("variable_declaration")(node)), None)


def find_type(node: Node) -> Node | None:
    """Return the declared type."""
    return next(iter(children_of_type(*TYPES)(node)), None)


def find_parameter_type(node: Node) -> Node | None:
    """Return the type of a parameter; that of a variadic one is that of its elements."""
    return None if is_variadic(node) else find_type(node)


def is_variadic(node: Node) -> bool:
    """Return whether a parameter takes any number of arguments."""
    before = node.prev_named_sibling
    return _has_modifier(node, "vararg") or (
        before is not None and before.type == "parameter_modifiers" and "vararg" in text(before).split()
    )


def find_result_type(node: Node) -> Node | None:
    """Return the type of what a function returns, which stands after its parameters; its receiver stands before."""
    after = False
    for child in node.named_children:
        if after and child.type in TYPES:
            return child
        after = after or child.type == "function_value_parameters"
    return None


def list_parameter_names(node: Node) -> Sequence[Node]:
    """Return the names of the parameters; modifiers stand beside them, not in them."""
    parameters = [
        child
        for around in children_of_type("function_value_parameters")(node)
        for child in children_of_type("parameter")(around)
    ]
    return [name for parameter in parameters for name in list_name(parameter)]


def list_constructor_keyword(node: Node) -> Sequence[Node]:
    """Return the keyword ``constructor``, which is the name of one."""
    return [child for child in node.children if child.type == "constructor"]


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a declaration."""
    listed = [
        parameter
        for around in children_of_type("type_parameters")(node)
        for parameter in children_of_type("type_parameter")(around)
    ]
    return [name for parameter in listed for name in list_name(parameter)]


def find_enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a constant belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def find_constant_type(node: Node) -> Node | None:
    """Return what a constant is an object of; one with a body is a type of its own."""
    return None if children_of_type("class_body")(node) else find_enumeration(node)


def is_of_companion(node: Node) -> bool:
    """Return whether a member is one of a companion object without a name: the class has it itself.

    https://kotlinlang.org/docs/object-declarations.html#companion-objects
    """
    body = node.parent
    around = body.parent if body is not None and body.type == "class_body" else None
    return around is not None and around.type == "companion_object" and around.child_by_field_name("name") is None


def find_member_scope(node: Node) -> ScopeKind:
    """Return the kind of the scope of a member, whose own object may be a companion."""
    member = node.parent if node.type in ("getter", "setter") else node
    return ScopeKind.Static if member is not None and is_of_companion(member) else ScopeKind.Function
