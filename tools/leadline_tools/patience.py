"""The patience of the call under way: how long it may take, and how far it has come.

A *patience* is a deadline on the monotonic clock. A question that is complete before it returns at once; one that is
not returns what it has when the deadline passes. Outside of a call every question has a patience of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

DEFAULT_SECONDS: Final = 10.0
"""Seconds of wall clock that a question may take unless the caller or the configuration says otherwise."""

Returned = TypeVar("Returned")


class Patience:
    """The time that one call may take.

    Attributes:
        seconds: How long it may take.
        deadline: The end of that, in seconds of the monotonic clock.
        cut_short: Whether a search that the answer rests on has ended before it was complete.
        done: How many files the call has examined so far.
        total: How many files it has to examine; 0 while that is unknown.

    """

    __slots__ = ("cut_short", "deadline", "done", "seconds", "total")

    def __init__(self, seconds: float = DEFAULT_SECONDS) -> None:
        self.seconds = seconds
        self.deadline = time.monotonic() + seconds
        self.cut_short = False
        self.done = 0
        self.total = 0

    def advance(self, done: int, total: int) -> None:
        """Record that ``done`` of ``total`` files are examined; another thread may read it at any time."""
        self.done, self.total = done, total

    def run(self, function: Callable[[], Returned]) -> Returned:
        """Call a function that has this patience."""
        before = _CURRENT.set(self)
        try:
            return function()
        finally:
            _CURRENT.reset(before)


_CURRENT: ContextVar[Patience | None] = ContextVar("leadline-patience", default=None)


def current() -> Patience:
    """Return the patience of the call under way; outside of calls a new one of ``DEFAULT_SECONDS``."""
    return _CURRENT.get() or Patience()


@contextmanager
def patient() -> Iterator[Patience]:
    """Give the block the patience of the call under way, so that all its questions share one deadline."""
    patience = current()
    before = _CURRENT.set(patience)
    try:
        yield patience
    finally:
        _CURRENT.reset(before)
