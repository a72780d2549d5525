"""Names that were probably meant: those most like a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable

ALIKE = 0.6
"""Share of their letters that two names have in common, in the same order, to be taken for one another."""


def nearest(name: str, names: Iterable[str], least: float = ALIKE) -> str | None:
    """Return the name most like ``name``, the first of several; None where none is alike enough."""
    return next(iter(most_alike(name, names, 1, least)), None)


def most_alike(name: str, names: Iterable[str], most: int, least: float = ALIKE) -> list[str]:
    """Return the names most like ``name``, most like first."""
    from rapidfuzz import fuzz, process  # only what was misspelled needs it

    found = process.extract(name, list(names), scorer=fuzz.ratio, score_cutoff=100 * least, limit=most)
    return [other for other, _, _ in found]


def most_alike_files(name: str, names: Iterable[str], most: int, least: float = ALIKE) -> list[str]:
    """Return the names of files most like ``name``; a common ending such as .py does not make two names alike."""
    found = most_alike(name, names, most, least)
    stem = _stem(name)
    return [other for other in found if most_alike(stem, [_stem(other)], 1, least)]


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name
