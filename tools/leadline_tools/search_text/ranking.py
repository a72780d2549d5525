"""The order in which matches are shown: definitions, code, comments, then tests and the like, then prose and data.

Only what a page may show is put in order: the other matches follow in the order of their files.
"""

from __future__ import annotations

import copy
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import accumulate, chain, islice
from typing import overload

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import in_lines
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.marks import Mark, mark_of
from leadline_tools.languages import has_symbols, language_of
from leadline_tools.languages.lexing import Span, spans
from leadline_tools.search_text.matches import FoundLines, first_spans
from leadline_tools.search_text.query import TextQuery

_MOST_ORDERED = 2_000
"""Matches that are put in order: the largest page shows fewer."""

_MOST_READ = 40
"""Files that are read to separate definitions and comments from code; it takes about a millisecond each."""

_MOST_LINES = 200
"""Lines of one of these files that are looked at; the others count as code."""

_LARGEST_LOOKED_INTO = 512 << 10
"""Bytes of the largest of them; in a larger one each line counts as code."""

_NAME = re.compile(r"[^\W\d]\w{2,}")
"""A name in what a query requires: files that define it are looked into first."""


class Sort(IntEnum):
    """What a line is where it matches, in the order in which they are shown."""

    Definition = 0
    Code = 1
    Comment = 2


class Kind(IntEnum):
    """What a file is, in the order in which they are shown."""

    Product = 0
    Beside = 1
    Data = 2


class BestFirst(Sequence[int]):
    """The numbers below ``total``: some of them first, then the others in their order; or a part of this sequence."""

    def __init__(self, first: Sequence[int], total: int) -> None:
        self._first = first
        self._skipped = [number - place for place, number in enumerate(sorted(first))]
        self._places = range(total)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        """Return a number, or some of them."""
        if isinstance(index, slice):
            part = copy.copy(self)
            part._places = self._places[index]
            return part
        place = self._places[index]
        if place < len(self._first):
            return self._first[place]
        other = place - len(self._first)
        return other + bisect_right(self._skipped, other)


def best_matches(index: Index, query: TextQuery, found: FoundLines) -> list[int]:
    """Return the places of the best matches among those that were found, best first; none where one is as good."""
    files = _likely_files(index, query, found)
    first = list(islice(files, _MOST_READ))
    index.symbols.fetch([found.paths[file] for file, kind in first if kind is not Kind.Data])
    keys: list[tuple[int, int, str, int, int]] = []
    for number, (file, kind) in enumerate(chain(first, files)):
        cancellation.check()
        rows, path = found.rows(file), found.paths[file]
        lines = found.lines[rows.start : rows.stop]
        sorts = _sorts(index, query, path, lines[:_MOST_LINES]) if number < _MOST_READ and kind is not Kind.Data else {}
        keys += [(kind, sorts.get(line, Sort.Code), path, line, row) for line, row in zip(lines, rows, strict=True)]
        if len(keys) >= _MOST_ORDERED:
            break
    keys.sort()
    return [row for *_, row in islice(keys, _MOST_ORDERED)]


def _likely_files(index: Index, query: TextQuery, found: FoundLines) -> Iterator[tuple[int, Kind]]:
    """Yield the files that matches are in, by their numbers, with their kinds: those that are looked into first."""
    names = _NAME.findall(query.finder.required.literal)
    defining = index.symbols.files_defining(max(names, key=len)) if names else frozenset[str]()
    later: list[tuple[int, Kind]] = []
    first = [file for file, path in enumerate(found.paths) if path in defining] if defining else []
    known = frozenset(first)
    for file in chain(first, (file for file in range(len(found.paths)) if file not in known)):
        kind = _kind_of(found.paths[file])
        if kind is Kind.Product:
            yield file, kind
        else:
            later.append((file, kind))
    yield from sorted(later, key=lambda one: one[1])


def _kind_of(path: str) -> Kind:
    if not has_symbols(path):
        return Kind.Data
    match mark_of(path):
        case Mark.Product | Mark.Declarations:
            return Kind.Product
        case Mark.Documentation | Mark.Configuration:
            return Kind.Data
        case _:
            return Kind.Beside


def _sorts(index: Index, query: TextQuery, path: str, lines: Sequence[int]) -> Mapping[int, Sort]:
    """Return what each of some sorted lines of a file is where it matches first; those that are code are left out."""
    if index.files.size(path) > _LARGEST_LOOKED_INTO:
        return {}
    source = index.try_read(path)
    language = language_of(path)
    if source is None or language is None:
        return {}
    matched = first_spans(source, query, lines)
    sorts = dict.fromkeys(_commented(source, matched), Sort.Comment) if language.source.lexis is not None else {}
    texts = source.content.split(b"\n")
    for one in index.symbols.query_indexed(source, in_lines(frozenset(lines))) or ():
        span = matched.get(one.line)
        text = texts[one.line - 1][slice(*span)].decode("utf-8", "replace") if span is not None else ""
        if text and (one.name in text or text.casefold() in one.name.casefold()):
            sorts[one.line] = Sort.Definition
    return sorts


def _commented(source: Source, matched: Mapping[int, tuple[int, int]]) -> Iterator[int]:
    """Yield those of the lines whose first matches begin in a comment."""
    language = language_of(source.path)
    if language is None or language.source.lexis is None:
        return
    starts = [0, *accumulate(len(text) + 1 for text in source.content.split(b"\n"))]
    comments = (span for span in spans(source.content, language.source.lexis) if span.comment)
    comment: Span | None = next(comments, None)
    for line, (start, _) in matched.items():
        offset = starts[line - 1] + start
        while comment is not None and comment.end <= offset:
            comment = next(comments, None)
        if comment is None:
            return
        if comment.start <= offset:
            yield line
