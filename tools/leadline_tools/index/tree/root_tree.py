"""The tree of one root: its files can be listed, and it is known when they change."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from leadline_tools.index.tree.source import Tree
from leadline_tools.index.tree.walked_files import Scan, Walked


class RootTree(Tree):
    """What an index is made of. All paths that are listed are bare: those beneath the root, without its name."""

    @abstractmethod
    def walk(self) -> Walked:
        """List the files of the tree as it is now, but those that the rules leave out."""

    @abstractmethod
    def scan(self) -> Scan | None:
        """Find the paths of the files; None where that takes as long as a walk."""

    @abstractmethod
    def look(self, paths: Iterable[str]) -> Walked:
        """Look at some paths as a walk does, whatever the rules say of them; a folder among them is not entered."""

    @abstractmethod
    def why_unlisted(self, bare: str, walked: Walked | None) -> str:
        """Return why what lies at a path is not listed, as a sentence; empty where nothing lies there.

        Args:
            bare: A path that is neither that of a listed file nor of a folder that holds some.
            walked: What the latest walk found besides files, None before the first one.

        """

    @property
    def contents(self) -> str:
        """Return what identifies the place that keeps the contents, and those of others too; empty for none."""
        return ""

    @abstractmethod
    def has_moved(self) -> bool | None:
        """Return whether a walk would find other files than the last one, at a cost that each question can bear.

        None where only a watcher of folders, or a walk itself, tells.
        """
