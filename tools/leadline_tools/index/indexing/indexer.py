"""The indexer, which keeps the index true to the tree: changes are noted at once, and written in their turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from leadline_tools.index.changes.changed_paths import ChangedPaths
from leadline_tools.index.changes.watch import Watcher
from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.files.file_table import Changes, FileTable
from leadline_tools.index.indexing.known_files import KnownFiles
from leadline_tools.index.indexing.shared_symbols import SharedSymbols
from leadline_tools.index.indexing.texts import LARGEST_TEXT
from leadline_tools.index.indexing.unindexed import columns_of, undone
from leadline_tools.index.indexing.writer import Writer
from leadline_tools.index.store.rows import Rows, RowsError
from leadline_tools.index.store.snapshot import AnswerLock
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.walked_files import ListedFile, Walked
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import CRASHED

_MANY = 20_000
_HEAD_START = 1.0
"""Seconds by which the first question comes before the first build of a tree of many files: both want all there is."""

_CLOSING_SECONDS = 1.0
"""Seconds that the end waits for a walk which is under way."""

_WALKS = 3
"""Walks after which a tree that grows all the time is taken as it was found, until the next question."""


class Indexer:
    """The side of the index that follows the tree.

    Attributes:
        files: What is known of every file, at any moment.
        known: Which files there are, also before any was looked at.
        walked: What else the last walk or scan of paths found; None before the first.
        answers: What keeps commits out of answers.

    """

    def __init__(self, tree: RootTree, rows: Rows, workers: RootWorkers, shared: SharedSymbols | None = None) -> None:
        """Take the tree, what is kept of it, what parses it, and what is ``shared`` with indexes of equal contents."""
        self.walked: Walked | None = None
        self._watched = self._looked = False
        self.files = FileTable(LARGEST_TEXT)
        self.known = KnownFiles(tree, self.files)
        self._tree = tree
        tree.known = self.files.known
        self._rows = rows
        self.answers = AnswerLock()
        self._writer = Writer(
            tree, rows, workers, self.files, self.refresh, self.answers, shared or SharedSymbols(None)
        )
        self.watcher = Watcher(tree, self._lists)
        self._refreshing = threading.Lock()
        self._closed = False
        self._unconfirmed = False
        self._confirming: threading.Timer | None = None
        self._load()
        self._first_build = not len(self.files)

    def start(self) -> None:
        """Begin to index what the index lacks; nothing where it was closed meanwhile."""
        with self._refreshing:
            if not self._closed:
                self._start()

    def _start(self) -> None:
        first_build = len(self.files) > _MANY and not self.files.progress.texts
        head_start = _HEAD_START if first_build else 0.0
        self._writer.start(head_start)
        if self._unconfirmed:
            self._confirming = threading.Timer(head_start, self._confirm)
            self._confirming.daemon = True
            self._confirming.start()

    def close(self) -> None:
        """Stop; what is committed stays. A walk that takes long is left to itself."""
        waited = self._refreshing.acquire(timeout=_CLOSING_SECONDS)
        self._closed = True
        if self._confirming is not None:
            self._confirming.cancel()
        if waited:  # before the writer is waited for, which may be about to look
            self._refreshing.release()
        self._writer.close()
        self.watcher.close()

    def wait(self, seconds: float) -> bool:
        """Wait until every file is indexed, at most ``seconds``; return whether that is so."""
        with self.answers.pause():
            return self._writer.wait(seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds``; return whether that is so."""
        with self.answers.pause():
            return self._writer.settle(seconds)

    @property
    def leading(self) -> bool:
        """Return whether this process keeps the index true; another one may."""
        return self._writer.leading

    def refresh(self) -> None:
        """Take note of all that has happened in the tree, and queue what is new or changed; once closed, of nothing."""
        with self._refreshing:
            if self._closed:
                return
            self._watch()
            self._first_build = self._first_build and not self._knows_words()
            touched = self.watcher.touched(waiting=not self._first_build)
            try:
                with self._exclude_answers(touched):
                    self._apply(self._changes(touched))
            except BaseException:
                self.watcher.doubt()
                raise

    def _exclude_answers(self, touched: ChangedPaths) -> AbstractContextManager[None]:
        """Keep answers out while a tree moves from one state to another as a whole: each is of one of the two."""
        moves = touched.everything and self._tree.has_moved()
        return self.answers.commit() if moves else nullcontext()

    def scan_paths(self) -> None:
        """Find which files there are in a tree of which nothing is known: to look at each takes three times as long."""
        with self._refreshing:
            if self._closed or self._looked or len(self.files):
                return
            self._watch()
            self.watcher.touched(waiting=False)  # what happened up to now will be seen
            began = time.monotonic()
            scan = self._tree.scan()
            if scan is None:
                return
            self.walked = _without_files(scan.walked)
            self.known.take_scan(scan, began)

    def _watch(self) -> None:
        """Begin to watch the tree, once."""
        if not self._watched:
            self._watched = True
            self.watcher.start(map(self._tree.bare, self.files.paths()))

    def _knows_words(self) -> bool:
        """Return whether there are files, and the words of all are indexed."""
        return 0 < len(self.files) == self.files.progress.texts

    def renew(self) -> None:
        """Throw a damaged index away and begin anew."""
        with self._refreshing:
            self._writer.renew()

    def _lists(self, path: str) -> bool:
        """Return whether a bare path is that of a listed file."""
        return self._tree.named(path) in self.files

    def _changes(self, touched: ChangedPaths) -> Changes:
        """Return how the tree differs from what is known; a touched file has changed, whatever its size and time."""
        if not touched.everything and not touched.paths:
            return Changes([], [], [])
        seen = frozenset(map(self._tree.named, touched.paths))
        paths = seen.union(*map(self.files.below, seen))
        if paths:
            self.known.drop_scan()
        looked = None if touched.everything else self._tree.look(map(self._tree.bare, paths))
        # Where the rules leave nothing they do not count, which only a walk can tell.
        nothing = looked is not None and not looked.files and paths.issuperset(self.files.paths())
        if looked is None or looked.skipped or nothing:
            walked = self.known.named(self._walk().files)
            changes = self.files.compare(walked)
            again = paths.difference(found.path for found in changes.changed).intersection(self.files.paths())
            return changes._replace(changed=changes.changed + [found for found in walked if found.path in again])
        found = self.known.named(looked.files)
        there = {one.path for one in found}
        return Changes(
            [one for one in found if one.path not in self.files],
            [one for one in found if one.path in self.files],
            [path for path in paths if path not in there and path in self.files],
        )

    def _walk(self) -> Walked:
        """Walk the tree; once more where folders were not watched yet meanwhile."""
        first = not self._looked and not len(self.files)
        walked, sure = self._walk_once()
        self._looked = True
        for _ in range(0 if first else _WALKS - 1):
            if sure:
                break
            walked, sure = self._walk_once()
        if not sure and first:  # whoever asks first does not wait for a second walk
            self._unconfirmed = True
            self.watcher.trust()
        elif not sure:
            self.watcher.doubt()
        return walked

    def _walk_once(self) -> tuple[Walked, bool]:
        """Walk the tree; tell also whether every folder was watched meanwhile."""
        scanned, began = self.known.continue_scan(), time.monotonic()
        if scanned is not None:
            began = scanned[0]
        walked = self._tree.walk() if scanned is None else scanned[1].with_files()
        self.walked = _without_files(walked)
        return walked, self.watcher.checked(walked, began) and scanned is None

    def _confirm(self) -> None:
        """Find what happened while a tree that nothing was known of was walked, before its folders were watched."""
        began = time.monotonic()
        walked = self._tree.walk()
        with self._refreshing:
            if self._closed:
                return
            self._unconfirmed = False
            changes = self.files.compare(self.known.named(walked.files))
            if not self.watcher.checked(walked, began):
                self.watcher.doubt()
            seen = (*(file.path for file in (*changes.added, *changes.changed)), *changes.removed)
            paths = frozenset(map(self._tree.bare, seen))
            if paths:  # what has happened since that walk is known already, so they are looked at once more
                self._apply(self._changes(ChangedPaths(paths, everything=False)))

    def _apply(self, changes: Changes) -> None:
        if changes.removed:
            self._remove(changes.removed)
        there = (*changes.changed, *changes.added)
        self.files.fill(columns_of(changes.added))
        self.known.forget_paths()
        for found in changes.changed:
            self._note(found)
        if there:  # who writes is not woken for nothing: it would take turns with each call
            self._writer.add(found.path for found in there)

    def _load(self) -> None:
        """Begin with what the database has."""
        try:
            for files in self._writer.load():
                self.files.fill(files)
            for file in self.files.failed():
                if file.error == CRASHED:  # perhaps the system ended those workers, and it would not do so again
                    self.files.change(file.path, _without_blame)
        except RowsError:
            self._rows.renew()
            for path in list(self.files.paths()):
                self.files.remove(path)

    def _remove(self, paths: Iterable[str]) -> None:
        gone = [file for path in paths if (file := self.files.get(path)) is not None]
        for file in gone:
            self.files.remove(file.path)
        self._writer.forget(file.id for file in gone if file.id)

    def _note(self, found: ListedFile) -> None:
        """Take in a file that has changed."""

        def touched(known: File) -> File:
            if known[2:4] == found[1:3]:
                self.known.count_edit()
            return known.touched(found.size, found.changed_ns, undone(found.path))

        self.files.change(found.path, touched)


def _without_blame(file: File) -> File:
    """Return a file as one whose symbols are not indexed yet."""
    return file._replace(done=file.done & ~SYMBOLS, error="")


def _without_files(walked: Walked) -> Walked:
    """Return what is told of a walk besides its files."""
    return replace(walked, files=[], folders=None, holding=())
