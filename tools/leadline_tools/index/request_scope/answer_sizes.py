"""Sizes of answers about a file or a symbol, estimated from what the index has at hand.

The widths of rows are medians of the answers about 350 definitions of Django, RxJS and libuv, drawn by seed; how near
prices come to what is sent is measured by ``bench/offers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from leadline_tools.errors import PathNotFound
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import EVERY, NUMBER, in_line
from leadline_tools.index.request_scope.read_calls import lines_size, size_of
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


def uses(index: Index, path: str, name: str) -> Size:
    """Return the size of a list of the uses of a symbol with a name that the file at a path defines.

    Each file of its root that holds the name counts as a use, shared among the files that define it.
    """
    return Size(rows=_shared(index, path, name), width=_USE)


def about(index: Index, tool: str, item: Item) -> Size:
    """Return the size of what a tool answers about an item, where it asks for nothing else."""
    one = item.symbol if isinstance(item, OutlineSymbol | Member | CallNode) else item
    if not isinstance(one, FileEntry | SourceLine | TextMatch | Occurrence | Symbol):
        return UNKNOWN
    try:
        own = index.of(one.path)
    except PathNotFound:  # of a root that was closed meanwhile
        return UNKNOWN
    match one:
        case Occurrence():
            return _definition(own, one.path, one.line) if tool == "go_to_definition" else UNKNOWN
        case Symbol():
            return _OF_SYMBOL.get(tool, _unknown)(own, one)
        case _:
            return _of_file(own, tool, one.path)


def _of_file(index: Index, tool: str, path: str) -> Size:
    match tool:
        case "read_file":
            return lines_size(index, path, 1, _LINES)
        case "document_symbols":
            source = index.try_read(path)
            rows = index.symbols.query_indexed(source, NUMBER) if source is not None else None
            return UNKNOWN if rows is None else Size(rows=rows, width=_OUTLINED)
        case _:
            return UNKNOWN


def _shared(index: Index, path: str, name: str) -> int:
    own = index.of(path)
    return max(1, round(own.words.count_files_with(name) / max(1, own.symbols.count_files_defining(name))))


def _definition(index: Index, path: str, line: int) -> Size:
    source = index.try_read(path)
    found = index.symbols.query_indexed(source, in_line(line)) if source is not None else None
    if source is None or not found:
        return UNKNOWN
    return size_of(path, source.lines()[found[0].start_line - 1 : found[0].end_line])


def _members(index: Index, symbol: Symbol) -> Size:
    source = index.try_read(symbol.path)
    listed = (index.symbols.query_indexed(source, EVERY) if source is not None else None) or ()
    places = enumerate((one.line, one.name) for one in listed)
    of = next((number for number, place in places if place == (symbol.line, symbol.name)), -1)
    return Size(rows=sum(one.parent == of for one in listed), width=_MEMBER) if of >= 0 else UNKNOWN


def _unknown(_: Index, __: Symbol) -> Size:
    return UNKNOWN


_OF_SYMBOL: Mapping[str, Callable[[Index, Symbol], Size]] = {
    "go_to_definition": lambda index, one: lines_size(index, one.path, one.line, one.end_line - one.line + 1),
    "find_references": lambda index, one: uses(index, one.path, one.name),
    "call_hierarchy": lambda index, one: Size(rows=_shared(index, one.path, one.name), width=_CALLER),
    "rename_symbol": lambda index, one: Size(rows=_HUNK * _shared(index, one.path, one.name), width=_USE),
    "find_implementations": lambda _, __: Size(rows=1, width=_IMPLEMENTATION),
    "type_members": _members,
}
