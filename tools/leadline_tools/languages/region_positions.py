"""Positions in a file of the definitions and facts that are found in the code of its regions.

They have positions in the code, and get those of the file. Glue has no position there, so nothing is reported of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Argument, Binding, Facts, Heritage, Pair, Scope, Sort, Use
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.positions import Columns
from leadline_tools.languages.regions import Regions
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.unparsed_names import UnparsedName
from leadline_tools.model import Role, SymbolKind

Place = tuple[int, int]
"""A 1-based line and column, in code points."""


_FIRST: Place = (1, 1)


class _Positions:
    """From positions in the code to positions in the file, found in the order of the code: near linear."""

    def __init__(self, content: bytes, regions: Regions) -> None:
        self._content = content
        self._code = regions.code
        self._pieces = regions.pieces
        self._starts = [piece.start for piece in regions.pieces]
        self._named_at = regions.named_at
        self._code_lines = _line_starts(regions.code)
        self._lines = _line_starts(content)

    def place_all(self, wanted: Iterable[Place]) -> Mapping[Place, Place]:
        """Return the places in the file of places in the code; those of glue are left out."""
        offsets: dict[Place, int] = {}
        row, text, points, byte = 0, "", 0, 0
        for line, column in sorted(set(wanted)):
            if not 1 <= line <= len(self._code_lines):
                continue
            if line != row:
                row, points, byte = line, 0, self._code_lines[line - 1]
                end = self._code_lines[line] if line < len(self._code_lines) else len(self._code)
                text = self._code[byte:end].decode("utf-8", "replace")
            byte += len(text[points : column - 1].encode())
            points = column - 1
            origin = self.origin(byte)
            if origin >= 0:
                offsets[line, column] = origin
        return dict(zip(offsets, self._places(offsets.values()), strict=True))

    def _places(self, offsets: Iterable[int]) -> Iterable[Place]:
        columns = Columns(self._content)
        listed = list(offsets)
        found: dict[int, Place] = {}
        for offset in sorted(set(listed)):
            line = self.line(offset)
            found[offset] = line, columns.at(offset, offset - self._lines[line - 1])
        return [found[offset] for offset in listed]

    def origin(self, offset: int) -> int:
        """Return where the file has a byte of the code, -1 for glue."""
        if offset == self._named_at:
            return 0
        at = bisect_right(self._starts, offset) - 1
        if at < 0 or offset >= self._pieces[at].end:
            return -1
        return self._pieces[at].origin + offset - self._pieces[at].start

    def line(self, offset: int) -> int:
        """Return the line of a byte of the file."""
        return bisect_right(self._lines, offset)

    def first_line(self, line: int, last: int) -> int:
        """Return the line of the file that has the beginning of what some lines of the code hold, 0 for none."""
        start, end = self._span(line, last)
        origin = self.from_start(start, end)
        return self.line(origin) if origin >= 0 else 0

    def last_line(self, line: int, last: int) -> int:
        """Return the line of the file that has the end of what some lines of the code hold, 0 for none."""
        start, end = self._span(line, last)
        origin = self.to_end(start, end)
        return self.line(origin - 1) if origin > 0 else 0

    def _span(self, line: int, last: int) -> tuple[int, int]:
        end = self._code_lines[last] - 1 if last < len(self._code_lines) else len(self._code)
        return self._code_lines[line - 1] if line <= len(self._code_lines) else end, end

    def from_start(self, start: int, end: int) -> int:
        """Return the byte of the file with the first byte of a span of the code that is no glue, -1 for none."""
        at = max(0, bisect_right(self._starts, start) - 1)
        for piece in self._pieces[at : at + 2]:
            begin = max(start, piece.start)
            if begin < min(end, piece.end):
                return piece.origin + begin - piece.start
        return -1

    def to_end(self, start: int, end: int) -> int:
        """Return the byte of the file behind the last byte of a span of the code that is no glue, -1 for none."""
        at = bisect_right(self._starts, end - 1) - 1
        if at < 0 or self._pieces[at].end <= start:
            return -1
        piece = self._pieces[at]
        return piece.origin + min(end, piece.end) - piece.start


def _line_starts(content: bytes) -> list[int]:
    starts, at = [0], content.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = content.find(b"\n", at + 1)
    return starts


def place_definitions(found: Sequence[Definition], content: bytes, regions: Regions) -> list[Definition]:
    """Return definitions of the code of a file where the file has them; those whose names are glue are left out."""
    positions = _Positions(content, regions)
    places = positions.place_all((one.line, one.column) for one in found)
    kept: list[Definition] = []
    numbers: dict[int, int] = {-1: -1}
    for number, one in enumerate(found):
        place = places.get((one.line, one.column))
        parent = numbers.get(one.parent, -1)
        if place is None:
            numbers[number] = parent
            continue
        numbers[number] = len(kept)
        if place == _FIRST and regions.named_at >= 0:
            lines = len(content.splitlines()) or 1
            kept.append(one._replace(line=1, column=1, start_line=1, end_line=lines, parent=parent, signature=(0, 0)))
            continue
        first = positions.first_line(one.start_line, one.line)
        last = positions.last_line(one.line, one.end_line)
        kept.append(
            one._replace(
                line=place[0],
                column=place[1],
                start_line=min(first or place[0], place[0]),
                end_line=max(last, place[0]),
                parent=parent,
                signature=_place_span(positions, one.signature),
                doc=_place_span(positions, one.doc),
            )
        )
    return kept


def place_unparsed(names: Sequence[UnparsedName], content: bytes, regions: Regions) -> list[UnparsedName]:
    """Return names in the code of a file that did not parse on the lines of the file; those in glue are left out."""
    positions = _Positions(content, regions)
    lines = {one.line: positions.first_line(one.line, one.line) for one in names}
    return [one._replace(line=lines[one.line]) for one in names if lines[one.line]]


def merge_outlines(one: Sequence[Definition], other: Sequence[Definition]) -> list[Definition]:
    """Return two outlines of a file as one, in the order of the file; each is nested as it was."""
    rows = [(found.line, found.column, which, number) for which, found, number in _number_definitions(one, other)]
    order = {(which, number): row for row, (_, _, which, number) in enumerate(sorted(rows))}
    merged: list[Definition | None] = [None] * len(rows)
    for which, found, number in _number_definitions(one, other):
        parent = order[which, found.parent] if found.parent >= 0 else -1
        merged[order[which, number]] = found._replace(parent=parent)
    return [found for found in merged if found is not None]


def _number_definitions(
    one: Sequence[Definition], other: Sequence[Definition]
) -> Iterable[tuple[int, Definition, int]]:
    yield from ((0, found, number) for number, found in enumerate(one))
    yield from ((1, found, number) for number, found in enumerate(other))


def add_cells(found: Sequence[Definition], content: bytes, regions: Regions) -> list[Definition]:
    """Return an outline in which the cells that define something hold it; the names inside stay as they are."""
    if not regions.cells:
        return list(found)
    lines = _line_starts(content)
    grouped: dict[int, list[int]] = {}
    for number, one in enumerate(found):
        if one.parent < 0:
            offset = one.signature[0] or lines[one.line - 1]
            grouped.setdefault(_cell_at(regions, offset), []).append(number)
    cells: list[Definition] = []
    for cell, numbers in sorted(grouped.items()):
        start, end, name = regions.cells[cell]
        first = found[numbers[0]]
        last = bisect_right(lines, max(start, end - 1))
        shown = first._replace(
            name=name,
            kind=SymbolKind.Module,
            line=bisect_right(lines, start),
            column=1,
            start_line=bisect_right(lines, start),
            end_line=last,
            container="",
            parent=-1,
            signature=(0, 0),
            doc=(0, 0),
            parameters=None,
        )
        cells.append(shown)
    return _inside_cells(found, cells, grouped)


def _cell_at(regions: Regions, offset: int) -> int:
    return max(0, bisect_right(regions.cells, (offset, len(regions.code) + offset, "")) - 1)


def _inside_cells(
    found: Sequence[Definition], cells: Sequence[Definition], grouped: Mapping[int, Sequence[int]]
) -> list[Definition]:
    """Return definitions with the cells before the first of theirs."""
    before = {numbers[0]: cell for (_, numbers), cell in zip(sorted(grouped.items()), cells, strict=True)}
    around = {number: numbers[0] for numbers in grouped.values() for number in numbers}
    rows: dict[int, int] = {}
    held: dict[int, int] = {}
    result: list[Definition] = []
    for number, one in enumerate(found):
        if number in before:
            held[number] = len(result)
            result.append(before[number])
        rows[number] = len(result)
        result.append(one._replace(parent=rows[one.parent] if one.parent >= 0 else held[around[number]]))
    return result


def _place_span(positions: _Positions, span: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the file from the first to the last byte that it has of a span of the code."""
    start = positions.from_start(*span)
    end = positions.to_end(*span)
    return (start, end) if 0 <= start < end else (0, 0)


def place_facts(found: Facts, content: bytes, regions: Regions) -> Facts:
    """Return facts of the code of a file with the places that the file has; uses in glue are left out."""
    positions = _Positions(content, regions)
    places = positions.place_all(_all_places(found))
    glue = frozenset(one.path for one in found.bindings if _is_glue(one, places))
    pairs = [_place_pair(one, places) for one in found.pairs]
    uses = {name: _place_uses(ones, places, is_type=regions.named_at >= 0) for name, ones in found.uses.items()}
    return replace(
        found,
        scopes=_name_scopes(found.scopes, glue),
        bindings=[
            _place_binding(one._replace(path="") if one.path in glue and not one.scope else one, places, positions)
            for one in found.bindings
            if one.scope > 0 or one.path not in glue or one.sort == Sort.Value  # a variable of the glue is no symbol
        ],
        uses={name: ones for name, ones in uses.items() if ones},
        heritage=[_place_heritage(one, positions) for one in found.heritage],
        shorthands=[places[one] for one in found.shorthands if one in places],
        pairs=[one for one in pairs if one is not None],
        arguments={name: _place_arguments(ones, places) for name, ones in found.arguments.items()},
    )


def _is_glue(one: Binding, places: Mapping[Place, Place]) -> bool:
    """Return whether the name of a definition is glue."""
    return bool(one.path) and one.imported < 0 and one.line > 0 and (one.line, one.column) not in places


def _name_scopes(scopes: Sequence[Scope], glue: frozenset[str]) -> list[Scope]:
    """Return scopes of which those of a function that is glue have the name of what is around it."""
    named: list[Scope] = []
    for one in scopes:
        hidden = one.name in glue and one.kind is not ScopeKind.Class
        named.append(one._replace(name=named[one.parent].name) if hidden and one.parent >= 0 else one)
    return named


def _all_places(found: Facts) -> Iterable[Place]:
    yield from ((one.line, one.column) for one in found.bindings if one.line)
    yield from ((one.line, one.column) for uses in found.uses.values() for one in uses)
    yield from found.shorthands
    yield from ((one.line, column) for one in found.pairs for column in (one.key, one.value))
    for ones in found.arguments.values():
        yield from ((one.line, one.column) for one in ones)
        yield from ((one.called_line, one.called_column) for one in ones)


def _place_binding(one: Binding, places: Mapping[Place, Place], positions: _Positions) -> Binding:
    if not one.line:
        return one
    if one.imported >= 0:  # an import is known by its line
        line = positions.first_line(one.line, one.line)
        return one._replace(line=line, column=1 if line else 0)
    line, column = places.get((one.line, one.column), (0, 0))
    return one._replace(line=line, column=column)


def _place_uses(uses: Sequence[Use], places: Mapping[Place, Place], *, is_type: bool) -> list[Use]:
    """Return uses where the file has them; no text there declares the type that the file is."""
    kept: list[Use] = []
    for one in uses:
        place = places.get((one.line, one.column))
        if place is not None and not (is_type and place == _FIRST and one.role is Role.Definition):
            end = place[1] + one.end_column - one.column
            kept.append(one._replace(line=place[0], column=place[1], end_column=end))
    return kept


def _place_heritage(one: Heritage, positions: _Positions) -> Heritage:
    return one._replace(line=positions.first_line(one.line, one.line)) if one.line else one


def _place_pair(one: Pair, places: Mapping[Place, Place]) -> Pair | None:
    key, value = places.get((one.line, one.key)), places.get((one.line, one.value))
    if key is None or value is None or key[0] != value[0]:
        return None
    return Pair(key[0], key[1], value[1], value[1] + one.end - one.value)


def _place_arguments(ones: Sequence[Argument], places: Mapping[Place, Place]) -> list[Argument]:
    kept: list[Argument] = []
    for one in ones:
        place, called = places.get((one.line, one.column)), places.get((one.called_line, one.called_column))
        if place is not None and called is not None:
            kept.append(Argument(*place, one.called, *called))
    return kept
