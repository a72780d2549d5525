"""The workers as the index of one root uses them: its tree goes with each task to the pool that serves all roots."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence

from leadline_tools import cancellation
from leadline_tools.cancellation import Token
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.worker_pool import LAST, LATER, NOW, Client, Deliver, Task, WorkerPool


class RootWorkers:
    """What parses the files of one tree.

    Attributes:
        pool: The processes that do it.

    """

    def __init__(self, tree: Tree, pool: WorkerPool) -> None:
        self.pool = pool
        self._client = Client(tree)

    @property
    def processes(self) -> int:
        """Return how many processes there are at most."""
        return self.pool.processes

    def submit(self, operation: Operation, paths: Sequence[str], deliver: Deliver) -> None:
        """Queue ``paths``; ``deliver`` is called once for each, in a thread of the pool, whatever becomes of it."""
        self.pool.put_later(Task(LATER, 0, self._client, operation, paths, deliver))

    def submit_last(
        self, operation: Operation, paths: Sequence[str], deliver: Deliver, processes: int, *, unhurried: bool
    ) -> None:
        """Queue ``paths`` for when nothing else is queued; ``processes`` may be started for that.

        What is ``unhurried`` leaves the processors to all other programs.
        """
        task = Task(LAST, 0, self._client, operation, paths, deliver, unhurried=unhurried)
        self.pool.put(task, max(1, processes))

    def join_in(self) -> None:
        """Have the processor used too that was left to whoever submits: it has not much else to do any more."""
        self.pool.join_in()

    def ask(self, operation: Operation, path: str, deliver: Deliver, call: Token) -> None:
        """Queue one file that somebody waits for, unless ``call`` is cancelled; ``deliver`` is called as above."""
        self.pool.put(Task(NOW, 0, self._client, operation, (path,), deliver, (call,)), self.processes)

    def gather(
        self, operation: Operation, paths: Iterable[str], argument: str = "", until: float | None = None
    ) -> dict[str, Reply]:
        """Return the replies for ``paths``, before whatever is indexed in advance; raises Cancelled.

        ``argument`` is that of the request. What has no reply at the time ``until``, by the monotonic clock, is left
        out.
        """
        replies: dict[str, Reply] = {}
        wanted = list(paths)
        done = threading.Semaphore(0)
        asked = Token()
        calls = (asked, cancellation.current())

        def deliver(path: str, reply: Reply) -> None:
            if not asked.cancelled:
                replies[path] = reply
            done.release()

        for turn, path in enumerate(wanted):
            task = Task(NOW, turn, self._client, operation, (path,), deliver, calls, argument)
            self.pool.put(task, self.processes)
        try:
            for _ in wanted:
                if not _acquired(done, until):
                    break
            cancellation.check()
        finally:
            asked.cancel()
        return replies

    def close(self) -> None:
        """Want nothing more; tasks that wait are answered with an error."""
        self.pool.release(self._client)


def _acquired(done: threading.Semaphore, until: float | None) -> bool:
    """Wait for a reply; False where there is none at the time ``until``. Raises Cancelled."""
    while not done.acquire(timeout=cancellation.CHECK_SECONDS):
        cancellation.check()
        if until is not None and time.monotonic() > until:
            return False
    return until is None or time.monotonic() <= until
