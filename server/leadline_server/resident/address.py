"""The address of a resident server: a socket in a folder that is its user's alone."""

from __future__ import annotations

import os
import socket
import stat
from typing import NamedTuple

from leadline_server.folders import is_private
from leadline_server.resident.wire import Connection, Request

_LONGEST_PATH = 100
"""Bytes of the path of a socket: macOS takes 103, Linux 107."""

_SOCKET = ".sock"

_KEY = 32
"""Characters of a key."""

_ANOTHER = "set --runtime-dir or LEADLINE_RUNTIME_DIR to a folder of your own"


class Address(NamedTuple):
    """The files of one server, in a folder for all of them, named by its key: see ``command_line``."""

    folder: str
    key: str

    @property
    def socket(self) -> str:
        """Return where it listens."""
        return os.path.join(self.folder, f"{self.key}{_SOCKET}")

    @property
    def lock(self) -> str:
        """Return the file that it holds locked as long as it runs."""
        return os.path.join(self.folder, f"{self.key}.lock")

    @property
    def log(self) -> str:
        """Return where it writes its error stream."""
        return os.path.join(self.folder, f"{self.key}.log")

    @property
    def is_possible(self) -> bool:
        """Return whether the system has such sockets, and takes a path of this length."""
        return hasattr(socket, "AF_UNIX") and os.name == "posix" and len(os.fsencode(self.socket)) <= _LONGEST_PATH

    def request(self, request: Request) -> Connection | None:
        """Return a connection on which a server has accepted a request; None where there is no such server.

        Raises Lost where there is one that does not say whether it has.
        """
        connection = Connection.connect(self.socket) if is_private(self.folder) else None
        if connection is None:
            return None
        accepted = False
        try:
            accepted = connection.request(request)
        finally:
            if not accepted:
                connection.close()
        return connection if accepted else None


def find_obstacle(folder: str) -> str:
    """Return why no server can listen in a folder, and what to do, in one sentence; empty where one can.

    A system without such sockets is no obstacle: nothing can be done there.
    """
    if not hasattr(socket, "AF_UNIX") or os.name != "posix":
        return ""
    if not Address(folder, "0" * _KEY).is_possible:
        return f"the path {folder} is too long for a socket: {_ANOTHER} with a shorter path"
    if is_private(folder):
        return ""
    try:
        problem = _problem_of(folder, os.lstat(folder))
    except FileNotFoundError:
        problem = "" if _can_be_made(folder) else f"cannot be created: {_ANOTHER}"
    except OSError as error:
        problem = f"cannot be created ({error.strerror}): {_ANOTHER}"
    return f"{folder} {problem}" if problem else ""


def _problem_of(folder: str, found: os.stat_result) -> str:
    """Return why a place with a status is not a folder that is its user's alone, and what to do."""
    if not stat.S_ISDIR(found.st_mode):
        return f"is not a folder, or is a link to one: {_ANOTHER}"
    if found.st_uid != os.geteuid():
        return f"belongs to another user: {_ANOTHER}"
    return f"is open to other users (mode {stat.S_IMODE(found.st_mode):04o}): run chmod 700 {folder}"


def _can_be_made(folder: str) -> bool:
    """Return whether a folder that there is not can be made."""
    above = folder
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    return os.path.isdir(above) and os.access(above, os.W_OK)


def addresses(folder: str) -> list[Address]:
    """Return the addresses in a folder at which servers of any kind listen, or did."""
    if not is_private(folder):
        return []
    return [
        Address(folder, name.removesuffix(_SOCKET)) for name in sorted(os.listdir(folder)) if name.endswith(_SOCKET)
    ]
