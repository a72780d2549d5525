"""The folders of a tree as inotify watches them: those of listed files, and those that may come to hold one.

What the rules ignore is not watched, so a build or ``node_modules`` costs neither watches nor events. A folder is
watched before it is looked into, so nothing that is put into it is missed.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterable
from pathlib import Path

from leadline_tools.index.changes import inotify
from leadline_tools.index.changes.changed_paths import (
    RULES,
    ChangeCollector,
    ChangedPaths,
    above,
    identity,
    outside,
    with_above,
)
from leadline_tools.index.changes.event_queue import QUEUE
from leadline_tools.index.changes.inotify import Event
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.walked_files import Walked

_APPEARED = inotify.CREATE | inotify.MOVED_TO
_MOVED = inotify.MOVED_FROM | inotify.MOVED_TO

_REPOSITORY = frozenset({".git", "HEAD"})
"""Names by which a folder is left out of the list: without them it is a part again."""

_PASSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG})
"""Why a folder cannot be watched that is gone or closed by now. The folder above tells when that changes."""

_PATIENCE = 2.0
"""Seconds that a question waits until all folders are watched. Else it walks the tree, which takes longer than that
search; on two cores that do nothing else Linux takes a quarter of a second."""


class Folders:
    """Watches the folders of a tree. Raises OSError when the system does not let it."""

    def __init__(self, tree: DiskTree, touches: ChangeCollector) -> None:
        self._root = str(tree.root)
        self._touches = touches
        self._queue = QUEUE.subscribe()
        self._watches: dict[str, int] = {}
        self._paths: dict[int, list[str]] = {}  # several for one watch where a folder is mounted twice
        self._outside: dict[int, frozenset[str]] = {}
        self._lock = threading.Lock()
        self._search_due = True
        self._search = 0  # the number of the latest
        self._searched = threading.Event()
        self._searched.set()
        self._refused: OSError | None = None
        try:
            self._identity = identity(self._root)
            self._queue.add(self._root)  # which raises where the root is gone or closed
            self._watch("")
            self._watch_repository()
        except OSError:
            self._queue.close()
            raise

    def watch(self, folders: Iterable[str]) -> bool:
        """Watch folders; return whether there was one that was not watched before."""
        with self._lock:
            return sum(self._watch(folder) for folder in folders) > 0

    def checked(self, walked: Walked) -> bool:
        """Take the result of a full check; False where it looked at folders before they were watched."""
        with self._lock:
            self._touches.walked(walked)
        if self.watch(with_above(walked.holding)):
            return False
        for link in walked.links:
            if self.watch(above([link.target])):
                self._touches.link(link.path)
        for folder in walked.left_out:
            with self._lock:
                self._watch_outside(f"{self._root}/{folder}", _REPOSITORY)
        if self._search_due:
            self._search_due = False
            self._searched.clear()
            self._search += 1
            given = self._search, walked
            threading.Thread(target=self._find_more, args=given, name="leadline-watch", daemon=True).start()
        return True

    def touched(self, *, waiting: bool) -> ChangedPaths | None:
        """Return what has been touched up to now; None where that is not known any more, and all begins anew.

        Without ``waiting`` folders that are not watched yet, which hold no listed file, are left to the next time.
        """
        sure = self._searched.wait(_PATIENCE if waiting else 0) or not waiting
        with self._lock:
            if self._refused is not None:
                raise self._refused
            if self._identity != identity(self._root):
                return None
            for event in self._queue.events():
                if event.mask & (inotify.OVERFLOW | inotify.UNMOUNT):
                    return None
                self._take(event)
            taken = self._touches.take()
            return taken if sure else taken._replace(everything=True)

    def close(self) -> None:
        """Watch no longer."""
        with self._lock:
            self._search += 1
            self._queue.close()

    def _find_more(self, search: int, walked: Walked) -> None:
        """Watch also the folders that hold no listed file yet, and note what came into them meanwhile.

        A walk of the folders has seen all of them; where git lists the files, they lie below those that are watched.
        """
        with self._lock:
            if walked.folders is None:
                folders = list(self._watches)
            else:
                folders = [*walked.repositories, *(one for one in walked.folders if one not in self._watches)]
        for folder in folders:
            with self._lock:
                if search != self._search:
                    return
                try:
                    self._explore(folder)
                except OSError as error:
                    self._refused = error
                    break
        self._searched.set()

    def _watch(self, folder: str) -> bool:
        """Watch a folder; return whether it was not watched before, and is now."""
        if folder in self._watches:
            return False
        try:
            number = self._queue.add(f"{self._root}/{folder}")
        except OSError as error:
            if error.errno in _PASSING:
                return False
            raise
        self._watches[folder] = number
        self._paths.setdefault(number, []).append(folder)
        return True

    def _watch_repository(self) -> None:
        for folder, names in outside(Path(self._root)).items():
            self._watch_outside(folder, names)

    def _watch_outside(self, folder: str, names: frozenset[str]) -> None:
        try:
            number = self._queue.add(folder)
        except OSError as error:
            if error.errno not in _PASSING:
                raise
        else:
            self._outside[number] = self._outside.get(number, frozenset()) | names

    def _explore(self, start: str) -> None:
        """Watch a folder and those below that are not watched yet; note the files of each that was not."""
        todo = [start]
        while todo:
            folder = todo.pop()
            new = self._watch(folder)
            try:
                with os.scandir(f"{self._root}/{folder}") as entries:
                    for entry in entries:
                        path = f"{folder}/{entry.name}" if folder else entry.name
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name == ".git":
                                self._watch_outside(f"{self._root}/{path}/info", frozenset({"exclude"}))
                            elif path not in self._watches and not self._touches.leaves_out(path):
                                todo.append(path)
                        elif new:
                            self._touches.met(path)
            except OSError:
                continue  # gone or closed by now

    def _take(self, event: Event) -> None:
        if event.name in self._outside.get(event.watch, ()):
            if event.name == "index":
                self._touches.doubt()
            else:
                self._forget_rules()
        for folder in list(self._paths.get(event.watch, ())):
            if event.mask & inotify.IGNORED:
                self._unwatch(folder, event.watch)
            elif event.name:
                self._take_entry(f"{folder}/{event.name}" if folder else event.name, event.mask)
            elif not folder:
                self._touches.doubt()

    def _take_entry(self, path: str, mask: int) -> None:
        name = path.rpartition("/")[2]
        if name in RULES:
            self._forget_rules()
        if name == ".git":
            return
        if mask & inotify.IS_FOLDER:
            self._take_folder(path, mask)
        else:
            self._touches.file(path, appeared=bool(mask & _APPEARED))

    def _take_folder(self, path: str, mask: int) -> None:
        if path not in self._watches and self._touches.leaves_out(path):
            if mask & (_MOVED | inotify.DELETE) and self._touches.is_left_out(path):
                self._touches.doubt()
            return
        if mask & (inotify.ATTRIB | _MOVED):
            # Only a walk knows what can be read now, and whether git tracks what a rule ignores at the new place.
            self._touches.doubt()
        if mask & inotify.DELETE:
            self._unwatch(path, self._watches.get(path, 0))
        if mask & _MOVED:
            for folder in [path, *(folder for folder in self._watches if folder.startswith(f"{path}/"))]:
                self._unwatch(folder, self._watches.get(folder, 0))
        if not mask & inotify.ATTRIB:
            self._touches.folder(path)
        if mask & (_APPEARED | inotify.ATTRIB):
            self._explore(path)

    def _forget_rules(self) -> None:
        self._touches.rules_changed()
        self._search_due = True
        self._watch_repository()

    def _unwatch(self, folder: str, number: int) -> None:
        """Forget that a folder is watched, and end the watch if it is that of no other."""
        if self._watches.get(folder) == number:
            del self._watches[folder]
        folders = self._paths.get(number, [])
        if folder in folders:
            folders.remove(folder)
            if not folders:
                del self._paths[number]
                if number not in self._outside:
                    self._queue.remove(number)
