"""The lines that match a query, by column: a match is made, and its text read, when somebody looks at it.

A search may find millions of lines, of which a page shows a hundred. *Found lines* are the numbers of all of them by
file. A file that has changed since is read as it is now: of a line that matches no more, that is said in place of its
text.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import overload

from leadline_tools import deflated
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import around
from leadline_tools.index.packing.integers import packed_integers, unpacked_integers
from leadline_tools.index.text.key_masking import without_masks
from leadline_tools.index.text.patterns import Span
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import Definition
from leadline_tools.long_lines import shorten_stripped
from leadline_tools.model import TextMatch
from leadline_tools.search_text.query import TextQuery

LONGEST_LINE = 240
"""Characters of a line that a match shows; what is cut lies away from the match."""

_LARGEST_WITH_CONTAINERS = 1 << 20
"""Bytes of the largest file in which the symbols around matches are looked for: some have 100,000 macros."""

CHANGED = "(this line has changed since it was found)"

_BLOCK = 16
"""Matches of one file that are made together."""

_LOOKED_UP = 64 * _BLOCK
"""Matches of one file whose containers are looked up together."""

_PIECE = 64 << 10
"""Bytes of a text that are split into lines together."""

_MOST_BLOCKS = 256
"""Blocks of matches that are kept: more than a page has, mostly."""

_BETWEEN = "\0"
"""What stands between paths that are dumped: no path holds it."""

_LENGTHS = struct.Struct("<4Q")
"""What a dump begins with: how many bytes the query, the paths, their numbers of lines and the lines take."""


class FoundLines:
    """The lines that match, by file in the order of their paths.

    Attributes:
        paths: The files.
        counts: How many lines of each match.
        lines: The numbers of these lines, 1-based, file after file.

    """

    def __init__(self, paths: Sequence[str] = (), counts: Iterable[int] = (), lines: Iterable[int] = ()) -> None:
        self.paths = [*paths]
        self.counts = array("I", counts)
        self.lines = array("I", lines)
        self._ends: list[int] = []

    def add(self, path: str, lines: Sequence[int]) -> None:
        """Add the lines of a file."""
        self.paths.append(path)
        self.counts.append(len(lines))
        self.lines.extend(lines)

    def sort(self) -> None:
        """Bring the files into the order of their paths."""
        if all(first <= second for first, second in pairwise(self.paths)):
            return
        starts = [0, *self.ends]
        order = sorted(range(len(self.paths)), key=self.paths.__getitem__)
        lines = array("I")
        for file in order:
            lines.extend(self.lines[starts[file] : starts[file + 1]])
        self.paths = [self.paths[file] for file in order]
        self.counts = array("I", [self.counts[file] for file in order])
        self.lines, self._ends = lines, []

    @property
    def ends(self) -> Sequence[int]:
        """Return where the lines of each file end among all lines."""
        if len(self._ends) != len(self.paths):
            self._ends = list(accumulate(self.counts))
        return self._ends

    def rows(self, file: int) -> range:
        """Return the places of the lines of a file, by its number, among all lines."""
        end = self.ends[file]
        return range(end - self.counts[file], end)

    def file(self, row: int) -> int:
        """Return the number of the file of a line, by its place among all lines."""
        return bisect_right(self.ends, row)


class TextMatches(Sequence[TextMatch]):
    """Matches of a query: all that were found in the order of their files, or some of them in another."""

    def __init__(
        self, index: Index | None, query: TextQuery, found: FoundLines, order: Sequence[int] | None = None
    ) -> None:
        """Take what was found; ``order`` has the places of the matches that are meant, None means all."""
        self._index = index
        self._query = query
        self._found = found
        self._order: Sequence[int] = range(len(found.lines)) if order is None else order
        self._blocks: OrderedDict[tuple[int, int], list[TextMatch]] = OrderedDict()
        self._containers: tuple[tuple[int, bytes], Mapping[int, Definition]] = (-1, b""), {}

    def __len__(self) -> int:
        """Return how many matches there are."""
        return len(self._order)

    def __iter__(self) -> Iterator[TextMatch]:
        """Yield all of them."""
        return map(self._match, self._order)

    @overload
    def __getitem__(self, index: int) -> TextMatch: ...
    @overload
    def __getitem__(self, index: slice) -> TextMatches: ...
    def __getitem__(self, index: int | slice) -> TextMatch | TextMatches:
        """Return a match, or some of them."""
        if isinstance(index, slice):
            return self.ordered(self._order[index])
        return self._match(self._order[index])

    def ordered(self, order: Sequence[int]) -> TextMatches:
        """Return the matches at some places among all that were found, in an order."""
        view = TextMatches(self._index, self._query, self._found, order)
        view._blocks = self._blocks
        return view

    def fetch(self, places: Iterable[int]) -> None:
        """Have at hand what some matches are made of, where it takes less to read it together."""
        if self._index is not None:
            self._index.symbols.fetch(dict.fromkeys(map(self.path, places)))

    def path(self, number: int) -> str:
        """Return the file of a match, which is not made for it."""
        return self._found.paths[self._found.file(self._order[number])]

    def line(self, number: int) -> int:
        """Return the line of a match, which is not made for it."""
        return self._found.lines[self._order[number]]

    def files(self) -> Mapping[str, int]:
        """Return how many matches each file has."""
        found, order = self._found, self._order
        if len(order) == len(found.lines):
            return dict(zip(found.paths, found.counts, strict=True))
        if isinstance(order, range) and order.step == 1:
            shares = (
                (path, min(rows.stop, order.stop) - max(rows.start, order.start))
                for path, rows in zip(found.paths, map(found.rows, range(len(found.paths))), strict=True)
            )
            return {path: number for path, number in shares if number > 0}
        return Counter(found.paths[found.file(row)] for row in order)

    def lines_by_file(self) -> Mapping[str, Sequence[int]]:
        """Return the lines of the matches by file, each file in the order of its matches."""
        found, lines = self._found, dict[str, list[int]]()
        for row in self._order:
            lines.setdefault(found.paths[found.file(row)], []).append(found.lines[row])
        return lines

    def _match(self, row: int) -> TextMatch:
        file = self._found.file(row)
        rows = self._found.rows(file)
        block, number = divmod(row - rows.start, _BLOCK)
        made = self._blocks.get((file, block))
        if made is None:
            first = rows.start + block * _BLOCK
            made = self._made(file, range(first, min(rows.stop, first + _BLOCK)))
            self._blocks[file, block] = made
            if len(self._blocks) > _MOST_BLOCKS:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end((file, block))
        return made[number]

    def _made(self, file: int, rows: range) -> list[TextMatch]:
        """Return the matches at some places of one file."""
        path, lines = self._found.paths[file], self._found.lines
        numbers = lines[rows.start : rows.stop].tolist()
        source = self._index.try_read(path) if self._index is not None else None
        if source is None or self._index is None:
            return [TextMatch(path, line, 1, 1, CHANGED) for line in numbers]
        of_file = self._found.rows(file)
        before = lines[rows.start - 1] if rows.start > of_file.start else 0
        after = lines[rows.stop] if rows.stop < of_file.stop else 0
        containers = self._containers_at(self._index, source, of_file, rows.start)
        return list(_matches(source, self._query, [before, *numbers, after], containers))

    def _containers_at(self, index: Index, source: Source, of_file: range, row: int) -> Mapping[int, Definition]:
        """Return the containers of a match and of others beside it, by their lines."""
        first = row - (row - of_file.start) % _LOOKED_UP
        if self._containers[0] != (first, source.digest):
            lines = self._found.lines[first : min(of_file.stop, first + _LOOKED_UP)]
            self._containers = (first, source.digest), _containers_of(index, source, lines)
        return self._containers[1]

    def dumped(self) -> bytes:
        """Return all that was found as bytes that ``loaded`` takes."""
        found = self._found
        paths = _BETWEEN.join(found.paths).encode("utf-8", "surrogatepass")
        columns = (
            self._query.dumped(),
            paths,
            packed_integers("I", found.counts),
            packed_integers("I", found.lines),
        )
        return deflated.compress(b"".join((_LENGTHS.pack(*map(len, columns)), *columns)))

    @classmethod
    def loaded(cls, dumped: bytes, index: Index | None) -> TextMatches:
        """Return what was dumped, with the index that reads its files; raises ValueError for what is damaged."""
        whole = deflated.decompress(dumped)
        lengths = _LENGTHS.unpack_from(whole) if len(whole) >= _LENGTHS.size else ()
        ends = [*accumulate(lengths, initial=_LENGTHS.size)]
        if not lengths or ends[-1] != len(whole):
            raise ValueError("damaged matches")
        query, joined, counts, lines = (whole[start:end] for start, end in pairwise(ends))
        paths = joined.decode("utf-8", "surrogatepass").split(_BETWEEN) if counts else []
        found = FoundLines(paths, unpacked_integers("I", counts), unpacked_integers("I", lines))
        if len(found.paths) != len(found.counts) or sum(found.counts) != len(found.lines):
            raise ValueError("damaged matches")
        return cls(index, TextQuery.loaded(query), found)


def _containers_of(index: Index, source: Source, lines: Sequence[int]) -> Mapping[int, Definition]:
    """Return the innermost definition around each of some sorted lines, as far as the index has those of the file."""
    if language_of(source.path) is None or source.size > _LARGEST_WITH_CONTAINERS:
        return {}
    return index.symbols.query_indexed(source, around(lines)) or {}


def texts_of(content: bytes, lines: Sequence[int]) -> Mapping[int, bytes]:
    """Return the texts of some sorted lines without their ends; those that a content has not are left out.

    Only what is around the lines is split: a content may have a hundred thousand others.
    """
    texts: dict[int, bytes] = {}
    start, number, wanted = 0, 1, 0  # the first line of a piece, and the first line that is still to be found
    while wanted < len(lines) and start < len(content):
        end = content.find(b"\n", start + _PIECE)
        end = len(content) if end < 0 else end
        behind = number + content.count(b"\n", start, end) + 1
        if lines[wanted] < behind:
            some = content[start:end].split(b"\n")
            if end == len(content) and not some[-1]:
                some.pop()
            last = bisect_left(lines, behind, wanted)
            texts.update((line, some[line - number]) for line in lines[wanted:last] if 0 <= line - number < len(some))
            wanted = last
        start, number = end + 1, behind
    return texts


def first_spans(source: Source, query: TextQuery, lines: Sequence[int]) -> Mapping[int, Span]:
    """Return the first match in each of some lines of a text, as offsets in the line; of lines without one nothing."""
    content, find = source.content, query.finder
    if find.in_lines:
        texts = texts_of(content, lines)
        firsts = ((line, next(iter(find.spans(without_masks(text))), None)) for line, text in texts.items())
        return {line: span for line, span in firsts if span is not None}
    content = without_masks(content)
    wanted, spans = frozenset(lines), dict[int, Span]()
    line, counted = 1, 0
    for start, end in find.spans(content):
        line += content.count(b"\n", counted, start)
        counted = start
        if line in wanted and line not in spans:
            begin = content.rfind(b"\n", 0, start) + 1
            spans[line] = start - begin, end - begin
    return spans


def _matches(
    source: Source, query: TextQuery, lines: Sequence[int], containers: Mapping[int, Definition]
) -> Iterator[TextMatch]:
    """Yield the matches in some lines of a text; the first and the last of them are those beside, 0 for none."""
    matching, context = lines[1:-1], query.context
    spans = first_spans(source, query, matching)
    around = {near for line in matching for near in range(line - context, line + context + 1)}
    texts = texts_of(source.content, sorted(around))
    for above, line, below in zip(lines, matching, lines[2:], strict=False):
        span = spans.get(line)
        if span is None:
            yield TextMatch(source.path, line, 1, 1, CHANGED)
            continue
        first = max(above + context if above else 0, line - 1 - context) + 1
        last = min(below - 1, line + context) if below else line + context
        raw = texts[line]
        column = len(raw[: span[0]].decode("utf-8", "replace"))
        length = len(raw[slice(*span)].decode("utf-8", "replace"))
        container = containers.get(line)
        yield TextMatch(
            source.path,
            line,
            column + 1,
            column + 1 + length,
            shorten_stripped(_text(raw), LONGEST_LINE, column),
            tuple(_text(texts[near]) for near in range(min(first, line), line) if near in texts),
            tuple(_text(texts[near]) for near in range(line + 1, last + 1) if near in texts),
            container.path if container is not None else "",
        )


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "replace")
