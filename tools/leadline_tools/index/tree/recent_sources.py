"""The sources that were read last, and what shows that a file has not changed since."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict

from leadline_tools.index.text.source_text import Source

SETTLED_SECONDS = 2.0
"""Seconds after which two changes of a file have two times, whatever the file system."""

_MOST_RECENT_BYTES = 2 << 20
"""Bytes of the sources that are kept."""


class RecentSources:
    """The sources that were read last: while a question is answered, some are read several times.

    One is given again as long as its file is the same and has the same times. One that was changed a moment ago is not
    kept, since it could be changed again within what the system's clock tells apart.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[tuple[int, ...], Source]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, path: str, status: os.stat_result) -> Source | None:
        """Return the source at a path whose file has a status; None for one that is not known."""
        with self._lock:
            state, source = self._kept.get(path, ((), None))
            return source if state == state_of(status) else None

    def put(self, source: Source, status: os.stat_result) -> None:
        """Keep a source that was read from a file with a status."""
        if len(source.content) > _MOST_RECENT_BYTES // 2:
            return
        with self._lock:
            self._drop(source.path)
            if is_settled(status):
                self._kept[source.path] = state_of(status), source
                self._size += len(source.content)
            while self._size > _MOST_RECENT_BYTES:
                self._drop(next(iter(self._kept)))

    def _drop(self, path: str) -> None:
        _, source = self._kept.pop(path, ((), None))
        self._size -= len(source.content) if source is not None else 0


def state_of(status: os.stat_result) -> tuple[int, ...]:
    """Return what identifies one state of a file."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_settled(status: os.stat_result) -> bool:
    """Return whether a file changes no more without its times telling so."""
    return time.time() - max(status.st_mtime, status.st_ctime) > SETTLED_SECONDS
