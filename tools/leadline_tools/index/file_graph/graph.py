"""The graph of files: which use what others define, by their imports, their words, and the names of the index.

A word that is the name of a definition in a file that the one with the word imports, itself or through what passes it
on, is a use of it. Where the index does not have the imports of a file, a word is taken for a use too: it says the
more, the fewer files define the name, and the more the one file has to do with the other, by the name and the folder of
the other among its words.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_KEPT = 8.0
"""What a file keeps for itself, in uses that say all: one that uses but one name is not all about that."""


class Use(NamedTuple):
    """A use of a name of another file, and how much it says."""

    target: int
    name: bytes
    weight: float


class Uses:
    """The uses of names between files, in columns.

    Args:
        sources: Of each use the number of the file that has it.
        targets: The number of the file that defines the name.
        names: The name.
        shares: The share of the use in its file.
        incoming: Of each file those that use it, with their shares.
        passed: Of each file the sum of its shares: less than one, by the more the less it uses.

    """

    def __init__(self) -> None:
        self.sources, self.targets, self.shares = array("i"), array("i"), array("d")
        self.names: list[bytes] = []
        self.incoming: dict[int, tuple[array[int], array[float]]] = {}
        self.passed: dict[int, float] = {}

    def add(self, source: int, uses: Iterable[Use], spelled: dict[bytes, bytes]) -> None:
        """Take the uses of a file; what they say becomes their shares. Equal names become one of those ``spelled``."""
        found = sorted(uses)
        total = _KEPT + sum(use.weight for use in found)
        self.passed[source] = 1 - _KEPT / total
        by_target: dict[int, float] = {}
        for target, name, weight in found:
            share = weight / total
            self.sources.append(source)
            self.targets.append(target)
            self.names.append(spelled.setdefault(name, name))
            self.shares.append(share)
            by_target[target] = by_target.get(target, 0.0) + share
        for target, share in by_target.items():
            sources, shares = self.incoming.setdefault(target, (array("i"), array("d")))
            sources.append(source)
            shares.append(share)


@dataclass(frozen=True, slots=True)
class Mentions:
    """How many files have a name, divided by the number of files of the product that define it.

    Args:
        users: Tests, examples and what else is beside the product, with the name in their code.
        strings: Files of the product in which it is a whole string.
        references: Files of the product the comments of which refer to it.

    """

    users: Mapping[bytes, float]
    strings: Mapping[bytes, float]
    references: Mapping[bytes, float]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a graph rests on.

    Args:
        files: How many files of code there are.
        read: How many of them were read.
        resolved: Of how many of these the imports are known.
        known: Of how many files anything is known.
        symbols: How many definitions they have that others can use.
        sampled: True where only a part of the files was wanted.
        late: True where there was no time for all that was wanted.

    """

    files: int
    read: int
    resolved: int
    known: int
    symbols: int
    sampled: bool
    late: bool


@dataclass(frozen=True, slots=True)
class Graph:
    """Which files use what of which others.

    Args:
        paths: The files that anything is known of, by their numbers.
        uses: The uses between them.
        definitions: How many definitions each file has that others can use.
        read: How many files were read.
        resolved: Of how many of them the imports are known.
        mentions: How many files have the names that the product defines, by the family of their language.
        files: How many files of code there are.
        sampled: True where only a part of them was wanted.
        late: True where there was no time for all that was wanted.

    """

    paths: Sequence[str]
    uses: Uses
    definitions: Mapping[int, int]
    read: int
    resolved: int
    mentions: Mapping[str, Mentions]
    files: int
    sampled: bool
    late: bool

    def extent(self, scope: Collection[str] | None) -> Extent:
        """Return how much the graph rests on; of the known files and their symbols those in ``scope``, None for all."""
        known = [number for number, path in enumerate(self.paths) if scope is None or path in scope]
        symbols = sum(self.definitions.get(number, 0) for number in known)
        return Extent(self.files, self.read, self.resolved, len(known), symbols, self.sampled, self.late)
