"""The server ends when its client does: on the end of its input or output, on the death of its parent, on a signal."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_PARENT = os.getppid()
"""The parent of this process, read as early as possible: a parent that has died is no longer its parent."""

INTERRUPTED = 130
"""The exit code of a command that was interrupted: 128 and the number of the signal."""

_POLL_SECONDS = 0.5
_GRACE_SECONDS = 1.5
"""Seconds that calls under way have to finish once the client is gone."""

_ADOPTS = "systemd"
"""The program that becomes the parent of orphans for a user; for a whole system the process 1 does."""


def watch_client(close: Callable[[], None]) -> None:
    """End this process soon after its client is gone, even if another process holds the pipe or a call is under way."""
    if sys.platform == "win32":
        return
    poll = select.poll()
    for stream in (0, 1):  # the input ends, or nobody can read the output any more
        poll.register(os.dup(stream), 0)  # hang-up and error are always reported

    def run() -> None:
        orphan = _is_orphan()
        while not orphan and not poll.poll(_POLL_SECONDS * 1000) and os.getppid() == _PARENT:
            pass
        time.sleep(_GRACE_SECONDS)
        close()
        os._exit(0)

    threading.Thread(target=run, name="leadline-watchdog", daemon=True).start()


def _is_orphan() -> bool:
    """Return whether the process that started this one died before it could be noted.

    A process is in the session of its parent, or leads a new one. A session that neither of the two leads belongs to a
    parent that has died. Only what adopts orphans is then the parent of one that leads a session.
    """
    if sys.platform == "win32":
        return False
    with suppress(OSError):
        own, parent = os.getsid(0), os.getppid()
        if parent == 0 or os.getsid(parent) == own:
            return False
        return own != os.getpid() or parent == 1 or _program_of(parent) == _ADOPTS
    return False


def _program_of(pid: int) -> str:
    """Return the name of the program of a process, where Linux shows it."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
    return ""


def exit_on_signals(close: Callable[[], None]) -> None:
    """End this process and its workers at once on SIGTERM, and on SIGINT, which a person at a terminal sends.

    The exit code is 0 after SIGTERM and ``INTERRUPTED`` after SIGINT.
    """

    def end(number: int, _frame: object) -> None:
        code = INTERRUPTED if number == signal.SIGINT else 0
        threading.Thread(target=_end, args=(close, code), daemon=True).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


def exit_on_termination() -> None:
    """End this process on SIGTERM as after an interrupt, so that what is open is closed; the exit code is 0.

    A server over HTTP finishes its requests first: uvicorn catches the signal, and raises it again at its end.
    """
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))


def _end(close: Callable[[], None], code: int) -> None:
    close()
    if code == INTERRUPTED:
        sys.stderr.write("\nleadline: Interrupted.\n")
        sys.stderr.flush()
    os._exit(code)
