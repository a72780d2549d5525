"""Definitions of Swift: kinds, names, parameters and declared types.

A *pattern* stands in the place of a name in the grammar: ``let (a, b) = c`` declares two variables by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.nodes import Nodes, text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import SymbolKind

TYPES = frozenset(
    "user_type optional_type array_type dictionary_type tuple_type function_type opaque_type existential_type"
    " protocol_composition_type".split()
)
_KINDS = {"struct": SymbolKind.Struct, "enum": SymbolKind.Enum}


def children_of(*types: str) -> Nodes:
    """Return a function that gives the children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in types]

    return children


def list_name(node: Node) -> Sequence[Node]:
    """Return the name; types stand in fields of the same name after it."""
    return node.children_by_field_name("name")[:1]


def classify_type(node: Node) -> SymbolKind:
    """Return the kind of a type by the keyword that declares it."""
    return _KINDS.get(text(node.child_by_field_name("declaration_kind")), SymbolKind.Class)


def is_no_extension(node: Node) -> bool:
    """Return whether a type is declared, and not extended."""
    return text(node.child_by_field_name("declaration_kind")) != "extension"


def join_name(name: Node) -> str:
    """Return ``A.B`` of the extended type ``A.B<C>``."""
    if name.type != "user_type":
        return text(name)
    return ".".join(text(part) for part in name.named_children if part.type == "type_identifier")


def list_parameter_names(node: Node) -> Sequence[Node]:
    """Return the names of the parameters, inside; each may have another outside, and has a type."""
    return [
        name
        for parameter in node.named_children
        if parameter.type == "parameter"
        for name in parameter.children_by_field_name("name")
        if name.type == "simple_identifier"
    ]


def list_parameter_name(node: Node) -> Sequence[Node]:
    """Return the name of a parameter."""
    return [name for name in node.children_by_field_name("name") if name.type == "simple_identifier"]


def iterate_bound_names(pattern: Node, binding: bool) -> Iterator[Node]:
    """Yield the names that a pattern binds: those under a ``let`` or ``var``, but for the names of cases."""
    stack = [(pattern, binding)]
    while stack:
        node, binds = stack.pop()
        binds = binds or bool(children_of("value_binding_pattern")(node))
        dotted = False
        for child in node.children:
            if child.type == "pattern":
                stack.append((child, binds))
            elif child.type == "simple_identifier" and binds and not dotted:
                yield child
            dotted = child.type == "."


def list_variables(node: Node) -> Sequence[Node]:
    """Return the names that a declaration declares, in their order."""
    names = (name for pattern in _list_patterns(node) for name in iterate_bound_names(pattern, binding=True))
    return sorted(names, key=lambda name: name.start_byte)


def _list_patterns(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if name.type == "pattern"]


def classify_property(node: Node) -> SymbolKind:
    """Return the kind of a variable outside of a type: ``let`` declares a constant."""
    constant = any(text(child) == "let" for child in children_of("value_binding_pattern")(node))
    return SymbolKind.Constant if constant else SymbolKind.Variable


class Declarator(NamedTuple):
    """One pattern of a declaration, with its annotation and its value."""

    pattern: Node
    annotation: Node | None = None
    value: Node | None = None


def list_declarators(node: Node) -> Sequence[Declarator]:
    """Return what a declaration declares: ``let a: A, b = c`` two of it."""
    parts: list[Declarator] = []
    for i, child in enumerate(node.children):
        if child.type == "pattern":
            parts.append(Declarator(child))
        elif child.type == "type_annotation" and parts:
            parts[-1] = parts[-1]._replace(annotation=child)
        elif node.field_name_for_child(i) == "value" and parts:
            parts[-1] = parts[-1]._replace(value=child)
    return parts


def find_property_type(node: Node) -> Node | None:
    """Return the declared type where one variable is declared."""
    parts = list_declarators(node)
    if (
        len(parts) != 1
        or parts[0].annotation is None
        or len(list(iterate_bound_names(parts[0].pattern, binding=True))) > 1
    ):
        return None
    return find_type(parts[0].annotation)


def find_type(node: Node) -> Node | None:
    """Return the declared type, which stands in a field of the same name as the name before it."""
    return next((declared for declared in node.children_by_field_name("name") if declared.type in TYPES), None)


def find_parameter_type(node: Node) -> Node | None:
    """Return the type of a parameter; that of a variadic one is its elements'."""
    return None if children_of("...")(node) else find_type(node)


def find_result_type(node: Node) -> Node | None:
    """Return the type of what a function returns."""
    after = False
    for child in node.children:
        if after and child.is_named:
            return child
        after = after or child.type == "->"
    return None


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a declaration."""
    listed = [
        parameter
        for around in children_of("type_parameters")(node)
        for parameter in children_of("type_parameter")(around)
    ]
    return [name for parameter in listed for name in children_of("type_identifier")(parameter)]


def find_enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a case belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def is_of_type(node: Node) -> bool:
    """Return whether a member is one of a type itself: ``static`` or ``class``.

    https://docs.swift.org/swift-book/documentation/the-swift-programming-language/methods/#Type-Methods
    """
    modifiers = (one for child in node.children[:1] if child.type == "modifiers" for one in child.children)
    # The grammar has a lone ``class`` without a list of modifiers.
    return any(one.text in (b"static", b"class") for one in (*modifiers, *node.children[:1]))


def find_member_scope(node: Node) -> ScopeKind:
    """Return the kind of the scope of a member, whose ``self`` is the type where it is one of the type."""
    member = node.parent if node.type == "computed_property" else node
    return ScopeKind.Static if member is not None and is_of_type(member) else ScopeKind.Function
