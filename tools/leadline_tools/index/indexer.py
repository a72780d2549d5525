"""Keeps the index true to the tree: what is new or changed is noted at once, and written when its turn comes."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import apsw

from leadline_tools.index.database import Database
from leadline_tools.index.files import SYMBOLS, File, Files
from leadline_tools.index.source import Tree
from leadline_tools.index.walk import Found, Walked, walk
from leadline_tools.index.workers import Workers
from leadline_tools.index.writer import Task, Writer, is_code, new


class Indexer:
    """The side of the index that follows the tree. ``files`` is what is known of every file, at any moment."""

    def __init__(self, tree: Tree, database: Database, workers: Workers) -> None:
        self.walked: Walked | None = None
        self.files = Files()
        self._tree = tree
        self._database = database
        self._writer = Writer(tree, database, workers, self.files, self.refresh)
        self._refreshing = threading.Lock()
        self._load()

    def start(self) -> None:
        """Begin to index what the index lacks."""
        self._writer.start()

    def close(self) -> None:
        """Stop; what is committed stays."""
        self._writer.close()

    def wait(self, seconds: float) -> bool:
        """Wait until every file is indexed, at most ``seconds``; tell whether that is so."""
        return self._writer.wait(seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds``; tell whether that is so."""
        return self._writer.settle(seconds)

    def later(self, task: Task) -> None:
        """Have something written with the next batch."""
        self._writer.later(task)

    def afterwards(self, task: Task) -> None:
        """Have something written whenever every file is indexed."""
        self._writer.afterwards(task)

    def refresh(self) -> None:
        """Compare the tree with the index, and queue what is new or changed."""
        with self._refreshing:
            self.walked = walk(self._tree.root)
            changes = self.files.compare(self.walked.files)
            self._remove(changes.removed)
            for found in changes.added:
                self.files.put(_added(found))
            for found in changes.changed:
                self._change(found)
            self._writer.add(found.path for found in (*changes.changed, *changes.added))

    def renew(self) -> None:
        """Throw a damaged index away and begin anew."""
        with self._refreshing:
            self._writer.renew()

    def _load(self) -> None:
        """Begin with what the database has."""
        try:
            loaded = self._writer.load()
        except apsw.Error:
            self._database.renew()
            loaded = []
        self.files.fill(loaded)

    def _remove(self, paths: Iterable[str]) -> None:
        gone = [file for path in paths if (file := self.files.get(path)) is not None]
        for file in gone:
            self.files.remove(file.path)
        self._writer.forget(file.id for file in gone if file.id)

    def _change(self, found: Found) -> None:
        known = self.files.get(found.path)
        if known is None:
            self.files.put(_added(found))
        else:
            done = 0 if is_code(found.path) else SYMBOLS
            self.files.put(known._replace(size=found.size, mtime_ns=found.mtime_ns, done=done, error=""))


def _added(found: Found) -> File:
    return new(File(0, found.path, found.size, found.mtime_ns, 0, b"", 0, ""))
