"""Long lines, of which an answer shows what is around a name: those of minified and generated code."""

from __future__ import annotations

_BEFORE_SHARE = 3
"""The share of what is shown that stands before the name, as a divisor."""


def shorten(line: str, longest: int, start: int, end: int | None = None) -> str:
    """Return a line, of a longer one at most ``longest`` characters with a name, and "..." where it is cut.

    Args:
        line: The line.
        longest: Characters that are shown, besides the dots.
        start: The 0-based column of the name.
        end: That behind it; where it is None, as much as there is room for is shown behind the beginning of the name.

    """
    if len(line) <= longest:
        return line
    before = longest // _BEFORE_SHARE
    fits = (start + longest - before if end is None else end) <= longest
    first = 0 if fits else max(0, min(start - before, len(line) - longest))
    last = first + longest
    return f"{'...' if first else ''}{line[first:last]}{'...' if last < len(line) else ''}"


def shorten_stripped(line: str, longest: int, start: int, end: int | None = None) -> str:
    """Return the same without the blanks around the line."""
    stripped = line.strip()
    if len(stripped) <= longest:
        return stripped
    indent = len(line) - len(line.lstrip())
    return shorten(stripped, longest, max(0, start - indent), None if end is None else max(0, end - indent))
