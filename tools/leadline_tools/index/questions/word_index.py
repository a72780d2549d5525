"""The index of words: which files hold which, by their texts where that has not come so far."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.store.rows import Held, RowReader, Words
from leadline_tools.index.store.words import WordPart, first_part, interior_words, last_word
from leadline_tools.index.store.words import tokens as tokens_of
from leadline_tools.index.text.key_masking import without_masks
from leadline_tools.index.text.required_literals import Run
from leadline_tools.index.text.scan import finder
from leadline_tools.index.tree.source import Tree

_SCAN_SECONDS = 2.0
"""Seconds that a question looks through files whose words are not indexed yet."""


_SHORTEST_BEGINNING = 3
"""Characters of a word from which on files are looked up by its beginning: shorter ones are in nearly all files."""


_SHORTEST_PART = 3
"""Characters of a part of a word from which on words with it are looked for: shorter ones are in too many."""

_MOST_PARTS = 4
"""Parts of words that are looked for of one clause; the list of all words is searched once for each."""

_MOST_CLAUSES = 2
"""Clauses whose parts of words are looked for, those with the longest ones."""

_FEW_SHARE = 8
"""Where no more than one of so many files may match, these are read: to look for parts of words would take as long."""

_WORDS_SHARE = 4
"""Words with a part are looked up up to one for so many files: one takes as long as reading a file."""


def _held_with(run: Run) -> Held:
    """Return what every file with a run holds."""
    beginning = last_word(run.padded)
    return Held(interior_words(run.padded), beginning if len(beginning) >= _SHORTEST_BEGINNING else "")


def _parts_of(clause: Sequence[Run]) -> Sequence[WordPart]:
    """Return a part of a word for each run of a clause; none where a run has no such part, or a short one."""
    parts = [part for run in clause if (part := first_part(run.padded)) is not None]
    known = len(parts) == len(clause) <= _MOST_PARTS and _shortest(parts) >= _SHORTEST_PART
    return parts if known else ()


def _shortest(parts: Sequence[WordPart]) -> int:
    return min((len(part.text) for part in parts), default=0)


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
        wanted = list(required)
        held = (list(map(_held_with, clause)) for clause in wanted)
        clauses = [clause for clause in held if all(one.words or one.beginning for one in clause)]
        missing = self._without_words()  # looked at first, as in ``files_with``
        rows = frozenset(self._rows.holding_each(Words.Text, clauses)) if clauses else None
        rows = self._holding_parts(rows, wanted)
        return None if rows is None else frozenset(missing.all).union(self._indexer.files.paths_of(rows))

    def _holding_parts(self, rows: frozenset[int] | None, required: Iterable[Sequence[Run]]) -> frozenset[int] | None:
        """Return those of some files, None for all, whose words have the parts that are required.

        That is so as far as they are known, and where it is worth the time.
        """
        files = len(self._indexer.files)
        clauses = sorted(filter(None, map(_parts_of, required)), key=_shortest, reverse=True)
        for parts in clauses[:_MOST_CLAUSES]:
            if rows is not None and len(rows) * _FEW_SHARE <= files:
                break
            if any(self._rows.count(Words.Text, [part.text]) * _FEW_SHARE > files for part in parts):
                continue  # the word itself is in many files
            holding = self._rows.holding_part(parts, files // _WORDS_SHARE)
            if holding is not None:
                rows = frozenset(holding) if rows is None else rows.intersection(holding)
        return rows

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

    def _spelling(self, words: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
        """Yield those of ``paths`` whose text holds all of ``words``, until the time for it is up."""
        if not paths:
            return
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
                if content is not None and all(any(found.spans(without_masks(content))) for found in finders):
                    yield path
