"""A server over HTTP in a thread of the tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server

from leadline_server.gate import Address
from leadline_server.http import application

DEADLINE = 60.0
"""Seconds after which a server that does not end is given up."""


@contextmanager
def listening(server: Server[Any]) -> Iterator[int]:
    """Serve until the block ends; give the port."""
    config = uvicorn.Config("", host="127.0.0.1", port=0, log_level="warning", lifespan="on", ws="none")
    with config.bind_socket() as socket:
        port = socket.getsockname()[1]
        config.app = application(server, Address("127.0.0.1", port))
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, args=([socket],))
        thread.start()
        yield port
        running.should_exit = True
        thread.join(DEADLINE)
