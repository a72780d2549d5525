"""The wait of a call for the index: until all symbols are known, if they can be in the time that there is."""

from __future__ import annotations

import time

from leadline_tools import cancellation
from leadline_tools.index.index import Index

_TRIAL_SECONDS = 2.0
"""Seconds after which the progress so far tells how long the rest takes: workers start, and rows come in batches."""

_ACCELERATION = 2
"""How many times as fast the rest may go: the first files wait for the workers."""


def wait_for_symbols(index: Index, until: float) -> bool:
    """Wait until every file of an index is read and parsed; return whether that is so.

    What cannot be done by ``until``, a time of the monotonic clock, is not waited for: after some seconds, the progress
    so far tells. Raises Cancelled.
    """
    if index.wait(0):
        return True
    started = time.monotonic()
    first = index.coverage().known
    while not index.wait(min(cancellation.CHECK_SECONDS, max(0.0, until - time.monotonic()))):
        cancellation.check()
        coverage, now = index.coverage(), time.monotonic()
        passed, gained = now - started, coverage.known - first
        missing = 2 * coverage.files - coverage.known
        if now >= until or (passed > _TRIAL_SECONDS and missing * passed > _ACCELERATION * gained * (until - now)):
            return False
    return True
