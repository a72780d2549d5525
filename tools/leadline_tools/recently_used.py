"""A cache of so many values, of which the one that was used longest ago goes first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentlyUsed(Generic[Key, Value]):
    """The values that were used last. Where threads share one, they hold a lock.

    Args:
        most: How many values are kept at most, or how much they may weigh together. The last one is always kept.
        weigh: Returns the weight of a value, always the same; each counts as one where it is None.

    """

    def __init__(self, most: int, weigh: Callable[[Value], int] | None = None) -> None:
        self._most = most
        self._weigh = weigh or _count
        self._kept: dict[Key, Value] = {}
        self._weight = 0

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, which is now the one used last; None where there is none."""
        value = self._kept.pop(key, None)
        if value is not None:
            self._kept[key] = value
        return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value as the one used last."""
        self._drop(key)
        self._kept[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._most and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Let go of all values."""
        self._kept.clear()
        self._weight = 0

    def _drop(self, key: Key) -> None:
        value = self._kept.pop(key, None)
        if value is not None:
            self._weight -= self._weigh(value)


def _count(_: object) -> int:
    return 1
