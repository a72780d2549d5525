"""Which files the tree has.

In a git work tree git says so, elsewhere a walk of our own that knows ignore files:

* Listed is what git tracks, even where a rule ignores it, and what no rule ignores; hidden files too, never ``.git``.
* The rules are those of the tree: its ``.gitignore`` files and ``.git/info/exclude``. The user's own ones
  (``core.excludesFile``) are left out, so that a tree has the same files on every machine. A ``.gitignore`` above the root
  counts only where git itself lists.
* A submodule, and a repository inside this one, is walked by its own rules.
* A symbolic link to a file of the tree is listed under its own name with what the file has. One to a folder is not
  followed, and one that leads out or nowhere is skipped, as is what is neither a file nor a folder.
* Where git leaves nothing (the root may be an ignored folder of a larger tree) the rules from the root down decide. Where
  they leave nothing either, they are not applied at all, which the result says.

A name that is not UTF-8 is listed as Python decodes it, with surrogates. A file that vanishes meanwhile is not there.

git runs without anything that the repository could make it do: no hook, no monitor, no transport, no lock, no write.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from leadline_tools.errors import PathError
from leadline_tools.index.gitignore import Rules
from leadline_tools.index.source import Tree, beneath, kind_of

MOST_SKIPPED = 1_000
"""Paths that are named as skipped; more are counted."""

_DEADLINE = 30.0
"""Seconds that git may take; Linux takes it a quarter of one."""

_LARGEST_RULES = 1024 * 1024
"""Bytes of the largest ignore file that is read."""

_LIST = (
    *("-c", "core.fsmonitor="),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", f"core.excludesFile={os.devnull}"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "safe.directory=*"),
    *("-c", "safe.bareRepository=explicit"),
    *("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
)

_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone would fetch an ignore file that it lacks, by a command that its configuration names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}

_UNOPENED = re.compile(rb"^warning: could not open directory '(.*)/': ", re.MULTILINE)


class Found(NamedTuple):
    """A file of the tree and what tells whether it has changed."""

    path: str
    size: int
    mtime_ns: int


class Skipped(NamedTuple):
    """Something in the tree that is not listed, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Walked:
    """The files of a tree, sorted by path; ``source`` is what listed them, ``git`` or ``folder``.

    ``skipped`` names the first of the ``skipped_count`` paths that were left out for what they are.
    """

    files: list[Found]
    skipped: tuple[Skipped, ...]
    skipped_count: int
    ignored_everything: bool
    source: str


def walk(root: Path) -> Walked:
    """List the files of the tree at ``root``."""
    tree = Tree(root)
    listing = _Listing(tree)
    if listing.by_git() and listing.files:
        return listing.walked("git")
    for rules in (True, False):
        listing = _Listing(tree)
        listing.by_folder("", rules=rules)
        if listing.files:
            return listing.walked("folder", ignored_everything=not rules)
    return listing.walked("folder")


class _Chained(NamedTuple):
    """The rules of an ignore file, and how much of a path leads to its folder."""

    rules: Rules
    prefix: int


class _Folder(NamedTuple):
    """A folder to be walked; ``path`` ends with a slash unless it is the root, the innermost rules come first."""

    path: str
    chain: tuple[_Chained, ...]


@dataclass(slots=True)
class _Listing:
    """What has been found so far."""

    tree: Tree
    files: list[Found] = field(default_factory=list)
    _skipped: list[Skipped] = field(default_factory=list)
    _skipped_count: int = 0
    _root: str = field(init=False)

    def __post_init__(self) -> None:
        self._root = str(self.tree.root)

    def walked(self, source: str, *, ignored_everything: bool = False) -> Walked:
        """Return the result."""
        self.files.sort(key=itemgetter(0))
        return Walked(self.files, tuple(sorted(self._skipped)), self._skipped_count, ignored_everything, source)

    def by_git(self) -> bool:
        """Add what git lists; False where it does not."""
        listed = _asked_git(self.tree.root)
        if listed is None:
            return False
        for folder in listed.unopened:
            self._skip(folder, _UNREADABLE)
        real = _RealFolders(self._root)
        for path in listed.paths:
            folder, _, name = path.rpartition("/")
            if name in _NO_NAMES or not real.has(folder):
                continue
            self._add(path)
        return True

    def by_folder(self, start: str, *, rules: bool) -> None:
        """Add what a folder holds, and what the folders in it hold."""
        todo = [_Folder(start, self._excluded(start) if rules else ())]
        while todo:
            path, chain = todo.pop()
            try:
                with os.scandir(f"{self._root}/{path}") as scanned:
                    entries = list(scanned)
            except FileNotFoundError:
                continue
            except OSError:
                self._skip(path.removesuffix("/") or ".", _UNREADABLE)
                continue
            if rules and any(entry.name == ".gitignore" for entry in entries):
                chain = (*self._rules(f"{path}.gitignore", len(path)), *chain)
            todo += [_Folder(f"{folder}/", chain) for folder in self._add_entries(path, chain, entries)]

    def _add_entries(
        self, path: str, chain: tuple[_Chained, ...], entries: list[os.DirEntry[str]]
    ) -> Iterator[str]:
        """Add the files of a folder, and return its folders; neither what the rules ignore."""
        for entry in entries:
            name = entry.name
            if name == ".git":
                continue
            relative = path + name
            is_folder = _is_folder(entry)
            if chain and _ignored(chain, name, relative, is_folder):
                continue
            if is_folder:
                yield relative
            else:
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError as error:
                    self._fail(relative, error)
                    continue
                self._add_status(relative, status)

    def _add(self, path: str) -> None:
        """Add what git has listed: a file, or a repository of its own."""
        try:
            status = os.lstat(f"{self._root}/{path}")
        except OSError as error:
            self._fail(path, error)
            return
        if stat.S_ISDIR(status.st_mode):
            self.by_folder(f"{path}/", rules=True)
        else:
            self._add_status(path, status)

    def _add_status(self, path: str, status: os.stat_result) -> None:
        if stat.S_ISREG(status.st_mode):
            self.files.append(Found(path, status.st_size, status.st_mtime_ns))
        elif stat.S_ISLNK(status.st_mode):
            self._add_link(path)
        else:
            self._skip(path, f"{kind_of(status.st_mode)}, not a regular file")
