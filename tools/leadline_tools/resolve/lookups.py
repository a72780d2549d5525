"""Where an object is asked for members by names that are made while the program runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.model import Reason
from leadline_tools.resolve.address import Target, defined
from leadline_tools.resolve.meaning import Defined
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.value import Value


class Lookup(NamedTuple):
    """A place that asks for some member, 1-based."""

    path: str
    line: int


def lookups(index: Index, question: Question, members: Sequence[Target]) -> Iterator[Lookup]:
    """Yield where the types that have ``members``, or what they inherit from, may ask their objects for one."""
    names = {member.first.name for member in members}
    for target in defined(index, list(_types(question, members))):
        language = language_of(target.path)
        if language is None or language.computed is None:
            continue
        lines = target.source.lines()
        for definition in target.definitions:
            text = "\n".join(lines[definition.start_line - 1 : definition.end_line])
            for match in language.computed.finditer(text):
                if any(name.startswith(match["head"] or "") for name in names):
                    yield Lookup(target.path, definition.start_line + text.count("\n", 0, match.start()))


def _types(question: Question, members: Sequence[Target]) -> dict[tuple[str, str], None]:
    """Return the types of members and what those inherit from, by path and dotted name."""
    linear = question.resolver.values.inheritance.linear
    owners = [Value(Defined(one.path, one.first.container, Reason.Receiver)) for one in members if one.first.container]
    types = (value.of for owner in owners for value in linear(owner))
    return {(of.path, of.name): None for of in types if isinstance(of, Defined)}
