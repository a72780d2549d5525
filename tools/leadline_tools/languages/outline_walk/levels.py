"""Levels: the nodes that the walk has yet to visit.

A *level* holds the children of one node, or of the bodies of one definition; the walk has a stack of them.
"""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.model import SymbolKind


class Level:
    """Children still to be visited, last first, and what they stand in.

    ``around`` is the node that only holds them or the definition that they are in, ``lead`` where the keyword before an
    only child begins; ``function`` is where the innermost function without a name around begins, 0 for none; below
    0 it stands for what else tells the definitions in there from others.
    """

    __slots__ = ("around", "children", "comment", "container", "function", "kind", "lead", "parent", "wrapper")

    def __init__(
        self,
        children: list[Node],
        parent: int,
        container: str,
        kind: SymbolKind | None,
        *,
        wrapper: Node | None = None,
        comment: Node | None = None,
        lead: int = -1,
        around: Node | None = None,
        function: int = 0,
    ) -> None:
        self.function = function
        self.children = children
        self.parent = parent
        self.container = container
        self.kind = kind
        self.wrapper = wrapper
        self.comment = comment
        self.lead = lead
        self.around = around

    def inside(self, parent: int, container: str) -> Level:
        """Return this level as part of something else."""
        wrapper, lead, around = self.wrapper, self.lead, self.around
        return Level(
            self.children, parent, container, None, wrapper=wrapper, lead=lead, around=around, function=self.function
        )


def reversed_children(*nodes: Node) -> list[Node]:
    """Return the named children of nodes, last first."""
    children = nodes[0].named_children if nodes else []
    for node in nodes[1:]:
        children += node.named_children
    children.reverse()
    return children
