"""The text of the source that is walked through, and the positions of its nodes."""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.positions import Columns


class SourceText:
    """The source of a tree, UTF-8."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.columns = Columns(content)
        self.plain = self.columns.plain

    def text(self, node: Node) -> str:
        """Return the source text of a node. The node itself would copy it, which takes twice as long."""
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def position(self, node: Node) -> tuple[int, int]:
        """Return the 1-based line and column at which a node begins."""
        row, column = node.start_point
        return row + 1, column + 1 if self.plain else self.columns.at(node.start_byte, column)
