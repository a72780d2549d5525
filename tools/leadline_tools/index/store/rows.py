"""The rows of an index: what it keeps of each file, and the words by which files are found.

``RowReader`` is all that questions ask of the engine that keeps them, and ``Rows`` all that an index asks that follows
a tree on the disk. SQLite is such an engine (``sqlite_rows``); whatever goes wrong in it is raised as one of the errors
here. Files are known by their ids, which are never given twice: another process may still mean the file that had one.
Paths are bytes, relative to the root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from leadline_tools.index.files.file import File
from leadline_tools.index.store.vocabulary import Vocabulary
from leadline_tools.index.store.words import WordPart


class RowsError(Exception):
    """An engine failed to read or to write."""


class RowsDamagedError(RowsError):
    """What is kept is damaged, or is not what it should be: the index has to be rebuilt."""


class RowsBusyError(RowsError):
    """Another process holds the lock for longer than the engine waits."""


class RowsRefusedError(RowsError):
    """The disk cannot be written: it is full, failing or read-only."""


class Blob(StrEnum):
    """What is kept of a file as packed bytes, see ``packing``."""

    Symbols = "symbols"
    Includes = "included"
    Relations = "related"


class Held(NamedTuple):
    """What a file holds: all of some words, and one that begins with ``beginning``."""

    words: Sequence[str]
    beginning: str = ""


Clause = Sequence[Held]
"""Of which a file holds at least one."""


class Words(StrEnum):
    """By which words a file is found."""

    Text = "words"
    """Those of its text."""

    Names = "names"
    """The names that it defines, and the words that stand for what it includes, inherits from and renames."""


class RowWriter(Protocol):
    """Writes rows in one transaction."""

    def expect(self, *, many: bool) -> None:
        """Prepare for ``many`` rows, or for a few."""
        ...

    def file_id(self, path: str) -> int | None:
        """Return the id of the file at a path; None where no row has it."""
        ...

    def last_id(self) -> int:
        """Return the highest id that was ever given; 0 for none."""
        ...

    def delete_file(self, file: int) -> None:
        """Delete all that is kept of a file."""
        ...

    def put_files(self, rows: Iterable[File]) -> None:
        """Write the rows of files, in place of those that they have; their paths lack the name of the root."""
        ...

    def put_blobs(self, kind: Blob, blobs: Mapping[int, bytes]) -> None:
        """Write packed bytes by the ids of their files; nothing is kept where they are empty."""
        ...

    def put_words(self, words: Words, file: int, text: str) -> None:
        """Index the words of a text in place of those that were indexed of a file."""
        ...

    def delete_words(self, words: Words, file: int) -> None:
        """Delete the words of a file."""
        ...

    def request_look(self, state: str) -> None:
        """Ask the process that leads to look at the tree, since the tree is in a state that it may not know."""
        ...


class RowReader(Protocol):
    """The rows of an index, as questions read them. All methods raise ``RowsError``."""

    @property
    def generation(self) -> int:
        """Return how often the rows were recreated: those of two generations have nothing to do with each other."""
        ...

    def blob(self, kind: Blob, file: int) -> bytes | None:
        """Return packed bytes of a file; None where it has none."""
        ...

    def symbols(self, files: Iterable[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield the packed symbols of some files, or of all, with their ids."""
        ...

    def symbols_of(self, file: int, done: int) -> tuple[bytes, bytes] | None:
        """Return the packed symbols of a file and the digest of its content, None where it has none.

        The digest is empty where not all bits of ``done`` are set: the file has changed since.
        """
        ...

    def holding(self, where: Words, words: Iterable[str], most: int = -1, beginning: str = "") -> list[int]:
        """Return the ids of the files that hold all of some words, and one that begins with ``beginning``.

        Not more than ``most``, where it is not negative. Case is folded, so files may be too many, never too few.
        """
        ...

    def holding_each(self, where: Words, clauses: Iterable[Clause]) -> list[int]:
        """Return the ids of the files that hold something of each clause."""
        ...

    def holding_part(self, parts: Sequence[WordPart], most_words: int) -> list[int] | None:
        """Return the ids of the files that may hold a word of texts with any of some parts.

        None where more than ``most_words`` words have one.
        """
        ...

    def holding_any(self, where: Words, words: Iterable[str]) -> list[int]:
        """Return the ids of the files that hold any of some words."""
        ...

    def holding_among(self, where: Words, words: Iterable[str], files: Sequence[int]) -> list[int]:
        """Return those of some files, by their ids, that hold all of some words."""
        ...

    def count(self, where: Words, words: Iterable[str]) -> int:
        """Return how many files hold all of some words."""
        ...

    def vocabulary(self) -> Vocabulary:
        """Return the names of all symbols as they are now."""
        ...


class Rows(RowReader, Protocol):
    """The rows of an index that follows a tree. All methods raise ``RowsError``."""

    @property
    def path(self) -> Path | None:
        """Return the file that holds the rows; None for rows in memory."""
        ...

    @property
    def warning(self) -> str:
        """Return why the rows are in memory though they were to be kept; empty where that is not so."""
        ...

    @property
    def wanted(self) -> bool:
        """Return whether somebody in this process waits for a lock."""
        ...

    def lead(self) -> bool:
        """Become the one process that writes; False as long as another one is that."""
        ...

    def changed(self) -> bool:
        """Return whether another process has written since this thread asked last."""
        ...

    def release(self) -> None:
        """Let go of what this thread reads and writes by, until it does so again."""
        ...

    def renew(self) -> None:
        """Throw everything away and begin with empty rows."""
        ...

    def leave_disk(self, error: Exception) -> None:
        """Go on with empty rows in memory; what is on the disk stays, and another process may lead there."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...

    def files(self, at_once: int) -> Iterator[Sequence[File]]:
        """Yield all files, some at a time; their paths lack the name of the root."""
        ...

    def write_vocabulary(self) -> None:
        """Write what has changed of the vocabulary, once it is much."""
        ...

    def settle_vocabulary(self, stopped: Stopped) -> None:
        """Bring the vocabulary of names and the list of words into their final form; ends early when ``stopped``."""
        ...

    def writing(self) -> AbstractContextManager[RowWriter]:
        """Give what writes rows; they are committed together when it ends, and none of them after an error."""
        ...


class Stopped(Protocol):
    """Returns whether somebody has something more urgent to do."""

    def __call__(self) -> bool:
        """Return whether that is so."""
        ...
