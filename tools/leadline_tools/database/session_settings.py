"""The settings of a session, and whether a connection has a session at all.

Settings are made by a statement and not at the start of a connection: a pooler such as PgBouncer takes none there. A
pooler may also give each transaction another session of the database. Settings, locks and prepared statements are then
those of somebody else, so such connections are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, LiteralString

import psycopg

SCHEMA: Final = "leadline"
"""The schema that has all tables."""

STATEMENT_SECONDS = 10
LOCK_SECONDS = 3

_LIMITS: Mapping[str, str] = {
    "statement_timeout": f"{STATEMENT_SECONDS}s",
    "lock_timeout": f"{LOCK_SECONDS}s",
    "idle_in_transaction_session_timeout": "60s",
    "random_page_cost": "1.1",  # rows are asked for by key
    "jit": "off",  # compiling a statement takes longer than running it
}

_SET: LiteralString = """
select pg_backend_pid(), count(set_config(name, value, false))
from unnest(%s::text[], %s::text[]) wanted(name, value) left join pg_settings using (name)
where source is distinct from 'client'
"""
"""Sets what the address of the database does not set itself, and returns which process of the database answers."""

_TURNS = 4
"""How often two connections are asked in turns which process of the database answers."""

Connection = psycopg.Connection[tuple[Any, ...]]


def settings_statement(schema: str = SCHEMA) -> tuple[LiteralString, tuple[list[str], list[str]]]:
    """Return the statement that makes the settings of a session whose tables are in a schema, and its parameters.

    Its row begins with the number of the process that answers.
    """
    settings = {"search_path": f"{schema}, public", **_LIMITS}
    return _SET, ([*settings], [*settings.values()])


def set_session(connection: Connection, schema: str = SCHEMA) -> int:
    """Make the settings of a connection; return the number of the process that answers it."""
    row = connection.execute(*settings_statement(schema)).fetchone()
    return int(row[0]) if row is not None else 0


def process_of(connection: Connection) -> int:
    """Return the number of the process that answers a connection."""
    row = connection.execute("select pg_backend_pid()").fetchone()
    return int(row[0]) if row is not None else 0


def is_pooled(connection: Connection, process: int) -> bool:
    """Return whether a pooler is between here and the database: not the process that greeted answers."""
    return connection.info.backend_pid != process


def shares_sessions(one: Connection, other: Connection) -> bool:
    """Return whether a pooler gives two connections the same sessions in turns, or one of them several."""
    seen = [(process_of(one), process_of(other)) for _ in range(_TURNS)]
    first, second = ({pair[place] for pair in seen} for place in (0, 1))
    return len(first) > 1 or len(second) > 1 or first == second
