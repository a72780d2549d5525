"""A plan as a diff: runs of lines that change, with the lines around them; keys are masked as in any answer."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline_tools.edits.plan import EditPlan, FileChange, Splice, codec, spliced
from leadline_tools.index.text.source_text import decoded
from leadline_tools.index.tree.source import Tree
from leadline_tools.model import Hunk

CONTEXT = 3
"""Lines around a change, as ``diff -u`` shows them."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def hunks(tree: Tree, plan: EditPlan) -> Iterator[Hunk]:
    """Yield the hunks of a plan that is not applied yet, by path and line; reads the files."""
    for change in plan.files:
        yield from file_hunks(tree, change, tree.read_bytes(change.path))


def applied_hunks(tree: Tree, plan: EditPlan) -> Iterator[Hunk]:
    """Yield the hunks of a plan that is applied already."""
    for change in plan.files:
        yield from file_hunks(tree, change, change.reversed.applied(tree.read_bytes(change.path)))


def file_hunks(tree: Tree, change: FileChange, raw: bytes) -> Iterator[Hunk]:
    """Yield the hunks of a change of the bytes ``raw``; changes on the same line or on neighbours make one."""
    encoding = decoded(change.path, raw).encoding
    before, after = (_lines(tree.source(change.path, one).content) for one in (raw, change.applied(raw)))
    grown = told = 0
    runs = [*_Cut(raw, codec(encoding)).runs(change.splices)]
    for run, following in zip(runs, [*(run.first for run in runs), len(before)][1:], strict=True):
        first, end = run.first + grown, run.first + run.old
        below = min(end + CONTEXT, following)
        yield Hunk(
            path=change.path,
            start_line=run.first + 1,
            old="".join(before[run.first : end]),
            new="".join(after[first : first + run.new]),
            new_start_line=first + 1,
            before=_bare(before[max(told, run.first - CONTEXT) : run.first]),
            after=_bare(before[end:below]),
        )
        grown += run.new - run.old
        told = below


class _Run(NamedTuple):
    """Lines that change together: the first, from 0, how many they are, and how many they become."""

    first: int
    old: int
    new: int


class _Cut:
    """The bytes of a file, cut where its lines begin."""

    def __init__(self, raw: bytes, encoding: str) -> None:
        self._raw = raw
        self._codec = encoding
        self._starts = list(self._line_starts())

    def runs(self, splices: Sequence[Splice]) -> Iterator[_Run]:
        """Yield the runs of lines that splices change."""
        run: tuple[int, int, list[Splice]] | None = None
        for splice in splices:
            start, end = self._lines_around(splice)
            if run is not None and start <= run[1]:
                run = run[0], max(run[1], end), [*run[2], splice]
                continue
            if run is not None:
                yield self._run(*run)
            run = start, end, [splice]
        if run is not None:
            yield self._run(*run)

    def _run(self, start: int, end: int, splices: Sequence[Splice]) -> _Run:
        old, new = self._raw[start:end], spliced(self._raw, splices, start, end)
        return _Run(self._line(start), self._count(old), self._count(new))

    def _lines_around(self, splice: Splice) -> tuple[int, int]:
        """Return the bytes of the whole lines that a splice changes: none where it puts lines before one."""
        start = self._starts[self._line(splice.start)]
        end = splice.start + len(splice.old)
        number = self._line(end)
        new = self._text(splice.new)
        whole = new.endswith("\n") or (not new and splice.start == start)
        if whole and self._starts[number] == end:
            return start, end
        return start, self._starts[number + 1] if number + 1 < len(self._starts) else len(self._raw)

    def _line(self, position: int) -> int:
        """Return the line, from 0, that a byte is on."""
        return bisect.bisect_right(self._starts, position) - 1

    def _count(self, raw: bytes) -> int:
        """Return how many lines bytes hold, the last of which may have no end."""
        text = self._text(raw)
        return text.count("\n") + (bool(text) and not text.endswith("\n"))

    def _text(self, raw: bytes) -> str:
        text = raw.decode(self._codec, "replace").removeprefix("\ufeff")
        return _LINE_END.sub("\n", text) if "\r" in text else text

    def _line_starts(self) -> Iterator[int]:
        """Yield the bytes at which lines begin: behind each LF, CRLF or lone CR."""
        yield 0
        if self._codec in {"utf-8", "latin-1"}:
            yield from (end.end() for end in re.finditer(rb"\r\n|\r|\n", self._raw))
            return
        text = self._raw.decode(self._codec, "replace")
        position = counted = 0
        for end in _LINE_END.finditer(text):
            position += len(text[counted : end.end()].encode(self._codec, "replace"))
            counted = end.end()
            yield position


def _lines(content: bytes) -> Sequence[str]:
    """Return the lines of a text with their ends, which are LF."""
    return _LINE.findall(content.decode().replace("\r\n", "\n"))


def _bare(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line.removesuffix("\n") for line in lines)
