"""Collisions of a new name: it is taken, it would be captured, or it would capture.

Three things can happen where an occurrence gets a new name: the scope that declares it has that name already; a scope
nearer to the occurrence has it, and would take the occurrence over; what is called so now stands inside the scope of
the renamed symbol, and would be taken over by it. Members are compared in their type, in what it inherits from and in
what inherits from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import OUTSIDE, Binding, Facts, Sort, Use, readable
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, owner_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.resolve.hierarchy.implementations import implementations
from leadline_tools.resolve.hierarchy.override_group import is_member
from leadline_tools.resolve.project.resolution import LocalName, Module, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.resolver import Resolver
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, fields_apart, load_symbols
from leadline_tools.resolve.symbols.visibility import seeing

EITHER: Final[AbstractSet[bool]] = frozenset({False, True})
"""That a name may be called or not."""

_FIELDS = frozenset({SymbolKind.Field, SymbolKind.Property})


class Collision(NamedTuple):
    """A place that stands in the way, 1-based, and what it is about it."""

    path: str
    line: int
    what: str


def collisions(
    index: Index,
    question: Question,
    members: Sequence[DefinedSymbol],
    found: Mapping[str, Sequence[Use]],
    old: str,
    new: str,
) -> list[Collision]:
    """Return what is in the way of calling ``members``, which are used at ``found`` places by path, by a new name."""
    taken = [one for member in members for one in _taken(index, question, member, new)]
    resolver = question.resolver
    for path, uses in found.items():
        taken += in_file(resolver, path, uses, old, new)
    for member in members:
        if not member.first.owner:
            sees = seeing(index, member)
            beside = [path for path in resolver.modules.siblings_of(member.path) if path not in found]
            spelling = resolver.project.spelling(new)
            using = [path for path in beside if path in spelling and (sees is None or sees(path))]
            taken += _beside(resolver, using, old, new)
    return list(dict.fromkeys(taken))


def _taken(index: Index, question: Question, member: DefinedSymbol, new: str) -> Iterator[Collision]:
    """Yield what has the new name in the file, the type, its supertypes and its subtypes."""
    container = owner_of(member.name) if member.first.owner else ""
    dotted = f"{container}.{new}" if container else new
    for one in load_symbols(index, [(member.path, dotted)]):
        if _has_own_namespace(question.resolver, member, one):
            continue
        yield Collision(one.path, one.first.line, f"{readable(dotted)} is defined there")
    if not is_member(member):
        return
    owner = SymbolRef(member.path, container, Reason.Definition)
    above = question.resolver.member_of(owner, new)
    types = load_symbols(index, [(member.path, container)])
    owners = [one for one in types if one.first.kind in CLASS_LIKE]
    below = [implementations(index, one, up=False, question=question, member=member) for one in owners]
    unseen = sum(one.unseen for one in below)
    if unseen:
        yield Collision(member.path, member.first.line, f"{unseen:,} files not examined in time, ask again")
    own = (question.resolver.evaluator.declarations.own_member(one.of, new) for each in below for one in each.found)
    for other in (above, *own):
        if isinstance(other, SymbolRef):
            targets = load_symbols(index, [(other.path, other.name)])
            near = [one for one in targets if not _has_own_namespace(question.resolver, member, one)]
            if near or not targets:
                line = near[0].first.line if near else 1
                yield Collision(other.path, line, f"{readable(other.name)} is a member of the same family of types")


def _has_own_namespace(resolver: Resolver, member: DefinedSymbol, other: DefinedSymbol) -> bool:
    """Return whether two members may have one name, since one is a field and the other a method."""
    kinds = (member.first.kind, other.first.kind)
    if not is_member(member) or not (fields_apart(member.path) and fields_apart(other.path)):
        return False
    if sum(kind in CALLABLE for kind in kinds) != 1 or any(kind in CLASS_LIKE for kind in kinds):
        return False
    fields = [one for one in (member, other) if one.first.kind not in CALLABLE]
    return all(_is_field(resolver, one) for one in fields)


def _is_field(resolver: Resolver, member: DefinedSymbol) -> bool:
    """Return whether no call of a member means this one, which is no accessor either: that of a record is a method."""
    facts, semantics = resolver.facts(member.path)
    if facts is None or semantics is None:
        return False
    if member.first.kind not in _FIELDS and not semantics.calls.calls_apart:
        return False
    bound = [one for one in facts.named(member.first.name) if one.path == member.name]
    return any(one.line == member.first.line and one.sort == Sort.Value for one in bound)


def in_file(resolver: Resolver, path: str, uses: Iterable[Use], old: str, new: str) -> Iterator[Collision]:
    """Yield what is in the way of a new name in a file, in which what gets it is used."""
    facts, semantics = resolver.facts(path)
    if facts is None or semantics is None:
        return
    homes: set[int] = set()
    bound: dict[int, None] = {}
    called: set[bool] = set()
    for use in uses:
        if use.receiver != BARE or _is_outside(facts, old, use):
            continue
        chain = list(_chain(facts, semantics, use.scope))
        home = next((scope for scope in chain if _binds(facts, old, scope)), 0)
        homes.add(home)
        near = chain[: chain.index(home) + 1] if home in chain else chain
        calls = _calls(facts, semantics, old, use)
        called |= calls
        taken = (binding for binding in facts.named(new) if binding.scope in near)
        bound.update((one.line, None) for one in taken if not calls.isdisjoint(_called(semantics, one)))
    yield from (Collision(path, line, f"{new} is bound there, and is visible where {old} is used") for line in bound)
    yield from _captured(path, facts, semantics, homes, old, new, called)
    if 0 in homes and not bound:
        meaning = resolver.scopes.lookup(path, new, 0)
        if isinstance(meaning, SymbolRef):
            yield Collision(path, 1, f"{new} means {readable(meaning.name)} of {meaning.path} in that file already")
        elif isinstance(meaning, Module | LocalName):
            yield Collision(path, 1, f"{new} means something else in that file already")


def _beside(resolver: Resolver, paths: Iterable[str], old: str, new: str) -> Iterator[Collision]:
    """Yield the uses of the new name in files that see the symbol without import, and that do not use it."""
    for other in paths:
        facts, semantics = resolver.facts(other)
        if facts is not None and semantics is not None:
            yield from _captured(other, facts, semantics, {0}, old, new)


def _captured(
    path: str,
    facts: Facts,
    semantics: Semantics,
    homes: Iterable[int],
    old: str,
    new: str,
    called: AbstractSet[bool] = EITHER,
) -> Iterator[Collision]:
    """Yield the uses of the new name that would mean the renamed symbol, for the scopes that declare it.

    ``called`` is whether calls, or what is no call, mean the renamed symbol.
    """
    declaring = frozenset(homes)
    for use in facts.uses.get(new, ()):
        if use.receiver != BARE or use.role is Role.Definition or use.imported >= 0:
            continue
        if called.isdisjoint(_calls(facts, semantics, new, use)):
            continue
        for scope in _chain(facts, semantics, use.scope):
            if _binds(facts, new, scope):
                break
            if scope in declaring:
                yield Collision(path, use.line, f"{new} is used there, and would mean what is called {old} now")
                break


def _chain(facts: Facts, semantics: Semantics, scope: int) -> Iterator[int]:
    """Yield the scopes whose names are seen bare in a scope, from the inside out."""
    innermost = scope
    while scope >= 0:
        kind, parent, _ = facts.scopes[scope]
        hidden = kind is ScopeKind.Class and not semantics.scopes.class_visible and scope != innermost
        if not hidden and kind is not ScopeKind.Table:
            yield scope
        if kind is ScopeKind.Module and scope > 0 and semantics.scopes.sealed:
            return
        scope = parent


def _calls(facts: Facts, semantics: Semantics, name: str, use: Use) -> AbstractSet[bool]:
    """Return whether an occurrence means what is called, or what is not; both where the language has one namespace."""
    if use.role is Role.Definition:
        here = [one for one in facts.named(name) if (one.line, one.column) == (use.line, use.column)]
        return _called(semantics, here[0]) if len(here) == 1 else EITHER
    apart = (
        semantics.calls.calls_apart and semantics.calls.fields_apart and use.role in (Role.Call, Role.Read, Role.Write)
    )
    return {use.role is Role.Call} if apart else EITHER


def _called(semantics: Semantics, binding: Binding) -> AbstractSet[bool]:
    """Return whether what a name is bound to is called, or is not; both where that is not known."""
    if not semantics.calls.fields_apart or binding.imported >= 0:
        return EITHER
    if binding.sort in (Sort.Value, Sort.Parameter):
        return {False}
    return {True} if binding.sort == Sort.Callable else EITHER


def _is_outside(facts: Facts, name: str, use: Use) -> bool:
    """Return whether an occurrence declares a member that no bare name means."""
    here = (one for one in facts.named(name) if (one.line, one.column) == (use.line, use.column))
    return any(binding.scope == OUTSIDE for binding in here)


def _binds(facts: Facts, name: str, scope: int) -> bool:
    return scope != OUTSIDE and bool(facts.within(name, scope))
