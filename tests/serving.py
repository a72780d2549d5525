"""Servers over HTTP, in a thread of the tests or as processes; and requests as no library would send them."""

from __future__ import annotations

import http.client
import secrets
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp.server.lowlevel import Server
from starlette.types import ASGIApp

from leadline_server.gate import Address
from leadline_server.http import application

DEADLINE = 60.0
"""Seconds after which a server that does not end is given up."""

_PORTS = range(20_000, 32_000)
"""Below those that systems give to connections: 32,768 to 60,999 on Linux, from 49,152 elsewhere."""


@contextmanager
def listening(server: Server[Any], *, stateless: bool = False) -> Iterator[int]:
    """Serve until the block ends; give the port."""
    with in_thread(lambda port: application(server, Address("127.0.0.1", port, stateless=stateless))) as port:
        yield port


@contextmanager
def in_thread(made: Callable[[int], ASGIApp]) -> Iterator[int]:
    """Serve what is made for a port until the block ends; give the port."""
    config = uvicorn.Config("", host="127.0.0.1", port=0, http="h11", log_level="warning", lifespan="on", ws="none")
    with config.bind_socket() as bound:
        bound.listen()  # a request may come before the thread has begun to accept
        port = bound.getsockname()[1]
        config.app = made(port)
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, args=([bound],))
        thread.start()
        yield port
        running.should_exit = True
        thread.join(DEADLINE)


def free_port() -> int:
    """Return a port of the loopback that nobody listens on, and that no connection gets before a server does."""
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def process(
    command: Sequence[str], port: int, environment: Mapping[str, str], log: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server that listens on ``port`` until the block ends, unless the test ends it."""
    with log.open("ab") if log is not None else nullcontext() as errors:
        server = subprocess.Popen(command, env=environment, stderr=errors)
    try:
        assert any(_accepts(port, server) for _ in range(1_200)), "the server does not listen"
        yield server
    finally:
        server.terminate()
        assert server.wait(DEADLINE) is not None


def _accepts(port: int, server: subprocess.Popen[bytes]) -> bool:
    """Return whether a server accepts connections; if not, a moment is given to it, and its death is noticed."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        try:
            pytest.fail(f"the server ended with {server.wait(0.05)}")
        except subprocess.TimeoutExpired:
            return False
    return True


def status(port: int, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> int:
    """Send a request with these headers in place of the usual ones; return the status."""
    usual = {
        "Host": f"127.0.0.1:{port}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {**usual, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    try:
        return connection.getresponse().status
    finally:
        connection.close()
