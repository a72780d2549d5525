"""The text of a line before and after a use."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Use


class LineTexts:
    """The text of lines, before and after uses."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lines: dict[str, Sequence[str]] = {}

    def before(self, path: str, use: Use) -> str:
        """Return what stands before a use in its line."""
        if path not in self._lines:
            source = self._index.try_read(path)
            self._lines[path] = source.lines() if source is not None else []
        lines = self._lines[path]
        return lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""

    def after(self, path: str, use: Use) -> str:
        """Return what stands after a use in its line, and after its type arguments."""
        self.before(path, use)
        lines = self._lines[path]
        text = lines[use.line - 1][use.end_column - 1 :] if use.line <= len(lines) else ""
        return text[text.find(">::") + 1 :] if text.startswith("<") else text
