"""The heartbeat of a replica: it reports that it runs, counts the others, and tidies up.

Each replica allows a client its share of the limits, so that a client behind a balancer gets the same whatever their
number. While the database cannot be reached, the last count stays.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Sequence

from leadline_server import __version__
from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import DatabasePool

log = logging.getLogger("leadline.replicas")

_SECONDS = 10.0
"""Seconds between two reports."""

_SILENT_SECONDS = 30.0
"""Seconds after which a replica counts no more that did not report."""

_TIDY_BEATS = 30
"""Reports after which what is too old is deleted."""

_REPORT = """
insert into replica(id, version) values (%s, %s) on conflict (id) do update set at = now()
"""


class Heartbeat:
    """Reports that a replica runs, until it is closed.

    Args:
        pool: The connections to the database.
        tidying: What deletes rows that are too old; each may raise DatabaseError.
    """

    def __init__(self, pool: DatabasePool, tidying: Sequence[Callable[[], None]] = ()) -> None:
        self._pool = pool
        self._tidying = tidying
        self._id = uuid.uuid4().hex
        self._replicas = 1
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="leadline-heartbeat", daemon=True)

    @property
    def replicas(self) -> int:
        """Return how many replicas run, this one included, as far as is known."""
        return self._replicas

    def start(self) -> None:
        """Report at once, and from now on."""
        self.beat()
        self._thread.start()

    def beat(self) -> None:
        """Report that this replica runs, and count those that do."""
        try:
            with self._pool.connection() as connection:
                connection.execute(_REPORT, (self._id, __version__))
                connection.execute("delete from replica where at < now() - interval '1 day'")
                row = connection.execute(
                    "select count(*) from replica where at > now() - make_interval(secs => %s)", (_SILENT_SECONDS,)
                ).fetchone()
        except DatabaseError as error:
            log.info("the heartbeat failed: %s", error)
            return
        self._replicas = max(1, int(row[0]) if row is not None else 1)

    def close(self) -> None:
        """Report that this replica ends."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(_SECONDS)
        try:
            with self._pool.connection() as connection:
                connection.execute("delete from replica where id = %s", (self._id,))
        except DatabaseError:
            pass  # it will be missed soon

    def _run(self) -> None:
        beats = 0
        while not self._ended.wait(_SECONDS):
            self.beat()
            beats += 1
            if beats % _TIDY_BEATS == 0:
                self._tidy()

    def _tidy(self) -> None:
        for tidy in self._tidying:
            try:
                tidy()
            except DatabaseError as error:
                log.warning("what is too old could not be deleted: %s", error)
