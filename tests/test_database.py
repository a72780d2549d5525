"""The database that servers share: its address, its pool, its migrations, and what is said when it cannot be used."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.database import errors
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import Area, Migration, check, migrate
from leadline_tools.database.pool import (
    CONNECT_SECONDS,
    WAIT_SECONDS,
    DatabasePool,
    PatientConnection,
    connected,
    translated_errors,
)
from postgres import PASSWORD, PostgresServer

FIRST = Migration(1, "first", "create table leadline.thing(id integer primary key)")
SECOND = Migration(2, "second", "alter table leadline.thing add column name text not null default ''")
AREA = Area("things", (FIRST, SECOND))
PATIENT = WAIT_SECONDS + CONNECT_SECONDS + 4
"""Seconds within which a call has given up, on a busy machine."""


def address(url: str) -> DatabaseAddress:
    return DatabaseAddress.parse(url)


def connect(url: str) -> None:
    with connected(address(url)):
        pass


# The address


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://", "postgresql://"),
        ("postgres://host/name", "postgresql://host/name"),
        ("postgresql://user@host:5432/name", "postgresql://user@host:5432/name"),
        ("postgresql://user:s3cret@host/name", "postgresql://user:****@host/name"),
        ("postgresql://user:s3%40cret@host/name", "postgresql://user:****@host/name"),
        (
            "postgresql://host/name?password=s3cret&sslmode=require",
            "postgresql://host/name?password=****&sslmode=require",
        ),
        ("postgresql://host/name?pass%77ord=s3cret", "postgresql://host/name?pass%77ord=****"),
        ("postgresql://user@/name?host=/run/postgresql", "postgresql://user@/name?host=/run/postgresql"),
        ("postgresql://user:s3cret@[::1]:5433/name", "postgresql://user:****@[::1]:5433/name"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    found = address(url)
    assert (str(found), found.url) == (shown, url)
    assert "s3" not in repr(found)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host/name",
        "sqlite:///file",
        "mysql://user:s3cret@host/name",
        "host=x password=s3cret",
        "postgresql://user:s3@cret@host/name",
        "postgresql://user:s3/cret@host/name",
        "postgresql://user:1/s3cret@host/name",
        "postgresql://user:s3#cret@host/name",
        "postgresql://user:s3?cret@host/name",
        "postgresql://user:s3cret@host:port/name?passwrd=s3cret",
        "postgresql://host/name?secret=s3cret",
        "postgresql://user:s3\ncret@host/name",
    ],
)
def test_an_address_that_cannot_be_one_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(errors.BadAddress) as refused:
        address(url)
    assert "cret" not in f"{refused.value}{refused.value.hint}{refused.value!r}"
    assert "postgresql://" in refused.value.hint


@given(st.text(min_size=6))
def test_no_spelling_of_a_password_is_shown(password: str) -> None:
    try:
        shown = str(address(f"postgresql://u:{password}@h/n"))
    except errors.BadAddress as refused:
        shown = f"{refused} {refused.hint}"
    else:
        assert shown == "postgresql://u:****@h/n"
    assert password not in shown


@pytest.mark.parametrize("module", ["psycopg", "psycopg_pool"])
def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(errors.ExtraMissing) as missing:
        address("postgresql://user:s3cret@host/name")
    assert f"{missing.value} {missing.value.hint}" == (
        "A database requires psycopg, which is not installed. Run pip install 'leadline[server]'."
    )


# Migrations


def test_migrations_are_applied_once_and_in_order(database: str) -> None:
    where = address(database)
    assert [migration.name for _, migration in migrate(where, [AREA])] == ["first", "second"]
    assert migrate(where, [AREA]) == []
    assert [(applied.number, applied.known) for applied in check(where, [AREA])] == [(2, 2)]
    with connected(where) as connection:
        connection.execute("insert into thing(id) values (1)")
        assert connection.execute("select id, name from thing").fetchall() == [(1, "")]


def test_migrations_that_fail_leave_nothing(database: str) -> None:
    where, broken = address(database), Area("things", (FIRST, Migration(2, "second", "create tabel x()")))
    with pytest.raises(errors.StatementFailed, match="syntax error"):
        migrate(where, [broken])
    with pytest.raises(errors.SchemaMissing, match="no tables of Leadline for things"):
        check(where, [AREA])
    assert len(migrate(where, [AREA])) == 2


def test_programs_that_migrate_at_once_do_it_once(database: str) -> None:
    done: list[int] = []

    def run() -> None:
        done.append(len(migrate(address(database), [AREA])))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 0, 0, 2]


def test_areas_of_several_packages_share_a_database(database: str) -> None:
    other = Area("others", (Migration(1, "first", "create table leadline.other(id integer)"),))
    where = address(database)
    migrate(where, [AREA])
    with pytest.raises(errors.SchemaMissing, match="others"):
        check(where, [AREA, other])
    assert [area for area, _ in migrate(where, [AREA, other])] == ["others"]
    assert len(check(where, [AREA, other])) == 2


def test_an_older_schema_names_the_command_that_mends_it(database: str) -> None:
    migrate(address(database), [Area("things", (FIRST,))])
    with pytest.raises(errors.SchemaOlder, match="migration 1 of 2") as older:
        check(address(database), [AREA])
    assert older.value.hint == "Run leadline database migrate."


def test_a_newer_schema_is_left_alone(database: str) -> None:
    migrate(address(database), [AREA])
    old = Area("things", (FIRST,))
    with pytest.raises(errors.SchemaNewer, match="migration 2, and it knows 1"):
        check(address(database), [old])
    with pytest.raises(errors.SchemaNewer, match="newer than this Leadline"):
        migrate(address(database), [old])


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("create table leadline.customer(id integer)", "it has a table customer"),
        ("create table leadline.migration(version integer)", "its table migration has other columns"),
        ("create view leadline.summary as select 1", "it has a table summary"),
    ],
)
def test_a_schema_of_another_program_is_left_alone(database: str, statement: str, reason: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("create schema leadline")
        connection.execute(statement.encode())
    for use in (check, migrate):
        with pytest.raises(errors.SchemaForeign, match=reason):
            use(address(database), [AREA])


def test_a_migration_that_was_changed_after_it_was_applied_is_recognised(database: str) -> None:
    migrate(address(database), [AREA])
    changed = Area("things", (FIRST, Migration(2, "second", "select 1")))
    with pytest.raises(errors.SchemaForeign, match=r"migration 2 \(second\) for things is another one"):
        check(address(database), [changed])


def test_tables_of_others_in_the_same_database_do_not_matter(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("create table migration(id integer)")
    assert len(migrate(address(database), [AREA])) == 2


def test_a_role_without_rights_is_told_so(database: str, postgres: PostgresServer) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("create role reader login")
    url = database.replace("postgres@", "reader@")
    with pytest.raises(errors.NotPermitted, match="permission denied"):
        migrate(address(url), [AREA])
    migrate(address(database), [AREA])
    with pytest.raises(errors.NotPermitted, match="permission denied"):
        check(address(url), [AREA])
    postgres.drop(database)
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("drop role reader")


def test_the_files_of_a_folder_are_the_migrations_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "some_package" / "steps"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    for name, sql in {"0002_two.sql": "select 2", "0001_one.sql": "select 1", "README.md": "no migration"}.items():
        (folder / name).write_text(sql)
    monkeypatch.syspath_prepend(tmp_path)
    assert Area.read("some", "some_package", "steps").migrations == (
        Migration(1, "one", "select 1"),
        Migration(2, "two", "select 2"),
    )
    (folder / "0001_one.sql").unlink()
    with pytest.raises(ValueError, match="not numbered from 1 on"):
        Area.read("some", "some_package", "steps")


# What cannot be used


def test_a_wrong_password_is_refused_and_not_repeated(postgres: PostgresServer, database: str) -> None:
    del database
    with connected(address(postgres.url(user=f"guarded:{PASSWORD.replace(' ', '%20')}"))) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    with pytest.raises(errors.Refused, match="password authentication failed") as refused:
        connect(postgres.url(user="guarded:wrong%20horse"))
    assert "wrong horse" not in str(refused.value)
    with pytest.raises(errors.Refused):
        connect(postgres.url(user="guarded"))


def test_a_database_that_does_not_exist_is_named(postgres: PostgresServer) -> None:
    with pytest.raises(errors.DatabaseError, match='database "nowhere" does not exist'):
        connect(postgres.url("nowhere"))


def test_a_host_that_does_not_answer_is_given_up_soon() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = address(f"postgresql://user@127.0.0.1:{silent.getsockname()[1]}/name")
        began = time.monotonic()
        with pytest.raises(errors.Unreachable), connected(where):
            pass
        pool = DatabasePool(where)
        assert not pool.is_reachable()
        pool.close()
        assert time.monotonic() - began < CONNECT_SECONDS + PATIENT


def test_a_pool_works_again_once_the_database_does(postgres: PostgresServer, database: str) -> None:
    pool = DatabasePool(address(database))
    assert pool.is_reachable()
    postgres.stop()
    try:
        began = time.monotonic()
        with pytest.raises(errors.Unreachable) as gone, pool.connection() as connection:
            connection.execute("select 1")
        assert time.monotonic() - began < PATIENT
        assert gone.value.hint == "Try again in a few seconds."
    finally:
        postgres.start()
    assert any(pool.is_reachable() for _ in range(5))
    pool.close()


def test_a_database_that_is_frozen_is_given_up_and_works_again_once_it_goes_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = DatabasePool(DatabaseAddress.parse(database))
    monkeypatch.setattr(PatientConnection, "patience", 0.5)
    with pool.connection() as connection:
        [(backend,)] = connection.execute("select pg_backend_pid()").fetchall()
        os.kill(int(backend), signal.SIGSTOP)
        try:
            with pytest.raises(errors.Unreachable, match="sent nothing"), translated_errors():
                connection.execute("select 1")
            assert connection.closed
        finally:
            os.kill(int(backend), signal.SIGCONT)
    with pool.connection() as connection:
        assert connection.execute("select 1").fetchall() == [(1,)]
    pool.close()


def test_a_statement_on_a_connection_that_breaks_is_an_error_and_the_next_one_works(database: str) -> None:
    pool = DatabasePool(address(database))
    with pytest.raises(errors.Unreachable), pool.connection() as connection:
        connection.execute("select pg_terminate_backend(pg_backend_pid())")
    with pool.connection() as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    pool.close()


def test_a_transaction_that_fails_leaves_nothing(database: str) -> None:
    migrate(address(database), [AREA])
    pool = DatabasePool(address(database))

    def insert_twice() -> None:
        with pool.transaction() as connection:
            connection.execute("insert into thing(id) values (1)")
            connection.execute("insert into thing(id) values (1)")

    with pytest.raises(errors.StatementFailed, match="duplicate key"):
        insert_twice()
    with pool.connection() as connection:
        assert connection.execute("select count(*) from thing").fetchone() == (0,)
    pool.close()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("set statement_timeout = 1; select pg_sleep(10)", errors.Slow),
        ("select * from leadline.thing", errors.SchemaMissing),
        ("begin read only; create table x()", errors.NotPermitted),
        ("do $$ begin raise disk_full; end $$", errors.Full),
        ("do $$ begin raise out_of_memory; end $$", errors.Full),
        ("do $$ begin raise too_many_connections; end $$", errors.Full),
        ("do $$ begin raise crash_shutdown; end $$", errors.Unreachable),
        ("select 1/0", errors.StatementFailed),
    ],
)
def test_what_the_database_reports_is_said_in_words(
    database: str, statement: str, expected: type[errors.DatabaseError]
) -> None:
    with pytest.raises(errors.DatabaseError) as raised, connected(address(database)) as connection:
        connection.execute(statement.encode())
    assert type(raised.value) is expected
    assert raised.value.hint
    assert "\n" not in str(raised.value)
