"""The separate meanings of an ambiguous name: what belongs together is one meaning, and the meanings come in order.

A member and the members that override it are one meaning, since a call through the base may mean any of them. Several
declarations of one thing (a prototype and its definition, the parts of a partial type) are one symbol of a meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import product_first
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.languages.reach import Reach
from leadline_tools.model import Reason, SymbolKind
from leadline_tools.resolve.hierarchy.implementations import fitting
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question, asking, by_root
from leadline_tools.resolve.symbols.defined_symbol import (
    DefinedSymbol,
    SymbolMatches,
    declaration_space,
    is_method_of_type,
    load_symbols,
    values_apart,
)
from leadline_tools.resolve.symbols.parts import parts, twin_of
from leadline_tools.resolve.symbols.visibility import reach
from leadline_tools.resolve.types.type import Type

_MOST_COUNTED = 400
"""Symbols whose files are counted; the order of more is that in which they were found."""

_SPACES = frozenset({SymbolKind.Namespace, SymbolKind.Package})


@dataclass(frozen=True, slots=True)
class Meaning:
    """One of the meanings of an ambiguous name.

    Args:
        base: The symbol that stands for the meaning: of members the one that the others override; of several
            declarations of one thing the longest, which is the one with a body.
        declarations: The other declarations of the base.
        overriding: The members that override the base, one for each type.
        namesake: The value that has the name of the type which is the base, in one file, or the other way round: one
            import names both. None for none.
        files: About how many files use it: those that hold its name and the name of its owner.

    """

    base: DefinedSymbol
    declarations: tuple[DefinedSymbol, ...] = ()
    overriding: tuple[DefinedSymbol, ...] = ()
    files: int = 0
    namesake: DefinedSymbol | None = None

    @property
    def members(self) -> tuple[DefinedSymbol, ...]:
        """Return all symbols of the meaning, the base first."""
        namesake = (self.namesake,) if self.namesake is not None else ()
        return (self.base, *self.declarations, *self.overriding, *namesake)


_Key = tuple[str, str, int]
"""The path and the dotted name of a symbol, and whether it is a method where a field may have the same name."""

_Ancestors = Mapping[_Key, Sequence[_Key]]
"""What members override or may override, nearest first."""


def count_roots_apart(index: Index, found: SymbolMatches) -> int:
    """Return how many roots have a symbol that means nothing in another root: the least number of meanings."""
    return len({index.of(one.path) for one in found if one.first.kind not in _SPACES})


def group_meanings(index: Index, found: SymbolMatches) -> Sequence[Meaning]:
    """Return the meanings of the symbols that an address may mean: the most used first, those of tests last."""
    if len(found) == 1:
        return (Meaning(found[0]),)
    symbols = _join_declarations(index, list(found))
    ancestors = _ancestors(index, [symbol[0] for symbol in symbols])
    related = _join_related(symbols, ancestors)
    if found.definitions > sum(len(target.definitions) for target in found):
        related = [[*group, *_unlisted_base(index, group, ancestors)] for group in related]
    meanings = [_meaning(index, group, ancestors, count=len(symbols) <= _MOST_COUNTED) for group in related]
    return sorted(meanings, key=lambda one: (all(product_first(t.path)[0] for t in one.members), -one.files))


def _join_declarations(index: Index, found: Sequence[DefinedSymbol]) -> list[list[DefinedSymbol]]:
    """Return the declarations of each symbol together, the longest first."""
    groups = _Groups(range(len(found)))
    numbers: dict[tuple[str, str], list[int]] = {}
    spaces: dict[tuple[str, str], int] = {}
    named: dict[str, list[int]] = {}
    for number, target in enumerate(found):
        numbers.setdefault((target.path, target.name), []).append(number)
        named.setdefault(target.name, []).append(number)
        place = _shared_place(target)
        if place is not None:
            groups.join(number, spaces.setdefault((place, target.name), number))
    alike = [found[number] for same in named.values() if len(same) > 1 for number in same]
    for target, path in _other_declarations(index, alike):
        for one in numbers[target.path, target.name]:
            for other in numbers.get((path, target.name), ()):
                if found[one].callable == found[other].callable:
                    groups.join(one, other)
    return [sorted((found[number] for number in group), key=_lines, reverse=True) for group in groups.all()]


def _shared_place(target: DefinedSymbol) -> str | None:
    """Return what is equal for files that mean one symbol by the dotted name of a symbol; None where only one does."""
    if target.first.kind in _SPACES:
        return target.qualified_name
    if target.semantics is None or not target.semantics.visibility.variants:
        return None
    return None if target.first.name in target.semantics.visibility.unnamed else target.path.rpartition("/")[0]


def _other_declarations(index: Index, targets: Sequence[DefinedSymbol]) -> Iterator[tuple[DefinedSymbol, str]]:
    """Yield each symbol with each other file that declares it."""
    for target in targets:
        yield from ((target, part.path) for part in parts(index.of(target.path), target))
    elsewhere = [one for one in targets if _may_be_declared_elsewhere(index, one)]
    for part, of_part in by_root(index, elsewhere, lambda one: one.path).items():
        with asking(part, ahead=False) as question:
            for target in of_part:
                cancellation.check()
                declared = question.resolver.declarations(target.path, target.name)
                yield from ((target, one.path) for one in declared)


def _may_be_declared_elsewhere(index: Index, target: DefinedSymbol) -> bool:
    """Return whether another file may declare a symbol: what the linker takes for it, for a target, or its stub."""
    semantics = target.semantics
    return semantics is not None and (semantics.visibility.joins_declarations or bool(twin_of(index, target.path)))


def _ancestors(index: Index, symbols: Sequence[DefinedSymbol]) -> _Ancestors:
    """Return of members of types what they override or may override: the member of that name in each supertype."""
    members = [one for one in symbols if one.first.owner and one.first.kind in CALLABLE | VARIABLE]
    found: dict[_Key, list[_Key]] = {}
    for part, of_part in by_root(index, members, lambda one: one.path).items():
        with asking(part, ahead=False) as question:
            question.project.prepare(dict.fromkeys(one.path for one in of_part))
            for one in of_part:
                cancellation.check()
                if reach(index, one) is not Reach.Type:
                    found[_key(one)] = list(_overridden(question, one))
            for interface in (one for one in of_part if one.callable):
                for one in fitting(part, interface, question, (one for one in of_part if one.callable)):
                    found[_key(one)] = [*found.get(_key(one), ()), _key(interface)]
    return found


def _overridden(question: Question, member: DefinedSymbol) -> Iterator[_Key]:
    """Yield the members that a member overrides, nearest first."""
    evaluator = question.resolver.evaluator
    owner, interface = evaluator.explicit_members.owner(member.path, member.name)
    lines = [one.line for one in member.definitions]
    implemented = evaluator.interfaces.implemented_at(member.path, member.name, lines)
    for of in implemented or ():
        own = evaluator.declarations.own_member(of, member.first.name)
        if own is not None:
            yield own.path, own.name, _space(member)
    if implemented is not None:
        return
    for type_ in evaluator.inheritance.mro(Type(owner))[1:]:
        if not isinstance(type_.origin, SymbolRef) or interface not in ("", type_.origin.name.rpartition(".")[2]):
            continue
        own = evaluator.declarations.own_member(type_.origin, member.first.name)
        of = SymbolRef(member.path, member.name, Reason.Definition)
        if own is not None and not evaluator.definitions.are_apart(of, own):
            yield own.path, own.name, _space(member)


def _join_related(symbols: Sequence[list[DefinedSymbol]], ancestors: _Ancestors) -> list[list[list[DefinedSymbol]]]:
    """Return the symbols together that override one another, or one member that is not among them; and namesakes."""
    groups = _Groups(range(len(symbols)))
    first: dict[_Key, int] = {}
    namesakes: dict[tuple[str, str], int] = {}
    for number, symbol in enumerate(symbols):
        for key in map(_key, symbol):
            for related in (key, *ancestors.get(key, ())):
                groups.join(number, first.setdefault(related, number))
        path, name, _ = _key(symbol[0])
        if values_apart(path):
            groups.join(number, namesakes.setdefault((path, name), number))
    return [[symbols[number] for number in group] for group in groups.all()]


def _unlisted_base(
    index: Index, symbols: Sequence[list[DefinedSymbol]], ancestors: _Ancestors
) -> list[list[DefinedSymbol]]:
    """Return the member that most symbols of a meaning override, where it is not one of those that are listed."""
    overridden = _overridden_by(symbols, ancestors)
    most = max(overridden.values(), default=0)
    keys = [key for key, count in overridden.items() if count == most]
    listed = {_key(target) for symbol in symbols for target in symbol}
    if not keys or not listed.isdisjoint(keys):
        return []
    path, name, is_method = keys[-1]
    base = [one for one in load_symbols(index, [(path, name)]) if _key(one)[2] == is_method]
    return [base] if base else []


def _overridden_by(symbols: Sequence[list[DefinedSymbol]], ancestors: _Ancestors) -> Counter[_Key]:
    """Return how many symbols of a meaning override each member."""
    return Counter(base for symbol in symbols for base in ancestors.get(_key(symbol[0]), ()))


def _meaning(index: Index, symbols: Sequence[list[DefinedSymbol]], ancestors: _Ancestors, *, count: bool) -> Meaning:
    """Return a meaning with the symbol first that most of the others override, the most used one of several."""
    overridden = _overridden_by(symbols, ancestors)
    files = [_count_files(index, symbol[0]) if count else 0 for symbol in symbols]
    order = sorted(range(len(symbols)), key=lambda i: (-max(overridden[_key(one)] for one in symbols[i]), -files[i]))
    base, *others = [symbols[i] for i in order]
    twin = next((one[0] for one in others if _key(one[0])[:2] == _key(base[0])[:2]), None)
    overriding = tuple(one[0] for one in others if one[0] is not twin)
    return Meaning(base[0], tuple(base[1:]), overriding, sum(files), twin)


def _count_files(index: Index, target: DefinedSymbol) -> int:
    """Return in about how many files of its root a symbol is used: those with its name and its owner's or file's."""
    if reach(index, target) is Reach.Type:
        return 1
    owner = target.first.owner.rpartition(".")[2] or _module(target.path)
    return index.of(target.path).words.count_files_with(f"{target.first.name} {owner}")


def _module(path: str) -> str:
    """Return the word by which other files most likely name a file."""
    language = language_of(path)
    module = language.files.module(path) if language is not None else ""
    return module.rpartition(".")[2] or path.rpartition("/")[2].partition(".")[0]


def _key(target: DefinedSymbol) -> _Key:
    return target.path, target.name, _space(target)


def _space(target: DefinedSymbol) -> int:
    """Return the declaration space of a symbol; of a method 1 more where it is one of the type itself."""
    return declaration_space(target) + bool(is_method_of_type(target))


def _lines(target: DefinedSymbol) -> int:
    return target.first.end_line - target.first.start_line


class _Groups:
    """Numbers in disjoint groups, each in the order of its first number."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._first = {number: number for number in numbers}

    def join(self, one: int, other: int) -> None:
        """Make one group of those of two numbers."""
        low, high = sorted((self._find(one), self._find(other)))
        self._first[high] = low

    def all(self) -> list[list[int]]:
        """Return all groups."""
        found: dict[int, list[int]] = {}
        for number in self._first:
            found.setdefault(self._find(number), []).append(number)
        return list(found.values())

    def _find(self, number: int) -> int:
        while self._first[number] != number:
            number = self._first[number]
        return number
