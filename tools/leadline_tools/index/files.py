"""The files of the tree as the index knows them, in memory: paths, sizes, times and how far each is indexed."""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.walk import Found

TEXT = 1
"""The bit of ``File.done`` that says that the words of the file are indexed."""

SYMBOLS = 2
"""The bit that says that its symbols are, or that there are none to index."""

DONE = TEXT | SYMBOLS

TEXTUAL = 4
"""The bit that says that its symbols are left to its words: it defines macros and hardly anything else."""


class File(NamedTuple):
    """One file: its row in the database, 0 before it has one, and its state on disk when it was seen."""

    id: int
    path: str
    size: int
    mtime_ns: int
    lines: int
    digest: bytes
    done: int
    error: str

    @property
    def binary(self) -> bool:
        """Tell whether the file was looked into and is no text."""
        return bool(self.done & TEXT) and self.size > 0 and not self.digest

    @property
    def complete(self) -> bool:
        """Tell whether nothing of the file is left to index."""
        return self.done & DONE == DONE

    @property
    def textual(self) -> bool:
        """Tell whether the symbols of the file are found by its words alone."""
        return bool(self.done & TEXTUAL)


class Changes(NamedTuple):
    """What a walk found different from the table."""

    added: list[Found]
    changed: list[Found]
    removed: list[str]


class Files:
    """The table of files, in the order of their paths. Readers take snapshots; one thread writes."""

    def __init__(self) -> None:
        self._by_path: dict[str, File] = {}
        self._by_id: dict[int, File] = {}
        self._paths: list[str] | None = None
        self._state = 0
        self._texts = self._symbols = self._textual = 0

    def fill(self, files: Iterable[File]) -> None:
        """Begin with these files."""
        for file in files:
            self.put(file)

    def __len__(self) -> int:
        return len(self._by_path)

    def __iter__(self) -> Iterator[File]:
        return iter([self._by_path[path] for path in self.paths()])

    @property
    def state(self) -> str:
        """Return what names this state of the tree: equal for equal paths, sizes and times."""
        return f"{self._state:032x}"

    @property
    def texts(self) -> int:
        """Return of how many files the words are indexed."""
        return self._texts

    @property
    def symbols(self) -> int:
        """Return of how many files the symbols are indexed."""
        return self._symbols

    @property
    def textual(self) -> int:
        """Return of how many files the symbols are left to the words."""
        return self._textual

    def _count(self, file: File, sign: int) -> None:
        self._texts += sign * (file.done & TEXT)
        self._symbols += sign * (file.done & SYMBOLS) // SYMBOLS
        self._textual += sign * (file.done & TEXTUAL) // TEXTUAL

    def paths(self) -> Sequence[str]:
        """Return all paths, sorted."""
        if self._paths is None:
            self._paths = sorted(self._by_path)
        return self._paths

    def below(self, folder: str) -> Sequence[str]:
        """Return the paths below a folder, sorted; all for the empty one."""
        paths = self.paths()
        if not folder:
            return paths
        return paths[bisect.bisect_left(paths, f"{folder}/") : bisect.bisect_left(paths, f"{folder}0")]

    def get(self, path: str) -> File | None:
        """Return the file at a path."""
        return self._by_path.get(path)

    def by_id(self, number: int) -> File | None:
        """Return the file of a row."""
        return self._by_id.get(number)

    def put(self, file: File) -> None:
        """Add a file, or replace what was known of it."""
        before = self._by_path.get(file.path)
        if before is None:
            self._paths = None
            self._state ^= _fingerprint(file)
        else:
            self._count(before, -1)
            if before[2:4] != file[2:4]:
                self._state ^= _fingerprint(before) ^ _fingerprint(file)
            if before.id != file.id:
                self._by_id.pop(before.id, None)
        self._by_path[file.path] = file
        if file.id:
            self._by_id[file.id] = file
        self._count(file, 1)

    def remove(self, path: str) -> None:
        """Forget a file."""
        before = self._by_path.pop(path, None)
        if before is not None:
            self._by_id.pop(before.id, None)
            self._paths = None
            self._state ^= _fingerprint(before)
            self._count(before, -1)

    def compare(self, found: Sequence[Found]) -> Changes:
        """Return how a walk differs from the table."""
        added, changed = [], []
        seen = set()
        for file in found:
            seen.add(file.path)
            known = self._by_path.get(file.path)
            if known is None:
                added.append(file)
            elif known.size != file.size or known.mtime_ns != file.mtime_ns:
                changed.append(file)
        removed = [path for path in self._by_path if path not in seen] if len(seen) < len(self) + len(added) else []
        return Changes(added, changed, removed)


def _fingerprint(file: File) -> int:
    text = f"{file.path}\0{file.size}\0{file.mtime_ns}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")
