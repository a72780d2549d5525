"""The answer to a name that means several symbols: a section for each meaning, the most used first.

A member and the members that override it are one meaning. Where a name has more meanings than ``MOST_MEANINGS``, the
caller has to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.account import (
    HEADING,
    OMITTED,
    OTHERS,
    Account,
    TokenPosition,
    account_of_all,
    account_of_items,
    total_account,
)
from leadline_tools.index.index import Index
from leadline_tools.languages.facts import readable
from leadline_tools.model import CallNode, Item, Member, Occurrence, SourceLine, Symbol, Tier
from leadline_tools.resolve.addresses.file_position import shortest_place
from leadline_tools.resolve.addresses.named_symbols import MOST_MEMBERS
from leadline_tools.resolve.ambiguity.meanings import Meaning, count_roots_apart, group_meanings
from leadline_tools.resolve.ambiguity.union import unite
from leadline_tools.resolve.references.occurrence_lines import by_line
from leadline_tools.resolve.references.undecided import by_folder
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches
from leadline_tools.result import Aside, Call, Result, Size, Value

MOST_MEANINGS = 8
"""Meanings that one answer is about; of more than that the candidates are listed."""

_MOST_OFFERED = 3
_MOST_NOTES = 6
_OWN_NOTES = (
    HEADING,
    OMITTED,
    OTHERS,
    "listed together",
    "with what overrides",
    "overridden, not counted",
    "overrides, not counted",
)
"""How the notes begin that an answer about several symbols has of its own."""

_ON_LINES = " uses on "
"""What a note has that counts the lines of one symbol."""


def meanings(index: Index, found: SymbolMatches) -> Sequence[Meaning]:
    """Return the meanings of an ambiguous name; none where they are too many for one answer, or merely possible."""
    if found.more or found.possible or found.definitions > sum(len(target.definitions) for target in found):
        return ()
    if len(found) > MOST_MEMBERS or count_roots_apart(index, found) > MOST_MEANINGS:
        return ()
    meanings = group_meanings(index, found)
    members = sum(1 + len(one.overriding) for one in meanings)
    return meanings if len(meanings) <= MOST_MEANINGS and members <= MOST_MEMBERS else ()


def answer_each(
    index: Index,
    asked: str,
    meanings: Sequence[Meaning],
    answer: Callable[[DefinedSymbol], Result],
    tool: str,
    **arguments: Value,
) -> Result:
    """Return one answer about several meanings.

    Args:
        index: The index that knows them.
        asked: What the caller calls them.
        meanings: The meanings, the most used first.
        answer: What gives the answer about one symbol.
        tool: The tool that is asked, and would be asked about one of them.
        arguments: Its other arguments.

    """
    parts = [_meaning_result(index, one, answer) for one in meanings]
    if len(parts) == 1:
        return parts[0]
    account = _account(index, [one.base for one in meanings], parts)
    labels = _labels(meanings)
    addresses = [shortest_place(index, one.base.source, one.base.first) for one in meanings]
    items = _undecided_items(parts, account) or list(_sections(parts, labels))
    described = zip(labels, addresses, meanings, parts, strict=True)
    worth = [one for one in zip(addresses, parts, strict=True) if one[1].items or not items]
    asides = tuple(_asides(parts, account))
    return Result(
        subject=f"{asked} ({len(meanings)} symbols)",
        noun=parts[0].noun,
        items=items,
        at_least=any(part.at_least for part in parts),
        partial=any(part.partial for part in parts),
        undecided=_count_undecided(parts, asides),
        headline=next((part.headline for part in parts if part.headline), ""),
        notes=(*(_summary(*one) for one in described), *_account_notes(account), *_other_notes(parts)),
        calls=tuple(
            Call.of(tool, Size(rows=len(part.items), width=40), symbol=address, **arguments)
            for address, part in worth[:_MOST_OFFERED]
        ),
        account=account,
        asides=asides,
    )


def _count_undecided(parts: Sequence[Result], asides: Sequence[Aside]) -> int:
    """Return how many uses are undecided for any of several symbols: those listed beside the items, and others."""
    apart = max(part.undecided - _undecided_beside(part.asides) for part in parts)
    return _undecided_beside(asides) + max(0, apart)


def _undecided_beside(asides: Sequence[Aside]) -> int:
    return sum(one.total for one in asides if one.label == "undecided")


def _account(index: Index, targets: Sequence[DefinedSymbol], parts: Sequence[Result]) -> Account | None:
    """Return the account of the answers about several symbols; None where one has none.

    Those about one name in one root are about the same tokens.
    """
    accounts = [part.account for part in parts if part.account is not None]
    if len(accounts) < len(parts):
        return None
    if not all(one.has_places for one in accounts):
        return account_of_items(accounts, len({item for part in parts for item in part.items}))
    same: dict[tuple[str, str], list[Account]] = {}
    for target, account in zip(targets, accounts, strict=True):
        same.setdefault((index.of(target.path).identity, target.first.name), []).append(account)
    return total_account([account_of_all(accounts) for accounts in same.values()])


def _account_notes(account: Account | None) -> Iterator[str]:
    """Yield the lines that give an account; of types and members, which are all listed, what was not examined."""
    if account is not None:
        yield from account.notes() if account.meant_at or account.undecided_at else account.omissions()


def _labels(meanings: Sequence[Meaning]) -> list[str]:
    """Return what tells the meanings apart: their names inside their files, with the module, or with the path."""
    bases = [one.base for one in meanings]
    spellings = (
        [readable(one.name) for one in bases],
        [one.qualified_name for one in bases],
        [f"{one.qualified_name} {one.path}:{one.first.line}" for one in bases],
    )
    return next((names for names in spellings if len({*names}) == len(names)), spellings[-1])


def _meaning_result(index: Index, of: Meaning, answer: Callable[[DefinedSymbol], Result]) -> Result:
    """Return the answer about a symbol and what overrides it together."""
    targets = [of.base, *of.overriding, *((of.namesake,) if of.namesake is not None else ())]
    first, *rest = map(answer, targets)
    if not rest:
        return first
    every = [first, *rest]
    account = _account(index, targets, every)
    asides = tuple(_asides(every, account))
    return replace(
        first,
        items=_on_one_line(unite([one.items for one in every])),
        at_least=any(one.at_least for one in every),
        partial=any(one.partial for one in every),
        undecided=_count_undecided(every, asides),
        headline="" if any(one.items for one in every) else first.headline,
        notes=(*_together(of), *_account_notes(account), *_other_notes(every)),
        account=account,
        asides=asides,
    )


def _on_one_line(items: Sequence[Item]) -> Sequence[Item]:
    """Return uses with one item for all on a line of which the same is known; other items as they are."""
    uses = [one for one in items if isinstance(one, Occurrence)]
    return by_line(uses) if len(uses) == len(items) else items


def _together(of: Meaning) -> Iterator[str]:
    """Yield what an answer about one meaning is about besides its base."""
    if of.namesake is not None:
        kinds = " and ".join(f"{one.first.kind} {one.path}:{one.first.line}" for one in (of.base, of.namesake))
        yield f"listed together: {kinds}"
    if of.overriding:
        named = ", ".join(f"{readable(one.name)} {one.path}:{one.first.line}" for one in of.overriding[:_MOST_NOTES])
        yield f"with what overrides it: {named}"


def _sections(parts: Sequence[Result], labels: Sequence[str]) -> Iterator[Item]:
    """Yield the items of each answer with its label; one that is an item of several belongs to the first of them."""
    known: set[Item | TokenPosition] = set()
    for part, label in zip(parts, labels, strict=True):
        yield from (label_item(item, label) for item in part.items if _identity(item) not in known)
        known.update(map(_identity, part.items))


def _identity(item: Item) -> Item | TokenPosition:
    """Return what is equal for items about the same thing: of a use its place, however sure it is."""
    return (item.path, item.line, item.column) if isinstance(item, Occurrence) else item


def _undecided_items(parts: Sequence[Result], account: Account | None) -> list[Item]:
    """Return the items of answers that list undecided uses alone: each use once, without what means one symbol."""
    uses = [item for part in parts for item in part.items if isinstance(item, Occurrence)]
    if not uses or len(uses) < sum(len(part.items) for part in parts) or any(one.tier is not Tier.Name for one in uses):
        return []
    meant = account.meant_at if account is not None else frozenset[TokenPosition]()
    return [use for use in dict.fromkeys(uses) if not meant.issuperset(_places(use))]


def _summary(label: str, address: str, of: Meaning, part: Result) -> str:
    """Return the line that says how much there is of one meaning, and how it is addressed."""
    noun = part.noun.removesuffix("s") if len(part.items) == 1 and not part.at_least else part.noun
    number = f"{'>=' if part.at_least else ''}{len(part.items):,} {noun}"
    overriding = f", with {len(of.overriding):,} that override it" if of.overriding else ""
    named = label if " " in label else f"{label} {address}"
    return f"{named}: {number}{overriding}"


def _other_notes(parts: Sequence[Result]) -> list[str]:
    """Return what else the answers say, each sentence once; their own accounts are part of the one of all."""
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    return [note for note in notes if not note.startswith(_OWN_NOTES) and _ON_LINES not in note][:_MOST_NOTES]


def _asides(parts: Sequence[Result], account: Account | None) -> Iterator[Aside]:
    """Yield the asides of several answers: each use that is undecided for one of them and means none of them once."""
    undecided = [one for part in parts for one in part.asides if one.label == "undecided"]
    if len(undecided) == 1 or account is None:
        yield from undecided
    elif undecided:
        yield from _undecided(undecided, account)
    yield from (one for part in parts for one in part.asides if one.label != "undecided")


def _undecided(asides: Sequence[Aside], account: Account) -> Iterator[Aside]:
    """Yield what some asides list, without what means one of the symbols."""
    uses = dict.fromkeys(use for one in asides for use in one.uses if not account.meant_at.issuperset(_places(use)))
    every_place = [place for use in uses for place in _places(use)]
    listed = account.undecided_at.intersection(every_place) if account.has_places else frozenset(every_place)
    every = all(one.total <= sum(1 + len(use.again) for use in one.uses) for one in asides)
    places = listed if every or not account.has_places else account.undecided_at
    if places:
        largest = max(asides, key=lambda one: one.total)
        total = len(places) if every or account.has_places else max(len(places), largest.total)
        yield Aside("undecided", tuple(uses), total, by_folder([path for path, _, _ in places]), largest.call)


def _places(use: Occurrence) -> Iterator[TokenPosition]:
    return ((use.path, use.line, column) for column in (use.column, *use.again))


def label_item(item: Item, label: str, *, keep: bool = False) -> Item:
    """Return an item that says which symbol it is listed for; with ``keep``, one that says so already as it is."""
    if isinstance(item, Member):
        return replace(item, symbol=replace(item.symbol, about=(keep and item.symbol.about) or label))
    if isinstance(item, Occurrence | CallNode | Symbol | SourceLine):
        return replace(item, about=(keep and item.about) or label)
    return item
