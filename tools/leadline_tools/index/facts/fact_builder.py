"""Facts computed before a question needs them: in the background, for trees of every size, likeliest files first.

One thread decides what comes next, and writes what has come. It begins when words and symbols are indexed, stands back
while a call is answered, never queues more than one short task for each worker, and ends where the store is full. What
is kept is never computed again, so that a later start goes on where this one ended.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from leadline_tools.index.facts.fact_store import FactStore, Kept
from leadline_tools.index.facts.facts_to_build import AT_ONCE, FactsToBuild
from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages import language_of

log = logging.getLogger("leadline.index")

_TASK_BYTES = 32 << 10
"""Bytes of the files of one task: a question waits for as much at most, or for one larger file; about 15 ms."""

_HURRIED_BYTES = 512 << 10
"""The same where no question can come."""

_BYTES_OF_ONE = 1_500_000
"""Bytes of sources from which on another process is worth its start: one takes a second for them, a start a fifth."""

_WRITTEN_AT_ONCE = 200
_WRITE_SECONDS = 1.0
"""How many facts are written together, and how long they wait for that."""

_IDLE_SECONDS = 1.0
"""Seconds between two looks whether the tree has changed."""

_ANSWER_SECONDS = 0.25
"""Seconds for which the end of an answer is waited for at a time."""

_FOLLOW_SECONDS = 30.0
"""Seconds between two looks at what another process has kept, of two that share an index."""

_STOP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Found:
    """What a worker found in a file, or was found kept: without facts where ``blob`` is empty."""

    path: str
    digest: bytes
    language: str
    blob: bytes


class FactBuilder:
    """Computes facts in advance, and keeps those that were computed for a question."""

    def __init__(self, indexer: Indexer, workers: RootWorkers, store: FactStore) -> None:
        self._indexer = indexer
        self._files = indexer.files
        self._workers = workers
        self._store = store
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._settled = threading.Event()
        self._closed = False
        self._building = self._hurried = False
        self._thread: threading.Thread | None = None
        self._found: list[_Found] = []
        self._written = 0.0
        self._followed = -_FOLLOW_SECONDS
        self._preferred: dict[str, None] = {}
        self._pending: set[str] = set()
        self._tasks = self._queued_bytes = 0
        self._ready: list[str] = []
        self._order: Iterator[str] = iter(())
        self._passed = ""
        self._to_build = FactsToBuild(self._files, store)

    # What others call

    def build(self, *, hurried: bool = False) -> None:
        """Begin to compute the facts of all files; ``hurried`` where nobody asks questions meanwhile."""
        self._hurried = self._hurried or hurried
        if not self._building:
            self._building = True
            self._start()

    def prefer(self, paths: Iterable[str]) -> None:
        """Compute the facts of some files before all others, as far as they are not kept."""
        wanted = [path for path in paths if self._files.facts.lacks(path)]
        if wanted:
            with self._lock:
                self._preferred.update(dict.fromkeys(wanted))
            self._start()

    def keep(self, replies: Mapping[str, Reply]) -> None:
        """Keep what workers have found for a question."""
        found = [one for path, reply in replies.items() if (one := self._found_in(path, reply)) is not None]
        if found:
            with self._lock:
                self._pending.update(one.path for one in found)
                self._found += found
                self._written = 0.0  # the next question may need them
            self._start()

    def wait(self, seconds: float) -> bool:
        """Wait until there is nothing left to compute or to write, at most ``seconds``; return whether that is so."""
        if self._thread is None:
            return True
        self._settled.clear()  # what has changed since is not known to be done
        self._wake.set()
        return self._settled.wait(seconds)

    def stop(self) -> None:
        """Stop; what was found is written."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._wake.set()
        if thread is not None:
            thread.join(_STOP_SECONDS)

    def _start(self) -> None:
        self._settled.clear()
        with self._lock:
            if self._thread is None and not self._closed:
                thread = threading.Thread(target=self._run, name="leadline-facts", daemon=True)
                thread.start()
                self._thread = thread  # a thread that has not started cannot be joined
        self._wake.set()

    # The thread

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait(_IDLE_SECONDS if self.is_settled() else _WRITE_SECONDS)
            self._wake.clear()
            if self._closed:
                break
            self._advance()
        self._write()
        self._store.flush()

    def _advance(self) -> None:
        """Write what has come if it is time for it, and give the workers what comes next."""
        if len(self._found) >= _WRITTEN_AT_ONCE or time.monotonic() - self._written > _WRITE_SECONDS:
            self._write()
        while not self._closed and self._may_queue() and (task := self._next_task()):
            self._queue(task)
        if self._found and not self._tasks:
            self._write()
        if self._building and not self._hurried and not self._indexer.leading:
            self._follow()
        (self._settled.set if self.is_settled() else self._settled.clear)()

    def _may_queue(self) -> bool:
        """Return whether a worker is free, and neither the index nor an answer needs it."""
        allowed = self._workers.processes * (2 if self._hurried else 1)
        if self._tasks >= allowed or not self._indexer.wait(0):
            return False
        return self._indexer.answers.wait_for_none(_ANSWER_SECONDS)

    def is_settled(self) -> bool:
        """Return whether nothing is left to do for the present state of the tree."""
        if self._tasks or self._found or self._ready or self._preferred or not self._indexer.wait(0):
            return False
        return not self._passes or self._passed == self._indexer.known.state

    @property
    def _passes(self) -> bool:
        """Return whether the facts of all files are computed here: one process does it, as long as there is room."""
        return self._building and not self._to_build.full and (self._hurried or self._indexer.leading)

    def _write(self) -> None:
        with self._lock:
            found, self._found = self._found, []
        self._written = time.monotonic()
        if not found:
            return
        trimmed = self._store.put(Kept(one.digest, one.language, one.blob) for one in found)
        for one in found:
            self._files.facts.note(one.path, one.digest, some=bool(one.blob))
        with self._lock:
            self._pending.difference_update(one.path for one in found)
        if trimmed:
            self._to_build.full = True
            self._recount()

    def _recount(self) -> None:
        """Look up once more of which files the facts are kept."""
        self._files.facts.forget()
        self._to_build.note_kept(self._pending)

    def _follow(self) -> None:
        """Note from time to time of which files another process has kept the facts."""
        files = self._files
        if files.facts.kept < files.facts.possible and time.monotonic() - self._followed > _FOLLOW_SECONDS:
            self._to_build.note_kept(self._pending)
            self._followed = time.monotonic()

    # What comes next

    def _next_task(self) -> list[str]:
        """Return the files of the next task; none where there is nothing left."""
        task: list[str] = []
        size, most = 0, _HURRIED_BYTES if self._hurried else _TASK_BYTES
        while size < most and (path := self._next_file()) is not None:
            task.append(path)
            size += self._files.size(path)
        self._queued_bytes += size
        return task

    def _next_file(self) -> str | None:
        preferred = self._take_preferred()
        if preferred:
            self._ready += reversed(self._to_build.without_kept(preferred, self._pending))
        while not self._ready and (some := self._take_in_order()):
            self._ready = self._to_build.without_kept(some, self._pending)[::-1]
        return self._ready.pop() if self._ready else None

    def _take_preferred(self) -> list[str]:
        with self._lock:
            preferred, self._preferred = self._preferred, {}
        return list(preferred)

    def _take_in_order(self) -> list[str]:
        """Return the next files of the pass through the tree; of a new one where the tree has changed."""
        if not self._passes:
            return []
        some = list(islice(self._order, AT_ONCE))
        if not some and self._passed != self._indexer.known.state:
            self._passed = self._indexer.known.state
            self._order = self._to_build.in_order()
            some = list(islice(self._order, AT_ONCE))
        return some

    def _queue(self, paths: list[str]) -> None:
        with self._lock:
            self._pending.update(paths)
            self._tasks += 1
        left = len(paths)

        def take(path: str, reply: Reply) -> None:
            nonlocal left
            left -= 1
            self._take(path, reply, last=not left)

        processes = min(self._tasks, 1 + self._queued_bytes // _BYTES_OF_ONE)
        self._workers.submit_last(Operation.Facts, paths, take, processes, unhurried=not self._hurried)

    def _take(self, path: str, reply: Reply, *, last: bool) -> None:
        found = self._found_in(path, reply)
        with self._lock:
            if found is not None:
                self._found.append(found)
            else:
                self._pending.discard(path)
            self._tasks -= last
        if last:
            self._wake.set()

    def _found_in(self, path: str, reply: Reply) -> _Found | None:
        """Return what a reply says of the content of a file; None where nothing is to be kept of it."""
        language, file = language_of(path), self._files.get(path)
        if reply.refused or reply.textual or language is None or file is None:
            return None
        digest = reply.digest or file.digest  # a worker that died sends none: what killed it once would again
        if not any(digest):
            self._files.facts.note(path, file.digest, some=False)
            return None
        return _Found(path, digest, language.name, b"" if reply.error else reply.payload)
