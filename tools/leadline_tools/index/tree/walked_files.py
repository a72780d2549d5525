"""Walked files: the files of a tree that a walk finds, and what of it is left out, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

MOST_SKIPPED = 1_000
"""Paths that are named as skipped; more are counted."""


class ListedFile(NamedTuple):
    """A file of the tree and what tells whether it has changed: its size, and the time of its last change.

    Where contents are named by digests, ``changed_ns`` is a number that is made of the digest.
    """

    path: str
    size: int
    changed_ns: int


class Skipped(NamedTuple):
    """Something in the tree that is not listed, and why."""

    path: str
    reason: str


class Link(NamedTuple):
    """A symbolic link into the tree, and the path that it leads to, whatever is there."""

    path: str
    target: str


@dataclass(frozen=True, slots=True)
class Walked:
    """The files of a tree, sorted by path; ``source`` is what listed them: ``git``, ``folder`` or ``store``.

    ``links`` are the symbolic links that were met, listed or skipped. ``skipped`` names the first of the
    ``skipped_count`` paths that were left out for what they are. ``folders`` are those that were entered, and
    ``repositories`` those of them that have a repository of git, where none lists the files; else None and nothing.
    ``holding`` are the folders that a file was found in, ``left_out`` those that are skipped with all that they hold.
    """

    files: list[ListedFile]
    skipped: tuple[Skipped, ...]
    skipped_count: int
    ignored_everything: bool
    source: str
    links: tuple[Link, ...] = ()
    folders: Sequence[str] | None = None
    repositories: Sequence[str] = ()
    holding: Iterable[str] = ()
    left_out: Sequence[str] = ()


class Scan(Protocol):
    """The paths of a tree, before each file was looked at."""

    @property
    def paths(self) -> Sequence[str]:
        """Return those of all files, sorted."""
        ...

    @property
    def walked(self) -> Walked:
        """Return what else was found."""
        ...

    def with_files(self) -> Walked:
        """Return what a walk would have, once each file was looked at; once only."""
        ...
