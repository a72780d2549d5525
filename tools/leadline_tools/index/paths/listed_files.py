"""The files that a tree lists, by path and by row, with what is known of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from leadline_tools.errors import StillLooking
from leadline_tools.index.files.file import File, Listing
from leadline_tools.index.files.file_list import LOOKED_AT
from leadline_tools.index.files.file_table import below
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.store.rows import RowReader
from leadline_tools.index.tree.source import Tree


class ListedFiles:
    """The listed files of an index, always as the tree is."""

    def __init__(self, tree: Tree, indexer: Indexer, rows: RowReader, scan: FirstScan) -> None:
        self._tree = tree
        self._indexer = indexer
        self._rows = rows
        self._scan = scan
        self._secret: tuple[Sequence[str], frozenset[str]] | None = None
        self._binary: tuple[tuple[str, int], frozenset[str]] = (("", -1), frozenset())
        self._textual: tuple[tuple[str, int, int], Sequence[int]] = (("", -1, -1), ())

    @property
    def state(self) -> str:
        """Return what names the present state of the tree, and of an index that was rebuilt meanwhile."""
        generation = self._rows.generation
        return f"{self._indexer.known.state}-{generation}" if generation else self._indexer.known.state

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths of all files, sorted; the very same as long as no file comes or goes."""
        return self._indexer.known.paths()

    def __contains__(self, path: str) -> bool:
        return path in self._indexer.known

    def has_folder(self, path: str) -> bool:
        """Return whether there are files below ``path``; a root is a folder even when it is empty."""
        return self._tree.is_root(path) or bool(below(self.paths, path))

    def get(self, path: str) -> File | None:
        """Return the file at a path as the tree names it."""
        return self._indexer.files.get(path)

    def below(self, folder: str = "") -> list[File]:
        """Return the files below a folder, in the order of their paths."""
        table = self._indexer.files
        return [file for path in table.below(folder) if (file := table.get(path)) is not None]

    def size(self, path: str) -> int:
        """Return the bytes of the file at a path; 0 where there is none."""
        return self._indexer.known.size(path)

    def listing(self, paths: Iterable[str]) -> Iterator[Listing]:
        """Yield what a list tells of files at some paths, many at a time; those that are not there are left out.

        Of a tree of which but the paths are known, a few are looked at now; for more the look at the tree is awaited,
        which may raise StillLooking.
        """
        given = iter(paths)
        if self._indexer.known.are_paths_alone:
            few = list(islice(given, LOOKED_AT + 1))
            if len(few) <= LOOKED_AT:
                yield self._indexer.known.look_at(few)
                return
            self._scan.wait()
            if self._indexer.known.are_paths_alone:  # it was closed before that
                raise StillLooking(0)
            given = chain(few, given)
        yield from self._indexer.files.listing(given)

    @property
    def failed(self) -> Sequence[File]:
        """Return the files of which something could not be indexed, with the reasons."""
        return self._indexer.files.failed()

    @property
    def secret(self) -> frozenset[str]:
        """Return the paths of the files that are neither read nor searched, since they hold secrets."""
        paths = self.paths
        if self._secret is None or self._secret[0] is not paths:
            self._secret = paths, self._tree.policy.secret_paths(paths)
        return self._secret[1]

    @property
    def binary(self) -> frozenset[str]:
        """Return the paths of the files that were looked into and are no text: nothing is looked for in them.

        Of files that are secret, too large for the index, or could not be read, it is not known whether they are text.
        """
        table = self._indexer.files
        state = self.state, table.progress.texts
        if self._binary[0] != state:
            listed = chain.from_iterable(zip(one.paths, one.binary, strict=True) for one in table.listing(self.paths))
            is_no_text = frozenset(path for path, is_binary in listed if is_binary)
            unread = (one.path for one in table.failed())
            self._binary = state, is_no_text.difference(self.secret, table.progress.large(), unread)
        return self._binary[1]

    # By their rows, which only the files of one root have

    def by_id(self, number: int) -> File | None:
        """Return the file of a row of the database."""
        return self._indexer.files.by_id(number)

    def paths_of(self, numbers: Iterable[int]) -> Sequence[str]:
        """Return the paths of the files of some rows; those of none are left out."""
        return self._indexer.files.paths_of(numbers)

    def textual_ids(self) -> Sequence[int]:
        """Return the rows of the files whose definitions are found by their words, and so by whole names only."""
        table = self._indexer.files
        state = self.state, table.progress.symbols, table.progress.textual_count
        if self._textual[0] != state:
            rows = map(table.row, table.progress.textual)
            self._textual = state, [row for row in rows if row is not None]
        return self._textual[1]
