"""What a type holds: what it declares, what its methods declare, and what it inherits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.errors import NotParsed
from leadline_tools.index.describe import symbol
from leadline_tools.index.index import Index
from leadline_tools.index.source import Source
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import OUTSIDE, Binding, Facts, Sort
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Member, Reason, Symbol, SymbolKind
from leadline_tools.resolve.address import Target, qualified
from leadline_tools.resolve.meaning import Defined
from leadline_tools.resolve.project import IndexedProject
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.value import Value

SECONDS = 2.0
"""Seconds in which the files of a type and of what it inherits from are looked into."""


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a type.

    Args:
        found: Its own in the order of the source, then those of what it inherits from, nearest first; a member that
            is overridden on the way is left out.
        bases: The qualified names of all that it inherits from in the code base, nearest first.
        outside: What it says it inherits from that is not in the code base, as it is written.
        late: True where the time was up before all was looked at.

    """

    found: Sequence[Member]
    bases: Sequence[str]
    outside: Sequence[str]
    late: bool


def members(index: Index, target: Target, *, inherited: bool) -> Members:
    """Return the members of a type; with ``inherited`` those of its bases too."""
    with asking(index) as question:
        return _members(index, target, question, inherited=inherited)


def _members(index: Index, target: Target, question: Question, *, inherited: bool) -> Members:
    project, values = question.project, question.resolver.values
    inheritance = values.inheritance
    itself, *above = inheritance.linear(Value(Defined(target.path, target.name, Reason.Definition)))
    looked_at = (itself, *above) if inherited else (itself,)
    types = [one.of for one in looked_at if isinstance(one.of, Defined)]
    found: dict[str, list[Member]] = {}
    for of in types:
        cancellation.check()
        origin = qualified(of.path, of.name) if of is not types[0] else ""
        own: dict[str, list[Member]] = {}
        for member in _declared(index, project, of, values.declared.files(of), origin):
            own.setdefault(member.symbol.name, []).append(member)
        found = {**found, **{name: group for name, group in own.items() if name not in found}}
    return Members(
        [member for group in found.values() for member in group],
        [qualified(one.of.path, one.of.name) for one in above if isinstance(one.of, Defined)],
        list(dict.fromkeys(term for one in looked_at for term in inheritance.outside(one))),
        bool(question.refused()),
    )


def _declared(
    index: Index, project: IndexedProject, of: Defined, files: Iterable[str], origin: str
) -> Iterator[Member]:
    """Yield what the files of a type declare in it."""
    for path in files:
        source = index.try_read(path)
        if source is None:
            continue
        listed = _outlined(index, source, of.name)
        for definition in listed:
            yield Member(symbol(source, definition), definition.parameters, origin)
        facts = project.facts(path)
        given = _given(facts, of.name, {definition.name for definition in listed}) if facts is not None else ()
        lines = source.lines()
        for binding in given:
            line = lines[binding.line - 1] if binding.line <= len(lines) else ""
            yield Member(_attribute(path, of.name, binding, line), None, origin)


def _outlined(index: Index, source: Source, owner: str) -> list[Definition]:
    """Return what a file defines in a type, with parameters; only a file that defines something is parsed."""
    known = [definition for definition in index.definitions(source) if definition.container == owner]
    if not known:
        return []
    try:
        return [definition for definition in index.outline(source) if definition.container == owner]
    except NotParsed:
        return known


def _given(facts: Facts, owner: str, listed: Iterable[str]) -> Iterator[Binding]:
    """Yield the members that methods declare by giving them a value, each once."""
    known = set(listed)
    for binding in facts.wide:
        ours = binding.sort == Sort.Value and binding.path == f"{owner}.{binding.name}"
        if ours and binding.scope == OUTSIDE and binding.name not in known:
            known.add(binding.name)
            yield binding


def _attribute(path: str, owner: str, binding: Binding, line: str) -> Symbol:
    return Symbol(
        binding.name,
        qualified(path, binding.path),
        SymbolKind.Field,
        path,
        binding.line,
        binding.column,
        binding.line,
        line.strip(),
        "",
        owner,
    )


def is_private(member: Member) -> bool:
    """Tell whether a member is for its own type only, as its language says it."""
    language = language_of(member.symbol.path)
    return language is not None and language.private(member.symbol.name, member.symbol.signature)
