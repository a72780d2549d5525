"""The paths of a tree by file name and by folder.

They are sorted by each and found by bisection: a list of paths takes a tenth of what a dict of lists does, and a large
tree has 80,000 of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence

from leadline_tools.once import once

_BEHIND_SLASH = chr(ord("/") + 1)
"""The character behind that which separates folders: before it all files of a folder are sorted."""


class Layout:
    """The files of a tree by where they are, for as long as no path comes or goes.

    Args:
        paths: All paths, sorted.

    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths

    def named(self, name: str) -> Sequence[str]:
        """Return the files that have a name, in whatever folder."""
        return _with(self._by_name, _name, name)

    def ending(self, suffix: str) -> Sequence[str]:
        """Return the files whose path is ``suffix`` or ends in ``/suffix``, shortest first."""
        whole = f"/{suffix}"
        found = [path for path in self.named(_name(suffix)) if f"/{path}".endswith(whole)]
        return sorted(found, key=lambda path: (len(path), path))

    def inside(self, folder: str) -> Sequence[str]:
        """Return the files directly in the folder whose path is ``folder`` or ends in ``/folder``."""
        whole = f"/{folder}"
        named = self.folders.get(_name(folder), ()) if folder else ("",)
        parents = [one for one in named if f"/{one}".endswith(whole)]
        return [path for parent in parents for path in _with(self._by_folder, _folder, parent)]

    def folders_with(self, folder: str, endings: tuple[str, ...]) -> Sequence[str]:
        """Return the folders whose path is ``folder`` or ends in ``/folder``, shortest first.

        They have a file in them or below whose name has one of the endings.
        """
        whole = f"/{folder}"
        named = [one for one in self.folders.get(_name(folder), ()) if f"/{one}".endswith(whole)]
        found = [one for one in named if any(path.endswith(endings) for path in self.below(one))]
        return sorted(found, key=lambda path: (len(path), path))

    def below(self, folder: str) -> Sequence[str]:
        """Return the files in the folder whose path is ``folder`` and in the folders in it."""
        if not folder:
            return self.paths
        first = bisect_left(self.paths, f"{folder}/")
        return self.paths[first : bisect_left(self.paths, f"{folder}{_BEHIND_SLASH}", first)]

    @property
    def names(self) -> Collection[str]:
        """Return the names of files, each once."""
        return dict.fromkeys(map(_name, self._by_name))

    @once
    def folders(self) -> Mapping[str, Sequence[str]]:
        """Return the folders with files in them or below, sorted, by their own names; the top is left out."""
        known: set[str] = set()
        for folder in dict.fromkeys(map(_folder, self._by_folder)):
            above = folder
            while above and above not in known:
                known.add(above)
                above = _folder(above)
        folders: dict[str, list[str]] = {}
        for folder in sorted(known):
            folders.setdefault(_name(folder), []).append(folder)
        return folders

    @once
    def _by_name(self) -> Sequence[str]:
        return sorted(self.paths, key=_name)

    @once
    def _by_folder(self) -> Sequence[str]:
        return sorted(self.paths, key=_folder)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _with(ordered: Sequence[str], key: Callable[[str], str], value: str) -> Sequence[str]:
    """Return the paths that have a value, of those that are sorted by it."""
    first = bisect_left(ordered, value, key=key)
    return ordered[first : bisect_right(ordered, value, first, key=key)]
