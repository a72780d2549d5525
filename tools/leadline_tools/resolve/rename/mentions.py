"""Mentions of a name outside of code: in comments, strings and files that are no code."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation, patience
from leadline_tools.index.index import Index
from leadline_tools.index.text import scan
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_in
from leadline_tools.languages.language import Language
from leadline_tools.languages.lexing import Span, spans
from leadline_tools.long_lines import shorten_stripped
from leadline_tools.model import Mention, TextMatch
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

MOST = 200
"""Mentions that are listed; of a common word there may be thousands, and hardly one is about the symbol."""

LEAST_SECONDS = 1.0
"""Seconds that the search may take even if the patience of the call ends before."""

_LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a name that are listed.

    Args:
        found: The mentions, at most ``MOST``.
        cut: Whether there are more than that.
        late: How many files with the name were not searched in time.

    """

    found: tuple[Mention, ...]
    cut: bool = False
    late: int = 0

    @property
    def more(self) -> bool:
        """Return whether there may be others."""
        return self.cut or self.late > 0


def mentions(index: Index, name: str, code: Mapping[str, Collection[tuple[int, int]]]) -> Mentions:
    """Return where a name is mentioned, but for the lines and columns, by path, that are ``code`` and seen to."""
    until = max(patience.current().deadline, time.monotonic() + LEAST_SECONDS)
    found: list[Mention] = []
    paths = index.words.files_with((name,))
    for number, path in enumerate(paths):
        cancellation.check()
        if len(found) > MOST:
            break
        if time.monotonic() >= until:
            return Mentions(tuple(found), late=len(paths) - number)
        source = index.try_read(path)
        if source is not None:
            found += _in_file(source, name, code.get(path, ()))
    return Mentions(tuple(found[:MOST]), cut=len(found) > MOST)


def mentions_inside(
    name: str, around: Sequence[DefinedSymbol], code: Mapping[str, Collection[tuple[int, int]]]
) -> Mentions:
    """Return where a name is mentioned inside of some definitions, but for the places that are ``code``."""
    found: dict[TextMatch, Mention] = {}
    for target in around:
        spans = [(one.start_line, one.end_line) for one in target.definitions]
        for one in _in_file(target.source, name, code.get(target.path, ())):
            if any(first <= one.match.line <= last for first, last in spans):
                found[one.match] = one
    return Mentions(tuple(found.values())[:MOST], cut=len(found) > MOST)


def _in_file(source: Source, name: str, code: Collection[tuple[int, int]]) -> Iterator[Mention]:
    language = language_in(source.path, source.content)
    text = source.content
    for start, where in _kinds(text, name.encode(), language):
        line = text.count(b"\n", 0, start) + 1
        begin = text.rfind(b"\n", 0, start) + 1
        end = text.find(b"\n", start)
        column = len(text[begin:start].decode("utf-8", "replace")) + 1
        if (line, column) in code:
            continue
        whole = text[begin : end if end >= 0 else None].decode("utf-8", "replace")
        shown = shorten_stripped(whole, _LONGEST_TEXT, column - 1, column - 1 + len(name))
        match = TextMatch(source.path, line, column, column + len(name), shown)
        yield Mention(match, where)


def _kinds(content: bytes, name: bytes, language: Language | None) -> Iterator[tuple[int, str]]:
    """Yield the bytes at which a name is mentioned, and in what: code is left out where it is known."""
    offsets = scan.occurrences(content, name)
    if language is None or language.source.lexis is None:
        yield from ((offset, "text") for offset in offsets)
        return
    found = spans(content, language.source.lexis)
    span: Span | None = next(found, None)
    for offset in offsets:
        while span is not None and span.end <= offset:
            span = next(found, None)
        if span is not None and offset >= span.start:
            yield offset, "comment" if span.comment else "string"
