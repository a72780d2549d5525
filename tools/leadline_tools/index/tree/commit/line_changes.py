"""Changed lines: what differs between two texts, by lines of the later one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_MOST_COMPARED = 400_000_000
"""Pairs of lines that are compared; of larger changes all lines count as changed."""


class ChangedLines(NamedTuple):
    """The lines that a text did not have before.

    Args:
        added: Runs of lines that are new or different, 1-based, with the last one.
        removed: The lines after which others are missing; 0 for the beginning.

    """

    added: Sequence[tuple[int, int]]
    removed: Sequence[int]

    def touch(self, first: int, last: int) -> bool:
        """Return whether something changed in a run of lines, 1-based, with the last one; False for none."""
        if last < first:
            return False
        in_added = any(start <= last and end >= first for start, end in self.added)
        return in_added or any(first <= line < last for line in self.removed)


EVERYTHING = ChangedLines(((1, 1 << 31),), ())
"""All lines of a file that is new."""


def changed_lines(before: bytes, after: bytes) -> ChangedLines:
    """Return what changed from one text to another."""
    from rapidfuzz.distance import LCSseq  # only this needs it

    old, new = before.splitlines(), after.splitlines()
    start = _count_equal(old, new)
    end = _count_equal(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if len(old) * len(new) > _MOST_COMPARED:
        return ChangedLines(((start + 1, start + len(new)),), ())
    added: list[tuple[int, int]] = []
    removed: list[int] = []
    for step in LCSseq.opcodes(old, new):
        if step.tag in {"insert", "replace"}:
            added.append((start + step.dest_start + 1, start + step.dest_end))
        elif step.tag == "delete":
            removed.append(start + step.dest_start)
    replaced = {line for first, last in added for line in (first - 1, last)}
    return ChangedLines(added, [line for line in removed if line not in replaced])


def _count_equal(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Return how many lines two texts have in common at their beginnings."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
