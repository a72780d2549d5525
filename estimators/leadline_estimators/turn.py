"""The budget of one turn: all calls that a model makes before it answers share it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class TurnCount:
    """The calls of a turn so far, as a value: whoever keeps it, in memory or in a database, counts alike.

    Args:
        spent: The tokens spent; what running calls hold is in it.
        calls: The calls made.
        floored: How many of them got a floor answer.
    """

    spent: int = 0
    calls: int = 0
    floored: int = 0

    def grant(self, budget: int, asked: int | None, floor: int) -> tuple[TurnCount, Grant]:
        """Return the count with one more call, and what that call gets: at most half of the rest, or the floor free."""
        half = max(0, budget - self.spent) // 2
        if half < floor:
            return TurnCount(self.spent, self.calls + 1, self.floored + 1), Grant(floor, counts=False)
        tokens = half if asked is None else min(max(asked, floor), half)
        return TurnCount(self.spent + tokens, self.calls + 1, self.floored), Grant(tokens, counts=True)

    def settle(self, grant: Grant, used: int) -> TurnCount:
        """Return the count once it is known what a call used of its grant."""
        return replace(self, spent=self.spent + used - grant.tokens)

    def state(self, budget: int) -> TurnState:
        """Return the state of the turn."""
        return TurnState(budget, self.spent, max(0, budget - self.spent), self.calls, self.floored)


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
        self._count = TurnCount()
        self._running = 0
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
            return self._count.state(self._budget)

    def _grant(self, asked: int | None, turn: str | None, floor: int) -> tuple[Grant, int]:
        with self._lock:
            self._end_if_over(turn)
            self._count, grant = self._count.grant(self._budget, asked, floor)
            self._running += grant.counts
            return grant, self._epoch

    def _settle(self, grant: Grant, used: int, epoch: int) -> None:
        with self._lock:
            self._last = self._clock()
            if grant.counts and epoch == self._epoch:
                self._running -= 1
                self._count = self._count.settle(grant, used)

    def _end_if_over(self, turn: str | None) -> None:
        now = self._clock()
        silent = self._idle is not None and now - self._last > self._idle and not self._running
        if silent or (turn is not None and turn != self._turn):
            self._begin()
        self._turn = self._turn if turn is None else turn
        self._last = now

    def _begin(self) -> None:
        """Begin a turn; calls that still run belong to the one before."""
        self._epoch += 1
        self._running, self._count = 0, TurnCount()
        self._turn = None
