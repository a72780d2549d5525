"""Scopes of Java: what parameters, resources and patterns bind, and the members that a node takes."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import Nodes


def select_last_child(kind: str) -> Nodes:
    """Return a function that gives the last child of a node where it is a ``kind``."""
    return lambda node: [child for child in node.named_children[-1:] if child.type == kind]


def list_variadic_names(node: Node) -> Sequence[Node]:
    """Return the name of a parameter that takes any number of arguments."""
    return [
        name
        for child in node.named_children
        if child.type == "variable_declarator"
        for name in child.children_by_field_name("name")
    ]


def list_inferred_parameters(node: Node) -> Sequence[Node]:
    """Return the parameters of a lambda that spells no types."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None or parameters.type == "formal_parameters":
        return ()
    return (parameters,) if parameters.type == "identifier" else parameters.named_children


def split_member(node: Node) -> Sequence[Node | None]:
    """Return the first and the last child: the grammar names no fields in ``a.B`` and ``a::b``."""
    children = [child for child in node.named_children if "annotation" not in child.type]
    return (children[0], children[-1]) if len(children) > 1 else (None, None)


def find_type_parameter(node: Node) -> Sequence[Node]:
    """Return the name of a type parameter."""
    return [child for child in node.named_children if child.type == "type_identifier"][:1]
