"""The ledger that replicas share, in PostgreSQL: what one of them has sent, all of them count.

As with the ledger of a single server, no answer waits for it: calls are written together, a second after the first of
them, and wait in memory while the database cannot be written. The count of a client is over all replicas, so it lacks
what others have sent within that second.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any, Final

from leadline_server.ledger import Entry, RecordedCall, Spending, row_of, storable_text
from leadline_server.ledger_file import Row, Serving
from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import DatabasePool
from leadline_tools.result import Call

RECENT = 200
"""Calls that are shown one by one."""

_OFFERS = 2_000
"""Calls from which is learned what calls cost."""

_WRITE_SECONDS = 1.0
"""Seconds until a call is in the database, with those after it."""

_WAITING = 10_000
"""Calls that wait at most while the database cannot be written; the oldest are forgotten first."""

_AGAIN_SECONDS = 1.0
"""Seconds until a database that could not be written is tried again."""

_SESSION_SECONDS = 24 * 3600
"""How far the count of a client goes back where it was not reset: replicas have no sessions."""

_KEPT_SECONDS = 90 * 24 * 3600
"""How long calls are kept."""

_COLUMNS: Final = ("session", *(field.name for field in fields(Row)))
_INSERT = (
    f"insert into call({','.join(_COLUMNS)}) values(%s, to_timestamp(%s), {','.join(['%s'] * (len(_COLUMNS) - 2))})"
).encode()
_SESSION = """
insert into session(id, model, family, price, schema) values (%s, %s, %s, %s, %s)
on conflict (id) do update set schema = coalesce(excluded.schema, session.schema)
"""
_SPENT = """
select tool, count(*), sum(estimated), sum(sent), sum(whole), sum(abs(estimated - sent)),
    max(abs(estimated - sent)::double precision / greatest(sent, 1)), sum(files),
    sum(case when files > 0 then sent else 0 end), sum(charged), sum(error::integer)
from call where principal = %(principal)s and at > greatest(
    now() - make_interval(secs => %(seconds)s),
    coalesce((select at from reset where principal = %(principal)s), '-infinity'))
group by tool order by sum(sent) desc, tool
"""
_OFFERED = """
select call.tool, call.offered, call.came from call join session on session.id = call.session
where call.offered > 0 and session.family = %s order by call.id desc limit %s
"""
_SHOWN = b"""
select id, extract(epoch from at), principal, tool, estimated, sent, whole, files, charged, client, kind, sampled,
    error, offered, came
from call """
_LAST = b" order by at desc, id desc limit %(most)s"
_RECENT = _SHOWN + _LAST
_RECENT_OF_ONE = _SHOWN + b"where principal = %(principal)s" + _LAST
_RESET = """
insert into reset(principal, at) values (%s, to_timestamp(%s))
on conflict (principal) do update set at = excluded.at
"""
_FORGET = (
    "delete from call where at < now() - make_interval(secs => %s)",
    "delete from session where at < now() - make_interval(secs => %s)"
    " and not exists (select from call where call.session = session.id)",
    "delete from reset where at < now() - make_interval(secs => %s)",
)


class SharedLedger:
    """The calls of all replicas.

    Args:
        pool: The connections to the database.
        serving: What this server serves.
        clock: The time in seconds since 1970.
    """

    def __init__(self, pool: DatabasePool, serving: Serving, clock: Callable[[], float] = time.time) -> None:
        self._pool = pool
        self._serving = serving
        self._clock = clock
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: deque[Row] = deque(maxlen=_WAITING)
        self._lost = 0
        self._failed = ""
        self._not_before = 0.0
        self._schema: Callable[[], int] | None = None
        self._has_session = False
        self._timer: threading.Timer | None = None
        self._closed = False

    def note_listing(self, schema: Callable[[], int]) -> None:
        """Note that a model receives the list of tools, whose o200k tokens ``schema`` returns."""
        self._schema = schema

    def add(self, principal: str, entry: Entry, question: Call | None = None) -> None:  # noqa: ARG002  is in no table
        """Note a call; one that cannot be written soon is written later."""
        with self._lock:
            self._lost += len(self._waiting) == _WAITING
            self._waiting.append(row_of(self._clock(), principal, entry))
            self._write_soon()

    def flush(self) -> None:
        """Write what waits, if the database could be written lately; what cannot be written waits on."""
        with self._lock:
            self._timer = None
        if time.monotonic() >= self._not_before:
            self._write()

    def session(self, principal: str) -> list[Spending]:
        """Return what a principal spent in the last day or since its reset, by tool, most first.

        Raises DatabaseError.
        """
        self.flush()
        with self._pool.connection() as connection:
            rows = connection.execute(
                _SPENT, {"principal": storable_text(principal), "seconds": _SESSION_SECONDS}
            ).fetchall()
        return [_spending(row) for row in rows]

    def offers(self) -> Mapping[str, list[float]]:
        """Return the ratios of cost to offered price of calls, by tool; none while the database cannot be read."""
        self.flush()
        ratios: dict[str, list[float]] = {}
        try:
            with self._pool.connection() as connection:
                for tool, offered, came in connection.execute(_OFFERED, (self._serving.family, _OFFERS)):
                    ratios.setdefault(tool, []).append(came / offered)
        except DatabaseError:
            return {}
        return ratios

    def recent(self, principal: str | None) -> list[RecordedCall]:
        """Return the last calls of a principal, or of all, oldest first; none while the database cannot be read."""
        self.flush()
        statement = _RECENT if principal is None else _RECENT_OF_ONE
        asked = {"principal": storable_text(principal or ""), "most": RECENT}
        try:
            with self._pool.connection() as connection:
                rows = connection.execute(statement, asked).fetchall()
        except DatabaseError:
            return []
        return [RecordedCall(row[0], float(row[1]), row[2], Entry(*row[3:])) for row in reversed(rows)]

    def reset(self, principal: str) -> None:
        """Restart the count of a principal. Raises DatabaseError."""
        self.flush()
        with self._pool.connection() as connection:
            connection.execute(_RESET, (storable_text(principal), self._clock()))

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return the problems of the ledger, one line each; none where all is well."""
        self.flush()
        if not self._failed:
            return ()
        lost = f", {self._lost:,} lost" if self._lost else ""
        return (f"ledger: not written: {self._failed} {len(self._waiting):,} calls wait in memory{lost}",)

    def expire(self) -> None:
        """Forget calls that are too old. Raises DatabaseError."""
        with self._pool.connection() as connection:
            for statement in _FORGET:
                connection.execute(statement, (_KEPT_SECONDS,))

    def close(self) -> None:
        """Write what waits, if that can be."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
        if self._waiting:
            self._write()

    def _write_soon(self) -> None:
        """See to it that what waits is written before long; the caller holds the lock."""
        if self._timer is None and not self._closed:
            self._timer = threading.Timer(_WRITE_SECONDS, self.flush)
            self._timer.daemon = True
            self._timer.start()

    def _write(self) -> None:
        """Write what waits, in one transaction; what cannot be written is put back, in front of what came meanwhile."""
        with self._writing:
            with self._lock:
                rows = list(self._waiting)
                self._waiting.clear()
            if not rows:
                return
            try:
                self._write_rows(rows)
                self._failed = ""
            except DatabaseError as error:
                self._failed = str(error)
                self._not_before = time.monotonic() + _AGAIN_SECONDS
                with self._lock:
                    room = _WAITING - len(self._waiting)
                    self._lost += max(0, len(rows) - room)
                    self._waiting.extendleft(reversed(rows[max(0, len(rows) - room) :]))
                    self._write_soon()

    def _write_rows(self, rows: Sequence[Row]) -> None:
        with self._pool.transaction() as connection:
            if not self._has_session:
                serving = self._serving
                schema = None if self._schema is None else self._schema()
                session = (serving.session, serving.model, serving.family, serving.price, schema)
                connection.execute(_SESSION, session)
            with connection.cursor() as cursor:
                cursor.executemany(_INSERT, [(self._serving.session, *astuple(row)) for row in rows])
        self._has_session = True


def _spending(row: Sequence[Any]) -> Spending:
    tool, calls, estimated, sent, whole, off, worst, files, instead, charged, errors = row
    numbers = (int(number) for number in (files, instead, charged, errors))
    return Spending(tool, int(calls), int(estimated), int(sent), int(whole), int(off), float(worst), *numbers)
