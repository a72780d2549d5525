"""Clients over stdio that give one id to many calls, never read, or close what the server writes to."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import write
from torture.wire import PATIENCE, START_SECONDS, Lines, Process, command, environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

CALL = {"method": "tools/call", "params": {"name": "search_text", "arguments": {"query": "inside"}}}
FLOOD_SECONDS = 2.0


def line_of(number: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, **CALL}).encode() + b"\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", {"a.py": "def inside():\n    return 1\n" * 200})


def test_calls_with_one_id_are_each_answered_or_refused(root: Path, tmp_path: Path) -> None:
    with Lines(root, tmp_path / "cache") as server:
        assert "inside" in server.call("search_text", query="inside").text
        server.input.write(line_of(777) * 50)
        server.input.flush()
        answers = [server.answer(777) for _ in range(50)]
        results = [said["result"]["content"][0]["text"] for said in answers if "result" in said]
        assert results
        assert all("a.py" in text for text in results)
        assert all("is under way" in said["error"]["message"] for said in answers if "error" in said)
        assert "inside" in server.call("search_text", query="inside").text


def test_a_client_that_never_reads_takes_little_memory_and_the_server_ends_with_a_signal(
    root: Path, tmp_path: Path
) -> None:
    process = _started(root, tmp_path, subprocess.PIPE)
    server = Process(process)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line_of(1))
        process.stdin.flush()
        assert select.select([process.stdout], [], [], START_SECONDS)[0]
        os.set_blocking(process.stdin.fileno(), False)
        before, until = server.megabytes, time.monotonic() + FLOOD_SECONDS * PATIENCE
        rest = line_of(2) * 500
        while time.monotonic() < until:
            if select.select([], [process.stdin], [], 0.2)[1]:
                rest = rest[os.write(process.stdin.fileno(), rest) :] or line_of(2) * 500
        assert server.megabytes - before < 400
        process.terminate()
        assert server.gone(3) < 3 * PATIENCE
    finally:
        _close(process)


def test_the_server_ends_when_its_client_closes_the_output_and_holds_the_input_open(root: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    process = _started(root, tmp_path, writing)
    os.close(writing)
    assert process.stdin is not None
    try:
        process.stdin.write(line_of(1))
        process.stdin.flush()
        assert select.select([reading], [], [], START_SECONDS)[0]
        os.close(reading)
        process.stdin.write(line_of(2))
        process.stdin.flush()
        assert Process(process).gone(5) < 5 * PATIENCE
    finally:
        _close(process)


def _started(root: Path, folder: Path, output: int) -> subprocess.Popen[bytes]:
    """Start a server over stdio and greet it."""
    greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "rude", "version": "1"}}
    process = subprocess.Popen(
        command(root, folder / "cache"),
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    assert process.stdin is not None
    for message in (
        {"id": 0, "method": "initialize", "params": greeting},
        {"method": "notifications/initialized"},
    ):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()
    return process


def _close(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(10)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
