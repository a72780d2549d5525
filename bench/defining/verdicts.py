"""What go_to_definition answers for an identifier, and how that compares with what engines agree on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, cast

from defining.alternatives import are_alternatives
from defining.contradicted import without_contradicted
from defining.record import Known
from defining.tokens import Sort, function_spans
from leadline_tools.errors import LeadlineError, NothingThere, NotUnderstood, Whence
from leadline_tools.index.index import Index
from leadline_tools.languages import language_in
from leadline_tools.model import SourceLine, Symbol
from leadline_tools.navigation.go_to_definition import LIKELY, go_to_definition
from leadline_tools.result import Result
from truth.record import Place

_NOTED = re.compile(r"(?P<kind>[A-Z][\w ]*?) in (?P<path>\S.*?)(?::(?P<line>\d+))?(?::\d+)?(?:,|$)")
"""How a note names what is defined or bound; a module begins on its first line."""

_PLACE = re.compile(r"(?P<words>.+?):(?P<line>\d+)(?::\d+)?$")

_MODULE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*;")

_LOCAL = frozenset({"Local name", "Parameter", "Type parameter"})

find = cast("Callable[[Index, str], Result]", go_to_definition)


class Verdict(StrEnum):
    """How an answer compares with the truth."""

    Same = "same place"
    Outside = "outside for both"
    Local = "local, said so or another binding"
    Module = "module, said so"
    Alternatives = "one of several builds"
    Undecided = "undecided"
    Missing = "missing"
    Wrong = "wrong"
    NoTruth = "no truth"


RIGHT = (Verdict.Same, Verdict.Outside, Verdict.Local, Verdict.Module, Verdict.Alternatives)


class Said(StrEnum):
    """What kind of answer go_to_definition gives."""

    Definition = "a definition"
    Binding = "a local binding"
    Several = "several definitions"
    Candidates = "candidates"
    Unknown = "not found"
    Local = "local"
    Member = "a member without symbol"
    Module = "a module"
    Outside = "outside"
    Nothing = "no symbol there"
    Error = "an error"


_WHENCE = {
    Whence.Unknown: Said.Unknown,
    Whence.Local: Said.Local,
    Whence.Attribute: Said.Member,
    Whence.Module: Said.Module,
    Whence.Outside: Said.Outside,
}


class Answer(NamedTuple):
    """What go_to_definition says: the kind of answer, the places by path and line, and the message of an error."""

    said: Said
    places: frozenset[tuple[str, int]] = frozenset()
    message: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """An identifier with what the engines say, what go_to_definition says, and the verdict."""

    known: Known
    truth: frozenset[Place | None]
    answer: Answer
    verdict: Verdict

    @property
    def kind(self) -> str:
        """Return the verdict with what was said, where that makes a difference."""
        if self.verdict in (Verdict.Undecided, Verdict.Missing, Verdict.Wrong):
            return f"{self.verdict}: {self.answer.said}, is {_what(self.truth)}"
        return self.verdict


def answer_at(index: Index, place: Place) -> Answer:
    """Return what go_to_definition says at a place."""
    try:
        result = find(index, str(place))
    except NotUnderstood as error:
        return Answer(_WHENCE.get(error.whence, Said.Error), message=str(error))
    except NothingThere as error:
        return Answer(Said.Nothing, message=str(error))
    except LeadlineError as error:
        return Answer(Said.Error, message=str(error))
    if result.noun == "candidates":
        return Answer(
            Said.Candidates, frozenset((one.path, one.line) for one in result.items if isinstance(one, Symbol))
        )
    noted = [found for note in result.notes if (found := _NOTED.match(note)) is not None]
    if noted:
        kinds = {one["kind"] for one in noted}
        definite = Said.Binding if kinds <= _LOCAL else Said.Module if kinds == {"Module"} else Said.Definition
        said = Said.Candidates if LIKELY in result.notes else definite
        return Answer(said, frozenset((one["path"], int(one["line"] or 1)) for one in noted))
    about = {one.about for one in result.items if isinstance(one, SourceLine)}
    named = [found for one in about if (found := _PLACE.match(one or "")) is not None]
    return Answer(Said.Several, frozenset((_path_at_end(index, one["words"]), int(one["line"])) for one in named))


def _path_at_end(index: Index, words: str) -> str:
    """Return the path that words end with: one may have spaces."""
    parts = words.split(" ")
    ends = (" ".join(parts[i:]) for i in range(len(parts)))
    return next((end for end in ends if end in index.files.paths), parts[-1])


class Judge:
    """Compares answers of one index with the truth.

    Args:
        index: The index of the tree, complete.
        needed: How many engines have to give a place.

    """

    def __init__(self, index: Index, needed: int) -> None:
        self._index = index
        self._needed = needed
        self._spans: dict[str, Sequence[tuple[int, int]]] = {}

    def judge(self, known: Known) -> Judged:
        """Return the verdict on the answer for an identifier; nobody is asked of one without a truth."""
        known = without_contradicted(self._index, known)
        truth = known.agreed(self._needed)
        answer = answer_at(self._index, known.token.place) if truth else Answer(Said.Nothing)
        return Judged(known, truth, answer, self._verdict(known, truth, answer))

    def _verdict(self, known: Known, truth: frozenset[Place | None], answer: Answer) -> Verdict:  # noqa: PLR0911
        if not truth:
            return Verdict.NoTruth
        if answer.places and answer.said is not Said.Candidates:
            return self._of_places(known, truth, answer)
        match answer.said:
            case Said.Outside:
                return Verdict.Outside if None in known.places else Verdict.Wrong
            case Said.Local:
                return Verdict.Local if self._is_local(known, truth) else Verdict.Wrong
            case Said.Module:
                starts = any(place is not None and place.line == 1 for place in truth)
                return Verdict.Module if starts else Verdict.Wrong
            case Said.Nothing | Said.Error if truth - {None}:
                return Verdict.Missing
            case _:
                return Verdict.Undecided

    def _of_places(self, known: Known, truth: frozenset[Place | None], answer: Answer) -> Verdict:
        """Return the verdict on definite places; a declaration that leads to itself is right, as is its other one."""
        possible = {place[:2] for place in known.places if place is not None}
        declares = known.token.sort is Sort.Declaration and known.token.place[:2] in answer.places
        if answer.places <= possible or declares:
            return Verdict.Same
        if answer.said is Said.Binding:
            return Verdict.Local if self._is_local(known, truth) else Verdict.Wrong
        if not answer.places & possible:
            return Verdict.Module if self._is_module(known, truth, answer) else Verdict.Wrong
        if answer.said is Said.Module:
            return Verdict.Same  # a package is all of its files
        if self._are_overloads(answer.places, known.token.name):
            return Verdict.Same
        alternatives = are_alternatives(self._index, answer.places, known.token.name)
        return Verdict.Alternatives if alternatives else Verdict.Undecided

    def _is_module(self, known: Known, truth: frozenset[Place | None], answer: Answer) -> bool:
        """Return whether an answer names the module that engines name by another place.

        A module of Rust is the file, and the line that says ``mod name;``; one of CommonJS begins where its file does,
        and a line gives it its value (``module.exports = ...``).
        """
        if answer.said is not Said.Module:
            return False
        whole = {place.path for place in truth if place is not None and (place.line, place.column) == (1, 1)}
        if {path for path, _ in answer.places} <= whole:
            return True
        return any(map(self._declares_module, truth)) and self._are_in(answer.places, known.token.name)

    def _declares_module(self, place: Place | None) -> bool:
        """Return whether a place says that a module is a file of its own: ``mod name;`` of Rust."""
        lines = self._index.read(place.path).lines() if place is not None else []
        return place is not None and place.line <= len(lines) and _MODULE.search(lines[place.line - 1]) is not None

    def _are_in(self, places: frozenset[tuple[str, int]], name: str) -> bool:
        """Return whether places are in files, or in folders, that are called like a module."""
        return all(name in (path.rpartition("/")[2].partition(".")[0], path.split("/")[-2:][0]) for path, _ in places)

    def _are_overloads(self, places: frozenset[tuple[str, int]], name: str) -> bool:
        """Return whether several definitions are one symbol: of one name in one definition of one file."""
        paths = {path for path, _ in places}
        if len(paths) > 1:
            return False
        lines = {line for _, line in places}
        there = self._index.symbols.definitions(self._index.read(paths.pop()))
        return len({one.parent for one in there if one.line in lines and one.name == name}) == 1

    def _is_local(self, known: Known, truth: frozenset[Place | None]) -> bool:
        """Return whether a place of the truth lies in a function around the token, and is no symbol there."""
        path, line, _ = known.token.place
        around = [span for span in self._spans_of(path) if span[0] <= line <= span[1]]
        return any(
            place is not None and place.path == path and any(first <= place.line <= last for first, last in around)
            for place in truth
        )

    def _spans_of(self, path: str) -> Sequence[tuple[int, int]]:
        if path not in self._spans:
            content = self._index.read(path).content
            language = language_in(path, content)
            self._spans[path] = function_spans(content, language.name) if language is not None else ()
        return self._spans[path]


def _what(truth: frozenset[Place | None]) -> str:
    return "in the tree" if truth - {None} else "outside"
