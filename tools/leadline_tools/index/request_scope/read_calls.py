"""Calls that read lines of a file, and how large those lines are as answers show them."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_name
from leadline_tools.result import Call, Size

_NUMBER = 10
"""Characters that the number before a line stands for: it takes three tokens, more than as many letters."""


def reading(index: Index, path: str, start: int, count: int) -> Call:
    """Return the call that reads ``count`` lines of a file from ``start`` on (1-based, or from the first line)."""
    first = max(1, start)
    return Call.of("read_file", lines_size(index, path, first, count), path=path, start_line=first, num_lines=count)


def lines_size(index: Index, path: str, start: int, count: int) -> Size:
    """Return the size of as many lines from ``start`` on (1-based) as there are; an unknown one if none can be read."""
    source = index.try_read(path)
    return Size() if source is None else size_of(path, source.lines()[start - 1 : start - 1 + count])


def size_of(path: str, lines: Sequence[str]) -> Size:
    """Return the size of lines of a file that are at hand."""
    size = len("\n".join((*lines, "")).encode())
    return Size(size, language_name(path), rows=len(lines), width=_NUMBER)
