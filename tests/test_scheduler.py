"""No client takes all threads from the others, and a thread counts until it has ended."""

from __future__ import annotations

import threading

import anyio
import pytest

from leadline_server.scheduler import ACTIVE_SECONDS, SHARE, Scheduler
from leadline_tools.cancellation import Cancelled, check

pytestmark = pytest.mark.anyio

MOST = 4
DEADLINE = 10.0


class Work:
    """Functions that run until they are let go, and who is running."""

    def __init__(self) -> None:
        self.running: list[str] = []
        self.most_of: dict[str, int] = {}
        self.order: list[str] = []
        self._ends = threading.Event()
        self._first_ends = threading.Event()
        self._lock = threading.Lock()

    def end_first(self) -> None:
        """Let the function end that began first."""
        self._first_ends.set()

    def end_all(self) -> None:
        """Let all functions end, those that begin later too."""
        self._first_ends.set()
        self._ends.set()

    def of(self, client: str) -> str:
        with self._lock:
            is_first = not self.order
            self.order.append(client)
            self.running.append(client)
            self.most_of[client] = max(self.most_of.get(client, 0), self.running.count(client))
        (self._first_ends if is_first else self._ends).wait(DEADLINE)
        with self._lock:
            self.running.remove(client)
        return client


async def running(work: Work, number: int) -> None:
    """Wait until so many functions run."""
    with anyio.fail_after(DEADLINE):
        while len(work.running) != number:
            await anyio.sleep(0.005)


async def started(work: Work, number: int) -> None:
    """Wait until so many functions have begun."""
    with anyio.fail_after(DEADLINE):
        while len(work.order) < number:
            await anyio.sleep(0.005)


async def test_one_client_leaves_a_thread_to_others_and_they_get_it_at_once() -> None:
    scheduler, work = Scheduler(MOST, "local"), Work()
    async with anyio.create_task_group() as tasks:
        for _ in range(64):
            tasks.start_soon(scheduler.run, "hostile", "tool", lambda: work.of("hostile"))
        await running(work, MOST - 1)
        tasks.start_soon(scheduler.run, "alice", "tool", lambda: work.of("alice"))
        await running(work, MOST)
        assert sorted(work.running) == ["alice", "hostile", "hostile", "hostile"]
        work.end_all()
    assert work.order.count("hostile") == 64


async def test_while_others_wait_nobody_has_more_than_half() -> None:
    scheduler, work = Scheduler(MOST, "local"), Work()
    async with anyio.create_task_group() as tasks:
        for client in ("hostile", "alice", "bob"):
            for _ in range(8):
                tasks.start_soon(scheduler.run, client, "tool", lambda client=client: work.of(client))
            await running(work, {"hostile": 3, "alice": 4, "bob": 4}[client])
        work.end_first()
        await started(work, 5)
        work.end_all()
    assert work.order[3] == "alice"
    assert work.order[4] == "bob", "the client with the fewest running functions comes first"


async def test_the_only_client_of_a_server_has_all_threads() -> None:
    scheduler, work = Scheduler(MOST, "local"), Work()
    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(scheduler.run, "local", "tool", lambda: work.of("local"))
        await running(work, MOST)
        work.end_all()
    assert work.most_of["local"] == MOST


async def test_a_cancelled_call_keeps_its_thread_until_that_has_ended() -> None:
    scheduler, work = Scheduler(MOST, "local"), Work()
    async with anyio.create_task_group() as tasks:
        for _ in range(60):
            tasks.start_soon(scheduler.run, "a", "tool", lambda: work.of("a"))
        await running(work, 3)
        tasks.cancel_scope.cancel()
    assert work.most_of["a"] == 3
    work.end_all()
    with anyio.fail_after(DEADLINE):
        assert await scheduler.run("a", "tool", lambda: "free") == "free"


async def test_the_work_of_a_cancelled_call_is_told_so() -> None:
    scheduler, begun, ended = Scheduler(MOST, "local"), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            while True:
                check()
        except Cancelled:
            ended.set()
            raise

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(scheduler.run, "a", "tool", work)
        await anyio.to_thread.run_sync(begun.wait, DEADLINE)
        tasks.cancel_scope.cancel()
    assert await anyio.to_thread.run_sync(ended.wait, DEADLINE)


async def test_while_others_are_active_a_client_has_few_threads_of_all_tools() -> None:
    scheduler, work = Scheduler(MOST, "local"), Work()
    tools = [f"tool {number}" for number in range(12)]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(scheduler.run, "alice", "tool 0", lambda: work.of("alice"))
        await running(work, 1)
        for tool in tools:
            for _ in range(5):
                tasks.start_soon(scheduler.run, "hostile", tool, lambda: work.of("hostile"))
        await running(work, 1 + 2 * SHARE)
        tasks.start_soon(scheduler.run, "bob", "tool 11", lambda: work.of("bob"))
        await running(work, 2 + 2 * SHARE)
        work.end_all()
    assert work.most_of["hostile"] == 2 * SHARE
    assert work.order.count("hostile") == 60


async def test_a_client_beside_whom_nobody_was_active_lately_has_the_threads_of_every_tool() -> None:
    now = 0.0
    scheduler, work = Scheduler(MOST, "local", lambda: now), Work()
    assert await scheduler.run("alice", "tool 0", lambda: "done") == "done"
    now = ACTIVE_SECONDS + 1
    async with anyio.create_task_group() as tasks:
        for number in range(6):
            for _ in range(MOST):
                tasks.start_soon(scheduler.run, "bob", f"tool {number}", lambda: work.of("bob"))
        await running(work, 6 * (MOST - 1))
        work.end_all()
    assert work.order.count("bob") == 24
