"""What go_to_definition answers for an identifier, and how that compares with what engines agree on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from defining.record import Known
from defining.tokens import function_spans
from leadline_tools.errors import LeadlineError, NothingThere, NotUnderstood, Whence
from leadline_tools.index.index import Index
from leadline_tools.languages import language_in
from leadline_tools.model import SourceLine, Symbol
from leadline_tools.navigation.go_to_definition import go_to_definition
from truth.record import Place

_SINGLE = re.compile(r"(?P<kind>.+?) in (?P<path>.+):(?P<line>\d+)$")
_PLACE = re.compile(r" (?P<path>\S+?):(?P<line>\d+)(?::\d+)?$")


class Verdict(StrEnum):
    """How an answer compares with the truth."""

    Same = "same place"
    Outside = "outside for both"
    Local = "local, said so"
    Module = "module, said so"
    Undecided = "undecided"
    Missing = "missing"
    Wrong = "wrong"
    NoTruth = "no truth"


RIGHT = (Verdict.Same, Verdict.Outside, Verdict.Local, Verdict.Module)


class Said(StrEnum):
    """What kind of answer go_to_definition gives."""

    Definition = "a definition"
    Several = "several definitions"
    Candidates = "candidates"
    Unknown = "not found"
    Local = "local"
    Module = "a module"
    Outside = "outside"
    Nothing = "no symbol there"
    Error = "an error"


_WHENCE = {
    Whence.Unknown: Said.Unknown,
    Whence.Local: Said.Local,
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
        result = go_to_definition(index, str(place))
    except NotUnderstood as error:
        return Answer(_WHENCE[error.whence], message=str(error))
    except NothingThere as error:
        return Answer(Said.Nothing, message=str(error))
    except LeadlineError as error:
        return Answer(Said.Error, message=str(error))
    if result.noun == "candidates":
        found = {(one.path, one.line) for one in result.items if isinstance(one, Symbol)}
        return Answer(Said.Candidates, frozenset(found))
    if (single := _SINGLE.match(result.notes[0])) is not None if result.notes else False:
        return Answer(Said.Definition, frozenset({(single["path"], int(single["line"]))}))
    about = {one.about for one in result.items if isinstance(one, SourceLine)}
    named = [found for one in about if (found := _PLACE.search(one or "")) is not None]
    return Answer(Said.Several, frozenset((found["path"], int(found["line"])) for found in named))


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
        self._symbols: dict[str, frozenset[int]] = {}

    def judge(self, known: Known) -> Judged:
        """Return the verdict on the answer for an identifier."""
        answer = answer_at(self._index, known.token.place)
        truth = known.agreed(self._needed)
        return Judged(known, truth, answer, self._verdict(known, truth, answer))

    def _verdict(self, known: Known, truth: frozenset[Place | None], answer: Answer) -> Verdict:
        if not truth:
            return Verdict.NoTruth
        possible = {place[:2] for place in known.places if place is not None}
        match answer.said:
            case Said.Definition | Said.Several if answer.places <= possible:
                return Verdict.Same
            case Said.Definition:
                return Verdict.Wrong
            case Said.Several:
                return Verdict.Undecided if answer.places & possible else Verdict.Wrong
            case Said.Candidates | Said.Unknown:
                return Verdict.Undecided
            case Said.Outside:
                return Verdict.Outside if None in known.places else Verdict.Wrong
            case Said.Local:
                return Verdict.Local if self._is_local(known, truth) else Verdict.Wrong
            case Said.Module:
                starts = any(place is not None and place.line == 1 for place in truth)
                return Verdict.Module if starts else Verdict.Wrong
            case _:
                return Verdict.Missing if truth - {None} else Verdict.Undecided

    def _is_local(self, known: Known, truth: frozenset[Place | None]) -> bool:
        """Tell whether a place of the truth lies in a function around the token, and is no symbol there."""
        path, line, _ = known.token.place
        around = [span for span in self._spans_of(path) if span[0] <= line <= span[1]]
        return any(
            place is not None
            and place.path == path
            and any(first <= place.line <= last for first, last in around)
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
