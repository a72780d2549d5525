"""Tokens that mean two symbols: keys that are names at once, and types in the names of destructors.

In ``{ a }`` the token uses the value ``a`` and the member ``a``, or binds the one: it is ``{ a: a }``. In ``~Box`` the
name of the type is part of that of the destructor.
https://tc39.es/ecma262/#sec-object-initializer
https://doc.rust-lang.org/reference/expressions/struct-expr.html
https://eel.is/c++draft/class.dtor#1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from leadline_tools.errors import NotInTime
from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.terms import BARE
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking, by_root
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.unlisted import unlisted_members

_DESTROYS = "~"

_MOST_FILES = 8
"""Files in which uses are looked at that may be keys as well."""


def is_shorthand(facts: Facts | None, line: int, column: int) -> bool:
    """Return whether the name at a place is a key as well."""
    return facts is not None and (line, column) in facts.shorthands


def members_at(index: Index, address: str, *, declared: bool = False) -> Sequence[DefinedSymbol]:
    """Return the members that the key at ``path:line:column`` means, where it is a name at once; nothing elsewhere.

    With ``declared`` those that the key declares, otherwise those that are declared elsewhere.
    """
    place = parse_position(index, address)
    if place is None or not place.column:
        return ()
    with asking(index.of(place.path), ahead=False) as question:
        here = list(_shorthand_uses(index, question, place))
        return list(members_of_key(index, question, place, here, declared=declared))


class DeclaredKeys(NamedTuple):
    """The keys that uses of a value declare at once, and whether there was no time to find all of them."""

    listed: Sequence[DefinedSymbol]
    is_late: bool


def keys_declared_by(index: Index, uses: Iterable[ResolvedUse]) -> DeclaredKeys:
    """Return the keys that uses of a value declare at once: ``return { a }`` gives ``a`` to others as a member.

    The uses are looked at in the first files that have any; those of a symbol are in its own file first.
    """
    found: dict[tuple[str, str, int], DefinedSymbol] = {}
    is_late = False
    for part, of_part in by_root(index, uses, lambda one: one.path).items():
        with asking(part, ahead=False) as question:
            for place in _shorthand_places(question, of_part):
                try:
                    here = list(_shorthand_uses(part, question, place))
                except NotInTime:
                    is_late = True
                    break
                declared = members_of_key(part, question, place, here, declared=True)
                found.update(((one.path, one.name, one.first.line), one) for one in declared)
    return DeclaredKeys(list(found.values()), is_late)


def _shorthand_places(question: Question, uses: Sequence[ResolvedUse]) -> Iterator[FilePosition]:
    """Yield the places of uses that are keys as well, in the first files."""
    for path in islice(dict.fromkeys(one.path for one in uses), _MOST_FILES):
        facts = question.project.facts(path)
        here = (one.use for one in uses if one.path == path)
        yield from (FilePosition(path, one.line, one.column) for one in here if is_shorthand(facts, *one[:2]))


def has_unknown_key(index: Index, address: str) -> bool:
    """Return whether the name at ``path:line:column`` is a key as well, of something of which nothing is known."""
    place = parse_position(index, address)
    if place is None or not place.column:
        return False
    with asking(index.of(place.path), ahead=False) as question:
        here = list(_shorthand_uses(index, question, place))
        keys = [meanings for _, use, meanings in here if use.receiver != BARE]
        return bool(here) and (not keys or not all(keys))


def _shorthand_uses(
    index: Index, question: Question, place: FilePosition
) -> Iterator[tuple[str, Use, Sequence[Resolution]]]:
    """Yield the uses at a place of names that are keys at once, with what they may mean."""
    facts = question.project.facts(place.path)
    if facts is not None and any(line == place.line for line, _ in facts.shorthands):
        yield from (one for one in uses_at(index, question, place) if is_shorthand(facts, one[1].line, one[1].column))


def type_in_name(index: Index, address: str, found: Sequence[DefinedSymbol]) -> Sequence[DefinedSymbol]:
    """Return the type that ``path:line:column`` names inside the name of a destructor; nothing elsewhere."""
    place = parse_position(index, address)
    names = (one for target in found if place is not None and target.path == place.path for one in target.definitions)
    destroys = any(
        one.name.startswith(_DESTROYS) and one.line == place.line and one.column < place.column
        for one in names
        if place is not None
    )
    if place is None or not destroys:
        return ()
    with asking(index.of(place.path), ahead=False) as question:
        used = [one for _, _, meanings in uses_at(index, question, place) for one in meanings]
        return load_symbols(index, [(one.path, one.name) for one in used if isinstance(one, SymbolRef)])


def members_of_key(
    index: Index,
    question: Question,
    place: FilePosition,
    used: Iterable[tuple[str, Use, Sequence[Resolution]]],
    *,
    declared: bool = False,
) -> Iterator[DefinedSymbol]:
    """Yield the members that uses at one place mean by a key: with ``declared`` those declared there, else others."""
    for name, use, meanings in used:
        if use.receiver == BARE:
            continue
        listed = load_symbols(index, [(one.path, one.name) for one in meanings if isinstance(one, SymbolRef)])
        unlisted = unlisted_members(index, question, place.path, name, use, meanings) if not listed else ()
        for member in (*listed, *(DefinedSymbol(source, (one,)) for source, one in unlisted)):
            here = (member.path, member.first.line, member.first.column) == (place.path, use.line, use.column)
            if here is declared:
                yield member
