"""Turns of several roots in a search: each has some files looked into before the next round begins.

So a large root keeps the search from no other one, whatever the roots are called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

FILES_OF_A_TURN = 64
"""Files of a root that are looked into in one turn."""

_ROOTS_NAMED = 3


RootOf = Callable[[str], str]
"""Returns the name of the root that holds a path."""


def take_turns(paths: Sequence[str], root_of: RootOf) -> Sequence[str]:
    """Return paths in the order in which they are looked into: those of each root keep theirs."""
    own: dict[str, list[str]] = {}
    for root, some in groupby(paths, root_of):
        own.setdefault(root, []).extend(some)
    if len(own) < 2:
        return paths
    longest = max(map(len, own.values()))
    starts = range(0, longest, FILES_OF_A_TURN)
    return [path for start in starts for some in own.values() for path in some[start : start + FILES_OF_A_TURN]]


def describe_progress(paths: Sequence[str], done: int, root_of: RootOf) -> str:
    """Return which roots the first ``done`` of some paths are whole, and which of the others are not; empty for one."""
    left = dict.fromkeys(map(root_of, paths[done:]))
    roots = left.keys() | set(map(root_of, paths[:done]))
    if len(roots) < 2:
        return ""
    named = ", ".join([*left][:_ROOTS_NAMED])
    more = f" and {len(left) - _ROOTS_NAMED:,} more" if len(left) > _ROOTS_NAMED else ""
    return f"{len(roots) - len(left):,} of {len(roots):,} roots are searched whole, not {named}{more}"
