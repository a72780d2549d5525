"""Ways to find nodes below a node, for grammars that give their children no field names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tree_sitter import Node

from leadline_tools.languages.language import Nodes


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
