"""Where a resident server listens: a socket in a folder that is its user's alone."""

from __future__ import annotations

import os
import socket
from typing import NamedTuple

from leadline_server.folders import is_private
from leadline_server.resident.wire import Connection, Request

_LONGEST_PATH = 100
"""Bytes of the path of a socket: macOS takes 103, Linux 107."""

_SOCKET = ".sock"


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
        """Tell whether the system has such sockets, and takes a path of this length."""
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


def addresses(folder: str) -> list[Address]:
    """Return the addresses in a folder at which servers of any kind listen, or did."""
    if not is_private(folder):
        return []
    return [
        Address(folder, name.removesuffix(_SOCKET)) for name in sorted(os.listdir(folder)) if name.endswith(_SOCKET)
    ]
