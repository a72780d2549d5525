"""The files that are worth reading for a question, by what the index knows of them without reading any.

A file is worth the more, the rarer the words are that it has, and the closer they are to what it is about: in its name,
in the names that it defines, in its folder, in its text. A text has a word where one of its words begins with the stem;
parts inside of names (``pick_next_task`` has ``next``) are found through the names that are defined.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.find_code.index_words import IndexWords, parts_of
from leadline_tools.find_code.question import Question, Term
from leadline_tools.find_code.stems import parts, search_key, stem
from leadline_tools.index.index import Index

MOST_READ = 200
"""Files that are read for a question."""

_MOST_FEW = 2 * MOST_READ
"""Files that are looked up of those with the best scores: some may have gone."""

_MOST_UNREAD = 60
"""Files whose words are not indexed that are read with them."""

_IN_NAME, _IN_PATH, _DEFINED, _NAMED_INSIDE, _IN_TEXT = 1.0, 0.4, 0.6, 0.6, 0.4
"""What a word counts in the name of a file, its folders, at the beginning of a name that it defines, inside of one, and
in its text: the best of the first four and the last are added."""

_RELATED = 0.7
"""What an abbreviation counts beside the word itself."""

_EXACT = 2.0
"""What the definition of a name counts that the question spells, beside the rarest word."""

_SHORT = 2
"""Letters of a stem that begins too many names."""

_MOST_INSIDE = 3
"""Words that are looked for inside of names, the rarest ones: it takes 40 ms each in the names of Linux."""

_MOST_INNER_NAMES = 120
"""Names with words of the question inside that are looked up."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The files that are worth reading.

    Args:
        paths: The files, best first.
        rarity: How much each term of the question says in this code base.
        more: True where further files have words of the question, or may have some.

    """

    paths: Sequence[str]
    rarity: Sequence[float]
    more: bool


def find_candidates(index: Index, question: Question, allowed: Collection[str] | None) -> Candidates:
    """Return the files that are worth reading, of those that are ``allowed``; None allows all."""
    scored: list[tuple[float, str]] = []
    counts = [0] * len(question.terms)
    files = found_files = 0
    unread: list[str] = []
    for words in parts_of(index):
        found = _RootScores(words, question)
        files += words.files
        counts = list(map(int.__add__, counts, found.counts))
        scored += found.best_files(allowed)
        found_files += found.files
        unread += words.unread()
    rarity = [_rarity(term, count, files) for term, count in zip(question.terms, counts, strict=True)]
    scored.sort(key=lambda one: (-one[0], one[1].count("/"), one[1]))
    chosen = [path for _, path in scored[:MOST_READ]]
    known = set(chosen)
    unindexed = [path for path in unread if path not in known and (allowed is None or path in allowed)]
    keys = [search_key(term.stem) for term in question.terms]
    chosen += heapq.nsmallest(_MOST_UNREAD, unindexed, key=lambda path: (-_count_words(path.lower(), keys), path))
    more = max(found_files, len(scored)) > MOST_READ or len(unindexed) > _MOST_UNREAD
    return Candidates(chosen, rarity, more)


def _count_words(path: str, keys: Iterable[str]) -> int:
    """Return how many of some words a path has in it."""
    return sum(key in path for key in keys)


def _rarity(term: Term, count: int, files: int) -> float:
    """Return how much a term says: its inverse document frequency (Robertson and Zaragoza 2009), always above 0."""
    return term.weight * math.log(1 + (files + 1) / (count + 0.5))


class _RootScores:
    """Scores the files of one root by the words of a question that the index has of them."""

    def __init__(self, words: IndexWords, question: Question) -> None:
        self._words = words
        self._question = question
        self._scores: dict[int, float] = defaultdict(float)
        texts = [words.with_text(search_key(term.stem)) for term in question.terms]
        self.counts = [len(ids) for ids in texts]
        files = words.files
        self._rarity = [_rarity(t, count, files) for t, count in zip(question.terms, self.counts, strict=True)]
        for term, ids, rarity in zip(question.terms, texts, self._rarity, strict=True):
            cancellation.check()
            self._add_term(term, ids, rarity)
        self._add_inner_names()
        self._add_exact_names()

    @property
    def files(self) -> int:
        """Return how many files have a word of the question."""
        return len(self._scores)

    def best_files(self, allowed: Collection[str] | None) -> list[tuple[float, str]]:
        """Return the best files with their scores."""
        items = self._scores.items()
        ranked = heapq.nsmallest(_MOST_FEW, items, key=_rank) if allowed is None else sorted(items, key=_rank)
        found: list[tuple[float, str]] = []
        for number, score in ranked:
            paths = self._words.paths_of((number,))
            if paths and (allowed is None or paths[0] in allowed):
                found.append((score, paths[0]))
                if len(found) == MOST_READ:
                    break
        return found

    def _add_term(self, term: Term, ids: Iterable[int], rarity: float) -> None:
        """Add what a term and its abbreviations say of files."""
        scores = self._scores
        share = rarity * _IN_TEXT
        for number in ids:
            scores[number] += share
        for number in set(self._words.with_words(term.same)).difference(ids):
            scores[number] += share * _RELATED
        best: dict[int, float] = {}
        for stemmed, value in ((term.stem, rarity), *((other, rarity * _RELATED) for other in term.same)):
            key = search_key(stemmed)
            for number, named in self._words.with_path(key):
                _raise_to(best, number, value * (_IN_NAME if named else _IN_PATH))
            for number in self._words.with_names(key) if len(key) > _SHORT else ():
                _raise_to(best, number, value * _DEFINED)
        for number, value in best.items():
            scores[number] += value

    def _add_inner_names(self) -> None:
        """Add what names with several words of the question, or with a rare one inside, say of the files of both."""
        terms = self._question.terms
        rarest = sorted(range(len(terms)), key=lambda number: -self._rarity[number])[:_MOST_INSIDE]
        names: dict[str, float] = {}
        stems = {term.stem: number for number, term in enumerate(terms)}
        for number in rarest:
            key = search_key(terms[number].stem)
            for name in self._words.names_inside(key) if len(key) > _SHORT else ():
                if name not in names:
                    held = {stems[one] for one in map(stem, parts(name)) if one in stems}
                    names[name] = sum(self._rarity[one] for one in held)
        chosen = sorted((name for name in names if names[name]), key=lambda name: (-names[name], len(name), name))
        by_value: dict[float, list[str]] = defaultdict(list)
        for name in chosen[:_MOST_INNER_NAMES]:
            by_value[names[name]].append(name)
        best: dict[int, float] = {}
        for value, some in by_value.items():
            for number in self._words.defining_any(some):
                _raise_to(best, number, value * _NAMED_INSIDE)
        for number, value in best.items():
            self._scores[number] += value

    def _add_exact_names(self) -> None:
        """Add what the names say that the question spells as code does."""
        most = max(self._rarity, default=0.0)
        for segments in self._question.names:
            for number in self._words.defining_any(segments[-1:]):
                self._scores[number] += _EXACT * most


def _rank(scored: tuple[int, float]) -> tuple[float, int]:
    """Return what sorts files by their scores, the best first."""
    return -scored[1], scored[0]


def _raise_to(best: dict[int, float], number: int, value: float) -> None:
    if value > best.get(number, 0.0):
        best[number] = value
