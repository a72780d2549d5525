"""The worker processes: how many, how they are started, fed, replaced and ended.

One pool serves all roots of a process, so their number does not depend on that of the roots. Each root asks through
its ``RootWorkers``.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from leadline_tools.cancellation import Token
from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.index.tree.programs import environment_of
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers.frames import Operation, Reply, Request, TreeOrigin, read_reply, write_request
from leadline_tools.index.workers.given_tree import content_to_send

DEADLINE = 10.0
"""Seconds of work that one file may take to parse; the slowest of 24 parse bombs takes 4."""

_UNWANTED_DEADLINE = 3 * DEADLINE
"""The same for what no call waits for yet: facts of a minified script of 3 MB take 8 s where nothing else runs."""

_STUCK_SECONDS = DEADLINE + 10.0
"""Seconds without a reply after which a worker is ended from outside: its own timers do not run while it is stopped.
Where a file may take longer than usual, so may the reply."""

_HELD_UP_SECONDS = 1.0
"""Seconds without a reply after which what nobody waits for leaves its worker to what somebody waits for: where other
programs have the processors, the least priority of the system makes a minute of a tenth of a second."""

_WATCH_SECONDS = 1.0

_IDLE_SECONDS = 60.0
"""Seconds without work after which a worker is ended; another one starts in a fifth of a second."""

_SPARE_SECONDS = 10.0
"""The same for all but the one that worked last: it takes 25 MB, and one is enough for what comes now and then."""

_WAITING_SECONDS = 0.5
"""Seconds that a file somebody waits for is left to the workers that run, before another one is started for it: that
takes a fifth of a second and 25 MB, and most files wait for less."""

_WAITING_FILES = 40
"""Files that somebody waits for which are worth another worker at once: one takes a fifth of a second for so many."""

_CLOSING_SECONDS = 5.0

_MOST_CRASHES = 2
"""Fresh workers that must end on a file before the file is blamed: one that was idle may have been ended by the system,
for want of memory."""

_TOO_LATE = (-14, -27)
"""What a process returns that was ended by one of its timers: SIGALRM and SIGPROF, which Windows does not know."""

_SENT_BYTES = 4 << 20
"""Bytes of files from which on no more of them are sent at once, where their tree is on no disk."""

CRASHED = "made the parser crash"
"""What is said of a file that is blamed; after the next start it is tried again."""

NOW, LATER, LAST = 0, 1, 2
"""Priorities: what somebody waits for goes before what is indexed in advance, and that before facts in advance."""

_FILES_OF_ONE = 4_000
"""Files to index in advance for which one process is enough: it takes about two seconds for them, and another one would
take a tenth of that to start."""

_MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "262144", "MALLOC_MMAP_THRESHOLD_": "262144"}
"""Variables of glibc that have freed memory of a worker go back to the system: a tenth of what it takes otherwise."""

_START = (
    "import gc, json, sys; gc.disable(); sys.path[:] = json.loads(sys.argv.pop()); "
    "from leadline_tools.index.workers.worker import main; main()"
)
"""Of what is imported nothing is garbage; ``main`` has it looked for afterwards."""

_SOURCES = Path(__file__).parents[2]
"""The folder from which this package is imported."""

Deliver = Callable[[str, Reply], None]


@dataclass(eq=False, slots=True)
class Client:
    """A root that uses the pool: its tree, its latest turns by priority, and whether it still wants anything."""

    tree: Tree
    turns: dict[int, int] = field(default_factory=dict[int, int])
    closed: bool = False


@dataclass(order=True)
class Task:
    """Files for a worker; the least task is done first.

    ``turn`` counts the tasks of one call, so that calls take turns and one file never waits for another call's many.
    The pool counts those of each client that nobody waits for, so that roots take turns. Nothing is done where the
    client is closed, or one of the ``calls`` that want it is cancelled.
    """

    priority: int
    turn: int
    client: Client = field(compare=False)
    operation: Operation = field(compare=False)
    paths: Sequence[str] = field(compare=False)
    deliver: Deliver = field(compare=False)
    calls: tuple[Token, ...] = field(compare=False, default=())
    argument: str = field(compare=False, default="")
    unhurried: bool = field(compare=False, default=False)
    number: int = field(default_factory=itertools.count().__next__)
    queued: float = field(default_factory=time.monotonic, compare=False)

    @property
    def deadline(self) -> float:
        """Return the seconds of work that each of its files may take."""
        return _UNWANTED_DEADLINE if self.priority == LAST else DEADLINE

    @property
    def wanted(self) -> bool:
        """Return whether somebody still waits for it, or it was never for a call."""
        return not self.client.closed and not any(call.cancelled for call in self.calls)


class _Idle(NamedTuple):
    """A worker without work, and since when, by the monotonic clock."""

    process: subprocess.Popen[bytes]
    since: float


class _Busy(NamedTuple):
    """Which task a worker does, and when it replied last, by the monotonic clock."""

    task: Task
    replied: float


def usual_processes() -> int:
    """Return how many processes parse where nobody says."""
    return max(1, min(4, os.cpu_count() or 1))


class WorkerPool:
    """A few worker processes behind one queue. Nothing is started before the first task, nor more than there is for."""

    def __init__(self, processes: int | None = None) -> None:
        self._processes = processes or usual_processes()
        self._lock = threading.Condition()
        self._tasks: list[Task] = []  # a heap
        self._reached: dict[int, int] = {}
        self._active: list[Task] = []
        self._waiting = 0
        self._threads: list[threading.Thread] = []
        self._running: set[subprocess.Popen[bytes]] = set()
        self._idle: list[_Idle] = []  # the one that worked last at the end
        self._busy: dict[subprocess.Popen[bytes], _Busy] = {}
        self._ends = threading.Event()
        self._closed = False

    @property
    def processes(self) -> int:
        """Return how many processes there are at most."""
        return self._processes

    def put(self, task: Task, processes: int = 1) -> None:
        """Queue a task, for which ``processes`` may be started.

        ``deliver`` of the task is called once for each path, in a thread of the pool, whatever becomes of it.
        """
        with self._lock:
            refused = self._closed or task.client.closed
            if not refused:
                if task.priority != NOW:
                    turns, reached = task.client.turns, self._reached.get(task.priority, 0)
                    task.turn = turns[task.priority] = max(turns.get(task.priority, 0), reached) + 1
                heapq.heappush(self._tasks, task)
                self._waiting += len(task.paths) if task.priority == LATER else 0
                self._start(processes)
                self._lock.notify()
        if refused:
            _refuse(task)

    def put_later(self, task: Task) -> None:
        """Queue a task that indexes in advance: one processor is left to whoever reads the texts."""
        with self._lock:
            waiting = self._waiting + len(task.paths)
        self.put(task, max(1, min(_processes_for(waiting), self._processes - 1)))

    def join_in(self) -> None:
        """Have the processor used too that was left to whoever reads the texts: it has not much else to do any more."""
        with self._lock:
            self._start(_processes_for(self._waiting))

    def release(self, client: Client) -> None:
        """Do nothing more for a client, and end the workers that do something for it; what waits is refused."""
        with self._lock:
            client.closed = True
            refused = [task for task in self._tasks if task.client is client]
            self._tasks = [task for task in self._tasks if task.client is not client]
            heapq.heapify(self._tasks)
            self._waiting -= sum(len(task.paths) for task in refused if task.priority == LATER)
            for process, busy in self._busy.items():
                if busy.task.client is client:
                    process.kill()
        for task in refused:
            _refuse(task)
        with self._lock:
            self._lock.wait_for(lambda: all(task.client is not client for task in self._active), _CLOSING_SECONDS)

    def close(self) -> None:
        """End the processes; tasks that wait are answered with an error."""
        with self._lock:
            self._closed = True
            refused, self._tasks = self._tasks, []
            for process in self._running:
                process.kill()
            self._lock.notify_all()
        self._ends.set()
        for task in refused:
            _refuse(task)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_CLOSING_SECONDS)
        with self._lock:
            self._idle.clear()
            left = list(self._running)
        for process in left:
            self._end(process)

    def _start(self, wanted: int) -> None:
        """Have so many threads that serve, at most one for each process that there may be; the lock is held.

        Those that do what nobody waits for do not count.
        """
        wanted += sum(task.unhurried for task in self._active)
        if not self._threads and not self._closed:
            threading.Thread(target=self._watch, name="leadline-worker-watch", daemon=True).start()
        while len(self._threads) < min(wanted, self._processes) and not self._closed:
            thread = threading.Thread(target=self._serve, name="leadline-worker", daemon=True)
            thread.start()
            self._threads.append(thread)  # one that could not be started is not waited for at the end

    def _watch(self) -> None:
        """End workers that do not reply, such as one that was stopped, and those that nobody needs."""
        while not self._ends.wait(_WATCH_SECONDS):
            now = time.monotonic()
            with self._lock:
                for process, busy in self._busy.items():
                    if now - busy.replied > self._allowed(busy.task):
                        process.kill()
            self._end_idle()

    def _allowed(self, task: Task) -> float:
        """Return the seconds that a worker may take for a reply; the lock is held."""
        if task.unhurried:  # who has the least priority of the system may have to wait for long
            return _HELD_UP_SECONDS if self._holds_up(task) else math.inf
        return _STUCK_SECONDS + task.deadline - DEADLINE

    def _holds_up(self, task: Task) -> bool:
        """Return whether a task that nobody waits for has a worker that a more urgent one needs; the lock is held."""
        return task.unhurried and bool(self._tasks) and self._tasks[0].priority < task.priority

    def _end_idle(self) -> None:
        """End the workers that have had no work for some seconds; the one that worked last may rest longest."""
        now = time.monotonic()
        with self._lock:
            rested = [(one, _SPARE_SECONDS if place else _IDLE_SECONDS) for place, one in enumerate(self._idle[::-1])]
            ended = [one for one, seconds in rested if now - one.since >= seconds]
            self._idle = [one for one in self._idle if one not in ended]
        for one in ended:
            self._end(one.process)

    def _serve(self) -> None:
        while (taken := self._take()) is not None:
            task, process = taken
            self._work(task, process)
            with self._lock:
                self._active.remove(task)
                self._waiting -= len(task.paths) if task.priority == LATER else 0
                self._lock.notify_all()
            del task, taken  # while the next one is waited for, they would keep the index of a root that is closed

    def _take(self) -> tuple[Task, subprocess.Popen[bytes] | None] | None:
        """Wait for the next task, and take the worker that has been idle for the shortest time, if there is one.

        Returns None once the pool is closed.
        """
        with self._lock:
            while not self._closed and (seconds := self._seconds_until_taken()) > 0:
                self._lock.wait(None if seconds == math.inf else seconds)
            if self._closed:
                return None
            task = heapq.heappop(self._tasks)
            self._reached[task.priority] = task.turn
            self._active.append(task)
            return task, self._idle.pop().process if self._idle else None

    def _seconds_until_taken(self) -> float:
        """Return in how many seconds the first task is to be done, if nothing changes: 0 for now; the lock is held.

        Of what nobody waits for, no more is done than leaves a process to a call.
        """
        if not self._tasks:
            return math.inf
        first = self._tasks[0]
        if first.unhurried:
            return 0 if sum(task.unhurried for task in self._active) < max(1, self._processes - 1) else math.inf
        comes_next = self._idle or all(task.priority != NOW for task in self._active)
        if comes_next or first.priority != NOW or len(self._tasks) >= _WAITING_FILES:
            return 0
        return max(0.0, first.queued + _WAITING_SECONDS - time.monotonic())

    def _work(self, task: Task, process: subprocess.Popen[bytes] | None) -> None:
        """Do a task with a worker, and with another one for each that dies; what holds others up is put back."""
        paths = list(task.paths)
        crashes = 0
        while paths and not self._closed and task.wanted:
            fresh = process is None
            try:
                process = process or self._spawn()
            except OSError as error:  # no memory or no more processes: nothing is parsed, nothing hangs
                _refuse(replace(task, paths=paths), f"no worker could be started ({error})")
                return
            request = _request_for(task, paths)
            done = self._run(process, task, request)
            died = done < len(request.paths)
            reason = self._end(process, request.deadline) if died else ""
            process = None if died else process
            with self._lock:
                holds_up = self._holds_up(task)
            if holds_up and done < len(paths):
                self.put(replace(task, paths=paths[done:]))
                paths = []
            elif died:
                crashes = (crashes if done == 0 else 0) + (fresh and done == 0)
                if not self._closed and (reason != CRASHED or crashes >= _MOST_CRASHES):
                    task.deliver(paths[done], _failed(reason))
                    done += 1
                    crashes = 0
            paths = paths[done:]
        if process is not None:
            with self._lock:
                self._idle.append(_Idle(process, time.monotonic()))
        _refuse(replace(task, paths=paths))

    def _run(self, process: subprocess.Popen[bytes], task: Task, request: Request) -> int:
        """Send a request to a worker and deliver its replies; return how many there were before it died, if it did."""
        paths = request.paths
        if process.stdin is None or process.stdout is None:  # pragma: no cover  (both are pipes)
            return 0
        done = 0
        watch = threading.Timer(request.deadline * len(paths), process.kill) if sys.platform == "win32" else None
        if watch is not None:
            watch.start()
        self._note_reply(process, task)
        with contextlib.suppress(OSError):
            write_request(process.stdin, request)
            while done < len(paths) and (reply := read_reply(process.stdout)) is not None:
                self._note_reply(process, task)
                task.deliver(paths[done], reply)
                done += 1
        with self._lock:
            self._busy.pop(process, None)
        if watch is not None:
            watch.cancel()
        return done

    def _note_reply(self, process: subprocess.Popen[bytes], task: Task) -> None:
        with self._lock:
            self._busy[process] = _Busy(task, time.monotonic())

    def _spawn(self) -> subprocess.Popen[bytes]:
        """Start a worker that imports what this process imports, and nothing from the current folder."""
        here = Path.cwd()
        path = [entry for entry in sys.path if entry and (Path(entry) != here or Path(entry) == _SOURCES)]
        process = subprocess.Popen(  # noqa: S603  a fixed argument vector
            [sys.executable, "-I", "-c", _START, json.dumps(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(sys.executable).parent,
            env=environment_of(_MALLOC),
            # A terminal sends Ctrl-C to its whole group: a worker would print a traceback, and the server ends it.
            process_group=0 if sys.platform != "win32" else None,
        )
        with self._lock:
            self._running.add(process)
            if self._closed:
                process.kill()
        return process

    def _end(self, process: subprocess.Popen[bytes], deadline: float = DEADLINE) -> str:
        """Make sure that a worker is gone; say what it died of."""
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        code = process.wait()
        with self._lock:
            self._running.discard(process)
        return f"took longer than {deadline:g} s to parse" if code in _TOO_LATE else CRASHED


def _processes_for(files: int) -> int:
    """Return how many processes so many files to index in advance are worth."""
    return 1 + files // _FILES_OF_ONE


def _request_for(task: Task, paths: Sequence[str]) -> Request:
    """Return a request for the first of some files: all of them, if not much has to be sent and nothing is held up."""
    tree = task.client.tree
    contents = None
    if task.unhurried:
        paths = paths[:1]
    if not isinstance(tree, DiskFiles):
        contents = tuple(_contents(tree, paths))
        paths = paths[: len(contents)]
    origin = TreeOrigin(str(tree.root), tree.name, tuple(tree.policy.allowed))
    known = tuple(map(tree.known, paths))
    return Request(task.operation, task.deadline, tuple(paths), origin, task.argument, known, task.unhurried, contents)


def _contents(tree: Tree, paths: Sequence[str]) -> Iterator[bytes | str]:
    """Yield what is sent of files, until it is much."""
    left = _SENT_BYTES
    for path in paths:
        content = content_to_send(tree, path)
        yield content
        left -= len(content)
        if left <= 0:
            return


def _failed(reason: str) -> Reply:
    return Reply(b"", 0, b"", b"", reason)


def _refuse(task: Task, reason: str = "the server is closing") -> None:
    """Answer every path of a task with an error that says nothing of its file: somebody may be waiting."""
    for path in task.paths:
        task.deliver(path, _failed(reason)._replace(refused=True))
