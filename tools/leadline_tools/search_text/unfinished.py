"""Unfinished searches: what is known when the patience of a call ends, for the call that asks the same again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Search = TypeVar("Search")

_MOST_KEPT = 4
"""Searches that are kept, the last ones: the lines of one take up to 20 MB."""


class Unfinished(Generic[Search]):
    """Searches by what names their question and the state of the tree; each has one owner at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Search] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> Search | None:
        """Return the search of a key, which is the caller's from now on; None where none is kept."""
        with self._lock:
            return self._kept.pop(key, None)

    def keep(self, key: Hashable, search: Search) -> None:
        """Keep a search for the next call."""
        with self._lock:
            self._kept[key] = search
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
