"""Code inside other files: a file has regions, a region has a language, positions are those of the file.

The code of a file is written out as one text of one language: what the file holds of it word for word, and between that
the glue that makes it code (a loop for the directive of a template). This text is parsed like any other, and
``region_positions`` finds what is in it where the file has it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """Bytes of the code that the file holds word for word: from ``start`` to ``end``, in the file from ``origin``."""

    start: int
    end: int
    origin: int


class Regions(NamedTuple):
    """The regions of a file.

    Args:
        language: The name of the language of the code whose names are resolved.
        code: The text of all that code, with glue.
        pieces: What the file holds of it, in the order of the code.
        undecided: The spans of the file with code whose names are not resolved: of another language, or of unknown
            scope. What is in no region is text.
        cells: The spans of the file that an outline shows as parts, each with its name.
        named_at: Where the code has the name of a type that the file is, which is its first place; -1 for none.

    """

    language: str
    code: bytes
    pieces: Sequence[Piece]
    undecided: Sequence[tuple[int, int]]
    cells: Sequence[tuple[int, int, str]] = ()
    named_at: int = -1

    @property
    def is_empty(self) -> bool:
        """Return whether the file has no code and is no type."""
        return not self.pieces and self.named_at < 0


PROPERTIES = "__properties"
"""The member of the module of a component that has its properties: what the attributes of its elements are."""


class Writer:
    """Writes the code of a file out.

    Attributes:
        content: The text of the file.

    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._parts: list[bytes] = []
        self._size = 0
        self._pieces: list[Piece] = []
        self._undecided: list[tuple[int, int]] = []
        self._named_at = -1

    def copy(self, start: int, end: int) -> None:
        """Write a span of the file."""
        if end > start:
            self._pieces.append(Piece(self._size, self._size + end - start, start))
            self.write(self.content[start:end])

    def copy_stripped(self, start: int, end: int) -> None:
        """Write a span of the file without the blanks around it."""
        self.copy(*self.stripped(start, end))

    def stripped(self, start: int, end: int) -> tuple[int, int]:
        """Return a span without the blanks around it."""
        text = self.content[start:end]
        return start + len(text) - len(text.lstrip()), max(start, end - len(text) + len(text.rstrip()))

    def write(self, glue: bytes) -> None:
        """Write what the file does not hold there."""
        self._parts.append(glue)
        self._size += len(glue)

    def write_file_type(self, name: bytes) -> None:
        """Write the name of the type that the file is."""
        self._named_at = self._size
        self.write(name)

    def wrap(self, before: bytes, start: int, end: int, after: bytes) -> None:
        """Write a span of the file between glue; nothing for a blank one."""
        start, end = self.stripped(start, end)
        if end > start:
            self.write(before)
            self.copy(start, end)
            self.write(after)

    def copy_statements(self, start: int, end: int) -> None:
        """Write a span of the file as statements of their own."""
        self.copy(start, end)
        self.write(b"\n;\n")

    def leave(self, start: int, end: int) -> None:
        """Note a span of the file as code whose names are not resolved."""
        if end > start:
            self._undecided.append((start, end))

    def regions(self, language: str, cells: Sequence[tuple[int, int, str]] = ()) -> Regions:
        """Return what was written."""
        return Regions(
            language, b"".join(self._parts), self._pieces, _join_spans(self._undecided), cells, self._named_at
        )


def _join_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in their order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def default_export(path: str) -> bytes:
    """Return the glue by which a component is what others import from its file."""
    name = json.dumps("./" + path.rpartition("/")[2])
    return b'\n;export * as "default" from ' + name.encode("utf-8", "replace") + b";\n"


class Lookup:
    """Finds where the bytes of a file are in the code, for questions in the order of the file."""

    def __init__(self, regions: Regions) -> None:
        self._pieces = sorted((piece.origin, piece.origin + piece.end - piece.start, piece) for piece in regions.pieces)
        self._origins = [origin for origin, _, _ in self._pieces]
        self._undecided = regions.undecided
        self._starts = [start for start, _ in regions.undecided]

    def code_offset(self, offset: int) -> int:
        """Return where the code has a byte of the file, -1 where it does not."""
        at = bisect_right(self._origins, offset) - 1
        if at < 0 or offset >= self._pieces[at][1]:
            return -1
        piece = self._pieces[at][2]
        return piece.start + offset - piece.origin

    def is_undecided(self, offset: int) -> bool:
        """Return whether a byte of the file is code whose names are not resolved."""
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self._undecided[at][1]
