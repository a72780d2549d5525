"""Names that may be declared in lines that did not parse, so that no list of symbols has them for certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_relations import UNPARSED, unparsed_token
from leadline_tools.index.questions.name_matches import UP_TO, Classifier, Match
from leadline_tools.index.store.snapshot import Snapshot

_MOST_FILES = 500
"""Files with such lines from which on names are looked for as a whole only: to read all takes 30 ms."""

_MOST_SHOWN = 4
"""Places that a note names."""


class MaybeDeclared(NamedTuple):
    """A name that may be declared in a line that did not parse: the path, the 1-based line, and the name."""

    path: str
    line: int
    name: str


class UnparsedNames(NamedTuple):
    """All names that may be declared in lines that did not parse.

    Args:
        names: The names; none where too many files have some.
        files: How many files have some.

    """

    names: Sequence[MaybeDeclared]
    files: int

    @property
    def searched(self) -> bool:
        """Return whether the names can be searched for a part."""
        return self.files <= _MOST_FILES


_KEPT: WeakKeyDictionary[Index, tuple[Snapshot, UnparsedNames]] = WeakKeyDictionary()


def unparsed_names(index: Index) -> UnparsedNames:
    """Return all names that may be declared in lines that did not parse; they are kept until the index changes."""
    snapshot = index.snapshot
    kept = _KEPT.get(index)
    if kept is None or kept[0] != snapshot:
        kept = _KEPT[index] = snapshot, _find(index)
    return kept[1]


def _find(index: Index) -> UnparsedNames:
    paths = {*index.defined_names.files_defining([[UNPARSED]])}
    return UnparsedNames(_read(index, paths) if len(paths) <= _MOST_FILES else (), len(paths))


def _read(index: Index, paths: set[str]) -> list[MaybeDeclared]:
    """Return the names in some files, by their places."""
    found = index.defined_names.unparsed(sorted(paths))
    return sorted({MaybeDeclared(path, one.line, one.name) for path, one in found if one.name})


def maybe_declared(index: Index, name: str, match: Match | None = Match.Exact) -> Sequence[MaybeDeclared]:
    """Return the places that did not parse and that may declare a name, in their order.

    Args:
        index: The index.
        name: A name, or a part of one where ``match`` allows that.
        match: How much of it has to match; None for as little as humps. Where it cannot be searched for parts, all.

    """
    known = unparsed_names(index)
    if not known.searched:
        whole = _read(index, {*index.defined_names.files_defining([[unparsed_token(name)]])})
        return [one for one in whole if one.name == name]
    if match in (Match.Exact, Match.Fuzzy):
        return [one for one in known.names if one.name == name]
    way_of = Classifier(name, UP_TO[match or Match.Camel])
    return [one for one in known.names if way_of(one.name) is not None]


def maybe_declared_notes(places: Sequence[MaybeDeclared], name: str) -> Iterator[str]:
    """Yield the note that what was asked for may be declared at some places; none where there are none."""
    if places:
        named = [f"{one.path}:{one.line}" + (f" ({one.name})" if one.name != name else "") for one in places]
        more = f" and {len(named) - _MOST_SHOWN:,} more places" if len(named) > _MOST_SHOWN else ""
        yield f"may also be declared in lines that did not parse: {', '.join(named[:_MOST_SHOWN])}{more}"
