"""The queue of events that Linux keeps for the folders that a process watches: inotify(7).

The kernel puts an event into the queue before the call that caused it returns. So whoever reads the queue knows all
that happened before, without a thread and without waiting.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

MODIFY = 0x2
ATTRIB = 0x4
CLOSE_WRITE = 0x8
MOVED_FROM = 0x40
MOVED_TO = 0x80
CREATE = 0x100
DELETE = 0x200
UNMOUNT = 0x2000
OVERFLOW = 0x4000
IGNORED = 0x8000
IS_FOLDER = 0x40000000

_ONLY_FOLDERS = 0x01000000
_NO_LINKS = 0x02000000
_NOT_UNLINKED = 0x04000000

_WATCHED = MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE
"""``CLOSE_WRITE`` is there for what is written through mapped memory, which causes no ``MODIFY``."""

_HEAD = struct.Struct("iIII")
_LARGEST = _HEAD.size + 256
"""Bytes of the largest event. A read that leaves room for one has emptied the queue."""

_CHUNK = 1 << 18


class Event(NamedTuple):
    """Something that happened in the folder of ``watch``, to the entry ``name`` or, where that is empty, to itself."""

    watch: int
    mask: int
    name: str


class Inotify:
    """One queue. Raises OSError where the system has none or gives no more of them."""

    def __init__(self) -> None:
        self._library: Any = _library()
        self._descriptor: int = self._call(self._library.inotify_init1, os.O_NONBLOCK | os.O_CLOEXEC)

    def add(self, folder: str) -> int:
        """Watch a folder and return the number of the watch, which is one for one inode; raises OSError."""
        mask = _WATCHED | _ONLY_FOLDERS | _NO_LINKS | _NOT_UNLINKED
        return self._call(self._library.inotify_add_watch, self._descriptor, os.fsencode(folder), mask)

    def remove(self, watch: int) -> None:
        """Watch a folder no longer; a watch that has ended by itself is no error."""
        self._library.inotify_rm_watch(self._descriptor, watch)

    def events(self) -> Iterator[Event]:
        """Yield what has been in the queue, which is empty from then on."""
        read = self._emptied()
        at = 0
        while at < len(read):
            watch, mask, _, length = _HEAD.unpack_from(read, at)
            at += _HEAD.size + length
            yield Event(watch, mask, os.fsdecode(read[at - length : at].rstrip(b"\0")))

    def _emptied(self) -> bytes:
        chunks: list[bytes] = []
        with suppress(BlockingIOError):
            # All is read before any of it is looked at, so that no storm of events can outrun the reader.
            while not chunks or len(chunks[-1]) > _CHUNK - _LARGEST:
                chunks.append(os.read(self._descriptor, _CHUNK))
        return b"".join(chunks)

    def close(self) -> None:
        """Give the queue back, once."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    @staticmethod
    def _call(function: Callable[..., int], *arguments: object) -> int:
        result = function(*arguments)
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result


def _library() -> ctypes.CDLL:
    """Return the C library; raises OSError where it has no inotify."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None, use_errno=True)
        if hasattr(library, "inotify_init1"):
            return library
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
