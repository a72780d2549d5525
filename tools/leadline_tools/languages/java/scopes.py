"""Scopes of Java: what parameters, resources and patterns bind, and the members that a node takes."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import Nodes
from leadline_tools.lazy_regex import lazy_compile

_NEW = lazy_compile(r"\bnew\s+(?:[\w$.]+\.\s*)?$")
"""What stands before the name of a class whose object is made."""

_OF_TYPE = lazy_compile(r"\s*\.\s*(?:class|this|super)\b")
"""What stands behind the name of a type, and behind no name of a variable."""


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


def names_type(before: str, after: str) -> bool | None:
    """Return whether a name is that of a type; None before a dot, where it is one unless a variable has that name.

    https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.5.2
    """
    if _NEW.search(before) is not None or _OF_TYPE.match(after) is not None:
        return True
    return None if after.lstrip().startswith((".", "::")) and not before.rstrip().endswith("::") else False
