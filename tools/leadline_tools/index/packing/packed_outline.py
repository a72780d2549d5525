"""The outline of a file as a worker packs it and the server keeps it: only what is shown of it is unpacked.

It holds the source too, from which signatures and documentation are read when they are shown.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from typing import overload

from leadline_tools import deflated
from leadline_tools.index.packing.describe import symbol
from leadline_tools.index.packing.packed_symbols import Definitions, pack
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.unparsed import Lines
from leadline_tools.model import OutlineSymbol, SymbolKind
from leadline_tools.once import once
from leadline_tools.stored_json import parse_stored

_LENGTHS = struct.Struct("<III")

_PAGE = 1_000
"""Symbols of a run that are made at once: hardly a page shows as many."""

_LINE = 8
"""Characters of a line of an outline beside its indentation, the name and the parameters."""


def packed(content: bytes, definitions: Sequence[Definition], unparsed: Sequence[Lines] = ()) -> bytes:
    """Return the outline of a file with some content, and the lines of that which did not parse."""
    symbols = pack(definitions)
    rows = (json.dumps(definition.parameters, ensure_ascii=False) for definition in definitions)
    parameters = deflated.compress("\n".join(rows).encode("utf-8", "replace"))
    gaps = json.dumps(unparsed).encode() if unparsed else b""
    lengths = _LENGTHS.pack(len(symbols), len(parameters), len(gaps))
    return b"".join((lengths, symbols, parameters, gaps, deflated.compress(content)))


def unpacked(outline: bytes) -> Definitions:
    """Return the definitions in a packed outline; raises ValueError for one that is damaged."""
    symbols, parameters, _, _ = _parts(outline)
    return Definitions(symbols, deflated.decompress(parameters).split(b"\n"))


def unparsed_in(outline: bytes) -> Sequence[Lines]:
    """Return the lines that did not parse in the file of a packed outline; raises ValueError for a damaged one."""
    _, _, gaps, _ = _parts(outline)
    return [Lines(*one) for one in parse_stored(gaps)] if gaps else ()


def symbols_in(outline: bytes) -> bytes:
    """Return the definitions in a packed outline as the index packs them; raises ValueError for a damaged one."""
    return _parts(outline)[0]


def _parts(outline: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """Return what an outline is packed as: definitions, parameters, the lines that did not parse, the source."""
    if len(outline) < _LENGTHS.size:
        raise ValueError("damaged outline")
    first, second, third = _LENGTHS.unpack_from(outline)
    parameters = _LENGTHS.size + first
    gaps = parameters + second
    source = gaps + third
    return outline[_LENGTHS.size : parameters], outline[parameters:gaps], outline[gaps:source], outline[source:]


class PackedOutline(Sequence[OutlineSymbol]):
    """The outline of a file, or a run of it: each symbol is made when it is asked for, and then kept.

    What is asked of all symbols together is answered without making any.
    """

    def __init__(self, path: str, outline: bytes, deepest: int = 0, start: int = 0, stop: int | None = None) -> None:
        """Take a packed outline and which part of it is meant; raises ValueError for one that is damaged.

        ``deepest`` is how many levels are meant, 0 for all; of their symbols those from ``start`` to ``stop``.
        """
        self._path, self._outline, self._deepest = path, outline, deepest
        self._definitions = unpacked(outline)
        deep = _depths(self._definitions.parents)
        rows = [row for row, depth in enumerate(deep) if depth < deepest] if deepest else range(len(deep))
        self._rows = rows[start:stop]
        self._start = start
        self._made: dict[int, OutlineSymbol] = {}
        self.depths = [deep[row] for row in self._rows]
        self.hidden = len(deep) - len(rows)

    def __len__(self) -> int:
        """Return how many symbols there are."""
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> OutlineSymbol: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[OutlineSymbol]: ...
    def __getitem__(self, index: int | slice) -> OutlineSymbol | Sequence[OutlineSymbol]:
        """Return a symbol, or a run of them."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1 or stop - start <= _PAGE:
                return [self[row] for row in range(start, stop, step)]
            return PackedOutline(self._path, self._outline, self._deepest, self._start + start, self._start + stop)
        row = self._rows[index]
        found = self._made.get(row)
        if found is None:
            definition = self._definitions[row]
            depth = self.depths[index]
            found = self._made[row] = OutlineSymbol(symbol(self._source, definition), depth, definition.parameters)
        return found

    @once
    def _source(self) -> Source:
        content = deflated.decompress(_parts(self._outline)[3])
        return Source(self._path, content, "utf-8", len(content), b"")

    @once
    def unparsed(self) -> Sequence[Lines]:
        """Return the lines of the file in which symbols may be missing, since they did not parse."""
        return unparsed_in(self._outline)

    @once
    def kinds(self) -> Sequence[SymbolKind]:
        """Return what each symbol is."""
        kinds = self._definitions.kinds
        return [kinds[row] for row in self._rows]

    @once
    def heights(self) -> Sequence[int]:
        """Return the lines of each symbol from its name on."""
        below = self._definitions.lines_below
        return [below[row] + 1 for row in self._rows]

    def width(self, index: int) -> int:
        """Return about how many characters the line of a symbol has."""
        row = self._rows[index]
        return self.depths[index] + _LINE + len(self._definitions.names[row]) + len(self._definitions.parameters[row])

    @property
    def whole_width(self) -> int:
        """Return about how many characters the lines of all symbols have."""
        columns = (self._definitions.names, self._definitions.parameters)
        told = sum(sum(map(len, map(column.__getitem__, self._rows))) for column in columns)
        return sum(self.depths) + _LINE * len(self) + told

    def dumped(self) -> bytes:
        """Return it as bytes that ``loaded`` takes."""
        head = json.dumps([self._path, self._deepest, self._start, self._start + len(self)])
        return head.encode() + b"\n" + self._outline

    @classmethod
    def loaded(cls, dumped: bytes) -> PackedOutline:
        """Return what was dumped; raises ValueError for what is damaged."""
        head, _, outline = dumped.partition(b"\n")
        path, deepest, start, stop = parse_stored(head)
        return cls(path, outline, deepest, start, stop)


def _depths(parents: Iterable[int]) -> list[int]:
    """Return how deep definitions are nested, of which each tells the row of the one around it; -1 for none."""
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths
