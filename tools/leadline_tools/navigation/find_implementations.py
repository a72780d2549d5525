"""Lists what inherits from a type, and what overrides its members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from leadline_tools.account import Account
from leadline_tools.errors import NoSuchSymbol
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol as described
from leadline_tools.index.questions.names import Wanted
from leadline_tools.index.request_scope.answer_sizes import about, uses
from leadline_tools.index.request_scope.file_selection import select_scope
from leadline_tools.index.request_scope.index_notes import text_notes
from leadline_tools.language_servers.implementers import Implementers, implementers
from leadline_tools.languages.facts import readable
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.long_lines import shorten_stripped
from leadline_tools.model import Occurrence, Reason, Role, Symbol, SymbolKind, Tier
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.patience import patient
from leadline_tools.resolve.addresses.address import resolvable, resolve_address
from leadline_tools.resolve.ambiguity.sections import answer_each, meanings
from leadline_tools.resolve.bindings.macro_names import naming_macros
from leadline_tools.resolve.bindings.nearest_definitions import asked_definition
from leadline_tools.resolve.hierarchy.implementations import Implementations, implementations
from leadline_tools.resolve.hierarchy.outside_subtypes import outside_subtypes
from leadline_tools.resolve.hierarchy.search_record import Unnamed, is_member
from leadline_tools.resolve.project.project import language_group
from leadline_tools.resolve.references.omissions import with_other_roots
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.functional_interfaces import may_be_lambda
from leadline_tools.resolve.symbols.parts import whole
from leadline_tools.result import Aside, Call, Result, Size, Value
from leadline_tools.tool import Detail, FolderPath, TypeAddress, tool

_MOST_SHOWN = 100
"""Types that are no items and whose lines are shown."""

_LONGEST_TEXT = 200

_MOST_NAMED = 8
"""Types from outside that a note names."""

_SAME = "the same parameters where a type alone is named"

_MEMBERS = ("overriding members", "overridden members")
"""What members are called that inherit from one, and those that one inherits from."""

_FEW = 3
"""Members that are shown with their whole signatures, as all items are where there are so few; and lines alike, of
which none is shown."""

_MOST_DEFINING = 100
"""Files that define members of one name, all of which are looked through for those that override none."""

_NAMELESS = "anonymous or external"
"""What types are called that are no symbols here: anonymous classes, and types that are defined elsewhere."""


@tool
def find_implementations(
    index: Index,
    symbol: TypeAddress,
    direction: Literal["down", "up"] = "down",
    path: FolderPath = ".",
    detail: Detail = "auto",
) -> Result:
    """Subtypes of a type or overrides of a member, nearest first; up: supertypes or overridden members."""
    up = direction == "up"
    with patient():
        within = select_scope(index, path)
        try:
            with naming_macros(index, symbol):
                found = whole(index, resolve_address(index, symbol, possible=True, within=within or ()))
        except NoSuchSymbol:
            if not up and (below := _below_outside(index, symbol, within)) is not None:
                return replace(below, lean=detail == "lean", full=detail == "full")
            raise
        answer = partial(_related_to, index, up=up, within=within)
        arguments: dict[str, Value] = {"direction": "up"} if up else {}
        if within is not None:
            arguments["path"] = path
        if len(found) == 1 and not found.possible:
            result = answer(resolvable(asked_definition(index, symbol, found[0])))
            result = result if up else with_other_roots(index, found, result, within)
        elif found_meanings := meanings(index, found):
            of_several = partial(answer, is_alone=False)
            result = answer_each(index, symbol, found_meanings, of_several, "find_implementations", **arguments)
            result = result if up else with_other_roots(index, [one.base for one in found_meanings], result, within)
        else:
            return candidates(index, symbol, found, "find_implementations", **arguments)
    return replace(result, lean=detail == "lean", full=detail == "full")


def _below_outside(index: Index, symbol: str, within: frozenset[str] | None) -> Result | None:
    """Return the types below one from outside of the code base, which only its name tells; None where none are."""
    known = [one for one in outside_subtypes(index, symbol) if within is None or one.path in within]
    if not known:
        return None
    symbols = [described(one.source, one.first) for one in known]
    return Result(
        subject=symbol,
        noun="subtypes",
        items=symbols,
        at_least=True,
        notes=(f"{symbol} is not defined in this code base; types are listed that name it as a base, and those below",),
        calls=tuple(_next_below(index, symbols)),
    )


def _next_below(index: Index, symbols: Sequence[Symbol]) -> Iterator[Call]:
    nearest = symbols[0]
    size = about(index, "go_to_definition", nearest)
    yield Call.of("go_to_definition", size, symbol=f"{nearest.path}:{nearest.line}:{nearest.column}")


def _related_to(
    index: Index, target: DefinedSymbol, *, up: bool, within: frozenset[str] | None, is_alone: bool = True
) -> Result:
    """Return what inherits from a type or overrides a member, or with ``up`` the other way round.

    Of what is not in the files ``within`` the answer has the number; None stands for all files. Other members of the
    name are listed where the symbol ``is_alone`` in the answer: what overrides none of one symbol may override another.
    """
    index = index.of(target.path)
    every = implementations(index, target, up=up, by_methods=up, in_macros=not up)
    related = every if within is None else every.within(within)
    known = load_symbols(index, list(dict.fromkeys((one.of.path, one.of.name) for one in every.found)))
    told = Implementers() if up else implementers(index, target, known, every=not related.fitting)
    heirs: dict[tuple[str, str], list[int]] = {}
    for heir in related.found:
        if heir.lines:
            heirs.setdefault((heir.of.path, heir.of.name), []).extend(heir.lines)
    symbols = [
        described(one.source, definition)
        for one in (*known, *told.found)
        if within is None or one.path in within
        for definition in one.definitions
        if definition.line in heirs.get((one.path, one.name), (definition.line,))
    ]
    account, noun = related.account, _noun(index, target, up=up)
    lambdas = not up and may_be_lambda(index, target)
    if noun in _MEMBERS and len(symbols) > _FEW:
        symbols = _without_repetition(symbols, described(target.source, target.first))
    return Result(
        subject=target.qualified_name,
        noun=noun,
        items=symbols,
        at_least=not account.complete or lambdas,
        partial=related.unseen > 0 or told.pending,
        undecided=len(related.undecided),
        headline=_nothing(related, noun, lambdas=lambdas),
        account=account,
        asides=(
            *_aside(index, related.nameless, _NAMELESS),
            *_aside(index, related.undecided, "undecided"),
        ),
        notes=(
            *_notes(related, up=up),
            *((_LAMBDAS,) if lambdas else ()),
            *((_LITERALS,) if not up and _is_of_object_type(index, target) else ()),
            *((_SAME,) if any(one.same_parameters for one in symbols) else ()),
            *_elsewhere(every, related),
            *(_namesakes(index, target, related, symbols, within) if is_alone and noun == _MEMBERS[False] else ()),
            *told.notes,
            *text_notes(index),
        ),
        calls=tuple(_next(index, target, symbols, up=up)),
    )


_LAMBDAS = "lambdas and method references may implement it and are not listed: find_references shows what expects it"

_LITERALS = "object literals of the type are not listed: find_references lists their keys"


def _is_of_object_type(index: Index, target: DefinedSymbol) -> bool:
    """Return whether a symbol is an interface, or a member of one, of which an object literal may be."""
    semantics = target.semantics
    if semantics is None or not semantics.members.compares_members:
        return False
    owners = load_symbols(index, [(target.path, target.first.container)]) if target.first.container else []
    return any(one.first.kind is SymbolKind.Interface for one in (target, *owners))


def _noun(index: Index, target: DefinedSymbol, *, up: bool) -> str:
    if target.first.kind in CALLABLE | VARIABLE or is_member(index, target):
        return _MEMBERS[up]
    return "supertypes" if up else "subtypes"


def _without_repetition(symbols: Sequence[Symbol], asked: Symbol) -> list[Symbol]:
    """Return members of which those are marked that take the parameters of the one that was asked about."""
    parameters = _parameter_text(asked)
    return [
        replace(one, same_parameters=bool(one.container and parameters) and _parameter_text(one) == parameters)
        for one in symbols
    ]


def _parameter_text(symbol: Symbol) -> str:
    """Return what follows the name in a signature; empty where nothing is in brackets there."""
    _, bracket, rest = symbol.signature.partition(f"{symbol.name}(")
    return bracket and " ".join(rest.split())


def _notes(related: Implementations, *, up: bool) -> Iterator[str]:
    distances = Counter(one.distance for one in related.found)
    direct = distances.pop(1, 0)
    if distances:
        yield f"{direct:,} direct, {sum(distances.values()):,} further away, nearest first"
    if related.fitting:
        which = "interfaces whose methods it has" if up else "types with all methods of the interface"
        limit = "" if up else "; embedded types from outside of this code base give none"
        yield f"{which}, by name and number of parameters and results{limit}"
    if related.is_protocol:
        yield "types that get all its members from outside of this code base are not listed"
    if related.unlisted:
        yield "its members have too many definitions to compare all"
    yield from _outside(related)
    for noun, some in ((_NAMELESS, related.nameless), ("undecided", related.undecided)):
        if some:
            yield f"{len(some):,} {noun}"
    if related.unseen:
        yield f"not examined: {related.unseen:,} files that name it, ask again for more"
    yield from Account(not_examined=related.unread).omissions()


def _elsewhere(every: Implementations, related: Implementations) -> Iterator[str]:
    """Yield how many there are outside of the files that are asked about."""
    numbers = [len(one.found) + len(one.nameless) for one in (every, related)]
    if numbers[0] > numbers[1]:
        yield f"{numbers[0] - numbers[1]:,} more outside of path"


def _namesakes(
    index: Index,
    target: DefinedSymbol,
    related: Implementations,
    found: Sequence[Symbol],
    within: frozenset[str] | None,
) -> Iterator[str]:
    """Yield the members of the same name that do not override one: all else that a search of the name would find."""
    name, group = target.first.name, language_group(target.path)
    if related.unseen or index.symbols.count_files_defining(name) > _MOST_DEFINING:
        return
    known = {(one.path, one.line) for one in found}
    known.update((one.path, one.line) for one in (*related.undecided, *related.nameless))
    known.update((target.path, one.line) for one in target.definitions)
    wanted = Wanted(within, lambda path, one: bool(one.container) and language_group(path) == group, every=True)
    others = [one for one in index.names.exact(name, wanted).hits if (one.file.path, one.definition.line) not in known]
    others = [one for one in others if one.definition.kind in CALLABLE | VARIABLE]
    if others:
        told = (f"{readable(one.definition.path)} {one.file.path}:{one.definition.line}" for one in others[:_FEW])
        more = f" and {len(others) - _FEW:,} more" if len(others) > _FEW else ""
        yield f"other members of the name, which do not override it: {', '.join(told)}{more}"


def _outside(related: Implementations) -> Iterator[str]:
    """Yield what is inherited from outside of the code base, and what may be."""
    if related.fits_outside:
        named = ", ".join(related.fits_outside[:_MOST_NAMED])
        yield f"fits from outside of this code base, by name and number of parameters and results: {named}"
    if related.by_methods:
        yield "other interfaces from outside of this code base are not examined: a type fits them by its methods"
    if related.outside:
        yield f"outside of this code base: {', '.join(related.outside[:_MOST_NAMED])}"


def _nothing(related: Implementations, noun: str, *, lambdas: bool = False) -> str:
    """Return what the header says where there are no items: never that there are none as long as that is not proved."""
    left = [(len(related.nameless), _NAMELESS), (len(related.undecided), "undecided")]
    left.append((related.unseen + sum(one.files for one in related.unread), "files not examined"))
    named = [f"{number:,} {what}" for number, what in left if number]
    if related.unlisted:
        named.append("too many definitions to compare")
    if lambdas:
        named.append("lambdas not listed")
    if named:
        return f"no certain {noun}, {', '.join(named)}"
    return f"no {noun} in this code base" if related.outside or related.fits_outside or related.by_methods else ""


def _aside(index: Index, types: Sequence[Unnamed], label: str) -> tuple[Aside, ...]:
    """Return types that are no items by the lines that name their base."""
    if not types:
        return ()
    uses: list[Occurrence] = []
    for one in types[:_MOST_SHOWN]:
        source = index.try_read(one.path)
        lines = source.lines() if source is not None else []
        line = lines[one.line - 1] if one.line <= len(lines) else one.base
        text = shorten_stripped(line, _LONGEST_TEXT, max(0, line.find(one.base)))
        uses.append(Occurrence(one.path, one.line, 1, 1, Role.Inherit, Tier.Name, Reason.Name, text, one.name))
    groups = Counter(one.path.rpartition("/")[0] + "/" for one in types).most_common()
    alike = len({one.text for one in uses}) * _FEW <= len(uses)
    return (Aside(label, tuple(uses), len(types), tuple(groups), lean=label == _NAMELESS and alike),)


def _next(index: Index, target: DefinedSymbol, symbols: Sequence[Symbol], *, up: bool) -> Iterator[Call]:
    """Yield the calls that look the other way, and at the nearest one that was found."""
    address = f"{target.path}:{target.first.line}:{target.first.column}"
    if symbols:
        nearest = symbols[0]
        size = about(index, "go_to_definition", nearest)
        yield Call.of("go_to_definition", size, symbol=f"{nearest.path}:{nearest.line}:{nearest.column}")
    else:
        other = "down" if up else "up"
        yield Call.of("find_implementations", Size(rows=5, width=40), symbol=address, direction=other)
    yield Call.of("find_references", uses(index, target.path, target.first.name), symbol=address)
