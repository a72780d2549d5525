"""Lists who calls a function, and what it calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from leadline_tools.errors import BadArgument
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.answer_sizes import about, uses
from leadline_tools.index.request_scope.index_notes import text_notes
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE
from leadline_tools.model import CallNode, Tier
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.patience import patient
from leadline_tools.resolve.addresses.address import resolvable, resolve_address
from leadline_tools.resolve.addresses.file_position import shortest_place
from leadline_tools.resolve.ambiguity.meanings import Meaning
from leadline_tools.resolve.ambiguity.sections import MOST_MEANINGS, answer_each, meanings
from leadline_tools.resolve.bindings.macro_names import naming_macros
from leadline_tools.resolve.call_hierarchy.call_counts import CallCounts
from leadline_tools.resolve.call_hierarchy.call_tree import CallTree, call_tree
from leadline_tools.resolve.hierarchy.overridden import (
    has_hidden_uses,
    outside_note,
    outside_owners,
    overridden_members,
    overridden_names,
    overridden_note,
)
from leadline_tools.resolve.references.omissions import with_other_roots
from leadline_tools.resolve.references.pasted_names import PastedUses, pasted_uses
from leadline_tools.resolve.references.undecided import undecided_aside
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.resolve.symbols.parts import whole
from leadline_tools.resolve.symbols.unparsed_around import note_unparsed_around, unparsed_around
from leadline_tools.result import Call, Result, Size, Value
from leadline_tools.tool import CallableAddress, Detail, tool

DEEPEST = 20

_MOST_NAMED = 6
"""Names that a note lists."""

_MOST_LEVELS = 8
"""Levels of the tree whose functions a note counts."""


@tool
def call_hierarchy(
    index: Index,
    symbol: CallableAddress,
    direction: Literal["incoming", "outgoing"] = "incoming",
    depth: int = 1,
    detail: Detail = "auto",
) -> Result:
    """Callers (incoming) or callees (outgoing) of a function as a tree, cycles marked. depth: 1 to 20."""
    if not 1 <= depth <= DEEPEST:
        raise BadArgument("depth", f"{depth} is not from 1 to {DEEPEST}", "Begin with depth=1, go deeper where needed.")
    outgoing = direction == "outgoing"
    with patient():
        with naming_macros(index, symbol):
            named = resolve_address(index, symbol, possible=True, written=outgoing)
        found = whole(index, named)
        answer = partial(_tree_of, index, depth=depth, outgoing=outgoing)
        arguments = _asked(depth, outgoing=outgoing)
        bodies = _bodies(named) if outgoing and len(found) == 1 else []
        if len(bodies) > 1:  # which one is meant depends on what is compiled
            variants = [Meaning(resolvable(one)) for one in bodies]
            result = answer_each(index, symbol, variants, answer, "call_hierarchy", **arguments)
        elif len(found) == 1 and not found.possible:
            result = answer(resolvable(found[0]))
        elif found_meanings := meanings(index, found):
            result = answer_each(index, symbol, found_meanings, answer, "call_hierarchy", **arguments)
        else:
            return candidates(index, symbol, found, "call_hierarchy", **arguments)
        if not outgoing:
            result = with_other_roots(index, [*found], result, None)
    return replace(result, lean=detail == "lean", full=detail == "full")


def _bodies(found: Sequence[DefinedSymbol]) -> list[DefinedSymbol]:
    """Return those of several declarations of one function that have a body in braces."""
    ends = ((one, one.source.lines()[: one.first.end_line]) for one in found[:MOST_MEANINGS])
    return [one for one, lines in ends if lines and lines[-1].rstrip().endswith("}")]


def _tree_of(index: Index, target: DefinedSymbol, depth: int, *, outgoing: bool) -> Result:
    """Return the callers or callees of one function."""
    index = index.of(target.path)
    tree = call_tree(index, target, depth, outgoing=outgoing)
    notes = (*_levels(tree.found), *_besides(tree.counts, target.first.name), *_late(tree.counts))
    counts, noun = tree.counts, "callees" if outgoing else "callers"
    account = counts.account
    overridden = () if outgoing else overridden_members(index, target)
    shown = {(node.symbol.path, node.symbol.line) for node in tree.found}
    below = [one for one in counts.overridden_below.values() if (one.path, one.first.line) not in shown]
    outside = () if outgoing else outside_owners(index, target)
    pasted = PastedUses() if outgoing else pasted_uses(index, target)
    unparsed = () if outgoing else unparsed_around(index, target)
    return Result(
        subject=target.qualified_name,
        noun=noun,
        items=tree.found,
        at_least=not counts.complete or has_hidden_uses(outside) or bool(pasted.unsearched or unparsed),
        partial=counts.late_at_all,
        undecided=counts.may_be_calls + pasted.number,
        notes=(
            *_instead(target, tree, outgoing=outgoing),
            *(account.notes(counts.seconds) if account is not None else ()),
            *pasted.notes(),
            *note_unparsed_around(unparsed),
            *notes,
            *overridden_note(overridden),
            *overridden_note(below, "its callers"),
            *outside_note(outside),
            *text_notes(index),
        ),
        calls=(
            *_calls_through(index, overridden),
            *_calls_through(index, below),
            *_next(index, target, tree, depth, outgoing=outgoing),
        ),
        headline=_nothing(counts, noun, overridden, pasted, outside),
        account=account,
        asides=(
            *undecided_aside(index, counts.undecided, "undecided", _undecided_call(index, target)),
            *undecided_aside(index, counts.passed, "passed along"),
            *pasted.asides(index),
        ),
    )


def _calls_through(index: Index, overridden: Sequence[DefinedSymbol]) -> Iterator[Call]:
    """Yield the call that lists the callers of the nearest member that a function overrides."""
    for one in overridden[:1]:
        yield Call.of(
            "call_hierarchy", uses(index, one.path, one.first.name), symbol=shortest_place(index, one.source, one.first)
        )


def _nothing(
    counts: CallCounts, noun: str, overridden: Sequence[DefinedSymbol], pasted: PastedUses, outside: Sequence[str]
) -> str:
    """Return what the header says where there are no items: never that there are none as long as that is not proved.

    A call through a member that the function overrides may run it.
    """
    left = [(len(counts.undecided), "undecided"), (len(counts.passed), "passed along")]
    left += [(len(counts.unknown), "not resolved"), (pasted.number, "made by macros")]
    if not counts.complete:
        files = counts.files + counts.calls + counts.late + len(counts.unread)
        left.append((files or counts.omitted, "not examined"))
    named = [f"{number:,} {what}" for number, what in left if number]
    if overridden:
        named.append(f"overrides {overridden_names(overridden)}")
    elif outside:
        named.append(
            f"may be called through {outside[0]}{f' and {len(outside) - 1:,} more' if len(outside) > 1 else ''}"
        )
    return f"no certain {noun}, {', '.join(named)}" if named else ""


def _undecided_call(index: Index, target: DefinedSymbol) -> Call:
    """Return the call that lists all undecided uses of a function."""
    address = f"{target.path}:{target.first.line}:{target.first.column}"
    return Call.of("find_references", uses(index, target.path, target.first.name), symbol=address, tier=str(Tier.Name))


def _asked(depth: int, *, outgoing: bool) -> dict[str, Value]:
    """Return the arguments of the question that differ from what they are without being given."""
    return {**({"direction": "outgoing"} if outgoing else {}), **({"depth": depth} if depth > 1 else {})}


def _instead(target: DefinedSymbol, tree: CallTree, *, outgoing: bool) -> Iterator[str]:
    """Yield what to call where the symbol is none that is called."""
    kind = target.first.kind
    if tree.found or kind in CALLABLE:
        return
    address = f"{target.path}:{target.first.line}"
    if kind in CLASS_LIKE and outgoing:
        yield f'{kind} with no constructor that calls anything: type_members(symbol="{address}") has its methods'
    elif kind in CLASS_LIKE:
        yield f'{kind} that nothing creates by name: find_references(symbol="{address}") has its other uses'
    else:
        yield f'{kind}, which is not called: find_references(symbol="{address}") has its uses'


def _levels(found: Sequence[CallNode]) -> Iterator[str]:
    """Yield how many functions each level of the tree has, and how many of them are only likely."""
    levels = Counter(node.depth for node in found)
    listed = ", ".join(f"{levels[depth]:,}" for depth in sorted(levels)[:_MOST_LEVELS])
    more = f" ... to depth {max(levels)}" if len(levels) > _MOST_LEVELS else ""
    told = [f"by depth {listed}{more}"] if len(levels) > 1 else []
    tiers = Counter(node.tier for node in found)
    told += [f"{tier} {tiers[tier]:,}" for tier in Tier if tiers[tier] and tiers[Tier.Exact] < len(found)]
    if told:
        yield "; ".join(told)


def _besides(counts: CallCounts, name: str) -> Iterator[str]:
    """Yield what may be a call and is no part of the tree."""
    undecided, passed = (len(counts.undecided), counts.undecided_below), (len(counts.passed), counts.passed_below)
    if counts.undecided_below or (counts.undecided and counts.account is None):
        yield f"undecided calls: {_split(undecided, name)}"
    if sum(passed):
        yield f"read or passed along, not called: {_split(passed, name)}"
    if counts.outside:
        yield f"from outside of this code base: {_named(counts.outside)}"
    if counts.unknown:
        yield f"not resolved: {_named(counts.unknown)}"
    if counts.unread:
        yield f"not parsed, so not examined: {_named(counts.unread)}"


def _split(numbers: Sequence[int], name: str) -> str:
    """Return how many there are of the symbol asked about, and of those that call it."""
    return ", ".join(
        f"{whose} {number:,}" for whose, number in zip((name, "its callers"), numbers, strict=True) if number
    )


def _named(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _MOST_NAMED:,} more" if len(listed) > _MOST_NAMED else ""
    return f"{', '.join(listed[:_MOST_NAMED])}{more}"


def _late(counts: CallCounts) -> Iterator[str]:
    """Yield what there was no time for."""
    late = ((counts.files, "files"), (counts.calls, "calls"), (counts.late, "functions (...)"))
    told = [f"{what} {number:,}" for number, what in late if number]
    if told:
        yield f"not examined in time: {', '.join(told)}; ask again for more"


def _next(index: Index, target: DefinedSymbol, tree: CallTree, depth: int, *, outgoing: bool) -> Iterator[Call]:
    """Yield the calls that go deeper, read the first place, and list what is no part of the tree."""
    address = f"{target.path}:{target.first.line}"
    ends = sum(1 for node in tree.found if node.depth == depth and node.stop is None)
    if ends and depth < DEEPEST:
        size = Size(rows=len(tree.found) + 2 * ends, width=50)
        yield Call.of("call_hierarchy", size, symbol=address, **_asked(depth + 1, outgoing=outgoing))
    first = next((node.symbol for node in tree.found if node.symbol.kind in CALLABLE), None)
    if first is not None:
        size = about(index, "go_to_definition", first)
        yield Call.of("go_to_definition", size, symbol=f"{first.path}:{first.line}:{first.column}")
    if not outgoing and not tree.found and not tree.counts.undecided:
        yield Call.of("find_references", uses(index, target.path, target.first.name), symbol=address)
