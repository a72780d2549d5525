"""The counts of a server since it started, for who monitors it: calls and tokens by tool, whoever made them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from leadline_server.ledger import Entry, Spending, spending_of


class CallCounts:
    """The calls of one process by tool. They never restart, unlike those of the ledger."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tools: dict[str, Spending] = {}
        self.waiting: Callable[[], int] = lambda: 0
        """How many calls wait for a thread; set by what runs them."""

    def add(self, entry: Entry) -> None:
        """Count a call."""
        spending = spending_of(entry)
        with self._lock:
            before = self._tools.get(entry.tool)
            self._tools[entry.tool] = spending if before is None else before.with_(spending)

    def by_tool(self) -> Sequence[Spending]:
        """Return the calls by tool, in the order of their names."""
        with self._lock:
            return sorted(self._tools.values(), key=lambda spending: spending.name)
