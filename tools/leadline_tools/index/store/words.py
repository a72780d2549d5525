"""The words of texts, as the index cuts and folds them."""

from __future__ import annotations

import re
import threading
from typing import NamedTuple, cast

import apsw

TOKENIZER = ("unicode61", "remove_diacritics", "0", "tokenchars", "_")
"""What cuts texts into words: the tables are declared with it."""

_NO_WORD = re.compile(r"[^\x00-\x7f\w]")
"""What is no word for Python. SQLite takes characters that are newer than its tables for parts of words (emoji)."""

_local = threading.local()


class _Token(NamedTuple):
    """A word as the index has it, folded, and where it stands in a text: byte offsets in UTF-8."""

    start: int
    end: int
    word: str


class WordPart(NamedTuple):
    """A part of a word, folded; ``ends`` where the word ends with it, else it may stand anywhere in the word."""

    text: str
    ends: bool


def tokens(text: str) -> list[str]:
    """Return the words in a text as the index cuts and folds them."""
    return [token.word for token in _cut(plain(text).encode("utf-8", "replace"))]


def interior_words(literal: str) -> list[str]:
    """Return the words of a literal that are surely whole in any text that contains it.

    The first word may be the end of a longer one and the last the beginning, unless the literal itself shows their
    limits.
    """
    encoded = plain(literal).encode("utf-8", "replace")
    return [token.word for token in _cut(encoded) if token.start > 0 and token.end < len(encoded)]


def last_word(literal: str) -> str:
    """Return how a word surely begins in any text that contains a literal: its last word, whose end it does not show.

    Empty where that is not known: the literal ends between words, or is in the midst of a single one.
    """
    encoded = plain(literal).encode("utf-8", "replace")
    return next((token.word for token in _cut(encoded) if token.start > 0 and token.end == len(encoded)), "")


def first_part(literal: str) -> WordPart | None:
    """Return what a word surely contains in any text that contains a literal: its first word, if that may go on before.

    None where the literal shows the beginning of its first word, or has no word.
    """
    encoded = plain(literal).encode("utf-8", "replace")
    return next((WordPart(token.word, token.end < len(encoded)) for token in _cut(encoded) if not token.start), None)


def plain(text: str) -> str:
    """Return a text in which SQLite and Python see the same words."""
    return text if text.isascii() else _NO_WORD.sub(" ", text)


def _cut(text: bytes) -> list[_Token]:
    tokenizer: apsw.FTS5Tokenizer | None = getattr(_local, "tokenizer", None)
    if tokenizer is None:
        _local.connection = apsw.Connection(":memory:")
        tokenizer = _local.tokenizer = _local.connection.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
    found = tokenizer(text, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=True, include_colocated=False)
    return [_Token(*row) for row in cast("list[tuple[int, int, str]]", found)]
