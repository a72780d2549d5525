"""The first look at a tree: it runs in the background, and questions wait for as much of it as they need."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence

from leadline_tools.errors import StillLooking
from leadline_tools.index.indexing.indexer import Indexer

LOOK_SECONDS = 5.0
"""Seconds that a call waits for the first look at a tree."""


class FirstScan:
    """The first look at the tree of an index: first its paths are known, then what a look at each file tells."""

    def __init__(self, indexer: Indexer) -> None:
        self._indexer = indexer
        self._paths_known, self._done = threading.Event(), threading.Event()
        self.end()

    def start(self, refresh: Callable[[], None], ended: Callable[[], None]) -> None:
        """Begin in the background: find the paths, then ``refresh``, then call ``ended`` whether or not that failed."""
        self._paths_known.clear()
        self._done.clear()
        threading.Thread(target=self._run, args=(refresh, ended), name="leadline-start", daemon=True).start()

    def _run(self, refresh: Callable[[], None], ended: Callable[[], None]) -> None:
        try:
            self._indexer.scan_paths()
            self._paths_known.set()
            refresh()
        finally:
            self.end()
            ended()

    def end(self) -> None:
        """Let nobody wait any longer."""
        self._done.set()
        self._paths_known.set()

    def is_done(self, seconds: float = 0) -> bool:
        """Return whether the first look has ended, after ``seconds`` at most, so that the files are known."""
        return self._done.wait(seconds)

    def is_done_soon(self) -> bool:
        """Return whether the first look ends within the seconds that a call waits for it."""
        return self.is_done(LOOK_SECONDS)

    def wait(self) -> None:
        """Wait until the tree was looked at; raises StillLooking where that takes long."""
        if not self.is_done_soon():
            raise StillLooking(LOOK_SECONDS)

    def are_paths_known(self, seconds: float = 0) -> bool:
        """Return whether the paths of the tree are known after ``seconds`` at most: they alone, or more of it.

        Of a tree that is known from before, they are known as it is now once it was looked at.
        """
        return (self._paths_known.wait(seconds) and self._indexer.known.are_paths_alone) or self.is_done(seconds)

    def wait_for_paths(self) -> None:
        """Wait until the paths of the tree are known; raises StillLooking where that takes long."""
        if not self.are_paths_known(LOOK_SECONDS):
            raise StillLooking(LOOK_SECONDS)

    def unscanned_roots(self, first: Collection[str], seconds: float, *, paths_alone: bool) -> Sequence[str]:  # noqa: ARG002
        """Return the names of the roots that are not scanned after ``seconds`` at most; empty for one without a name.

        Args:
            first: The roots that are opened before the others.
            seconds: How long to wait, for all together.
            paths_alone: Whether a root counts as scanned when the paths of its files are known.

        """
        return () if (self.are_paths_known if paths_alone else self.is_done)(seconds) else ("",)
