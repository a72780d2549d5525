"""The sources that were read last, each with what identifies the state of its file."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from leadline_tools.index.text.source_text import Source

_MOST_BYTES = 2 << 20
"""Bytes of the sources that are kept."""


class RecentSources:
    """The sources that were read last: while a question is answered, some are read several times.

    A large one is only kept until another source is read: an answer with many lines of it reads it for each few.
    """

    def __init__(self) -> None:
        self._large: tuple[Hashable, Source] | None = None
        self._kept: OrderedDict[str, tuple[Hashable, Source]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, path: str, state: Hashable) -> Source | None:
        """Return the source at a path whose file is in a state; None for one that is not known."""
        with self._lock:
            if self._large is not None and self._large[1].path == path:
                return self._large[1] if self._large[0] == state else None
            kept, source = self._kept.get(path, (None, None))
            return source if kept == state else None

    def put(self, source: Source, state: Hashable) -> None:
        """Keep a source whose file is in a state, which no other content of it has; None for one that others may."""
        large = len(source.content) > _MOST_BYTES // 2
        with self._lock:
            self._drop(source.path)
            self._large = (state, source) if large and state is not None else None
            if state is not None and not large:
                self._kept[source.path] = state, source
                self._size += len(source.content)
            while self._size > _MOST_BYTES:
                self._drop(next(iter(self._kept)))

    def _drop(self, path: str) -> None:
        _, source = self._kept.pop(path, (None, None))
        self._size -= len(source.content) if source is not None else 0
