"""The scheduler of calls: some of each tool run at once, and no client takes all threads from the others.

A client whose calls take long may have all but one of the threads of a tool, and half of them while others wait. Of
the clients that wait, the one with the fewest calls under way comes first. A thread counts until it has ended, also if
nobody waits for its call any more.

Threads share one interpreter, so each thread that computes slows down all others and the event loop. While other
clients are active, a client therefore has few threads in total: ``SHARE``, and beyond them one for each tool that it
has none of, up to twice as many. So its own quick calls do not wait for its slow ones of another tool.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

from leadline_tools.cancellation import Cancelled, Token

SHARE = 4
"""Threads of one client, of all tools, while others are active."""

ACTIVE_SECONDS = 30.0
"""Seconds after its last call in which a client counts as active."""

Returned = TypeVar("Returned")


class Scheduler:
    """Runs functions in threads, ``most`` of each tool at once; all of its methods belong to one event loop.

    Args:
        most: Threads of one tool at once.
        alone: The client that may have all of them: the one that there is where others cannot connect.
        clock: Returns the time in seconds.

    """

    def __init__(self, most: int, alone: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._alone = alone
        self._clock = clock
        self._tools: dict[str, _Tool] = {}
        self._running: Counter[str] = Counter()
        self._called: OrderedDict[str, float] = OrderedDict()
        self._threads = CapacityLimiter(math.inf)

    def count_waiting(self) -> int:
        """Return how many calls wait for a thread."""
        return sum(tool.count_waiting() for tool in self._tools.values())

    async def run(self, client: str, tool: str, function: Callable[[], Returned]) -> Returned:
        """Run a function for a client once it is its turn; if the caller is cancelled, so is what the thread does."""
        await self._acquire(client, tool)
        token = Token()
        slot = _Slot(partial(self._release, client, tool))
        try:
            work = partial(slot.run, partial(token.run, function))
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads)
        finally:
            token.cancel()
            slot.give_up()

    async def _acquire(self, client: str, tool: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._note(client)
        self._tools.setdefault(tool, _Tool()).waiting.setdefault(client, deque()).append(turn)
        self._grant(tool)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(client, tool)
            else:
                self._tools[tool].forget(client, turn)
            raise

    def _release(self, client: str, tool: str) -> None:
        self._note(client)
        for running in (self._tools[tool].running, self._running):
            running[client] -= 1
            if not running[client]:
                del running[client]
        for other in self._tools:
            self._grant(other)

    def _note(self, client: str) -> None:
        """Note that a client is active now, and forget those that were so too long ago."""
        now = self._clock()
        self._called[client] = now
        self._called.move_to_end(client)
        while next(iter(self._called.values())) < now - ACTIVE_SECONDS:
            self._called.popitem(last=False)

    def _grant(self, tool: str) -> None:
        """Give turns of a tool as long as it has threads and there is somebody who may have one."""
        calls = self._tools[tool]
        while calls.running.total() < self._most:
            able = [client for client in calls.waiting if self._may_run(client, calls)]
            if not able:
                return
            client = min(able, key=calls.running.__getitem__)  # of several the one whose turn was longest ago
            turn = calls.next_turn(client)
            calls.running[client] += 1
            self._running[client] += 1
            turn.set_result(None)

    def _may_run(self, client: str, calls: _Tool) -> bool:
        """Return whether a client may have one more thread of a tool now."""
        if client == self._alone:
            return True
        own, total = calls.running[client], self._running[client]
        if own >= (self._most // 2 if len(calls.waiting) > 1 else self._most - 1):
            return False
        others = len(self._called) > (client in self._called) or self._running.total() > total
        return not others or total < (SHARE if own else 2 * SHARE)


class _Tool:
    """The calls of one tool: how many each client has running, and the turns that each waits for."""

    def __init__(self) -> None:
        self.running: Counter[str] = Counter()
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def count_waiting(self) -> int:
        """Return how many turns are waited for."""
        return sum(map(len, self.waiting.values()))

    def next_turn(self, client: str) -> asyncio.Future[None]:
        """Return the turn that a client has waited for longest, and let the others come before its next one."""
        turn = self.waiting[client].popleft()
        self.waiting.move_to_end(client)
        if not self.waiting[client]:
            del self.waiting[client]
        return turn

    def forget(self, client: str, turn: asyncio.Future[None]) -> None:
        """Forget a turn that nobody waits for any more."""
        self.waiting[client].remove(turn)
        if not self.waiting[client]:
            del self.waiting[client]


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
