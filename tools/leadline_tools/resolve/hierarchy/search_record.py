"""The record of one search of a hierarchy: its items, types that are no symbols, and what it could not look into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

MEMBERS = CALLABLE | VARIABLE
"""Kinds of what a type has, where it is in one."""

_SPACES = frozenset({SymbolKind.Module, SymbolKind.Namespace, SymbolKind.Package})


def is_member(index: Index, target: DefinedSymbol) -> bool:
    """Return whether a symbol is a member of a type, in whose place the types below may declare their own.

    Some types in a type are, such as the associated types of Rust; any other has subtypes of its own.
    """
    if not target.first.owner or target.first.kind in MEMBERS:
        return bool(target.first.owner)
    semantics, (start, end) = target.semantics, target.first.signature
    head = target.source.content[start:end].decode("utf-8", "replace").partition(target.first.name)[0]
    if semantics is None or semantics.members.type_keywords.isdisjoint(head.split()[-1:]):
        return False
    around = load_symbols(index, [(target.path, target.first.container)])
    return not any(one.first.kind in _SPACES for one in around)


@dataclass(frozen=True, slots=True)
class HierarchyItem:
    """A definition and how far it is from the one that was asked about: 1 for a direct subtype or supertype.

    ``lines`` are those of the definitions of its name that are meant; none for all.
    """

    of: SymbolRef
    distance: int
    lines: tuple[int, ...] = ()


class Unnamed(NamedTuple):
    """A type in a file that is reported by its place: one without a symbol, or one of which a base is not resolved.

    ``name`` is the dotted name of the type, empty for none; ``base`` is the base in question as it is spelled.
    """

    path: str
    line: int
    name: str
    base: str


@dataclass(slots=True)
class SearchRecord:
    """What one search has come upon so far.

    Args:
        found: The types that were found, by path and name.
        lines: The lines of the definitions of a type that name the base in question; none for all.
        apart: Types that other definitions stand for where they implement something.
        nameless: Types that are no symbols.
        undecided: Types of which it is not known whether they inherit.
        late: Files that were not looked into in time.
        unparsed: Files that hold the name and could not be parsed.
        unlisted: True where a member has more definitions than were looked through.
        unlisted_members: How many searches for members that was so in.

    """

    found: set[tuple[str, str]] = field(default_factory=set)
    lines: dict[tuple[str, str], dict[int, None]] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)
    nameless: set[Unnamed] = field(default_factory=set)
    undecided: set[Unnamed] = field(default_factory=set)
    late: set[str] = field(default_factory=set)
    unparsed: set[str] = field(default_factory=set)
    unlisted: bool = False
    unlisted_members: int = 0

    @property
    def unseen(self) -> int:
        """Return how many files were not looked into in time."""
        return len(self.late) + self.unlisted_members

    def still_undecided(self) -> Sequence[Unnamed]:
        """Return the types of which it is not known whether they inherit: not by another base either."""
        return sorted(one for one in self.undecided if (one.path, one.name) not in self.found)

    def all_nameless(self) -> Sequence[Unnamed]:
        """Return the types that are no symbols; one that has a name, and whose body has none, once."""
        named = {one._replace(name="") for one in self.nameless if one.name}
        return sorted(self.nameless - named)
