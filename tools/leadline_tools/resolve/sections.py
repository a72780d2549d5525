"""The answer to a name that means several symbols: a section for each meaning, the most used first.

A member and the members that override it are one meaning. Where a name has more meanings than ``MOST_MEANINGS``, the
caller has to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.account import merged
from leadline_tools.index.index import Index
from leadline_tools.model import CallNode, Item, Member, Occurrence, SourceLine, Symbol, Tier
from leadline_tools.resolve.address import Target, Targets, place
from leadline_tools.resolve.families import SymbolFamily, group_families
from leadline_tools.resolve.union import unite
from leadline_tools.result import Aside, Call, Result, Size, Value

MOST_MEANINGS = 8
"""Meanings that one answer is about; of more than that the candidates are listed."""

_MOST_MEMBERS = 40
"""Symbols of all meanings together."""

_MOST_OFFERED = 3
_MOST_NOTES = 6
_OWN_NOTES = ("account:", "not examined:", "with what overrides", "overridden, not counted")
"""How the notes begin that an answer about several symbols has of its own."""


def meanings(index: Index, found: Targets) -> Sequence[SymbolFamily]:
    """Return the meanings of an ambiguous name; none where they are too many for one answer, or merely possible."""
    if found.more or found.possible or found.definitions > sum(len(target.definitions) for target in found):
        return ()
    if len(found) > _MOST_MEMBERS:
        return ()
    families = group_families(index, found)
    members = sum(1 + len(one.overriding) for one in families)
    return families if len(families) <= MOST_MEANINGS and members <= _MOST_MEMBERS else ()


def answer_each(
    index: Index,
    asked: str,
    families: Sequence[SymbolFamily],
    answer: Callable[[Target], Result],
    tool: str,
    **arguments: Value,
) -> Result:
    """Return one answer about several meanings.

    Args:
        index: The index that knows them.
        asked: What the caller calls them.
        families: The meanings, the most used first.
        answer: What gives the answer about one symbol.
        tool: The tool that is asked, and would be asked about one of them.
        arguments: Its other arguments.

    """
    parts = [_family_result(one, answer) for one in families]
    if len(parts) == 1:
        return parts[0]
    accounts = [part.account for part in parts if part.account is not None]
    account = merged(accounts) if len(accounts) == len(parts) else None
    labels = _labels(families)
    addresses = [place(index, one.base.source, one.base.first) for one in families]
    items = _undecided_for_all(parts) or [
        _labelled(item, label) for part, label in zip(parts, labels, strict=True) for item in part.items
    ]
    described = zip(labels, addresses, families, parts, strict=True)
    sizes = [Size(rows=len(part.items), width=40) for part in parts]
    offered = zip(addresses[:_MOST_OFFERED], sizes, strict=False)
    return Result(
        subject=f"{asked} ({len(families)} symbols)",
        noun=parts[0].noun,
        items=items,
        at_least=any(part.at_least for part in parts),
        partial=any(part.partial for part in parts),
        headline=next((part.headline for part in parts if part.headline), ""),
        notes=(*(_summary(*one) for one in described), *(account.notes() if account else ()), *_other_notes(parts)),
        calls=tuple(Call.of(tool, size, symbol=address, **arguments) for address, size in offered),
        account=account,
        asides=tuple(_asides(parts)),
    )


def _labels(families: Sequence[SymbolFamily]) -> list[str]:
    """Return what tells the meanings apart: their names inside their files, where these differ."""
    names = [one.base.name for one in families]
    return names if len({*names}) == len(names) else [one.base.qualified_name for one in families]


def _family_result(of: SymbolFamily, answer: Callable[[Target], Result]) -> Result:
    """Return the answer about a symbol and what overrides it together."""
    first, *rest = [answer(target) for target in (of.base, *of.overriding)]
    if not rest:
        return first
    every = [first, *rest]
    accounts = [one.account for one in every if one.account is not None]
    together = ", ".join(f"{one.name} {one.path}:{one.first.line}" for one in of.overriding[:_MOST_NOTES])
    account = merged(accounts) if len(accounts) == len(every) else None
    return replace(
        first,
        items=unite([one.items for one in every]),
        at_least=any(one.at_least for one in every),
        partial=any(one.partial for one in every),
        headline="" if any(one.items for one in every) else first.headline,
        notes=(f"with what overrides it: {together}", *(account.notes() if account else ()), *_other_notes(every)),
        account=account,
        asides=tuple(_asides(every)),
    )


def _undecided_for_all(parts: Sequence[Result]) -> list[Item]:
    """Return the items of answers that list undecided uses alone: those that are undecided for every symbol."""
    uses = [[item for item in part.items if isinstance(item, Occurrence)] for part in parts]
    if not all(uses) or any(use.tier is not Tier.Name for found in uses for use in found):
        return []
    places = [{(use.path, use.line, use.column) for use in found} for found in uses]
    return [use for use in uses[0] if all((use.path, use.line, use.column) in some for some in places)]


def _summary(label: str, address: str, of: SymbolFamily, part: Result) -> str:
    """Return the line that says how much there is of one meaning, and how it is addressed."""
    number = f"{'>=' if part.at_least else ''}{len(part.items):,} {part.noun}"
    overriding = f", with {len(of.overriding):,} that override it" if of.overriding else ""
    return f"{label} {address}: {number}{overriding}"


def _other_notes(parts: Sequence[Result]) -> list[str]:
    """Return what else the answers say, each sentence once; their own accounts are part of the one of all."""
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    return [note for note in notes if not note.startswith(_OWN_NOTES)][:_MOST_NOTES]


def _asides(parts: Sequence[Result]) -> Iterator[Aside]:
    """Yield the asides of several answers: what is undecided for all of them once."""
    undecided = [[one for one in part.asides if one.label == "undecided"] for part in parts]
    if all(undecided):
        yield min((one for found in undecided for one in found), key=lambda one: one.total)
    yield from (one for part in parts for one in part.asides if one.label != "undecided")


def _labelled(item: Item, label: str) -> Item:
    """Return an item that says which symbol it is listed for."""
    if isinstance(item, Member):
        return replace(item, symbol=replace(item.symbol, about=label))
    return replace(item, about=label) if isinstance(item, Occurrence | CallNode | Symbol | SourceLine) else item
