"""The sources that were read last, each with what identifies the state of its file.

All trees of a process share the memory for them: of 200 roots, each would else keep what it was asked for once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from leadline_tools.index.text.source_text import Source

_MOST_BYTES = 4 << 20
"""Bytes of the sources that are kept, of all trees together."""

_LARGE_BYTES = 1 << 20
"""Bytes of a source from which on it is only kept until another one of its tree is read."""

_MOST_LARGE = 4
"""Trees of which a large source is kept: as many as are asked about at a time."""


class _Kept(NamedTuple):
    """A source, and what identifies the state of its file."""

    state: Hashable
    source: Source


class _Shelf:
    """The sources that were read last, by their tree and path, the one that was read longest ago first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.large: OrderedDict[object, _Kept] = OrderedDict()
        self._kept: OrderedDict[tuple[object, str], _Kept] = OrderedDict()
        self._size = 0

    def get(self, tree: object, path: str) -> _Kept | None:
        """Return the source of a tree at a path; None for one that is not kept."""
        return self._kept.get((tree, path))

    def put(self, tree: object, kept: _Kept) -> None:
        """Keep a source; those that were read longest ago make room for it."""
        self._kept[tree, kept.source.path] = kept
        self._size += len(kept.source.content)
        while self._size > _MOST_BYTES:
            self.drop(*next(iter(self._kept)))

    def drop(self, tree: object, path: str) -> None:
        """Let go of the source of a tree at a path."""
        kept = self._kept.pop((tree, path), None)
        self._size -= len(kept.source.content) if kept is not None else 0


_SHELF = _Shelf()


class RecentSources:
    """The sources of a tree that were read last: while a question is answered, some are read several times.

    A large one is only kept until another source is read: an answer with many lines of it reads it for each few.
    """

    def __init__(self) -> None:
        self._tree = object()

    def get(self, path: str, state: Hashable) -> Source | None:
        """Return the source at a path whose file is in a state; None for one that is not known."""
        with _SHELF.lock:
            large = _SHELF.large.get(self._tree)
            kept = large if large is not None and large.source.path == path else _SHELF.get(self._tree, path)
            return kept.source if kept is not None and kept.state == state else None

    def put(self, source: Source, state: Hashable) -> None:
        """Keep a source whose file is in a state, which no other content of it has; None for one that others may."""
        with _SHELF.lock:
            _SHELF.drop(self._tree, source.path)
            _SHELF.large.pop(self._tree, None)
            if state is None:
                return
            if len(source.content) <= _LARGE_BYTES:
                _SHELF.put(self._tree, _Kept(state, source))
                return
            _SHELF.large[self._tree] = _Kept(state, source)
            if len(_SHELF.large) > _MOST_LARGE:
                _SHELF.large.popitem(last=False)
