"""Positions in a text: bytes, and the lines and columns that people count."""

from __future__ import annotations

import bisect
import re


class TextPositions:
    """The places of a text in UTF-8. Lines and columns count from 1, columns in code points."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._starts = [0, *(end.end() for end in re.finditer(b"\n", content))]

    @property
    def lines(self) -> int:
        """Return how many lines there are; what follows the last line end is one if it is not empty."""
        return len(self._starts) - (self._starts[-1] == len(self._content) and len(self._starts) > 1)

    def place(self, byte: int) -> tuple[int, int]:
        """Return the line and column of a byte."""
        line = bisect.bisect_right(self._starts, byte) - 1
        return line + 1, len(self._content[self._starts[line] : byte].decode("utf-8", "replace")) + 1

    def byte(self, line: int, column: int) -> int:
        """Return the byte of a place; what lies behind the end of a line or of the text is that end."""
        if line > len(self._starts):
            return len(self._content)
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._content)
        text = self._content[start:end].decode("utf-8", "replace")
        return start + len(text[: max(0, column - 1)].encode())
