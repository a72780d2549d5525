"""Occurrences of the words of a question in a text: at the beginning of words and of the parts of names.

A text is not cut into words for it, which would take most of a second for the files of one question. Their stems are
looked for as bytes, and what is found is looked at: it counts where a part of a name begins there whose stem it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from leadline_tools.find_code.stems import search_key, stem

_PART = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z\x80-\xff]+|\d+")

_MOST = 1_000
"""Occurrences of the letters of a word in one file that are looked at."""


class FoldedText:
    """A text with its lower case beside it."""

    __slots__ = ("content", "lower")

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.lower = content.lower()

    def occurrences(self, stemmed: str, most: int = _MOST) -> Iterator[int]:
        """Yield the offsets of the words and parts of names that have a stem, of the first ``most`` that begin so."""
        content, find = self.content, self.lower.find
        key = _key(stemmed)
        step = len(key)
        whole = key.isascii()  # Chinese and Japanese have no spaces between words
        at = find(key)
        for _ in range(most):
            if at < 0:
                return
            if not whole or (_begins_part(content, at) and _stem_at(content, at) == stemmed):
                yield at
            at = find(key, at + step)


def _begins_part(content: bytes, at: int) -> bool:
    """Return whether a word or a part of a name begins at an offset: no letter stands before it, or it is a capital."""
    before = content[at - 1] if at else 32
    if not (97 <= before <= 122 or 65 <= before <= 90 or before >= 128):
        return True
    return 65 <= content[at] <= 90 and (before >= 97 or content[at + 1 : at + 2].islower())


def _stem_at(content: bytes, at: int) -> str:
    """Return the stem of the word or the part of a name that begins at an offset."""
    found = _PART.match(content, at)
    return _stem_of(found[0]) if found is not None else ""


@lru_cache(maxsize=4_096)
def _key(stemmed: str) -> bytes:
    return search_key(stemmed).encode()


@lru_cache(maxsize=65_536)
def _stem_of(part: bytes) -> str:
    return stem(part.decode("utf-8", "replace").lower())
