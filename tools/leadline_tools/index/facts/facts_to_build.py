"""The files whose facts are not kept, likeliest to be asked about first, as long as there is room to keep more."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator
from enum import IntEnum

from leadline_tools.index.facts.fact_store import FactStore
from leadline_tools.index.files.file import File
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.tree.marks import has_generated_name, is_vendored, product_first
from leadline_tools.languages import language_of

_LARGE = 256 << 10
"""Bytes from which on a file comes last: a worker takes a tenth of a second for it."""

AT_ONCE = 256
"""Files of which is looked up together whether their facts are kept; and of those that were changed last."""


class _Likelihood(IntEnum):
    """How soon a file will be asked about."""

    Source = 0
    Aside = 1
    Foreign = 2
    Large = 3


class FactsToBuild:
    """The files whose facts are to be computed.

    Attributes:
        full: True where the store takes no more.

    """

    def __init__(self, files: FileTable, store: FactStore) -> None:
        self.full = False
        self._files = files
        self._store = store

    def in_order(self) -> Iterator[str]:
        """Yield the files that lack facts, as long as there is room: those changed last, then sources, then others."""
        files = self._files
        if files.facts.kept == files.facts.possible or not self._has_room():
            return
        newest = heapq.nlargest(AT_ONCE, filter(files.facts.lacks, files.paths()), key=files.time)
        yield from sorted(newest, key=self._likelihood)
        for likelihood in _Likelihood if len(newest) == AT_ONCE else ():
            for path in files.paths():
                if files.facts.lacks(path) and self._likelihood(path) is likelihood:
                    if not self._has_room():
                        return
                    yield path

    def _has_room(self) -> bool:
        """Return whether the store takes more; where it is full, what no file of the tree holds goes first."""
        if not self.full and self._store.full:
            files = (self._files.get(path) for path in self._files.paths())
            self._store.drop_unless({file.digest for file in files if file is not None})
            self.full = self._store.full
        return not self.full

    def _likelihood(self, path: str) -> _Likelihood:
        if self._files.size(path) >= _LARGE:
            return _Likelihood.Large
        if is_vendored(path) or has_generated_name(path):
            return _Likelihood.Foreign
        return _Likelihood.Aside if product_first(path)[0] else _Likelihood.Source

    def note_kept(self, pending: Collection[str]) -> None:
        """Note of all files but some whether their facts are kept."""
        paths = self._files.paths()
        for start in range(0, len(paths), AT_ONCE):
            self.without_kept(paths[start : start + AT_ONCE], pending)

    def without_kept(self, paths: Iterable[str], pending: Collection[str]) -> list[str]:
        """Return those of some files whose facts are neither kept nor ``pending``; of kept ones it is noted."""
        wanted: dict[str, list[File]] = {}
        for path in paths:
            file, language = self._files.get(path), language_of(path)
            if file is None or language is None or path in pending or not self._files.facts.lacks(path):
                continue
            if file.error or not file.digest:
                self._files.facts.note(path, file.digest, some=False)
            else:
                wanted.setdefault(language.name, []).append(file)
        lacking: dict[str, None] = {}
        for name, files in wanted.items():
            known = self._store.known(name, [file.digest for file in files])
            for file in files:
                if file.digest in known:
                    self._files.facts.note(file.path, file.digest, some=known[file.digest] > 0)
                else:
                    lacking[file.path] = None
        return [path for path in paths if path in lacking]
