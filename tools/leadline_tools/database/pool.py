"""The connections of a process to its database, opened when they are wanted and replaced when they break.

Waits have an end: for a host that does not answer, for a free connection, for a lock and for a statement. A database
that stops makes calls fail with Unreachable; they work again once it answers, without a restart of this process. libpq
has no limit for a server that is frozen, so that it keeps connections and never answers: connections here have one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import (
    BadAddress,
    DatabaseError,
    Full,
    NotPermitted,
    Refused,
    SchemaMissing,
    Slow,
    StatementFailed,
    TransactionPooling,
    Unreachable,
)
from leadline_tools.database.session_settings import (
    STATEMENT_SECONDS,
    Connection,
    is_pooled,
    process_of,
    set_session,
    shares_sessions,
)

CONNECT_SECONDS = 3
"""How long is waited for a host to answer."""

WAIT_SECONDS = 3.0
"""How long a call waits for a connection of the pool."""

MOST_CONNECTIONS = 8

FROZEN_SECONDS = STATEMENT_SECONDS + 5.0
"""Seconds after which a server is given up that sends nothing: it would have ended the statement before."""

_CHECK_SECONDS = 1.0
"""The same for the check of a connection that was idle."""

_SILENT_SECONDS = 10
"""Seconds after which a connection is given up whose other end does not confirm what was sent."""

_RETRY_SECONDS = 2.0
"""How long the pool tries again by itself: after that, the next call that wants a connection makes it try."""

_LONGEST_REASON = 200
"""Characters of what the database reports that a message repeats."""

_KINDS: Mapping[str, Callable[[str], DatabaseError]] = {
    "08": Unreachable,
    "28": Refused,
    "3D": Refused,
    "53": Full,
    "54": Full,
    "57P01": Unreachable,
    "57P02": Unreachable,
    "57P03": Unreachable,
    "57P05": Unreachable,
    "25P03": Unreachable,
    "57014": Slow,
    "55P03": Slow,
    "42501": NotPermitted,
    "25006": NotPermitted,
}
"""What codes mean, and classes of codes by their first two characters: PostgreSQL manual, appendix A."""

_MISSING = frozenset({"42P01", "3F000"})
"""No such table, no such schema."""

_PREFIXES = ("connection failed: ", "connection is bad: ")
"""What psycopg says before libpq says why."""


class PatientConnection(psycopg.Connection[Any]):
    """A connection whose server is given up when it sends nothing for long.

    Attributes:
        patience: For how many seconds; None for ever.
        process: The number of the process of the database that answers; 0 before the settings are made.
        lost_session: Whether another process answers now, since a pooler runs each transaction in another session.

    """

    patience: float | None = FROZEN_SECONDS
    process: int = 0
    lost_session: bool = False

    def wait(self, gen: Any, *given: Any, **options: Any) -> Any:
        """Wait for the server; raises OperationalError when it sends nothing, after which the connection is closed."""
        if self.patience is None:
            return super().wait(gen, *given, **options)
        return super().wait(self._limit(gen, self.patience), *given, **options)

    def _limit(self, gen: Any, seconds: float) -> Generator[Any, Any, Any]:
        """Return a generator of psycopg, which is asked about ten times a second whether it waits on."""
        until = time.monotonic() + seconds
        try:
            state = next(gen)
            while True:
                ready = yield state
                if ready:
                    until = time.monotonic() + seconds
                elif time.monotonic() > until:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"it sent nothing for {seconds:.0f} seconds")
                state = gen.send(ready)
        except StopIteration as end:
            return end.value


@contextmanager
def unlimited(connection: Connection) -> Iterator[None]:
    """Let statements of a connection take as long as they do: of a large repository one may take minutes."""
    usual = connection.execute("select current_setting('statement_timeout')").fetchone() or ("0",)
    connection.execute("set statement_timeout = 0")
    patient = connection if isinstance(connection, PatientConnection) else None
    if patient is not None:
        patient.patience = None
    try:
        yield
    finally:
        if patient is not None:
            patient.patience = FROZEN_SECONDS
        if not connection.closed:
            connection.execute("select set_config('statement_timeout', %s, false)", usual)


def _check(connection: PatientConnection) -> None:
    """Raise OperationalError for a connection that does not answer; note whether it still has its session."""
    connection.patience = _CHECK_SECONDS
    connection.lost_session = process_of(connection) != connection.process
    connection.patience = FROZEN_SECONDS


def _configure(connection: PatientConnection) -> None:
    """Make the settings of a new connection."""
    connection.process = set_session(connection)


class DatabasePool:
    """The connections of one process to one database; safe to use from several threads.

    Args:
        address: Where the database is.
        most: Connections at most.
        name: What the database calls them in its list of activity.
    """

    def __init__(self, address: DatabaseAddress, most: int = MOST_CONNECTIONS, name: str = "leadline") -> None:
        self.address = address
        self._pool = ConnectionPool(
            parameters_of(address, name),
            kwargs={"autocommit": True},
            min_size=0,
            max_size=most,
            open=True,
            timeout=WAIT_SECONDS,
            reconnect_timeout=_RETRY_SECONDS,
            configure=_configure,
            check=_check,
            connection_class=PatientConnection,
            name=name,
        )

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection that commits each statement by itself; raises DatabaseError for whatever goes wrong."""
        with translated_errors(), self._pool.connection() as connection:
            if connection.lost_session:
                raise TransactionPooling
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Lend a connection in a transaction that is committed at the end of the block, or rolled back."""
        with self.connection() as connection, connection.transaction():
            yield connection

    def is_reachable(self) -> bool:
        """Return whether the database answers."""
        try:
            with self.connection() as connection:
                connection.execute("select 1")
        except DatabaseError:
            return False
        return True

    def close(self) -> None:
        """Close all connections; those that are lent are closed when they come back."""
        self._pool.close()


@contextmanager
def connected(address: DatabaseAddress) -> Iterator[Connection]:
    """Open a connection for the block, outside of any pool: its error says why it cannot be had.

    Raises TransactionPooling where a pooler runs each transaction in another session.
    """
    parameters = parameters_of(address, "leadline")
    with translated_errors(), PatientConnection.connect(parameters, autocommit=True) as connection:
        _configure(connection)
        if is_pooled(connection, connection.process) and _shares_sessions(connection, parameters):
            raise TransactionPooling
        yield connection


def _shares_sessions(connection: PatientConnection, parameters: str) -> bool:
    """Return whether a connection shares its sessions with a second one, which is opened for the question.

    Where the second one gets no session in time, each has its own: this one keeps it while it does nothing.
    """
    try:
        with PatientConnection.connect(parameters, autocommit=True) as other:
            other.patience = WAIT_SECONDS
            return shares_sessions(connection, other)
    except psycopg.OperationalError:
        return False


def parameters_of(address: DatabaseAddress, name: str) -> str:
    """Return how to connect, as libpq has it."""
    try:
        given = conninfo_to_dict(address.url)
    except psycopg.ProgrammingError:
        raise BadAddress("PostgreSQL cannot read it") from None
    usual: dict[str, str | int] = {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": name,
        "keepalives_idle": _SILENT_SECONDS,
        "tcp_user_timeout": _SILENT_SECONDS * 1_000,
    }
    return make_conninfo("", **{**usual, **given})


@contextmanager
def translated_errors() -> Iterator[None]:
    """Let errors of psycopg pass as those of this package."""
    try:
        yield
    except (PoolTimeout, PoolClosed):
        raise Unreachable from None
    except psycopg.Error as error:
        raise error_of(error) from error


def error_of(error: psycopg.Error) -> DatabaseError:
    """Return what an error of psycopg means. A connection that cannot be opened has no code."""
    code = error.sqlstate or ""
    reason = _reason(error)
    if not code:
        return _connection_error(error, reason)
    if code in _MISSING:
        return SchemaMissing("this version")
    kind = _KINDS.get(code) or _KINDS.get(code[:2])
    return StatementFailed(code, reason) if kind is None else kind(reason)


def _connection_error(error: psycopg.Error, reason: str) -> DatabaseError:
    """Return what it means that there is no connection: libpq knows whether a password was wanted or sent."""
    if not isinstance(error, psycopg.OperationalError):
        return StatementFailed("psycopg", reason)
    pgconn = error.pgconn
    if pgconn is not None and (pgconn.used_password or pgconn.needs_password):
        return Refused(reason)
    return Unreachable(reason)


def _reason(error: psycopg.Error) -> str:
    """Return what the database reports, on one line; never the detail, in which rows are."""
    text = error.diag.message_primary or str(error)
    line = " ".join(text.split()).partition(" Is the server running")[0].rstrip(".")
    for prefix in _PREFIXES:
        line = line.removeprefix(prefix)
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}..."
