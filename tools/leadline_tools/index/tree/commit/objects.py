"""The objects of a repository, read by a few processes of ``git cat-file --batch`` that wait for names.

git reads them, not a library in this process: a damaged or hostile pack ends a program that is started anew, no server.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from leadline_tools.errors import NotKept
from leadline_tools.index.tree.commit.repository import Repository
from leadline_tools.index.tree.programs import RunningProgram, start

_MOST_PROCESSES = 3
"""Processes that read objects of one repository at once."""

_SECONDS = 20.0
"""Seconds that an object may take; a process that takes longer is ended."""

_IDLE_SECONDS = 30.0
"""Seconds without work after which a process is ended; another one starts in a twentieth of a second."""

_WATCH_SECONDS = 1.0

_MEMORY = 2 << 30
"""Bytes of data that a process may have."""


@dataclass(eq=False, slots=True)
class _Process:
    """A process, and since when it works or is idle, by the monotonic clock."""

    program: RunningProgram
    since: float


class Objects:
    """The objects of a repository, for all threads. Nothing runs before the first is read, nor long after the last."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._lock = threading.Lock()
        self._permits = threading.Semaphore(_MOST_PROCESSES)
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._watching = False

    def read(self, name: str, path: str, size: int) -> bytes:
        """Return a blob. Raises NotKept with the ``path`` of the file.

        Args:
            name: The name of the object, in hexadecimal digits.
            path: The path of the file, for the error.
            size: Its bytes, as its tree says.

        """
        with self._permits, self._process(path) as process:
            content = _ask(process.program, name, size)
        if isinstance(content, str):
            raise NotKept(path, content)
        return content

    @contextmanager
    def _process(self, path: str) -> Iterator[_Process]:
        """Give a process that does nothing else meanwhile; one that was damaged is not used again."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None:
            command = [*self._repository.command, "cat-file", "--batch"]
            try:
                program = start(command, str(self._repository.own), self._repository.environment, _MEMORY)
            except OSError as error:
                raise NotKept(path, f"git cannot be started ({error})") from None
            process = _Process(program, 0.0)
        with self._lock:
            process.since = time.monotonic()
            self._busy.add(process)
            self._watch()
        usable = False
        try:
            yield process
            usable = process.program.running
        finally:
            with self._lock:
                self._busy.discard(process)
                process.since = time.monotonic()
                if usable:
                    self._idle.append(process)
            if not usable:
                _end(process)

    def _watch(self) -> None:
        """Have processes ended that take too long or that nobody needs; the lock is held."""
        if not self._watching:
            self._watching = True
            threading.Thread(target=self._watch_processes, name="leadline-objects", daemon=True).start()

    def _watch_processes(self) -> None:
        while True:
            time.sleep(_WATCH_SECONDS)
            now = time.monotonic()
            with self._lock:
                late = [one for one in self._busy if now - one.since > _SECONDS]
                idle = [one for one in self._idle if now - one.since > _IDLE_SECONDS]
                self._idle = [one for one in self._idle if one not in idle]
                if not self._busy and not self._idle:
                    self._watching = False
            for process in late:
                process.program.end()  # who reads from it sees that it has ended
            for process in idle:
                _end(process)
            if not self._watching:
                return


def _ask(program: RunningProgram, name: str, size: int) -> bytes | str:
    """Return the content of an object, or why there is none; ends a program that says anything else than it should."""
    try:
        program.given.write(f"{name}\n".encode())
        program.given.flush()
        head = program.said.readline(256).split()
        if head[1:] == [b"missing"]:
            return "its object is not in the repository (a partial or shallow clone, or a damaged one)"
        if len(head) == 3 and head[0] == name.encode() and head[1] == b"blob" and int(head[2]) == size:
            content = program.said.read(size + 1)
            if len(content) == size + 1:
                return content[:-1]
    except (OSError, ValueError):
        pass
    program.end()
    return "its object in the repository is damaged (git fsck says more)"


def _end(process: _Process) -> None:
    process.program.end()
    for stream in (process.program.given, process.program.said):
        with suppress(OSError):
            stream.close()
