"""Where a text or a regular expression occurs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from leadline_tools.errors import BadArgument
from leadline_tools.index import postings
from leadline_tools.index.index import Index
from leadline_tools.index.patterns import Span, text_finder
from leadline_tools.index.scope import split_scope
from leadline_tools.index.selection import select
from leadline_tools.index.source import Source
from leadline_tools.model import TextMatch
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import FolderPath, tool

MOST_CONTEXT = 20
LONGEST_LINE = 240
"""Characters of a line that a match shows; what is cut lies away from the match."""

SECONDS = 10.0
"""A scan that takes longer stops and says how far it came."""

MOST_MATCHES = 100_000


@tool
def search_text(
    index: Index,
    query: str,
    regex: bool = False,
    path: FolderPath = ".",
    word: bool = False,
    case_sensitive: bool = False,
    context: int = 0,
) -> Result:
    """Search text or RE2 regex in all files, comments and strings too. path: folder, file or glob."""
    if not query:
        raise BadArgument("query", "it is empty", "Give the text to look for.")
    if context < 0:
        raise BadArgument("context", "it cannot be negative", f"Use context=0 to {MOST_CONTEXT}.")
    find = text_finder(query, regex=regex, word=word, case_sensitive=case_sensitive)
    folder, pattern = split_scope(index, path)
    chosen = {file.path for file in select(index, folder, pattern)}
    words = () if regex else (postings.tokens(query) if word else postings.interior_words(query))
    candidates = [path for path in index.with_words(words) if path in chosen]
    scan = _Scan(index, find, min(context, MOST_CONTEXT))
    found = list(scan.run(candidates))
    scope = "" if path in ("", ".") else f" in {path}"
    return Result(
        subject=f"{'/' + query + '/' if regex else repr(query)}{scope}",
        noun="lines",
        items=found,
        at_least=bool(scan.stopped),
        notes=scan.notes(),
        calls=tuple(_next(found, query)),
    )


class _Scan:
    """One pass over candidate files; what could not be read or finished is remembered."""

    def __init__(self, index: Index, find: Callable[[bytes], Iterator[Span]], context: int) -> None:
        self._index = index
        self._find = find
        self._context = context
        self._unread: list[str] = []
        self.stopped = ""

    def run(self, paths: list[str]) -> Iterator[TextMatch]:
        """Yield the matches in ``paths``, one a line, in their order."""
        until = time.monotonic() + SECONDS
        count = 0
        for number, path in enumerate(paths):
            if time.monotonic() > until or count > MOST_MATCHES:
                self.stopped = f"stopped after {number:,} of {len(paths):,} files; a longer query or a path is faster"
                return
            source = self._index.try_read(path)
            if source is None:
                self._unread.append(path)
                continue
            for match in self._in_file(source):
                count += 1
                yield match

    def notes(self) -> tuple[str, ...]:
        """Return what the answer has to say of the pass."""
        return (self.stopped,) if self.stopped else ()

    def _in_file(self, source: Source) -> Iterator[TextMatch]:
        content = source.content
        found: dict[int, Span] = {}
        line, counted = 1, 0
        for start, end in self._find(content):
            line += content.count(b"\n", counted, start)
            counted = start
            found.setdefault(line, (start, end))
        if not found:
            return
        lines = source.lines()
        numbers = [0, *found, len(lines) + 1]
        shown = 0
        for before, number, after in zip(numbers, numbers[1:], numbers[2:], strict=False):
            first = max(shown, before, number - 1 - self._context) + 1
            shown = min(after - 1, number + self._context)
            yield _match(source, lines, number, found[number], (first, shown))


def _match(source: Source, lines: list[str], line: int, span: Span, shown: tuple[int, int]) -> TextMatch:
    """Return the match on a line, with the lines from the first to the last that are ``shown`` around it."""
    content = source.content
    begin = content.rfind(b"\n", 0, span[0]) + 1
    column = len(content[begin : span[0]].decode("utf-8", "replace"))
    length = len(content[span[0] : span[1]].partition(b"\n")[0].decode("utf-8", "replace"))
    text = lines[line - 1] if line <= len(lines) else ""
    return TextMatch(
        source.path,
        line,
        column + 1,
        column + 1 + length,
        _around(text, column),
        tuple(lines[shown[0] - 1 : line - 1]),
        tuple(lines[line : shown[1]]),
    )


def _around(text: str, column: int) -> str:
    """Return a line, of a very long one the part around ``column``."""
    if len(text) <= LONGEST_LINE:
        return text.strip()
    start = max(0, min(column - LONGEST_LINE // 3, len(text) - LONGEST_LINE))
    cut = text[start : start + LONGEST_LINE].strip()
    return f"{'...' if start else ''}{cut}{'...' if start + LONGEST_LINE < len(text) else ''}"


def _next(found: list[TextMatch], query: str) -> Iterator[Call]:
    if found:
        first = found[0]
        yield Call.of("read_file", Size(2_000), path=first.path, start_line=max(1, first.line - 10), num_lines=40)
    elif query.isidentifier():
        yield Call.of("symbol_search", Size(rows=10, width=40), query=query)
