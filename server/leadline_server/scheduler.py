"""The scheduler of calls: some run at once, and no client takes all threads from the others.

A client whose calls take long may have all but one of the threads of a tool, and half of them while others wait. Of
the clients that wait, the one with the fewest calls under way comes first. A thread counts until it has ended, also if
nobody waits for its call any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

from leadline_tools.cancellation import Cancelled, Token

Returned = TypeVar("Returned")


class Scheduler:
    """Runs functions in threads, ``most`` at once; all of its methods belong to one event loop.

    Args:
        most: Threads at once.
        alone: The client that may have all of them: the one that there is where others cannot connect.

    """

    def __init__(self, most: int, alone: str) -> None:
        self._most = most
        self._alone = alone
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._threads = CapacityLimiter(math.inf)

    @property
    def waiting(self) -> int:
        """Return how many calls wait for a thread."""
        return sum(map(len, self._waiting.values()))

    async def run(self, client: str, function: Callable[[], Returned]) -> Returned:
        """Run a function for a client once it is its turn; if the caller is cancelled, so is what the thread does."""
        await self._acquire(client)
        token = Token()
        slot = _Slot(partial(self._release, client))
        try:
            work = partial(slot.run, partial(token.run, function))
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads)
        finally:
            token.cancel()
            slot.give_up()

    async def _acquire(self, client: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._grant()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(client)
            else:
                self._forget(client, turn)
            raise

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        self._waiting[client].remove(turn)
        if not self._waiting[client]:
            del self._waiting[client]

    def _release(self, client: str) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        self._grant()

    def _grant(self) -> None:
        """Give turns as long as there are threads and somebody who may have one."""
        while self._running.total() < self._most:
            able = [client for client in self._waiting if self._running[client] < self._limit(client)]
            if not able:
                return
            client = min(able, key=self._running.__getitem__)  # of several the one whose turn was longest ago
            turn = self._waiting[client].popleft()
            self._waiting.move_to_end(client)
            if not self._waiting[client]:
                del self._waiting[client]
            self._running[client] += 1
            turn.set_result(None)

    def _limit(self, client: str) -> int:
        """Return how many threads a client may have now."""
        if client == self._alone:
            return self._most
        return self._most // 2 if len(self._waiting) > 1 else self._most - 1


class _Slot:
    """A thread that a call has taken: it is given back once, by the thread or by who could not start it."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._taken = False

    def run(self, function: Callable[[], Returned]) -> Returned:
        """Call a function in the thread, and give the thread back after it."""
        if not self._take():
            raise Cancelled
        try:
            return function()
        finally:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._release)

    def give_up(self) -> None:
        """Give the thread back where it was never started."""
        if self._take():
            self._release()

    def _take(self) -> bool:
        """Return whether nobody has taken it before."""
        with self._lock:
            taken, self._taken = self._taken, True
            return not taken
