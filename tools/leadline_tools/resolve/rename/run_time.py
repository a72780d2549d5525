"""Look-ups at run time: what may ask for a symbol by its name, which no place in the code shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.types.type import Type


class RunTimeLookup(NamedTuple):
    """A place that may ask for the name, 1-based; ``spelled`` is the decorator that does, empty for a lookup."""

    path: str
    line: int
    spelled: str = ""


def decorators(question: Question, members: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
    """Yield the decorators of symbols, which are called with them, but for those that are known not to ask."""
    for member in members:
        language, facts = language_of(member.path), question.project.facts(member.path)
        if language is None or language.names.transparent_decorators is None or facts is None:
            continue
        before = [((one.start_line, 0), (one.line, one.column)) for one in member.definitions]
        for name in facts.uses.keys() - language.names.transparent_decorators:
            for use in facts.uses[name]:
                if use.role is Role.Decorator and any(start < use[:2] < end for start, end in before):
                    spelled = f"{use.receiver}.{name}" if use.receiver.replace(".", "").isidentifier() else name
                    yield RunTimeLookup(member.path, use.line, spelled)


def lookups(index: Index, question: Question, members: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
    """Yield where objects with ``members`` are asked, by their types, for members whose names are made there."""
    names = {member.first.name for member in members}
    for target in load_symbols(index, list(_types(question, members))):
        language = language_of(target.path)
        if language is None or language.names.computed is None:
            continue
        lines = target.source.lines()
        for definition in target.definitions:
            text = "\n".join(lines[definition.start_line - 1 : definition.end_line])
            for match in language.names.computed.finditer(text):
                if any(name.startswith(match["head"] or "") for name in names):
                    yield RunTimeLookup(target.path, definition.start_line + text.count("\n", 0, match.start()))


def _types(question: Question, members: Sequence[DefinedSymbol]) -> dict[tuple[str, str], None]:
    """Return the types of members and what those inherit from, by path and dotted name."""
    mro = question.resolver.evaluator.inheritance.mro
    owners = [Type(SymbolRef(one.path, one.first.container, Reason.Receiver)) for one in members if one.first.container]
    types = (value.origin for owner in owners for value in mro(owner))
    return {(of.path, of.name): None for of in types if isinstance(of, SymbolRef)}
