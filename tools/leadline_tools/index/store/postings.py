"""Which files hold a word: a contentless full-text index that keeps file ids and nothing else.

FTS5 with ``detail=none`` folds case, so its answer may hold files too many, never one too few; whoever asks looks into
the files.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Sequence
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


def tokens(text: str) -> list[str]:
    """Return the words in a text as the index cuts and folds them."""
    return [token.word for token in _cut(_plain(text).encode("utf-8", "replace"))]


def interior_words(literal: str) -> list[str]:
    """Return the words of a literal that are surely whole in any text that contains it.

    The first word may be the end of a longer one and the last the beginning, unless the literal itself shows their
    limits.
    """
    encoded = _plain(literal).encode("utf-8", "replace")
    return [token.word for token in _cut(encoded) if token.start > 0 and token.end < len(encoded)]


def last_word(literal: str) -> str:
    """Return how a word surely begins in any text that contains a literal: its last word, whose end it does not show.

    Empty where that is not known: the literal ends between words, or is in the midst of a single one.
    """
    encoded = _plain(literal).encode("utf-8", "replace")
    return next((token.word for token in _cut(encoded) if token.start > 0 and token.end == len(encoded)), "")


def _plain(text: str) -> str:
    """Return a text in which everybody sees the same words."""
    return text if text.isascii() else _NO_WORD.sub(" ", text)


def _cut(text: bytes) -> list[_Token]:
    tokenizer: apsw.FTS5Tokenizer | None = getattr(_local, "tokenizer", None)
    if tokenizer is None:
        _local.connection = apsw.Connection(":memory:")
        tokenizer = _local.tokenizer = _local.connection.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
    found = tokenizer(text, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=True, include_colocated=False)
    return [_Token(*row) for row in cast("list[tuple[int, int, str]]", found)]


def query(words: Iterable[str], beginning: str = "") -> str:
    """Return the FTS5 query for files that hold all of ``words``, and one that is or goes on from ``beginning``."""
    return " AND ".join([*(f'"{word}"' for word in words), *([f'"{beginning}" *'] if beginning else ())])


def holding(
    connection: apsw.Connection, table: str, words: Iterable[str], most: int = -1, beginning: str = ""
) -> list[int]:
    """Return the ids of the files whose row in ``table`` (``words`` or ``names``) holds what ``query`` asks for.

    Not more than ``most``, where it is not negative.
    """
    asked = query(words, beginning)
    # The table is one of two constants.
    return _ids(connection, f"select rowid from {table} where {table} match ? limit ?", asked, most)  # noqa: S608


def holding_among(connection: apsw.Connection, table: str, words: Iterable[str], files: Sequence[int]) -> list[int]:
    """Return those of ``files``, by their ids, whose row in ``table`` holds all of ``words``."""
    # The plus keeps SQLite from asking the table once for each file.
    sql = f"select rowid from {table} where {table} match ? and +rowid in (select value from json_each(?))"  # noqa: S608
    return _ids(connection, sql, query(words), json.dumps(files))


def _ids(connection: apsw.Connection, sql: str, *given: str | int) -> list[int]:
    """Return the ids that a query selects: as one text, since a row for each of thousands takes five times as long."""
    row = connection.execute(f"select json_group_array(rowid) from ({sql})", given).fetchone()  # noqa: S608
    return [] if row is None else json.loads(str(row[0]))


def count(connection: apsw.Connection, table: str, words: Iterable[str]) -> int:
    """Return how many rows of ``table`` hold all of ``words``."""
    sql = f"select count(*) from {table} where {table} match ?"  # noqa: S608
    return sum(int(row[0]) for row in connection.execute(sql, (query(words),)))


def replace(connection: apsw.Connection, table: str, file: int, text: str) -> None:
    """Index the text of a file in place of what was indexed of it."""
    connection.execute(f"insert or replace into {table}(rowid, text) values(?, ?)", (file, _plain(text)))


def delete(connection: apsw.Connection, table: str, file: int) -> None:
    """Forget the text of a file."""
    connection.execute(f"delete from {table} where rowid=?", (file,))  # noqa: S608


def holding_any(connection: apsw.Connection, table: str, words: Iterable[str]) -> list[int]:
    """Return the ids of the files whose row in ``table`` holds any of ``words``."""
    sql = f"select rowid from {table} where {table} match ?"  # noqa: S608
    return _ids(connection, sql, " OR ".join(f'"{word}"' for word in words))
