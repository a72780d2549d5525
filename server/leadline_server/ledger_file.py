"""The file of the ledger: written to by several servers at once, and never a reason to fail."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import apsw

from leadline_tools.index.store.database import private_folder

_TABLES = """
create table if not exists session(
    id text primary key, at real not null, model text not null, family text not null, price real, schema integer);
create table if not exists call(
    at real not null, session text not null, principal text not null, tool text not null,
    estimated integer not null, sent integer not null, whole integer not null);
create index if not exists call_at on call(at);
"""
_LATER = {
    "files": "integer not null default 0",
    "charged": "integer not null default 0",
    "client": "text not null default ''",
    "kind": "text not null default ''",
    "sampled": "integer not null default 0",
    "error": "integer not null default 0",
    "offered": "integer not null default 0",
    "came": "integer not null default 0",
}
"""Columns that the first ledgers did not have."""

_KEPT = 200_000
"""Calls that are kept. A limit in days would forget them all when a clock is wrong once."""

_WAITING = 10_000
"""Calls that wait at most for a file that cannot be written; the oldest are forgotten first."""

_BUSY_MS = 100
"""How long to wait for another program that writes: calls to be noted wait as well."""

_LAST_BUSY_MS = 2_000
"""How long the end of a session waits: no call waits for it."""

_AGAIN_SECONDS = 1.0
"""Seconds until a file that could not be written is tried again."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What a session serves.

    Args:
        session: Its name, of its own.
        model: The name of the model's profile.
        family: How the model counts.
        price: Dollars per million tokens read; None where that is not known.

    """

    session: str
    model: str = "unknown"
    family: str = "unknown"
    price: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One call as the file has it; what the numbers are is said in ``ledger.Entry``."""

    at: float
    principal: str
    tool: str
    estimated: int
    sent: int
    whole: int
    files: int
    charged: int
    client: str
    kind: str
    sampled: bool
    error: bool
    offered: int
    came: int


_COLUMNS = ("session", *(field.name for field in fields(Row)))
_INSERT = f"insert into call({','.join(_COLUMNS)}) values({','.join('?' * len(_COLUMNS))})"

_MOST_TOKENS = 1 << 40
"""More tokens than any call costs."""

_OFFERS = """
select call.tool, call.offered, call.came from call join session on session.id = call.session
where call.offered > 0 and session.family = ? order by call.rowid desc limit ?
"""


def _is_offer(tool: object, offered: object, came: object) -> bool:
    """Return whether values are a tool and two numbers of tokens: another program may have written to the file."""
    numbers = all(isinstance(number, int) and 0 <= number <= _MOST_TOKENS for number in (offered, came))
    return isinstance(tool, str) and numbers


class LedgerFile:
    """The file, opened when the first call is written.

    Args:
        path: Where it is or will be.
        serving: What the session serves.
    """

    def __init__(self, path: Path, serving: Serving) -> None:
        self._path = path
        self._serving = serving
        self._connection: apsw.Connection | None = None
        self._waiting: deque[Row] = deque(maxlen=_WAITING)
        self._lost = 0
        self._failed = ""
        self._not_before = 0.0
        self._damaged = ""
        self._patience = _BUSY_MS
        self.schema: Callable[[], int] | None = None

    def note(self, row: Row) -> None:
        """Take a call that is to be written with the next ``flush``."""
        self._lost += len(self._waiting) == _WAITING
        self._waiting.append(row)

    def flush(self) -> None:
        """Write all calls that wait; what cannot be written waits on."""
        if self._waiting and time.monotonic() >= self._not_before:
            self._write()

    def offers(self, most: int) -> list[tuple[str, int, int]]:
        """Return the last calls offered to models that count alike: tool, offered price, cost without a limit."""
        try:
            if self._connection is None and self._path.exists():
                self._connection = self._open()
            if self._connection is None:
                return []
            rows = self._connection.execute(_OFFERS, (self._serving.family, most))
            return [(tool, offered, came) for tool, offered, came in rows if _is_offer(tool, offered, came)]
        except (OSError, apsw.Error):
            return []

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return the problems of the file, one line each."""
        lines = [self._damaged] if self._damaged else []
        if self._failed:
            waiting, lost = len(self._waiting), f", {self._lost:,} lost" if self._lost else ""
            lines.append(f"not written: {self._failed}; {waiting:,} calls wait in memory{lost}")
        return tuple(lines)

    def close(self) -> None:
        """Write what waits, if that can be, and close."""
        self._patience = _LAST_BUSY_MS
        if self._waiting:
            self._write()
        if self._connection is not None:
            with contextlib.suppress(apsw.Error):
                self._connection.close()
            self._connection = None

    def _write(self) -> None:
        try:
            try:
                self._write_waiting()
            except (apsw.NotADBError, apsw.CorruptError):
                self._replace_damaged()
                self._write_waiting()
            self._failed = ""
        except (OSError, apsw.Error) as error:
            self._failed = _reason(error)
            self._not_before = time.monotonic() + _AGAIN_SECONDS

    def _write_waiting(self) -> None:
        if self._connection is None:
            private_folder(self._path.parent)
            self._connection = self._open()
        self._connection.set_busy_timeout(self._patience)
        with _transaction(self._connection):
            self._connection.executemany(_INSERT, ((self._serving.session, *astuple(row)) for row in self._waiting))
        self._waiting.clear()

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path))
        try:
            connection.set_busy_timeout(self._patience)
            connection.execute("pragma synchronous=off; pragma journal_mode=wal")
            with _transaction(connection):
                migrate(connection)
                connection.execute("delete from call where rowid <= (select max(rowid) from call) - ?", (_KEPT,))
                self._insert_session(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _insert_session(self, connection: apsw.Connection) -> None:
        serving = self._serving
        schema = None if self.schema is None else self.schema()
        row = (serving.session, time.time(), serving.model, serving.family, serving.price, schema)
        connection.execute("insert or replace into session values(?,?,?,?,?,?)", row)

    def _replace_damaged(self) -> None:
        """Put a damaged file aside, where a person can look at it, and begin another."""
        if self._connection is not None:
            with contextlib.suppress(apsw.Error):
                self._connection.close()
            self._connection = None
        aside = self._path.with_name(f"{self._path.stem}.damaged{self._path.suffix}")
        self._path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._damaged = f"it was damaged and replaced; the old file is {aside.name}"


@contextlib.contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    """Write in one transaction that waits for others from its beginning.

    A transaction that reads first would fail at once where another program has written in between.
    """
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        with contextlib.suppress(apsw.Error):
            connection.execute("rollback")
        raise


def migrate(connection: apsw.Connection) -> None:
    """Make the tables, and add to older ones the columns that they lack."""
    connection.execute(_TABLES)
    existing = {str(row[1]) for row in connection.execute("pragma table_info(call)")}
    for name, definition in _LATER.items():
        if name not in existing:
            connection.execute(f"alter table call add column {name} {definition}")


def _reason(error: Exception) -> str:
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return "another program keeps it locked"
        case apsw.FullError():
            return "the disk is full"
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError() | PermissionError():
            return "it cannot be opened for writing"
        case OSError():
            return error.strerror or str(error)
        case _:
            return str(error)
