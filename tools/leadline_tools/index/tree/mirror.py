"""A mirror: a folder of ours, outside of the tree, with copies of files of the tree.

A program of others opens the files that it is given by their paths, follows links, and looks around. So it gets the
paths of a mirror, never those of the tree. Each file in it was read by ``Tree``, so it is a regular file below the root
that holds no secrets, and nobody else can replace it: only this user can enter the folder.

A *stand-in* is an empty file or a folder: it shows a program that something exists, and nothing else about it.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from leadline_tools.errors import PathOutside
from leadline_tools.index.tree.descent import beneath, inside

_PREFIX = "leadline-mirror-"
_MEMORY_FOLDER = "/dev/shm"  # noqa: S108  a new folder in it is made by mkdtemp
"""A folder in memory: faster than a disk, and no copy outlasts a restart there."""

_MEMORY_NEEDED = 256 << 20
"""Bytes that must be free in it."""

_MEMORY_SHARE = 8
"""By how much more must be free than the mirror takes."""

_ABANDONED_SECONDS = 3_600.0
"""Age at which the mirror of a server that was killed is removed by the next one."""


class Mirror:
    """Copies of files of the tree at ``root``, until ``close``.

    Attributes:
        folder: The real path of the folder.

    """

    def __init__(self, root: str, size: int = 0) -> None:
        """Create the folder, for so many bytes as far as is known. Raises OSError where there is no place."""
        self.folder = _create(root, size)
        self._folders = {""}

    def path_of(self, path: str) -> str:
        """Return where the copy of a file is, or the folder that stands for one. ``path`` is relative to the root."""
        return f"{self.folder}/{path}" if path else self.folder

    def copy(self, path: str, content: bytes, *, executable: bool = False) -> None:
        """Write a file, in place of what is there. Raises OSError, and PathOutside for a path that leaves."""
        place = self._prepare(path)
        descriptor = os.open(place, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o700 if executable else 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)

    def stand_in(self, paths: Iterable[str], most: int) -> None:
        """Create empty files for ``paths``, those nearest to the root first, at most ``most`` files and folders."""
        nearest_first = sorted(paths, key=lambda path: path.count("/"))
        end = len(self._folders) + most
        for path in islice(nearest_first, most):
            if len(self._folders) >= end:
                return
            with suppress(OSError, PathOutside):
                place = self._prepare(path)
                os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o600))

    def add_folder(self, folder: str) -> None:
        """Create a folder, and those above it. Raises OSError, and PathOutside."""
        if folder not in self._folders:
            self.add_folder(folder.rpartition("/")[0])
            with suppress(FileExistsError):
                os.mkdir(self.path_of(folder), 0o700)  # noqa: PTH102  thousands of them
            self._folders.add(folder)

    def link(self, path: str, target: str) -> None:
        """Create a symbolic link to a relative target, which must be one that stays inside."""
        with suppress(OSError, PathOutside):
            os.symlink(target, self._prepare(path))  # noqa: PTH211  thousands of them

    def keep(self) -> None:
        """Note that the mirror is in use: one that was not for an hour counts as left behind."""
        with suppress(OSError):
            os.utime(self.folder)

    def remove(self, path: str) -> None:
        """Remove the copy of a file, if there is one."""
        with suppress(OSError):
            os.unlink(self.path_of(path))  # noqa: PTH108

    def close(self) -> None:
        """Remove the folder with all that it holds."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _prepare(self, path: str) -> str:
        """Return the place of a file whose folder exists."""
        if inside(path) != path or not path:
            raise PathOutside(path)
        self.add_folder(path.rpartition("/")[0])
        return self.path_of(path)


def _create(root: str, size: int) -> str:
    """Return a new folder of this user's alone outside of the tree, for ``size`` bytes. Raises OSError for no place."""
    places = [_MEMORY_FOLDER] if sys.platform == "linux" else []
    with suppress(OSError):
        places.append(tempfile.gettempdir())
    for place in map(os.path.realpath, places):
        if beneath(place, root):
            continue
        with suppress(OSError):
            if place == _MEMORY_FOLDER and shutil.disk_usage(place).free < max(_MEMORY_NEEDED, _MEMORY_SHARE * size):
                continue
            folder = tempfile.mkdtemp(prefix=_PREFIX, dir=place)
            _remove_abandoned(Path(place))
            return folder
    raise OSError("there is no folder for temporary files outside of the tree")


def _remove_abandoned(place: Path) -> None:
    """Remove what servers that were killed have left behind."""
    with suppress(OSError):
        for folder in place.glob(f"{_PREFIX}*"):
            with suppress(OSError):
                status = folder.lstat()
                own = stat.S_ISDIR(status.st_mode) and status.st_uid == getattr(os, "geteuid", lambda: 0)()
                if own and time.time() - status.st_mtime > _ABANDONED_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
