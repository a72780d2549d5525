"""The state of a file on the disk: what shows that it has not changed."""

from __future__ import annotations

import os
import time

SETTLED_SECONDS = 2.0
"""Seconds after which two changes of a file have two times, whatever the file system."""


def state_of(status: os.stat_result) -> tuple[int, ...]:
    """Return what identifies one state of a file."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def settled_state(status: os.stat_result) -> tuple[int, ...] | None:
    """Return the same; None for a file that was changed a moment ago, within what the system's clock tells apart."""
    settled = time.time() - max(status.st_mtime, status.st_ctime) > SETTLED_SECONDS
    return state_of(status) if settled else None
