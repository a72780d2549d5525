"""The index as finding by meaning sees it: words, names, paths, texts, symbols. No other module here asks one."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple
from weakref import WeakKeyDictionary

from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_symbols import names_in
from leadline_tools.index.store.rows import Words
from leadline_tools.index.store.words import tokens
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.source import Reader
from leadline_tools.languages.outline import Definition

_LARGEST = 1 << 20
"""Bytes of the largest file that is looked into: larger ones are generated, or data."""

_SHORT = 3
"""Letters of words that are looked for as a whole: so few begin too many others."""

_MOST_PATHS, _MOST_FOLDED = 6_000, 1_000
"""Paths that hold a word beyond which it says nothing of any of them, and those beyond which it only does of files that
are called so, not of those in a folder that is."""


class _Paths(NamedTuple):
    """The paths of an index as one text in lower case, with where each begins."""

    paths: Sequence[str]
    text: str
    starts: Sequence[int]


_laid_out: WeakKeyDictionary[Index, _Paths] = WeakKeyDictionary()


class IndexWords:
    """Looks up words in the index of one root; files are known by the ids of their rows."""

    def __init__(self, index: Index) -> None:
        self._index = index

    @property
    def files(self) -> int:
        """Return how many files there are."""
        return self._index.coverage().files

    def with_text(self, key: str) -> Sequence[int]:
        """Return the files with a word that begins with ``key``; a short one is looked for as a whole word."""
        rows = self._index.rows
        if len(key) < _SHORT:
            return rows.holding(Words.Text, tokens(key))
        return rows.holding(Words.Text, (), beginning=key)

    def with_words(self, words: Sequence[str]) -> Sequence[int]:
        """Return the files that hold any of some words as they stand."""
        return self._index.rows.holding_any(Words.Text, words) if words else ()

    def with_names(self, key: str) -> Sequence[int]:
        """Return the files that define a name that begins with ``key``."""
        return self._index.rows.holding(Words.Names, (), beginning=key)

    def defining_any(self, names: Sequence[str]) -> Sequence[int]:
        """Return the files that define any of some names."""
        wanted = [token for name in names for token in tokens(name)]
        return self._index.rows.holding_any(Words.Names, wanted) if wanted else ()

    def names_inside(self, key: str) -> Sequence[str]:
        """Return the shortest names that have ``key`` inside, not at their beginning."""
        return [name.spelled for name in self._index.rows.vocabulary().inside(key).names]

    def with_path(self, key: str) -> Sequence[tuple[int, bool]]:
        """Return the files whose path has ``key`` in it, and whether their own name has it, not only their folder.

        Where very many have it, it says nothing of any of them, and none is returned.
        """
        paths, text, starts = self._lay_out()
        rows: list[tuple[int, bool]] = []
        at = text.find(key)
        while at >= 0 and len(rows) <= _MOST_PATHS:
            number = bisect_right(starts, at) - 1
            end = starts[number + 1]
            if len(key) > _SHORT or not text[at - 1 : at].isalpha():
                rows.append((number, text.rfind(key, at, end) > text.rfind("/", at, end)))
                at = end - 1
            at = text.find(key, at + 1)
        if len(rows) > _MOST_PATHS:
            return ()
        if len(rows) > _MOST_FOLDED:
            rows = [row for row in rows if row[1]]
        files = ((self._index.files.get(paths[number]), named) for number, named in rows)
        return [(file.id, named) for file, named in files if file is not None and file.id]

    def paths_of(self, ids: Sequence[int]) -> Sequence[str]:
        """Return the paths of files; those that have gone meanwhile are left out."""
        return self._index.files.paths_of(ids)

    def unread(self) -> Sequence[str]:
        """Return the files whose words are not indexed."""
        return self._index.words.unindexed_files()

    def _lay_out(self) -> _Paths:
        """Return the paths as one text; kept as long as no path comes or goes."""
        paths = self._index.files.paths
        kept = _laid_out.get(self._index)
        if kept is None or kept.paths is not paths:
            starts = array("I", accumulate((len(path) + 1 for path in paths), initial=0))
            # Lower case may have another length: such characters are in no word that is looked for.
            lower = [low if len(low := path.lower()) == len(path) else path for path in paths]
            kept = _laid_out[self._index] = _Paths(paths, "\n".join([*lower, ""]), starts)
        return kept


def parts_of(index: Index) -> Iterator[IndexWords]:
    """Yield what looks up words in each root of an index."""
    return map(IndexWords, index.parts)


def is_too_large(index: Index, path: str) -> bool:
    """Return whether a file is too large for its text to be read."""
    return index.files.size(path) > _LARGEST


def load_text(index: Index, reader: Reader, path: str) -> bytes:
    """Return the text of a file, keys and all, to count words in; nothing for a large, secret or binary one."""
    return b"" if is_too_large(index, path) else reader.unmasked(path)


def defined_names(index: Index, paths: Iterable[str]) -> Mapping[str, bytes]:
    """Return the names that files define, one a line, as far as they are indexed: some may have changed since."""
    found: dict[str, bytes] = {}
    for part in index.parts:
        files = (part.files.get(path) for path in paths if part.paths.exists(path))
        known = {file.id: file.path for file in files if file is not None and file.id}
        for number, blob in part.rows.symbols(known):
            with suppress(ValueError):  # damaged
                found[known[number]] = names_in(blob)
    return found


def read_source(index: Index, path: str) -> Source | None:
    """Return a file as it may be shown; None where it cannot be read any more."""
    return index.try_read(path)


def definitions(index: Index, source: Source) -> Sequence[Definition]:
    """Return the definitions of a file in the order of the source."""
    return index.symbols.definitions(source)
