"""The definitions of one file as one compressed blob: columns of differences, so that most bytes are zero.

Parameters are not packed: an outline is parsed anew, and a signature is read from the file.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence

from leadline_tools.languages.outline import Definition
from leadline_tools.model import SymbolKind

FORMAT = 1
"""Part of the key of the index: a change here makes old indexes be built anew."""

_KINDS = list(SymbolKind)
_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_COLUMNS = 9


def pack(definitions: Sequence[Definition]) -> bytes:
    """Return the blob of the definitions of a file, in the order of the source."""
    columns = [array("i") for _ in range(_COLUMNS)]
    line = start = 0
    for index, d in enumerate(definitions):
        signature, doc = d.signature, d.doc
        row = (
            d.line - line,
            d.column,
            d.line - d.start_line,
            d.end_line - d.line,
            index - d.parent,
            signature[0] - start,
            signature[1] - signature[0],
            doc[0] - signature[0] if doc[1] else 0,
            doc[1] - doc[0],
        )
        for column, value in zip(columns, row, strict=True):
            column.append(value)
        line, start = d.line, signature[0]
    if sys.byteorder == "big":
        for column in columns:
            column.byteswap()
    names = "\n".join(_one_line(d.name) for d in definitions).encode("utf-8", "replace")
    containers = "\n".join(_one_line(_own_container(definitions, d)) for d in definitions).encode("utf-8", "replace")
    kinds = bytes(_NUMBER[d.kind] for d in definitions)
    numbers = b"".join(column.tobytes() for column in columns)
    return zlib.compress(b"\0".join((names, containers, kinds.hex().encode(), numbers)), 1)


def unpack(blob: bytes) -> list[Definition]:
    """Return the definitions in a blob; raises ValueError for one that is damaged."""
    try:
        names, containers, kinds, numbers = zlib.decompress(blob).split(b"\0", 3)
    except zlib.error as error:
        raise ValueError("damaged blob") from error
    if not kinds:
        return []
    column = array("i")
    column.frombytes(numbers)
    if sys.byteorder == "big":
        column.byteswap()
    count = len(column) // _COLUMNS
    rows = zip(*(column[i * count : (i + 1) * count] for i in range(_COLUMNS)), strict=True)
    found: list[Definition] = []
    line = start = 0
    for index, (name, container, kind, row) in enumerate(
        zip(
            names.decode().split("\n"),
            containers.decode().split("\n"),
            bytes.fromhex(kinds.decode()),
            rows,
            strict=True,
        )
    ):
        line += row[0]
        start += row[5]
        parent = index - row[4]
        inside = container or (found[parent].path if parent >= 0 else "")
        doc = (start + row[7], start + row[7] + row[8]) if row[8] else (0, 0)
        found.append(
            Definition(
                name,
                _KINDS[kind],
                line,
                row[1],
                line - row[2],
                line + row[3],
                inside,
                parent,
                (start, start + row[6]),
                doc,
                None,
            )
        )
    return found


def _own_container(definitions: Sequence[Definition], definition: Definition) -> str:
    """Return the container where the nesting does not tell it."""
    nested = definitions[definition.parent].path if definition.parent >= 0 else ""
    return "" if nested == definition.container else definition.container


def _one_line(name: str) -> str:
    return name.replace("\n", " ").replace("\0", " ")
