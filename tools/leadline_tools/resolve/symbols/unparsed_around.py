"""Symbols in lines that did not parse: a type around them may be lost, and with it uses through its objects."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.errors import NotParsed
from leadline_tools.index.index import Index
from leadline_tools.languages.unparsed import Lines
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol


def unparsed_around(index: Index, target: DefinedSymbol) -> Sequence[Lines]:
    """Return the lines that did not parse in which a symbol is defined."""
    try:
        lines = index.symbols.unparsed_lines(target.source)
    except NotParsed:
        return ()  # then the file is not examined at all, and the account says so
    return [
        one
        for one in lines
        if one.last > one.first and any(one.first <= d.line <= one.last for d in target.definitions)
    ]


def note_unparsed_around(lines: Sequence[Lines]) -> Sequence[str]:
    """Return the note that an answer about such a symbol has."""
    return [
        f"it is in lines {one.first:,}-{one.last:,}, which did not parse: uses through objects of a type may be missing"
        for one in lines[:1]
    ]
