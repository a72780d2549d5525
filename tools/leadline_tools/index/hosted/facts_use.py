"""Which facts questions have used: noted in the database at most once a minute, and once a day for each blob."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime

from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import DatabasePool

_SECONDS = 60.0
"""Seconds between two notes."""

_MOST = 500_000
"""Blobs that are remembered as noted today."""


class FactsUse:
    """Notes which facts were used, so that the collector deletes others first; safe to use from several threads."""

    def __init__(self, pool: DatabasePool, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._clock = clock
        self._next = clock()
        self._day: date | None = None
        self._noted: set[int] = set()
        self._waiting: set[int] = set()
        self._lock = threading.Lock()

    def add(self, blobs: Iterable[int]) -> None:
        """Remember that the facts of some blobs were used."""
        with self._lock:
            self._waiting.update(blobs)

    def flush(self) -> None:
        """Note what was used in the database, if it is time; where it cannot be noted, nothing is."""
        today = datetime.now(UTC).date()
        with self._lock:
            if self._clock() < self._next or not self._waiting:
                return
            self._next = self._clock() + _SECONDS
            if self._day != today or len(self._noted) > _MOST:
                self._day = today
                self._noted.clear()
            new = sorted(self._waiting - self._noted)
            self._noted.update(new)
            self._waiting.clear()
        if not new:
            return
        try:
            with self._pool.connection() as connection:
                connection.execute("select note_facts_used(%s::integer[])", (new,))
        except DatabaseError:
            return  # a standby, or a database without room: the order of deletion is no reason for an error
