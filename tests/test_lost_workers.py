"""A worker that dies or is stopped costs time: no healthy file is blamed, and the server goes on."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_tools.index.workers import worker_pool
from torture.wire import Lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")

FILES = {f"m{number}.py": f"def first_{number}():\n    return {number}\n" for number in range(12)}


@pytest.fixture
def server(tmp_path: Path) -> Lines:
    write(tmp_path / "root", FILES)
    return Lines(tmp_path / "root", tmp_path / "cache")


def test_a_healthy_file_is_not_blamed_for_a_worker_that_was_killed_while_idle(server: Lines, tmp_path: Path) -> None:
    with server:
        assert "first_0" in server.call("document_symbols", path="m0.py").text
        for number in range(6):
            for worker in server.workers:
                os.kill(worker, signal.SIGKILL)
            (tmp_path / "root" / f"m{number}.py").write_text(f"def second_{number}():\n    return 1\n")
            assert f"second_{number}" in server.call("document_symbols", path=f"m{number}.py").text
        assert "second_3" in server.call("symbol_search", query="second_3").text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_while_its_input_is_open(server: Lines, number: signal.Signals) -> None:
    with server:
        assert "m0.py" in server.call("list_files").text
        server.process.send_signal(number)
        assert server.gone(3) < 30


def test_a_worker_that_is_stopped_is_replaced(opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_STUCK_SECONDS", 1.0)
    asking: Asking = opened(write(tmp_path, FILES))
    pool = asking.session.index.workers.pool
    stopped = list(pool._running)
    assert stopped
    for process in stopped:
        process.send_signal(signal.SIGSTOP)
    write(tmp_path, {"m0.py": "def changed():\n    return 1\n"})
    assert "changed" in asking("document_symbols", path="m0.py")
    assert not set(stopped) & pool._running
