"""The words of postings: those of a text, and those by which a file is found besides, cut as the index cuts them."""

from __future__ import annotations

from leadline_tools import deflated
from leadline_tools.index.indexing.texts import text_to_index
from leadline_tools.index.store.words import tokens


def words_of_text(path: str, text: str) -> frozenset[str]:
    """Return the words of the text of a file."""
    return frozenset(tokens(text_to_index(path, text)))


def words_of_names(names: bytes) -> frozenset[str]:
    """Return the words of the names that a worker has found, one a line, deflated; none for empty bytes."""
    return frozenset(tokens(deflated.decompress(names).decode("utf-8", "replace"))) if names else frozenset()
