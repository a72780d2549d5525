"""Unlisted files: what lies in a tree and is not listed, and why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.tree.ignoring import GIVEN, Ignoring
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.tree.walk import Skipped


class Unlisted:
    """What of the tree of an index is not listed."""

    def __init__(self, tree: Tree, indexer: Indexer, files: ListedFiles) -> None:
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
        tree = self._tree
        bare = tree.bare(path)
        listed = path in self._files or self._files.has_folder(path)
        if listed or not bare or not os.path.lexists(tree.on_disk(path)):
            return ""
        walked = self._indexer.walked
        for skipped in walked.skipped if walked is not None else ():
            if bare == skipped.path or bare.startswith(f"{skipped.path}/"):
                return f"{tree.named(skipped.path)} is skipped: {skipped.reason}"
        if ".git" in bare.split("/"):
            return "it belongs to git"
        is_folder = Path(tree.on_disk(path)).is_dir()
        file = Ignoring(Tree(tree.root, exclude=tree.exclude)).ignored_by(bare, is_folder)
        if file:
            return f"ignored by {file if file == GIVEN else tree.named(file)}"
        return "" if is_folder else "ignored by rules above the root"
