"""The tree as ``watchfiles`` watches it, where there is no inotify: macOS and Windows.

These systems tell of a change a little after it happened. So each question writes a file of its own into a folder of
its own, which is watched as well, and waits until that is reported: by then all that happened before has been.
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import time
from collections.abc import Generator, Iterable
from itertools import count
from pathlib import Path

from watchfiles import Change, watch
from watchfiles.main import FileChange

from leadline_tools.index.changes.changed_paths import RULES, ChangeCollector, ChangedPaths, identity, outside
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.walked_files import Walked

_DEADLINE = 1.0
"""Seconds that a question waits for its own file to be reported; without it all counts as touched."""


class Notified:
    """Watches a tree as a whole. Raises OSError when the system does not let it."""

    def __init__(self, tree: DiskTree, touches: ChangeCollector) -> None:
        self._root = str(tree.root)
        self._touches = touches
        self._identity = identity(self._root)
        if self._identity is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._outside = outside(Path(self._root))
        self._fences = tempfile.TemporaryDirectory(prefix="leadline-", ignore_cleanup_errors=True)
        self._folder = os.path.realpath(self._fences.name)
        self._numbers = count()
        self._lock = threading.Lock()
        self._events = self._watched()
        try:
            next(self._events)
        except (OSError, RuntimeError) as error:
            self._fences.cleanup()
            raise OSError(*error.args) from None

    def watch(self, folders: Iterable[str]) -> bool:  # noqa: ARG002  all are
        """Tell that no folder has to be watched for itself."""
        return False

    def checked(self, walked: Walked) -> bool:
        """Take the result of a full check."""
        with self._lock:
            self._touches.walked(walked)
        return True

    def touched(self, *, waiting: bool) -> ChangedPaths | None:
        """Return what has been touched up to now; None where that is not known any more, and all begins anew.

        It watches all folders from the beginning, so there is nothing for which ``waiting`` would be.
        """
        del waiting
        with self._lock:
            fence = f"{self._folder}{os.sep}{next(self._numbers)}"
            until = time.monotonic() + _DEADLINE
            try:
                Path(fence).touch()
                while not self._passes(fence, next(self._events)):
                    if time.monotonic() > until:
                        return None
                Path(fence).unlink()
            except (OSError, RuntimeError, StopIteration):
                return None
            return self._touches.take() if self._identity == identity(self._root) else None

    def close(self) -> None:
        """Watch no longer."""
        with self._lock:
            self._events.close()
            self._fences.cleanup()

    def _watched(self) -> Generator[set[FileChange], None, None]:
        return watch(
            self._root,
            self._folder,
            *self._repository(),
            watch_filter=None,
            debounce=1,
            step=1,
            rust_timeout=1,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,
            ignore_permission_denied=True,
        )

    def _repository(self) -> Iterable[str]:
        """Return where git keeps the index, if that is not in the tree."""
        for folder, names in self._outside.items():
            if "index" in names and Path(folder).is_dir() and not _beneath(folder, self._root):
                yield folder

    def _passes(self, fence: str, changes: set[FileChange]) -> bool:
        """Take what is reported; return whether the fence is among it."""
        for change, path in changes:
            if not _beneath(path, self._folder):
                self._take(path, change)
        return any(path == fence for _, path in changes)

    def _take(self, path: str, change: Change) -> None:
        folder, _, name = path.rpartition(os.sep)
        if name in self._outside.get(folder, ()):
            self._touches.rules_changed()
        if not _beneath(path, self._root):
            return
        inside = path[len(self._root) :].strip(os.sep).replace(os.sep, "/")
        if name in RULES:
            self._touches.rules_changed()
            self._outside = outside(Path(self._root))
        if Path(path).is_dir():
            # What it brought with it is not reported one by one.
            if change != Change.modified and not self._touches.leaves_out(inside):
                self._touches.doubt()
        else:
            self._touches.file(inside, appeared=change == Change.added)
            if change == Change.deleted and not self._touches.leaves_out(inside):
                self._touches.folder(inside)  # which it may have been


def _beneath(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
