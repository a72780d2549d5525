"""Where a resident server listens: a socket in a folder that is its user's alone."""

from __future__ import annotations

import os
import socket
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

from leadline_server.resident.wire import Connection, Request

_LONGEST_PATH = 100
"""Bytes of the path of a socket: macOS takes 103, Linux 107."""

SOCKET, LOCK, LOG = ".sock", ".lock", ".log"


@dataclass(frozen=True, slots=True)
class Address:
    """The files of one server, which are named by its key: see ``command_line``."""

    folder: Path
    key: str

    @property
    def socket(self) -> Path:
        """Return where it listens."""
        return self.folder / f"{self.key}{SOCKET}"

    @property
    def lock(self) -> Path:
        """Return the file that it holds locked as long as it runs."""
        return self.folder / f"{self.key}{LOCK}"

    @property
    def log(self) -> Path:
        """Return where it writes its error stream."""
        return self.folder / f"{self.key}{LOG}"

    def request(self, request: Request) -> Connection | None:
        """Return a connection on which a server has accepted a request; None where there is no such server.

        Raises Lost where there is one that does not say whether it has.
        """
        connection = Connection.open(self.socket) if is_private(self.folder) else None
        if connection is None:
            return None
        accepted = False
        try:
            accepted = connection.request(request)
        finally:
            if not accepted:
                connection.close()
        return connection if accepted else None


def is_supported(folder: Path) -> bool:
    """Tell whether a server could listen in a folder."""
    path = Address(folder, "0" * 32).socket
    return hasattr(socket, "AF_UNIX") and os.name == "posix" and len(os.fsencode(path)) <= _LONGEST_PATH


def runtime_folder(named: Path | None = None) -> Path:
    """Return the folder of the sockets: the one that is named, the user's runtime folder, else one in the cache."""
    if named is not None:
        return Path(os.path.abspath(named))  # noqa: PTH100  links are left as they are: is_private refuses them
    import platformdirs

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns where there is none, which is usual
        try:
            folder = platformdirs.user_runtime_path("leadline", appauthor=False)
        except OSError:
            folder = Path()
    if folder.parent.is_dir() and is_own(folder.parent):
        return folder
    return platformdirs.user_cache_path("leadline", appauthor=False) / "run"


def make_folder(folder: Path) -> bool:
    """Make the folder of the sockets where there is none; tell whether it is there and its user's alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return is_private(folder)


def is_private(folder: Path) -> bool:
    """Tell whether a path is a folder, no link to one, that only its owner can look into, who is this user."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    shared = stat.S_IMODE(found.st_mode) & 0o077
    return os.name == "posix" and stat.S_ISDIR(found.st_mode) and not shared and found.st_uid == os.geteuid()


def is_own(folder: Path) -> bool:
    """Tell whether a folder belongs to this user."""
    return os.name == "posix" and folder.stat().st_uid == os.geteuid()


def addresses(folder: Path) -> list[Address]:
    """Return the addresses at which servers of any kind listen, or did."""
    if not is_private(folder):
        return []
    return [Address(folder, path.stem) for path in sorted(folder.glob(f"*{SOCKET}"))]
