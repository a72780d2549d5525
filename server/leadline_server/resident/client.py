"""A call as its resident server answers it: by one that runs, or by one that is started for it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable

from leadline_server.folders import is_private
from leadline_server.resident.address import Address
from leadline_server.resident.command_line import CommandLine, variables_of_calls
from leadline_server.resident.wire import Connection, Lost, Reply, Request, Status

_START_SECONDS = 10.0
"""Seconds that a server has to listen: it does so before it imports what takes long."""

_STATUS_SECONDS = 5.0
"""Seconds that a server has to say how it is: one that has just begun opens its index first."""

_END_SECONDS = 5.0
"""Seconds that a server has to end; then it is killed, which its index survives."""

_POLL_SECONDS = 0.01


def ask_running(line: CommandLine) -> Reply | None:
    """Return the answer of the server that runs; None where none does.

    Raises Lost where it has the call and does not answer.
    """
    connection = line.address.request(line.request)
    return None if connection is None else _reply(connection)


def ask_started(line: CommandLine) -> Reply | None:
    """Return the answer of a server that is started where none runs; None where none can be started.

    Raises Lost where it has the call and does not answer.
    """
    if not _make_folder(line.address.folder):
        return None
    connection = line.address.request(line.request) or _start(line)
    return None if connection is None else _reply(connection)


def may_write(arguments: Iterable[str]) -> bool:
    """Return whether a call with such arguments may write, so that it must not be made twice."""
    return any(word.lstrip("-").startswith("apply=") for word in arguments)


def ask_status(address: Address) -> Status | None:
    """Return what a server says of itself; None where none answers."""
    return _status(address, "status")


def end_server(address: Address) -> None:
    """End a server, also one that does not answer."""
    import signal

    from leadline_server.resident.lock import holder, remove_if_dead

    until = time.monotonic() + (_END_SECONDS if _status(address, "stop") is not None else 0.0)
    while not remove_if_dead(address):
        if time.monotonic() > until and (process := holder(address)) is not None:
            os.kill(process, signal.SIGKILL)
        time.sleep(_POLL_SECONDS)


def _reply(connection: Connection) -> Reply:
    with connection:
        return connection.answer(Reply)


def _status(address: Address, kind: str) -> Status | None:
    try:
        connection = address.request(Request(kind, []))
        if connection is None:
            return None
        with connection:
            return connection.answer(Status, _STATUS_SECONDS)
    except Lost:
        return None


def _make_folder(folder: str) -> bool:
    """Make the folder of the sockets where there is none; return whether it exists and is private to its user."""
    from pathlib import Path

    try:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return is_private(folder)


def _start(line: CommandLine) -> Connection | None:
    """Start a server and return a connection on which it has accepted the request.

    Of several that are started at once one listens, and the others end.
    """
    import subprocess

    variables = variables_of_calls()
    process = subprocess.Popen(  # noqa: S603  this package, by the running interpreter
        _command(line),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name not in variables},
        start_new_session=True,
    )
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        ended = process.poll()
        connection = line.address.request(line.request)
        if connection is not None or ended:
            return connection
        time.sleep(_POLL_SECONDS)
    return None


def _command(line: CommandLine) -> list[str]:
    """Return the command that starts a server; ``-P`` keeps modules of the current folder out of it."""
    named = ("--config", line.configuration) if line.configuration else ()
    return [sys.executable, "-P", "-m", "leadline_server", *named, "resident", *line.address, "--", *line.options]
