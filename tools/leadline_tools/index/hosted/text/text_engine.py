"""The text engine, which searches the contents of many repositories, and what it searches for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.text.required_literals import Run

_ASCII_PIECE = re.compile(r"[\t -~]+")
"""What is spelled by its own bytes in all encodings but those of two and four bytes, and lies in one line."""

_TRIGRAM = 3
"""Characters that can be looked up."""

_MOST_LITERALS = 32
"""Texts that are looked for by one search."""

Literal = tuple[str, ...]
"""A text: pieces of ASCII, in lower case, between which anything may stand."""


class TextCandidates(NamedTuple):
    """The files that may hold a match.

    Args:
        paths: Their paths, with the names of their roots.
        unknown: The roots for which the engine does not answer: any file of them may hold one.

    """

    paths: Collection[str]
    unknown: Sequence[HostedIndex]


class TextEngine(Protocol):
    """Searches the contents of repositories. Whatever fails in it makes roots ``unknown``; it raises DatabaseError."""

    def candidates(self, required: Sequence[Sequence[Literal]], roots: Sequence[HostedIndex]) -> TextCandidates:
        """Return the files that may hold a literal of each group that is required; case does not matter."""
        ...


def literals_of(clauses: Iterable[Sequence[Run]]) -> Sequence[Sequence[Literal]]:
    """Return what of some clauses an engine can look up; nothing where that is too little, or too much."""
    found = [group for clause in clauses if (group := [_literal(run) for run in clause]) and all(map(_is_found, group))]
    kept: list[Sequence[Literal]] = []
    for group in sorted(found, key=len):
        if len(group) + sum(map(len, kept)) <= _MOST_LITERALS:
            kept.append(group)
    return kept


def _literal(run: Run) -> Literal:
    return tuple(piece.lower() for piece in _ASCII_PIECE.findall(run.text))


def _is_found(literal: Literal) -> bool:
    return any(len(piece) >= _TRIGRAM for piece in literal)
