"""The files of the tree as the index knows them, in memory: paths, sizes, times and how far each is indexed."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import xor
from typing import NamedTuple
from zlib import crc32

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
        """Begin with these files, in place of those that were there."""
        self._by_path = {file.path: file for file in files}
        self._by_id = {file.id: file for file in self._by_path.values() if file.id}
        self._paths = None
        self._state = reduce(xor, map(_fingerprint, self._by_path.values()), 0)
        done = Counter(file.done for file in self._by_path.values())
        self._texts, self._symbols, self._textual = (
            sum(number for bits, number in done.items() if bits & bit) for bit in (TEXT, SYMBOLS, TEXTUAL)
        )

    def __len__(self) -> int:
        return len(self._by_path)

    def __iter__(self) -> Iterator[File]:
        return iter([self._by_path[path] for path in self.paths()])

    @property
    def state(self) -> str:
        """Return what names this state of the tree: equal for equal paths, sizes and times."""
        return f"{self._state:016x}"

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
        known = self._by_path
        added, changed = [], []
        for file in found:
            row = known.get(file[0])
            if row is None:
                added.append(file)
            elif row[2:4] != file[1:3]:
                changed.append(file)
        if len(found) - len(added) == len(known):
            return Changes(added, changed, [])
        seen = {file[0] for file in found}
        return Changes(added, changed, [path for path in known if path not in seen])


def _fingerprint(file: File) -> int:
    """Return a number for the state of a file, the same in every process: the hash of numbers is not salted."""
    path = crc32(file[1].encode("utf-8", "surrogateescape"))
    return hash((path, len(file[1]), file[2], file[3])) & 0xFFFFFFFFFFFFFFFF
