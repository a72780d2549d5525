"""Freed memory and its return to the system: glibc keeps it, in more places than a server needs.

Python looks for what it can free more often than that is worth.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import mmap
import os
import sys
import time
from pathlib import Path

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of ``mallopt``, as ``malloc.h`` of glibc numbers them."""

_BLOCK = 256 << 10
"""Bytes from which on a block is memory of its own, which goes back as it is freed. Left alone, glibc raises this up
to 32 MB with every such block: the names of a large index then lie between holes of as many bytes."""

_ARENAS = 2
"""Places that threads take memory from; glibc makes eight for each processor, and returns memory of the first only."""

_NEW_OBJECTS = 10_000
"""Objects after which those that refer to each other are looked for: an answer makes thousands, and hardly any such."""

_PAUSE_SECONDS = 1.0
"""Seconds between two trims of free memory between used blocks; one takes up to 4 ms."""


def configure_malloc() -> None:
    """Have freed memory go back to the system; where the C library is another, nothing happens."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            mallopt = ctypes.CDLL(None).mallopt
            for parameter, value in ((_MMAP_THRESHOLD, _BLOCK), (_TRIM_THRESHOLD, _BLOCK), (_ARENA_MAX, _ARENAS)):
                mallopt(parameter, value)


def collect_seldom() -> None:
    """Have Python look seldom for objects that only refer to each other, and never among what is imported by now."""
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def resident_bytes() -> int:
    """Return how many bytes this process and those that it started have in memory now; 0 where nothing says it."""
    pids = [os.getpid()]
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                pids.extend(map(int, children.read_text(encoding="ascii").split()))
    return total * mmap.PAGESIZE


class FreeMemory:
    """Free memory between used blocks: it is returned only by an explicit trim."""

    def __init__(self) -> None:
        self._trimmed = time.monotonic()

    def trim(self) -> None:
        """Return it to the system, at most once a second; with another C library, nothing happens."""
        now = time.monotonic()
        if sys.platform == "linux" and now > self._trimmed + _PAUSE_SECONDS:
            self._trimmed = now
            with contextlib.suppress(OSError, AttributeError):
                ctypes.CDLL(None).malloc_trim(0)
