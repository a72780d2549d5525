"""About how large the answer to a question about a file or a symbol is, from what the index has at hand.

The widths of rows are medians of the answers about 350 definitions of Django, RxJS and libuv, drawn by seed; how near
prices come to what is sent is measured by ``bench/offers.py``.
"""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.index.reading import lines_size
from leadline_tools.model import (
    CallNode,
    FileEntry,
    Item,
    Member,
    Occurrence,
    OutlineSymbol,
    SourceLine,
    Symbol,
    TextMatch,
)
from leadline_tools.result import Size

_USE, _CALLER, _OUTLINED, _MEMBER, _IMPLEMENTATION = 72, 14, 62, 66, 60
"""Characters of a row."""

_HUNK = 10
"""Lines of a diff for each use."""

_LINES = 100
"""Lines that are read where nobody says how many."""

UNKNOWN = Size(rows=6, width=40)
"""An answer of which nothing is known."""


def uses(index: Index, name: str) -> Size:
    """Return the size of a list of the uses of one of the symbols that are called so.

    Each file that holds the name counts as a use, shared among the files that define it.
    """
    return Size(rows=_shared(index, name), width=_USE)


def about(index: Index, tool: str, item: Item) -> Size:
    """Return the size of what a tool answers about an item, where it asks for nothing else."""
    match item:
        case FileEntry(path=path) | SourceLine(path=path) | TextMatch(path=path):
            return _of_file(index, tool, path)
        case Occurrence(path=path, line=line):
            return _definition(index, path, line) if tool == "go_to_definition" else UNKNOWN
        case OutlineSymbol(symbol=symbol) | Member(symbol=symbol) | CallNode(symbol=symbol):
            return _of_symbol(index, tool, symbol)
        case Symbol():
            return _of_symbol(index, tool, item)
        case _:
            return UNKNOWN


def _of_file(index: Index, tool: str, path: str) -> Size:
    match tool:
        case "read_file":
            return lines_size(index, path, 1, _LINES)
        case "document_symbols":
            source = index.try_read(path)
            return Size(rows=len(index.definitions(source)), width=_OUTLINED) if source is not None else UNKNOWN
        case _:
            return UNKNOWN


def _of_symbol(index: Index, tool: str, symbol: Symbol) -> Size:
    match tool:
        case "go_to_definition":
            return lines_size(index, symbol.path, symbol.line, symbol.end_line - symbol.line + 1)
        case "find_references":
            return uses(index, symbol.name)
        case "call_hierarchy":
            return Size(rows=_shared(index, symbol.name), width=_CALLER)
        case "rename_symbol":
            return Size(rows=_HUNK * _shared(index, symbol.name), width=_USE)
        case "find_implementations":
            return Size(rows=1, width=_IMPLEMENTATION)
        case "type_members":
            return _members(index, symbol.path, symbol.line, symbol.name)
        case _:
            return UNKNOWN


def _shared(index: Index, name: str) -> int:
    return max(1, round(index.count_with_word(name) / max(1, index.count_defining(name))))


def _definition(index: Index, path: str, line: int) -> Size:
    source = index.try_read(path)
    here = (one for one in index.definitions(source) if one.line == line) if source is not None else iter(())
    found = next(here, None)
    return lines_size(index, path, found.start_line, found.end_line - found.start_line + 1) if found else UNKNOWN


def _members(index: Index, path: str, line: int, name: str) -> Size:
    source = index.try_read(path)
    symbols = index.definitions(source) if source is not None else []
    of = next((number for number, one in enumerate(symbols) if one.line == line and one.name == name), -1)
    return Size(rows=sum(one.parent == of for one in symbols), width=_MEMBER) if of >= 0 else UNKNOWN
