"""The words of several hosted roots: where words do not tell in which files a text may be, a text engine does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from leadline_tools.index.hosted.hosted_reader import HostedReader, Kind, holding
from leadline_tools.index.hosted.text.text_engine import TextEngine, literals_of
from leadline_tools.index.hosted.text.word_holders import count_holding, hosted, word_holders
from leadline_tools.index.joined_index import JoinedWords, Parts
from leadline_tools.index.store.words import interior_words, tokens
from leadline_tools.index.text.required_literals import Run
from leadline_tools.once import once

_FEW_ROOTS = 8
"""Roots of which each is asked for its words: that reads pages of these roots alone, however many others there are."""

_FEW_FILES = 1_000
"""Files that are looked into at once: the text engine leaves out some of more, where they hold no more than a word."""

_MOST_RUNS = 8
"""Runs of a clause of which each is looked up by its words."""


class HostedWords(JoinedWords):
    """The words of the files of hosted roots.

    Args:
        parts: The indexes of the roots.
        reader: What reads the database.
        engine: What searches the contents of many.

    """

    def __init__(self, parts: Parts, reader: HostedReader, engine: TextEngine) -> None:
        super().__init__(parts)
        self._hosted = parts
        self._reader = reader
        self._engine = engine

    def files_with(self, words: Iterable[str], *, spelled: bool = False, beginning: str = "") -> list[str]:
        """Return the files whose text may hold all of ``words``, and one that begins with ``beginning``, sorted."""
        spellings = list(words)
        wanted = [token for word in spellings for token in tokens(word)]
        if beginning or not wanted:
            return super().files_with(spellings, spelled=spelled, beginning=beginning)
        holders = word_holders(self._reader, self._hosted, Kind.Text, wanted)
        found = chain.from_iterable(root.paths_of(holding(held, wanted)) for root, held in holders)
        return sorted(found if spelled else {*found, *self._unindexed})

    def count_files_with(self, word: str) -> int:
        """Return how many files may hold a word."""
        words = tokens(word)
        if not words:
            return super().count_files_with(word)
        return count_holding(self._reader, self._hosted, Kind.Text, words) + len(self._unindexed)

    @once
    def _unindexed(self) -> Sequence[str]:
        return self.unindexed_files()

    def files_meeting(self, required: Iterable[Sequence[Run]]) -> frozenset[str] | None:
        """Return the files whose text may hold a run of each clause; None where that is not known of any."""
        clauses = [*required]
        roots = hosted(self._hosted)
        if len(roots) < _FEW_ROOTS:
            return super().files_meeting(clauses)
        by_words, literals = self._files_with_words(clauses), literals_of(clauses)
        if by_words is not None and (len(by_words) <= _FEW_FILES or any(map(_is_words, clauses)) or not literals):
            return by_words
        if not literals:
            return super().files_meeting(clauses)
        found = self._engine.candidates(literals, roots)
        if len(found.unknown) == len(roots):
            return by_words
        paths = set(found.paths).union(self._unindexed)
        for root in found.unknown:
            known = root.words.files_meeting(clauses)
            paths.update(root.files.paths if known is None else known)
        return frozenset(paths if by_words is None else by_words.intersection(paths))

    def _files_with_words(self, clauses: Iterable[Sequence[Run]]) -> frozenset[str] | None:
        """Return the files that hold the words which a run of each clause surely has; None where no clause has any."""
        known: frozenset[str] | None = None
        for clause in clauses:
            words = [interior_words(run.padded) for run in clause]
            if all(words) and len(words) <= _MOST_RUNS:
                found = frozenset().union(*map(self.files_with, words))
                known = found if known is None else known.intersection(found)
        return known


def _is_words(clause: Sequence[Run]) -> bool:
    """Return whether every run of a clause begins and ends where words do, so that its words say all that it does."""
    return all(run.opens and run.closes for run in clause)
