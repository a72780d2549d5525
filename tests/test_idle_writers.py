"""The writer of an index that has nothing to write: it needs no thread and no connection, and misses no change."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, write
from leadline_server import store
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import idle_threads, writer
from leadline_tools.index.indexing.idle_threads import OnDemandThread
from test_index import Opening, Pool, opening, places, pool, pools, settle

__all__ = ["Pool", "opening", "pool", "pools"]

_NORMAL = 1
"""How SQLite numbers the writing of a log that waits for the disk at checkpoints alone."""

pytestmark = pytest.mark.usefixtures("pools")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rest soon."""
    for module in (writer, idle_threads):
        monkeypatch.setattr(module, "LISTEN_SECONDS", 0.02)


def rest(index: Index) -> None:
    """Wait until the writer of an index has no thread."""
    running = index._indexer._writer._thread._thread
    if running is not None:
        running.join(INDEXING_SECONDS)
        assert not running.is_alive()


def test_a_writer_with_nothing_to_write_has_no_thread_and_leaves_its_connection(
    tmp_path: Path, opening: Opening
) -> None:
    index = opening(write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"}), tmp_path / "cache")
    rest(index)
    opened = len(index.kept.database._opened)
    assert places(index, "symbol_search", query="alpha") == ["a.py:1"]
    assert len(index.kept.database._opened) <= opened


def test_what_changes_while_a_writer_rests_is_indexed(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"})
    index = opening(root, tmp_path / "cache")
    for number in range(3):
        rest(index)
        write(root, {"a.py": f"def beta_{number}(): pass\n", f"m_{number}.py": "def gamma(): pass\n"})
        index.refresh(0)
        settle(index)
        assert places(index, "symbol_search", query=f"beta_{number}") == ["a.py:1"]
        rest(index)
        (root / f"m_{number}.py").unlink()
        index.refresh(0)
        settle(index)
        assert places(index, "symbol_search", query="gamma") == []


def test_a_leader_that_rests_looks_at_what_a_follower_has_seen(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"})
    leader, follower = (opening(root, tmp_path / "cache") for _ in range(2))
    assert leader._indexer.leading
    leader.watcher.close()  # it learns of the change from the follower alone
    rest(leader)
    write(root, {"a.py": "def omega(): pass\n"})
    follower.refresh(0)
    settle(follower)
    assert places(follower, "symbol_search", query="omega") == ["a.py:1"]


def test_a_rested_index_is_closed(tmp_path: Path, opening: Opening) -> None:
    index = opening(write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"}), tmp_path / "cache")
    thread = index._indexer._writer._thread
    rest(index)
    index.close()
    thread.wake()
    assert thread._thread is None
    assert thread not in idle_threads.IDLE_THREADS._marks


def test_a_thread_that_is_woken_as_it_ends_runs_once_more() -> None:
    runs: list[int] = []
    done = threading.Event()

    def run() -> None:
        runs.append(len(runs))
        thread.wait(0)
        if len(runs) == 1:
            thread.wake()
        while not thread.rest(None, lambda: None):
            runs.append(len(runs))
            thread.wait(0)
        done.set()

    thread = OnDemandThread("leadline-test", run)
    thread.start()
    assert done.wait(INDEXING_SECONDS)
    assert runs == [0, 1]
    done.clear()
    thread.wake()
    assert done.wait(INDEXING_SECONDS)
    assert runs == [0, 1, 2]
    thread.close(INDEXING_SECONDS)


def test_a_commit_does_not_wait_for_the_disk(tmp_path: Path, opening: Opening) -> None:
    index = opening(write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"}), tmp_path / "cache")
    connections = [index.kept.database.connection(), store._connect(str(tmp_path / "results.db"))]
    for connection in connections:
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
        assert connection.execute("pragma synchronous").fetchone() == (_NORMAL,)
