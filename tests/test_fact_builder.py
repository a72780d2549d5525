"""Facts computed in advance: in the order of likely use, resumed, kept up to a limit, never in the way of answers."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, write
from leadline_tools.index.facts import fact_builder, facts_to_build
from leadline_tools.index.facts.fact_store import FactStore, Kept
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.index import Index
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.workers import worker_pool
from leadline_tools.index.workers.frames import Operation
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import Deliver, WorkerPool
from leadline_tools.index.workspace import Workspace

TREE = {
    "vendor/copied.py": "def copied(): pass\n",
    "src/core.py": "def core(): pass\n",
    "src/model_pb2.py": "def generated(): pass\n",
    "tests/test_core.py": "def test_core(): pass\n",
    "notes.txt": "no facts\n",
}
FACTUAL = 4

Opening = Callable[..., Index]


@pytest.fixture
def opening(tmp_path: Path) -> Iterator[Opening]:
    """Open complete indexes of a tree of a test, and close them at the end."""
    opened: list[Index] = []

    def start(**options: int) -> Index:
        index = Index(tmp_path / "tree", tmp_path / "cache", 1, **options)  # type: ignore[arg-type]
        opened.append(index)
        index.start()
        assert index.wait(INDEXING_SECONDS)
        return index

    yield start
    for index in opened:
        index.close()


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose facts are computed in advance, in their order; each is a task of its own, and none is put off."""
    order: list[str] = []
    submit = RootWorkers.submit_last

    def note(
        workers: RootWorkers, operation: Operation, paths: Sequence[str], deliver: Deliver, processes: int, **_how: bool
    ) -> None:
        order.extend(paths)
        submit(workers, operation, paths, deliver, processes, unhurried=False)

    monkeypatch.setattr(RootWorkers, "submit_last", note)
    monkeypatch.setattr(fact_builder, "_TASK_BYTES", 1)
    return order


def build(index: Index) -> None:
    index.facts.build()
    assert index.facts.wait(INDEXING_SECONDS)


def grown(number: int) -> str:
    """Return a source whose facts take some kilobytes and compress badly."""
    return "".join(f"def name_{number}_{i}_{hash((number, i)) & 0xFFFFFF:x}(first, second): pass\n" for i in range(200))


def test_the_facts_of_all_files_are_computed_and_counted(tmp_path: Path, opening: Opening) -> None:
    write(tmp_path / "tree", TREE)
    index = opening()
    assert (index.coverage().facts, index.coverage().factual) == (0, FACTUAL)
    assert index.facts.known(TREE) == {"notes.txt"}
    build(index)
    assert (index.coverage().facts, index.coverage().factual) == (FACTUAL, FACTUAL)
    assert index.facts.known(TREE) == set(TREE)


def test_sources_come_before_tests_and_those_before_copied_and_generated_files(
    tmp_path: Path, opening: Opening, computed: list[str]
) -> None:
    write(tmp_path / "tree", TREE)
    build(opening())
    assert computed[:2] == ["src/core.py", "tests/test_core.py"]
    assert sorted(computed[2:]) == ["src/model_pb2.py", "vendor/copied.py"]


def test_files_that_were_changed_last_come_first(
    tmp_path: Path, opening: Opening, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_builder, "AT_ONCE", 2)
    monkeypatch.setattr(facts_to_build, "AT_ONCE", 2)
    root = write(tmp_path / "tree", {f"src/part_{i}.py": f"value = {i}\n" for i in range(6)})
    last = 0
    for path in sorted(root.rglob("*.py")):
        while path.stat().st_ctime_ns <= last:  # the time of the inode, which nobody can set
            os.utime(path)
        last = path.stat().st_ctime_ns
    build(opening())
    assert set(computed[:2]) == {"src/part_4.py", "src/part_5.py"}
    assert computed[2:] == [f"src/part_{i}.py" for i in range(4)]


def test_files_that_a_question_left_over_come_before_all_others(
    tmp_path: Path, opening: Opening, computed: list[str]
) -> None:
    write(tmp_path / "tree", TREE)
    index = opening()
    index.facts.request(["vendor/copied.py"])
    index.facts.compute_requested()
    build(index)
    assert computed[0] == "vendor/copied.py"
    assert sorted(computed) == sorted(set(computed))


def test_what_is_kept_is_not_computed_again_after_a_restart(
    tmp_path: Path, opening: Opening, computed: list[str]
) -> None:
    root = write(tmp_path / "tree", TREE)
    first = opening()
    build(first)
    first.close()
    computed.clear()
    write(root, {"src/new.py": "def new(): pass\n", "src/same.py": TREE["src/core.py"]})
    second = opening()
    build(second)
    assert computed == ["src/new.py"]
    assert second.coverage().facts == FACTUAL + 2


def test_the_facts_of_a_file_that_changes_are_computed_again(
    tmp_path: Path, opening: Opening, computed: list[str]
) -> None:
    root = write(tmp_path / "tree", TREE)
    index = opening()
    build(index)
    computed.clear()
    write(root, {"src/core.py": "def changed(): pass\n", "tests/test_core.py": TREE["tests/test_core.py"]})
    index.refresh(INDEXING_SECONDS)
    assert index.wait(INDEXING_SECONDS)
    assert index.facts.wait(INDEXING_SECONDS)
    assert computed == ["src/core.py"]
    assert index.coverage().facts == FACTUAL
    facts = index.facts.fetch(["src/core.py"]).facts["src/core.py"]
    assert facts is not None
    assert facts.named("changed")


def test_a_file_that_is_gone_counts_no_more(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", TREE)
    index = opening()
    build(index)
    (root / "src/core.py").unlink()
    index.refresh()
    assert (index.coverage().facts, index.coverage().factual) == (FACTUAL - 1, FACTUAL - 1)


def test_a_file_without_facts_is_looked_into_once(tmp_path: Path, opening: Opening, computed: list[str]) -> None:
    write(tmp_path / "tree", {**TREE, "large.py": "value = 1\n" * 500_000})
    first = opening()
    build(first)
    assert (first.coverage().facts, first.coverage().factual) == (FACTUAL, FACTUAL)
    first.close()
    computed.clear()
    second = opening()
    build(second)
    assert computed == []
    assert (second.coverage().facts, second.coverage().factual) == (FACTUAL, FACTUAL)


def test_nothing_is_computed_in_advance_while_a_call_is_answered(
    tmp_path: Path, opening: Opening, computed: list[str]
) -> None:
    write(tmp_path / "tree", TREE)
    index = opening()
    with index.answering():
        index.facts.build()
        assert not index.facts.wait(0.5)
        assert computed == []
    assert index.facts.wait(INDEXING_SECONDS)
    assert len(computed) == FACTUAL


def test_a_question_never_waits_for_more_than_one_file_of_each_worker(
    tmp_path: Path, opening: Opening, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "tree", {f"part_{i}.py": f"value = {i}\n" for i in range(8)})
    index = opening()
    held, asked = threading.Event(), threading.Event()
    run = WorkerPool._run

    def hold(*arguments: object) -> int:
        held.set()
        assert asked.wait(INDEXING_SECONDS)
        return run(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(WorkerPool, "_run", hold)
    index.facts.build()
    assert held.wait(INDEXING_SECONDS)
    try:
        assert not index.facts.wait(0.2)
        assert len(computed) == 1
    finally:
        asked.set()
    assert index.facts.wait(INDEXING_SECONDS)


def test_building_ends_where_the_store_is_full_and_does_not_begin_again(
    tmp_path: Path, opening: Opening, computed: list[str]
) -> None:
    write(tmp_path / "tree", {f"part_{i}.py": grown(i) for i in range(120)})
    limit = 1_000_000  # one file has a hundredth of it: what is let go of at once leaves the store full
    first = opening(facts_size=limit)
    build(first)
    kept = first.coverage().facts
    assert 0 < kept < 120
    assert first.facts.size <= limit
    first.close()
    computed.clear()
    second = opening(facts_size=limit)
    build(second)
    assert computed == []
    assert second.facts.size <= limit


def test_facts_of_contents_that_no_file_has_any_more_make_room_for_those_of_the_tree(
    tmp_path: Path, opening: Opening
) -> None:
    root = write(tmp_path / "tree", {f"part_{i}.py": grown(i) for i in range(20)})
    first = opening()
    build(first)
    limit = int(first.facts.size * 1.2)
    first.close()
    write(root, {f"part_{i}.py": grown(i + 100) for i in range(20)})
    second = opening(facts_size=limit)
    build(second)
    assert second.coverage().facts == 20
    assert second.facts.size <= limit


def test_facts_of_several_roots_are_counted_together(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, TREE)
    workspace = Workspace([Index(tmp_path / name, tmp_path / "cache", 1, name=name) for name in ("one", "two")])
    try:
        workspace.start()
        assert workspace.wait(INDEXING_SECONDS)
        build(workspace)
        assert (workspace.coverage().facts, workspace.coverage().factual) == (2 * FACTUAL, 2 * FACTUAL)
        assert workspace.facts.known(["one/src/core.py", "two/notes.txt"]) == {"one/src/core.py", "two/notes.txt"}
    finally:
        workspace.close()


def test_one_of_two_processes_on_one_index_computes_and_both_know_what_is_kept(
    tmp_path: Path, opening: Opening, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "tree", TREE)
    leader, follower = opening(), opening()
    build(follower)
    assert computed == []
    build(leader)
    assert len(computed) == FACTUAL
    monkeypatch.setattr(fact_builder, "_FOLLOW_SECONDS", -1.0)
    assert follower.facts.wait(INDEXING_SECONDS)
    assert follower.coverage().facts == FACTUAL


def test_a_server_begins_a_moment_after_its_start(
    tmp_path: Path, opening: Opening, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "tree", TREE)
    begun = threading.Event()
    build_facts = FileFacts.build

    def note(facts: FileFacts, *, hurried: bool = False) -> None:
        build_facts(facts, hurried=hurried)
        begun.set()

    monkeypatch.setattr(FileFacts, "build", note)
    monkeypatch.setattr("leadline_tools.index.index._UNHURRIED_SECONDS", 0.5)
    index = opening()
    index.facts.build_later()
    assert begun.wait(INDEXING_SECONDS)
    assert index.facts.wait(INDEXING_SECONDS)
    assert len(computed) == FACTUAL


# The store


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000_000.0
    monkeypatch.setattr("leadline_tools.index.facts.fact_store.time.time", lambda: now)
    store = FactStore(tmp_path / "facts" / "store.db", 200_000)
    rows = [Kept(bytes([number]) * 16, "python", os.urandom(10_000)) for number in range(20)]
    for row in rows[:10]:
        now += 10_000
        assert not store.put([row])
    now += 10_000
    assert store.get(rows[0].digest, "python") == rows[0].blob
    assert store.put(rows[10:])
    assert store.get(rows[0].digest, "python") == rows[0].blob
    assert store.get(rows[1].digest, "python") is None
    assert store.get(rows[19].digest, "python") == rows[19].blob
    assert store.size <= 200_000
    store.close()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 500])
def test_a_store_that_is_damaged_begins_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "facts" / "store.db"
    path.parent.mkdir()
    path.write_bytes(content)
    store = FactStore(path)
    store.put([Kept(b"d" * 16, "python", b"facts")])
    assert store.get(b"d" * 16, "python") == b"facts"
    assert store.known("python", [b"d" * 16, b"e" * 16]) == {b"d" * 16: 5}
    store.close()


def test_facts_that_are_damaged_are_computed_again(tmp_path: Path, opening: Opening) -> None:
    write(tmp_path / "tree", TREE)
    first = opening()
    digest = first.read("src/core.py").digest
    first.close()
    (path,) = (tmp_path / "cache" / "index").glob("*.db")
    store = FactStore(tmp_path / "cache" / "facts" / path.name)
    store.put([Kept(digest, "python", b"damaged")])
    store.close()
    index = opening()
    facts = index.facts.fetch(["src/core.py"]).facts["src/core.py"]
    assert facts is not None
    assert facts.named("core")


def test_a_file_in_the_place_of_the_folder_costs_the_facts_their_place_on_disk(
    tmp_path: Path, opening: Opening
) -> None:
    write(tmp_path / "tree", TREE)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "facts").write_text("mine")
    index = opening()
    build(index)
    assert index.coverage().facts == FACTUAL
    assert (tmp_path / "cache" / "facts").read_text() == "mine"


def test_an_index_that_is_closed_while_its_first_facts_are_requested_closes(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "tree", TREE)
    index = opening()
    starting, errors = threading.Event(), list[BaseException]()

    class Slow(threading.Thread):
        """A thread that is about to start while the index is closed: it starts once that has failed, or waits."""

        def start(self) -> None:
            starting.set()
            closing.join(0.5)
            super().start()

    def close() -> None:
        starting.wait(INDEXING_SECONDS)
        try:
            index.close()
        except RuntimeError as error:
            errors.append(error)

    closing = threading.Thread(target=close)
    closing.start()
    with monkeypatch.context() as patch:
        patch.setattr(threading, "Thread", Slow)
        index.facts.build()
    closing.join(INDEXING_SECONDS)
    assert errors == []


def test_a_pool_of_workers_whose_thread_cannot_be_started_closes(tmp_path: Path) -> None:
    class Refused(threading.Thread):
        """A thread for which the system has no room, if it serves a worker."""

        def start(self) -> None:
            if self.name == "leadline-worker":
                raise RuntimeError("can't start new thread")
            super().start()

    write(tmp_path, TREE)
    pool = WorkerPool(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "Thread", Refused)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            RootWorkers(DiskTree(tmp_path), pool).submit(Operation.Facts, ["src/core.py"], lambda _path, _reply: None)
    pool.close()


SLOW = """
import time
import leadline_tools.index.workers.worker as worker
facts = worker._facts
def slow(source, language, name):
    until = time.process_time() + 1.5
    while time.process_time() < until:
        pass
    return facts(source, language, name)
worker._OPERATIONS = {**worker._OPERATIONS, worker.Operation.Facts: slow}
worker.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the alarm clock of POSIX")
@pytest.mark.parametrize(("longest", "computed_facts"), [(30.0, 1), (1.0, 0)])
def test_facts_in_advance_may_take_longer_than_what_a_call_waits_for(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch, longest: float, computed_facts: int
) -> None:
    before, found, _ = worker_pool._START.rpartition("from leadline_tools.index.workers.worker")
    assert found
    monkeypatch.setattr(worker_pool, "_START", before + SLOW)
    monkeypatch.setattr(worker_pool, "DEADLINE", 1.0)
    monkeypatch.setattr(worker_pool, "_UNWANTED_DEADLINE", longest)
    write(tmp_path / "tree", {"core.py": "def core(): pass\n"})
    index = opening()
    build(index)
    assert index.coverage().facts == computed_facts
