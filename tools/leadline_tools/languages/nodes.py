"""Nodes of a syntax tree: their text, their children by field or type, and where an argument stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import methodcaller

from tree_sitter import Node

Nodes = Callable[[Node], Sequence[Node]]
"""From a node to other nodes: the names that it defines, the parts that hold what is nested in it."""


def fields(*names: str) -> Nodes:
    """Return a function that gives the children of a node in the fields ``names``, in that order."""
    if len(names) == 1:
        return methodcaller("children_by_field_name", *names)
    if not names:
        return lambda _node: ()

    def children(node: Node) -> Sequence[Node]:
        return [child for name in names for child in node.children_by_field_name(name)]

    return children


def text(node: Node | None) -> str:
    """Return the source text of ``node``; the empty string for no node."""
    raw = node.text if node is not None else None
    return raw.decode("utf-8", "replace") if raw is not None else ""


def root_of(node: Node) -> Node:
    """Return the root of the tree of a node: the whole file."""
    while node.parent is not None:
        node = node.parent
    return node


def comment_before(node: Node) -> str:
    """Return the documentation comment, ``/** */``, just before a node; empty where there is none."""
    before = node.prev_sibling
    if before is None or before.type != "comment":
        return ""
    found = before.text
    return found.decode("utf-8", "replace") if found is not None and found.startswith(b"/**") else ""


_MOST_ARGUMENTS = 32
"""Arguments before one from which on nobody counts them: to count those of each takes the square of their number."""


def argument_index(argument: Node) -> int | None:
    """Return how many arguments stand before one, 0 for the first; None for one far behind."""
    number, before = 0, argument.prev_named_sibling
    while before is not None and number < _MOST_ARGUMENTS:
        number += "comment" not in before.type
        before = before.prev_named_sibling
    return number if before is None else None


@cache
def children_of_type(*types: str) -> Nodes:
    """Return a function that gives the named children of a node whose type is one of ``types``, in their order."""
    wanted = frozenset(types)
    return lambda node: [child for child in node.named_children if child.type in wanted]


def first_child(*types: str) -> Nodes:
    """Return a function that gives the first named child of a node whose type is one of ``types``, or nothing."""
    every = children_of_type(*types)
    return lambda node: every(node)[:1]


def descend(*steps: Nodes) -> Nodes:
    """Return a function that applies one step after the other, each to all nodes that the one before gave."""

    def nodes(node: Node) -> Sequence[Node]:
        found: Sequence[Node] = (node,)
        for step in steps:
            found = [inner for outer in found for inner in step(outer)]
        return found

    return nodes


def the_node(node: Node) -> Sequence[Node]:
    """Return the node itself: what it defines is nested directly in it."""
    return (node,)


def outermost_errors(root: Node) -> Iterator[Node]:
    """Yield the outermost ERROR nodes and the MISSING ones outside of them, in the order of the text."""
    if not root.has_error:
        return
    if root.is_error:
        yield root
        return
    cursor = root.walk()
    descends = cursor.goto_first_child()
    while descends:
        node = cursor.node
        if node is not None and (node.is_error or node.is_missing):
            yield node
        elif node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                descends = False
                break
