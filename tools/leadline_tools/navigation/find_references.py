"""Lists where a symbol is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from leadline_tools.account import Account, account_of_all, total_account
from leadline_tools.errors import BadArgument
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.answer_sizes import uses as size_of_uses
from leadline_tools.index.request_scope.file_selection import select_scope
from leadline_tools.index.request_scope.index_notes import text_notes
from leadline_tools.index.request_scope.read_calls import reading
from leadline_tools.language_servers.opinion import Opinion, second_opinion
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import readable
from leadline_tools.languages.outline import NO_SPAN, Definition
from leadline_tools.model import Occurrence, Role, SymbolKind, Tier
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.patience import patient
from leadline_tools.resolve.addresses.address import resolvable
from leadline_tools.resolve.addresses.file_position import shortest_place
from leadline_tools.resolve.ambiguity.meanings import Meaning
from leadline_tools.resolve.ambiguity.sections import answer_each, meanings
from leadline_tools.resolve.bindings.binding import local_named
from leadline_tools.resolve.bindings.local import Local, other_parts
from leadline_tools.resolve.bindings.macro_names import MacroName, MacroNames, resolve_unless_macro
from leadline_tools.resolve.bindings.nearest_definitions import asked_overload
from leadline_tools.resolve.bindings.promoted_parameters import promoted_member
from leadline_tools.resolve.bindings.shorthands import DeclaredKeys, has_unknown_key, keys_declared_by, members_at
from leadline_tools.resolve.hierarchy.overridden import (
    has_hidden_uses,
    outside_note,
    outside_owners,
    overridden_members,
    overridden_names,
    overridden_note,
)
from leadline_tools.resolve.overloads.joined_overloads import overloads_note
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.local_references import local_references
from leadline_tools.resolve.references.macro_name_uses import MacroNameUses, macro_name_uses
from leadline_tools.resolve.references.occurrence_lines import occurrences_by_line
from leadline_tools.resolve.references.omissions import omit_for_macros, with_other_roots, with_other_roots_of
from leadline_tools.resolve.references.pasted_names import PastedUses, pasted_uses, pasted_uses_of
from leadline_tools.resolve.references.receiver_declarations import with_receiver_declarations
from leadline_tools.resolve.references.references import References, references
from leadline_tools.resolve.references.undecided import undecided_aside
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches, qualified
from leadline_tools.resolve.symbols.embedding import resolve_embedded_field
from leadline_tools.resolve.symbols.parts import whole
from leadline_tools.resolve.symbols.unparsed_around import note_unparsed_around, unparsed_around
from leadline_tools.result import Aside, Call, Result, Size, Value
from leadline_tools.tool import Detail, FolderPath, SymbolAddress, tool

_MOST_ENDINGS = 4
"""Kinds of files that are named."""

_MOST_KEYS = 3
"""Keys of a value that are named, each with the call that lists its uses."""

_MOST_OVERRIDING = 3
"""Overriding members that are named; ``find_implementations`` lists all."""


@dataclass(frozen=True, slots=True)
class _Query:
    """What is asked of a symbol: as arguments, and which uses that are.

    Args:
        arguments: The arguments that a narrower question has to repeat, but for the symbol.
        within: The files that are asked about; None for all.
        roles: The roles that are asked for; none for all.
        declarations: Whether declarations are wanted.
        least: The least sure tier that is wanted.

    """

    arguments: Mapping[str, Value]
    within: frozenset[str] | None
    roles: frozenset[Role]
    declarations: bool
    least: Tier

    def wants(self, one: ResolvedUse) -> bool:
        """Return whether a use is asked for, however sure it is; one of unknown role may have any."""
        role = one.use.role
        if one.tier is Tier.Name and role is Role.Other:
            return True
        return (self.declarations or role is not Role.Definition) and (not self.roles or role in self.roles)

    def lists(self, one: ResolvedUse) -> bool:
        """Return whether a use is an item: with ``tier="name"`` only those of which nothing could be proved."""
        if self.least is Tier.Name:
            return one.tier is Tier.Name
        return one.tier is Tier.Exact or one.tier is self.least


@tool
def find_references(
    index: Index,
    symbol: SymbolAddress,
    include_declaration: bool = True,
    path: FolderPath = ".",
    role: str = "",
    tier: Literal["exact", "likely", "name"] = "likely",
    detail: Detail = "auto",
) -> Result:
    """Find uses of a symbol in code, surest first.

    role: call, read, write, import, type, inherit, decorator. tier: name lists only undecided uses,
    which the others list last.
    """
    with patient():
        least = Tier(tier)
        arguments = _arguments(path, include_declaration, role, least)
        query = _Query(arguments, select_scope(index, path), _roles(role), include_declaration, least)
        local = local_named(index, symbol)
        member = promoted_member(index.of(local.path), local) if local is not None else None
        if local is not None and member is None:
            keys = members_at(index, symbol, declared=True)
            result = _with_key(index, symbol, _uses_of_local(index, local, query))
            if keys:
                result = _uses_of_local_and_keys(index, symbol, local, result, keys, query)
            return replace(result, lean=detail == "lean", full=detail == "full")
        named = SymbolMatches.of([member]) if member is not None else resolve_unless_macro(index, symbol)
        if not isinstance(named, SymbolMatches):
            result = _uses_of_macro_names(index, symbol, named, query)
            places = [(one.given.path, one.name) for one in named.names]
            result = with_other_roots_of(index, places, result, query.within)
            return replace(result, lean=detail == "lean", full=detail == "full")
        found = whole(index, named)
        if len(found) == 1 and not found.possible:
            target = asked_overload(index, symbol, resolve_embedded_field(index, resolvable(found[0])))
            result = _uses_of(index, target, query, symbol)
            result = with_other_roots(index, found, _with_key(index, symbol, result), query.within)
        elif found_meanings := meanings(index, found):
            answer = partial(_uses_of, index, query=query)
            result = answer_each(index, symbol, found_meanings, answer, "find_references", **arguments)
            result = with_other_roots(index, [one.base for one in found_meanings], result, query.within)
        else:
            return candidates(index, symbol, found, "find_references", **arguments)
    return replace(result, lean=detail == "lean", full=detail == "full")


def _uses_of(index: Index, target: DefinedSymbol, query: _Query, symbol: str = "") -> Result:
    """Return the uses of one symbol."""
    index = index.of(target.path)
    opinion = second_opinion(index, target, references(index, target, query.within))
    uses = opinion.uses
    overridden = overridden_members(index, target)
    outside = outside_owners(index, target)
    wanted = list(filter(query.wants, uses.found))
    shown = occurrences_by_line(index, filter(query.lists, wanted))
    if query.least is Tier.Name:
        shown = with_receiver_declarations(index, shown)
    asks = {"symbol": symbol or shortest_place(index, target.source, target.first), **query.arguments}
    undecided = [one for one in wanted if one.tier is Tier.Name] if query.least is not Tier.Name else []
    pasted = pasted_uses(index, target) if query.least is not Tier.Name and not query.roles else PastedUses()
    unsure = undecided if query.least is Tier.Likely else []
    unparsed = unparsed_around(index, target)
    keys = keys_declared_by(index, wanted)
    listing = Call.of("find_references", Size(rows=len(unsure), width=30), **{**asks, "tier": str(Tier.Name)})
    return Result(
        subject=target.qualified_name,
        noun="undecided uses" if query.least is Tier.Name else "references",
        items=shown,
        at_least=not uses.account.complete
        or bool(pasted.unsearched or unparsed)
        or (has_hidden_uses(outside) and query.least is not Tier.Name),
        partial=uses.late > 0 or opinion.pending or keys.is_late,
        undecided=len(undecided) + pasted.number,
        headline=_nothing(uses.account, query.least, overridden, pasted.number),
        notes=(
            *_several(shown),
            *uses.account.notes(uses.seconds),
            *overloads_note(target, "whose uses are listed together"),
            *pasted.notes(),
            *_without_rules(unsure),
            *note_unparsed_around(unparsed),
            *opinion.notes,
            *_overriding(uses),
            *overridden_note(overridden),
            *outside_note(outside),
            *_key_notes(keys),
            *text_notes(index),
        ),
        calls=(*_calls_of_keys(index, keys.listed), *_next(index, target, shown, opinion, asks)),
        account=uses.account,
        asides=(*undecided_aside(index, unsure, "undecided", listing), *pasted.asides(index)),
    )


def _key_notes(keys: DeclaredKeys) -> Iterator[str]:
    """Yield the line that names the keys by which others have the value: their uses are those of members."""
    if keys.listed:
        named = ", ".join(f"{one.path}:{one.first.line}:{one.first.column}" for one in keys.listed[:_MOST_KEYS])
        more = f" and {len(keys.listed) - _MOST_KEYS:,} more" if len(keys.listed) > _MOST_KEYS else ""
        yield f"also given to others as a key, whose uses are not counted: {named}{more}"
    if keys.is_late:
        yield "whether others are given it as a key was not known in time, ask again"


def _calls_of_keys(index: Index, keys: Sequence[DefinedSymbol]) -> Iterator[Call]:
    """Yield the calls that list the uses of such keys."""
    for one in keys[:_MOST_KEYS]:
        size = size_of_uses(index, one.path, one.first.name)
        yield Call.of("find_references", size, symbol=shortest_place(index, one.source, one.first))


def _with_key(index: Index, symbol: str, result: Result) -> Result:
    """Return the uses of a local name, with the members that its token means as a key at once: ``{ a }``."""
    members = [(one, shortest_place(index, one.source, one.first)) for one in members_at(index, symbol)]
    calls = [
        Call.of("find_references", size_of_uses(index, one.path, one.first.name), symbol=place)
        for one, place in members
    ]
    notes = [f"also the key {one.qualified_name} {place} there" for one, place in members]
    if not (members or members_at(index, symbol, declared=True)) and has_unknown_key(index, symbol):
        notes.append("also a key there of an object that is not known: its uses are not among these")
    return replace(result, notes=(*result.notes, *notes), calls=(*calls, *result.calls))


def _uses_of_local_and_keys(
    index: Index, symbol: str, local: Local, result: Result, keys: Sequence[DefinedSymbol], query: _Query
) -> Result:
    """Return the uses of a local name, and of the keys that its token declares at once: ``return { a };``."""
    line, column, kind = local.line, local.column, SymbolKind.Variable
    binding = Definition(local.written, kind, line, column, line, line, local.owner, -1, NO_SPAN, NO_SPAN, None)
    itself = DefinedSymbol(index.read(local.path), (binding,))

    def answer(one: DefinedSymbol) -> Result:
        return result if one is itself else _uses_of(index, one, query)

    each = [Meaning(one) for one in (itself, *keys)]
    return answer_each(index, symbol, each, answer, "find_references", **query.arguments)


def _uses_of_local(index: Index, local: Local, query: _Query) -> Result:
    """Return the uses of a local variable or of a parameter."""
    known, parts = local_references(index.of(local.path), local), other_parts(index, local)
    wanted = [one for one in known.found if query.wants(one) and (query.within is None or one.path in query.within)]
    unsure = [one for one in wanted if one.tier is Tier.Name and query.least is not Tier.Name]
    account = known.account
    keys = keys_declared_by(index, wanted)
    return Result(
        subject=qualified(local.path, f"{local.owner}.{local.written}".strip(".")),
        noun="undecided uses" if query.least is Tier.Name else "references",
        items=(shown := occurrences_by_line(index, filter(query.lists, wanted))),
        at_least=not account.complete or bool(parts),
        partial=keys.is_late,
        undecided=account.undecided if query.least is not Tier.Name else 0,
        headline=_nothing(account, query.least),
        notes=(
            f"local to {local.owner or local.path}, bound in {local.path}:{local.line}",
            *_declared_by_parts(parts),
            *_several(shown),
            *account.notes(),
            *_key_notes(keys),
            *text_notes(index),
        ),
        calls=(
            *_calls_of_keys(index, keys.listed),
            reading(index, local.path, max(1, local.line - 5), 30),
        ),
        account=account,
        asides=tuple(undecided_aside(index, unsure, "undecided")),
    )


def _declared_by_parts(parts: Sequence[SymbolRef]) -> tuple[str, ...]:
    """Return the line that names the other parts of a type, each of which declares and uses its type parameters."""
    named = ", ".join(dict.fromkeys(one.path for one in parts[:_MOST_OVERRIDING]))
    more = f" and {len(parts) - _MOST_OVERRIDING:,} more" if len(parts) > _MOST_OVERRIDING else ""
    return (f"declared again by the other parts of the type, not searched: {named}{more}",) if parts else ()


def _uses_of_macro_names(index: Index, symbol: str, named: MacroNames, query: _Query) -> Result:
    """Return the uses of names that macros declare: of one, of all called so, or of all that they make of one word."""
    items: list[Occurrence] = []
    notes: list[str] = []
    asides: list[Aside] = []
    undecided = 0
    unsearched = False
    each = list(_uses_of_each(index, named, query))
    for of, uses in each:
        declaring = {one.macro for one, _ in each if one.name == of.name}
        pasted = pasted_uses_of(index, of.name, of.given.path, declaring) if not query.roles else PastedUses()
        wanted = list(filter(query.wants, uses.found))
        unsure = [one for one in wanted if one.tier is Tier.Name]
        shown = occurrences_by_line(index, filter(query.lists, wanted))
        items += shown if len(each) == 1 else [replace(one, about=of.name) for one in shown]
        notes += (_declared_by_macro(of), *_several(shown), *pasted.notes())
        unsearched |= bool(pasted.unsearched)
        if query.least is not Tier.Name:
            undecided += len(unsure) + pasted.number
            asides += (*undecided_aside(index, unsure, "undecided"), *pasted.asides(index))
    account = _account_of_each(each, () if named.by_name else named.unsearched)
    place = named.names[0].given
    return Result(
        subject=named.names[0].name if len(each) == 1 else f"{symbol} ({len(each):,} names)",
        noun="undecided uses" if query.least is Tier.Name else "references",
        items=items,
        at_least=not account.complete or unsearched,
        undecided=undecided,
        headline=_nothing(account, query.least),
        notes=(*notes, *account.notes(), *text_notes(index)),
        calls=(reading(index, place.path, max(1, place.line - 5), 30),),
        account=account,
        asides=tuple(asides),
    )


def _uses_of_each(index: Index, named: MacroNames, query: _Query) -> Iterator[tuple[MacroName, MacroNameUses]]:
    """Yield the uses of names that macros declare; where a name is meant, also of those called so that turn up."""
    waiting = {of.given: of for of in named.names} if named.by_name else {}
    for of in () if named.by_name else named.names:
        yield of, macro_name_uses(index, of, query.within)
    seen = set(waiting)
    while waiting:
        of = waiting.pop(next(iter(waiting)))
        uses = macro_name_uses(index, of, query.within)
        waiting.update((place, one) for place, one in uses.namesakes.items() if place not in seen)
        seen.update(uses.namesakes)
        yield of, uses


def _account_of_each(each: Sequence[tuple[MacroName, MacroNameUses]], unsearched: Sequence[str]) -> Account:
    """Return the account of names that macros declare, with the files that were not searched for further ones.

    What is called so was looked for wherever the name stands.
    """
    called: dict[str, list[Account]] = {}
    for of, uses in each:
        called.setdefault(of.name, []).append(uses.account)
    accounts = [account_of_all(one) if len(one) > 1 else one[0] for one in called.values()]
    return total_account([*accounts, Account(not_examined=tuple(omit_for_macros(unsearched)))])


def _declared_by_macro(of: MacroName) -> str:
    path, line, _ = of.given
    return f"{of.name} is made of {of.word} {path}:{line} by the call of a macro {of.call.path}:{of.call.line}"


def _nothing(account: Account, least: Tier, overridden: Sequence[DefinedSymbol] = (), made_by_macros: int = 0) -> str:
    """Return what the header says where there are no items: never that there are none as long as that is not proved.

    A use of a member that the symbol overrides may mean the symbol.
    """
    likely = account.likely if least is Tier.Exact else 0
    if least is Tier.Name or (account.complete and not account.undecided and not likely and not overridden):
        return f"no certain references, {made_by_macros:,} made by macros" if made_by_macros else ""
    left = [f"{number:,} {what}" for number, what in ((likely, "likely"), (account.undecided, "undecided")) if number]
    if not account.complete:
        left.append(f"{sum(one.tokens for one in account.not_examined):,} not examined")
    if overridden:
        left.append(f"overrides {overridden_names(overridden)}")
    return f"no certain references, {', '.join(left)}"


def _roles(role: str) -> frozenset[Role]:
    roles = set()
    for word in filter(None, (part.strip().lower() for part in role.split(","))):
        if word not in set(Role):
            raise BadArgument("role", f"{word!r} is not a role", f"Roles: {', '.join(Role)}.")
        roles.add(Role(word))
    return frozenset(roles)


def _without_rules(undecided: Sequence[ResolvedUse]) -> Iterator[str]:
    """Yield why many uses are undecided: the files that names are not resolved in, by how they end."""
    endings = Counter(
        one.path[one.path.rfind(".") :] if "." in one.path.rpartition("/")[2] else "no ending"
        for one in undecided
        if one.use.role is Role.Other and semantics_of(one.path) is None
    )
    if endings:
        named = ", ".join(f"{ending} {number:,}" for ending, number in endings.most_common(_MOST_ENDINGS))
        yield f"undecided, names in these files are not resolved: {named}"


def _several(shown: Sequence[Occurrence]) -> tuple[str, ...]:
    """Return the line that gives the number of uses, where some lines have several."""
    uses = sum(1 + len(one.again) for one in shown)
    return (f"{uses:,} uses on {len(shown):,} lines",) if uses > len(shown) else ()


def _overriding(uses: References) -> tuple[str, ...]:
    """Return the line that names the members that override the symbol, which are no uses of it."""
    found = uses.overriding
    if not found:
        return ()
    named = ", ".join(f"{readable(one.name)} {one.path}:{one.line}" for one in found[:_MOST_OVERRIDING])
    more = f" and {len(found) - _MOST_OVERRIDING:,} more" if len(found) > _MOST_OVERRIDING else ""
    return (f"overridden, not counted: {named}{more}",)


def _arguments(path: str, include_declaration: bool, role: str, tier: Tier) -> dict[str, Value]:
    """Return the arguments of the question that a narrower one has to repeat, but for the symbol."""
    given: dict[str, Value] = {} if path in ("", ".") else {"path": path}
    if not include_declaration:
        given["include_declaration"] = False
    if role:
        given["role"] = role
    if tier is not Tier.Likely:
        given["tier"] = str(tier)
    return given


def _next(
    index: Index, target: DefinedSymbol, shown: Sequence[Occurrence], opinion: Opinion, asks: Mapping[str, Value]
) -> Iterator[Call]:
    """Yield the calls that find more: the same again, the file that uses it most, what overrides it."""
    uses = opinion.uses
    if uses.late:
        left = sum(one.tokens for one in uses.account.not_examined)
        yield Call.of("find_references", Size(rows=len(shown) + left, width=40), **asks)
    by_file = Counter(use.path for use in shown if use.path != target.path)
    if by_file:
        path, count = by_file.most_common(1)[0]
        if len(by_file) > 1:
            narrower = Call.of("find_references", Size(rows=count, width=40), **{**asks, "path": path})
            yield replace(narrower, part=True)
        line = next(use.line for use in shown if use.path == path)
        yield reading(index, path, line - 5, 30)
    if uses.overriding:
        yield Call.of("find_implementations", Size(rows=2 * len(uses.overriding), width=40), symbol=asks["symbol"])
