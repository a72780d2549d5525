"""What inherits from a type, and what overrides its members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from leadline_tools.index.describe import symbol as described
from leadline_tools.index.index import Index
from leadline_tools.index.notes import root_notes, text_notes
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.model import Symbol
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.resolve.address import Target, defined, resolvable, targets
from leadline_tools.resolve.implementations import Implementations, implementations
from leadline_tools.resolve.parts import whole
from leadline_tools.resolve.sizes import about, uses
from leadline_tools.result import Call, Result, Size
from leadline_tools.servers.implementers import Implementers, implementers
from leadline_tools.tool import Detail, TypeAddress, tool

_MOST_PLACES = 20
"""Types without a symbol of their own that are listed in a note."""


@tool
def find_implementations(
    index: Index, symbol: TypeAddress, direction: Literal["down", "up"] = "down", detail: Detail = "auto"
) -> Result:
    """Subtypes of a type or overriding members of one, nearest first; up: supertypes or overridden members."""
    up = direction == "up"
    found = whole(index, targets(index, symbol))
    if len(found) > 1:
        return candidates(index, symbol, found, "find_implementations", **({"direction": "up"} if up else {}))
    target = resolvable(found[0])
    elsewhere = () if up else root_notes(index, target.path, target.first.name)
    index = index.of(target.path)
    related = implementations(index, target, up=up)
    known = defined(index, [(one.of.path, one.of.name) for one in related.found])
    told = Implementers() if up else implementers(index, target, known, every=not related.fitting)
    symbols = [described(one.source, d) for one in (*known, *told.found) for d in one.definitions]
    return Result(
        subject=target.qualified_name,
        noun=_noun(target, up=up),
        items=symbols,
        at_least=related.unseen > 0 or related.unlisted or (not symbols and bool(related.undecided)),
        partial=related.unseen > 0 or told.pending,
        notes=(*_notes(related), *told.notes, *elsewhere, *text_notes(index)),
        calls=tuple(_next(index, target, symbols, up=up)),
        lean=detail == "lean",
        full=detail == "full",
    )


def _noun(target: Target, *, up: bool) -> str:
    if target.first.kind in CALLABLE | VARIABLE:
        return "overridden members" if up else "overriding members"
    return "supertypes" if up else "subtypes"


def _notes(related: Implementations) -> Iterator[str]:
    distances = Counter(one.distance for one in related.found)
    direct = distances.pop(1, 0)
    if distances:
        yield f"{direct:,} direct, {sum(distances.values()):,} further away, nearest first"
    if related.fitting:
        yield "whatever has all methods of the interface, by their names and how many values they take and give"
    if related.unlisted:
        yield "each of its methods has too many definitions to compare"
    if related.outside:
        yield f"outside of this code base: {', '.join(related.outside[:8])}"
    for noun, some in (("without a name", related.nameless), ("undecided", related.undecided)):
        if some:
            listed = ", ".join(f"{one.path}:{one.line} {one.name or one.base}" for one in some[:_MOST_PLACES])
            yield f"{len(some):,} {noun}: {listed}{', ...' if len(some) > _MOST_PLACES else ''}"
    if related.unseen:
        yield f"{related.unseen:,} files that name it are not looked into yet: ask again for more"


def _next(index: Index, target: Target, symbols: Sequence[Symbol], *, up: bool) -> Iterator[Call]:
    """Yield the calls that look the other way, and at the nearest one that was found."""
    address = f"{target.path}:{target.first.line}:{target.first.column}"
    if symbols:
        nearest = symbols[0]
        size = about(index, "go_to_definition", nearest)
        yield Call.of("go_to_definition", size, symbol=f"{nearest.path}:{nearest.line}:{nearest.column}")
    else:
        other = "down" if up else "up"
        yield Call.of("find_implementations", Size(rows=5, width=40), symbol=address, direction=other)
    yield Call.of("find_references", uses(index, target.first.name), symbol=address)
