"""A worker that dies or is stopped costs time: no healthy file is blamed, and the server goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, Asking, write
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.workers import worker_pool
from torture.wire import START_SECONDS, Lines, command, environment, running

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


def test_a_line_without_an_end_is_refused_and_takes_little_memory(server: Lines) -> None:
    with server:
        assert "m0.py" in server.call("list_files").text
        before = server.megabytes
        for _ in range(400):
            server.input.write(b"x" * 1_000_000)
        server.raw(b"")
        assert "m0.py" in server.call("list_files").text
        assert server.megabytes - before < 150
        assert server.refused == ["Invalid request: a line of more than 16 MiB is not read."]


@pytest.mark.parametrize("seconds", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("leads", [False, True])
def test_the_server_ends_with_its_parent_while_another_process_holds_its_input(
    tmp_path: Path, seconds: float, leads: bool
) -> None:
    root = write(tmp_path / "root", FILES)
    script = (
        "import json, os, subprocess, sys, time\n"
        "command, seconds, leads = json.loads(sys.argv[1])\n"
        "server = subprocess.Popen(command, stdin=0, stdout=subprocess.DEVNULL, start_new_session=leads)\n"
        "time.sleep(seconds)\n"
        "os.write(1, str(server.pid).encode())\n"
        "os._exit(0)\n"
    )
    started = json.dumps([command(root, tmp_path / "cache"), seconds, leads])
    held, input_of_all = os.pipe()
    with os.fdopen(input_of_all, "wb"):
        parent = subprocess.run(
            [sys.executable, "-c", script, started],
            stdin=held,
            capture_output=True,
            check=True,
            env=environment(),
            start_new_session=True,
        )
        os.close(held)
        assert not running([int(parent.stdout)], START_SECONDS)


def test_a_worker_that_is_stopped_is_replaced(
    sessions: list[Session], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "_STUCK_SECONDS", 1.0)
    monkeypatch.setattr("leadline_tools.index.questions.symbol_index._PATIENCE", INDEXING_SECONDS)
    index = Index(write(tmp_path, FILES), None, processes=1)
    sessions.append(Session(Config(tmp_path, None, "openai"), index))
    index.start()
    assert index.wait(INDEXING_SECONDS)
    stopped = list(index.workers.pool._running)
    assert stopped
    for process in stopped:
        process.send_signal(signal.SIGSTOP)
    write(tmp_path, {"m0.py": "def changed():\n    return 1\n"})
    assert "changed" in Asking(sessions[-1])("document_symbols", path="m0.py")
    assert not set(stopped) & index.workers.pool._running
