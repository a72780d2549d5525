"""Unlisted files: what lies in a tree and is not listed, and why."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.walked_files import Skipped


class Unlisted:
    """What of the tree of an index is not listed."""

    def __init__(self, tree: RootTree, indexer: Indexer, files: ListedFiles) -> None:
        self._tree = tree
        self._indexer = indexer
        self._files = files

    @property
    def skipped(self) -> Sequence[Skipped]:
        """Return what the walk of the tree has left out, with the reasons."""
        walked = self._indexer.walked
        return [one._replace(path=self._tree.named(one.path)) for one in walked.skipped] if walked is not None else ()

    @property
    def rules_ignored(self) -> bool:
        """Return whether the ignore rules of the tree leave nothing, so that files are listed without them."""
        walked = self._indexer.walked
        return walked is not None and walked.ignored_everything

    def reason(self, path: str) -> str:
        """Return why what lies at a path of the tree is not listed; empty where it is, or where nothing lies there."""
        bare = self._tree.bare(path)
        listed = path in self._files or self._files.has_folder(path)
        return "" if listed or not bare else self._tree.why_unlisted(bare, self._indexer.walked)
