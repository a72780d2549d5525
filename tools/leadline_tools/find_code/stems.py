"""Words and their stems: ``serializing``, ``serializer`` and ``Serialization`` have one.

A stem is what is left of a word without its endings. It need not be a word: it is only compared with other stems, so
all that matters is that the forms of one word meet. Endings are taken off as in M. F. Porter, "An algorithm for suffix
stripping" (1980), but the ones that turn verbs of programming into nouns go at once (``-ization``, ``-ator``).
"""

from __future__ import annotations

import re
from functools import lru_cache

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
"""The parts of a camelCase or snake_case name."""

_VOWELS = frozenset("aeiouy")

_ENDINGS: tuple[tuple[str, int], ...] = (
    ("izations", 4), ("isations", 4), ("ization", 4), ("isation", 4), ("ations", 3), ("ation", 3), ("izers", 4),
    ("izing", 4), ("ising", 5), ("izer", 4), ("ized", 4), ("ize", 4), ("ators", 3), ("ating", 3), ("ator", 3),
    ("ated", 3), ("ate", 3), ("ative", 3), ("ements", 4), ("ement", 4), ("ments", 4), ("ment", 4), ("ically", 4),
    ("ibility", 4), ("ability", 4), ("ities", 4), ("ity", 4), ("ions", 3), ("ion", 3), ("ings", 3), ("ing", 3),
    ("edly", 3), ("ably", 4), ("ally", 4), ("ed", 3), ("ers", 3), ("er", 3), ("ors", 4), ("or", 4), ("able", 4),
    ("ible", 4), ("ally", 4), ("ives", 4), ("ive", 4), ("ously", 4), ("ous", 4), ("ness", 4), ("fully", 4), ("ful", 4),
    ("al", 5), ("ly", 4), ("ancy", 4), ("ency", 4), ("ance", 4), ("ence", 4), ("ic", 5),
)  # fmt: skip
"""Endings, and how many letters must be left in front of each."""

_AFTER_S_OR_T = frozenset({"ion", "ions"})
_AGENTS = ("er", "or")


def parts(text: str) -> list[str]:
    """Return the words in a text or a name in lower case, names taken apart where they change case or have a digit."""
    return [part.lower() for part in _PARTS.findall(text)]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word in lower case."""
    if len(word) <= 3 or not word.isascii():
        return word
    word = _without_ending(_singular(word))
    if word.endswith(_AGENTS):  # registered, buffered
        word = _without_ending(word)
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _VOWELS:
        word = word[:-1]
    if len(word) > 3 and word[-1] == "y":
        word = word[:-1] + "i"
    return word


def search_key(stemmed: str) -> str:
    """Return what every word with a stem begins with."""
    return stemmed[:-1] if stemmed.endswith("i") and len(stemmed) > 3 else stemmed


def _without_ending(word: str) -> str:
    for ending, left in _ENDINGS:
        rest = word[: -len(ending)]
        fits = len(rest) >= left and word.endswith(ending) and not _VOWELS.isdisjoint(rest)
        if fits and (ending not in _AFTER_S_OR_T or rest[-1] in "st"):
            return rest
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
