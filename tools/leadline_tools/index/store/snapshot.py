"""A *snapshot*, the state on which one answer is computed: the index commits between answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

_LONGEST_HOLD = 2.0
"""Seconds that a commit waits for answers: a slower one finds the index moved, and a busy server still builds it."""


class Snapshot(NamedTuple):
    """A state of an index: equal ones hold the same.

    Args:
        state: What names the state of the tree, and the generation of the index.
        texts: How many files have their words indexed.
        symbols: How many have their symbols indexed.

    """

    state: str
    texts: int
    symbols: int


class AnswerLock:
    """Answers share it with each other, and exclude commits: a commit waits for answers, and answers for a commit."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._answers = self._waiting = 0
        self._committing = False
        self._own = threading.local()

    @property
    def wanted(self) -> bool:
        """Return whether an answer waits for a commit to end."""
        return self._waiting > 0

    @contextmanager
    def answer(self) -> Iterator[None]:
        """Hold commits back until the block ends, unless that takes long; a block inside another one adds nothing."""
        if self._holds:
            yield
            return
        self._acquire()
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Allow commits for as long as an answer waits for the index; nothing for a thread that computes none."""
        if not self._holds:
            yield
            return
        self._release()
        try:
            yield
        finally:
            self._acquire()

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Wait until no answer is being computed, and keep new ones waiting until the block ends.

        An answer that takes longer than a commit can wait goes on meanwhile.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._answers, _LONGEST_HOLD)
            self._committing = True
        try:
            yield
        finally:
            with self._changed:
                self._committing = False
                self._changed.notify_all()

    def wait_for_none(self, seconds: float) -> bool:
        """Wait until no answer is being computed, at most ``seconds``; return whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._answers, seconds)

    @property
    def _holds(self) -> bool:
        return getattr(self._own, "holds", False)

    def _acquire(self) -> None:
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._committing)
            self._waiting -= 1
            self._answers += 1
        self._own.holds = True

    def _release(self) -> None:
        self._own.holds = False
        with self._changed:
            self._answers -= 1
            self._changed.notify_all()
