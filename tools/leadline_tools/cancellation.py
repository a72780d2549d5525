"""The cancellation of the call under way: whether anybody still waits for it.

A thread cannot be stopped from outside. So a call runs under a token, and every loop that may take long checks it: once
a file, say. A call that nobody waits for any more then ends by an exception that no tool catches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, TypeVar

CHECK_SECONDS: Final = 0.2
"""Seconds between two checks of what only waits: a fifth of the second within which a cancelled call ends."""

Returned = TypeVar("Returned")


class Cancelled(Exception):  # noqa: N818  it is no error
    """Nobody waits for the answer any more."""


class Token:
    """One call, as long as somebody waits for it."""

    __slots__ = ("_cancelled",)

    def __init__(self) -> None:
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Return whether nobody waits any more."""
        return self._cancelled

    def cancel(self) -> None:
        """Say that nobody waits any more; calls that have ended do not mind."""
        self._cancelled = True

    def run(self, function: Callable[[], Returned]) -> Returned:
        """Call a function under this token; raises Cancelled where a check finds it cancelled."""
        before = _CURRENT.set(self)
        try:
            return function()
        finally:
            _CURRENT.reset(before)


class Deadline(Token):
    """A part of the call under way that ends at a time of the monotonic clock as if nobody waited for it any more."""

    __slots__ = ("_call", "_until")

    def __init__(self, until: float) -> None:
        super().__init__()
        self._call = current()
        self._until = until

    @property
    def cancelled(self) -> bool:
        """Return whether the time is over, or nobody waits for the call."""
        return self._call.cancelled or time.monotonic() > self._until


_CURRENT: ContextVar[Token] = ContextVar("leadline-call", default=Token())  # noqa: B039  never cancelled


def current() -> Token:
    """Return the token of the call under way; outside of calls, one that is never cancelled."""
    return _CURRENT.get()


def check() -> None:
    """Raise Cancelled if nobody waits for the call under way."""
    if _CURRENT.get().cancelled:
        raise Cancelled
