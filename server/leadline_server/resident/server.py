"""The resident server: it answers calls of the console with one session, and ends when it is idle for long."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leadline_server import __version__
from leadline_server.lifecycle import exit_on_signals
from leadline_server.memory import resident_bytes
from leadline_server.model_name import model_problem
from leadline_server.resident.address import Address
from leadline_server.resident.lock import hold_lock, remove
from leadline_server.resident.wire import (
    LONGEST_REQUEST,
    PROTOCOL,
    Accepted,
    Reply,
    Request,
    Status,
    decode,
    encode,
    is_same_user,
)

if TYPE_CHECKING:
    from leadline_server import call
    from leadline_server.config import Config

_REQUEST_SECONDS = 10.0
"""Seconds in which a client sends its request once it has connected."""

_CHECK_SECONDS = 2.0
"""How often a server that waits looks whether it can still be reached."""

_CLOSE_SECONDS = 3.0
"""Seconds in which the index is closed; whatever ends it later is no different from a kill, which it survives."""

_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class Question:
    """A call of the console as the command line puts it: the request, and the options with which it is answered."""

    request: call.Request
    config: Config


@dataclass(frozen=True, slots=True)
class Options:
    """What a resident server was started with.

    Args:
        config: The options of its session.
        read: Reads the words of a call; raises UsageError.
        roots: The roots, as they are given to ``--root``.
        words: All options, as on the command line.
        idle_seconds: Seconds without a call after which it ends.

    """

    config: Config
    read: Callable[[Sequence[str]], Question]
    roots: Sequence[str]
    words: Sequence[str]
    idle_seconds: float


def serve(address: Address, options: Callable[[], Options]) -> bool:
    """Serve until the server is idle for a while or is stopped, then end the process; return where another serves.

    Args:
        address: Where to listen.
        options: Reads what the server was started with, once it listens: that takes long.

    """
    with hold_lock(address) as lock:
        if lock is not None:
            listener = _listen(address)
            _write_errors(address)
            asyncio.run(_Server(address, lock, options).run(listener))
    return lock is not None


def _listen(address: Address) -> socket.socket:
    """Return a socket that listens; its path appears once clients can connect."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    new = Path(address.folder) / f".{address.key}.new"
    new.unlink(missing_ok=True)
    before = os.umask(0o077)
    try:
        listener.bind(os.fspath(new))
    finally:
        os.umask(before)
    listener.listen(_BACKLOG)
    new.replace(address.socket)
    return listener


def _write_errors(address: Address) -> None:
    """Have the error stream go to the log of this server, which is deleted when it ends."""
    descriptor = os.open(address.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    os.dup2(descriptor, 2)
    os.close(descriptor)


class _Server:
    def __init__(self, address: Address, lock: int, options: Callable[[], Options]) -> None:
        self._address = address
        self._lock = lock
        self._options = options
        self._stopped = asyncio.Event()
        self._started = time.time()
        self._last = time.monotonic()
        self._under_way = self._number = 0
        self._open_session: _OpenSession | None = None
        self._bound = Path(address.socket).stat()

    async def run(self, listener: socket.socket) -> None:
        """Serve, and end the process."""
        exit_on_signals(self._close)
        opening = asyncio.get_running_loop().run_in_executor(None, self._open)
        self._opening = asyncio.ensure_future(opening)
        await asyncio.start_unix_server(self._handle_connection, sock=listener, limit=LONGEST_REQUEST)
        await self._wait_for_the_end()
        threading.Timer(_CLOSE_SECONDS, os._exit, (0,)).start()
        self._close()
        os._exit(0)  # threads of abandoned calls are not waited for

    def _open(self) -> _OpenSession:
        """Open the session: what takes long to import or to open is not waited for before a request is accepted."""
        self._open_session = _OpenSession(self._options())
        return self._open_session

    def _close(self) -> None:
        remove(self._address, self._lock, lock=False)
        if self._open_session is not None:
            self._open_session.close()
        remove(self._address, self._lock)

    async def _wait_for_the_end(self) -> None:
        """Wait until the server is idle for long, is stopped, cannot be reached, or cannot open its session."""
        options = (await self._opening).options
        while not self._stopped.is_set() and (left := options.idle_seconds - self._idle()) > 0:
            if not (self._under_way or self._is_reachable()):
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), min(left, _CHECK_SECONDS))
        self._stopped.set()

    def _is_reachable(self) -> bool:
        """Return whether the socket is still at its path: it may have been deleted."""
        try:
            return os.path.samestat(Path(self._address.socket).stat(), self._bound)
        except OSError:
            return False

    def _idle(self) -> float:
        return 0.0 if self._under_way else time.monotonic() - self._last

    async def _handle_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the one request of a connection, unless it is from another user or invalid."""
        try:
            if not is_same_user(writer.get_extra_info("socket")):
                return
            line = await asyncio.wait_for(reader.readline(), _REQUEST_SECONDS)
            request = decode(Request, line)
            if not self._stopped.is_set():
                writer.write(encode(Accepted(PROTOCOL)))
                await self._answer(request, reader, writer)
        except (OSError, ValueError, TimeoutError):
            pass
        finally:
            writer.close()

    async def _answer(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if request.kind == "call":
            await self._call(request.words, reader, writer)
        elif request.kind in {"status", "stop"}:
            writer.write(encode(self._status((await asyncio.shield(self._opening)).options)))
            await writer.drain()
            if request.kind == "stop":
                self._stopped.set()

    def _status(self, options: Options) -> Status:
        return Status(
            os.getpid(),
            __version__,
            list(options.roots),
            list(options.words),
            self._started,
            self._idle(),
            options.idle_seconds,
            self._number,
            resident_bytes(),
        )

    async def _call(self, words: Sequence[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a call; where its client is gone, cancel it."""
        self._under_way += 1
        self._number += 1
        try:
            answer = asyncio.ensure_future(self._reply(words))
            gone = asyncio.ensure_future(reader.read(1))
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                answer.cancel()
            else:
                gone.cancel()
                writer.write(encode(answer.result()))
                await writer.drain()
        finally:
            self._under_way -= 1
            self._last = time.monotonic()

    async def _reply(self, words: Sequence[str]) -> Reply:
        opened = await asyncio.shield(self._opening)
        try:
            question = opened.options.read(words)
        except click.UsageError as error:
            return Reply("", error.exit_code, error.format_message())
        response = await opened.calls.answer(question.request, call=lambda request: opened.answer(request, question))
        return Reply(response.text, 1 if response.is_error else 0, warning=model_problem(question.config.model))


class _OpenSession:
    """The session of a server, once it is open."""

    def __init__(self, options: Options) -> None:
        import leadline_server.registry  # noqa: F401  declares the tools
        from leadline_server import running
        from leadline_server.call_runner import CallRunner

        self.options = options
        running.prepare()
        self._running = contextlib.ExitStack()
        self._session = self._running.enter_context(running.session(options.config))
        self._session.index.facts.build_later()
        self.calls = CallRunner(self._session)

    def close(self) -> None:
        """Close the session."""
        self._running.close()

    def answer(self, request: call.Request, question: Question) -> call.Response:
        """Answer a request with the options of its call."""
        from leadline_server.running import answer_console

        return answer_console(self._session.with_config(question.config), request)
