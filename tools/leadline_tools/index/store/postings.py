"""Postings: which files hold a word, in contentless full-text tables of SQLite, which keep file ids alone.

FTS5 with ``detail=none`` folds case, so its answer may hold files too many, never one too few; whoever asks looks into
the files. A table is one of ``Words``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw

from leadline_tools.index.store.rows import Clause
from leadline_tools.index.store.words import plain


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


def holding_each(connection: apsw.Connection, table: str, clauses: Iterable[Clause]) -> list[int]:
    """Return the ids of the files whose row in ``table`` holds something of each clause."""
    asked = " AND ".join(f"({' OR '.join(f'({query(*held)})' for held in clause)})" for clause in clauses)
    return _ids(connection, f"select rowid from {table} where {table} match ?", asked)  # noqa: S608


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
    connection.execute(f"insert or replace into {table}(rowid, text) values(?, ?)", (file, plain(text)))


def delete(connection: apsw.Connection, table: str, file: int) -> None:
    """Forget the text of a file."""
    connection.execute(f"delete from {table} where rowid=?", (file,))  # noqa: S608


def holding_any(connection: apsw.Connection, table: str, words: Iterable[str]) -> list[int]:
    """Return the ids of the files whose row in ``table`` holds any of ``words``."""
    sql = f"select rowid from {table} where {table} match ?"  # noqa: S608
    return _ids(connection, sql, " OR ".join(f'"{word}"' for word in words))
