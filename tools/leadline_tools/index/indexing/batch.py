"""The rows of one transaction: what was found of some files, and the files that are gone."""

from __future__ import annotations

from collections import deque

from leadline_tools.index.files.file import File
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.store.rows import Blob, RowWriter
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers.frames import Reply


class Batch:
    """What is written together, and published once it is committed.

    Attributes:
        written: The files as they are written, by path.
        deleted: The rows that are deleted.

    """

    def __init__(self, tree: Tree, files: FileTable) -> None:
        self._tree = tree
        self._files = files
        self.written: dict[str, File] = {}
        self.deleted: list[int] = []
        self._symbols: dict[int, bytes] = {}
        self._included: dict[int, bytes] = {}
        self._related: dict[int, bytes] = {}
        self._last_row = 0

    def clear(self) -> None:
        """Begin with nothing."""
        self.written.clear()
        self._symbols.clear()
        self._included.clear()
        self._related.clear()
        self.deleted.clear()
        self._last_row = 0

    def has_symbols(self, file: File) -> bool:
        """Return whether the symbols of a file are among what is written."""
        return file.id in self._symbols

    def put_symbols(self, file: File, reply: Reply) -> None:
        """Take what a worker found in a file."""
        self._symbols[file.id] = reply.payload
        self._included[file.id] = reply.included
        self._related[file.id] = reply.related

    def delete(self, writer: RowWriter, gone: deque[int]) -> None:
        """Delete the rows of files that are gone."""
        while gone:
            row = gone.popleft()
            self.deleted.append(row)
            writer.delete_file(row)

    def file(self, writer: RowWriter, path: str) -> File | None:
        """Return a file as this batch has it so far, with the number of its row; None for one that is gone."""
        known = self._files.get(path)
        if known is None:
            return None
        written = self.written.get(path)
        if written is not None and written[2:4] == known[2:4]:
            return written
        number = known.id or (written.id if written is not None else 0)
        if not number:
            number = writer.file_id(self._tree.bare(path)) or self._next_row(writer)
        return known.in_row(number)

    def _next_row(self, writer: RowWriter) -> int:
        """Return a number that no file has had; only who leads gives numbers, one transaction at a time."""
        if not self._last_row:
            self._last_row = writer.last_id()
        self._last_row += 1
        return self._last_row

    def write(self, writer: RowWriter) -> None:
        """Write the rows of this batch."""
        files = self.written.values()
        bare = self._tree.bare
        writer.put_files(
            file if bare(file.path) == file.path else file._replace(path=bare(file.path)) for file in files
        )
        writer.put_blobs(Blob.Symbols, self._symbols)
        writer.put_blobs(Blob.Includes, self._included)
        writer.put_blobs(Blob.Relations, self._related)
