"""The lines of a file without symbols in which most of a question is together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from leadline_tools.find_code.evidence import TermPlaces

_LINES = 12
"""Lines that are read at a glance."""

_MOST_LINES = 2_000
"""Lines with a word of the question that are compared."""


class Region(NamedTuple):
    """Lines of a file, counted from 1, and the numbers of the terms that occur in them."""

    line: int
    end_line: int
    terms: tuple[int, ...]


def densest_region(content: bytes, places: Sequence[TermPlaces], rarity: Sequence[float]) -> Region:
    """Return the few lines that together have the most of a question; the first line where there is nothing of it."""
    ends = _line_ends(content)
    found: dict[int, set[int]] = {}
    for number, one in enumerate(places):
        for at in one.offsets:
            found.setdefault(bisect_right(ends, at) + 1, set()).add(number)
    lines = sorted(found)[:_MOST_LINES]
    best, chosen = -1.0, Region(1, 1, ())
    for row, line in enumerate(lines):
        terms: set[int] = set()
        last = line
        for other in lines[row : row + _LINES]:
            if other >= line + _LINES:
                break
            terms |= found[other]
            last = other
        # Of as many words the lines are better that are closer to each other.
        value = sum(rarity[term] for term in terms) - 0.01 * (last - line)
        if value > best:
            best, chosen = value, Region(line, last, tuple(sorted(terms)))
    return chosen


def _line_ends(content: bytes) -> list[int]:
    """Return where each line of a text ends, behind its line feed."""
    ends: list[int] = []
    at = content.find(b"\n")
    while at >= 0:
        ends.append(at + 1)
        at = content.find(b"\n", at + 1)
    return ends
