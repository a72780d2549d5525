"""From what a caller calls a symbol to the definitions that are meant.

An address is a name (``filter``), a dotted suffix of a qualified name (``QuerySet.filter``), or a place
(``path:line`` or ``path:line:column``, 1-based) at which the symbol is defined or used. A member that a type inherits
can be called by that type too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from leadline_tools.errors import BadArgument, NoSuchSymbol, NothingThere, NotParsed, NotResolved, NotUnderstood, Whence
from leadline_tools.index.asked import in_line, named
from leadline_tools.index.index import Index
from leadline_tools.index.names import Found, Hit, Wanted
from leadline_tools.index.source import Source
from leadline_tools.languages import language_in, language_of, scoping_of
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.resolve.meaning import Defined, Elsewhere, Meaning, Module
from leadline_tools.resolve.question import asking

_SECONDS = 5.0
"""Seconds in which a place is to be understood: mostly its file and those that it imports are all that is needed."""

_MOST_SIMILAR = 3
"""Names like one that is missing, of which it is asked whether the same type has them."""

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
_SEPARATOR = re.compile(r"::|[#/\\]|->")


@dataclass(frozen=True, slots=True)
class Target:
    """A symbol: the file that defines it, its definitions there (several where they are conditional) and its source."""

    source: Source
    definitions: tuple[Definition, ...]

    @property
    def path(self) -> str:
        """Return the file that defines it."""
        return self.source.path

    @property
    def first(self) -> Definition:
        """Return the first of its definitions."""
        return self.definitions[0]

    @property
    def name(self) -> str:
        """Return its dotted name inside the file."""
        return self.first.path

    @property
    def callable(self) -> bool:
        """Tell whether it can be called."""
        return self.first.kind in CALLABLE

    @property
    def qualified_name(self) -> str:
        """Return its dotted name with the module."""
        return qualified(self.path, self.name)


@dataclass(frozen=True, slots=True)
class Targets(Sequence[Target]):
    """The symbols that an address may mean, likeliest first.

    Args:
        listed: As many of them as are worth listing.
        definitions: How many definitions they have in all, those that are not listed too.
        more: True where there may be more than that.

    """

    listed: tuple[Target, ...]
    definitions: int
    more: bool = False

    @classmethod
    def of(cls, found: Sequence[Target]) -> Targets:
        """Return all that is meant."""
        return cls(tuple(found), sum(len(target.definitions) for target in found))

    @overload
    def __getitem__(self, index: int) -> Target: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Target]: ...
    def __getitem__(self, index: int | slice) -> Target | Sequence[Target]:
        return self.listed[index]

    def __len__(self) -> int:
        return len(self.listed)


def qualified(path: str, name: str) -> str:
    """Return the qualified name of what is called ``name`` inside the file ``path``."""
    language = language_of(path)
    module = language.module(path) if language is not None else ""
    return f"{module}.{name}" if module else name


class Place(NamedTuple):
    """A file of the tree and a place in it, 1-based; the column is 0 where none is told."""

    path: str
    line: int
    column: int


def place_of(index: Index, address: str) -> Place | None:
    """Return the place that an address names; None where it names something else. Raises a PathError."""
    place = _PLACE.fullmatch(address.strip())
    path = index.locate(place["path"]) if place is not None else ""
    if place is None or not index.exists(path):
        return None
    return Place(path, int(place["line"]), int(place["column"] or 0))


def targets(index: Index, address: str) -> Targets:
    """Return the symbols that ``address`` may mean, likeliest first; raises NoSuchSymbol for none."""
    place = place_of(index, address)
    if place is not None:
        return Targets.of(_at(index, address, *place))
    dotted = _SEPARATOR.sub(".", address.strip()).strip(".").removesuffix("()")
    name = dotted.rpartition(".")[2]
    if not name:
        raise BadArgument("symbol", "it names nothing", "Call symbol_search with a part of its name.")
    found = _called(index, dotted)
    meant = _types(_present(index, found.hits)) or (_inherited(index, dotted) if name != dotted else [])
    if not meant:
        coverage = index.coverage()
        left = coverage.files - coverage.symbols if found.more else 0
        raise NoSuchSymbol(address, _similar(index, dotted), left)
    gone = len(found.hits) - sum(len(target.definitions) for target in meant)
    return Targets(tuple(meant), found.total - gone, bool(found.more))


def _called(index: Index, dotted: str) -> Found:
    """Return the definitions whose qualified name is or ends in a dotted name.

    What they are called may hold dots itself (a namespace), which is asked where nothing else is found.
    """
    wanted = Wanted(accepts=lambda path, d: _ends_in(qualified(path, d.path), dotted))
    start = len(dotted)
    while True:
        start = dotted.rfind(".", 0, start)
        found = index.names.exact(dotted[start + 1 :], wanted if start >= 0 else Wanted())
        if found.hits or start < 0:
            return found


def _similar(index: Index, dotted: str) -> tuple[str, ...]:
    """Return what was probably meant by a dotted name that nothing has: members of the same owner before all others."""
    owner, _, name = dotted.rpartition(".")
    similar = index.names.similar(name)
    members = [f"{owner}.{one}" for one in similar[:_MOST_SIMILAR]] if owner else []
    return tuple(one for one in members if _called(index, one).hits or _inherited(index, one)) or tuple(similar)


def _types(found: Sequence[Target]) -> list[Target]:
    """Return symbols without the constructors that are called like their type, where the type is one of them."""
    types = {(target.path, target.name) for target in found if target.first.kind in CLASS_LIKE}
    return [
        target
        for target in found
        if target.first.kind is not SymbolKind.Constructor or (target.path, target.name.rpartition(".")[0]) not in types
    ]


def defined_at(index: Index, address: str, target: Target) -> tuple[Definition, ...]:
    """Return the definitions of a symbol that stand at the very place an address names; all where none does.

    So one of several (overloads, a getter and its setter) can be chosen by its line.
    """
    place = place_of(index, address)
    if place is None or place.path != target.path:
        return target.definitions
    return tuple(d for d in target.definitions if _stands_at(d, place.line, place.column)) or target.definitions


def _stands_at(definition: Definition, line: int, column: int) -> bool:
    """Tell whether a definition has its name at a line, and at a column of it unless that is 0."""
    return definition.line == line and (
        not column or definition.column <= column <= definition.column + len(definition.name)
    )


def place(index: Index, source: Source, definition: Definition) -> str:
    """Return the shortest place that names a definition of a file, and nothing else on its line."""
    line = f"{source.path}:{definition.line}"
    alone = _outermost(index.ask(source, in_line(definition.line))) == [definition]
    return line if alone else f"{line}:{definition.column}"


def _outermost(here: Iterable[Definition]) -> list[Definition]:
    """Return the definitions on a line that are not inside of another on it."""
    found: list[Definition] = []
    for one in here:
        if not any(one.path.startswith(f"{other.path}.") for other in found):
            found.append(one)
    return found


def resolvable(target: Target) -> Target:
    """Return ``target``; raises NotResolved where nothing can be known of its uses but that they have its name."""
    language = language_in(target.path, target.source.content)
    if language is None or language.scoping is None:
        raise NotResolved(target.path, target.first.name)
    return target


def _inherited(index: Index, dotted: str) -> list[Target]:
    """Return the members that types inherit under a dotted name which they do not declare themselves."""
    owner, _, name = dotted.rpartition(".")
    wanted = Wanted(accepts=lambda path, d: d.kind in CLASS_LIKE and _ends_in(qualified(path, d.path), owner))
    types = index.names.exact(owner.rpartition(".")[2], wanted).hits
    found: dict[tuple[str, str], None] = {}
    for part in index.parts:
        with asking(part, ahead=False) as question:
            for hit in types:
                of = Defined(hit.file.path, hit.definition.path, Reason.Definition)
                member = question.resolver.member_of(of, name) if index.of(of.path) is part else None
                if isinstance(member, Defined):
                    found[member.path, member.name] = None
    return defined(index, list(found))


def _ends_in(qualified_name: str, suffix: str) -> bool:
    return qualified_name == suffix or qualified_name.endswith(f".{suffix}")


def _present(index: Index, hits: Iterable[Hit]) -> list[Target]:
    """Return hits as symbols, the definitions of one name in one file together, as their files are now."""
    grouped: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        grouped.setdefault((hit.file.path, hit.definition.path), []).append(hit)
    found: list[Target] = []
    for (path, name), group in grouped.items():
        source = index.try_read(path)
        if source is None:
            continue
        same = source.digest == group[0].digest
        fresh = sorted((hit.definition for hit in group), key=_line) if same else _named(index, source, name)
        found += _apart(source, fresh)
    return found


def _apart(source: Source, definitions: Iterable[Definition]) -> list[Target]:
    """Return the symbols of one dotted name: two where a method may be called like a field."""
    groups: dict[bool, list[Definition]] = {}
    for definition in definitions:
        groups.setdefault(fields_apart(source.path) and definition.kind in CALLABLE, []).append(definition)
    return [Target(source, tuple(group)) for group in groups.values()]


def fields_apart(path: str) -> bool:
    """Tell whether in the language of a file a field and a method may have one name."""
    scoping = scoping_of(path)
    return scoping is not None and scoping.fields_apart


def _line(definition: Definition) -> int:
    return definition.line


def _named(index: Index, source: Source, name: str) -> list[Definition]:
    # Names may hold dots: any ending of the dotted name may be that of the definition.
    return [definition for definition in index.ask(source, named(name.endswith)) if definition.path == name]


def _at(index: Index, address: str, path: str, line: int, column: int) -> list[Target]:
    """Return what is defined at a place, else what the names used there mean."""
    source = index.read(path)
    here = _outermost(d for d in index.ask(source, in_line(line)) if _stands_at(d, line, column))
    if here:
        paths = dict.fromkeys(d.path for d in here)
        named = [target for name in paths for target in _apart(source, _named(index, source, name))]
        return [target for target in named if any(d in target.definitions for d in here)]
    used = _used_at(index, address, path, line, column)
    if not used:
        around = [d for d in index.definitions(source) if d.start_line <= line <= d.end_line]
        raise NothingThere(address, f"{path}:{around[-1].line}" if around else "")
    return used


def _used_at(index: Index, address: str, path: str, line: int, column: int) -> list[Target]:
    """Return what the names used at a place mean; raises NotUnderstood where none means a symbol of the code base."""
    found: dict[tuple[str, str], bool] = {}
    others: list[tuple[int, str, Sequence[Meaning]]] = []
    with asking(index.of(path), ahead=False) as question:
        facts = question.project.facts(path)
        if facts is None and path in question.refused():
            raise NotParsed(path, f"its names were not found out within {_SECONDS:g} s")
        for name, uses in facts.uses.items() if facts is not None else ():
            for use in uses:
                if use.line == line and (not column or use.column <= column < use.end_column):
                    meanings = question.resolver.resolve(path, name, use)
                    called = use.role is Role.Call
                    symbols = [meaning for meaning in meanings if isinstance(meaning, Defined)]
                    run = question.resolver.values.interfaces.run(symbols)
                    found.update(((m.path, m.name), called) for m in run)
                    others.append((use.column, name, meanings))
    if others and not found:
        _, name, meanings = min(others, key=lambda one: (bool(one[2]), one[0]))
        raise NotUnderstood(address, name, _whence(meanings))
    meant = defined(index, list(found))
    return [target for target in meant if _is_meant(target, meant, called=found[target.path, target.name])]


def _whence(meanings: Sequence[Meaning]) -> Whence:
    """Tell where what is no symbol of the code base comes from."""
    if not meanings:
        return Whence.Unknown
    if isinstance(meanings[0], Module):
        return Whence.Module
    return Whence.Local if isinstance(meanings[0], Elsewhere) and meanings[0].path else Whence.Outside


def _is_meant(target: Target, among: Sequence[Target], *, called: bool) -> bool:
    """Tell which of two symbols of one dotted name is meant where it is called, or is not."""
    names = [(one.path, one.name) for one in among]
    return names.count((target.path, target.name)) == 1 or target.callable is called


def defined(index: Index, names: Sequence[tuple[str, str]]) -> list[Target]:
    """Return the symbols with some paths and dotted names; those that are gone are left out."""
    found: list[Target] = []
    for path, name in names:
        source = index.try_read(path)
        if source is not None:
            found += _apart(source, _named(index, source, name))
    return found
