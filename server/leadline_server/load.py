"""Limits of concurrent and frequent calls: a call beyond them is refused at once, so that none waits for long.

The limits are far above what a model asks, and keep a client that runs wild from the others.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

from leadline_server.errors import Busy

MOST_AT_ONCE = 256
"""Calls of all clients that are under way or wait."""

MOST_OF_ONE = 128
"""The same of one client."""

BURST = 1_000
PER_SECOND = 200.0
"""Calls of one client: so many at any time, and so many a second for long."""

_MOST_CLIENTS = 1_000
"""Clients whose calls are counted; the count of the one that was idle longest restarts."""


@dataclass(slots=True)
class _Client:
    """The calls of one client: under way, and how many more it may make, as of some time."""

    under_way: int = 0
    allowed: float = BURST
    at: float = 0.0


class Load:
    """What is under way.

    Args:
        clock: The time in seconds, as ``time.monotonic`` has it.
        replicas: How many servers answer the same clients: each allows one client its share.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, replicas: Callable[[], int] = lambda: 1) -> None:
        self._clock = clock
        self._replicas = replicas
        self._refused = 0
        self._lock = threading.Lock()
        self._under_way = 0
        self._clients: OrderedDict[str, _Client] = OrderedDict()

    @contextmanager
    def call(self, principal: str) -> Iterator[None]:
        """Count a call as long as the block runs; raises Busy where there are too many."""
        client = self._enter(principal)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                client.under_way -= 1

    @property
    def running(self) -> int:
        """Return how many calls are under way or wait."""
        return self._under_way

    @property
    def refused(self) -> int:
        """Return how many calls were refused since the server started."""
        return self._refused

    def _enter(self, principal: str) -> _Client:
        with self._lock:
            now = self._clock()
            replicas = max(1, self._replicas())
            client = self._client(principal, now)
            client.allowed = min(BURST / replicas, client.allowed + (now - client.at) * PER_SECOND / replicas)
            client.at = now
            if client.allowed < 1:
                self._refused += 1
                raise Busy(f"more than {PER_SECOND:,.0f} calls a second")
            if client.under_way >= ceil(MOST_OF_ONE / replicas) or self._under_way >= MOST_AT_ONCE:
                self._refused += 1
                raise Busy(f"{client.under_way:,} of your calls are running")
            client.allowed -= 1
            client.under_way += 1
            self._under_way += 1
            return client

    def _client(self, principal: str, now: float) -> _Client:
        client = self._clients.setdefault(principal, _Client(at=now))
        self._clients.move_to_end(principal)
        if len(self._clients) > _MOST_CLIENTS:
            idle = (name for name, other in self._clients.items() if not other.under_way and other is not client)
            forgotten = next(idle, None)
            if forgotten is not None:
                del self._clients[forgotten]
        return client
