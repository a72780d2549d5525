"""The index of words: which files hold which, by their texts where that has not come so far."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.store.rows import Held, RowReader, Words
from leadline_tools.index.store.words import interior_words, last_word
from leadline_tools.index.store.words import tokens as tokens_of
from leadline_tools.index.text.required_literals import Run
from leadline_tools.index.text.scan import finder
from leadline_tools.index.tree.source import Tree

_SCAN_SECONDS = 2.0
"""Seconds that a question looks through files whose words are not indexed yet."""


_SHORTEST_BEGINNING = 3
"""Characters of a word from which on files are looked up by its beginning: shorter ones are in nearly all files."""


def _held_with(run: Run) -> Held:
    """Return what every file with a run holds."""
    beginning = last_word(run.padded)
    return Held(interior_words(run.padded), beginning if len(beginning) >= _SHORTEST_BEGINNING else "")


class _Wordless(NamedTuple):
    """The files whose words are not indexed in a state of the tree: not yet, and for being too large."""

    state: tuple[str, int]
    new: Sequence[str]
    large: Sequence[str]

    @property
    def all(self) -> Sequence[str]:
        """Return the ones and the others."""
        return [*self.new, *self.large]


class WordIndex:
    """The words of the files of an index."""

    def __init__(self, tree: Tree, indexer: Indexer, rows: RowReader, files: ListedFiles) -> None:
        self._tree = tree
        self._indexer = indexer
        self._rows = rows
        self._files = files
        self._wordless = _Wordless(("", -1), (), ())

    def files_with(self, words: Iterable[str], *, spelled: bool = False, beginning: str = "") -> list[str]:
        """Return the files whose text may hold all of ``words``, and one that begins with ``beginning``, sorted.

        Files whose words are not indexed are among them, for being new or too large; with ``spelled`` only new ones
        that hold the words as they are spelled, as far as a few seconds suffice to look.
        """
        spellings = list(words)
        wanted = [token for word in spellings for token in tokens_of(word)]
        if not (wanted or beginning):
            return list(self._files.paths)
        # Looked at first: what is indexed between the two is then found twice, not missed.
        missing = self._without_words()
        rows = self._rows.holding(Words.Text, wanted, beginning=beginning)
        found = self._indexer.files.paths_of(rows)
        more = frozenset(self._spelling(spellings, missing.new) if spelled else missing.all)
        return sorted(more.union(found) if more else found)

    def files_meeting(self, required: Iterable[Sequence[Run]]) -> frozenset[str] | None:
        """Return the files whose text may hold a run of each clause that is ``required``.

        Files whose words are not indexed are among them. None where the words of no clause are known.
        """
        held = (list(map(_held_with, clause)) for clause in required)
        clauses = [clause for clause in held if all(one.words or one.beginning for one in clause)]
        if not clauses:
            return None
        missing = self._without_words()  # looked at first, as in ``files_with``
        rows = self._rows.holding_each(Words.Text, clauses)
        return frozenset(missing.all).union(self._indexer.files.paths_of(rows))

    def count_files_with(self, word: str) -> int:
        """Return how many files may hold a word; see ``files_with``."""
        wanted = tokens_of(word)
        missing = self._without_words()
        known = self._rows.count(Words.Text, wanted) if wanted else len(self._indexer.files)
        return known + len(missing.new) + len(missing.large)

    def unindexed_files(self) -> Sequence[str]:
        """Return the files whose words are not indexed: not yet, or for being too large."""
        return self._without_words().all

    @property
    def large_files(self) -> Sequence[str]:
        """Return the files that are too large for their words to be indexed."""
        return self._without_words().large

    def _without_words(self) -> _Wordless:
        table = self._indexer.files
        if self._indexer.known.are_paths_alone:
            return _Wordless(("", -1), self._files.paths, ())
        state = (self._files.state, table.progress.texts)
        if self._wordless.state != state:
            self._wordless = _Wordless(state, table.progress.wordless(), table.progress.large())
        return self._wordless

    def _spelling(self, words: Sequence[str], paths: Iterable[str]) -> Iterator[str]:
        """Yield those of ``paths`` whose text holds all of ``words``, until the time for it is up."""
        finders = [finder(word, word=True) for word in words]
        until = time.monotonic() + _SCAN_SECONDS
        with self._tree.reading() as reader:
            for path in paths:
                if time.monotonic() > until:
                    return
                raw = reader.raw(path)
                if raw is None or not all(found.may_hold(raw) for found in finders):
                    continue
                content = self._tree.text(path, raw)
                if content is not None and all(any(found.spans(content)) for found in finders):
                    yield path
