"""Edits are made all together or not at all, and what was made is known afterwards: the journal of one tree.

An edit is made in five steps; whatever ends the process between two of them, every file is the old or the new one.

1. A record of the whole plan is put into the journal: *begun*.
2. Each file is written anew beside itself, each old one gets a second name, and the disk has it all.
3. Each new file is put in the place of the old one, if that is still the one that was read.
4. The record says that the edit is *made*: from here on it happened, before it did not.
5. The second names are removed.

A failure in step 2 or 3 puts the old files back. So does whoever opens the journal next and finds a record that was
begun and never made: it is marked *undone*. The old file itself is put back, by its second name, which takes no room on
the disk. A file that somebody has changed in between is left alone, and named in the record.

One process edits a tree at a time: a lock that the system takes back when the process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import apsw

from leadline_tools.edits.entry import Entry, State, dumped, loaded
from leadline_tools.edits.plan import EditPlan, FileChange, digest
from leadline_tools.edits.writable_file import Status, open_writable
from leadline_tools.errors import ChangedSince, NotWritten, PathError
from leadline_tools.index.store.database import index_path, private_folder
from leadline_tools.index.tree.source import Tree

KEPT_SECONDS = 24 * 3600
"""Seconds for which an edit that was made can be undone."""

_BUSY_MILLISECONDS = 10_000

_LARGEST_RECORD = 64 << 20
"""Bytes of the largest record that is read: an edit changes parts of files, not files."""

_LEFTOVER = re.compile(r"(\.leadline-[0-9a-f]{12})-[0-9]+\.(?:new|old)")
"""The names of the files that an edit writes beside others; what identifies the edit is the group."""


def journal_folder(cache: Path, identity: str) -> Path:
    """Return the folder of the journal of a tree in a cache folder; ``identity`` is that of its index."""
    return cache / "edits" / index_path(cache, Path(identity)).stem


class Journal:
    """The edits of the tree, with their records in ``folder``."""

    def __init__(self, folder: Path, tree: Tree) -> None:
        self._folder = folder
        self._tree = tree

    def apply(self, plan: EditPlan, key: str, question: str, owner: str = "") -> Entry:
        """Make an edit, and return its record; ``key``, ``question`` and ``owner`` are those of the entry.

        Raises ChangedSince where a file is not what the plan was made on, a PathError for one that may not be written,
        NotWritten where writing fails; then every file is as it was.
        """
        try:
            private_folder(self._folder)
            with self._locked(_BUSY_MILLISECONDS):
                self._recover()
                return self._made(Entry(key, question, State.Begun, time.time(), plan, owner=owner))
        except (OSError, apsw.Error) as error:
            raise NotWritten(_reason(error)) from error

    def recover(self) -> Sequence[Entry]:
        """Put back what was begun and never made, and return these edits; one that is being made is left alone."""
        if not self._folder.is_dir():
            return ()
        try:
            with self._locked(0):
                return self._recover()
        except (OSError, apsw.Error):
            return ()

    def interrupted(self) -> Sequence[Entry]:
        """Return the edits that were begun and never made; none while another process edits. Changes no file."""
        if not self._folder.is_dir():
            return ()
        try:
            with self._locked(0):
                return [entry for entry in self._entries() if entry.state is State.Begun]
        except (OSError, apsw.Error):
            return ()

    def find_leftovers(self, paths: Iterable[str]) -> Sequence[str]:
        """Return those of the files of the tree that an edit has left beside others, and that nothing needs any more.

        An edit that was begun needs its files, and so may one of another cache that began within a day.
        """
        needed = {_stem(entry.key) for entry in self._entries() if entry.state in {State.Begun, State.Made}}
        known = {_stem(entry.key) for entry in self._entries()}
        found = ((path, _LEFTOVER.fullmatch(path.rpartition("/")[2])) for path in paths)
        return [
            path
            for path, name in found
            if name is not None and name[1] not in needed and (name[1] in known or self._age(path) > KEPT_SECONDS)
        ]

    def remove_leftovers(self, paths: Iterable[str]) -> None:
        """Remove files that ``find_leftovers`` has found. Raises NotWritten."""
        try:
            private_folder(self._folder)
            with self._locked(_BUSY_MILLISECONDS):
                for path in self.find_leftovers(paths):
                    with contextlib.suppress(PathError), open_writable(self._tree, path) as here:
                        here.remove(path.rpartition("/")[2])
        except (OSError, apsw.Error) as error:
            raise NotWritten(_reason(error)) from error

    def _age(self, path: str) -> float:
        """Return how many seconds ago a file was changed, or got its name; 0 where that is not known."""
        try:
            with open_writable(self._tree, path) as here:
                return time.time() - here.changed_at(path.rpartition("/")[2])
        except (OSError, PathError):
            return 0.0

    def find(self, key: str) -> Entry | None:
        """Return the edit of that key, if it is still kept."""
        entry = self._read(self._folder / f"{key}.json") if key.isalnum() else None
        return entry if entry is not None and entry.at > time.time() - KEPT_SECONDS else None

    def latest(self, question: str) -> Entry | None:
        """Return the last edit that was asked for by that question."""
        found = (entry for entry in self._entries() if entry.question == question)
        return max(found, key=lambda entry: entry.at, default=None)

    def holds(self, plan: EditPlan) -> bool:
        """Return whether every file is as a plan makes it."""
        return bool(plan.files) and all(self._digest(change.path) == change.after for change in plan.files)

    # One edit

    def _made(self, entry: Entry) -> Entry:
        files = [_File(self._tree, entry.key, number, change) for number, change in enumerate(entry.plan.files)]
        changed = [file.change.path for file in files if not file.is_as_planned()]
        if changed:
            raise ChangedSince(changed)
        self._write(entry)
        try:
            for file in files:
                file.prepare()
            for file in files:
                file.put()
            made = entry.become(State.Made)
            self._write(made)
        except BaseException as error:
            undone = self._taken_back(entry)
            if undone.left and isinstance(error, Exception):
                raise NotWritten(_reason(error), undone.left) from error
            raise
        return self._tidied(made)

    def _taken_back(self, entry: Entry) -> Entry:
        """Put the old files back where they were replaced, and say so in the record."""
        files = [_File(self._tree, entry.key, number, change) for number, change in enumerate(entry.plan.files)]
        left = [file.change.path for file in files if not self._is_back(file)]
        undone = entry.become(State.Undone, tuple(left))
        with contextlib.suppress(OSError):  # on a full disk the record stays, and there is nothing left to put back
            self._write(undone)
        return undone

    def _is_back(self, file: _File) -> bool:
        try:
            return file.take_back(self._digest(file.change.path))
        except (OSError, PathError):
            return False

    def _tidied(self, entry: Entry) -> Entry:
        """Remove the second names of the old files; what cannot be removed now is removed next time."""
        with contextlib.suppress(OSError, PathError):
            for number, change in enumerate(entry.plan.files):
                _File(self._tree, entry.key, number, change).tidy()
            entry = entry.become(State.Tidied)
            self._write(entry)
        return entry

    # The records

    def _recover(self) -> Sequence[Entry]:
        recovered = []
        for entry in list(self._entries()):
            if entry.state is State.Begun:
                recovered.append(self._taken_back(entry))
            elif entry.state is State.Made:
                self._tidied(entry)
            elif entry.at < time.time() - KEPT_SECONDS:
                self._path(entry.key).unlink(missing_ok=True)
        return recovered

    def _entries(self) -> Iterator[Entry]:
        for path in sorted(self._folder.glob("*.json")) if self._folder.is_dir() else ():
            entry = self._read(path)
            if entry is not None:
                yield entry

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _read(self, path: Path) -> Entry | None:
        """Return a record; None where there is none, or none that can be read."""
        try:
            if path.stat().st_size > _LARGEST_RECORD:
                return None
            return loaded(path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def _write(self, entry: Entry) -> None:
        """Put a record into the journal, and wait until the disk has it."""
        path = self._path(entry.key)
        beside = path.with_suffix(".tmp")
        with beside.open("w", encoding="ascii") as file:
            file.write(dumped(entry))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        if os.name != "nt":
            descriptor = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def _digest(self, path: str) -> str:
        """Return the digest of a file as it is; empty where it cannot be read."""
        try:
            return digest(self._tree.read_bytes(path))
        except PathError:
            return ""

    @contextlib.contextmanager
    def _locked(self, milliseconds: int) -> Iterator[None]:
        """Hold the lock of the tree; raises apsw.BusyError where another process has it for so long."""
        lock = apsw.Connection(str(self._folder / "lock"))
        try:
            lock.set_busy_timeout(milliseconds)
            lock.execute("begin exclusive")
            yield
        finally:
            lock.close()


class _File:
    """One file of an edit, with the names of the new and of the old one beside it."""

    def __init__(self, tree: Tree, key: str, number: int, change: FileChange) -> None:
        self.change = change
        self._tree = tree
        # Who can list the folder learns the name, and must not learn the key from it.
        stem = f"{_stem(key)}-{number}"
        self._new, self._old = f"{stem}.new", f"{stem}.old"
        self._raw = b""
        self._status: Status | None = None

    def is_as_planned(self) -> bool:
        """Read the file, and tell whether it is what the plan was made on."""
        with open_writable(self._tree, self.change.path) as here:
            self._status = here.status()
            self._raw = self._tree.read_bytes(self.change.path)
        return digest(self._raw) == self.change.before

    def prepare(self) -> None:
        """Write the new file beside the old one, and give that a second name."""
        with open_writable(self._tree, self.change.path) as here:
            status = self._status or here.status()
            here.put_beside(self._new, self.change.applied(self._raw), status)
            here.keep(self._old, self._raw, status)
            here.sync()

    def put(self) -> None:
        """Put the new file in the place of the old one, if that is still the one that was read."""
        with open_writable(self._tree, self.change.path) as here:
            if self._status is None or not here.is_still(self._status):
                raise ChangedSince((self.change.path,), "while it was written to")
            here.take(self._new)
            here.sync()

    def take_back(self, present: str) -> bool:
        """Put the old file back where the new one is, by the digest of what is ``present``; return whether it is."""
        with open_writable(self._tree, self.change.path) as here:
            if present == self.change.after and here.has(self._old):
                here.take(self._old)
                present = self.change.before
            here.remove(self._old)
            here.remove(self._new)
            here.sync()
        return present == self.change.before

    def tidy(self) -> None:
        """Remove the second name of the old file."""
        with open_writable(self._tree, self.change.path) as here:
            here.remove(self._old)
            here.remove(self._new)


def _stem(key: str) -> str:
    """Return what the names of the files beside those of an edit begin with."""
    return f".leadline-{digest(key.encode())[:12]}"


def _reason(error: Exception) -> str:
    """Return what went wrong as part of a sentence."""
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    if isinstance(error, apsw.BusyError):
        return "another process is writing to this tree"
    return str(error).rstrip(".")
