"""The manifests of packages, as far as the resolution of modules rests on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from leadline_tools.errors import LeadlineError
from leadline_tools.index.files.file import File
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.tree.source import Tree

T = TypeVar("T")

_LARGEST = 64 << 10
"""Bytes of the largest manifest that is read."""

_MOST = 4 << 20
"""Bytes of all manifests of a tree that are read, those that lie nearest to its top first."""

Read = Callable[[bytes], Any]


class Manifests:
    """The manifests of a tree: each is read once, and again when it has changed."""

    def __init__(self, tree: Tree, files: ListedFiles, ending: Callable[[str], Sequence[str]]) -> None:
        """Take the files, and in ``ending`` what finds those with a name, the nearest to the top first."""
        self._tree = tree
        self._files = files
        self._ending = ending
        self._latest: dict[tuple[str, Read], tuple[str, Mapping[str, Any]]] = {}
        self._said: dict[tuple[str, Read], tuple[int, int, Any]] = {}

    def named(self, name: str, read: Callable[[bytes], tuple[str, T] | None]) -> Mapping[str, Sequence[tuple[str, T]]]:
        """Return what the files called ``name`` say, see ``Paths.manifests``.

        A file that cannot be read says nothing, nor does one that is too large for a manifest.
        """
        state = self._files.state
        kept = self._latest.get((name, read))
        if kept is None or kept[0] != state:
            found: dict[str, list[tuple[str, T]]] = {}
            left = _MOST
            for path in self._ending(name):
                file = self._files.get(path)
                if file is None or file.size > min(left, _LARGEST):
                    continue
                left -= file.size
                said = self._of(file, read)
                if said is not None:
                    found.setdefault(said[0], []).append((path, said[1]))
            kept = self._latest[name, read] = state, found
        return kept[1]

    def at(self, path: str, read: Callable[[bytes], T | None]) -> T | None:
        """Return what ``read`` makes of the file at ``path``, see ``Paths.manifest``."""
        file = self._files.get(path)
        said: T | None = self._of(file, read) if file is not None and file.size <= _LARGEST else None
        return said

    def _of(self, file: File, read: Read) -> Any:
        known = self._said.get((file.path, read))
        if known is None or known[:2] != (file.size, file.changed_ns):
            try:
                content = self._tree.read(file.path).content
            except LeadlineError:
                return None
            known = self._said[file.path, read] = file.size, file.changed_ns, read(content)
        return known[2]
