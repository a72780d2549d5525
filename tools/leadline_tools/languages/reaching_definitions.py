"""Reaching definitions: by which of its assignments a local name may have the value that it has at a place.

The assignments of a name come in the order of the source. Each gives the name its value up to the end of the block, and
says what that means for what follows each statement around it: see ``Enclosing``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from leadline_tools.languages.branch_narrowing import Assigned, Span

Lines = frozenset[int] | None
"""The 1-based lines of the assignments that may have given a name its value; None for any that the file has."""

_MOST_LINES = 6
"""Assignments of one name that are distinguished; where more may reach, any may."""


class _Region(NamedTuple):
    """Up to where, from the end of the region before, some assignments reach."""

    start: int
    lines: Lines


class ReachingDefinitions:
    """Which assignments of one name of one function reach which byte of the source."""

    def __init__(self) -> None:
        """Start where nothing is known of the name."""
        self._regions = [_Region(0, None)]

    def at(self, byte: int) -> Lines:
        """Return the assignments that may reach a byte."""
        return self._regions[self._index(byte)].lines

    def assign(self, line: int, assigned: Assigned) -> None:
        """Note an assignment on a line; one of nothing is none that any member is a member of."""
        within, around, is_nothing = assigned
        here = frozenset(() if is_nothing else (line,))
        before = [self.at(one.unreached.start) for one in around]
        known = [[_join((self.at(span.start), here)) for span in one.interrupted] for one in around]
        self._put(within, here)
        for one, lines_before, joined in zip(around, before, known, strict=True):
            self._put(one.unreached, lines_before)
            for interrupted, lines in zip(one.interrupted, joined, strict=True):
                self._put(interrupted, lines)
            if one.exits is None:
                self._put(one.after, None)
            elif one.exits:
                self._put(one.after, _join([self.at(byte) for byte in one.exits]))

    def forget(self, start: int, end: int) -> None:
        """Note that nothing is known from one byte up to another one."""
        self._put(Span(start, end), None)

    def _index(self, byte: int) -> int:
        return bisect_right(self._regions, byte, key=_start) - 1

    def _put(self, within: Span, lines: Lines) -> None:
        """Have some assignments, and no others, reach all of a part of the source."""
        start, end = within
        if start >= end:
            return
        first, last = self._index(start), self._index(end)
        kept = [self._regions[first]] if self._regions[first].start < start else []
        self._regions[first : last + 1] = [*kept, _Region(start, lines), _Region(end, self._regions[last].lines)]


def _start(region: _Region) -> int:
    return region.start


def _join(reaching: Sequence[Lines]) -> Lines:
    """Return what may reach a place to which several ways lead."""
    found: set[int] = set()
    for lines in reaching:
        if lines is None:
            return None
        found |= lines
    return frozenset(found) if len(found) <= _MOST_LINES else None
