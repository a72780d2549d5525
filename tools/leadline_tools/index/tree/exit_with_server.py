"""A script that becomes a program of others, which ends with the server: it is run by ``programs.start``.

Its arguments are a descriptor, the bytes of data that the program may have (0 for what it likes), what it may read,
with colons between (empty for everything), and the command. The other end of the descriptor is the server's alone. A
copy of this process waits until that is closed, and then ends the whole group: the program and what it has started.

What a program may read is enforced by Landlock (Linux 5.13), which a process can only restrict further. Its structures
and numbers are those of ``linux/landlock.h``. Where the system has no Landlock, the program is started without it.
"""

from __future__ import annotations

import os
import signal
import stat
import sys

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all architectures."""

_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3
_RULE_PATH_BENEATH = 1
_SET_NO_NEW_PRIVILEGES = 38


def main() -> None:
    """Leave a guard behind, take the limit on, and become the program."""
    watched, memory, readable, *command = sys.argv[1:]
    if os.fork() == 0:
        _guard(int(watched))
    os.close(int(watched))
    if int(memory):
        _limit(int(memory))
    if readable:
        _confine(readable.split(os.pathsep))
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


def _confine(readable: list[str]) -> None:
    """Let this process and what becomes of it read some folders and files only, where Landlock can be had."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    handled = ctypes.c_uint64(_READ_FILE | _READ_DIRECTORY)
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(ctypes.sizeof(handled)), 0)
    if ruleset < 0:
        return
    for path in readable:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        rights = _READ_FILE | _READ_DIRECTORY if stat.S_ISDIR(os.fstat(place).st_mode) else _READ_FILE
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.c_char_p(rule), 0)
        os.close(place)
    if libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


if __name__ == "__main__" and sys.platform != "win32":
    main()
