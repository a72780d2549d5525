"""The files of an index as its database has them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from leadline_tools.index.files.file import Columns, File
from leadline_tools.index.files.file_table import AT_ONCE, FileTable
from leadline_tools.index.store.rows import Rows
from leadline_tools.index.tree.source import Tree


class StoredFiles:
    """The files in the database of an index, for the table in memory."""

    def __init__(self, tree: Tree, rows: Rows, files: FileTable) -> None:
        self._tree = tree
        self._rows = rows
        self._files = files

    def columns(self) -> Iterator[Columns]:
        """Yield all files, many at a time."""
        named = self._tree.named
        for some in self._rows.files(AT_ONCE):
            ids, paths, *others = zip(*some, strict=True)
            yield Columns(ids, list(map(named, paths)), *others)

    def adopt(self) -> None:
        """Take into the table what the database has of files as they are now."""
        for row in chain.from_iterable(map(Columns.files, self.columns())):
            known = self._files.get(row.path)
            if known is not None and known != row and (known[2:4] == row[2:4] or not known.id):
                self._files.change(row.path, partial(published, row))


def published(written: File, known: File) -> File:
    """Return what is known of a file once it was written; nothing but its row where it is not what it was by then."""
    return written if known[2:4] == written[2:4] else known.in_row(written.id)
