"""The queue of repositories: each waits once, is worked on by one, and comes back when its worker failed or died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import procrastinate.periodic
import pytest

from leadline_server.repositories.index_queue import SCHEMA, IndexQueue
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError, SchemaForeign
from leadline_tools.database.pool import DatabasePool, PatientConnection, connected
from postgres import PostgresServer


@pytest.fixture
def address(database: str) -> DatabaseAddress:
    return DatabaseAddress.parse(database)


@pytest.fixture
def queue(address: DatabaseAddress) -> IndexQueue:
    queue = IndexQueue(address)
    assert queue.prepare()
    return queue


def worked(queue: IndexQueue, names: Sequence[str] = ()) -> list[str]:
    """Return the repositories that were indexed, in their order, until nothing waits."""
    done: list[str] = []
    queue.work(done.append, lambda: names, forever=False)
    return done


def work_at(
    monkeypatch: pytest.MonkeyPatch,
    queue: IndexQueue,
    hour_minute: tuple[int, int],
    index: Callable[[str], object],
    list_repositories: Callable[[], Sequence[str]],
    collect: Callable[[], object],
) -> None:
    """Let a worker begin a second after a time of the day, until something sends this process SIGTERM."""
    now = datetime(2026, 11, 27, *hour_minute, 1, tzinfo=UTC).timestamp()
    monkeypatch.setattr(procrastinate.periodic, "time", SimpleNamespace(time=lambda: now))
    queue.work(index, list_repositories, collect)


def end_worker() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_repository_waits_once_however_often_it_is_asked_for(queue: IndexQueue) -> None:
    assert queue.request(["a/x", "a/y"]) == 2
    assert queue.request(["a/x", "a/z"]) == 1
    state = queue.state()
    assert state is not None
    assert (state.waiting, state.running, state.failed, state.indexers) == (3, 0, 0, 0)
    assert 0 <= state.oldest_seconds < 60
    assert sorted(worked(queue)) == ["a/x", "a/y", "a/z"]
    assert worked(queue) == []


def test_every_repository_is_asked_for_when_a_worker_starts(queue: IndexQueue) -> None:
    assert worked(queue, ["a/x", "a/y"]) == ["a/x", "a/y"]


def test_a_repository_that_was_indexed_can_be_asked_for_again(queue: IndexQueue) -> None:
    assert worked(queue, ["a/x"]) == worked(queue, ["a/x"]) == ["a/x"]


def test_what_somebody_asks_for_is_indexed_before_what_is_only_looked_at(queue: IndexQueue) -> None:
    names = ["a/w", "a/x", "a/y", "a/z"]

    def list_repositories() -> Sequence[str]:
        queue.request(["a/x"])
        return names

    def index(name: str) -> None:
        done.append(name)
        if name == "a/x":
            assert queue.request(["a/z"]) == 0  # it waits already

    done: list[str] = []
    queue.work(index, list_repositories, forever=False)
    assert done == ["a/x", "a/z", "a/w", "a/y"]


def test_every_ten_minutes_all_repositories_are_listed_before_those_that_wait(
    queue: IndexQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    lists = iter((["a/w", "a/x"], ["a/x", "a/y"]))

    def list_repositories() -> Sequence[str]:
        steps.append("list")
        return next(lists)

    def index(name: str) -> None:
        steps.append(name)
        if name == "a/y":
            end_worker()

    work_at(monkeypatch, queue, (10, 20), index, list_repositories, end_worker)
    assert steps.count("list") == 2
    assert steps[0] == "list"
    assert steps.index("a/x") > 1 + steps[1:].index("list")
    assert sorted(steps) == ["a/w", "a/x", "a/y", "list", "list"]


def test_one_that_fails_costs_the_others_nothing_and_waits_for_another_attempt(
    queue: IndexQueue, address: DatabaseAddress
) -> None:
    done: list[str] = []

    def index(name: str) -> None:
        if name == "a/x":
            raise OSError("the disk is full")
        done.append(name)

    queue.work(index, lambda: ["a/x", "a/y"], forever=False)
    assert done == ["a/y"]
    with connected(address) as connection:
        waiting = connection.execute(
            f"select queueing_lock, status::text, attempts from {SCHEMA}.procrastinate_jobs"
        ).fetchall()
    assert waiting == [("a/x", "todo", 1)]


def test_what_a_dead_worker_had_is_indexed_by_the_next_one(queue: IndexQueue, address: DatabaseAddress) -> None:
    script = (
        "import sys, time; from leadline_server.repositories.index_queue import IndexQueue;"
        "from leadline_tools.database.address import DatabaseAddress;"
        "IndexQueue(DatabaseAddress.parse(sys.argv[1])).work("
        "lambda name: (print(name, flush=True), time.sleep(600)), lambda: ['a/x'])"
    )
    worker = subprocess.Popen([sys.executable, "-c", script, address.url], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "a/x\n"
    state = queue.state()
    assert state is not None
    assert (state.waiting, state.running, state.indexers) == (0, 1, 1)
    worker.kill()
    worker.communicate()
    assert worked(queue, ["a/x"]) == []  # its heart may beat yet
    with connected(address) as connection:
        connection.execute(
            f"update {SCHEMA}.procrastinate_workers set last_heartbeat = last_heartbeat - interval '1 minute'".encode()
        )
    assert worked(queue, ["a/x"]) == ["a/x"]


def test_tables_of_another_version_are_made_anew(queue: IndexQueue, address: DatabaseAddress) -> None:
    queue.request(["a/x"])
    assert not queue.prepare()
    with connected(address) as connection:
        connection.execute(f"comment on schema {SCHEMA} is 'procrastinate 0.1'".encode())
    assert queue.prepare()
    assert queue.request(["a/x"]) == 1


@pytest.mark.parametrize("comment", ["null", "'my jobs'"])
def test_tables_of_another_program_are_left_alone(address: DatabaseAddress, comment: str) -> None:
    with connected(address) as connection:
        connection.execute(f"create schema {SCHEMA}".encode())
        connection.execute(f"create table {SCHEMA}.mine(id integer)".encode())
        connection.execute(f"comment on schema {SCHEMA} is {comment}".encode())
        with pytest.raises(SchemaForeign, match="leadline_queue of the database was not made by this program"):
            IndexQueue(address).prepare()
        assert connection.execute(f"select count(*) from {SCHEMA}.mine".encode()).fetchone() == (0,)


def test_a_database_that_is_down_is_an_error_of_its_own(postgres: PostgresServer, queue: IndexQueue) -> None:
    postgres.stop()
    try:
        with pytest.raises(DatabaseError):
            queue.request(["a/x"])
    finally:
        postgres.start()
    assert queue.request(["a/x"]) == 1


def test_a_server_reads_the_state_over_the_connections_that_it_has(
    queue: IndexQueue, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.request(["a/x"])
    pool = DatabasePool(address)
    with pool.connection():
        pass  # the pool has one connection from now on
    opened: list[str] = []
    connect = PatientConnection.connect

    def noted(parameters: str, **options: Any) -> object:
        opened.append(parameters)
        return connect(parameters, **options)

    monkeypatch.setattr(PatientConnection, "connect", noted)
    state = IndexQueue(address, pool).state()
    assert state is not None
    assert state.waiting == 1
    assert opened == []
    pool.close()


def test_a_database_without_a_queue_is_an_error_of_its_own(address: DatabaseAddress) -> None:
    assert IndexQueue(address).state() is None
    with pytest.raises(DatabaseError):
        IndexQueue(address).request(["a/x"])


def test_every_hour_the_queue_collects_and_forgets_jobs_that_failed_long_ago(
    queue: IndexQueue, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.request(["a/old", "a/new"])
    with connected(address) as connection:
        connection.execute(f"set search_path = {SCHEMA}".encode())
        connection.execute("update procrastinate_jobs set status = 'doing'")
        connection.execute("update procrastinate_jobs set status = 'failed'")
        connection.execute(
            "update procrastinate_events set at = at - interval '25 hours'"
            " where job_id = (select id from procrastinate_jobs where lock = 'a/old')"
        )
    collected: list[int] = []

    def collect() -> None:
        collected.append(1)
        end_worker()

    work_at(monkeypatch, queue, (10, 17), print, lambda: (), collect)
    assert collected == [1]
    with connected(address) as connection:
        left = connection.execute(f"select lock from {SCHEMA}.procrastinate_jobs".encode()).fetchall()
    assert left == [("a/new",)]
    work_at(monkeypatch, queue, (10, 17), lambda _: end_worker(), lambda: ["a/x"], collect)  # the same hour
    assert collected == [1]
