"""Receiver declarations: where the object is declared, or the function that gives it, whose member a use names.

An answer shows them beside undecided uses, since the type of that object is what decides such a use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Binding, Facts
from leadline_tools.long_lines import shorten_stripped
from leadline_tools.model import Occurrence, SourceLine, Tier
from leadline_tools.resolve.addresses.used_names import innermost_uses
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking

_MOST_SHOWN = 60
"""Uses whose receivers are looked for: of more than fit an answer says only how many there are."""

_LONGEST_TEXT = 80
"""Characters of a declaration that are shown around the name."""

_SEPARATOR = re.compile(r"(\w+)(\([^()]*\))?\s*(?:\.|->|::|\?\.|\?->|!!?\.|&\.)\s*\$?$")
"""What stands before a member: a name, or a call of one with arguments that call nothing."""


def with_receiver_declarations(index: Index, uses: Sequence[Occurrence]) -> list[Occurrence]:
    """Return uses, the undecided ones with the places where their receivers are declared, as far as those are known."""
    with asking(index, ahead=False) as question:
        return [_with_receiver(question, one) if place < _MOST_SHOWN else one for place, one in enumerate(uses)]


def _with_receiver(question: Question, use: Occurrence) -> Occurrence:
    """Return an undecided use with the place where its receiver is declared, and any other one as it is."""
    return replace(use, receiver=_known_declaration(question, use)) if use.tier is Tier.Name else use


def _known_declaration(question: Question, use: Occurrence) -> SourceLine | None:
    """Return where the receiver of a use is declared, which is found out once."""
    place = use.path, use.line, use.column
    known = question.use_cache.receiver(place)
    if known is None:
        found = _declaration(question, use)
        known = (found,) if found is not None else ()
        if not question.project.late:
            question.use_cache.put_receiver(place, known)
    return next(iter(known), None)


def _declaration(question: Question, use: Occurrence) -> SourceLine | None:
    """Return where the receiver of a use is declared; None where that is not known, or is on the line of the use."""
    facts, lines = question.project.facts(use.path), question.project.lines(use.path)
    if facts is None or use.line > len(lines):
        return None
    before = _SEPARATOR.search(lines[use.line - 1][: use.column - 1])
    if before is None:
        return None
    for name, named in innermost_uses(facts, use.line, before.start(1) + 1):
        for meaning in question.resolver.resolve(use.path, name, named):
            path, bound = _binding(question, facts, meaning, use)
            if bound is not None and (path, bound.line) != (use.path, use.line):
                return _source_line(question, path, bound)
    return None


def _binding(question: Question, facts: Facts, meaning: Resolution, use: Occurrence) -> tuple[str, Binding | None]:
    """Return the path and the binding of what a receiver means: of a local name the last one before the use."""
    if isinstance(meaning, SymbolRef):
        its, _ = question.resolver.facts(meaning.path)
        return meaning.path, its.at(meaning.name) if its is not None else None
    if not isinstance(meaning, LocalName) or meaning.path != use.path:
        return "", None
    bound = facts.within(meaning.name, meaning.scope)
    before = [one for one in bound if (one.line, one.column) < (use.line, use.column)]
    return use.path, next(iter((*before[-1:], *bound[:1])), None)


def _source_line(question: Question, path: str, bound: Binding) -> SourceLine | None:
    lines = question.project.lines(path)
    if bound.line > len(lines):
        return None
    start = bound.column - 1
    return SourceLine(
        path, bound.line, shorten_stripped(lines[bound.line - 1], _LONGEST_TEXT, start, start + len(bound.name))
    )
