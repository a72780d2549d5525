"""The tree of a root that is a folder on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.index.tree.disk.git_files import find_repository
from leadline_tools.index.tree.disk.walk import PathScan, look, walk
from leadline_tools.index.tree.ignoring import GIVEN, Ignoring
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.walked_files import Walked

_NOTHING = Walked([], (), 0, ignored_everything=False, source="folder")
"""What is found where there is no tree."""


class DiskTree(DiskFiles, RootTree):
    """The files beneath a folder, as git lists them or a walk does."""

    @property
    def is_replaced(self) -> bool:
        """Return whether a link has taken the place of the root: what it leads to is no part of the tree."""
        return self.root.is_symlink()

    def walk(self) -> Walked:
        """List the files of the tree as it is now, but those that the rules leave out."""
        return _NOTHING if self.is_replaced else walk(self.root, self.exclude)

    def scan(self) -> PathScan | None:
        """Find the paths of the files: to look at each takes three times as long."""
        return None if self.is_replaced else PathScan(self.root, self.exclude)

    def look(self, paths: Iterable[str]) -> Walked:
        """Look at some paths as a walk does, whatever the rules say of them; a folder among them is not entered."""
        return _NOTHING if self.is_replaced else look(self.root, paths)

    def why_unlisted(self, bare: str, walked: Walked | None) -> str:
        """Return why what lies at a path is not listed; empty where nothing lies there."""
        files = DiskFiles(self.root, exclude=self.exclude)
        if not files.has(bare):
            return ""
        for skipped in walked.skipped if walked is not None else ():
            if bare == skipped.path or bare.startswith(f"{skipped.path}/"):
                return f"{self.named(skipped.path)} is skipped: {skipped.reason}"
        if ".git" in bare.split("/"):
            return "it belongs to git"
        is_folder = Path(files.on_disk(bare)).is_dir()
        file = Ignoring(files).ignored_by(bare, is_folder)
        if file:
            return f"ignored by {file if file == GIVEN else self.named(file)}"
        return "" if is_folder else "ignored by rules above the root"

    @property
    def contents(self) -> str:
        """Return the repository that the folder is in, which its other work trees and commits share."""
        repository = find_repository(self.root)
        return os.path.realpath(repository.shared) if repository is not None else ""

    def has_moved(self) -> None:
        """Return None: the system reports changes, see ``changes``."""
