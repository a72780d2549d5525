"""The word list: all words of the texts as bytes that are searched, for the words that contain a part.

The table of words knows which files hold a whole word, or one that begins in some way, but not which words *contain* a
part. The list has each word once, in blocks of sorted lines that are compressed and unpacked one at a time, so nothing
of it stays in memory: all of Linux, 5.3 million words, takes 25 MB on the disk and 0.2 s to search.

The list is written when an index comes to rest. A file whose words were indexed since is *unlisted*: the list may lack
its words, so whoever looks for a part looks into the file in any case. The same is true of files with words that FTS5
cuts short. Words of files that are gone stay until the list is written again: they lead to no file.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from leadline_tools import deflated
from leadline_tools.index.store import postings
from leadline_tools.index.store.database import Database
from leadline_tools.index.store.rows import RowsDamagedError, Words
from leadline_tools.index.store.words import WordPart

TABLES = ("word_block", "unlisted")

SCHEMA = """
create virtual table word using fts5vocab(words, row);
create table word_block(id integer primary key, words blob not null);
-- Files with words that the blocks may lack; the number is new with each change.
create table unlisted(file integer primary key, change integer not null);
"""

_BLOCK_WORDS = 65_536
"""Words of a block: 1.8 MB of Linux."""

_LISTED_SHARE = 16
"""The list is written again where more than one of so many files are unlisted: it costs as much as indexing these."""

_LONGEST = 32_768
"""Bytes from which on FTS5 cuts a word short (``FTS5_MAX_TOKEN_SIZE``)."""

_WORDS_AT_ONCE = 32
"""Words of one query: for each file that holds one of them, FTS5 looks at all."""

_NEXT_WORDS = """
select cast(group_concat(term, char(10)) as blob), cast(max(term) as blob), max(length(cast(term as blob)))
from (select term from word where term > cast(? as text) limit ?)"""
"""Selects words that come after one, as one value: a row for each would keep other threads from running."""


class _Words(NamedTuple):
    """Some words, each with a newline behind it, and those that FTS5 has cut short."""

    whole: bytes
    cut: Sequence[bytes]


def note_unlisted(connection: apsw.Connection, files: Iterable[int]) -> None:
    """Note that the list may lack words of some files, which one transaction has indexed."""
    change = secrets.randbits(62)
    connection.executemany("insert or replace into unlisted values(?, ?)", [(file, change) for file in files])


def forget_unlisted(connection: apsw.Connection, file: int) -> None:
    """Note that a file has no words any more."""
    connection.execute("delete from unlisted where file=?", (file,))


def settle(database: Database, stopped: Callable[[], bool]) -> None:
    """Write the list again where it lacks the words of many files; it stays as it is when this is ``stopped``."""
    connection = database.connection()
    unlisted: list[tuple[Any, ...]] = list(connection.execute("select file, change from unlisted"))
    [(files,)] = list[tuple[Any, ...]](connection.execute("select count(*) from file"))
    if len(unlisted) * _LISTED_SHARE <= files:
        return
    blocks: list[bytes] = []
    cut: list[bytes] = []
    for words in _words(connection):
        if stopped():
            return
        blocks.append(deflated.compress(words.whole, thorough=True))
        cut += words.cut
    with_cut = frozenset(_files_with(connection, [word.decode("utf-8", "replace") for word in cut]))
    with database.writing() as writing:
        writing.execute("delete from word_block")
        writing.executemany("insert into word_block(words) values(?)", [(block,) for block in blocks])
        listed = [(file, change) for file, change in unlisted if file not in with_cut]
        writing.executemany("delete from unlisted where file=? and change=?", listed)


def files_with_part(connection: apsw.Connection, parts: Sequence[WordPart], most_words: int) -> list[int] | None:
    """Return the ids of the files that may hold a word with any of some parts; unlisted files are among them.

    None where more than ``most_words`` words have one. Raises RowsDamagedError.
    """
    # Read before the blocks: between the two the list may be written, and no file is unlisted any more.
    rows: list[tuple[Any, ...]] = list(connection.execute("select file from unlisted"))
    unlisted = {file for (file,) in rows}
    texts = [f"{part.text}\n" if part.ends else part.text for part in parts]
    found: set[str] = set()
    for (block,) in connection.execute("select words from word_block"):
        try:
            words = deflated.decompress(block)
        except ValueError as error:
            raise RowsDamagedError("damaged words") from error
        for text in texts:
            found.update(_lines_with(words, text.encode()))
        if len(found) > most_words:
            return None
    return sorted(unlisted.union(_files_with(connection, sorted(found))))


def _files_with(connection: apsw.Connection, words: Sequence[str]) -> Iterator[int]:
    for start in range(0, len(words), _WORDS_AT_ONCE):
        yield from postings.holding_any(connection, Words.Text, words[start : start + _WORDS_AT_ONCE])


def _words(connection: apsw.Connection) -> Iterator[_Words]:
    """Yield the words of all files, some at a time."""
    last = b""
    while True:
        rows: list[tuple[Any, Any, Any]] = list(connection.execute(_NEXT_WORDS, (last, _BLOCK_WORDS)))
        [(words, last, longest)] = rows
        if words is None:
            return
        if longest < _LONGEST:
            yield _Words(words + b"\n", ())
        else:
            each = words.split(b"\n")
            whole = [word for word in each if len(word) < _LONGEST]
            yield _Words(b"\n".join([*whole, b""]), [word for word in each if len(word) >= _LONGEST])


def _lines_with(words: bytes, text: bytes) -> Iterator[str]:
    """Yield the lines that contain a text, which may end with the end of one."""
    at = words.find(text)
    while at >= 0:
        end = words.find(b"\n", at)
        yield words[words.rfind(b"\n", 0, at) + 1 : end].decode()
        at = words.find(text, end)
