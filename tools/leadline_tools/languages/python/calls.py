"""Calls of Python: what is called, and the arguments at their places."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text

LISTS: frozenset[str] = frozenset("pattern_list tuple_pattern list_pattern expression_list tuple list".split())
"""Nodes that take a value, or are one, part by part."""

SPLAT = "list_splat"

NOT_POSITIONAL: frozenset[str] = frozenset({"comment", "keyword_argument", "dictionary_splat"})
NARROWING: frozenset[str] = frozenset({"isinstance"})
CASTS: frozenset[str] = frozenset({"cast", "t.cast", "typing.cast"})
COPYING: frozenset[str] = frozenset("attr.evolve attrs.evolve copy.replace dataclasses.replace evolve replace".split())
"""Functions that give a copy of an object, with other values of the fields that their keywords name."""

_LONGEST = max(map(len, (*CASTS, *NARROWING, *COPYING)))


def list_parts(node: Node) -> Sequence[Node]:
    """Return what a node lists: the elements of a tuple or list, a type and its arguments."""
    return [child for child in node.named_children if child.type != "comment"]


def list_positional(arguments: Node | None) -> Sequence[Node]:
    """Return the positional arguments of a call; none where a star hides how many there are."""
    if arguments is None:
        return ()
    if arguments.type == "generator_expression":
        return (arguments,)
    given = [child for child in arguments.named_children if child.type not in NOT_POSITIONAL]
    return given if all(child.type != SPLAT for child in given) else ()


def is_called(call: Node, names: Container[str]) -> bool:
    """Return whether what is called has one of some names; one that is longer than all of them is not even read."""
    function = call.child_by_field_name("function")
    return function is not None and function.end_byte - function.start_byte <= _LONGEST and text(function) in names
