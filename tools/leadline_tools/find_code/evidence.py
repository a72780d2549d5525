"""The evidence of one file for a question: where its words are in the path, the names and the text of the file."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from leadline_tools.find_code.features import FileFeatures
from leadline_tools.find_code.occurrences import FoldedText
from leadline_tools.find_code.question import Question, Term
from leadline_tools.find_code.stems import parts, stem
from leadline_tools.languages import has_symbols

SAME, INSIDE = 0.8, 0.6
"""What an abbreviation counts, and a word inside of a longer one, beside the word itself."""

_SATURATION, _LENGTH = 1.2, 0.5
"""The parameters k1 and b of BM25 (Robertson and Zaragoza 2009, 3.4)."""

_USUAL_BYTES = 8_000
"""Bytes of a file of the usual length."""

_HEAD = 2_500
"""Bytes at the beginning of a file, where its header says what it is about."""

_SAID_TWICE = 2.0
"""Occurrences in the header that count as a whole one."""

_MOST_PAIRED = 60
"""Occurrences of a word that are looked at for one of the next word behind them."""

_BETWEEN = 12
"""Bytes that may stand between two words that are next to each other in the question."""

_PAIRS_SATURATION = 1.5

_MOST_COUNTED = 200
"""Occurrences of a word that are counted: more of them say little more."""

_INSIDE_LEAST = 4
"""Letters of a stem that counts inside of a longer word."""


class TermPlaces:
    """Where a term and its abbreviations occur in a text: offsets in order, and the sums of what they count."""

    __slots__ = ("offsets", "sums")

    def __init__(self, text: FoldedText, term: Term, most: int) -> None:
        """Find the first occurrences in a text, at most so many of the term and of each abbreviation."""
        found = [(at, 1.0) for at in text.occurrences(term.stem, most)]
        if term.same:
            found += [(at, SAME) for other in term.same for at in text.occurrences(other, most)]
            found.sort()
        self.offsets = [at for at, _ in found]
        self.sums = list(accumulate((weight for _, weight in found), initial=0.0))

    @property
    def total(self) -> float:
        """Return what all occurrences count."""
        return self.sums[-1]

    def between(self, start: int, end: int) -> float:
        """Return what the occurrences from one offset to before another count."""
        offsets = self.offsets
        return self.sums[bisect_left(offsets, end)] - self.sums[bisect_left(offsets, start)]


@dataclass(frozen=True, slots=True)
class FileEvidence:
    """What a file says about a question.

    Args:
        path: The file.
        places: Where each term occurs in the text.
        named: What the name of the file says of each term, from 0 to 1.
        defines: Whether it defines a name that the question spells.
        features: What all of it amounts to, without the symbols.

    """

    path: str
    places: Sequence[TermPlaces]
    named: Sequence[float]
    defines: bool
    features: FileFeatures


def gather_evidence(
    question: Question, rarity: Sequence[float], path: str, content: bytes, names: bytes
) -> FileEvidence:
    """Return what a file says about a question.

    Args:
        question: What is asked for.
        rarity: How much each term says in this code base.
        path: The file.
        content: Its text.
        names: The names that it defines, one a line.

    """
    terms = question.terms
    folder, _, name = path.rpartition("/")
    bare = name.partition(".")[0] or name
    name_stems = list(dict.fromkeys(map(stem, parts(bare))))
    named = [match_words(term, name_stems, name.lower()) for term in terms]
    folder_stems = set(map(stem, parts(folder.rpartition("/")[2])))
    text = FoldedText(content)
    places = [TermPlaces(text, term, _MOST_COUNTED) for term in terms]
    defined = FoldedText(names)
    whole = sum(rarity) or 1.0

    def share(values: Sequence[float]) -> float:
        return sum(map(float.__mul__, rarity, values)) / whole

    norm = _SATURATION * (1 - _LENGTH + _LENGTH * len(content) / _USUAL_BYTES)
    precision = _precision(terms, name_stems)
    covered = share(named)
    features = FileFeatures(
        name=precision * min(1.0, 4 * covered),
        whole_name=1.0 if name_stems and precision > 0.99 else 0.0,
        folder=share([match_words(term, folder_stems) for term in terms]),
        names=share([_defined(term, defined) for term in terms]),
        body=share([one.total / (one.total + norm) for one in places]),
        head=share([min(1.0, one.between(0, _HEAD) / _SAID_TWICE) for one in places]),
        pairs=_pairs(question, rarity, places),
        length=math.log10(len(content) + 10) / 6,
        code=1.0 if has_symbols(path) else 0.0,
    )
    lines = b"\n%b\n" % defined.lower
    defines = any(b"\n%b\n" % one[-1].lower().encode("utf-8", "replace") in lines for one in question.names)
    return FileEvidence(path, places, named, defines, features)


def match_words(term: Term, stems: Collection[str], spelled: str = "") -> float:
    """Return what words say of a term, from 0 to 1: by their stems, and as they are ``spelled`` in lower case."""
    if term.stem in stems:
        return 1.0
    if any(other in stems for other in term.same):
        return SAME
    if len(term.stem) >= _INSIDE_LEAST and term.stem in spelled:
        return INSIDE
    return 0.0


def _precision(terms: Sequence[Term], stems: Sequence[str]) -> float:
    """Return which share of the words of a name the question has."""
    if not stems:
        return 0.0
    same = {one for term in terms for one in (term.stem, *term.same)}
    return sum(one in same for one in stems) / len(stems)


def _defined(term: Term, names: FoldedText) -> float:
    """Return what the names that a file defines say of a term."""
    if any(True for _ in names.occurrences(term.stem)):
        return 1.0
    return SAME if any(True for other in term.same for _ in names.occurrences(other)) else 0.0


def _pairs(question: Question, rarity: Sequence[float], places: Sequence[TermPlaces]) -> float:
    """Return how often words that are next to each other in the question are so in the text, from 0 to 1."""
    whole = found = 0.0
    for first, second in question.pairs:
        value = math.sqrt(rarity[first] * rarity[second])
        whole += value
        ones, others = places[first].offsets, places[second].offsets
        if ones and others:
            reach = len(question.terms[first].word) + _BETWEEN
            together = 0
            for at in ones[:_MOST_PAIRED]:
                behind = bisect_left(others, at + 1)
                together += behind < len(others) and others[behind] - at < reach
            found += value * together / (together + _PAIRS_SATURATION)
    return found / whole if whole else 0.0
