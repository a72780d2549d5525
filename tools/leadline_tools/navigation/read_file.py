"""Reads the lines of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.errors import BadArgument, PastTheEnd, PathNotFound
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import around, named
from leadline_tools.index.packing.describe import outline_symbols
from leadline_tools.index.request_scope.read_calls import size_of
from leadline_tools.index.text.encodings import UNDECIDED
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of
from leadline_tools.model import SourceLine
from leadline_tools.result import Call, Continued, Result, Size
from leadline_tools.tool import FilePath, tool

MOST_LINES = 1_000
DEFAULT_LINES = 100

TOO_LARGE = 2 << 20
"""Bytes from which a file that is asked for without a range is shown as an outline first."""

_LARGEST_POINTER = 1_024
"""Bytes of the largest pointer of Git LFS, by its specification."""

_LFS_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:[a-z].*\n)*?size (\d{1,19})\n")
"""What is committed, or checked out without Git LFS, in the place of a large file."""


@tool
def read_file(index: Index, path: FilePath, start_line: int = 1, num_lines: int = DEFAULT_LINES) -> Result:
    """Read numbered lines of a file (1-based, at most 1000)."""
    if start_line < 1 or num_lines < 1:
        raise BadArgument("start_line and num_lines", "lines count from 1", "Use start_line=1 and num_lines=100.")
    try:
        source = index.read(path)
    except PathNotFound as error:
        if error.nearest is None or index.paths.has_line(error.nearest, start_line):
            raise
        raise PathNotFound(path) from None
    if source.size > TOO_LARGE and (start_line, num_lines) == (1, DEFAULT_LINES):
        outlined = _outline(index, source)
        if outlined is not None:
            return outlined
    lines = source.lines()
    if start_line > max(1, len(lines)):
        last = Call.of("read_file", path=source.path, start_line=max(1, len(lines) - DEFAULT_LINES + 1))
        raise PastTheEnd(f"line {start_line:,}", f"{source.path} has {len(lines):,} lines", str(last))
    stop = min(len(lines), start_line - 1 + min(num_lines, MOST_LINES))
    return Result(
        subject=source.path,
        noun="lines",
        items=[SourceLine(source.path, number + 1, lines[number]) for number in range(start_line - 1, stop)],
        notes=(*_notes(index, source), *_around(index, source, start_line)),
        calls=_after(source, lines, stop),
        more=Continued(
            _range(source, lines, start_line, num_lines), "start_line", "num_lines", len(lines) - start_line + 1
        ),
        span="lines {first}-{last} of {total}",
        first=start_line,
        whole=len(lines),
    )


def _notes(index: Index, source: Source) -> Iterator[str]:
    if source.encoding == UNDECIDED:
        yield f"not UTF-8, and of unknown encoding: read as {UNDECIDED}"
    elif not source.encoding.startswith("utf-8"):
        yield f"shown as UTF-8; on disk it is {source.encoding}"
    pointer = _LFS_POINTER.match(source.content) if source.size <= _LARGEST_POINTER else None
    if pointer is not None:
        yield f"Git LFS pointer: the content ({int(pointer[1]):,} bytes) is not in the repository"
    reason = index.unlisted.reason(source.path)
    if reason:
        yield f"neither searched nor indexed: {reason}"


def _around(index: Index, source: Source, line: int) -> tuple[str, ...]:
    """Return the line that names the symbols that a line is in and that begin above it, where the index has them."""
    inner = (index.symbols.query_indexed(source, around([line])) or {}).get(line)
    if inner is None:
        return ()
    enclosing = index.symbols.query_indexed(source, named(inner.path.__contains__)) or ()
    chain = [one for one in enclosing if one.start_line < line <= one.end_line]
    return (f"in {' > '.join(f'{one.name} ({one.start_line}-{one.end_line})' for one in chain)}",) if chain else ()


def _after(source: Source, lines: Sequence[str], stop: int) -> tuple[Call, ...]:
    calls = [_range(source, lines, stop + 1, DEFAULT_LINES)] if stop < len(lines) else []
    if language_of(source.path) is not None:
        calls.append(Call.of("document_symbols", Size(rows=len(lines) // 20, width=40), path=source.path))
    return tuple(calls)


def _range(source: Source, lines: Sequence[str], start: int, count: int) -> Call:
    count = min(count, max(1, len(lines) - start + 1))
    size = size_of(source.path, lines[start - 1 : start - 1 + count])
    return Call.of("read_file", size, path=source.path, start_line=start, num_lines=count)


def _outline(index: Index, source: Source) -> Result | None:
    """Return the outline of a file that is too large to begin at its first line; None where it has none."""
    definitions = index.symbols.definitions(source)
    if not definitions:
        return None
    return Result(
        subject=source.path,
        noun="symbols",
        items=outline_symbols(source, definitions),
        notes=(f"{source.size:,} bytes, {source.line_count:,} lines: its outline instead; lines by range",),
        calls=(_range(source, source.lines(), 1, DEFAULT_LINES * 2),),
    )
