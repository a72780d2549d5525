"""The one place that opens files of the tree, so that no byte from outside the root is ever read.

A path is walked from the root, folder by folder, each opened relative to the one before and never through a symbolic
link. A link is read, and its target walked in its place under the same rules: one that leads out is refused at the step
that leaves, and a link that is swapped in meanwhile is only met by an open that does not follow it. What is no regular
file (a pipe, a socket, a device) is never read, so nothing waits. Nor is a file that holds secrets, and keys in other
files are masked here, so that no answer, index or search ever has them: see ``secrets``.

The text of a file is handed on as UTF-8 with its lines ended by LF or CRLF, whatever the disk says, because everything
that cuts, searches and parses it works on that; its line numbers are those of an editor.
"""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import re
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from leadline_tools.errors import (
    BinaryFile,
    IsFolder,
    NotAFile,
    PathError,
    PathNotFound,
    PathOutside,
    SecretFile,
    TooLarge,
    Unreadable,
)
from leadline_tools.index.tree import encodings
from leadline_tools.index.tree.secrets import Policy, masked
from leadline_tools.likeness import nearest

LIMIT = 64 * 1024 * 1024
"""Bytes of the largest file that is read unless the caller says otherwise."""

_SNIFFED = 8 * 1024
"""Bytes that are searched for a NUL; git decides by as many."""

_CHUNK = 1024 * 1024

_MOST_RECENT_BYTES = 2 << 20
"""Bytes of the sources that were read last and are kept."""

_SETTLED_SECONDS = 2.0
"""Seconds after which two changes of a file have two times, whatever the file system."""

MOST_LINKS = 8
"""Symbolic links that one path may lead through."""

_MOST_NEIGHBOURS = 2_000
"""Names of a folder that are compared for a probable meaning; beyond it the comparison takes longer than it helps."""

BENEATH = {os.open, os.readlink, os.stat} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether the system opens relative to a folder; Windows does not."""

_ALWAYS: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_FILE: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _ALWAYS
_FOLDER: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | _ALWAYS

_LINK = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
"""What systems say when an open that does not follow links meets one."""

_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ})
"""What systems say of a path that names nothing, or cannot."""

_UNOPENABLE = frozenset({errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP})
"""What systems say of sockets, and of devices without a driver."""

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a symbolic link"),
)

_BOMS = (
    # The mark of UTF-32 begins with that of UTF-16, so it is tried first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_LONE_CR = re.compile(rb"\r(?!\n)")
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)")


class Known(NamedTuple):
    """What is known of a text from before: its digest, and how many lines it has."""

    digest: bytes
    lines: int


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file: ``content`` is UTF-8 without a byte order mark, ``digest`` names it.

    ``encoding`` is what the disk has (a Python codec), ``size`` its bytes there. Where ``masked``, keys in the content
    are masked, in as many bytes: whoever writes the file must take them from ``Tree.read_raw``. ``counted`` is
    how many lines somebody has counted, -1 for nobody.
    """

    path: str
    content: bytes
    encoding: str
    size: int
    digest: bytes
    masked: bool = False
    counted: int = -1

    @property
    def text(self) -> str:
        """Return the content as a string."""
        return self.content.decode("utf-8")

    def lines(self) -> list[str]:
        """Return the lines without their ends; only LF and CRLF end one, as in an editor."""
        return lines_of(self.content)

    @property
    def line_count(self) -> int:
        """Return how many lines there are."""
        if self.counted >= 0:
            return self.counted
        unfinished = bool(self.content) and not self.content.endswith(b"\n")
        return self.content.count(b"\n") + unfinished


class _Opened(NamedTuple):
    """A regular file beneath the root, open for reading."""

    descriptor: int
    status: os.stat_result


class _Recent:
    """The sources that were read last: while a question is answered, some are read several times.

    One is given again as long as its file is the same and has the same times. One that was changed a moment ago is not
    kept, since it could be changed again within what the system's clock tells apart.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[tuple[int, ...], Source]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, path: str, status: os.stat_result) -> Source | None:
        """Return the source at a path whose file has a status; None for one that is not known."""
        with self._lock:
            state, source = self._kept.get(path, ((), None))
            return source if state == _state(status) else None

    def put(self, source: Source, status: os.stat_result) -> None:
        """Keep a source that was read from a file with a status."""
        if len(source.content) > _MOST_RECENT_BYTES // 2:
            return
        with self._lock:
            self._drop(source.path)
            if time.time() - max(status.st_mtime, status.st_ctime) > _SETTLED_SECONDS:
                self._kept[source.path] = _state(status), source
                self._size += len(source.content)
            while self._size > _MOST_RECENT_BYTES:
                self._drop(next(iter(self._kept)))

    def _drop(self, path: str) -> None:
        _, source = self._kept.pop(path, ((), None))
        self._size -= len(source.content) if source is not None else 0


def _state(status: os.stat_result) -> tuple[int, ...]:
    """Return what tells one state of a file from others."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _nothing_known(_path: str) -> None:
    """Say that nothing is known of a text."""


class Tree:
    """The files beneath a root; ``root`` is its real path, ``policy`` says which of them are secret.

    A root among several has a ``name``, which is the first segment of each path in the tree. What lists, watches and
    keeps the files of a root knows them by *bare* paths, without it.

    Attributes:
        known: Tells what is known of the text at a path from before: of one that is still the same less is to be done.

    """

    def __init__(self, root: Path, policy: Policy | None = None, name: str = "") -> None:
        self.root = Path(os.path.realpath(root))
        self.policy = policy or Policy()
        self.name = name
        self._prefix = f"{name}/" if name else ""
        self._names = (str(self.root), str(root.absolute()))
        self._recent = _Recent()
        self.known: Callable[[str], Known | None] = _nothing_known

    def inside(self, path: str) -> str:
        """Return ``path`` as the tree names it; it may be absolute where that lies beneath the root.

        Raises PathOutside, and PathNotFound for one that begins with the name of no root.
        """
        for root in self._names:
            with suppress(PathOutside):
                meant = inside(path, root)
                return self._checked(path, meant) if self.name else meant
        raise PathOutside(path)

    def _checked(self, path: str, meant: str) -> str:
        if is_absolute(path):
            return self.named(meant)
        if meant and self.bare(meant) == meant and meant != self.name:
            raise PathNotFound(path)
        return meant

    def named(self, bare: str) -> str:
        """Return a path relative to the root as the tree names it."""
        return self._prefix + bare if bare else self.name

    def bare(self, path: str) -> str:
        """Return a path of the tree relative to the root."""
        return "" if path == self.name else path.removeprefix(self._prefix)

    def on_disk(self, path: str) -> str:
        """Return where the system has a path of the tree: the text alone, links are not looked at."""
        return os.path.join(self.root, self.bare(path))  # noqa: PTH118  a Path would drop what the text says

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file, or raise the ``PathError`` that says why not."""
        path = self.inside(path)
        with self._open(path, MOST_LINKS) as opened:
            kept = self._recent.get(path, opened.status)
            if kept is not None and kept.size <= limit:
                return kept
            raw = _content(path, opened, limit, text=True)
        source = self.source(path, raw)
        self._recent.put(source, opened.status)
        return source

    def source(self, path: str, raw: bytes) -> Source:
        """Return the source that the bytes of a file are, its keys masked."""
        return decoded(path, raw, keys=self.policy.shows(path), known=self.known(path))

    def text(self, path: str, raw: bytes) -> bytes | None:
        """Return the same as ``Source.content`` has it; None for a binary file."""
        if _is_binary(raw):
            return None
        content, _ = _normal_text(raw)
        known = self.known(path)
        if self.policy.shows(path) or (known is not None and _digest(content) == known.digest):
            return content
        return masked(content)

    def read_bytes(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as the disk has it; one that is reached through a symbolic link is refused."""
        path = self.inside(path)
        with self._open(path, 0) as opened:
            return _content(path, opened, limit, text=False)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        reader = Reader(self)
        try:
            yield reader
        finally:
            reader.close()

    def read_raw(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as the disk has it, binary or not, keys included: not for answers."""
        with self._open(self.inside(path), MOST_LINKS) as opened:
            return _content(path, opened, limit, text=False)

    def open_folder(self, folder: str) -> int:
        """Return a descriptor of a folder of the tree; the caller closes it. No link is followed."""
        with _told_of(folder):
            descent = _Descent(self._names, self.bare(folder), 0)
            try:
                return descent.open(_FOLDER)
            finally:
                descent.close()

    @contextmanager
    def _open(self, path: str, links: int) -> Iterator[_Opened]:
        try:
            with _told_of(path), _open_beneath(self._names, self.bare(path), links, _FILE) as (descriptor, real):
                if self.policy.is_secret(path) or self.policy.is_secret(self.named(real)):
                    raise SecretFile(path)
                # The time is taken before the first byte: a file that is written meanwhile counts as changed since.
                status = os.fstat(descriptor)
                _must_be_regular(path, status)
                yield _Opened(descriptor, status)
        except OSError as error:
            raise self._refusal(path, error) from None
        except UnicodeEncodeError:
            # No file can have such a name.
            raise PathNotFound(path) from None

    def _refusal(self, path: str, error: OSError) -> PathError:
        if error.errno in _MISSING:
            return PathNotFound(path, self._nearest(path))
        if error.errno in _UNOPENABLE:
            return NotAFile(path, "a socket or a device")
        return Unreadable(path, (error.strerror or "the system refuses").lower())

    def _nearest(self, path: str) -> str | None:
        """Return the path beside ``path`` whose name is most like its name, if there is one."""
        folder, slash, name = path.rpartition("/")
        try:
            with (
                _open_beneath(self._names, self.bare(folder), MOST_LINKS, _FOLDER) as (descriptor, _),
                os.scandir(descriptor) as entries,
            ):
                names = [entry.name for entry in entries]
        except (OSError, PathError):
            return None
        like = _most_like(name, names) if len(names) <= _MOST_NEIGHBOURS else None
        return None if like is None else f"{folder}{slash}{like}"


class Reader:
    """Reads many files of a tree, fastest in the order of their paths: the folders down to the last are held open."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._folder: str | None = None
        self._open: list[tuple[str, int]] = []

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file of the tree as the disk has them; None where it cannot be read, or is larger.

        They may hold keys: what is shown of them is made by ``Tree.text``.
        """
        if self._tree.policy.is_secret(path):
            return None
        try:
            content = self._beside_the_last(path, limit) if BENEATH else None
            return self._tree.read_raw(path, limit) if content is None else content
        except (OSError, PathError, UnicodeEncodeError):
            return None

    def text(self, path: str) -> bytes:
        """Return the text of a file as ``Source.content`` has it; nothing where it cannot be read or is none."""
        return self._tree.text(path, self.raw(path) or b"") or b""

    def unmasked(self, path: str) -> bytes:
        """Return the same with its keys, for what is asked of a text that no answer shows."""
        raw = self.raw(path) or b""
        return b"" if _is_binary(raw) else _normal_text(raw)[0]

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file of the tree, or raise the ``PathError`` that says why not."""
        raw = self.raw(path, limit)
        if raw is None or _is_binary(raw):
            return self._tree.read(path, limit)
        return self._tree.source(path, raw)

    def close(self) -> None:
        """Let go of the folders."""
        self._keep(0)

    def _keep(self, number: int) -> None:
        """Let go of all folders but the uppermost ones."""
        self._folder = None
        for _, descriptor in self._open[number:]:
            os.close(descriptor)
        del self._open[number:]

    def _enter(self, folder: str) -> None:
        """Open a folder from the nearest one above it that is open, and is where it was."""
        bare = self._tree.bare(folder)
        names = bare.split("/") if bare else []
        if ".." in names:
            raise PathOutside(folder)
        shared = takewhile(lambda two: two[0] == two[1][0], zip(names, self._open[1:], strict=False))
        self._keep(1 + len(list(shared)))
        if self._open and not self._is_in_place():
            self._keep(0)
        if not self._open:
            self._open.append(("", self._tree.open_folder(self._tree.name)))
        for name in names[len(self._open) - 1 :]:
            self._open.append((name, os.open(name, _FOLDER, dir_fd=self._open[-1][1])))
        self._folder = folder

    def _is_in_place(self) -> bool:
        """Tell whether the last of the folders that are open has not been moved."""
        names, descriptors = zip(*self._open, strict=True)
        return os.path.samestat(os.lstat(f"{self._tree.root}{'/'.join(names)}"), os.fstat(descriptors[-1]))

    def _beside_the_last(self, path: str, limit: int) -> bytes | None:
        """Return the bytes of a plain file; None for what needs more care: a link, a file that changes, a huge one."""
        folder, _, name = path.rpartition("/")
        try:
            if folder != self._folder:
                self._enter(folder)
            descriptor = os.open(name, _FILE, dir_fd=self._open[-1][1])
        except OSError as error:
            if error.errno not in _LINK:
                self.close()  # a folder may be another one by now
            return None
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                return None
            content = os.read(descriptor, status.st_size + 1)
            return content if len(content) == status.st_size else None
        finally:
            os.close(descriptor)


@contextmanager
def entries_of(folder: str) -> Iterator[list[os.DirEntry[str]]]:
    """Give what is in a folder, which is held open where the system can: to look at its files takes less then."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield list(entries)
        return
    descriptor = os.open(folder, _FOLDER)
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
    """Tell whether a path begins at the top of a file system, as far as its text tells."""
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
def _told_of(path: str) -> Iterator[None]:
    """Have what goes wrong on the way down told of ``path``, which is how the tree names it."""
    try:
        yield
    except NotAFile as error:
        raise NotAFile(path, error.what) from None
    except (IsFolder, PathOutside) as error:
        raise type(error)(path) from None


@contextmanager
def _open_beneath(roots: tuple[str, ...], path: str, links: int, last: int) -> Iterator[tuple[int, str]]:
    """Open ``path``, its last part with the flags ``last``; at most ``links`` symbolic links are followed.

    Gives a descriptor, and the path without links relative to the root.
    """
    if not BENEATH:
        descriptor, real = _open_resolved(roots[0], path, links, last)
    else:
        descent = _Descent(roots, path, links)
        try:
            descriptor = descent.open(last)
        finally:
            descent.close()
        real = descent.path
    try:
        yield descriptor, real
    finally:
        os.close(descriptor)


class _Descent:
    """One way down from the root, along folders that are held open."""

    def __init__(self, roots: tuple[str, ...], path: str, links: int) -> None:
        self._roots = roots
        self._path = path
        self._links = links
        self._todo = path.split("/")[::-1]
        self._names: list[str] = []
        self._folders: list[int] = [os.open(roots[0], _FOLDER)]

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
                    self._folders.append(os.open(part, _FOLDER if self._todo else last, dir_fd=self._folders[-1]))
                except OSError as error:
                    if error.errno not in _LINK:
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
        """Return an absolute target relative to the root, and begin there anew."""
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
    if last == _FILE:
        # Some systems refuse to open a folder, and a pipe may wait for its other end.
        _must_be_regular(path, os.stat(real))  # noqa: PTH116
    return os.open(real, last), os.path.relpath(real, root).replace(os.sep, "/")


def beneath(real: str, root: str) -> bool:
    """Whether a resolved path is that of the resolved root or of something in it."""
    real, root = os.path.normcase(real), os.path.normcase(root)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def _must_be_regular(path: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsFolder(path)
    if not stat.S_ISREG(status.st_mode):
        raise NotAFile(path, kind_of(status.st_mode))


def kind_of(mode: int) -> str:
    """Return what a mode says that something is which is neither a file nor a folder."""
    return next((kind for has, kind in _KINDS if has(mode)), "something unknown")


def _content(path: str, opened: _Opened, limit: int, *, text: bool) -> bytes:
    """Read a file to its end; a binary one is given up after its first bytes where text is wanted."""
    descriptor, status = opened
    if status.st_size > limit:
        raise TooLarge(path, status.st_size, limit)
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, min(max(status.st_size + 1, _SNIFFED), _CHUNK)):
        if text and not chunks and _is_binary(chunk):
            raise BinaryFile(path, status.st_size)
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            raise TooLarge(path, size, limit)
    return b"".join(chunks)


def _is_binary(beginning: bytes) -> bool:
    return b"\0" in beginning[:_SNIFFED] and not beginning.startswith(tuple(mark for mark, _ in _BOMS))


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a text in UTF-8 without their ends; only LF and CRLF end one, as in an editor."""
    lines = content.decode("utf-8").replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _normal_text(raw: bytes) -> tuple[bytes, str]:
    """Return bytes as UTF-8 whose lines end in LF or CRLF, keys and all, and the codec that they were in."""
    content, encoding = (raw, "utf-8") if raw.isascii() else _as_utf8(raw)
    return _LONE_CR.sub(b"\n", content) if b"\r" in content else content, encoding


def decoded(path: str, raw: bytes, *, keys: bool = False, known: Known | None = None) -> Source:
    """Return the source that the bytes of a file are, with its keys masked unless ``keys`` are wanted.

    The digest of a text that was known is that of the text without keys: the same text with its keys in it has none.
    """
    content, encoding = _normal_text(raw)
    if known is not None and _digest(content) == known.digest:
        return Source(path, content, encoding, len(raw), known.digest, counted=known.lines)
    shown = content if keys else masked(content)
    return Source(path, shown, encoding, len(raw), _digest(shown), shown is not content)


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content, usedforsecurity=False).digest()[:16]


def _as_utf8(raw: bytes) -> tuple[bytes, str]:
    """Return bytes as UTF-8 without a mark, and the codec that they were in."""
    for mark, codec in _BOMS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(codec, "replace").encode("utf-8"), codec
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        codec = encodings.detect(raw)
        return raw.decode(codec).encode("utf-8"), codec
    if raw.startswith(codecs.BOM_UTF8):
        return raw[len(codecs.BOM_UTF8) :], "utf-8-sig"
    return raw, "utf-8"


def _most_like(name: str, names: list[str]) -> str | None:
    """Return the name that is most like ``name``: the same but for case, else by what they have in common."""
    ordered = sorted(names)
    same = (other for other in ordered if other.casefold() == name.casefold())
    return next(same, None) or nearest(name, ordered)
