"""The protocol between a call and its resident server: lines of JSON over a Unix socket.

A request is one line. The server accepts it with a line of its own, then sends one with the answer. A connection that
ends before a request is accepted has had no effect, so the request can be sent again.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import time
from typing import Any, NamedTuple, Self, TypeVar

PROTOCOL = 1
"""The version of what is sent; it is part of a server's key, so that two versions never meet."""

LONGEST_REQUEST = 4 << 20
"""Bytes of a request: what HTTP accepts too."""

LONGEST_REPLY = 64 << 20
"""Bytes of a reply, which is an answer within its budget: far more than any has."""

_ACCEPT_SECONDS = 3.0
"""Seconds that a server has to accept a request: it does so before it looks at what it asks."""

_XUCRED = struct.Struct("II")
"""The version and the user in the credentials of a peer on macOS."""

_UCRED = struct.Struct("iII")
"""Process, user and group in the credentials of a peer on Linux."""


class Request(NamedTuple):
    """What a server is to do.

    Attributes:
        kind: ``call``, ``status`` or ``stop``.
        words: Of a call: its own options, its tool and its arguments, as on the command line.

    """

    kind: str
    words: list[str]


class Accepted(NamedTuple):
    """The server has a request, and will answer it."""

    protocol: int


class Reply(NamedTuple):
    """What ``leadline call`` prints.

    Attributes:
        out: The answer.
        code: The exit code.
        usage: What is wrong with the command line; empty where nothing is.
        warning: What the user should know besides the answer, for the error stream.

    """

    out: str
    code: int = 0
    usage: str = ""
    warning: str = ""


class Status(NamedTuple):
    """What a server says of itself.

    Attributes:
        pid: Its process.
        version: The version of Leadline that it runs.
        roots: Its roots, as they are given to ``--root``.
        options: Its options, as on the command line.
        started: When it was started, in seconds since 1970.
        idle: Seconds since its last call ended; 0 while it answers one.
        ends_after: Idle seconds after which it ends.
        calls: Calls so far.
        memory: Bytes that it and its workers have resident.

    """

    pid: int
    version: str
    roots: list[str]
    options: list[str]
    started: float
    idle: float
    ends_after: float
    calls: int
    memory: int


Line = TypeVar("Line", Request, Accepted, Reply, Status)


def encode(line: Request | Accepted | Reply | Status) -> bytes:
    """Return what is sent: a JSON object on one line."""
    return json.dumps(line._asdict()).encode() + b"\n"


def decode(kind: type[Line], line: bytes) -> Line:
    """Return what a line holds; raises ValueError where it is no such line."""
    fields = json.loads(line)
    if not line.endswith(b"\n") or not isinstance(fields, dict):
        raise ValueError("the line is not complete")
    try:
        return kind(**{name: fields[name] for name in kind._fields if name in fields})
    except TypeError as error:
        raise ValueError(str(error)) from None


class Lost(Exception):  # noqa: N818  the caller decides whether it is an error
    """A server has a request, or may have it, and does not answer."""


class Connection:
    """One connection to a server of the same user."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._read = b""

    @classmethod
    def connect(cls, path: str) -> Connection | None:
        """Connect to the socket at ``path``; None where no server listens, or that of another user."""
        connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connecting.settimeout(_ACCEPT_SECONDS)
            connecting.connect(path)
            if is_same_user(connecting):
                return cls(connecting)
        except OSError:
            pass
        connecting.close()
        return None

    def __enter__(self) -> Self:
        """Return the connection, which is closed after the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; a call that it waited for is cancelled."""
        self._socket.close()

    def request(self, request: Request) -> bool:
        """Send a request; return whether it was accepted by a server that speaks the same protocol.

        Raises Lost where the server is silent: it may look at the request later.
        """
        try:
            self._socket.sendall(encode(request))
            return decode(Accepted, self._line(time.monotonic() + _ACCEPT_SECONDS)).protocol == PROTOCOL
        except TimeoutError:
            raise Lost("the server does not answer") from None
        except (OSError, ValueError, Lost):
            return False

    def answer(self, kind: type[Line], seconds: float | None = None) -> Line:
        """Return the line that answers a request, waiting as long as it takes or some seconds; raises Lost."""
        try:
            return decode(kind, self._line(None if seconds is None else time.monotonic() + seconds))
        except (OSError, ValueError) as error:
            raise Lost(str(error)) from None

    def _line(self, until: float | None) -> bytes:
        while b"\n" not in self._read:
            self._socket.settimeout(None if until is None else max(0.001, until - time.monotonic()))
            received = self._socket.recv(1 << 16)
            if not received or len(self._read) > LONGEST_REPLY:
                raise Lost("the connection ended")
            self._read += received
        line, _, self._read = self._read.partition(b"\n")
        return line + b"\n"


def is_same_user(connected: socket.socket) -> bool:
    """Return whether the process at the other end belongs to this user, where the system says whose it is."""
    if sys.platform == "win32":
        return False
    try:
        return _peer_user(connected) in {os.geteuid(), None}
    except OSError:
        return False


def _peer_user(connected: Any) -> int | None:
    """Return the user of the process at the other end; None where the system does not say."""
    if sys.platform == "linux":
        _, user, _ = _UCRED.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    elif sys.platform == "darwin":
        local, credentials = 0, 1  # SOL_LOCAL and LOCAL_PEERCRED, which Python has no names for
        _, user = _XUCRED.unpack_from(connected.getsockopt(local, credentials, 256))
    else:
        return None
    return int(user)
