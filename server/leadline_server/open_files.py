"""The limit of open files of this process: raised at the start, since each root needs about a dozen."""

from __future__ import annotations

import sys

_MOST = 65_536
"""Enough for thousands of roots. Some programs that Leadline starts take a step for each file that they may open."""


def raise_limit() -> None:
    """Allow this process as many open files as the system lets it have, up to ``_MOST``."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # macOS lets a process have fewer than it says
            return


def limit() -> int:
    """Return how many files this process may open; 0 where that is not limited or not known."""
    if sys.platform == "win32":
        return 0
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 0 if soft == resource.RLIM_INFINITY else soft
