"""Whatever way a client takes in, its calls count together: no other way has limits or results of its own."""

from __future__ import annotations

import http.client
import json
import queue
import re
import socket
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from conftest import write
from torture import wire
from torture.wire import CALL_SECONDS, PATIENCE, Client, Lines, Web

ALICE, BOB = "alice-alice-alice-alice", "bob-bob-bob-bob-bob-bob"
ALLOWED = 30
"""Calls that a client may make, once for all: few, so that a test does not take long."""

_SERVER = (
    "from leadline_server import load;"
    f"load.BURST, load.PER_SECOND, load.MOST_OF_ONE = {ALLOWED}, 0.0001, 4;"
    "from leadline_server.__main__ import main; main()"
)

BUSY = "The server is busy"
Way = Callable[[], str]
"""Makes one call by one way in, and returns what is said."""


class SseClient:
    """A client of the older transport: it posts messages, and reads their answers from a stream."""

    def __init__(self, server: Web, headers: Mapping[str, str]) -> None:
        self._server, self._headers = server, headers
        self._stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60 * PATIENCE)
        self._stream.request("GET", "/sse", headers=dict(headers))
        self._socket = self._stream.sock
        self._lines = self._stream.getresponse()
        self._said: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.session = self._endpoint().partition("session_id=")[2]
        threading.Thread(target=self._read, daemon=True).start()
        self._number = 0
        self.request("initialize", wire._HELLO)
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message: Mapping[str, Any], session: str = "") -> int:
        place = f"/messages/?session_id={session or self.session}"
        headers = {**self._headers, "Content-Type": "application/json"}
        return self._server.status("POST", place, headers, json.dumps(message).encode())

    def request(self, method: str, params: Mapping[str, Any], session: str = "") -> dict[str, Any]:
        """Return the answer to a request, posted under a spelling of the session's id."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        assert self.post(message, session) == 202
        said = self._said.get(timeout=CALL_SECONDS)
        assert said["id"] == self._number
        return said

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)  # closing alone would wait for the thread that reads
        self._stream.close()

    def _endpoint(self) -> str:
        while line := self._lines.readline().decode():
            if line.startswith("data: "):
                return line.removeprefix("data: ").strip()
        raise AssertionError("no endpoint")

    def _read(self) -> None:
        try:
            while line := self._lines.readline().decode():
                if line.startswith("data: {"):
                    self._said.put(json.loads(line.removeprefix("data: ")))
        except (OSError, ValueError, AttributeError):
            pass


def spellings(session: str) -> list[str]:
    """Return other ways to write the id of a session that the transport takes."""
    dashed = str(uuid.UUID(hex=session))
    return [session, session.upper(), dashed, f"%7B{dashed}%7D", f"urn:uuid:{dashed}", session[:3] + "-" + session[3:]]


@contextmanager
def limited(root: Path, place: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> Iterator[Web]:
    """Run a server with small limits."""
    usual = wire.command

    def command(root: Path, cache: Path, *others: str) -> list[str]:
        return [sys.executable, "-P", "-c", _SERVER, *usual(root, cache, *others)[4:]]

    monkeypatch.setattr(wire, "command", command)
    with Web(root, place / "cache", *options) as server:
        yield server


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("ways"), {f"m{i}.py": f"def f{i}():\n    return {i}\n" for i in range(40)})


class Ways:
    """All ways in to a server that a client has, with a token or without one."""

    def __init__(self, server: Web, token: str = "") -> None:
        self._server, self._token = server, token
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._session = Client(server, token)
        self._stateless = Client(server, token, stateless=True)
        self._sse = SseClient(server, self._headers)
        self._spelled = iter(spellings(self._sse.session) * 100)

    def close(self) -> None:
        for client in (self._session, self._stateless, self._sse):
            client.close()

    def session(self) -> str:
        return self._session.call("list_files").text

    def stateless(self) -> str:
        return self._stateless.call("list_files").text

    def made_up_session(self) -> str:
        self._stateless._headers["mcp-session-id"] = uuid.uuid4().hex
        try:
            return self._stateless.call("list_files").text
        finally:
            del self._stateless._headers["mcp-session-id"]

    def sse(self) -> str:
        call = {"name": "list_files", "arguments": {}}
        said = self._sse.request("tools/call", call, next(self._spelled))
        return str(said["result"]["content"][0]["text"])

    def page(self) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=CALL_SECONDS)
        headers = {**self._headers, "Content-Type": "application/json"}
        connection.request("POST", "/page/call", json.dumps({"tool": "list_files", "arguments": {}}), headers)
        said = connection.getresponse().read().decode()
        connection.close()
        return said


def test_with_a_token_all_ways_in_are_one_client(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tokens").write_text(f"{ALICE}\n{BOB}")
    with (
        limited(root, tmp_path, monkeypatch, "--token-file", str(tmp_path / "tokens")) as server,
        closing(Ways(server, ALICE)) as alice,
        closing(Ways(server, BOB)) as bob,
    ):
        ways = (alice.session, alice.stateless, alice.made_up_session, alice.sse, alice.page)
        said = [way() for _ in range(ALLOWED) for way in ways]
        served = sum(BUSY not in text for text in said)
        assert served <= ALLOWED
        assert served >= ALLOWED // len(ways), "a page takes more than one unit of a call"
        for way in ways:
            assert BUSY in way(), way.__name__
        for way in (bob.session, bob.stateless, bob.made_up_session, bob.sse, bob.page):
            assert BUSY not in way(), way.__name__


def test_without_tokens_what_has_no_session_is_one_client_and_a_session_is_one_by_every_spelling(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with limited(root, tmp_path, monkeypatch) as server, closing(Ways(server)) as anybody:
        without = (anybody.stateless, anybody.made_up_session, anybody.page)
        assert sum(BUSY not in way() for _ in range(ALLOWED) for way in without) <= ALLOWED
        for way in without:
            assert BUSY in way(), way.__name__
        served = [BUSY not in anybody.sse() for _ in range(2 * ALLOWED)]
        assert sum(served) == ALLOWED
        assert BUSY not in anybody.session()


def test_a_client_has_few_calls_at_once_by_all_ways_together(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = {"query": "(a|b|c|d)*e" * 80, "regex": True}
    with limited(root, tmp_path, monkeypatch) as server:
        connections = []
        for number in range(24):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=CALL_SECONDS)
            headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            if number % 2:
                asked = json.dumps({"tool": "search_text", "arguments": slow})
                connection.request("POST", "/page/call", asked, headers)
            else:
                params = {"name": "search_text", "arguments": slow, "_meta": wire._ENVELOPE}
                asked = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
                own = {"MCP-Protocol-Version": wire._STATELESS, "Mcp-Method": "tools/call", "Mcp-Name": "search_text"}
                connection.request("POST", "/mcp", asked, headers | own)
            connections.append(connection)
        said = [connection.getresponse().read().decode() for connection in connections]
        for connection in connections:
            connection.close()
    assert any("of your calls are running" in text for text in said[::2])
    assert any("of your calls are running" in text for text in said[1::2])
    assert any("of your calls are running" not in text for text in said)


@pytest.mark.parametrize(
    "others", [("--allow-secrets", "*.env"), ("--exclude", "m1.py"), ()], ids=["secrets", "files", "root"]
)
def test_a_result_is_read_by_a_server_for_the_same_tree_alone(
    root: Path, tmp_path: Path, others: tuple[str, ...]
) -> None:
    cache = tmp_path / "cache"
    with Lines(root, cache) as server:
        found = server.call("search_text", query="return", max_tokens=200).text
        (uri,) = set(re.findall(r"leadline://result/\w+", found))
        server.end(5)
    other = root if others else write(tmp_path / "other", {"x.py": "x = 1\n"})
    with Lines(other, cache, *others) as server:
        said = server.call("read_result", uri=uri)
        assert said.is_error
        assert "m0.py" not in said.text
        assert "error" in server.request("resources/read", {"uri": uri})
        server.end(5)
    with Lines(root, cache) as server:
        assert "m0.py" in server.call("read_result", uri=uri).text
