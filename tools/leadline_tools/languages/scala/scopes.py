"""Scopes of Scala: what patterns, generators and lambdas bind, named arguments and end markers.

A *pattern variable* is a name in a pattern that begins in lower case. An *end marker* repeats the name of what it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.scala.outline import select_children, yield_pattern_variables
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role


def list_generator_names(node: Node) -> Sequence[Node]:
    """Return what ``p <- xs`` and ``p = x`` bind."""
    pattern = next(iter(node.named_children), None)
    return () if pattern is None or pattern.type == "guard" else list(yield_pattern_variables(pattern))


def list_case_names(node: Node) -> Sequence[Node]:
    """Return the variables of the pattern of a case."""
    return list(yield_pattern_variables(node.child_by_field_name("pattern")))


def list_named_arguments(node: Node) -> Sequence[Node | None]:
    """Return the names of arguments as members of what is called, which nobody knows here."""
    assigned = (child.child_by_field_name("left") for child in select_children("assignment_expression")(node))
    return (None, *(name for name in assigned if name is not None and name.type == "identifier"))


def find_argument_name(node: Node) -> Node | None:
    """Return the name of an argument; any other assignment has none."""
    left = node.child_by_field_name("left")
    listed = node.parent is not None and node.parent.type == "arguments"
    return left if listed and left is not None and left.type == "identifier" else None


HAVE_END_MARKERS = (
    "class_definition",
    "enum_definition",
    "function_definition",
    "given_definition",
    "object_definition",
    "package_object",
    "trait_definition",
)
"""What opens a scope and may end in ``end`` and its own name, which is seen around it:
https://docs.scala-lang.org/scala3/reference/other-new-features/indentation.html#the-end-marker."""


def read_end_marker(marker: Node) -> Iterator[Written]:
    """Yield the name behind ``end``, which is no node with a name in the grammar."""
    for child in marker.children[-1:]:
        if child.type == "_end_ident":
            yield Written(child.start_byte, text(child), Role.Read, BARE)
