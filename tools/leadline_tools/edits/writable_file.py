"""The one place that writes files of the tree: beside the file, then in its place, never through a symbolic link.

The folder of a file is opened by the same way down from the root as for reading, and is held open: whatever is swapped
in meanwhile, nothing is written outside of it. Where the system does not open relative to a folder, the path is
resolved and checked before each step.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from leadline_tools.errors import NotOnDisk, NotWritable
from leadline_tools.index.tree.descent import BENEATH
from leadline_tools.index.tree.source import Tree

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY: int = getattr(os, "O_BINARY", 0)

_WRITE_BITS = 0o222


@dataclass(frozen=True, slots=True)
class Status:
    """What tells one content of a file from another without reading it, and what a new one takes over."""

    identity: tuple[int, int, int, int]
    mode: int
    owner: tuple[int, int]


class WritableFile:
    """A file of the tree in its folder, which is open."""

    def __init__(self, path: str, folder: str, descriptor: int | None) -> None:
        self.path = path
        self._name = path.rpartition("/")[2]
        self._folder = folder
        self._at = descriptor

    def status(self) -> Status:
        """Return what the system says of the file; raises NotWritable where it may not be replaced."""
        try:
            found = os.stat(self._here(self._name), dir_fd=self._at, follow_symlinks=False)
        except OSError as error:
            raise NotWritable(self.path, (error.strerror or "the system denies access").lower()) from None
        if not stat.S_ISREG(found.st_mode):
            raise NotWritable(self.path, "it is not a regular file")
        if not found.st_mode & _WRITE_BITS:
            raise NotWritable(self.path, "it is marked read-only")
        if found.st_nlink > 1:
            raise NotWritable(self.path, "it has hard links, which replacing it would break")
        return Status(_identity(found), stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid))

    def is_still(self, known: Status) -> bool:
        """Return whether the file is the one that ``known`` describes, unchanged."""
        try:
            found = os.stat(self._here(self._name), dir_fd=self._at, follow_symlinks=False)
        except OSError:
            return False
        return _identity(found) == known.identity

    def put_beside(self, name: str, raw: bytes, like: Status) -> None:
        """Write a file beside this one, with its mode and owner, and wait until the disk has it."""
        descriptor = os.open(self._here(name), _NEW | _BINARY, 0o600, dir_fd=self._at)
        try:
            view = memoryview(raw)
            while view:
                view = view[os.write(descriptor, view) :]
            self._take_over(descriptor, like)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def keep(self, name: str, raw: bytes, like: Status) -> None:
        """Keep what the file is now under another name beside it; ``raw`` is what it holds."""
        try:
            os.link(
                self._here(self._name),
                self._here(name),
                src_dir_fd=self._at,
                dst_dir_fd=self._at,
                follow_symlinks=False,
            )
        except (OSError, NotImplementedError):  # a file system without hard links
            self.put_beside(name, raw, like)

    def take(self, name: str) -> None:
        """Put the file ``name`` beside this one in its place."""
        os.replace(self._here(name), self._here(self._name), src_dir_fd=self._at, dst_dir_fd=self._at)

    def remove(self, name: str) -> None:
        """Remove the file ``name`` beside this one, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._here(name), dir_fd=self._at)

    def has(self, name: str) -> bool:
        """Return whether there is a file ``name`` beside this one."""
        try:
            os.stat(self._here(name), dir_fd=self._at, follow_symlinks=False)
        except OSError:
            return False
        return True

    def changed_at(self, name: str) -> float:
        """Return when the file ``name`` beside this one was changed or got that name, in seconds since the epoch."""
        found = os.stat(self._here(name), dir_fd=self._at, follow_symlinks=False)
        return max(found.st_mtime, found.st_ctime)

    def sync(self) -> None:
        """Wait until the disk has the names in the folder."""
        if self._at is not None:
            with contextlib.suppress(OSError):  # not every file system can
                os.fsync(self._at)

    def _here(self, name: str) -> str:
        return name if self._at is not None else os.path.join(self._folder, name)  # noqa: PTH118

    def _take_over(self, descriptor: int, like: Status) -> None:
        if hasattr(os, "fchown"):
            made = os.fstat(descriptor)
            if (made.st_uid, made.st_gid) != like.owner:
                try:
                    os.fchown(descriptor, *like.owner)
                except OSError:
                    raise NotWritable(self.path, "it belongs to another user") from None
            os.fchmod(descriptor, like.mode)


@contextlib.contextmanager
def open_writable(tree: Tree, path: str) -> Iterator[WritableFile]:
    """Open a file to be replaced; raises a PathError where its folder is reached through a link or is not there."""
    reason = tree.why_read_only(path)
    if reason:
        raise NotOnDisk(path, reason)
    folder = path.rpartition("/")[0]
    descriptor = tree.open_folder(folder) if BENEATH else None
    real = tree.on_disk(folder)
    try:
        if descriptor is None and os.path.normcase(os.path.realpath(real)) != os.path.normcase(os.path.normpath(real)):
            raise NotWritable(path, "its folder is reached through a symbolic link")
        yield WritableFile(path, real, descriptor)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _identity(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
