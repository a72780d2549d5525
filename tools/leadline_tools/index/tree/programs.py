"""The one place that starts programs which others have written: git, linters, language servers.

A program is never taken from the tree, which is data. It is started with a fixed list of arguments and no shell, with
the few variables of the environment that systems need, without input but what is given, and in a group of its own; it
ends with all that it has started when its time is up, when it says too much, or when nobody waits for it any more.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from leadline_tools import cancellation
from leadline_tools.index.tree.descent import beneath

if sys.platform != "win32":
    import resource

LARGEST = 256 << 20
"""Bytes of output that are read at most, unless the caller says otherwise: git lists Linux in 5 million."""

_HANDED_ON = (
    *("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"),
    *("SYSTEMROOT", "WINDIR", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA"),
)
"""The variables of the environment that a program sees: where programs, their libraries and temporary files are."""

_EXIT_WITH_SERVER = Path(__file__).with_name("exit_with_server.py")

_CHUNK = 1 << 16
_OBSERVED_SECONDS = 0.1
_WAITED = 2.0
"""Seconds that a program which was ended may take to be gone."""


class Limits(NamedTuple):
    """What a program may take; it is ended when it takes more.

    Args:
        seconds: How long it may run.
        output: How many bytes it may write.
        memory: How many bytes of address space it may have, on Linux; 0 for any number.
        processor: How many seconds of a processor it may use, on Linux; 0 for any number.
        idle: How many seconds it may wait for something other than a disk, on Linux; 0 for any number. A program that
            opens a named pipe waits for a writer that never comes.

    """

    seconds: float
    output: int = LARGEST
    memory: int = 0
    processor: int = 0
    idle: float = 0.0


class Outcome(NamedTuple):
    """What came of a program: what it ended with, what it said, and why it was ended before its time, if it was."""

    code: int
    output: bytes
    errors: bytes
    stopped: str = ""


def find_program(name: str, root: str, folders: Sequence[str] = ()) -> str | None:
    """Return the path of the first program called ``name`` in ``folders`` or on PATH that is not beneath ``root``."""
    for folder in filter(None, (*folders, *_search_path())):
        program = shutil.which(name, path=folder)
        # Some systems look for programs where they stand, which may be in the tree.
        if program is not None and not beneath(os.path.realpath(program), root):
            # It is started in the tree, where a relative path means another program.
            return str(Path(program).absolute())
    return None


def path_outside(roots: Collection[str]) -> str:
    """Return PATH without the folders beneath some real roots, and without relative ones, which may be such.

    What a program starts in its turn, such as the interpreter of a script, is then no program of the tree either.
    """
    absolute = filter(os.path.isabs, _search_path())
    return os.pathsep.join(
        folder for folder in absolute if not any(beneath(os.path.realpath(folder), root) for root in roots)
    )


def _search_path() -> Sequence[str]:
    """Return the folders of PATH."""
    return os.environ.get("PATH", os.defpath).split(os.pathsep)


def run(
    command: Sequence[str],
    folder: str,
    limits: Limits,
    environment: Mapping[str, str] | None = None,
    given: bytes = b"",
) -> Outcome:
    """Run a program in a folder and return what came of it.

    Args:
        command: The path of the program, as ``find_program`` gives it, and its arguments.
        folder: Where it stands.
        limits: What it may take.
        environment: Variables that it sees besides those that every program does.
        given: What it reads on its standard input.

    Raises OSError where it cannot be started, and Cancelled.

    """
    process = subprocess.Popen(  # noqa: S603  a fixed argument vector
        list(command),
        cwd=Path(folder),
        env=environment_of(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            if limits.memory:
                resource.prlimit(process.pid, resource.RLIMIT_AS, (limits.memory, limits.memory))
            if limits.processor:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (limits.processor, limits.processor))
    try:
        return _Talk(process, given, limits).outcome()
    finally:
        _end(process)


class RunningProgram:
    """A program that runs beside the server until it is ended, or the server ends: its input and its output.

    Whoever reads or writes closes what it has: a pipe that another process holds open cannot be closed beside a reader.
    """

    def __init__(self, process: subprocess.Popen[bytes], lifeline: int) -> None:
        if process.stdin is None or process.stdout is None:  # pragma: no cover  (both are pipes)
            raise OSError("no pipes")
        self.given, self.said = process.stdin, process.stdout
        self._process, self._lifeline = process, lifeline
        self._ending = threading.Lock()

    @property
    def running(self) -> bool:
        """Return whether it has not ended by itself."""
        return self._process.poll() is None

    def end(self) -> None:
        """End it with all that it has started; once is enough."""
        with self._ending:
            if self._lifeline >= 0:
                _kill(self._process)
                os.close(self._lifeline)
                self._lifeline = -1


def start(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str] | None = None,
    memory: int = 0,
    readable: Sequence[str] = (),
) -> RunningProgram:
    """Start a program that keeps running, under the rules of ``run``; its errors are not read.

    Args:
        command: The path of the program and its arguments.
        folder: Where it stands.
        environment: Variables that it sees besides those that every program does.
        memory: How many bytes of data it may have, where the system can be told; 0 for any number.
        readable: Folders and files; where the system can be told (Linux with Landlock), it reads nothing outside of
            them. None at all leaves it free to read what the user may.

    Raises OSError where it cannot be started.

    """
    watched, lifeline = os.pipe()
    wrapper = (
        [sys.executable, "-I", "-S", str(_EXIT_WITH_SERVER), str(watched), str(memory), os.pathsep.join(readable)]
        if sys.platform != "win32"
        else []
    )
    try:
        process = subprocess.Popen(  # noqa: S603  a fixed argument vector
            [*wrapper, *command],
            cwd=Path(folder),
            env=environment_of(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=[watched] if wrapper else [],
        )
    except OSError:
        os.close(lifeline)
        raise
    finally:
        os.close(watched)
    return RunningProgram(process, lifeline)


def environment_of(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a program that this process starts: the few variables that systems need, and some."""
    return {name: os.environ[name] for name in _HANDED_ON if name in os.environ} | dict(environment or {})


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started, as far as it still runs, and close its pipes."""
    _kill(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_WAITED)


class _Talk:
    """Gives a program its input and takes what it says, both at once, so that neither waits for the other."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes, limits: Limits) -> None:
        self._process = process
        self._left = limits.output
        self._until = time.monotonic() + limits.seconds
        self._idleness = _Idleness(process.pid, limits.idle) if limits.idle and sys.platform == "linux" else None
        self._said: dict[int, list[bytes]] = {}
        self._threads = [self._reads(stream) for stream in (process.stdout, process.stderr)]
        self._threads.append(threading.Thread(target=self._give, args=(given,), daemon=True))
        for thread in self._threads:
            thread.start()

    def outcome(self) -> Outcome:
        """Wait until the program has said all, or exceeds a limit."""
        stopped = ""
        while not stopped and any(thread.is_alive() for thread in self._threads):
            cancellation.check()
            left = self._until - time.monotonic()
            if self._left < 0:
                stopped = "its output is too long"
            elif left <= 0:
                stopped = "it takes too long"
            elif self._idleness is not None and self._idleness.is_over(self._left):
                stopped = "it waits for something"
            else:
                self._first_alive().join(min(left, _OBSERVED_SECONDS, cancellation.CHECK_SECONDS))
        if self._left < 0:  # whoever reads has ended for that reason, perhaps before it was looked at here
            stopped = "its output is too long"
        if not stopped:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(max(0.0, self._until - time.monotonic()))
            stopped = "" if self._process.poll() is not None else "it takes too long"
        code = self._process.poll()
        output, errors = (b"".join(chunks) for chunks in self._said.values())
        return Outcome(-1 if code is None else code, output, errors, stopped)

    def _first_alive(self) -> threading.Thread:
        return next((thread for thread in self._threads if thread.is_alive()), self._threads[0])

    def _reads(self, stream: IO[bytes] | None) -> threading.Thread:
        chunks: list[bytes] = []
        self._said[len(self._said)] = chunks
        return threading.Thread(target=self._take, args=(stream, chunks), daemon=True)

    def _take(self, stream: IO[bytes] | None, chunks: list[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while stream is not None and self._left >= 0 and (chunk := os.read(stream.fileno(), _CHUNK)):
                self._left -= len(chunk)
                chunks.append(chunk)

    def _give(self, given: bytes) -> None:
        stream = self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.write(given)
                stream.close()


class _Idleness:
    """Observes whether a process only waits: asleep, not for a disk, without using a processor or writing anything."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._seconds = seconds
        self._state: object = None
        self._since = time.monotonic()

    def is_over(self, written: int) -> bool:
        """Return whether the process has been idle for too long; ``written`` changes whenever it writes."""
        state = (written, *_processor_time(self._pid))
        if state != self._state or state[1] != "S":
            self._state, self._since = state, time.monotonic()
        return time.monotonic() - self._since > self._seconds


def _processor_time(pid: int) -> tuple[str, ...]:
    """Return the state of a process, ``S`` for one that sleeps, and the time that it has used, as Linux shows them."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123  ten times a second
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return ("",)
    return tuple(field.decode("ascii", "replace") for field in (fields[0], fields[11], fields[12]))
