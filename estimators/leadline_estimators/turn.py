"""The budget of one turn: all calls that a model makes before it answers share it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

FLOOR = 60
"""O200k tokens below which no answer says anything."""

IDLE = 60.0
"""Seconds without a call after which a turn has ended."""


@dataclass(slots=True)
class Grant:
    """What one call may cost.

    Args:
        tokens: The most that it may cost.
        counts: False where this is a floor answer: the turn has nothing left, and the call is free.
        used: What it did cost; None until that is known.
    """

    tokens: int
    counts: bool
    used: int | None = None

    def spend(self, tokens: int) -> None:
        """Note what the call did cost."""
        self.used = max(0, tokens)


@dataclass(frozen=True, slots=True)
class TurnState:
    """The state of a turn.

    Args:
        budget: The tokens of the whole turn.
        spent: The tokens spent; floor answers do not count.
        left: The tokens left.
        calls: The calls made.
        floored: How many of them got a floor answer.
    """

    budget: int
    spent: int
    left: int
    calls: int
    floored: int


class TurnBudget:
    """Tokens that the calls of one turn share.

    A call gets what it asks for, at most half of the rest: so a first call cannot starve the others, and the last
    ones get less, never nothing. Under the floor no answer is useful. A call that would get less gets the floor, free.
    So the calls of a turn never cost more than its budget, except for floor answers.

    A turn ends by ``reset``, when a call names another turn, or when no call came for a while.

    Args:
        tokens: The budget of a turn.
        floor: The least that a call gets.
        idle: Seconds without a call after which the turn has ended; None for never.
        clock: The time in seconds, from any start.

    Raises:
        ValueError: The budget is negative.
    """

    def __init__(
        self,
        tokens: int,
        floor: int = FLOOR,
        idle: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if tokens < 0:
            raise ValueError(f"a turn cannot have {tokens:,} tokens: pass 0 or more")
        self._budget = tokens
        self._floor = max(1, floor)
        self._idle = idle
        self._clock = clock
        self._lock = threading.Lock()
        self._turn: str | None = None
        self._spent = self._held = self._calls = self._floored = 0
        self._epoch = 0
        self._last = clock()

    @contextmanager
    def call(self, asked: int | None = None, turn: str | None = None, floor: int | None = None) -> Iterator[Grant]:
        """Grant tokens to a call while it runs; what it did cost is counted at its end.

        Until then all that was granted is taken, so calls that run at the same time cannot spend it twice. A call that
        does not report its cost is taken to have used it all, and one that fails to have used nothing.

        Args:
            asked: What the caller wants; None for as much as it can get.
            turn: The name of the turn; another one than before begins a new turn.
            floor: The least that this call gets, where it is not that of the turn.
        """
        grant, epoch = self._grant(asked, turn, max(1, self._floor if floor is None else floor))
        used = 0
        try:
            yield grant
            used = grant.tokens
        finally:
            self._settle(grant, used if grant.used is None else grant.used, epoch)

    def reset(self) -> None:
        """Begin a new turn."""
        with self._lock:
            self._begin()

    @property
    def state(self) -> TurnState:
        """Return the state of the turn; what running calls hold counts as spent."""
        with self._lock:
            spent = self._spent + self._held
            return TurnState(self._budget, spent, max(0, self._budget - spent), self._calls, self._floored)

    def _grant(self, asked: int | None, turn: str | None, floor: int) -> tuple[Grant, int]:
        with self._lock:
            self._end_if_over(turn)
            half = max(0, self._budget - self._spent - self._held) // 2
            self._calls += 1
            if half < floor:
                self._floored += 1
                return Grant(floor, False), self._epoch
            tokens = half if asked is None else min(max(asked, floor), half)
            self._held += tokens
            return Grant(tokens, True), self._epoch

    def _settle(self, grant: Grant, used: int, epoch: int) -> None:
        with self._lock:
            self._last = self._clock()
            if grant.counts and epoch == self._epoch:
                self._held -= grant.tokens
                self._spent += used

    def _end_if_over(self, turn: str | None) -> None:
        now = self._clock()
        silent = self._idle is not None and now - self._last > self._idle and not self._held
        if silent or (turn is not None and turn != self._turn):
            self._begin()
        self._turn = self._turn if turn is None else turn
        self._last = now

    def _begin(self) -> None:
        """Begin a turn; calls that still run belong to the one before."""
        self._epoch += 1
        self._spent = self._held = self._calls = self._floored = 0
        self._turn = None
