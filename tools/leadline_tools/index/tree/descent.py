"""The way down from the root of a tree to a file, folder by folder, through no link that leads out of it."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from leadline_tools.errors import IsFolder, NotAFile, PathOutside

MOST_LINKS = 8
"""Symbolic links that one path may lead through."""

BENEATH = {os.open, os.readlink, os.stat} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether the system opens relative to a folder; Windows does not."""

_ALWAYS: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
FILE: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _ALWAYS
FOLDER: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | _ALWAYS

LINK_ERRORS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
"""What systems say when an open that does not follow links meets one."""

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a symbolic link"),
)

_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)")


@contextmanager
def entries_of(folder: str) -> Iterator[list[os.DirEntry[str]]]:
    """Give what is in a folder, which is held open where the system can: to look at its files takes less then."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield list(entries)
        return
    descriptor = os.open(folder, FOLDER)
    try:
        with os.scandir(descriptor) as entries:
            found = list(entries)
        yield found
    finally:
        os.close(descriptor)


def inside(path: str, root: str = "") -> str:
    """Return a path, as a user or a model gives it, relative to the root and with single slashes; the root is ``''``.

    What cannot be a path beneath the root is refused: a NUL, a ``..`` that leaves, an absolute path unless it lies
    beneath ``root``, and what would leave if backslashes were separators. Only the text is looked at, never the disk.
    """
    if "\0" in path:
        raise PathOutside(path)
    if os.name == "nt":
        path, root = path.replace("\\", "/"), root.replace("\\", "/")
    parts = _normal(path, path)
    if is_absolute(path):
        base = _normal(root, path)
        if not root or parts[: len(base)] != base:
            raise PathOutside(path)
        parts = parts[len(base) :]
    meant = "/".join(parts)
    if _DRIVE.match(meant) or meant.startswith("\\") or (os.name == "nt" and ":" in meant):
        raise PathOutside(path)
    _normal(meant.replace("\\", "/"), path)
    return meant


def is_absolute(path: str) -> bool:
    """Return whether a path begins at the top of a file system, as far as its text tells."""
    return path.startswith("/") or (os.name == "nt" and _DRIVE.match(path) is not None)


def _normal(text: str, path: str) -> list[str]:
    """Return the parts of ``text`` without empty ones and dots; refuse ``path`` where a ``..`` leaves them."""
    normal: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if not normal:
                raise PathOutside(path)
            normal.pop()
        elif part not in {"", "."}:
            normal.append(part)
    return normal


@contextmanager
def open_beneath(roots: tuple[str, ...], path: str, links: int, last: int) -> Iterator[tuple[int, str]]:
    """Open ``path``, its last part with the flags ``last``; at most ``links`` symbolic links are followed.

    Gives a descriptor, and the path without links relative to the root.
    """
    if not BENEATH:
        descriptor, real = _open_resolved(roots[0], path, links, last)
    else:
        descent = Descent(roots, path, links)
        try:
            descriptor = descent.open(last)
        finally:
            descent.close()
        real = descent.path
    try:
        yield descriptor, real
    finally:
        os.close(descriptor)


class Descent:
    """One way down from the root, along folders that are held open."""

    def __init__(self, roots: tuple[str, ...], path: str, links: int) -> None:
        self._roots = roots
        self._path = path
        self._links = links
        self._todo = path.split("/")[::-1]
        self._names: list[str] = []
        self._folders: list[int] = [os.open(roots[0], FOLDER)]

    @property
    def path(self) -> str:
        """Return the way gone so far, without links, relative to the root."""
        return "/".join(self._names)

    def open(self, last: int) -> int:
        """Return a descriptor of what the path names."""
        while self._todo:
            part = self._todo.pop()
            if part == "..":
                self._ascend()
            elif part not in {"", "."}:
                try:
                    self._folders.append(os.open(part, FOLDER if self._todo else last, dir_fd=self._folders[-1]))
                except OSError as error:
                    if error.errno not in LINK_ERRORS:
                        raise
                    self._follow(part, error)
                else:
                    self._names.append(part)
        return self._folders.pop()

    def close(self) -> None:
        """Let go of the folders."""
        for folder in self._folders:
            os.close(folder)

    def _ascend(self) -> None:
        # Only the target of a link has a "..", and no folder held open was a link: the one before is its real parent.
        if len(self._folders) == 1:
            raise PathOutside(self._path)
        os.close(self._folders.pop())
        self._names.pop()

    def _follow(self, part: str, error: OSError) -> None:
        """Put the target of the link ``part`` in its place."""
        try:
            target = os.readlink(part, dir_fd=self._folders[-1])
        except OSError as failed:
            if failed.errno != errno.EINVAL or error.errno == errno.ENOTDIR:
                raise error from None
            # It was a link when it was opened and is none now: once more, and the count of links ends it.
            target = part
        if self._links == 0:
            raise NotAFile(self._path, "a symbolic link that is not followed")
        self._links -= 1
        if target.startswith("/"):
            target = self._below_root(target)
        self._todo += target.split("/")[::-1]

    def _below_root(self, target: str) -> str:
        """Return an absolute target relative to the root, and start again there."""
        for root in self._roots:
            base = root.rstrip("/") + "/"
            if target.startswith(base):
                while len(self._folders) > 1:
                    os.close(self._folders.pop())
                self._names.clear()
                return target[len(base) :]
        raise PathOutside(self._path)


def _open_resolved(root: str, path: str, links: int, last: int) -> tuple[int, str]:
    """Resolve, check, then open, where the system does not open relative to a folder.

    Someone who swaps links between the steps can win; such systems let few users make links.
    """
    plain = os.path.join(root, path) if path else root  # noqa: PTH118  a Path would drop what the text says
    real = os.path.realpath(plain)
    if not beneath(real, root):
        raise PathOutside(path)
    if links == 0 and os.path.normcase(real) != os.path.normcase(os.path.normpath(plain)):
        raise NotAFile(path, "a symbolic link that is not followed")
    if last == FILE:
        # Some systems refuse to open a folder, and a pipe may wait for its other end.
        must_be_regular(path, os.stat(real))  # noqa: PTH116
    return os.open(real, last), os.path.relpath(real, root).replace(os.sep, "/")


def beneath(real: str, root: str) -> bool:
    """Whether a resolved path is that of the resolved root or of something in it."""
    real, root = os.path.normcase(real), os.path.normcase(root)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def must_be_regular(path: str, status: os.stat_result) -> None:
    """Raise IsFolder or NotAFile for what is no regular file."""
    if stat.S_ISDIR(status.st_mode):
        raise IsFolder(path)
    if not stat.S_ISREG(status.st_mode):
        raise NotAFile(path, kind_of(status.st_mode))


def kind_of(mode: int) -> str:
    """Return what a mode says that something is which is neither a file nor a folder."""
    return next((kind for has, kind in _KINDS if has(mode)), "something unknown")
