"""The queue of repositories: each waits once, is worked on by one, and comes back when its worker failed or died."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from leadline_server.repositories.index_queue import SCHEMA, IndexQueue
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import connected
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


def test_a_repository_waits_once_however_often_it_is_asked_for(queue: IndexQueue) -> None:
    assert queue.request(["a/x", "a/y"]) == 2
    assert queue.request(["a/x", "a/z"]) == 1
    assert sorted(worked(queue)) == ["a/x", "a/y", "a/z"]
    assert worked(queue) == []


def test_every_repository_is_asked_for_when_a_worker_starts(queue: IndexQueue) -> None:
    assert worked(queue, ["a/x", "a/y"]) == ["a/x", "a/y"]


def test_a_repository_that_was_indexed_can_be_asked_for_again(queue: IndexQueue) -> None:
    assert worked(queue, ["a/x"]) == worked(queue, ["a/x"]) == ["a/x"]


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


def test_a_database_that_is_down_is_an_error_of_its_own(postgres: PostgresServer, queue: IndexQueue) -> None:
    postgres.stop()
    try:
        with pytest.raises(DatabaseError):
            queue.request(["a/x"])
    finally:
        postgres.start()
    assert queue.request(["a/x"]) == 1


def test_a_database_without_a_queue_is_an_error_of_its_own(address: DatabaseAddress) -> None:
    with pytest.raises(DatabaseError):
        IndexQueue(address).request(["a/x"])
