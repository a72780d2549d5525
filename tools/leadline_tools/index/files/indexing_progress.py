"""The progress of indexing: how many files are indexed how far, and of which something is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from leadline_tools.index.files.file import BEFORE, DONE, SYMBOLS, TEXT, TEXTUAL, Columns
from leadline_tools.index.files.packed_file import DONE_AT


class Unindexed(NamedTuple):
    """Files of which something is left to index.

    Args:
        texts: Those whose words are not indexed.
        symbols: Those whose symbols are not.
        touched: Those whose symbols were indexed before they were touched: whether they have others is not known.

    """

    texts: list[str]
    symbols: list[str]
    touched: list[str]


class IndexingProgress:
    """How far the files of a table are indexed.

    Attributes:
        texts: Of how many files the words are indexed.
        symbols: Of how many files the symbols are indexed.

    """

    def __init__(self, rows: Mapping[str, bytes], paths: Callable[[], Sequence[str]], largest: int) -> None:
        """Take the files as bytes and their paths in order; ``largest`` is as for ``Files``."""
        self._rows = rows
        self._paths = paths
        self._largest = largest
        self._large: set[str] = set()
        self._textual: set[str] = set()
        self.texts = self.symbols = 0

    def fill(self, files: Columns) -> None:
        """Count files of which none is known yet."""
        states = Counter(files.done)
        self.texts += sum(many for one, many in states.items() if one & TEXT)
        self.symbols += sum(many for one, many in states.items() if one & SYMBOLS)
        if any(one & TEXTUAL for one in states):
            self._textual.update(path for path, one in zip(files.paths, files.done, strict=True) if one & TEXTUAL)
        if max(files.sizes) > self._largest:
            found = (path for path, size in zip(files.paths, files.sizes, strict=True) if size > self._largest)
            self._large.update(found)

    def count(self, path: str, size: int, done: int, sign: int) -> None:
        """Count a file, or with the other sign count it no longer."""
        self.texts += sign * (done & TEXT)
        self.symbols += sign * ((done & SYMBOLS) // SYMBOLS)
        if done & TEXTUAL:
            (self._textual.add if sign > 0 else self._textual.discard)(path)
        if size > self._largest:
            (self._large.add if sign > 0 else self._large.discard)(path)

    @property
    def textual(self) -> Sequence[str]:
        """Return the files whose symbols are left to the words, in the order of their paths."""
        return sorted(self._textual)

    @property
    def textual_count(self) -> int:
        """Return how many they are."""
        return len(self._textual)

    def wordless(self) -> list[str]:
        """Return the files whose words are not indexed yet, in the order of their paths."""
        rows = self._rows
        if self.texts == len(rows):
            return []
        new = [path for path in self._paths() if (row := rows.get(path)) is not None and not row[DONE_AT] & TEXT]
        return [path for path in new if path not in self._large]

    def incomplete(self) -> list[str]:
        """Return the files of which something is left to index, in the order of their paths."""
        rows = self._rows
        if self.texts == self.symbols == len(rows):
            return []
        return [path for path in self._paths() if (row := rows.get(path)) is not None and row[DONE_AT] & DONE != DONE]

    def unindexed(self, paths: Iterable[str]) -> Unindexed:
        """Return what is left to index of the files at some paths; a path without a file is left out."""
        rows, left = self._rows, Unindexed([], [], [])
        for path in paths:
            row = rows.get(path)
            if row is None:
                continue
            done = row[DONE_AT]
            if not done & TEXT:
                left.texts.append(path)
            if not done & SYMBOLS:
                (left.touched if done >> BEFORE & SYMBOLS else left.symbols).append(path)
        return left

    def undecided(self, paths: Iterable[str]) -> list[str]:
        """Return those of some files whose symbols are not indexed, or are left to the words."""
        rows = self._rows
        found = ((path, rows.get(path)) for path in paths)
        return [path for path, row in found if row is not None and row[DONE_AT] & (SYMBOLS | TEXTUAL) != SYMBOLS]

    def large(self) -> list[str]:
        """Return the files that are too large for their words to be indexed, in the order of their paths."""
        return sorted(self._large)
