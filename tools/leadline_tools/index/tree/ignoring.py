"""The rules that leave out paths of a tree: those of ignore files, and those of the user who excludes some.

A *chain* is the rules of one kind that hold in a folder, those of the innermost file first.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Container
from itertools import pairwise
from typing import NamedTuple, Protocol

from leadline_tools.errors import PathError
from leadline_tools.index.text.gitignore import Names, Rules

_LARGEST_RULES = 1024 * 1024
"""Bytes of the largest ignore file that is read."""


OWN_RULES = ".leadlineignore"
"""The ignore file that no other program reads: as ``.gitignore``, but for files that git tracks too."""

GIVEN = "the option exclude"
"""What stands for the name of an ignore file where the user has configured a rule."""


class RuleFiles(Protocol):
    """The tree as the rules see it: by bare paths.

    Attributes:
        exclude: The rules that the user has configured.

    """

    exclude: tuple[str, ...]

    def has(self, path: str) -> bool:
        """Return whether there is anything at a path."""
        ...

    def read_bytes(self, path: str, limit: int) -> bytes:
        """Return what a file of at most ``limit`` bytes holds. Raises PathError."""
        ...


class Chained(NamedTuple):
    """The rules of an ignore file, how much of a path leads to its folder, and the path of the file."""

    rules: Rules
    prefix: int
    file: str


Chain = tuple[Chained, ...]
"""The rules that hold in a folder, those of the innermost first."""


class Ruled(NamedTuple):
    """The rules that hold in a folder. Each chain leaves out for itself: none takes back what another leaves out.

    Args:
        git: Those of the files that git reads; a repository inside has only its own.
        own: Those of the files ``OWN_RULES``, in repositories inside this one too.
        given: Those that the user has configured.

    """

    git: Chain = ()
    own: Chain = ()
    given: Chain = ()


def given_rules(tree: RuleFiles) -> Ruled:
    """Return the rules that hold above the root of a tree: those that are configured."""
    if not tree.exclude:
        return Ruled()
    return Ruled(given=(Chained(Rules("\n".join(tree.exclude)), 0, GIVEN),))


def rules_in(tree: RuleFiles, folder: str, above: Ruled, names: Container[str], *, git: bool = True) -> Ruled:
    """Return the rules that hold in a folder that has ``names``, from those of the one above.

    ``folder`` ends with a slash unless it is the root. Without ``git`` those that git reads are left out.
    """
    chain, own = above.git, above.own
    if git and ".git" in names:
        chain = _rules(tree, folder, ".git/info/exclude")
    if git and ".gitignore" in names:
        chain = _rules(tree, folder, ".gitignore") + chain
    if OWN_RULES in names:
        own = _rules(tree, folder, OWN_RULES) + own
    return Ruled(chain, own, above.given)


def _rules(tree: RuleFiles, folder: str, name: str) -> Chain:
    try:
        text = os.fsdecode(tree.read_bytes(folder + name, _LARGEST_RULES))
    except PathError:
        return ()
    return (Chained(Rules(text), len(folder), folder + name),)


def concerned(ruled: Ruled, folder: str, names: Collection[str]) -> Ruled:
    """Return the rules that may say anything of the names in a folder, which ends with a slash but for the root."""
    if not any(ruled):
        return ruled
    there = Names(names)
    return Ruled(*(tuple(one for one in chain if one.rules.concern(folder[one.prefix :], there)) for chain in ruled))


def ignored(ruled: Ruled, name: str, relative: str, is_folder: bool) -> bool:
    """Return whether a path is left out by some rules, whatever those of the folders above it say."""
    return any(_decide(chain, name, relative, is_folder) is not None for chain in ruled if chain)


def _decide(chain: Chain, name: str, relative: str, is_folder: bool) -> Chained | None:
    """Return which rules ignore a path, if those do that say anything of it: the innermost."""
    for one in chain:
        verdict = one.rules.verdict(name, relative[one.prefix :], is_folder)
        if verdict is not None:
            return one if verdict else None
    return None


class Ignoring:
    """Which paths the rules leave out. What the files say is kept, so a change of one asks for a new object."""

    def __init__(self, tree: RuleFiles, *, git: bool = True) -> None:
        """Without ``git`` the rules that git reads are not looked at."""
        self._tree = tree
        self._git = git
        self._ruled: dict[str, Ruled | None] = {}

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Whether a path is ignored, by itself or with a folder above it."""
        folder, _, name = path.rpartition("/")
        ruled = self._rules_in(folder)
        return ruled is None or ignored(ruled, name, path, is_folder)

    def ignored_by(self, path: str, is_folder: bool) -> str:
        """Return what leaves a path out, by itself or with a folder above it: an ignore file; empty for nothing."""
        for folder, below in pairwise(_from_the_root(path)):
            name = below.rpartition("/")[2]
            for chain in self._rules_in(folder) or ():
                deciding = _decide(chain, name, below, below != path or is_folder)
                if deciding is not None:
                    return deciding.file
        return ""

    def rules_above(self, folder: str) -> Ruled:
        """Return the rules that hold above a folder that is not ignored."""
        return given_rules(self._tree) if not folder else self._rules_in(folder.rpartition("/")[0]) or Ruled()

    def _rules_in(self, folder: str) -> Ruled | None:
        """Return the rules that hold in a folder; None for an ignored one."""
        if folder not in self._ruled:
            above: Ruled | None = given_rules(self._tree)
            for part in _from_the_root(folder):
                above = self._ruled[part] = self._ruled[part] if part in self._ruled else self._below(part, above)
        return self._ruled[folder]

    def _below(self, folder: str, above: Ruled | None) -> Ruled | None:
        if above is None or (folder and ignored(above, folder.rpartition("/")[2], folder, True)):
            return None
        start = f"{folder}/" if folder else ""
        asked = (".git", ".gitignore", OWN_RULES) if self._git else (OWN_RULES,)
        names = [name for name in asked if self._tree.has(start + name)]
        return rules_in(self._tree, start, above, names, git=self._git)


def _from_the_root(folder: str) -> list[str]:
    """Return the root, and each folder on the way to ``folder``, itself the last."""
    ways = [""]
    for part in folder.split("/") if folder else ():
        ways.append(f"{ways[-1]}/{part}".removeprefix("/"))
    return ways
