"""A cache of so many values, of which the one that was used longest ago goes first."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentlyUsed(Generic[Key, Value]):
    """The values that were used last, ``most`` at most. Where threads share one, they hold a lock."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, which is now the one used last; None where there is none."""
        value = self._kept.pop(key, None)
        if value is not None:
            self._kept[key] = value
        return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value as the one used last."""
        self._kept.pop(key, None)
        self._kept[key] = value
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def clear(self) -> None:
        """Let go of all values."""
        self._kept.clear()
