"""Definitions of the types that comments declare, as JSDoc does."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.outline import NO_SPAN, Definition
from leadline_tools.languages.positions import Positions
from leadline_tools.languages.rules.types import DocumentedType
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.model import SymbolKind


def merge_documented_types(
    found: list[Definition], types: Sequence[DocumentedType], content: bytes
) -> list[Definition]:
    """Return ``found`` with the types that comments declare, each before what follows it outside of all others."""
    positions, tops = Positions(content), [number for number, one in enumerate(found) if one.parent < 0]
    merged: list[Definition] = []
    done = passed = 0
    for one in types:
        line = positions.line_of(one.span[0])
        while passed < len(tops) and found[tops[passed]].start_line <= line:
            passed += 1
        end = tops[passed] if passed < len(tops) else len(found)
        if end > done:
            merged += _shift(found[done:end], len(merged) - done)
            done = end
        merged += _define(one, positions, content, len(merged))
    return [*merged, *_shift(found[done:], len(merged) - done)]


def _shift(definitions: Sequence[Definition], by: int) -> list[Definition]:
    return [one.inside(one.parent + by) if one.parent >= 0 and by else one for one in definitions]


def _define(one: DocumentedType, positions: Positions, content: bytes, number: int) -> list[Definition]:
    """Return the definitions of a type and of its members; ``number`` is the index of the first."""
    first = positions.line_of(one.span[0])
    line, column = positions.at(one.start)
    start, end = one.span
    last = first + content.count(b"\n", start, start + len(content[start:end].rstrip(b" \t\r\n*/")))
    span = one.span[0], one.start + len(one.name.encode())
    values = (one.name, SymbolKind.Class, line, column, first, last, "", -1, span, NO_SPAN, None)
    definitions: list[Definition] = [new_tuple(Definition, values)]
    for member in one.members:
        row, start = positions.at(member.start)
        begin = content.rfind(b"\n", 0, member.start) + 1
        end = content.find(b"\n", member.start)
        head = max(
            begin + len(content[begin : member.start]) - len(content[begin : member.start].lstrip(b" \t*")), one.span[0]
        )
        span = head, end if end >= 0 else len(content)
        values = (member.name, SymbolKind.Property, row, start, row, row, one.name, number, span, NO_SPAN, None)
        definitions.append(new_tuple(Definition, values))
    return definitions
