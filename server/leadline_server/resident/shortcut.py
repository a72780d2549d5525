"""``leadline call`` where its resident server runs: the answer, before the console is imported."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from leadline_server.resident.client import ask_running, may_write
from leadline_server.resident.command_line import read_command_line
from leadline_server.resident.wire import Lost

ALONE = "--alone"


def answer(words: Sequence[str]) -> int | list[str]:
    """Print the answer of the resident server and return the exit code; else return the words for the console.

    They are those that were given, or ask it to answer alone, since the server has the call and does not answer.
    A call that may have written is an error.
    """
    front, behind = _front(words)
    line = read_command_line(behind, front[-1].removeprefix("--config=") if front else "") if behind else None
    if line is None:
        return list(words)
    try:
        reply = ask_running(line)
    except Lost:
        if may_write(behind):
            return _fail()
        return [*front, "call", ALONE, *behind]
    if reply is None or reply.usage:
        return list(words)
    if reply.warning:
        sys.stderr.write(f"leadline: {reply.warning}\n")
    sys.stdout.write(reply.out)
    sys.stdout.flush()
    return reply.code


def _fail() -> int:
    from leadline_server.errors import NoAnswer

    error = NoAnswer()
    sys.stderr.write(f"leadline: {error} {error.hint}\n")
    return 1


def _front(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words before ``call``, which name the configuration or are none, and those after it."""
    length = 2 if words[:1] == ["--config"] else 1 if words and words[0].startswith("--config=") else 0
    if words[length : length + 1] != ["call"]:
        return (), ()
    return words[:length], words[length + 1 :]
