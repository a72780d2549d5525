"""The symbols of a file beside a question: BM25F over name, container, path, signature, documentation and body.

The fields of a symbol are added up before they saturate, as in S. Robertson and H. Zaragoza, "The Probabilistic
Relevance Framework: BM25 and Beyond" (2009), 3.6.1: a word in a name counts as several in a body.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from leadline_tools.find_code.evidence import SAME, FileEvidence, TermPlaces
from leadline_tools.find_code.occurrences import FoldedText
from leadline_tools.find_code.question import Question
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.model import SymbolKind

_NAME, _CONTAINER, _SIGNATURE, _DOCUMENTATION, _BODY = 2.0, 0.6, 0.6, 0.6, 0.5
"""What an occurrence counts by its field."""

_MOST_DOCUMENTED = 2.0
"""Occurrences in a documentation that count."""

_SATURATION = 1.2
_USUAL_LINES = 40
"""Lines of a body of the usual length: of a longer one an occurrence counts less."""

_LONGEST_SIGNATURE = 300
_MOST_PLACED = 1_000
"""Occurrences of a word that are placed in the symbols of one file."""

_MEANT_BY_FILE = 0.8
"""What the name of a file must say of a term for the term to count in what contains its symbols."""

_OTHER_CASE, _OTHER_PLACE, _FILE_CALLED = 0.6, 0.5, 0.5
"""What a definition counts whose name differs in case from one in the question; one that is not inside of what the
question names before it; a file that is called so."""

_OF_TESTS = 0.5
"""What a symbol counts that stands among the tests of a file."""

_TESTS = frozenset({"test", "tests"})
_TEST_NAMES = "test_"

OUTER = CLASS_LIKE | {SymbolKind.Namespace, SymbolKind.Module, SymbolKind.Package}
"""Kinds of what is no member wherever it is defined."""

_SPACES = frozenset({SymbolKind.Namespace, SymbolKind.Package})
"""Kinds of what only holds other symbols, in many files: no place that anybody asks for."""


@dataclass(frozen=True, slots=True)
class RatedSymbol:
    """A symbol and what it says about a question, from 0 to 1; the terms that it matches, by number and field."""

    definition: Definition
    score: float
    terms: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RatedSymbols:
    """The symbols of a file beside a question.

    Args:
        best: Those that say most, best first.
        defined: How surely a name of the question is defined, no member; from 0 to 1.
        member: How surely a member is called so.

    """

    best: Sequence[RatedSymbol]
    defined: float
    member: float


class Scale(NamedTuple):
    """What symbols are rated by: a question, and how much each of its terms says in this code base."""

    question: Question
    rarity: Sequence[float]


class SymbolRating:
    """Rates the symbols of one file."""

    def __init__(self, scale: Scale, evidence: FileEvidence, content: bytes, definitions: Sequence[Definition]) -> None:
        """Take what is asked for, what the file says beside its symbols, its text and the definitions in it."""
        question, rarity = scale
        self._question = question
        self._rarity = rarity
        self._whole = sum(rarity) or 1.0
        self._evidence = evidence
        self._definitions = definitions
        self._named = _terms_of_names(question, definitions)
        self._around: list[Mapping[int, float]] = []
        self._hidden: list[bool] = []
        text = FoldedText(content)
        self._places = [TermPlaces(text, term, _MOST_PLACED) for term in question.terms]
        self._lines, self._every_line = _lines_of(content, self._places)

    def rate(self, most: int, kinds: Collection[SymbolKind]) -> RatedSymbols:
        """Return what the symbols say, the best ``most`` of those of some kinds; none stands for all."""
        rated: list[tuple[float, int]] = []
        defined = member = 0.0
        for number, definition in enumerate(self._definitions):
            self._enter(definition)
            if self._hidden[number] or not (self._named[number] or self._holds_any(definition)):
                continue
            spelled = self._score_spelled_name(definition) if self._named[number] else 0.0
            if spelled and (definition.kind in OUTER or (definition.parent < 0 and not definition.container)):
                defined = max(defined, spelled)
            elif spelled:
                member = max(member, spelled)
            if definition.kind in kinds if kinds else definition.kind not in _SPACES:
                score = self._score(number, definition) + spelled
                rated.append((score * _OF_TESTS if _is_test(definition) else score, number))
        rated.sort(key=lambda one: (-one[0], one[1]))
        best = [self._describe_match(score, number) for score, number in rated[:most] if score > 0]
        return RatedSymbols(best, max(defined, self._score_file_name()), member)

    def _holds_any(self, definition: Definition) -> bool:
        """Return whether a line of a definition, or of its documentation, has a word of the question."""
        lines = self._every_line
        at = bisect_left(lines, definition.start_line)
        if at < len(lines) and lines[at] <= definition.end_line:
            return True
        return bool(definition.doc[1]) and any(one.between(*definition.doc) for one in self._places)

    def _enter(self, definition: Definition) -> None:
        """Note what a definition is in."""
        above = definition.parent
        inside = above >= 0
        self._hidden.append(inside and (self._hidden[above] or self._definitions[above].kind in CALLABLE))
        self._around.append({**self._around[above], **self._named[above]} if inside else {})

    def _score(self, number: int, definition: Definition) -> float:
        named, around, of_file = self._named[number], self._around[number], self._evidence.named
        lines = definition.end_line - definition.start_line + 1
        length = 1 + lines / _USUAL_LINES
        start, end = definition.signature
        end = min(end, start + _LONGEST_SIGNATURE)
        whole = 0.0
        for term, places in enumerate(self._places):
            value = _NAME * named.get(term, 0.0)
            if term in around or of_file[term] >= _MEANT_BY_FILE:
                value += _CONTAINER
            if places.offsets:
                at = self._lines[term]
                first, behind = bisect_left(at, definition.start_line), bisect_right(at, definition.end_line)
                if first < behind:
                    value += _BODY * (places.sums[behind] - places.sums[first]) / length
                    value += _SIGNATURE * places.between(start, end)
                if definition.doc[1]:
                    value += _DOCUMENTATION * min(_MOST_DOCUMENTED, places.between(*definition.doc))
            if value:
                whole += self._rarity[term] * value / (value + _SATURATION)
        return whole / self._whole

    def _score_spelled_name(self, definition: Definition) -> float:
        """Return how surely a definition is meant by a name that the question spells."""
        best = 0.0
        for segments in self._question.names:
            last = segments[-1]
            if definition.name.lower() != last.lower():
                continue
            value = 1.0 if definition.name == last else _OTHER_CASE
            if len(segments) > 1:
                around = f"{self._evidence.path}.{definition.container}".lower()
                value *= 1.0 if all(one.lower() in around for one in segments[:-1]) else _OTHER_PLACE
            best = max(best, value)
        return best

    def _score_file_name(self) -> float:
        """Return what the name of the file counts, if the question spells it."""
        name = self._evidence.path.rpartition("/")[2].partition(".")[0]
        plain = name.replace("_", "").replace("-", "").lower()
        spelled = (segments[-1].replace("_", "").lower() for segments in self._question.names)
        return _FILE_CALLED if any(one == plain for one in spelled) else 0.0

    def _describe_match(self, score: float, number: int) -> RatedSymbol:
        """Return a symbol with the terms that it matches."""
        definition = self._definitions[number]
        terms: dict[int, tuple[str, ...]] = {}
        for term, places in enumerate(self._places):
            at = self._lines[term]
            in_body = bisect_left(at, definition.start_line) < bisect_right(at, definition.end_line)
            fields = (
                ("name", term in self._named[number]),
                ("container", term in self._around[number]),
                ("path", self._evidence.named[term] > 0),
                ("documentation", bool(definition.doc[1]) and places.between(*definition.doc) > 0),
                ("body", in_body),
            )
            held = tuple(field for field, holds in fields if holds)
            if held:
                terms[term] = held
        return RatedSymbol(definition, score, terms)


def _is_test(definition: Definition) -> bool:
    """Return whether a definition stands among the tests of a file, as in Rust."""
    return definition.path.partition(".")[0] in _TESTS or definition.name.startswith(_TEST_NAMES)


def _terms_of_names(question: Question, definitions: Sequence[Definition]) -> Sequence[Mapping[int, float]]:
    """Return which terms the name of each definition has, and how closely."""
    names = "\n".join(definition.name.replace("\n", " ") for definition in definitions).encode("utf-8", "replace")
    text = FoldedText(names)
    starts = _starts(names)
    found: list[dict[int, float]] = [{} for _ in definitions]
    for number, term in enumerate(question.terms):
        stems = ((term.stem, 1.0), *((one, SAME) for one in term.same))
        for stemmed, value in stems:
            for at in text.occurrences(stemmed):
                terms = found[bisect_right(starts, at) - 1]
                terms[number] = max(value, terms.get(number, 0.0))
    return found


def _lines_of(content: bytes, places: Sequence[TermPlaces]) -> tuple[Sequence[Sequence[int]], Sequence[int]]:
    """Return the lines in which each term occurs, as its places are ordered, and those in which any does."""
    line, counted = 1, 0
    lines: dict[int, int] = {}
    for at in sorted({at for one in places for at in one.offsets}):
        line += content.count(b"\n", counted, at)
        counted = at
        lines[at] = line
    return [[lines[at] for at in one.offsets] for one in places], list(lines.values())


def _starts(names: bytes) -> Sequence[int]:
    """Return where each of several names begins, one a line."""
    return list(accumulate((len(name) + 1 for name in names.split(b"\n")), initial=0))[:-1]
