"""The lock that a resident server holds as long as it runs: of several for one key, one serves."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from leadline_server.resident.address import Address
from leadline_server.resident.wire import Connection

_SECONDS = 5.0
"""Seconds in which a server that ends releases its lock."""

_POLL_SECONDS = 0.02


@contextmanager
def hold_lock(address: Address) -> Iterator[int | None]:
    """Hold the lock of a server during the block; yields its descriptor, None where another server holds it."""
    until = time.monotonic() + _SECONDS
    descriptor = _lock(address.lock)
    while descriptor is None and time.monotonic() < until and not _is_served(address):
        time.sleep(_POLL_SECONDS)
        descriptor = _lock(address.lock)
    if descriptor is None:
        yield None
        return
    try:
        os.ftruncate(descriptor, 0)  # one that was killed has left its own
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield descriptor
    finally:
        remove(address, descriptor)
        os.close(descriptor)


def remove(address: Address, descriptor: int, *, lock: bool = True) -> None:
    """Delete the files of a server whose lock is held, the lock itself only where that is wanted.

    Where the lock was deleted, the files belong to another server, and stay.
    """
    if _is_at(address.lock, descriptor):
        for path in (address.socket, *((address.log, address.lock) if lock else ())):
            with contextlib.suppress(OSError):
                Path(path).unlink()


def remove_if_dead(address: Address) -> bool:
    """Delete the files of a server that does not run; return whether it did not."""
    descriptor = _lock(address.lock)
    if descriptor is not None:
        remove(address, descriptor)
        os.close(descriptor)
    return descriptor is not None


def holder(address: Address) -> int | None:
    """Return the process that holds the lock of a server; None where none does."""
    with contextlib.suppress(OSError, ValueError):
        found = int(Path(address.lock).read_text(encoding="ascii"))
        descriptor = _lock(address.lock, make=False)
        if descriptor is None:
            return found
        os.close(descriptor)
    return None


def _is_served(address: Address) -> bool:
    connection = Connection.connect(address.socket)
    if connection is not None:
        connection.close()
    return connection is not None


def _lock(path: str, *, make: bool = True) -> int | None:
    """Open a file and lock it; None where another process has it locked, or deletes it at this moment."""
    import fcntl

    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | (os.O_CREAT if make else 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(path, descriptor):
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def _is_at(path: str, descriptor: int) -> bool:
    """Return whether the file that is open is still the one at ``path``."""
    opened = os.fstat(descriptor)
    with contextlib.suppress(OSError):
        here = Path(path).stat()
        return (here.st_dev, here.st_ino) == (opened.st_dev, opened.st_ino)
    return False
