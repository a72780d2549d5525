"""The marks of the files of a tree: code of the product, tests, copies of other projects, documentation and so on."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.tree.marks import Mark, mark_of

RANKED = frozenset({Mark.Product, Mark.Declarations})
"""What is code of the product."""

_ANY_NAME = "_"
"""The name of a file that says nothing of it."""


class FileMarks:
    """What each file of a tree is, copies of other projects included."""

    def __init__(self, copied: Sequence[str]) -> None:
        self._copied = tuple(copied)
        self._folders: dict[str, Mark] = {}
        self._files: dict[str, Mark] = {}

    def of(self, path: str) -> Mark:
        """Return what the file at a path is."""
        mark = self._files.get(path)
        if mark is None:
            folder, _, name = path.rpartition("/")
            mark = self._files[path] = self._of_folder(folder) or mark_of(name)
        return mark

    def _of_folder(self, folder: str) -> Mark:
        """Return what all files of a folder are by its path; that of the product where it does not say."""
        mark = self._folders.get(folder)
        if mark is None:
            inside = f"{folder}/{_ANY_NAME}" if folder else _ANY_NAME
            mark = Mark.Vendored if inside.startswith(self._copied) else mark_of(inside)
            self._folders[folder] = mark
        return mark

    def is_ranked(self, path: str) -> bool:
        """Return whether a file is code of the product."""
        return self.of(path) in RANKED
