"""Threads that are there while there is something to do, and the look at the files of those that rest.

A process with many roots has a writer for each, and most of these have nothing to write. A thread and its connection
take a fifth of a megabyte.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LISTEN_SECONDS = 1.0
"""How often it is looked whether another process has written what a resting thread has to know."""

Mark = object
"""What identifies the state of a file: it differs after any write."""


class OnDemandThread:
    """A thread that ends when it has nothing to do, and is started again when it is woken.

    Attributes:
        closed: Set when it is to end for good.

    """

    def __init__(self, name: str, run: Callable[[], None]) -> None:
        self.closed = threading.Event()
        self._name = name
        self._run = run
        self._woken = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._started = False

    def start(self) -> None:
        """Begin to run; before, it is not woken."""
        self._started = True
        self.wake()

    def wake(self) -> None:
        """Have the thread look for something to do."""
        self._woken.set()
        with self._lock:
            if self._started and self._thread is None and not self.closed.is_set():
                IDLE_THREADS.discard(self)
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until somebody wakes the thread, at most ``seconds``; return whether that happened."""
        woken = self._woken.wait(seconds)
        self._woken.clear()
        return woken

    def rest(self, mark: Mark, current: Callable[[], Mark]) -> bool:
        """Let the thread end, which is woken once the ``current`` mark is another; False where it is woken already."""
        with self._lock:
            if self._woken.is_set() or self.closed.is_set():
                return False
            self._thread = None
            IDLE_THREADS.add(self, mark, current)
            return True

    def close(self, seconds: float) -> None:
        """End the thread, and wait for that some seconds at most."""
        self.closed.set()
        self._woken.set()
        with self._lock:
            IDLE_THREADS.discard(self)
            thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join(seconds)


class IdleThreads:
    """The threads of this process that have ended for now: one thread looks for all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._marks: dict[OnDemandThread, tuple[Mark, Callable[[], Mark]]] = {}
        self._looks = False

    def add(self, thread: OnDemandThread, mark: Mark, current: Callable[[], Mark]) -> None:
        """Wake a thread once the ``current`` mark is another than ``mark``."""
        with self._lock:
            self._marks[thread] = mark, current
            if not self._looks:
                self._looks = True
                threading.Thread(target=self._look, name="leadline-idle", daemon=True).start()

    def discard(self, thread: OnDemandThread) -> None:
        """Wake a thread no more."""
        with self._lock:
            self._marks.pop(thread, None)

    def _look(self) -> None:
        while True:
            time.sleep(LISTEN_SECONDS)
            with self._lock:
                idle = [*self._marks.items()]
                self._looks = bool(idle)
            if not idle:
                return
            for thread, (mark, current) in idle:
                if current() != mark:
                    thread.wake()


IDLE_THREADS = IdleThreads()
"""Those of this process."""
