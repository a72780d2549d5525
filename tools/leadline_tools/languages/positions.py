"""Lines and columns of the bytes of a source.

A *position* is a 1-based line and a 1-based column in code points; a parser tells bytes.
"""

from __future__ import annotations

from tree_sitter import Node


class Columns:
    """Finds columns in code points; near linear for questions in the order of the source, however long the lines."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.line = self.byte = self.points = 0
        self.plain = content.isascii()

    def of(self, node: Node) -> int:
        """Return the 1-based column at which ``node`` begins."""
        return self.at(node.start_byte, node.start_point[1])

    def at(self, start: int, column: int) -> int:
        """Return the 1-based column of the byte ``start``, which is the ``column``-th of its line, 0-based."""
        if self.plain:
            return column + 1
        if self.line != start - column:
            self.line = self.byte = start - column
            self.points = 0
        passed = self.content[min(self.byte, start) : max(self.byte, start)].decode("utf-8", "replace")
        self.points += len(passed) if start >= self.byte else -len(passed)
        self.byte = start
        return self.points + 1


class Positions:
    """Finds lines and columns of bytes; near linear for questions in the order of the source."""

    def __init__(self, content: bytes, columns: Columns | None = None) -> None:
        self._content, self._columns = content, columns if columns is not None else Columns(content)
        self._byte, self._line = 0, 1

    def line_of(self, start: int) -> int:
        """Return the 1-based line of a byte."""
        if start >= self._byte:
            self._line += self._content.count(b"\n", self._byte, start)
        else:
            self._line -= self._content.count(b"\n", start, self._byte)
        self._byte = start
        return self._line

    def at(self, start: int) -> tuple[int, int]:
        """Return the 1-based line and column of a byte."""
        begin = self._content.rfind(b"\n", 0, start) + 1
        return self.line_of(start), self._columns.at(start, start - begin)


def last_row(node: Node) -> int:
    """Return the row of the last character: a node that ends with a newline ends on the row before."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row
