"""*Siblings*: the indexes of trees that share contents, such as two branches of a repository, or two of its work trees.

They are known by empty files in the cache, in a folder for each place that keeps contents. Each sibling is read only:
its own server writes it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import apsw

from leadline_tools.index.files.file import SYMBOLS, TEXTUAL
from leadline_tools.index.store.database import private_folder
from leadline_tools.index.store.fingerprint import fingerprint

_BUSY_MILLISECONDS = 200

_FOUND = f"select id, digest, path from file where done & {SYMBOLS} and error = '' and length(digest) = 16"  # noqa: S608
_SYMBOLS = f"""
select file.lines, file.done, symbols.blob, included.blob, related.blob from file
left join symbols on symbols.file = file.id left join included on included.file = file.id
left join related on related.file = file.id
where file.id = ? and file.digest = ? and file.done & {SYMBOLS} and file.error = ''"""  # noqa: S608  numbers


class SharedContent(NamedTuple):
    """A content, and the name of a file that holds it: what a worker finds in it depends on no more."""

    digest: bytes
    name: str


class StoredSymbols(NamedTuple):
    """What an index has of the symbols of a file: its lines, and packed what a worker has sent."""

    lines: int
    textual: bool
    symbols: bytes
    included: bytes
    related: bytes


class Siblings:
    """The indexes that share contents with one.

    Args:
        folder: Where they are registered.
        own: The file of that one.

    """

    def __init__(self, folder: Path, own: Path) -> None:
        self._folder = folder
        self._own = own

    def register(self) -> None:
        """Let others know of this one; nothing where the disk refuses."""
        with contextlib.suppress(OSError):
            private_folder(self._folder.parent)
            private_folder(self._folder)
            (self._folder / self._own.name).touch()

    def others(self) -> Sequence[Path]:
        """Return the files of the others that there are."""
        with contextlib.suppress(OSError):
            names = sorted(entry.name for entry in self._folder.iterdir() if entry.name != self._own.name)
            return [file for name in names if (file := self._own.with_name(name)).is_file()]
        return ()


class SiblingIndex:
    """The index of a sibling, for one thread.

    Args:
        path: Its file.

    """

    def __init__(self, path: Path) -> None:
        """Open it. Raises apsw.Error, also for one of another version."""
        self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        self._connection.set_busy_timeout(_BUSY_MILLISECONDS)
        row = self._connection.execute("select value from meta where key='fingerprint'").fetchone()
        if row is None or row[0] != fingerprint():
            raise apsw.Error("another version")

    def version(self) -> object:
        """Return what differs once the sibling was written. Raises apsw.Error."""
        return self._connection.execute("pragma data_version").fetchone()

    def contents(self) -> Mapping[SharedContent, int]:
        """Return the contents whose symbols it has, with the ids of their files. Raises apsw.Error."""
        return dict(self._contents())

    def _contents(self) -> Iterator[tuple[SharedContent, int]]:
        for number, digest, path in self._connection.execute(_FOUND):
            if isinstance(digest, bytes) and isinstance(path, bytes):
                name = path.rpartition(b"/")[2].decode("utf-8", "surrogateescape")
                yield SharedContent(digest, name), number

    def symbols(self, file: int, digest: bytes) -> StoredSymbols | None:
        """Return the symbols of a file with a content; None where it has another one by now. Raises apsw.Error."""
        row = self._connection.execute(_SYMBOLS, (file, digest)).fetchone()
        if row is None:
            return None
        lines, done, *blobs = row
        symbols, included, related = (blob if isinstance(blob, bytes) else b"" for blob in blobs)
        return StoredSymbols(int(lines), bool(int(done) & TEXTUAL), symbols, included, related)

    def close(self) -> None:
        """Read no more."""
        self._connection.close()
