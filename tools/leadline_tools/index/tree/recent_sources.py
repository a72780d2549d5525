"""The sources that were read last, each with what identifies the state of its file."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from leadline_tools.index.text.source_text import Source

_MOST_BYTES = 2 << 20
"""Bytes of the sources that are kept."""


class RecentSources:
    """The sources that were read last: while a question is answered, some are read several times."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Hashable, Source]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, path: str, state: Hashable) -> Source | None:
        """Return the source at a path whose file is in a state; None for one that is not known."""
        with self._lock:
            kept, source = self._kept.get(path, (None, None))
            return source if kept == state else None

    def put(self, source: Source, state: Hashable) -> None:
        """Keep a source whose file is in a state, which no other content of it has; None for one that others may."""
        if len(source.content) > _MOST_BYTES // 2:
            return
        with self._lock:
            self._drop(source.path)
            if state is not None:
                self._kept[source.path] = state, source
                self._size += len(source.content)
            while self._size > _MOST_BYTES:
                self._drop(next(iter(self._kept)))

    def _drop(self, path: str) -> None:
        _, source = self._kept.pop(path, (None, None))
        self._size -= len(source.content) if source is not None else 0
