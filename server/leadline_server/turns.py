"""A *turn*, what its calls share: a budget, and the answers that the model has seen already."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from leadline_estimators.turn import IDLE, Grant, TurnBudget, TurnState
from leadline_server.config import TURN_TOKENS

LONGEST_NAME = 200
_MOST_PRINCIPALS = 1_000
"""Callers whose turns are kept; beyond that, the turn of the one that was idle longest restarts."""


@dataclass(frozen=True, slots=True)
class Window:
    """What a client says of its model's context: the tokens that it holds, and those that are used."""

    size: int
    used: int

    @property
    def left(self) -> int:
        """Return the tokens that are left."""
        return max(0, self.size - self.used)


@dataclass(slots=True)
class _Turn:
    """The turn of one principal."""

    budget: TurnBudget
    name: str = ""
    seen: dict[str, int] = field(default_factory=dict[str, int])
    """The most tokens that the answer under a URI was given so far."""


class MemoryTurns:
    """The turns of all callers of one server.

    Args:
        tokens: What the answers of one turn may cost together; 0 for no limit but that of turns with a name.
    """

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._turns: dict[str, _Turn] = {}
        self._lock = threading.Lock()

    @contextmanager
    def call(self, principal: str, name: str, asked: int, floor: int) -> Iterator[Grant]:
        """Grant tokens to a call: what it asks for, at most half of the rest of its turn, never under the floor."""
        if not self._tokens and not name:
            yield Grant(asked, counts=True)
            return
        turn = self._turn(principal)
        self._enter(turn, name)
        with turn.budget.call(asked, name[:LONGEST_NAME] or None, floor) as grant:
            yield grant

    def has_seen(self, principal: str, name: str, uri: str, tokens: int) -> bool:
        """Return whether an answer that may cost as much was given in a turn with a name; note that it is given now."""
        if not name:
            return False
        turn = self._turn(principal)
        with self._lock:
            before = turn.seen.get(uri, 0)
            turn.seen[uri] = max(before, tokens)
        return tokens <= before

    def state(self, principal: str) -> TurnState | None:
        """Return the state of the turn of a principal; None where turns have no limit."""
        known = principal in self._turns
        return self._turn(principal).budget.state if known or self._tokens else None

    def reset(self, principal: str) -> None:
        """Begin a new turn."""
        with self._lock:
            self._turns.pop(principal, None)

    def _enter(self, turn: _Turn, name: str) -> None:
        with self._lock:
            if name and name != turn.name:
                turn.name = name
                turn.seen = {}

    def _turn(self, principal: str) -> _Turn:
        with self._lock:
            turn = self._turns.pop(principal, None)
            if turn is None:
                turn = _Turn(TurnBudget(self._tokens or TURN_TOKENS, idle=IDLE))
            self._turns[principal] = turn  # the last in the order
            if len(self._turns) > _MOST_PRINCIPALS:
                del self._turns[next(iter(self._turns))]
        return turn
