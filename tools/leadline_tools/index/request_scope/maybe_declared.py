"""Names that may be declared in lines that did not parse, so that no list of symbols has them for certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_relations import unparsed_token

_MOST_SHOWN = 4
"""Places that a note names."""


class MaybeDeclared(NamedTuple):
    """A place that did not parse and that may declare a name: the path, and the 1-based line."""

    path: str
    line: int


def maybe_declared(index: Index, name: str) -> Sequence[MaybeDeclared]:
    """Return the places that did not parse and that may declare a name, in their order."""
    found: set[MaybeDeclared] = set()
    for path in index.defined_names.files_defining([[unparsed_token(name)]]):
        relations = index.of(path).related.of(path)
        if relations is not None:
            found.update(MaybeDeclared(path, one.line) for one in relations.unparsed if one.name == name)
    return sorted(found)


def maybe_declared_notes(places: Sequence[MaybeDeclared]) -> Iterator[str]:
    """Yield the note that a name may be declared at some places; none where there are none."""
    if places:
        shown = ", ".join(f"{one.path}:{one.line}" for one in places[:_MOST_SHOWN])
        more = f" and {len(places) - _MOST_SHOWN:,} more places" if len(places) > _MOST_SHOWN else ""
        yield f"may also be declared in lines that did not parse: {shown}{more}"
