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
    """The files beneath several roots; a path goes to the root whose name it begins with.

    Attributes:
        each: The tree of each root by name.
        root_names: Their names.

    """

    def __init__(self, trees: Mapping[str, Tree]) -> None:
        first = next(iter(trees.values()), None)
        root, policy, exclude = (Path(), None, ()) if first is None else (first.root, first.policy, first.exclude)
        super().__init__(root, policy, "", exclude, ())
        self.each = trees
        self.root_names = RootNames(trees)
        self.known = self._known_of

    def _known_of(self, path: str) -> Known | None:
        tree = self.each.get(self.root_names.of(path))
        return None if tree is None else tree.known(path)

    def inside(self, path: str) -> str:
        """Return ``path`` as the trees name it; it may be absolute where that lies beneath a root."""
        if is_absolute(path):
            for tree in self.each.values():
                with suppress(PathOutside):
                    return tree.inside(path)
        meant = inside(path)
        if not self.root_names.of(meant) and not self.root_names.is_above(meant):
            raise PathNotFound(path)
        return meant

    def _of(self, path: str) -> Tree:
        tree = self.each.get(self.root_names.of(path))
        if tree is None:
            raise IsFolder(path) if self.root_names.is_above(path) else PathNotFound(path)
        return tree

    def named(self, bare: str) -> str:
        """Return the path: it has the name of its root already."""
        return bare

    def bare(self, path: str) -> str:
        """Return the path: what it is relative to its root, only that says."""
        return path

    def is_root(self, path: str) -> bool:
        """Return whether a path is that of a root, or of all of them."""
        return path in self.each or self.root_names.is_above(path)

    def why_read_only(self, path: str) -> str:
        """Return why the file at a path can never be edited; empty where it may be."""
        return self._of(path).why_read_only(path)

    def has_folder(self, path: str) -> bool:
        """Return whether there is a folder at a path of a root, though it may be empty."""
        tree = self.each.get(self.root_names.of(path))
        return self.root_names.is_above(path) or (tree is not None and tree.has_folder(path))

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
            yield TreesReader(self, self.root_names, self.each, readers)


class TreesReader(Reader):
    """Reads many files of several roots; what reads those of one is opened with the first of them.

    Args:
        trees: The roots as one tree.
        names: Their names.
        each: The tree of each by name.
        opened: Closes what was opened.

    """

    def __init__(self, trees: Tree, names: RootNames, each: Mapping[str, Tree], opened: ExitStack) -> None:
        super().__init__(trees)
        self._roots = names
        self._each = each
        self._opened = opened
        self._readers: dict[str, Reader] = {}

    def _reader(self, path: str) -> Reader | None:
        """Return what reads the files of the root that holds a path; None where none does."""
        name = self._roots.of(path)
        if name and name not in self._readers:
            self._readers[name] = self._opened.enter_context(self._each[name].reading())
        return self._readers.get(name)

    def fetch(self, paths: Sequence[str]) -> None:
        """Have the contents of some files at hand, where it takes less to read them together."""
        for root, own in groupby(paths, self._roots.of):
            some = list(own)
            reader = self._reader(some[0]) if root else None
            if reader is not None:
                reader.fetch(some)

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file as the disk has them; None where it cannot be read, or is larger."""
        reader = self._reader(path)
        return None if reader is None else reader.raw(path, limit)

    def sift(self, path: str, wanted: Callable[[bytes | bytearray, int], bool]) -> bytes | None:
        """Return the bytes of a file if they are wanted, else none at all; None where it cannot be read."""
        reader = self._reader(path)
        return None if reader is None else reader.sift(path, wanted)

    def sifted_text(self, path: str, raw: bytes) -> bytes | None:
        """Return the text of the file that was sifted last; None for a binary one."""
        reader = self._reader(path)
        return None if reader is None else reader.sifted_text(path, raw)
