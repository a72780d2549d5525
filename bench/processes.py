"""What processes cost, from Linux's /proc: CPU of all descendants, and the most memory that each has had."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_SAMPLE_SECONDS = 0.05
_PATIENCE_SECONDS = 10.0
_PR_SET_CHILD_SUBREAPER = 36
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """What a command took: seconds of CPU (user and system, all descendants) and of wall, bytes of memory."""

    cpu: float
    wall: float
    memory: int
    """The most that the command's own process had resident."""

    worker_memory: int
    """The most that any one of its descendants had; 0 where there were none."""

    output: str


def run(command: Sequence[str | Path], given: str = "") -> Cost:
    """Run a command and measure it; raises if it fails or leaves a process behind."""
    _adopt()
    before = _cpu_of_ended()
    with tempfile.TemporaryFile("w+") as standard_input, tempfile.TemporaryFile("w+") as output:
        standard_input.write(given)
        standard_input.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(command, stdin=standard_input, stdout=output)
        watch = _Watch(process.pid)
        code = process.wait()
        wall = time.perf_counter() - started
        _wait_for_the_rest()
        watch.stop()
        if code:
            raise subprocess.CalledProcessError(code, [str(part) for part in command])
        output.seek(0)
        return Cost(_cpu_of_ended() - before, wall, watch.memory, watch.worker_memory, output.read())


def resident(pid: int | str = "self") -> int:
    """Return the most bytes that a process has had resident so far; 0 for one that is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return 0


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes below a process, whichever of its threads started them."""
    with contextlib.suppress(OSError):
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, children.read_text().split()):
                yield child
                yield from descendants(child)


def cpu_of_others() -> float:
    """Return the CPU seconds of every process below this one so far, whether it has ended or not."""
    return _cpu_of_ended() + sum(map(_cpu, descendants(os.getpid())))


def _adopt() -> None:
    """Become the parent of what loses its own, so that its CPU counts."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _wait_for_the_rest() -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < until:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(_SAMPLE_SECONDS)
        raise TimeoutError(f"processes are left behind: {list(descendants(os.getpid()))}")


def _cpu_of_ended() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _cpu(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS
    return 0.0


class _Watch:
    """A thread that looks at a process and its descendants again and again."""

    def __init__(self, pid: int) -> None:
        self.memory = self.worker_memory = 0
        self._pid = pid
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(_SAMPLE_SECONDS):
            self.memory = max(self.memory, resident(self._pid))
            for pid in descendants(self._pid):
                if _command(pid) != _command(self._pid):  # else it is a copy that becomes another program at once
                    self.worker_memory = max(self.worker_memory, resident(pid))


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
