"""One pool of workers serves all roots: their number does not grow with the roots, and no root starves another."""

from __future__ import annotations

import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, write
from leadline_tools.cancellation import Token
from leadline_tools.index.index import Index
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers import worker_pool
from leadline_tools.index.workers.frames import Operation, Reply, Request
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import Task, WorkerPool
from leadline_tools.index.workspace import Workspace

ROOTS = 6


class Gated(WorkerPool):
    """A pool of one process that begins when it may, and notes in which order it does what."""

    def __init__(self) -> None:
        super().__init__(1)
        self.may_begin = threading.Event()
        self.begun = threading.Event()
        self.order: list[str] = []

    def _work(self, task: Task, process: subprocess.Popen[bytes] | None) -> None:
        self.begun.set()
        assert self.may_begin.wait(INDEXING_SECONDS)
        self.order.extend(task.paths)
        super()._work(task, process)


class Starved(WorkerPool):
    """A pool whose first process gets no processor for what nobody waits for until it is let go on."""

    def __init__(self, processes: int = 1) -> None:
        super().__init__(processes)
        self.stopped = queue.SimpleQueue[subprocess.Popen[bytes]]()
        self.looks = threading.Semaphore(0)

    def _run(self, process: subprocess.Popen[bytes], task: Task, request: Request) -> int:
        if task.unhurried and self.stopped.empty():
            process.send_signal(signal.SIGSTOP)
            self.stopped.put(process)
        return super()._run(process, task, request)

    def _end_idle(self) -> None:
        super()._end_idle()
        self.looks.release()


@pytest.fixture
def starved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Starved]:
    monkeypatch.setattr(worker_pool, "_WATCH_SECONDS", 0.02)
    monkeypatch.setattr(worker_pool, "_HELD_UP_SECONDS", 0.02)
    pool = Starved()
    yield pool
    pool.close()


@pytest.fixture
def gated() -> Iterator[Gated]:
    pool = Gated()
    yield pool
    pool.may_begin.set()
    pool.close()


def tree(root: Path, name: str, files: int) -> Tree:
    contents = {f"m{number}.py": f"def {name}_{number}():\n    return 1\n" for number in range(files)}
    return DiskTree(write(root / name, contents), None, name)


def test_many_roots_are_indexed_by_a_few_processes_that_know_each_tree(tmp_path: Path) -> None:
    pool = WorkerPool(2)
    indexes = [
        Index(write(tmp_path / f"r{number}", {"a.py": f"def f{number}(): pass\n"}), None, name=f"r{number}", pool=pool)
        for number in range(ROOTS)
    ]
    workspace = Workspace(indexes, pool)
    try:
        workspace.start()
        assert workspace.wait(INDEXING_SECONDS)
        assert 1 <= len(pool._running) <= 2
        for number, index in enumerate(indexes):
            assert [hit.definition.name for hit in index.names.exact(f"f{number}").hits] == [f"f{number}"]
    finally:
        workspace.close()
    assert not pool._running


def test_roots_take_turns_and_a_call_comes_before_all_indexing(tmp_path: Path, gated: Gated) -> None:
    large, small = (RootWorkers(tree(tmp_path, name, 9), gated) for name in ("large", "small"))
    done = queue.SimpleQueue[str]()

    def deliver(path: str, _reply: Reply) -> None:
        done.put(path)

    for number in range(5):
        large.submit(Operation.Symbols, [f"large/m{number}.py"], deliver)
    assert gated.begun.wait(INDEXING_SECONDS)
    for number in range(2):
        small.submit(Operation.Symbols, [f"small/m{number}.py"], deliver)
    large.submit_last(Operation.Facts, ["large/m8.py"], deliver, 1, unhurried=False)
    small.ask(Operation.Outline, "small/m7.py", deliver, Token())
    gated.may_begin.set()
    for _ in range(9):
        done.get(timeout=INDEXING_SECONDS)
    first, called, *indexed, last = gated.order
    assert (first, called, last) == ("large/m0.py", "small/m7.py", "large/m8.py")
    assert {path.partition("/")[0] for path in indexed[:2]} == {"large", "small"}
    assert indexed.index("small/m1.py") < indexed.index("large/m3.py")


def test_a_root_that_is_closed_leaves_the_workers_to_the_others(tmp_path: Path, gated: Gated) -> None:
    going, staying = (RootWorkers(tree(tmp_path, name, 2), gated) for name in ("going", "staying"))
    replies = queue.SimpleQueue[tuple[str, Reply]]()
    for workers, name in ((going, "going"), (staying, "staying")):
        workers.submit(
            Operation.Symbols, [f"{name}/m0.py", f"{name}/m1.py"], lambda path, reply: replies.put((path, reply))
        )
    assert gated.begun.wait(INDEXING_SECONDS)
    gated.may_begin.set()
    going.close()
    found = dict(replies.get(timeout=INDEXING_SECONDS) for _ in range(4))
    assert all(found[f"staying/m{number}.py"].payload for number in range(2))
    assert staying.gather(Operation.Outline, ["staying/m0.py"])["staying/m0.py"].payload
    assert going.gather(Operation.Outline, ["going/m0.py"])["going/m0.py"].refused


def test_workers_without_work_end_and_the_next_task_starts_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_WATCH_SECONDS", 0.01)
    monkeypatch.setattr(worker_pool, "_IDLE_SECONDS", 0.05)
    pool = WorkerPool(1)
    workers = RootWorkers(tree(tmp_path, "one", 1), pool)
    try:
        for _ in range(2):
            assert workers.gather(Operation.Outline, ["one/m0.py"])["one/m0.py"].payload
            idle = list(pool._running)
            for process in idle:
                process.wait(INDEXING_SECONDS)
    finally:
        pool.close()


class Paired(WorkerPool):
    """A pool of two processes, which begin their first tasks at one time."""

    def __init__(self) -> None:
        super().__init__(2)
        self.pair = threading.Barrier(2, timeout=INDEXING_SECONDS)

    def _work(self, task: Task, process: subprocess.Popen[bytes] | None) -> None:
        self.pair.wait()
        super()._work(task, process)


def test_one_of_several_workers_without_work_stays_for_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "_WATCH_SECONDS", 0.01)
    monkeypatch.setattr(worker_pool, "_SPARE_SECONDS", 0.05)
    monkeypatch.setattr(worker_pool, "_WAITING_SECONDS", 0.0)
    pool = Paired()
    workers = RootWorkers(tree(tmp_path, "one", 2), pool)
    replies = queue.SimpleQueue[Reply]()
    ended = queue.SimpleQueue[subprocess.Popen[bytes]]()

    def await_end(process: subprocess.Popen[bytes]) -> None:
        process.wait()
        ended.put(process)

    try:
        for number in range(2):
            workers.ask(Operation.Outline, f"one/m{number}.py", lambda _path, reply: replies.put(reply), Token())
        assert all(replies.get(timeout=INDEXING_SECONDS).payload for _ in range(2))
        started = [*pool._running]
        for process in started:
            threading.Thread(target=await_end, args=(process,), daemon=True).start()
        gone = ended.get(timeout=INDEXING_SECONDS)
        kept = [process for process in started if process is not gone]
        assert [process for process in pool._running if process is not gone] == kept  # it is noted after its end
        assert [process.poll() for process in kept] == [None]
    finally:
        pool.close()


def test_a_few_files_of_a_call_share_one_worker_and_many_are_worth_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "_WAITING_SECONDS", INDEXING_SECONDS)
    monkeypatch.setattr(worker_pool, "_WAITING_FILES", 9)
    pool = WorkerPool(2)
    workers = RootWorkers(tree(tmp_path, "one", 16), pool)
    paths = [f"one/m{number}.py" for number in range(16)]
    try:
        assert all(reply.payload for reply in workers.gather(Operation.Outline, paths[:8]).values())
        assert len(pool._running) == 1
        assert all(reply.payload for reply in workers.gather(Operation.Outline, paths).values())
        assert len(pool._running) == 2
    finally:
        pool.close()


def test_a_file_that_a_call_waits_long_for_has_another_worker_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "_WAITING_SECONDS", 0.01)
    pool = Paired()
    workers = RootWorkers(tree(tmp_path, "one", 2), pool)
    try:
        assert len(workers.gather(Operation.Outline, ["one/m0.py", "one/m1.py"])) == 2
    finally:
        pool.close()


def test_what_nobody_waits_for_leaves_its_worker_to_a_call_and_is_done_afterwards(
    tmp_path: Path, starved: Starved
) -> None:
    workers = RootWorkers(tree(tmp_path, "one", 2), starved)
    replies = queue.SimpleQueue[tuple[str, Reply]]()

    def deliver(path: str, reply: Reply) -> None:
        replies.put((path, reply))

    workers.submit_last(Operation.Facts, ["one/m0.py", "one/m1.py"], deliver, 1, unhurried=True)
    process = starved.stopped.get(timeout=INDEXING_SECONDS)
    starved.stopped.put(process)
    assert workers.gather(Operation.Outline, ["one/m1.py"])["one/m1.py"].payload
    assert process.wait(INDEXING_SECONDS) == -signal.SIGKILL
    found = dict(replies.get(timeout=INDEXING_SECONDS) for _ in range(2))
    assert all(found[f"one/m{number}.py"].payload for number in range(2))


def test_a_file_that_nobody_waits_for_is_not_blamed_for_a_machine_that_has_no_time(
    tmp_path: Path, starved: Starved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "_STUCK_SECONDS", 0.02)
    workers = RootWorkers(tree(tmp_path, "one", 1), starved)
    replies = queue.SimpleQueue[Reply]()
    workers.submit_last(Operation.Facts, ["one/m0.py"], lambda _path, reply: replies.put(reply), 1, unhurried=True)
    process = starved.stopped.get(timeout=INDEXING_SECONDS)
    starved.stopped.put(process)
    for _ in range(5):
        assert starved.looks.acquire(timeout=INDEXING_SECONDS)
    process.send_signal(signal.SIGCONT)
    assert replies.get(timeout=INDEXING_SECONDS).payload
    assert process in starved._running


@pytest.mark.parametrize("operation", [Operation.Outline, Operation.Symbols])
def test_where_there_are_more_processes_one_is_left_to_calls_and_to_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: Operation
) -> None:
    monkeypatch.setattr(worker_pool, "_HELD_UP_SECONDS", INDEXING_SECONDS)
    pool = Starved(2)
    workers = RootWorkers(tree(tmp_path, "one", 2), pool)
    replies, urgent = queue.SimpleQueue[tuple[str, Reply]](), queue.SimpleQueue[tuple[str, Reply]]()
    try:
        for number in range(2):
            path = f"one/m{number}.py"
            workers.submit_last(Operation.Facts, [path], lambda *found: replies.put(found), 1, unhurried=True)
        process = pool.stopped.get(timeout=INDEXING_SECONDS)
        pool.stopped.put(process)
        if operation is Operation.Outline:
            workers.ask(operation, "one/m1.py", lambda *found: urgent.put(found), Token())
        else:
            workers.submit(operation, ["one/m1.py"], lambda *found: urgent.put(found))
        assert urgent.get(timeout=INDEXING_SECONDS)[1].payload
        assert replies.empty()
        process.send_signal(signal.SIGCONT)
        found = dict(replies.get(timeout=INDEXING_SECONDS) for _ in range(2))
        assert all(found[f"one/m{number}.py"].payload for number in range(2))
        assert process in pool._running
    finally:
        pool.close()
