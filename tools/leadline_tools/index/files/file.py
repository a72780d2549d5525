"""One file as the index knows it, and many of them by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

TEXT = 1
"""The bit of ``File.done`` that says that the words of the file are indexed."""

SYMBOLS = 2
"""The bit that says that its symbols are, or that there are none to index."""

DONE = TEXT | SYMBOLS

TEXTUAL = 4
"""The bit that says that its symbols are left to its words: it defines macros and hardly anything else."""

ALL = DONE | TEXTUAL

BEFORE = 3
"""How far these bits are shifted in ``File.done`` once the file is touched, and not looked into since."""

NO_DIGEST = bytes(16)
"""The digest of a file that nobody has looked into, as a row has it."""


class File(NamedTuple):
    """One file: its row in the database, 0 before it has one, and its state on disk when it was seen."""

    id: int
    path: str
    size: int
    changed_ns: int
    lines: int
    digest: bytes
    done: int
    error: str

    @property
    def binary(self) -> bool:
        """Return whether the file was looked into and is no text."""
        return is_binary(self.size, self.done, self.digest)

    @property
    def textual(self) -> bool:
        """Return whether the symbols of the file are found by its words alone."""
        return bool(self.done & TEXTUAL)

    @property
    def done_before(self) -> int:
        """Return what was done of the content that ``digest`` is of, before the file was touched."""
        return self.done >> BEFORE

    def touched(self, size: int, changed_ns: int, undone: int) -> File:
        """Return the file as one that nobody has looked into; what was done counts again if the content is the same."""
        before = (self.done | self.done_before) & ALL if self.digest and size == self.size else 0
        return self._replace(size=size, changed_ns=changed_ns, done=undone | before << BEFORE, error="")

    def found(self, lines: int, digest: bytes, undone: int) -> File:
        """Return the file with its content; what was done of another content does not count."""
        done = self.done & ALL
        if digest == self.digest:
            done |= self.done_before
        elif digest and self.digest:
            done = undone
        return File(self.id, self.path, self.size, self.changed_ns, lines, digest, done, self.error)

    def in_row(self, number: int) -> File:
        """Return the file with the number of its row; ``_replace`` takes several times as long."""
        return File(number, self.path, self.size, self.changed_ns, self.lines, self.digest, self.done, self.error)

    def indexed(self, done: int, error: str) -> File:
        """Return the file with what is done of it, and what failed."""
        return File(self.id, self.path, self.size, self.changed_ns, self.lines, self.digest, done, error)


class Columns(NamedTuple):
    """What is known of many files, an attribute of ``File`` each: what an object for each takes is saved."""

    ids: Sequence[int]
    paths: Sequence[str]
    sizes: Sequence[int]
    changes_ns: Sequence[int]
    lines: Sequence[int]
    digests: Sequence[bytes]
    done: Sequence[int]
    errors: Sequence[str]

    def files(self) -> Iterator[File]:
        """Yield the files."""
        return starmap(File, zip(*self, strict=True))


class Listing(NamedTuple):
    """What a list tells of many files, an attribute of ``File`` each."""

    paths: Sequence[str]
    sizes: Sequence[int]
    lines: Sequence[int]
    binary: Sequence[bool]


def is_binary(size: int, done: int, digest: bytes) -> bool:
    """Return whether a file was looked into and is no text; without a digest as a file has none, or its row."""
    return done & TEXT > 0 and size > 0 and digest in (b"", NO_DIGEST)
