"""The uses of a symbol as they were resolved, kept by file, so that a question that comes again need not wait again.

A *search key* is what was looked for: a symbol under one of its names. A *resolved use* is one occurrence with its
tier. *File uses* are what one file has of a search key, and the *use cache* keeps them while the index stays as it is.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from leadline_tools.account import Account, TokenPosition
from leadline_tools.languages.facts import Use
from leadline_tools.model import Reason, SourceLine, SymbolKind, Tier
from leadline_tools.recently_used import RecentlyUsed

_MOST_RECEIVERS = 2_000
"""Undecided uses of which is kept where their receivers are declared: about 1 MB."""

_MOST_USES = 100_000
"""Uses that are kept of all symbols together: about 30 MB."""


UsePlace = tuple[str, int, int]
"""The path, the line and the column of a use."""


class SearchKey(NamedTuple):
    """What uses are looked for by: a symbol, by the file that defines it and its dotted name there, under one name.

    The dotted name of one of several constructors, or of functions that labels tell apart, has its place behind it.
    ``kinds`` tell a method from a field of the same dotted name, and a value from a type.
    """

    path: str
    symbol: str
    kinds: frozenset[SymbolKind]
    name: str


@dataclass(frozen=True, slots=True)
class ResolvedUse:
    """One occurrence as it was resolved; ``name`` is what the symbol is called there.

    ``spelled`` is False where that is not the name of the symbol as a token of its own: the use is aliased.
    """

    path: str
    name: str
    use: Use
    tier: Tier
    reason: Reason
    container: str
    spelled: bool = True


@dataclass(frozen=True, slots=True)
class Override:
    """A member that overrides another, or is overridden by it: its path and line, and its dotted name in the file."""

    path: str
    line: int
    name: str


class FileUses(NamedTuple):
    """What one file has of a search key.

    Args:
        uses: Where it is used, or may be.
        aliases: The other names under which the file imports it.
        namesakes: The members of other types that are called like it.
        other: Tokens that mean something else.
        text: Tokens that are no code.
        other_symbols: What the other tokens mean that were resolved, each with how many of them do.

    """

    uses: Sequence[ResolvedUse] = ()
    aliases: frozenset[str] = frozenset()
    namesakes: Sequence[Override] = ()
    other: int = 0
    text: int = 0
    other_symbols: Sequence[tuple[str, int]] = ()


@dataclass(slots=True)
class _Kept:
    """What was found of one symbol, by file, and which of its namesakes override it."""

    by_path: dict[str, FileUses] = field(default_factory=dict)
    overriding: dict[Override, bool] = field(default_factory=dict)
    uses: int = 0


class UseCache:
    """What was found of the symbols that were asked about last, for as long as the index stays as it is."""

    def __init__(self) -> None:
        self._receivers: RecentlyUsed[UsePlace, tuple[SourceLine, ...]] = RecentlyUsed(_MOST_RECEIVERS)
        self._symbols: OrderedDict[SearchKey, _Kept] = OrderedDict()
        self._uses = 0
        self._lock = threading.Lock()

    def of(self, key: SearchKey) -> Mapping[str, FileUses]:
        """Return what was found of a symbol, by the files in which it was looked for."""
        with self._lock:
            kept = self._symbols.get(key)
            return dict(kept.by_path) if kept is not None else {}

    def put(self, key: SearchKey, path: str, file_uses: FileUses) -> None:
        """Keep what was found of a symbol in a file; what was asked about longest ago makes room for it."""
        with self._lock:
            kept = self._of(key)
            size = _size(file_uses) - (_size(kept.by_path[path]) if path in kept.by_path else 0)
            kept.by_path[path] = file_uses
            kept.uses += size
            self._uses += size
            while self._uses > _MOST_USES and len(self._symbols) > 1:
                _, oldest = self._symbols.popitem(last=False)
                self._uses -= oldest.uses

    def overriding(self, key: SearchKey) -> dict[Override, bool]:
        """Return which namesakes of a symbol are known to override it or not; what is put in is kept."""
        with self._lock:
            return self._of(key).overriding

    def receiver(self, place: UsePlace) -> tuple[SourceLine, ...] | None:
        """Return where the receiver of a use is declared: nowhere, or at one place; None where it is not known yet."""
        with self._lock:
            return self._receivers.get(place)

    def put_receiver(self, place: UsePlace, declared: tuple[SourceLine, ...]) -> None:
        """Keep where the receiver of a use is declared."""
        with self._lock:
            self._receivers.put(place, declared)

    def _of(self, key: SearchKey) -> _Kept:
        kept = self._symbols.setdefault(key, _Kept())
        self._symbols.move_to_end(key)
        return kept


def _size(file_uses: FileUses) -> int:
    return 1 + len(file_uses.uses) + len(file_uses.namesakes)


def account_of_uses(found: Iterable[ResolvedUse], known: Account, other: int) -> Account:
    """Return the account in which the tokens of some uses are counted by how sure they are."""
    places: dict[Tier, list[TokenPosition]] = {tier: [] for tier in Tier}
    aliased = 0
    for one in found:
        if one.spelled:
            places[one.tier].append((one.path, one.use.line, one.use.column))
        elif one.tier is not Tier.Name:
            aliased += 1
    return replace(
        known,
        exact=len(places[Tier.Exact]),
        likely=len(places[Tier.Likely]),
        undecided=len(places[Tier.Name]),
        other=other,
        aliased=aliased,
        meant_at=frozenset((*places[Tier.Exact], *places[Tier.Likely])),
        undecided_at=frozenset(places[Tier.Name]),
    )
