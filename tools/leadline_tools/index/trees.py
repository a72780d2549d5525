"""Several trees as one, for what reads and writes files by their paths: ``workspace`` says which roots they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from pathlib import Path

from leadline_tools.errors import IsFolder, PathNotFound, PathOutside
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.text.source_text import Known, Source
from leadline_tools.index.tree.descent import inside, is_absolute
from leadline_tools.index.tree.source import LIMIT, Reader, Tree


class Trees(Tree):
    """The files beneath several roots; a path goes to the root whose name it begins with."""

    def __init__(self, trees: Mapping[str, Tree]) -> None:
        first = next(iter(trees.values()), None)
        root, policy, exclude = (Path(), None, ()) if first is None else (first.root, first.policy, first.exclude)
        super().__init__(root, policy, "", exclude, ())
        self._trees = trees
        self._roots = RootNames(trees)
        self.known = self._known_of

    def _known_of(self, path: str) -> Known | None:
        tree = self._trees.get(self._roots.of(path))
        return None if tree is None else tree.known(path)

    def inside(self, path: str) -> str:
        """Return ``path`` as the trees name it; it may be absolute where that lies beneath a root."""
        if is_absolute(path):
            for tree in self._trees.values():
                with suppress(PathOutside):
                    return tree.inside(path)
        meant = inside(path)
        if not self._roots.of(meant) and not self._roots.is_above(meant):
            raise PathNotFound(path)
        return meant

    def _of(self, path: str) -> Tree:
        tree = self._trees.get(self._roots.of(path))
        if tree is None:
            raise IsFolder(path) if self._roots.is_above(path) else PathNotFound(path)
        return tree

    def named(self, bare: str) -> str:
        """Return the path: it has the name of its root already."""
        return bare

    def bare(self, path: str) -> str:
        """Return the path: what it is relative to its root, only that says."""
        return path

    def is_root(self, path: str) -> bool:
        """Return whether a path is that of a root, or of all of them."""
        return path in self._trees or self._roots.is_above(path)

    def why_read_only(self, path: str) -> str:
        """Return why the file at a path can never be edited; empty where it may be."""
        return self._of(path).why_read_only(path)

    def has_folder(self, path: str) -> bool:
        """Return whether there is a folder at a path of a root, though it may be empty."""
        tree = self._trees.get(self._roots.of(path))
        return self._roots.is_above(path) or (tree is not None and tree.has_folder(path))

    def is_executable(self, path: str) -> bool:
        """Return whether a file is marked as a program."""
        return self._of(path).is_executable(path)

    def on_disk(self, path: str) -> str:
        """Return where the system has a path of a root."""
        return self._of(path).on_disk(path)

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file, or raise the ``PathError`` that says why not."""
        path = self.inside(path)
        return self._of(path).read(path, limit)

    def read_bytes(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as the disk has it; one that is reached through a symbolic link is refused."""
        path = self.inside(path)
        return self._of(path).read_bytes(path, limit)

    def read_raw(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as the disk has it, binary or not, keys included: not for answers."""
        path = self.inside(path)
        return self._of(path).read_raw(path, limit)

    def open_folder(self, folder: str) -> int:
        """Return a descriptor of a folder of a root; the caller closes it."""
        return self._of(folder).open_folder(folder)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        with ExitStack() as readers:
            yield _Reader(
                self, self._roots, {name: readers.enter_context(tree.reading()) for name, tree in self._trees.items()}
            )


class _Reader(Reader):
    """Reads many files of several roots."""

    def __init__(self, trees: Trees, names: RootNames, readers: Mapping[str, Reader]) -> None:
        super().__init__(trees)
        self._roots = names
        self._readers = readers

    def fetch(self, paths: Sequence[str]) -> None:
        """Have the contents of some files at hand, where it takes less to read them together."""
        for root, own in groupby(paths, self._roots.of):
            if root:
                self._readers[root].fetch(list(own))

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file as the disk has them; None where it cannot be read, or is larger."""
        reader = self._readers.get(self._roots.of(path))
        return None if reader is None else reader.raw(path, limit)

    def sift(self, path: str, wanted: Callable[[bytes | bytearray, int], bool]) -> bytes | None:
        """Return the bytes of a file if they are wanted, else none at all; None where it cannot be read."""
        reader = self._readers.get(self._roots.of(path))
        return None if reader is None else reader.sift(path, wanted)

    def sifted_text(self, path: str, raw: bytes) -> bytes | None:
        """Return the text of the file that was sifted last; None for a binary one."""
        reader = self._readers.get(self._roots.of(path))
        return None if reader is None else reader.sifted_text(path, raw)
