"""The worker processes: how many, how they are started, fed and replaced."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from leadline_tools import cancellation
from leadline_tools.cancellation import Token
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers.frames import Operation, Reply, Request, read_reply, write_request

DEADLINE = 10.0
"""Seconds of work that one file may take to parse; the slowest of 24 parse bombs takes 4."""

_STUCK_SECONDS = DEADLINE + 10.0
"""Seconds without a reply after which a worker is ended from outside: its own timers do not run while it is stopped."""

_WATCH_SECONDS = 1.0

_MOST_CRASHES = 2
"""Fresh workers that must end on a file before the file is blamed: one that was idle may have been ended by the system,
for want of memory."""

_TOO_LATE = (-14, -27)
"""What a process returns that was ended by one of its timers: SIGALRM and SIGPROF, which Windows does not know."""

CRASHED = "made the parser crash"
"""What is said of a file that is blamed; after the next start it is tried again."""

NOW, LATER, LAST = 0, 1, 2
"""Priorities: what somebody waits for goes before what is indexed in advance, and that before facts in advance."""

_FILES_OF_ONE = 4_000
"""Files to index in advance for which one process is enough: it takes about two seconds for them, and another one would
take a tenth of that to start."""

_START = (
    "import gc, json, sys; gc.disable(); sys.path[:] = json.loads(sys.argv.pop()); "
    "from leadline_tools.index.workers.worker import main; main()"
)
"""Of what is imported nothing is garbage; ``main`` has it looked for afterwards."""

_SOURCES = Path(__file__).parents[2]
"""The folder from which this package is imported."""

Deliver = Callable[[str, Reply], None]


@dataclass(order=True)
class _Task:
    """Files for a worker; the least task is done first.

    ``turn`` counts the tasks of one call, so that calls take turns and one file never waits for another call's many.
    Nothing is done where one of the ``calls`` that want it is cancelled.
    """

    priority: int
    turn: int
    number: int
    operation: Operation = field(compare=False)
    paths: Sequence[str] = field(compare=False)
    deliver: Deliver = field(compare=False)
    calls: tuple[Token, ...] = field(compare=False, default=())
    argument: str = field(compare=False, default="")
    unhurried: bool = field(compare=False, default=False)

    @property
    def wanted(self) -> bool:
        """Return whether somebody still waits for it, or it was never for a call."""
        return not any(call.cancelled for call in self.calls)


def usual_processes() -> int:
    """Return how many processes parse for one index where nobody says."""
    return max(1, min(4, os.cpu_count() or 1))


class WorkerPool:
    """A few worker processes behind one queue. Nothing is started before the first task, nor more than there is for."""

    def __init__(self, tree: Tree, processes: int | None = None) -> None:
        self._tree = tree
        self._processes = processes or usual_processes()
        self._tasks: queue.PriorityQueue[_Task] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._threads: list[threading.Thread] = []
        self._running: set[subprocess.Popen[bytes]] = set()
        self._last_reply: dict[subprocess.Popen[bytes], float] = {}
        self._ends = threading.Event()
        self._lock = threading.Lock()
        self._waiting = 0
        self._closed = False

    def submit(self, operation: Operation, paths: Sequence[str], deliver: Deliver) -> None:
        """Queue ``paths``; ``deliver`` is called once for each, in a thread of the pool, whatever becomes of it."""
        with self._lock:
            self._waiting += len(paths)
        self._start(min(self._worth, self._processes - 1))
        self._put(_Task(LATER, 0, next(self._numbers), operation, paths, deliver))

    def submit_last(
        self, operation: Operation, paths: Sequence[str], deliver: Deliver, processes: int, *, unhurried: bool
    ) -> None:
        """Queue ``paths`` for when nothing else is queued; ``processes`` may be started for that.

        What is ``unhurried`` leaves the processors to all other programs.
        """
        self._start(processes)
        self._put(_Task(LAST, 0, next(self._numbers), operation, paths, deliver, unhurried=unhurried))

    @property
    def processes(self) -> int:
        """Return how many processes there are at most."""
        return self._processes

    def join_in(self) -> None:
        """Have the processor used too that was left to whoever submits: it has not much else to do any more."""
        self._start(self._worth)

    @property
    def _worth(self) -> int:
        """How many processes what waits is worth."""
        return 1 + self._waiting // _FILES_OF_ONE

    def ask(self, operation: Operation, path: str, deliver: Deliver, call: Token) -> None:
        """Queue one file that somebody waits for, unless ``call`` is cancelled; ``deliver`` is called as above."""
        self._put(_Task(NOW, 0, next(self._numbers), operation, (path,), deliver, (call,)))

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
            self._put(_Task(NOW, turn, next(self._numbers), operation, (path,), deliver, calls, argument))
        try:
            for _ in wanted:
                if not _acquired(done, until):
                    break
            cancellation.check()
        finally:
            asked.cancel()
        return replies

    def _put(self, task: _Task) -> None:
        self._start(self._processes if task.priority == NOW else 1)
        self._tasks.put(task)
        if self._closed:  # whoever closes may have looked before this task came
            self._refuse_all()

    def close(self) -> None:
        """End the processes; tasks that wait are answered with an error."""
        self._closed = True
        self._ends.set()
        with self._lock:
            for process in self._running:
                process.kill()
        self._refuse_all()
        for thread in self._threads:
            thread.join(timeout=5)

    def _refuse_all(self) -> None:
        """Answer what is queued, and wake whoever waits for more."""
        with contextlib.suppress(queue.Empty):
            while True:
                _refuse(self._tasks.get_nowait())
        for _ in self._threads:
            self._tasks.put(_Task(NOW, -1, 0, Operation.Symbols, (), lambda _path, _reply: None))

    def _start(self, wanted: int) -> None:
        """Have so many threads that serve, at most one for each process that there may be."""
        with self._lock:
            if not self._threads and not self._closed:
                threading.Thread(target=self._watch, name="leadline-worker-watch", daemon=True).start()
            while len(self._threads) < min(wanted, self._processes) and not self._closed:
                thread = threading.Thread(target=self._serve, name="leadline-worker", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _watch(self) -> None:
        """End workers that do not reply, such as one that was stopped."""
        while not self._ends.wait(_WATCH_SECONDS):
            late = time.monotonic() - _STUCK_SECONDS
            for process, replied in list(self._last_reply.items()):
                if replied < late:
                    process.kill()

    def _serve(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        while not self._closed:
            task = self._tasks.get()
            process = self._work(task, process)
            if task.priority == LATER:
                with self._lock:
                    self._waiting -= len(task.paths)
        if process is not None:
            self._end(process)

    def _work(self, task: _Task, process: subprocess.Popen[bytes] | None) -> subprocess.Popen[bytes] | None:
        """Do a task with a worker, and with another one for each that dies; return the one that is left."""
        paths = list(task.paths)
        crashes = 0
        while paths and not self._closed and task.wanted:
            fresh = process is None
            try:
                process = process or self._spawn()
            except OSError as error:  # no memory or no more processes: nothing is parsed, nothing hangs
                _refuse(replace(task, paths=paths), f"no worker could be started ({error})")
                return None
            done = self._run(process, task, paths)
            if done < len(paths):
                reason = self._end(process)
                process = None
                crashes = (crashes if done == 0 else 0) + (fresh and done == 0)
                if not self._closed and (reason != CRASHED or crashes >= _MOST_CRASHES):
                    task.deliver(paths[done], _failed(reason))
                    done += 1
                    crashes = 0
            paths = paths[done:]
        _refuse(replace(task, paths=paths))
        return process

    def _run(self, process: subprocess.Popen[bytes], task: _Task, paths: list[str]) -> int:
        """Send paths to a worker and deliver its replies; return how many there were before it died, if it did."""
        if process.stdin is None or process.stdout is None:  # pragma: no cover  (both are pipes)
            return 0
        done = 0
        watch = threading.Timer(DEADLINE * len(paths), process.kill) if sys.platform == "win32" else None
        if watch is not None:
            watch.start()
        self._last_reply[process] = time.monotonic()
        with contextlib.suppress(OSError):
            known = tuple(map(self._tree.known, paths))
            request = Request(task.operation, DEADLINE, tuple(paths), task.argument, known, task.unhurried)
            write_request(process.stdin, request)
            while done < len(paths) and (reply := read_reply(process.stdout)) is not None:
                self._last_reply[process] = time.monotonic()
                task.deliver(paths[done], reply)
                done += 1
        self._last_reply.pop(process, None)
        if watch is not None:
            watch.cancel()
        return done

    def _spawn(self) -> subprocess.Popen[bytes]:
        """Start a worker that imports what this process imports, and nothing from the current folder."""
        here = Path.cwd()
        path = [entry for entry in sys.path if entry and (Path(entry) != here or Path(entry) == _SOURCES)]
        process = subprocess.Popen(  # noqa: S603  a fixed argument vector
            [sys.executable, "-I", "-c", _START, *_told(self._tree), json.dumps(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(sys.executable).parent,
            # A terminal sends Ctrl-C to its whole group: a worker would print a traceback, and the server ends it.
            process_group=0 if sys.platform != "win32" else None,
        )
        with self._lock:
            self._running.add(process)
            if self._closed:
                process.kill()
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> str:
        """Make sure that a worker is gone; say what it died of."""
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        code = process.wait()
        with self._lock:
            self._running.discard(process)
        return f"took longer than {DEADLINE:g} s to parse" if code in _TOO_LATE else CRASHED


def _told(tree: Tree) -> tuple[str, ...]:
    """Return the arguments by which a worker knows its tree."""
    return str(tree.root), tree.name, *tree.policy.allowed


def _acquired(done: threading.Semaphore, until: float | None) -> bool:
    """Wait for a reply; False where there is none at the time ``until``. Raises Cancelled."""
    while not done.acquire(timeout=cancellation.CHECK_SECONDS):
        cancellation.check()
        if until is not None and time.monotonic() > until:
            return False
    return until is None or time.monotonic() <= until


def _failed(reason: str) -> Reply:
    return Reply(b"", 0, b"", b"", reason)


def _refuse(task: _Task, reason: str = "the server is closing") -> None:
    """Answer every path of a task with an error that says nothing of its file: somebody may be waiting."""
    for path in task.paths:
        task.deliver(path, _failed(reason)._replace(refused=True))
