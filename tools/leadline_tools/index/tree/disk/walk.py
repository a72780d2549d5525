"""The walk of a tree, which lists its files: as git lists them, or by its ignore rules.

In a git work tree git says so, see ``git_files``; elsewhere a walk of our own that knows ignore files:

* Listed is what git tracks, even where a rule ignores it, and what no rule ignores; hidden files too, never ``.git``.
* The rules are those of the tree: its ``.gitignore`` files and ``.git/info/exclude``. The user's own
  (``core.excludesFile``) are left out, so that a tree has the same files on every machine. A ``.gitignore`` above the
  root counts only where git lists.
* A ``.leadlineignore`` file, and what the user has excluded, leave out in the same way, whoever lists, and what git
  tracks too.
* A submodule, and a repository inside this one, is walked by its own rules. What git stores (a bare repository) and
  other checkouts of the repository (linked work trees) are left out, see ``repositories``.
* A symbolic link to a file of the tree is listed under its own name with what the file has. One to a folder is not
  followed, and one that leads out or nowhere is skipped, as is what is neither a file nor a folder. What is skipped is
  named with its reason; but git lists no pipes, sockets and devices, so there they are just absent.
* Where git leaves nothing (the root may be an ignored folder of a larger tree) the rules from the root down decide.
  Where they leave nothing either, they are not applied at all, which the result says.

A name that is not UTF-8 is listed as Python decodes it, with surrogates. A file that vanishes meanwhile is not there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Container, Iterable, Sequence
from operator import itemgetter
from pathlib import Path

from leadline_tools.index.tree.descent import beneath, entries_of, kind_of
from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.index.tree.disk.git_files import list_git_files
from leadline_tools.index.tree.disk.repositories import why_left_out
from leadline_tools.index.tree.ignoring import (
    Ignoring,
    Ruled,
    concerned,
    given_rules,
    ignored,
    rules_in,
)
from leadline_tools.index.tree.walked_files import MOST_SKIPPED, Link, ListedFile, Skipped, Walked

_NO_NAMES = frozenset({"", ".", "..", ".git"})
"""What no file or folder of the tree is called; an index that someone forged may say otherwise."""

_LONGEST_PATH = 4096
"""Characters of the longest path that is looked at; systems take no longer one."""


def walk(root: Path, exclude: tuple[str, ...] = ()) -> Walked:
    """List the files of the tree at ``root`` but those that the rules ``exclude``."""
    return _listed(DiskFiles(root, exclude=exclude), closely=True).walked()


class PathScan:
    """The paths of the files of a tree; what a walk tells besides can follow, and takes three times as long.

    Args:
        root: The root of the tree.
        exclude: Rules of what is left out.

    Attributes:
        paths: Those of all files, sorted.
        walked: What else was found; its files are only those that symbolic links lead to.

    """

    def __init__(self, root: Path, exclude: tuple[str, ...] = ()) -> None:
        self._listing = _listed(DiskFiles(root, exclude=exclude), closely=False)
        self.paths: Sequence[str] = sorted((*self._listing.unseen, *(found.path for found in self._listing.files)))
        self.walked = self._listing.walked()

    def with_files(self) -> Walked:
        """Return what a walk would have, once each file was looked at; once only."""
        return self._listing.look_closer()


def _listed(tree: DiskFiles, *, closely: bool) -> _Listing:
    """Return what lists the files of a tree: git, else the rules, else nothing that leaves any out."""
    by_git = listing = _Listing(tree, closely)
    by_git.by_git()
    for rules in (True, False):
        if listing.found:
            return listing
        listing = _Listing(tree, closely)
        listing.by_folder("", rules=rules)
        listing.ignored_everything = listing.found and not rules
    if not listing.found:
        listing.source = by_git.source
    return listing


def look(root: Path, paths: Iterable[str]) -> Walked:
    """Look at some paths as a walk does, whatever the rules say of them; a folder among them is not entered."""
    listing = _Listing(DiskFiles(root), closely=True)
    listing.source = "paths"
    for path in paths:
        listing.look(path)
    return listing.walked()


class _Listing:
    """What has been found so far; files that are not looked at closely are ``unseen``: of them the path is known."""

    def __init__(self, tree: DiskFiles, closely: bool) -> None:
        self.files: list[ListedFile] = []
        self.unseen: list[str] = []
        self.source = "folder"
        self.ignored_everything = False
        self._closely = closely
        self._tree = tree
        self._root = str(tree.root)
        self._links: list[Link] = []
        self._skipped: list[Skipped] = []
        self._skipped_count = 0
        self._real_folders = {"": True}
        self._entered: list[str] = []
        self._repositories: list[str] = []
        self._holding: dict[str, None] = {}
        self._left_out: dict[str, None] = {}
        self._beside_git = Ignoring(tree, git=False)

    @property
    def found(self) -> bool:
        """Return whether there is any file."""
        return bool(self.files or self.unseen)

    def walked(self) -> Walked:
        """Return the result."""
        self.files.sort(key=itemgetter(0))
        skipped = tuple(sorted(self._skipped))
        links, all_seen = tuple(self._links), self.source == "folder"
        return Walked(
            self.files,
            skipped,
            self._skipped_count,
            self.ignored_everything,
            self.source,
            links,
            self._entered if all_seen else None,
            self._repositories if all_seen else (),
            self._holding,
            tuple(self._left_out),
        )

    def by_git(self) -> None:
        """Add what git lists, if it does."""
        listed = list_git_files(self._root)
        if listed is None:
            return
        self.source = "git"
        for folder in listed.unopened:
            self._skip(folder, "unreadable folder")
        regular: dict[str, frozenset[str]] = {}
        storing = [path.removesuffix("HEAD") for path in listed.paths if path.endswith("/HEAD")]
        self._real_folders.update((folder[:-1], False) for folder in storing if self._leave_out(folder))
        # A file in conflict is listed once for each side.
        for path in dict.fromkeys(listed.paths):
            folder, _, name = path.rpartition("/")
            if name in _NO_NAMES or len(path) > _LONGEST_PATH or not self._is_real(folder):
                continue
            if not self._beside_git.ignored(path, False):
                if not self._closely and folder not in regular:
                    regular[folder] = self._regular(folder)
                if name in regular.get(folder, ()):
                    self.unseen.append(path)
                else:
                    self._add(path)
                self._holding[folder] = None

    def _regular(self, folder: str) -> frozenset[str]:
        """Return the names of the regular files in a folder; of one that cannot be opened none is told apart."""
        try:
            with entries_of(f"{self._root}/{folder}") as entries:
                return frozenset(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
        except OSError:
            return frozenset()

    def look_closer(self) -> Walked:
        """Look at each file of which but the path is known, and return the result."""
        self._closely = True
        unseen, self.unseen = self.unseen, []
        for path in unseen:
            self._add(path)
        return self.walked()

    def look(self, path: str) -> None:
        """Add the file at a path if there is one, reached without a symbolic link to a folder."""
        try:
            if self._is_real(path.rpartition("/")[0]):
                status = os.lstat(f"{self._root}/{path}")
                if not stat.S_ISDIR(status.st_mode):
                    self._add_status(path, status)
        except OSError as error:
            self._fail(path, "unreadable", error)

    def by_folder(self, start: str, *, rules: bool) -> None:
        """Add all that a folder holds; ``start`` ends with a slash unless it is the root."""
        todo: list[tuple[str, Ruled]] = [(start, self._beside_git.rules_above(start[:-1]))]
        if not rules:
            todo = [(start, given_rules(self._tree))]
        while todo:
            path, ruled = todo.pop()
            try:
                with entries_of(f"{self._root}/{path}") as entries:
                    names = {entry.name for entry in entries}
                    if self._leave_out(path, names):
                        continue
                    if rules:
                        ruled = rules_in(self._tree, path, ruled, names)
                    concerning = concerned(ruled, path, names)
                    self._entered.append(path[:-1])
                    todo += [(f"{folder}/", ruled) for folder in self._add_entries(path, concerning, entries)]
            except OSError as error:
                self._fail(path.removesuffix("/") or ".", "unreadable folder", error)

    def _add_entries(self, path: str, ruled: Ruled, entries: list[os.DirEntry[str]]) -> list[str]:
        """Add the files of a folder, and return its folders; neither what the rules ignore."""
        folders: list[str] = []
        found, unseen, closely = self.files, self.unseen, self._closely
        before, any_rules = len(found) + len(unseen), any(ruled)
        for entry in entries:
            name = entry.name
            relative = path + name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                if name == ".git":
                    self._repositories.append(path[:-1])
                    continue
                if any_rules and ignored(ruled, name, relative, is_folder):
                    continue
                if is_folder:
                    folders.append(relative)
                    continue
                if not closely and entry.is_file(follow_symlinks=False):
                    unseen.append(relative)
                    continue
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):  # nearly all are: this saves a call for each
                    found.append(ListedFile(relative, status.st_size, _changed_ns(status)))
                else:
                    self._add_status(relative, status)
            except OSError as error:
                self._fail(relative, "unreadable", error)
        if len(found) + len(unseen) > before:
            self._holding[path[:-1]] = None
        return folders

    def _add(self, path: str) -> None:
        """Add what was listed without a look at it: a file, or a folder, which git lists where it is a repository."""
        try:
            status = os.lstat(f"{self._root}/{path}")
        except OSError as error:
            self._fail(path, "unreadable", error)
            return
        if stat.S_ISDIR(status.st_mode):
            self.by_folder(f"{path}/", rules=True)
        else:
            self._add_status(path, status)

    def _add_status(self, path: str, status: os.stat_result) -> None:
        if stat.S_ISREG(status.st_mode):
            self.files.append(ListedFile(path, status.st_size, _changed_ns(status)))
        elif stat.S_ISLNK(status.st_mode):
            self._add_link(path)
        else:
            self._skip(path, f"not a regular file: {kind_of(status.st_mode)}")

    def _add_link(self, path: str) -> None:
        real = os.path.realpath(f"{self._root}/{path}")
        if not beneath(real, self._root):
            self._skip(path, "symbolic link out of the tree")
            return
        self._links.append(Link(path, os.path.relpath(real, self._root).replace(os.sep, "/")))
        try:
            status = os.lstat(real)
        except OSError:
            self._skip(path, "symbolic link to nothing")
            return
        if stat.S_ISREG(status.st_mode):
            self.files.append(ListedFile(path, status.st_size, _changed_ns(status)))
        elif stat.S_ISDIR(status.st_mode):
            self._skip(path, "symbolic link to a folder")
        elif stat.S_ISLNK(status.st_mode):
            self._skip(path, "symbolic link in a loop")
        else:
            self._skip(path, f"symbolic link to {kind_of(status.st_mode)}")

    def _is_real(self, folder: str) -> bool:
        """Whether a folder of git's index is one on the disk, reached without a symbolic link and without leaving."""
        known = self._real_folders
        unknown: list[str] = []
        above = folder
        while above not in known:
            unknown.append(above)
            above = above.rpartition("/")[0]
        for below in reversed(unknown):
            named = below.rpartition("/")[2] not in _NO_NAMES
            known[below] = known[above] and named and self._is_folder(below) and not self._leave_out(f"{below}/")
            above = below
        return known[folder]

    def _is_folder(self, path: str) -> bool:
        try:
            return stat.S_ISDIR(os.lstat(f"{self._root}/{path}").st_mode)
        except OSError as error:
            self._fail(path, "unreadable folder", error)
            return False

    def _leave_out(self, folder: str, names: Container[str] | None = None) -> bool:
        """Skip a folder that is no part of the tree, with all that it holds; return whether it is one.

        ``folder`` ends with a slash unless it is the root. Without ``names`` what it has is looked for.
        """
        reason = why_left_out(self._tree.root, folder[:-1], names if names is not None else _Names(self._root, folder))
        if reason and folder[:-1] not in self._left_out:
            self._left_out[folder[:-1]] = None
            self._skip(folder[:-1], reason)
        return bool(reason)

    def _fail(self, path: str, reason: str, error: OSError) -> None:
        """Skip what the system refuses; what is gone by now was never there."""
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            self._skip(path, reason)

    def _skip(self, path: str, reason: str) -> None:
        self._skipped_count += 1
        if len(self._skipped) < MOST_SKIPPED:
            self._skipped.append(Skipped(path, reason))


def _changed_ns(status: os.stat_result) -> int:
    """Return when a file was changed.

    That is the time of its inode, which every change of the content sets to the present and nobody can set back, as
    ``cp -p``, ``rsync -t`` and ``tar`` do with the time of the content. Windows has only the latter.
    """
    return status.st_mtime_ns if os.name == "nt" else status.st_ctime_ns


class _Names(Container[str]):
    """The names in a folder that is not read as a whole."""

    def __init__(self, root: str, folder: str) -> None:
        self._start = f"{root}/{folder}"

    def __contains__(self, name: object) -> bool:
        return os.path.lexists(f"{self._start}{name}")
