"""The parts of joined refs, which answer for several: they ask the database once, not once for each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice

from leadline_tools.index.files.file import SYMBOLS
from leadline_tools.index.hosted.hosted_files import Contents, HostedTree
from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader, Kind, holding
from leadline_tools.index.hosted.text.word_holders import count_holding, word_holders
from leadline_tools.index.index import Index
from leadline_tools.index.joined_index import (
    JoinedDefinedNames,
    JoinedFiles,
    JoinedScans,
    JoinedSymbols,
    Parts,
    RootTrees,
)
from leadline_tools.index.questions.defined_names import FileSymbols, unparsed_of
from leadline_tools.index.store.rows import Blob
from leadline_tools.index.store.words import tokens
from leadline_tools.index.tree.source import Reader
from leadline_tools.index.trees import Trees, TreesReader
from leadline_tools.languages.unparsed_names import UnparsedName
from leadline_tools.once import once

_AT_ONCE = 64
"""Files of which the symbols are read by one statement."""


class HostedDefinedNames(JoinedDefinedNames):
    """The names that the files of some refs define: rows of all of them are read by one statement."""

    def __init__(self, parts: Parts, reader: HostedReader) -> None:
        super().__init__(parts)
        self._hosted = parts
        self._reader = reader

    def files_defining(self, names: Sequence[Sequence[str]]) -> Iterable[str]:
        """Return the paths of the files that may define one of some names."""
        every = [word for words in names for word in words]
        for root, held in word_holders(self._reader, self._hosted, Kind.Names, every):
            yield from root.paths_of(frozenset().union(*(holding(held, words) for words in names)))

    def symbols(self, paths: Iterable[str]) -> Iterator[FileSymbols]:
        """Yield the symbols of the files at some paths, a few of which are read at once."""
        given = iter(paths)
        while some := list(islice(given, _AT_ONCE)):
            roots = [(path, root) for path in some if isinstance(root := self._hosted.at(path), HostedIndex)]
            files = [(file, root) for path, root in roots if (file := root.files.get(path)) is not None]
            packed = self._reader.packed(Blob.Symbols, [root.blob_of(file.id) for file, root in files])
            for file, root in files:
                symbols = packed.get(root.blob_of(file.id), b"")
                yield FileSymbols(file, symbols, file.digest if symbols and file.done & SYMBOLS else b"")

    def unparsed(self, paths: Iterable[str]) -> Iterator[tuple[str, UnparsedName]]:
        """Yield what lines that did not parse may declare, with the path of each; a few files are read at once."""
        given = iter(paths)
        while some := list(islice(given, _AT_ONCE)):
            roots = [(path, root) for path in some if isinstance(root := self._hosted.at(path), HostedIndex)]
            blobs = {path: root.blob_of(file.id) for path, root in roots if (file := root.files.get(path)) is not None}
            packed = self._reader.packed(Blob.Relations, [*blobs.values()])
            yield from ((path, one) for path, blob in blobs.items() for one in unparsed_of(packed.get(blob)))


class HostedSymbols(JoinedSymbols):
    """The symbols of the files of some refs."""

    def __init__(self, parts: Parts, of: Callable[[str], Index], reader: HostedReader) -> None:
        super().__init__(parts, of)
        self._hosted = parts
        self._reader = reader

    def fetch(self, paths: Iterable[str]) -> None:
        """Have the symbols of some files at hand, which are read by one statement, whichever ref has them."""
        roots = ((path, root) for path in paths if isinstance(root := self._hosted.at(path), HostedIndex))
        files = [(file.id, root) for path, root in roots if (file := root.files.get(path)) is not None]
        packed = self._reader.packed(Blob.Symbols, [root.blob_of(number) for number, root in files]) if files else {}
        for number, root in files:
            root.keep_packed(Blob.Symbols, number, packed.get(root.blob_of(number)))

    def count_files_defining(self, name: str) -> int:
        """Return how many files may define a name."""
        words = tokens(name)
        return count_holding(self._reader, self._hosted, Kind.Names, words) if words else 0


class NoScans(JoinedScans):
    """No looks at trees: all that there is to know of a ref was known when its index was made."""

    def is_done(self, seconds: float = 0) -> bool:  # noqa: ARG002  there is nothing to wait for
        """Return that the files are known."""
        return True

    def are_paths_known(self, seconds: float = 0) -> bool:  # noqa: ARG002  as above
        """Return that the paths are known."""
        return True

    def unscanned_roots(self, first: Collection[str], seconds: float, *, paths_alone: bool) -> Sequence[str]:  # noqa: ARG002
        """Return that no root is left to look at."""
        return ()


class HostedListedFiles(JoinedFiles):
    """The files of some refs, of which everything is computed once."""

    @property
    def state(self) -> str:
        """Return what names the states of the refs."""
        return self._only_state

    @property
    def binary(self) -> frozenset[str]:
        """Return the paths of the files that are no text."""
        return self._all_binary

    def textual_ids(self) -> Sequence[int]:
        """Return as many numbers as there are files whose definitions are found by whole names only."""
        return self._all_textual_ids

    @once
    def _only_state(self) -> str:
        return super().state

    @once
    def _all_binary(self) -> frozenset[str]:
        return super().binary

    @once
    def _all_textual_ids(self) -> Sequence[int]:
        return super().textual_ids()


class HostedTrees(Trees):
    """The files of some refs."""

    def __init__(self, parts: Parts, contents: Contents) -> None:
        super().__init__(RootTrees(parts))
        self._contents = contents

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        with ExitStack() as opened:
            yield _HostedTreesReader(self, self._contents, opened)


class _HostedTreesReader(TreesReader):
    """Reads many files of some refs: those that come next are read together, whichever ref has them."""

    def __init__(self, trees: HostedTrees, contents: Contents, opened: ExitStack) -> None:
        super().__init__(trees, trees.root_names, trees.each, opened)
        self._contents = contents

    def fetch(self, paths: Sequence[str]) -> None:
        """Have the contents of some files at hand."""
        trees = ((path, self._each.get(self._roots.of(path))) for path in paths)
        blobs = (tree.blob_of(path) for path, tree in trees if isinstance(tree, HostedTree))
        self._contents.fetch(blob for blob in blobs if blob is not None)
