"""A script that becomes a program of others, which ends with the server: it is run by ``programs.start``.

Its arguments are a descriptor, the bytes of data that the program may have (0 for what it likes), and the command. The
other end of the descriptor is the server's alone. A copy of this process waits until that is closed, and then ends the
whole group: the program and what it has started.
"""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Leave a guard behind, take the limit on, and become the program."""
    watched, memory, *command = sys.argv[1:]
    if os.fork() == 0:
        _guard(int(watched))
    os.close(int(watched))
    if int(memory):
        _limit(int(memory))
    os.execv(command[0], command)  # noqa: S606  the server has found it outside of the tree


def _guard(watched: int) -> None:
    """Wait for the server to end, holding none of the program's pipes; then end the group, this process with it."""
    for descriptor in range(3):
        os.close(descriptor)
    os.read(watched, 1)
    os.killpg(0, signal.SIGKILL)


def _limit(memory: int) -> None:
    """Limit the data, not the address space: engines with a collector reserve far more of that than they use."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = memory if hard < 0 else min(hard, memory)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__" and sys.platform != "win32":
    main()
