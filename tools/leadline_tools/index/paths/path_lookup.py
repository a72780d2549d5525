"""The look-up of a path: the file or folder that it names, where it ends, and what was meant if there is none.

Modules are resolved with it too: it is the ``Paths`` of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from leadline_tools.errors import LeadlineError, NotListed, PathNotFound
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.paths.layout import Layout
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.paths.manifests import Manifests
from leadline_tools.index.paths.unlisted import Unlisted
from leadline_tools.index.tree.source import Tree
from leadline_tools.likeness import most_alike_files, nearest

T = TypeVar("T")

_LIKENESS = 0.75
"""From 0 to 1: paths less alike are not taken for one another."""

_FOLDER_LIKENESS = 0.65
"""The same for the names of folders, which are short: of three letters, two may have changed places."""

_MOST_MEANT = 3
"""Names that a path that there is not may have been meant to end with."""

_MOST_COMPARED = 20_000
"""Names among which the most similar is looked for."""

_LINE = re.compile(r"(?P<path>.+?)(?::L?|#L)(?P<line>\d{1,9})(?:\D.*)?")
"""A path with a line behind it."""


class PathLookup:
    """The paths of a tree, by what they are called and where they lie."""

    def __init__(self, tree: Tree, files: ListedFiles, unlisted: Unlisted, scan: FirstScan) -> None:
        self._tree = tree
        self._files = files
        self._unlisted = unlisted
        self._scan = scan
        self._layout_of_paths = Layout(())
        self._manifests = Manifests(tree, files, self.ending)

    def exists(self, path: str) -> bool:
        """Return whether there is a file at ``path``."""
        return path in self._files

    def has_line(self, path: str, line: int) -> bool:
        """Return whether a file can be read and has a line, 1-based; an empty one has the first."""
        try:
            return self._tree.read(path).has_line(line)
        except LeadlineError:
            return False

    def locate(self, path: str) -> str:
        """Return a path as the tree names it; raises PathOutside, and PathNotFound for one of no root."""
        try:
            return self._tree.inside(path)
        except PathNotFound:
            raise PathNotFound(path, self.nearest(path)) from None

    def folder(self, path: str) -> str:
        """Return a folder as the tree names it; raises PathNotFound for what is neither folder nor file."""
        inside = self.locate(path)
        if self._files.has_folder(inside) or inside in self._files:
            return inside
        if self._tree.has_folder(inside):  # an empty one
            return inside
        reason = self._unlisted.reason(inside)
        if reason:
            raise NotListed(path, reason)
        raise PathNotFound(path, self.nearest(inside))

    def ending(self, suffix: str) -> Sequence[str]:
        """Return the files whose path is ``suffix`` or ends in ``/suffix``, shortest first."""
        return self._layout().ending(suffix)

    def inside(self, folder: str) -> Sequence[str]:
        """Return the files directly in the folder whose path is ``folder`` or ends in ``/folder``."""
        return self._layout().inside(folder)

    def below(self, folder: str) -> Sequence[str]:
        """Return the files in the folder whose path is ``folder`` and in the folders in it."""
        return self._layout().below(folder)

    def folders_with(self, folder: str, endings: tuple[str, ...]) -> Sequence[str]:
        """Return the folders whose path is ``folder`` or ends in ``/folder`` and that hold files of some endings."""
        return self._layout().folders_with(folder, endings)

    def is_alone(self, path: str) -> bool:
        """Return whether no other file has the name of the file at ``path``."""
        return len(self._layout().named(path.rpartition("/")[2])) <= 1

    def manifests(
        self, name: str, read: Callable[[bytes], tuple[str, T] | None]
    ) -> Mapping[str, Sequence[tuple[str, T]]]:
        """Return what files called ``name`` say of packages, by the names of those: the path of each, and the rest.

        ``read`` gives the name of a package and what else is said of it, from the content of a file; None for none.
        """
        return self._manifests.named(name, read)

    def manifest(self, path: str, read: Callable[[bytes], T | None]) -> T | None:
        """Return what ``read`` makes of the file at ``path``; None where it cannot be read or is no manifest."""
        return self._manifests.at(path, read)

    def nearest(self, path: str) -> str | None:
        """Return the path that was probably meant: the same name elsewhere, else the most similar path.

        Where a line is named behind it, that is the path of a file which has this line.
        """
        place = _LINE.fullmatch(path)
        if place is not None:
            near = self.nearest(place["path"]) if not self.exists(place["path"]) else place["path"]
            return near if near is not None and self.has_line(near, int(place["line"])) else None
        self._scan.is_done_soon()
        name = path.rpartition("/")[2]
        layout = self._layout()
        same = layout.named(name)
        if same:
            return nearest(path, same, 0)
        names = layout.names
        if len(names) > _MOST_COMPARED:
            return None
        near = most_alike_files(name, names, _MOST_MEANT, _LIKENESS)
        folder = nearest(name, layout.folders, _FOLDER_LIKENESS)
        if near and ("." in name or not folder):
            return nearest(path, [other for one in near for other in layout.named(one)], 0)
        return nearest(path, layout.folders[folder], 0) if folder else None

    def _layout(self) -> Layout:
        """Return where the files are; kept as long as no path comes or goes."""
        kept, paths = self._layout_of_paths, self._files.paths
        if kept.paths is not paths:
            kept = self._layout_of_paths = Layout(paths)
        return kept
