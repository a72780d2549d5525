"""The one place that opens files of a tree on the disk, so that no byte from outside the root is ever read.

A path is walked from the root, folder by folder, each opened relative to the one before and never through a symbolic
link. A link is read, and its target walked in its place under the same rules: one that leads out is refused at the step
that leaves, and a link that is swapped in meanwhile is only met by an open that does not follow it. What is no regular
file (a pipe, a socket, a device) is never read, so nothing waits.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from leadline_tools.errors import (
    BinaryFile,
    IsFolder,
    NoDescriptorLeft,
    NotAFile,
    PathError,
    PathNotFound,
    PathOutside,
    SecretFile,
    TooLarge,
    Unreadable,
)
from leadline_tools.index.text.secret_files import SecretPolicy, may_hold_credentials
from leadline_tools.index.text.source_text import SNIFFED, Source, is_binary
from leadline_tools.index.tree.descent import (
    BENEATH,
    FILE,
    FOLDER,
    LINK_ERRORS,
    MOST_LINKS,
    Descent,
    entries_of,
    must_be_regular,
    open_beneath,
)
from leadline_tools.index.tree.disk.file_state import SETTLED_SECONDS, settled_state, state_of
from leadline_tools.index.tree.disk.shortage import is_shortage, note_shortage
from leadline_tools.index.tree.recent_sources import RecentSources
from leadline_tools.index.tree.source import LIMIT, Reader, Tree, most_like

_CHUNK = 1024 * 1024

_SIFTED = 256 * 1024
"""Bytes of the largest file that is read to be looked through without a copy of its own."""

_MOST_FOLDERS = 1_000
"""Folders whose secret files are remembered."""

_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ})
"""What systems say of a path that names nothing, or cannot."""

_UNOPENABLE = frozenset({errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP})
"""What systems say of sockets, and of devices without a driver."""


class _Opened(NamedTuple):
    """A regular file beneath the root, open for reading."""

    descriptor: int
    status: os.stat_result


class DiskFiles(Tree):
    """The files beneath a folder; ``root`` is its real path."""

    def __init__(
        self, root: Path, policy: SecretPolicy | None = None, name: str = "", exclude: tuple[str, ...] = ()
    ) -> None:
        real = Path(os.path.realpath(root))
        super().__init__(real, policy, name, exclude, (str(real), str(root.absolute())))
        self._recent = RecentSources()
        self.twins = Twins(self)

    def on_disk(self, path: str) -> str:
        """Return where the system has a path of the tree: the text alone, links are not looked at."""
        return os.path.join(self.root, self.bare(path))  # noqa: PTH118  a Path would drop what the text says

    def has(self, path: str) -> bool:
        """Return whether there is anything at a path."""
        return os.path.lexists(self.on_disk(path))

    def has_folder(self, path: str) -> bool:
        """Return whether there is a folder at a path, though it may be empty; links are not followed."""
        try:
            folder = Path(self.on_disk(path))
            return folder.is_dir() and folder.resolve() == folder
        except OSError:  # a name that no folder can have
            return False

    def is_executable(self, path: str) -> bool:
        """Return whether a file is marked as a program."""
        try:
            return bool(os.lstat(self.on_disk(path)).st_mode & 0o111)
        except OSError:
            return False

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file, or raise the ``PathError`` that says why not."""
        path = self.inside(path)
        with self._open(path, MOST_LINKS) as opened:
            kept = self._recent.get(path, state_of(opened.status))
            if kept is not None and kept.size <= limit:
                return kept
            raw = _content(path, opened, limit, text=True)
        source = self.source_to_show(path, raw)
        self._recent.put(source, settled_state(opened.status))
        return source

    def read_bytes(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as the disk has it; one that is reached through a symbolic link is refused."""
        path = self.inside(path)
        with self._open(path, 0) as opened:
            return _content(path, opened, limit, text=False)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        reader = DiskReader(self)
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
            descent = Descent(self._absolute, self.bare(folder), 0)
            try:
                return descent.open(FOLDER)
            finally:
                descent.close()

    @contextmanager
    def _open(self, path: str, links: int) -> Iterator[_Opened]:
        try:
            with _told_of(path), open_beneath(self._absolute, self.bare(path), links, FILE) as (descriptor, real):
                if self.policy.is_secret(path) or self.policy.is_secret(self.named(real)):
                    raise SecretFile(path)
                # The time is taken before the first byte: a file that is written meanwhile counts as changed since.
                status = os.fstat(descriptor)
                must_be_regular(path, status)
                if status.st_nlink > 1 and not self.policy.shows(path) and self.twins.has_secret(path, status):
                    raise SecretFile(path)
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
        reason = (error.strerror or "the system denies access").lower()
        if is_shortage(error):
            note_shortage()
            return NoDescriptorLeft(path, reason)
        return Unreadable(path, reason)

    def _nearest(self, path: str) -> str | None:
        """Return the path beside ``path`` whose name is most like its name, if there is one."""
        folder, slash, name = path.rpartition("/")
        try:
            with (
                open_beneath(self._absolute, self.bare(folder), MOST_LINKS, FOLDER) as (descriptor, _),
                os.scandir(descriptor) as entries,
            ):
                names = [entry.name for entry in entries]
        except (OSError, PathError):
            return None
        like = most_like(name, names)
        return None if like is None else f"{folder}{slash}{like}"


class Twins:
    """Returns whether a file with several names has a secret one: in its own folder or in one above it."""

    def __init__(self, tree: DiskFiles) -> None:
        self._tree = tree
        self._folders: dict[str, tuple[float, frozenset[tuple[int, int]]]] = {}

    def has_secret(self, path: str, status: os.stat_result) -> bool:
        """Return whether a file, by its status, has a name in the tree that is secret."""
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if (status.st_dev, status.st_ino) in self._secret_in(folder):
                return True
        return False

    def _secret_in(self, folder: str) -> frozenset[tuple[int, int]]:
        """Return the devices and numbers of the secret files in a folder, as of a moment ago."""
        now = time.monotonic()
        read_at, known = self._folders.get(folder, (-SETTLED_SECONDS, frozenset[tuple[int, int]]()))
        if now - read_at >= SETTLED_SECONDS:
            if len(self._folders) > _MOST_FOLDERS:
                self._folders.clear()
            known = frozenset(self._read(folder))
            self._folders[folder] = now, known
        return known

    def _read(self, folder: str) -> Iterator[tuple[int, int]]:
        policy, prefix = self._tree.policy, f"{folder}/" if folder else ""
        with suppress(OSError, PathError), entries_of(self._tree.on_disk(folder)) as entries:
            for entry in entries:
                if policy.is_secret(f"{prefix}{entry.name}"):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_dev, status.st_ino


class _Sifting(threading.local):
    """What a thread reads files into that it sifts: a search of many roots has a reader for each, and all are open."""

    def __init__(self) -> None:
        self.buffer = bytearray(_SIFTED + 1)


_SIFTING = _Sifting()


class DiskReader(Reader):
    """Reads many files of a tree, fastest in the order of their paths: the folders down to the last are held open."""

    def __init__(self, tree: DiskFiles) -> None:
        super().__init__(tree)
        self._disk = tree
        self._folder: str | None = None
        self._open: list[tuple[str, int]] = []
        self._sifted: tuple[str, os.stat_result] | None = None

    def sift(self, path: str, wanted: Callable[[bytes | bytearray, int], bool]) -> bytes | None:
        """Return the bytes of a file as ``raw`` does, if they are ``wanted``; else none at all.

        ``wanted`` gets bytes and where the file ends in them. What it does not want is never copied.
        """
        self._sifted = None
        if self._disk.policy.is_secret(path):
            return None
        size = self._fill(path) if BENEATH else -1
        if size < 0:
            content = self.raw(path)
            return b"" if content is not None and not wanted(content, len(content)) else content
        buffer = _SIFTING.buffer
        if may_hold_credentials(buffer) and self._disk.policy.hides(path, bytes(buffer[:size])):
            return None
        return bytes(memoryview(buffer)[:size]) if wanted(buffer, size) else b""

    def sifted_text(self, path: str, raw: bytes) -> bytes | None:
        """Return the text of the file that was sifted last; None for a binary one."""
        sifted = self._sifted
        state = settled_state(sifted[1]) if sifted is not None and sifted[0] == path else None
        return self._disk.text(path, raw, None if state is None else hash(state))

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file of the tree as the disk has them; None where it cannot be read, or is larger.

        They may hold keys: what is shown of them is made by ``Tree.text``.
        """
        if self._disk.policy.is_secret(path):
            return None
        try:
            content = self._beside_the_last(path, limit) if BENEATH else None
            content = self._disk.read_raw(path, limit) if content is None else content
            return None if self._disk.policy.hides(path, content) else content
        except (OSError, PathError, UnicodeEncodeError):
            return None

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
        bare = self._disk.bare(folder)
        names = bare.split("/") if bare else []
        if ".." in names:
            raise PathOutside(folder)
        shared = takewhile(lambda two: two[0] == two[1][0], zip(names, self._open[1:], strict=False))
        self._keep(1 + len(list(shared)))
        if self._open and not self._is_in_place():
            self._keep(0)
        if not self._open:
            self._open.append(("", self._disk.open_folder(self._disk.name)))
        for name in names[len(self._open) - 1 :]:
            self._open.append((name, os.open(name, FOLDER, dir_fd=self._open[-1][1])))
        self._folder = folder

    def _is_in_place(self) -> bool:
        """Return whether the last of the folders that are open has not been moved."""
        names, descriptors = zip(*self._open, strict=True)
        return os.path.samestat(os.lstat(f"{self._disk.root}{'/'.join(names)}"), os.fstat(descriptors[-1]))

    def _fill(self, path: str) -> int:
        """Read a plain file into the buffer and return its bytes; -1 for what needs more care, or more room."""
        try:
            opened = self._open_beside(path, _SIFTED)
        except (OSError, PathError, UnicodeEncodeError):
            return -1
        if opened is None:
            return -1
        try:
            size = os.readv(opened.descriptor, [_SIFTING.buffer])
        except OSError:
            return -1
        finally:
            os.close(opened.descriptor)
        if size != opened.status.st_size:
            return -1
        self._sifted = path, opened.status
        return size

    def _beside_the_last(self, path: str, limit: int) -> bytes | None:
        """Return the bytes of a plain file; None for what needs more care: a link, a file that changes, a huge one."""
        opened = self._open_beside(path, limit)
        if opened is None:
            return None
        try:
            content = os.read(opened.descriptor, opened.status.st_size + 1)
            return content if len(content) == opened.status.st_size else None
        finally:
            os.close(opened.descriptor)

    def _open_beside(self, path: str, limit: int) -> _Opened | None:
        """Open a plain file of at most ``limit`` bytes in its folder; None for any other."""
        folder, _, name = path.rpartition("/")
        try:
            if folder != self._folder:
                self._enter(folder)
            descriptor = os.open(name, FILE, dir_fd=self._open[-1][1])
        except OSError as error:
            if error.errno not in LINK_ERRORS:
                self.close()  # a folder may be another one by now
            return None
        try:
            status = os.fstat(descriptor)
            twin = status.st_nlink > 1 and self._disk.twins.has_secret(path, status)
            if stat.S_ISREG(status.st_mode) and status.st_size <= limit and not twin:
                return _Opened(descriptor, status)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None


@contextmanager
def _told_of(path: str) -> Iterator[None]:
    """Have what goes wrong on the way down told of ``path``, which is how the tree names it."""
    try:
        yield
    except NotAFile as error:
        raise NotAFile(path, error.what) from None
    except (IsFolder, PathOutside) as error:
        raise type(error)(path) from None


def _content(path: str, opened: _Opened, limit: int, *, text: bool) -> bytes:
    """Read a file to its end; a binary one is given up after its first bytes where text is wanted."""
    descriptor, status = opened
    if status.st_size > limit:
        raise TooLarge(path, status.st_size, limit)
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, min(max(status.st_size + 1, SNIFFED), _CHUNK)):
        if text and not chunks and is_binary(chunk):
            raise BinaryFile(path, status.st_size)
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            raise TooLarge(path, size, limit)
    return b"".join(chunks)
