"""The features of a file for a question: numbers, all but the length from 0 to 1, weighted by ``weights``."""

from __future__ import annotations

from typing import NamedTuple


class FileFeatures(NamedTuple):
    """What a file says about a question.

    The first are shares of what all terms of the question say together.

    Args:
        name: How much of the name of the file is in the question.
        whole_name: Whether all of it is.
        folder: Terms in the name of its folder.
        names: Terms in the names that the file defines.
        body: Terms in its text, by how often (BM25).
        head: Terms in its header.
        pairs: Terms next to each other in the question that are so in the text.
        length: The logarithm of its length.
        code: Whether it is code with symbols.
        symbol: What its best symbol says.
        defined: Whether it defines a name of the question that is no member.
        member: Whether it defines one that is.

    """

    name: float
    whole_name: float
    folder: float
    names: float
    body: float
    head: float
    pairs: float
    length: float
    code: float
    symbol: float = 0.0
    defined: float = 0.0
    member: float = 0.0


def score(features: FileFeatures, weights: FileFeatures) -> float:
    """Return what features amount to: their sum, each times its weight."""
    return sum(map(float.__mul__, features, weights))
