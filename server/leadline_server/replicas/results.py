"""The results that replicas share, in PostgreSQL. An answer that is sent is never followed by a URI nobody knows.

A result is written before its answer is sent, whatever its size: the next request may reach another replica. What
cannot be written, because the database is full or just went away, is logged; the answer is sent all the same, and
reading its further pages is an error that says how to ask again.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from leadline_server.errors import NoSuchResult, ResultWithdrawn
from leadline_server.packed_result import (
    REMEMBERED_SECONDS,
    TTL_SECONDS,
    USED_SECONDS,
    PackedResult,
    ResultIds,
    parse_question,
)
from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import DatabasePool
from leadline_tools.database.session_settings import Connection
from leadline_tools.index.index import Index
from leadline_tools.result import Call, Result
from leadline_tools.stored_json import parse_stored

log = logging.getLogger("leadline.store")

LARGEST = 4 << 30
"""Bytes of all results together, of all replicas."""

_EXPIRE_SECONDS = 60.0
"""How often a replica looks for results that are too old or too many."""

_EXPIRING = 0x4C45_4145
"""The number of the advisory lock: one replica at a time deletes what is too old."""

_PUT = """
insert into answer(id, owner, question, frame, kind, items, size, roots) values (%s, %s, %s, %s, %s, %s, %s, %s)
on conflict (id) do update set frame = excluded.frame, kind = excluded.kind, items = excluded.items,
    size = excluded.size, roots = excluded.roots, created = now(), used = now()
where answer.items is null or answer.created < now() - make_interval(secs => %s)
"""
_GET = """
select question, frame, kind, items, extract(epoch from now() - created), extract(epoch from now() - used), roots
from answer where id = %s and owner = %s
"""
_DROP_OLD = """
update answer set items = null, frame = null where items is not null and created < now() - make_interval(secs => %s)
"""
_DROP_LEAST_USED = """
update answer set items = null, frame = null where id in (
    select id from (
        select id, sum(size) over (order by used desc, id) as total from answer where items is not null
    ) as kept where total > %s)
"""
_FORGET = (
    (b"delete from answer where created < now() - make_interval(secs => %s)", REMEMBERED_SECONDS),
    (b"delete from preview where at < now() - make_interval(secs => %s)", TTL_SECONDS),
)


class SharedResults:
    """The results of all replicas.

    Args:
        pool: The connections to the database.
        long_ids: Whether ids are long enough to be safe from guessing.
        index: What reads the items of which results only have the places.
        clock: The time in seconds, as ``time.monotonic`` has it.

    Raises DatabaseError where the database has no secret and takes none.
    """

    def __init__(
        self,
        pool: DatabasePool,
        long_ids: bool,
        index: Index | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._index = index
        self._clock = clock
        self._lock = threading.Lock()
        self._expired = clock()
        self._ids = ResultIds(_secret(pool), long_ids)

    def uri(self, principal: str, call: Call, state: str) -> str:
        """Return the URI of the answer to ``call`` on a state of the index: the same on every replica."""
        return self._ids.uri(principal, call, state)

    def put(self, uri: str, call: Call, result: Result, principal: str, roots: Collection[str] = ()) -> None:
        """Keep a result of a principal about some roots; one that is kept already stays as it is."""
        packed = PackedResult.of(call, result)
        size = len(packed.items) + len(packed.frame)
        row = (
            uri,
            self._ids.owner(principal),
            packed.question,
            packed.frame,
            packed.kind,
            packed.items,
            size,
            sorted(roots),
        )
        try:
            with self._pool.connection() as connection:
                connection.execute(_PUT, (*row, TTL_SECONDS))
            if self._is_expiring_due():
                self.expire()
        except DatabaseError as error:
            log.warning("a result was not stored: %s", error)

    def find(self, uri: str, principal: str, index: Index | None = None) -> tuple[Call, Result] | None:
        """Return what is kept under ``uri`` for a principal; None for nothing. Raises DatabaseError."""
        try:
            return self.get(uri, principal, index)
        except NoSuchResult:
            return None

    def get(self, uri: str, principal: str, index: Index | None = None) -> tuple[Call, Result]:
        """Return what is kept under ``uri`` for a principal, who sees the roots of an ``index``.

        Raises NoSuchResult, also for what is another's, ResultWithdrawn for what is about other roots as well, and
        DatabaseError.
        """
        index = index or self._index
        if "\0" in uri:  # PostgreSQL takes it for no text
            raise NoSuchResult(uri)
        with self._pool.connection() as connection:
            row = connection.execute(_GET, (uri, self._ids.owner(principal))).fetchone()
            if row is not None and row[3] is not None and row[5] >= USED_SECONDS:
                connection.execute("update answer set used = now() where id = %s", (uri,))
        if row is None:
            raise NoSuchResult(uri)
        question, frame, kind, items, age, _used, roots = row
        try:
            call = parse_question(question)
        except (ValueError, TypeError):
            raise NoSuchResult(uri) from None
        if items is None or age >= TTL_SECONDS:
            raise NoSuchResult(uri, str(call))
        if index is not None and not frozenset(roots).issubset(index.root_names):
            raise ResultWithdrawn(uri, str(call))
        try:
            return call, PackedResult(question, frame, kind, items).unpack(index)
        except (ValueError, KeyError, TypeError):
            raise NoSuchResult(uri, str(call)) from None

    def remember_preview(self, question: str, before: Mapping[str, str]) -> None:
        """Remember the digests of the files, by path, on which the edit that a question asks for was previewed."""
        try:
            with self._pool.connection() as connection:
                connection.execute(
                    "insert into preview(question, before) values (%s, %s)"
                    " on conflict (question) do update set before = excluded.before, at = now()",
                    (question, json.dumps(dict(before))),
                )
        except DatabaseError as error:
            log.warning("a preview was not noted: %s", error)

    def recall_preview(self, question: str) -> dict[str, str] | None:
        """Return what was remembered of a question in the last day; None for nothing. Raises DatabaseError."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "select before from preview where question = %s and at >= now() - make_interval(secs => %s)",
                (question, TTL_SECONDS),
            ).fetchone()
        if row is None:
            return None
        try:
            return {str(path): str(digest) for path, digest in parse_stored(row[0]).items()}
        except (ValueError, AttributeError):  # written by another program: as if nothing was previewed
            return None

    def expire(self, largest: int = LARGEST) -> None:
        """Drop results that are too old, then the least recently used ones as long as there are too many bytes.

        Does nothing where another replica is about it. Raises DatabaseError.
        """
        with self._pool.transaction() as connection:
            if not _lock_for_this_transaction(connection, _EXPIRING):
                return
            connection.execute(_DROP_OLD, (TTL_SECONDS,))
            connection.execute(_DROP_LEAST_USED, (largest,))
            for statement, seconds in _FORGET:
                connection.execute(statement, (seconds,))

    def close(self) -> None:
        """Do nothing: everything is written, and the pool belongs to who opened it."""

    def _is_expiring_due(self) -> bool:
        with self._lock:
            now = self._clock()
            due = now - self._expired >= _EXPIRE_SECONDS
            self._expired = now if due else self._expired
            return due


def _lock_for_this_transaction(connection: Connection, number: int) -> bool:
    """Return whether this transaction has a lock that nobody else has now."""
    row: tuple[Any, ...] | None = connection.execute("select pg_try_advisory_xact_lock(%s)", (number,)).fetchone()
    return row is not None and bool(row[0])


def _secret(pool: DatabasePool) -> bytes:
    """Return the key of the ids: made once, at random, by the first replica."""
    with pool.connection() as connection:
        connection.execute(
            "insert into secret(name, value) values ('results', %s) on conflict do nothing", (os.urandom(32),)
        )
        row = connection.execute("select value from secret where name = 'results'").fetchone()
    return bytes(row[0]) if row is not None else os.urandom(32)
