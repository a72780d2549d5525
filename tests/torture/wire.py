"""Servers as clients see them: lines over stdio, requests over HTTP; and what the system says of their processes."""

from __future__ import annotations

import http.client
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import serving

REPOSITORY = Path(__file__).parents[2]
SOURCES = os.pathsep.join(str(REPOSITORY / part) for part in ("server", "tools", "estimators"))

PATIENCE = float(os.environ.get("LEADLINE_TORTURE_PATIENCE", "1"))
"""By how much longer everything may take: more than 1 on a machine that has other things to do."""

CALL_SECONDS = 11.0 * PATIENCE
"""Seconds after which a call counts as hung: it waits 5 for the workers at a time."""

START_SECONDS = 30.0 * PATIENCE

_IDLE_SECONDS = 3.0
"""Seconds without a request after which a server over HTTP may close a connection."""

_STATELESS = "2026-07-28"
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": _STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "torture", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What each request of a client without a session says of it."""

_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}}


class Broken(AssertionError):  # noqa: N818  it is named by what is wrong
    """The server hung, died, or said what is no JSON-RPC."""


class Answer(NamedTuple):
    """What a call gave: its text, whether it tells an error, and the seconds that it took."""

    text: str
    is_error: bool
    seconds: float


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCES, **variables}


def command(root: Path, cache: Path, *options: str) -> list[str]:
    where = ["--root", str(root), "--cache-dir", str(cache), "--model", "openai"]
    return [sys.executable, "-P", "-m", "leadline_server", "serve", *where, *options]


class Process:
    """A server process, as the system sees it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    @property
    def megabytes(self) -> float:
        """Return the resident memory of the server process."""
        return _megabytes(self.process.pid)

    @property
    def processor_seconds(self) -> float:
        """Return the CPU time that the server process has used."""
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def descriptors(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def workers(self) -> list[int]:
        """Return the processes that the server has started."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                try:
                    parent = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
                except OSError:
                    continue
                if int(parent) == self.process.pid:
                    found.append(int(folder.name))
        return found

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """End the server as a crash of the machine would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def gone(self, seconds: float) -> float:
        """Wait until the server has ended; return after how many seconds; it is broken if that is too long."""
        started = time.monotonic()
        try:
            self.process.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Broken(f"the server did not end within {seconds:g} s") from None
        return time.monotonic() - started


def running(pids: list[int], seconds: float = 3.0) -> list[int]:
    """Return those of some processes that are still there after some seconds."""
    until = time.monotonic() + seconds * PATIENCE
    while (left := [pid for pid in pids if _is_running(pid)]) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _megabytes(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Lines(Process):
    """A server over stdio, started by another program where one stands ``before`` it.

    Every line that it writes must be JSON-RPC. ``refused`` are its errors about lines that are no requests. Its log is
    written to a file if one is given.
    """

    def __init__(
        self,
        root: Path,
        cache: Path,
        *options: str,
        before: Sequence[str] = (),
        log: Path = Path(os.devnull),
        **variables: str,
    ) -> None:
        with log.open("wb") as errors:
            super().__init__(
                subprocess.Popen(
                    [*before, *command(root, cache, *options)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment(**variables),
                )
            )
        self.lines = 0
        self.refused: list[str] = []
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._said: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.request("initialize", _HELLO, START_SECONDS)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.alive:
            self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def input(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def raw(self, line: bytes) -> None:
        self.input.write(line + b"\n")
        self.input.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        self.raw(json.dumps(message).encode())

    def ask(self, method: str, params: Mapping[str, Any]) -> int:
        """Send a request; return its number."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int, seconds: float = CALL_SECONDS) -> dict[str, Any]:
        """Return the answer to a request; the server is broken if there is none in time."""
        until = time.monotonic() + seconds
        while number not in self._answers:
            try:
                said = self._said.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Broken(f"no answer within {seconds:g} s") from None
            if said is None:
                raise Broken(f"the server ended with {self.process.wait(10)}")
            if isinstance(said, Exception):
                raise Broken(str(said)) from said
            if isinstance(said.get("id"), int):
                self._answers[said["id"]] = said
        return self._answers.pop(number)

    def request(self, method: str, params: Mapping[str, Any], seconds: float = CALL_SECONDS) -> dict[str, Any]:
        return self.answer(self.ask(method, params), seconds)

    def begin(self, tool: str, **arguments: object) -> int:
        """Send a call and do not wait for it; return its number."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def cancel(self, number: int) -> None:
        self.send(_cancelled(number))

    def call(self, tool: str, seconds: float = CALL_SECONDS, **arguments: object) -> Answer:
        started = time.monotonic()
        said = self.request("tools/call", {"name": tool, "arguments": arguments}, seconds)
        return answered(said, time.monotonic() - started)

    def end(self, seconds: float = 3.0) -> float:
        """End the input; return the seconds until the server is gone."""
        self.input.close()
        return self.gone(seconds)

    def _read(self) -> None:
        assert self.process.stdout is not None
        try:
            for line in self.process.stdout:
                message = json.loads(line)
                if message.get("jsonrpc") != "2.0":
                    raise ValueError(f"not JSON-RPC: {line[:80]!r}")
                self.lines += 1
                if message.get("id", 0) is None:
                    self.refused.append(message["error"]["message"])
                self._said.put(message)
        except ValueError as error:
            self._said.put(error)
        self._said.put(None)


def _cancelled(number: int) -> Mapping[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}


def answered(said: Mapping[str, Any], seconds: float) -> Answer:
    """Return the answer to a call as a client has it."""
    if "error" in said:
        return Answer(str(said["error"]["message"]), is_error=True, seconds=seconds)
    result = said["result"]
    return Answer(result["content"][0]["text"], bool(result["isError"]), seconds)


class Served(NamedTuple):
    """A server over HTTP that another process started."""

    port: int


class Web(Process):
    """A server over HTTP."""

    def __init__(
        self,
        root: Path,
        cache: Path,
        *options: str,
        before: Sequence[str] = (),
        log: Path = Path(os.devnull),
        **variables: str,
    ) -> None:
        self.port = serving.free_port()
        arguments = [*before, *command(root, cache, "--http", f"127.0.0.1:{self.port}", *options)]
        with log.open("wb") as errors:
            super().__init__(subprocess.Popen(arguments, env=environment(**variables), stderr=errors))
        until = time.monotonic() + START_SECONDS
        while not self._listens():
            if time.monotonic() > until or not self.alive:
                raise Broken("the server does not listen")
            time.sleep(0.05)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.alive:
            self.process.terminate()
            self.gone(10)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=2).close()
        except OSError:
            return False
        return True

    def status(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> int:
        """Send a request with these headers in place of the usual ones; return the status."""
        return serving.status(self.port, method, path, headers, body)


class Client:
    """A client over HTTP with a session of its own, or of the revision of MCP that has none."""

    def __init__(self, server: Web | Served, token: str = "", *, stateless: bool = False) -> None:
        self.server = server
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=CALL_SECONDS * 3)
        self._headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._number = 0
        self._used = time.monotonic()
        self._begun: list[http.client.HTTPConnection] = []
        self._stateless = stateless
        if not stateless:
            self.request("initialize", _HELLO)
            self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        if self._stateless:
            self._headers |= {"MCP-Protocol-Version": _STATELESS, "Mcp-Method": method, "Mcp-Name": params["name"]}
            params = {**params, "_meta": _ENVELOPE}
        body = self._post({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        for line in body.splitlines():
            message = json.loads(line.removeprefix("data: ")) if line.startswith(("data: {", "{")) else {}
            if message.get("id") == self._number:
                return dict(message)
        raise Broken(f"no answer in {body[:100]!r}")

    def begin(self, tool: str, **arguments: object) -> int:
        """Send a call on a connection of its own and do not wait for it; return its number."""
        self._number += 1
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=CALL_SECONDS * 3)
        message = {"id": self._number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), self._headers)
        self._begun.append(connection)
        return self._number

    def cancel(self, number: int) -> None:
        self._post(_cancelled(number))

    def call(self, tool: str, **arguments: object) -> Answer:
        started = time.monotonic()
        said = self.request("tools/call", {"name": tool, "arguments": arguments})
        return answered(said, time.monotonic() - started)

    def fetch(self, path: str, body: Mapping[str, Any] | None = None) -> str:
        """Return what the server has at a path of the page, or answers to a body that is posted there."""
        headers = {"Content-Type": "application/json"}
        self._connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        return self._connection.getresponse().read().decode(errors="replace")

    def close(self) -> None:
        for connection in (self._connection, *self._begun):
            connection.close()

    def _post(self, message: Mapping[str, Any]) -> str:
        if time.monotonic() - self._used > _IDLE_SECONDS:
            self._connection.close()  # it is opened again
        self._connection.request("POST", "/mcp", json.dumps(message), self._headers)
        response = self._connection.getresponse()
        session = response.getheader("mcp-session-id")
        if session:
            self._headers["mcp-session-id"] = session
        said = response.read().decode()
        self._used = time.monotonic()
        return said


@contextmanager
def connect(
    transport: str,
    root: Path,
    cache: Path,
    *options: str,
    before: Sequence[str] = (),
    log: Path = Path(os.devnull),
    **variables: str,
) -> Iterator[Lines | Client]:
    """Start a server over ``stdio`` or ``http`` and return a client of it, until the block ends."""
    if transport == "stdio":
        with Lines(root, cache, *options, before=before, log=log, **variables) as lines:
            yield lines
    else:
        web = Web(root, cache, *options, before=before, log=log, **variables)
        with web, closing(Client(web)) as client:
            yield client


def process_of(client: Lines | Client) -> Process:
    """Return the server that a client is connected to."""
    process = client if isinstance(client, Lines) else client.server
    assert isinstance(process, Process)
    return process
