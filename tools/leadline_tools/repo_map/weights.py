"""The weights of what says that a symbol is worth reading first: the score is a weighted sum.

The weights are round numbers near the best of a sweep over nine trees by ``bench/map.py``; each may be half or twice as
large without making more than a tenth of a difference.
"""

from __future__ import annotations

from math import log1p
from typing import NamedTuple

_SCALE = 30
"""How much of the rank of an average file is little: below it, ranks hardly differ."""


class SymbolEvidence(NamedTuple):
    """What is known of a symbol.

    Args:
        rank: What comes to it by the uses of its name, compared with the rank of an average file.
        container_rank: The same of what it is in.
        testers: Tests and examples that have its name, for each file of the product that defines it.
        strings: The same of files of the product in which it is a whole string.
        references: The same of those the comments of which refer to it.
        documentation: Bytes of its documentation.
        mentions: How often the README and the documentation name it.
        exported: How surely it is part of the public interface, from 0 to 1.
        entry: How surely it is an entry point, from 0 to 1.
        type: Whether it is a type.
        private: Whether its name says that others should not use it.
        focus: What a focus says of its file, from 0 to 1, and one more where its name is meant.

    """

    rank: float
    container_rank: float
    testers: float
    strings: float
    references: float
    documentation: int
    mentions: int
    exported: float
    entry: float
    type: bool
    private: bool
    focus: float


def score(one: SymbolEvidence) -> float:
    """Return how much says that a symbol is worth reading first."""
    return (
        0.6 * log1p(_SCALE * one.rank)
        + 0.2 * log1p(_SCALE * one.container_rank)
        + log1p(one.testers)
        + 0.75 * log1p(one.strings)
        + log1p(one.references)
        + 0.25 * log1p(one.documentation)
        + log1p(one.mentions)
        + 1.25 * one.exported
        + 6.0 * one.entry
        + 0.6 * one.type
        - 2.0 * one.private
        + 10.0 * one.focus
    )
