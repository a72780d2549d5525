"""Changed paths, as any watcher reports them: those that may have changed, or the need for a full check."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.disk.repositories import git_folder
from leadline_tools.index.tree.ignoring import OWN_RULES, Ignoring
from leadline_tools.index.tree.walked_files import Walked

_MOST = 20_000
"""Paths that are kept between two calls; more than that a full check looks at as fast."""

RULES = frozenset({".gitignore", OWN_RULES, ".git"})
"""Names that decide on what a folder lists: those of ignore files, and that of a repository."""


class ChangedPaths(NamedTuple):
    """What has happened to a tree: paths relative to its root, with surrogates where a name is not UTF-8.

    What was written, touched or made readable is among ``paths``, and so is what came and went. That of a folder stands
    for all beneath it. A path says nothing of what is there now. Its file has to be read again even if its size and
    its time are as they were, because a clock that ticks slowly hides an edit that leaves the size.

    ``everything`` asks for a walk of the whole tree, besides.
    """

    paths: frozenset[str]
    everything: bool


class ChangeCollector:
    """Gathers what was touched, as far as it can concern the list of files."""

    def __init__(self, tree: DiskTree, known: Callable[[str], bool]) -> None:
        """``known`` tells whether a path is that of a listed file."""
        self._tree = tree
        self._known = known
        self._paths: set[str] = set()
        self._everything = False
        self._ruled = True
        self._local = True
        self._skipped: frozenset[str] = frozenset()
        self._left_out: frozenset[str] = frozenset()
        self._links: Mapping[str, list[str]] = {}
        self._listed: set[str] = set()  # when they were touched; git may track what a rule ignores
        self._ignoring = Ignoring(tree)

    def walked(self, walked: Walked) -> None:
        """Take what a full check found as the state from which changes are told."""
        self._ruled = not walked.ignored_everything
        self._local = walked.source != "git" or (self._tree.root / ".git").is_dir()
        self._skipped = frozenset(skipped.path for skipped in walked.skipped)
        self._left_out = frozenset(walked.left_out)
        links: dict[str, list[str]] = {}
        for link in walked.links:
            links.setdefault(link.target, []).append(link.path)
        self._links = links
        self._listed.clear()

    def doubt(self) -> None:
        """Ask for a full check."""
        self._everything = True

    def leaves_out(self, folder: str) -> bool:
        """Return whether the list has nothing of a folder, whatever comes into it."""
        if _is_git(folder) or self.is_left_out(folder):
            return True
        ignored = self._ruled and self._ignoring.ignored(folder, True)
        return ignored and not any(path.startswith(f"{folder}/") for path in chain(self._listed, self._links))

    def is_left_out(self, path: str) -> bool:
        """Return whether a path is in a folder that is no part of the tree, or that of one."""
        return bool(self._left_out) and any(folder in self._left_out for folder in (path, *above((path,))))

    def rules_changed(self) -> None:
        """Ask for a full check after which the ignore files are read anew."""
        self._everything = True
        self._ignoring = Ignoring(self._tree)

    def folder(self, path: str) -> None:
        """Take note of a folder that came or went with all that it holds."""
        self._add(path)

    def link(self, path: str) -> None:
        """Take note of a symbolic link whose target may have changed before it was watched."""
        if path in self._skipped:
            self._everything |= bool(self._tree.look([path]).files)
        else:
            self._add(path)

    def met(self, path: str) -> None:
        """Take note of a file in a folder that has not been watched before."""
        if path in self._skipped:
            self.link(path)
        else:
            self.file(path, appeared=True)

    def file(self, path: str, *, appeared: bool) -> None:
        """Take note of a file; ``appeared`` says that it may be new under this name."""
        for link in self._links.get(path, ()):
            self._add(link)
            self._everything |= link in self._skipped
        if _is_git(path):
            self._everything |= appeared and path.endswith("/.git")  # the folder may be another checkout
            return
        if self.is_left_out(path):
            return
        self._everything |= path in self._skipped
        if self._known(path):
            self._listed.add(path)
        elif path not in self._listed:
            left_out = self._ignoring.ignored(path, False)
            if left_out and self._ruled:
                return
            # Where not all rules lie in the tree, or none is applied, only a walk can tell what is listed now.
            self._everything |= not left_out and not (self._local and self._ruled)
        self._add(path)
        if appeared and (self._tree.root / path).is_symlink():
            self._everything = True

    def take(self) -> ChangedPaths:
        """Return what was touched, and begin anew."""
        taken = ChangedPaths(frozenset(self._paths), self._everything)
        self._paths.clear()
        self._everything = False
        return taken

    def _add(self, path: str) -> None:
        if len(self._paths) < _MOST:
            self._paths.add(path)
        else:
            self._everything = True


def _is_git(path: str) -> bool:
    """Return whether a path is git's own. Its folder may be watched because a symbolic link leads there."""
    return "/.git/" in f"/{path}/"


def outside(root: Path) -> Mapping[str, frozenset[str]]:
    """Return the folders that are no part of the list but decide on it, and the names that matter there.

    They are git's own: its index, which says what is listed in spite of a rule, and its rules. And they are the folders
    above the root up to the top of the work tree, for their ignore files.
    """
    for top in (root, *root.parents):
        pointer = top / ".git"
        if os.path.lexists(pointer):
            folder = git_folder(pointer)
            between = [parent for parent in root.parents if parent == top or top in parent.parents]
            return {
                str(folder): frozenset({"index", "info"}),
                str(folder / "info"): frozenset({"exclude"}),
                **{str(parent): RULES for parent in between},
            }
    return {}


def above(paths: Iterable[str]) -> list[str]:
    """Return the folders above paths, without the root, the outermost first."""
    return with_above({path[: path.rfind("/")] for path in paths if "/" in path})


def with_above(folders: Iterable[str]) -> list[str]:
    """Return folders and those above them, without the root, the outermost first."""
    seen: set[str] = set()
    for inner in folders:
        folder = inner
        while folder and folder not in seen:
            seen.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(seen)


def identity(root: str) -> tuple[int, int] | None:
    """Return what identifies the folder at a place; None where there is none, or a link to one."""
    try:
        status = os.lstat(root)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None
