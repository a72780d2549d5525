"""Migrations: numbered SQL files, applied once and in order, one transaction for all that are missing.

A package lists its own folder of files ``0001_name.sql``, ``0002_name.sql`` and so on. What was applied is a row of
``leadline.migration`` with the digest of its file, so that another program's tables, and files that were changed after
they were applied, are recognised. One advisory lock keeps two programs from migrating at once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import psycopg

from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import (
    SchemaForeign,
    SchemaMissing,
    SchemaNewer,
    SchemaOlder,
)
from leadline_tools.database.pool import connected, unlimited
from leadline_tools.database.session_settings import SCHEMA, Connection

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")

_LOCK = 0x4C45_4144
"""The number of the advisory lock: "LEAD" in ASCII."""

_LOCK_WAIT = "30s"
"""How long is waited for another program that migrates."""

_TABLE = """
create table if not exists leadline.migration(
    area text not null, number integer not null, name text not null, digest text not null,
    applied timestamptz not null default now(), primary key(area, number))
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: its number, from 1, its name without number, and its statements."""

    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the statements in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Area:
    """The migrations of one package in order, under the name that the table of migrations has for them."""

    name: str
    migrations: tuple[Migration, ...]

    @classmethod
    def read(cls, name: str, package: str, folder: str = "migrations") -> Area:
        """Return the migrations in a folder of a package; raises ValueError unless they are numbered from 1 on."""
        found = [
            Migration(int(matched[1]), matched[2], entry.read_text(encoding="utf-8"))
            for entry in files(package).joinpath(folder).iterdir()
            if (matched := _FILE.fullmatch(entry.name))
        ]
        found.sort(key=lambda migration: migration.number)
        if [migration.number for migration in found] != list(range(1, len(found) + 1)):
            raise ValueError(f"the migrations of {name} are not numbered from 1 on without a gap")
        return cls(name, tuple(found))


@dataclass(frozen=True, slots=True)
class Applied:
    """What a database has of one area: the number of the last migration that was applied, of how many."""

    area: str
    number: int
    known: int


def migrate(address: DatabaseAddress, areas: Sequence[Area]) -> list[tuple[str, Migration]]:
    """Apply the migrations that are missing, all or none; return them with their areas.

    Raises SchemaNewer, SchemaForeign, and DatabaseError for a database that does not take them.
    """
    with connected(address) as connection, unlimited(connection), connection.transaction():
        connection.execute("select set_config('lock_timeout', %s, true)", (_LOCK_WAIT,))
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        # A role that may use the schema, but not create one, must find it there.
        if not _has_schema(connection):
            connection.execute("create schema leadline")
        _refuse_foreign_tables(connection)
        connection.execute(_TABLE)
        missing = [(area, migration) for area in areas for migration in _missing(connection, area)]
        for area, migration in missing:
            connection.execute(migration.sql.encode())
            connection.execute(
                "insert into leadline.migration(area, number, name, digest) values(%s, %s, %s, %s)",
                (area.name, migration.number, migration.name, migration.digest),
            )
    return [(area.name, migration) for area, migration in missing]


def is_unrestricted(address: DatabaseAddress) -> bool:
    """Return whether row security counts for nothing, since the role of an address is an administrator's."""
    with connected(address) as connection:
        row = connection.execute(
            "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        ).fetchone()
    return row is not None and bool(row[0])


def check(address: DatabaseAddress, areas: Iterable[Area]) -> list[Applied]:
    """Return how far each area is applied, all of them completely.

    Raises SchemaMissing, SchemaOlder, SchemaNewer, SchemaForeign, or DatabaseError for a database that cannot be read.
    """
    with connected(address) as connection:
        return [_check_area(connection, area) for area in areas]


def _check_area(connection: Connection, area: Area) -> Applied:
    if not _has_schema(connection):
        raise SchemaMissing(area.name)
    _refuse_foreign_tables(connection)
    missing = _missing(connection, area)
    known = len(area.migrations)
    if len(missing) == known and known:
        raise SchemaMissing(area.name)
    if missing:
        raise SchemaOlder(area.name, known - len(missing), known)
    return Applied(area.name, known, known)


def _missing(connection: Connection, area: Area) -> list[Migration]:
    """Return the migrations that were not applied; raises SchemaNewer and SchemaForeign."""
    if not _has_table(connection, "migration"):
        return list(area.migrations)
    try:
        rows = connection.execute(
            "select number, name, digest from leadline.migration where area = %s order by number", (area.name,)
        ).fetchall()
    except psycopg.errors.UndefinedColumn:
        raise SchemaForeign("its table migration has other columns") from None
    if len(rows) > len(area.migrations):
        raise SchemaNewer(area.name, int(rows[-1][0]), len(area.migrations))
    for migration, (number, name, digest) in zip(area.migrations, rows, strict=False):
        if (migration.number, migration.digest) != (number, digest):
            raise SchemaForeign(f"migration {number} ({name}) for {area.name} is another one")
    return list(area.migrations[len(rows) :])


def _refuse_foreign_tables(connection: Connection) -> None:
    """Raise SchemaForeign where the schema has tables, but none that says what made them."""
    if not _has_table(connection, "migration"):
        found = connection.execute(
            "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
            " where n.nspname = %s and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1 limit 1",
            (SCHEMA,),
        ).fetchone()
        if found is not None:
            raise SchemaForeign(f"it has a table {found[0]}, and no record of migrations")


def _has_schema(connection: Connection) -> bool:
    return connection.execute("select 1 from pg_namespace where nspname = %s", (SCHEMA,)).fetchone() is not None


def _has_table(connection: Connection, name: str) -> bool:
    found = connection.execute(
        "select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname = %s and c.relname = %s",
        (SCHEMA, name),
    ).fetchone()
    return found is not None
