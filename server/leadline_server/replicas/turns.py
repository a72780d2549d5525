"""The turns of all clients, in PostgreSQL: however many replicas answer the calls of a turn, it has one budget.

A row for each client. A call takes what it was granted out of the budget when it begins, and gives back what it did not
use at its end. A replica that dies leaves what its calls held as spent until the turn ends: the safe side.
"""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from leadline_estimators.turn import IDLE, Grant, TurnCount, TurnState
from leadline_server.config import TURN_TOKENS
from leadline_server.turns import LONGEST_NAME
from leadline_tools.database.errors import DatabaseError, Full, NotPermitted, Slow
from leadline_tools.database.pool import DatabasePool

log = logging.getLogger("leadline.turns")

_KEPT_SECONDS = 24 * 3600
"""How long a turn is kept in which no call comes."""

_LOCK_ROW = """
insert into turn(principal) values (%s) on conflict (principal) do update set at = turn.at
returning name, epoch, spent, calls, floored, extract(epoch from clock_timestamp() - at)
"""
"""Makes the row of a client, or locks the one that there is, and returns it as it was."""

_SEEN = """
with before as (select tokens from seen where principal = %(principal)s and uri = %(uri)s),
noted as (
    insert into seen(principal, uri, tokens) values (%(principal)s, %(uri)s, %(tokens)s)
    on conflict (principal, uri) do update set tokens = greatest(seen.tokens, excluded.tokens), at = now())
select tokens from before
"""


class SharedTurns:
    """The turns of all callers of all replicas.

    Args:
        pool: The connections to the database.
        tokens: What the answers of one turn may cost together; 0 for no limit but that of turns with a name.
        idle: Seconds without a call after which a turn has ended.
    """

    def __init__(self, pool: DatabasePool, tokens: int, idle: float = IDLE) -> None:
        self._pool = pool
        self._tokens = tokens
        self._idle = idle

    @contextmanager
    def call(self, principal: str, name: str, asked: int, floor: int) -> Iterator[Grant]:
        """Grant tokens to a call: what it asks for, at most half of the rest of its turn, never under the floor.

        Raises Unreachable. Where the database answers and cannot write, the call gets the floor, free.
        """
        if not self._tokens and not name:
            yield Grant(asked, counts=True)
            return
        key = _digest(principal)
        try:
            grant, epoch = self._grant(key, _digest(name[:LONGEST_NAME]) if name else b"", asked, max(1, floor))
        except (Full, Slow, NotPermitted) as error:
            log.warning("the budget of a turn could not be noted: %s", error)
            yield Grant(max(1, floor), counts=False)
            return
        used = 0
        try:
            yield grant
            used = grant.tokens
        finally:
            if grant.counts:
                self._settle(key, epoch, grant.tokens, used if grant.used is None else grant.used)

    def has_seen(self, principal: str, name: str, uri: str, tokens: int) -> bool:
        """Return whether an answer that may cost as much was given in a turn with a name; note that it is given now."""
        if not name:
            return False
        try:
            with self._pool.connection() as connection:
                row = connection.execute(
                    _SEEN, {"principal": _digest(principal), "uri": uri, "tokens": tokens}
                ).fetchone()
        except DatabaseError as error:
            log.warning("an answer of a turn could not be noted: %s", error)
            return False
        return row is not None and tokens <= int(row[0])

    def state(self, principal: str) -> TurnState | None:
        """Return the state of the turn of a principal; None where turns have no limit. Raises DatabaseError."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "select spent, calls, floored from turn where principal = %s", (_digest(principal),)
            ).fetchone()
        if row is None and not self._tokens:
            return None
        return (TurnCount() if row is None else _count(row)).state(self._budget)

    def reset(self, principal: str) -> None:
        """Begin a new turn. Raises DatabaseError."""
        key = _digest(principal)
        with self._pool.transaction() as connection:
            connection.execute("delete from turn where principal = %s", (key,))
            connection.execute("delete from seen where principal = %s", (key,))

    def expire(self) -> None:
        """Forget turns in which no call came for long. Raises DatabaseError."""
        with self._pool.connection() as connection:
            connection.execute("delete from turn where at < now() - make_interval(secs => %s)", (_KEPT_SECONDS,))
            connection.execute("delete from seen where at < now() - make_interval(secs => %s)", (_KEPT_SECONDS,))

    @property
    def _budget(self) -> int:
        return self._tokens or TURN_TOKENS

    def _grant(self, key: bytes, name: bytes, asked: int, floor: int) -> tuple[Grant, uuid.UUID]:
        """Return what a call gets, and the epoch of its turn, which it is given back to at the end."""
        with self._pool.transaction() as connection:
            row = connection.execute(_LOCK_ROW, (key,)).fetchone()
            if row is None:
                raise Slow("the turn was not returned")
            before, epoch, *counts, silent = row
            count = _count(counts)
            ended = silent > self._idle
            if ended or (name and name != before):
                count, epoch = TurnCount(), uuid.uuid4()
            if name and name != before:
                connection.execute("delete from seen where principal = %s", (key,))
            count, grant = count.grant(self._budget, asked, floor)
            connection.execute(
                "update turn set name = %s, epoch = %s, spent = %s, calls = %s, floored = %s, at = clock_timestamp()"
                " where principal = %s",
                (name or (b"" if ended else before), epoch, count.spent, count.calls, count.floored, key),
            )
        return grant, epoch

    def _settle(self, key: bytes, epoch: uuid.UUID, held: int, used: int) -> None:
        """Give back what a call did not use; where that fails, it stays taken until the turn ends."""
        try:
            with self._pool.connection() as connection:
                connection.execute(
                    "update turn set spent = spent + %s, at = clock_timestamp() where principal = %s and epoch = %s",
                    (used - held, key, epoch),
                )
        except DatabaseError as error:
            log.warning("what a call did not use of its turn could not be given back: %s", error)


def _count(row: Any) -> TurnCount:
    spent, calls, floored = row
    return TurnCount(int(spent), int(calls), int(floored))


def _digest(text: str) -> bytes:
    """Return what stands for a client or the name of a turn, which are texts of others."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
