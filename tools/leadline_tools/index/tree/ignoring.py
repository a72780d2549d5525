"""The ignore rules of a tree: the chain of those that hold in a folder."""

from __future__ import annotations

import os
from collections.abc import Collection, Container
from itertools import pairwise
from typing import NamedTuple

from leadline_tools.errors import PathError
from leadline_tools.index.text.gitignore import Names, Rules
from leadline_tools.index.tree.source import Tree

_LARGEST_RULES = 1024 * 1024
"""Bytes of the largest ignore file that is read."""


class Chained(NamedTuple):
    """The rules of an ignore file, how much of a path leads to its folder, and the path of the file."""

    rules: Rules
    prefix: int
    file: str


Chain = tuple[Chained, ...]
"""The rules that hold in a folder, those of the innermost first."""


def chain_of(tree: Tree, folder: str, above: Chain, names: Container[str]) -> Chain:
    """Return the rules that hold in a folder that has ``names``, from those of the one above.

    ``folder`` ends with a slash unless it is the root. A repository begins anew.
    """
    if ".git" in names:
        above = _rules(tree, folder, ".git/info/exclude")
    return _rules(tree, folder, ".gitignore") + above if ".gitignore" in names else above


def _rules(tree: Tree, folder: str, name: str) -> Chain:
    try:
        text = os.fsdecode(tree.read_bytes(folder + name, _LARGEST_RULES))
    except PathError:
        return ()
    return (Chained(Rules(text), len(folder), folder + name),)


def concerned(chain: Chain, folder: str, names: Collection[str]) -> Chain:
    """Return the rules that may say anything of the names in a folder, which ends with a slash but for the root."""
    if not chain:
        return ()
    there = Names(names)
    return tuple(one for one in chain if one.rules.concern(folder[one.prefix :], there))


def ignored(chain: Chain, name: str, relative: str, is_folder: bool) -> bool:
    """Whether the innermost rules that say anything of a path ignore it."""
    for rules, prefix, _ in chain:
        verdict = rules.verdict(name, relative[prefix:], is_folder)
        if verdict is not None:
            return verdict
    return False


class Ignoring:
    """Which paths the ignore files leave out. What they say is kept, so a change of one asks for a new object."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._chains: dict[str, Chain | None] = {}

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Whether a path is ignored, by itself or with a folder above it."""
        folder, _, name = path.rpartition("/")
        chain = self._chain(folder)
        return chain is None or ignored(chain, name, path, is_folder)

    def ignored_by(self, path: str, is_folder: bool) -> str:
        """Return the ignore file that leaves a path out, by itself or with a folder above it; empty for none."""
        for folder, below in pairwise(_from_the_root(path)):
            name = below.rpartition("/")[2]
            for rules, prefix, file in self._chain(folder) or ():
                verdict = rules.verdict(name, below[prefix:], below != path or is_folder)
                if verdict:
                    return file
                if verdict is not None:
                    break
        return ""

    def _chain(self, folder: str) -> Chain | None:
        """Return the rules that hold in a folder; None for an ignored one."""
        if folder not in self._chains:
            above: Chain | None = ()
            for part in _from_the_root(folder):
                above = self._chains[part] = self._chains[part] if part in self._chains else self._below(part, above)
        return self._chains[folder]

    def _below(self, folder: str, above: Chain | None) -> Chain | None:
        if above is None or (folder and ignored(above, folder.rpartition("/")[2], folder, True)):
            return None
        start = f"{folder}/" if folder else ""
        names = [name for name in (".git", ".gitignore") if os.path.lexists(f"{self._tree.root}/{start}{name}")]
        return chain_of(self._tree, start, above, names)


def _from_the_root(folder: str) -> list[str]:
    """Return the root, and each folder on the way to ``folder``, itself the last."""
    ways = [""]
    for part in folder.split("/") if folder else ():
        ways.append(f"{ways[-1]}/{part}".removeprefix("/"))
    return ways
