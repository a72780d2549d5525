"""Plurals of nouns after numbers."""

from __future__ import annotations


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an ``s`` in the plural: ``1 file``, ``1,200 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
