"""Reading ahead: a question that reads one of the files that it has found together mostly reads others of them.

Tools look up the files that hold a name, and then read some of these, one after the other, in an order of their own.
The first one that is not at hand brings a few others with it, the next ones twice as many each: so few bytes are read
in vain, and a question about a thousand files takes some twenty statements.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

_MOST_GROUPS = 16
"""Groups of files that a thread remembers: those that were found last."""

_MOST_FILES = 4_096
"""Files of a group that are remembered."""

_FIRST, _MOST_AT_ONCE = 8, 128
"""Files that are read together, at first and at most."""

MOST_BYTES = 1 << 20
"""Bytes that are read together at most, besides the file itself; no larger file is read ahead."""


class SizedBlob(NamedTuple):
    """A blob, and the bytes of its content."""

    id: int
    size: int


class _Group:
    """Files that were found together, in the order of their paths."""

    def __init__(self, blobs: Sequence[SizedBlob]) -> None:
        self._blobs = blobs
        self._places = {one.id: place for place, one in enumerate(blobs)}
        self._at_once = _FIRST

    def __contains__(self, blob: int) -> bool:
        return blob in self._places

    def beside(self, blob: int, is_kept: Callable[[int], bool]) -> list[int]:
        """Return a blob of the group with those behind it that are not kept; after the last one comes the first."""
        place, size = self._places[blob], 0
        found = [blob]
        for one in (*self._blobs[place + 1 :], *self._blobs[:place]):
            if len(found) == self._at_once or size + one.size > MOST_BYTES:
                break
            if not is_kept(one.id):
                found.append(one.id)
                size += one.size
        self._at_once = min(2 * self._at_once, _MOST_AT_ONCE)
        return found


class ReadAhead:
    """The groups of files that each thread has found last."""

    def __init__(self) -> None:
        self._own = threading.local()

    def note(self, blobs: Sequence[SizedBlob]) -> None:
        """Remember that some blobs were found together."""
        if len(blobs) > 1:
            self._groups.appendleft(_Group(blobs[:_MOST_FILES]))

    def beside(self, blob: int, is_kept: Callable[[int], bool]) -> list[int]:
        """Return the blobs that are best read together with one, itself included, without those that are kept."""
        group = next((group for group in self._groups if blob in group), None)
        return [blob] if group is None else group.beside(blob, is_kept)

    @property
    def _groups(self) -> deque[_Group]:
        groups: deque[_Group] | None = getattr(self._own, "groups", None)
        if groups is None:
            groups = self._own.groups = deque(maxlen=_MOST_GROUPS)
        return groups
