"""Scopes of JavaScript: the names that declarations, parameters and loops bind, and names in strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.javascript.outline import list_declared_names
from leadline_tools.languages.javascript.patterns import bind_names
from leadline_tools.languages.javascript.values import list_pattern_names, unquote_name
from leadline_tools.languages.nodes import Nodes
from leadline_tools.languages.rules.uses import Quoted
from leadline_tools.languages.terms import Spell
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role


def pattern_names_in(*names: str) -> Nodes:
    """Return a function that gives the names that the patterns in the fields ``names`` bind."""
    return lambda node: list_pattern_names(*(child for name in names for child in node.children_by_field_name(name)))


def list_declarators(node: Node) -> Sequence[Node]:
    """Return the names of a declaration with ``const``, ``let`` or ``var``."""
    return [
        name
        for child in node.named_children
        if child.type == "variable_declarator"
        for name in list_declared_names(child)
    ]


def list_loop_names(node: Node) -> Sequence[Node]:
    """Return what a loop over values declares; without a keyword it assigns."""
    left = node.children_by_field_name("left") if node.child_by_field_name("kind") is not None else ()
    return list_pattern_names(*left)


def bind_declared_values(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of a declaration with ``const``, ``let`` or ``var``, with what each is given."""
    return (
        given
        for child in node.named_children
        if child.type == "variable_declarator"
        for given in bind_names(child, spell)
    )


def read_quoted_member(node: Node) -> Iterator[Quoted]:
    """Yield the member that ``a["b"]`` or the type ``A["b"]`` names."""
    owner, index = node.named_children[0], node.named_children[-1]
    string = index.named_children[0] if index.type == "literal_type" and index.named_children else index
    if string.type != "string" or string.named_child_count != 1:
        return
    around, name = node.parent, unquote_name(string)
    role = Role.Type if index.type == "literal_type" else Role.Read
    if around is not None and around.child_by_field_name("function") == node:
        role = Role.Call
    elif around is not None and around.type == "assignment_expression" and around.child_by_field_name("left") == node:
        role = Role.Write
    yield Quoted(string, 1, name, owner, role)


def split_pair(node: Node) -> Sequence[Node | None]:
    """Return the key and the value of ``a: b``, in a pattern without its default."""
    value = node.child_by_field_name("value")
    if value is not None and value.type == "assignment_pattern":
        value = value.child_by_field_name("left")
    return node.child_by_field_name("key"), value


_FUNCTION_NAMED = lazy_compile(rb"\bfunction\s*\*?\s*\Z")


def names_itself(before: bytes) -> bool:
    """Tell by the text before a name that a function expression is called so, by itself alone."""
    return _FUNCTION_NAMED.search(before) is not None
