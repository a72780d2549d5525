"""The open roots of a workspace: each is opened when a question is about it, and closed when nobody uses it.

A *root* is a tree and what opens its index. An *open* root has an index, with its connections, threads and watched
folders. Beyond ``MOST_OPEN`` of them, the ones that were used least recently are closed after ``_UNUSED_SECONDS``. A
root stays open while its index is written, its facts are computed, or its language server runs. What an answer has
obtained stays open until that answer ends: a root is only closed if it was last obtained before every answer that is
being computed began (epoch-based reclamation, Fraser 2004).
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from leadline_tools.cancellation import Cancelled
from leadline_tools.index.index import Index
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers.worker_pool import WorkerPool

log = logging.getLogger("leadline.index")

MOST_OPEN = 20
"""Roots that are opened at the start, and that stay open however long nobody uses them."""

_UNUSED_SECONDS = 60.0
"""Seconds after which a root beyond these counts as unused."""

_CHECK_SECONDS = 15.0
"""Seconds between two looks for unused roots."""

_OPENERS = 4
"""Threads that open roots for a question about many: each looks at one tree at a time."""

_LONGEST_LOOK = 30.0
"""Seconds after which a thread opens the next root though the last one is still being looked at."""


@dataclass(frozen=True, slots=True)
class Root:
    """A root that may be open or not.

    Args:
        tree: Reads its files while it is not open; it has a name.
        open_index: Returns its index, not started.

    """

    tree: Tree
    open_index: Callable[[], Index]


class _Entry:
    """A root with its index if it is open, and when that was obtained last, by the monotonic clock in seconds."""

    __slots__ = ("index", "lock", "opened", "root", "used")

    def __init__(self, root: Root, index: Index | None) -> None:
        self.root = root
        self.index = index
        self.used = 0.0
        self.opened = threading.Event()
        self.lock = threading.Lock()


class OpenRoots:
    """The roots of a workspace by name.

    Attributes:
        closes_unused: Whether roots are opened when they are asked about, and closed when they are not used.
        changes: How often a root was opened or closed, about: another number means another set of open roots.

    Args:
        roots: The roots, each with another name.
        pool: The workers that they share; closed with them.
        after_closing: Called after unused roots were closed, to return their memory to the system.

    """

    def __init__(
        self, roots: Iterable[Root], pool: WorkerPool | None = None, after_closing: Callable[[], None] | None = None
    ) -> None:
        ordered = sorted(roots, key=lambda root: root.tree.name)
        self._entries: Mapping[str, _Entry] = {root.tree.name: _Entry(root, None) for root in ordered}
        self._pool = pool
        self._after_closing = after_closing
        self.closes_unused = True
        self.changes = 0
        self._preparations: list[Callable[[Index], None]] = []
        self._losses: list[Callable[[], None]] = []
        self._answers: dict[object, float] = {}
        self._lock = threading.Lock()
        self._queue: dict[str, None] = {}
        self._opening: set[str] = set()
        self._openers = 0
        self._timer: threading.Timer | None = None
        self._started = self._closed = False

    @classmethod
    def always_open(cls, indexes: Sequence[Index], pool: WorkerPool | None = None) -> OpenRoots:
        """Return roots whose indexes are open already and stay so."""
        roots = cls((Root(index.tree, lambda index=index: index) for index in indexes), pool)  # type: ignore[misc]
        roots.closes_unused = False
        for index in indexes:
            roots._entries[index.tree.name].index = index
        return roots

    @property
    def names(self) -> Collection[str]:
        """Return the names of all roots, sorted."""
        return self._entries.keys()

    def tree(self, name: str) -> Tree:
        """Return the tree of a root, open or not; raises KeyError for the name of none."""
        entry = self._entries[name]
        index = entry.index
        return entry.root.tree if index is None else index.tree

    def index(self, name: str) -> Index:
        """Return the index of a root, which is opened if it is not; raises KeyError for the name of none."""
        entry = self._entries[name]
        # In this order: whoever closes it takes the index away first, and then looks when it was obtained.
        entry.used = time.monotonic()
        index = entry.index
        return self._open(entry) if index is None else index

    def opened(self, names: Iterable[str]) -> list[Index]:
        """Return the indexes of those of some roots that are open; this is no use of them, so they may be closed."""
        return [index for name in names if (index := self._entries[name].index) is not None]

    def is_open(self, name: str, seconds: float = 0.0) -> bool:
        """Return whether a root is open, after ``seconds`` at most."""
        entry = self._entries[name]
        return entry.index is not None or (seconds > 0 and entry.opened.wait(seconds))

    def prepare_each(self, prepare: Callable[[Index], None]) -> None:
        """Call a function with the index of each root that is open, and of each that is opened later."""
        self._preparations.append(prepare)
        for index in self.opened(self.names):
            prepare(index)

    def when_closed(self, forget: Callable[[], None]) -> None:
        """Call a function whenever unused roots were closed, which lets go of what it has of them."""
        self._losses.append(forget)

    def start(self, start: Callable[[Index], None]) -> None:
        """Start the indexes that are open; from now on each is started in the background when it is opened."""
        self._started = True
        for index in self.opened(self.names):
            start(index)

    def open_in_background(self, names: Iterable[str]) -> None:
        """Open some roots: a few at once, of more a few at a time, in the order in which they are named."""
        with self._lock:
            wanted = [name for name in names if not self.is_open(name) and name not in self._opening]
            if self._closed or not wanted:
                return
            if len(wanted) <= _OPENERS:  # before those in the queue
                self._opening.update(wanted)
                starts = [*wanted]
            else:
                self._queue.update(dict.fromkeys(wanted))
                starts = [""] * (_OPENERS - self._openers)
                self._openers = _OPENERS
        for name in starts:
            target, arguments = (self._open_named, (name,)) if name else (self._open_queued, ())
            threading.Thread(target=target, args=arguments, name="leadline-open", daemon=True).start()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keep open what the block obtains until it ends."""
        answer = object()
        self._answers[answer] = time.monotonic()
        try:
            yield
        finally:
            del self._answers[answer]

    def close_unused(self) -> int:
        """Close what was used least recently of more than ``MOST_OPEN`` open roots; return how many were closed."""
        limit = min(time.monotonic() - _UNUSED_SECONDS, *self._answers.copy().values(), inf)
        opened = sorted((entry.used, name) for name, entry in self._entries.items() if entry.index is not None)
        unused = [(used, name) for used, name in opened[: max(0, len(opened) - MOST_OPEN)] if used < limit]
        closed = sum(self._close_entry(self._entries[name], used) for used, name in unused)
        if closed:
            self.changes += 1
            log.info("%d unused roots are closed, %d are open", closed, len(opened) - closed)
            for forget in self._losses:
                forget()
            gc.collect()  # the parts of an index refer to each other
            if self._after_closing is not None:
                self._after_closing()
        return closed

    def close(self) -> None:
        """Close all roots that are open, and the workers."""
        with self._lock:
            self._closed = True
            self._queue.clear()
            if self._timer is not None:
                self._timer.cancel()
        for entry in self._entries.values():
            with entry.lock:
                if entry.index is not None:
                    entry.index.close()
        if self._pool is not None:
            self._pool.close()

    def _open(self, entry: _Entry) -> Index:
        with entry.lock:
            if entry.index is None:
                if self._closed:
                    raise Cancelled
                index = entry.root.open_index()
                for prepare in self._preparations:
                    prepare(index)
                if self._started:
                    index.start_in_background()
                entry.index = index
                self.changes += 1
                entry.opened.set()
                self._check_later()
            return entry.index

    def _open_queued(self) -> None:
        """Open the roots in the queue until it is empty."""
        while True:
            with self._lock:
                name = next(iter(self._queue), None)
                if name is None:
                    self._openers -= 1
                    return
                del self._queue[name]
                self._opening.add(name)
            self._open_named(name)

    def _open_named(self, name: str) -> None:
        """Open a root, and wait until its tree was looked at."""
        try:
            self.index(name).scan.is_done(_LONGEST_LOOK)
        except Cancelled:
            pass
        except Exception:
            log.exception("the root %s could not be opened", name)
        finally:
            self._opening.discard(name)

    def _check_later(self) -> None:
        """Look for unused roots in some seconds, if there may be any."""
        with self._lock:
            too_many = len(self.opened(self.names)) > MOST_OPEN
            if self._closed or self._timer is not None or not self.closes_unused or not too_many:
                return
            self._timer = threading.Timer(_CHECK_SECONDS, self._check)
            self._timer.name, self._timer.daemon = "leadline-unused", True
            self._timer.start()

    def _check(self) -> None:
        try:
            self.close_unused()
        finally:
            with self._lock:
                self._timer = None
            self._check_later()

    @staticmethod
    def _close_entry(entry: _Entry, used: float) -> bool:
        """Close an open root unless it is at work, or was obtained since it was seen to be ``used``; tell whether."""
        with entry.lock:
            index = entry.index
            if index is None or not _is_idle(index):
                return False
            entry.index = None
            if entry.used != used:
                entry.index = index
                return False
            entry.opened.clear()
            index.close()  # who needs the root meanwhile waits for its file
            return True


def _is_idle(index: Index) -> bool:
    """Return whether nothing is left to write or to compute, and nothing that depends on an index is in use."""
    return index.settle(0) and index.facts.is_settled() and not index.dependents.are_used()
