"""The *shortage* of descriptors: the system lets the process open no more files, so files of a tree are not read."""

from __future__ import annotations

import errno
import threading

_ERRORS = frozenset({errno.EMFILE, errno.ENFILE})

_lock = threading.Lock()
_count = 0


def is_shortage(error: OSError) -> bool:
    """Return whether the system refuses since too many files are open."""
    return error.errno in _ERRORS


def note_shortage() -> None:
    """Note that a file could not be read for that reason."""
    global _count
    with _lock:
        _count += 1


def count_shortages() -> int:
    """Return how often that was so in this process."""
    return _count
