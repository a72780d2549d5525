"""The rows of an index in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from leadline_tools.index.files.file import File
from leadline_tools.index.store import postings, vocabulary_runs, word_list
from leadline_tools.index.store.database import REFUSALS, Connection, Database
from leadline_tools.index.store.rows import (
    Blob,
    Clause,
    RowsBusyError,
    RowsDamagedError,
    RowsError,
    RowsRefusedError,
    RowWriter,
    Stopped,
    Words,
)
from leadline_tools.index.store.vocabulary import Vocabulary
from leadline_tools.index.store.words import WordPart

_SCHEMA = """
-- An id is never given twice: another process may still mean the file that had it.
create table file(
    id integer primary key autoincrement, path blob unique not null, size integer not null, changed_ns integer not null,
    lines integer not null default 0, digest blob not null default x'', done integer not null default 0,
    error text not null default '');
create table symbols(file integer primary key, blob blob not null);
-- What files include as a whole, as it is written.
create table included(file integer primary key, blob blob not null);
-- What their types inherit from, what they import and export.
create table related(file integer primary key, blob blob not null);
create virtual table words using fts5(text, content='', contentless_delete=1, detail=none,
    tokenize="unicode61 remove_diacritics 0 tokenchars '_'");
create virtual table names using fts5(text, content='', contentless_delete=1, detail=none,
    tokenize="unicode61 remove_diacritics 0 tokenchars '_'");
-- Merged as seldom as FTS5 can: a word is looked for in a few more places, and a build costs less.
insert into words(words, rank) values('automerge', 16);
insert into names(names, rank) values('automerge', 16);
create table meta(key text primary key, value text not null) without rowid;
"""

_TABLES = ("file", "symbols", "included", "related", "words", "names", *vocabulary_runs.TABLES, *word_list.TABLES)

_FOREIGN = """
select 1 from file where typeof(id) <> 'integer' or id not between 1 and 16000000 + 100 * (select count(*) from file)
or typeof(path) <> 'blob' or length(path) not between 1 and 65536 or instr(path, x'00')
or typeof(size) <> 'integer' or size < 0 or typeof(changed_ns) <> 'integer'
or typeof(lines) <> 'integer' or lines not between 0 and 2147483647
or typeof(digest) <> 'blob' or length(digest) > 64 or typeof(done) <> 'integer' or done not between 0 and 255
or typeof(error) <> 'text' or length(error) > 10000
union all select 1 from renamed where typeof(change) <> 'integer'
or change not between -140737488355328 and 140737488355327 or typeof(blob) not in ('blob', 'null')
union all select 1 from run where typeof(size) <> 'integer' or size not between 0 and 1099511627776
union all select 1 from part where typeof(run) <> 'integer' or typeof(length) <> 'integer'
or typeof(spelling) <> 'integer' or typeof(names) <> 'blob' or typeof(counts) <> 'blob' limit 1"""
"""Finds what somebody else has written: values that would not fit where they are kept in memory, or into a sum."""

_PATHS = ("utf-8", "surrogateescape")
"""How paths are encoded: those of file names that are no UTF-8 too."""

_CACHE, _LITTLE_CACHE = 32 << 20, 2 << 20
"""Bytes of pages that who writes keeps in memory for many rows, and for a few."""

_SYMBOLS_OF = """
select blob, case when done & ? then digest else x'' end from symbols join file on file.id = symbols.file
where symbols.file = ?"""


@contextmanager
def _own_errors() -> Iterator[None]:
    """Raise ``RowsError`` for what SQLite raises."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise RowsDamagedError(str(error)) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise RowsBusyError(str(error)) from error
    except REFUSALS as error:
        raise RowsRefusedError(str(error)) from error
    except (apsw.SQLError, apsw.MismatchError) as error:  # the statements are ours: what they meet is not
        raise RowsDamagedError(str(error)) from error
    except apsw.Error as error:
        raise RowsError(str(error)) from error


def _batches(rows: Iterator[tuple[Any, ...]], at_once: int) -> Iterator[Sequence[File]]:
    """Yield rows of files, some at a time."""
    with _own_errors():
        while some := list(islice(rows, at_once)):
            yield [File._make((number, path.decode(*_PATHS), *others)) for number, path, *others in some]


class SqliteRows:
    """Rows in a SQLite file, or in memory; see ``Rows``.

    Attributes:
        database: The file.

    """

    def __init__(self, path: Path | None) -> None:
        """Open the file at ``path``, or make it; without a path the rows live in memory."""
        self.database = Database(path, _SCHEMA + vocabulary_runs.SCHEMA + word_list.SCHEMA, _TABLES)
        self._runs = vocabulary_runs.VocabularyRuns(self.database)

    @property
    def path(self) -> Path | None:
        """Return the file; None for rows in memory."""
        return self.database.path

    @property
    def warning(self) -> str:
        """Return why the rows are in memory though they were to be kept; empty where that is not so."""
        return self.database.warning

    @property
    def generation(self) -> int:
        """Return how often the rows were recreated."""
        return self.database.generation

    @property
    def wanted(self) -> bool:
        """Return whether somebody in this process waits for a lock."""
        return self.database.wanted

    @_own_errors()
    def lead(self) -> bool:
        """Become the one process that writes; False as long as another one is that."""
        return self.database.lead()

    @_own_errors()
    def changed(self) -> bool:
        """Return whether another process has written since this thread asked last."""
        return self.database.changed()

    @_own_errors()
    def release(self) -> None:
        """Let go of the connection of this thread, until it reads or writes again."""
        self.database.rest()

    @_own_errors()
    def renew(self) -> None:
        """Throw everything away and begin with empty rows."""
        self.database.renew()

    @_own_errors()
    def leave_disk(self, error: Exception) -> None:
        """Go on with empty rows in memory."""
        self.database.leave_disk(error)

    @_own_errors()
    def close(self) -> None:
        """Close every connection."""
        self.database.close()

    @_own_errors()
    def files(self, at_once: int) -> Iterator[Sequence[File]]:
        """Return the rows of all files, some at a time."""
        if self.database.connection().execute(_FOREIGN, can_cache=False).fetchone() is not None:
            raise RowsDamagedError("a row of a file holds what no server has written")
        every = "select id, path, size, changed_ns, lines, digest, done, error from file"
        rows = self.database.connection().execute(every, can_cache=False)
        return _batches(rows, at_once)

    @_own_errors()
    def blob(self, kind: Blob, file: int) -> bytes | None:
        """Return packed bytes of a file; None where it has none."""
        # The table is one of three constants.
        row = self.database.connection().execute(f"select blob from {kind} where file=?", (file,)).fetchone()  # noqa: S608
        return _checked_bytes(row[0]) if row is not None else None

    def symbols(self, files: Iterable[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield the packed symbols of some files, or of all, with their ids."""
        with _own_errors():
            every = "select file, blob from symbols"
            if files is None:
                yield from self.database.connection().execute(every)
            else:
                some = f"{every} where file in (select value from json_each(?))"  # noqa: S608  a constant
                yield from self.database.connection().execute(some, (json.dumps(sorted(files)),))

    @_own_errors()
    def symbols_of(self, file: int, done: int) -> tuple[bytes, bytes] | None:
        """Return the packed symbols of a file and the digest of its content; None where it has none."""
        row = self.database.connection().execute(_SYMBOLS_OF, (done, file)).fetchone()
        return (_checked_bytes(row[0]), _checked_bytes(row[1])) if row is not None else None

    @_own_errors()
    def holding(self, where: Words, words: Iterable[str], most: int = -1, beginning: str = "") -> list[int]:
        """Return the ids of the files that hold all of some words, and one that begins with ``beginning``."""
        return postings.holding(self.database.connection(), where, words, most, beginning)

    @_own_errors()
    def holding_each(self, where: Words, clauses: Iterable[Clause]) -> list[int]:
        """Return the ids of the files that hold something of each clause."""
        return postings.holding_each(self.database.connection(), where, clauses)

    @_own_errors()
    def holding_part(self, parts: Sequence[WordPart], most_words: int) -> list[int] | None:
        """Return the ids of the files that may hold a word of texts with any of some parts; None for too many words."""
        return word_list.files_with_part(self.database.connection(), parts, most_words)

    @_own_errors()
    def holding_any(self, where: Words, words: Iterable[str]) -> list[int]:
        """Return the ids of the files that hold any of some words."""
        return postings.holding_any(self.database.connection(), where, words)

    @_own_errors()
    def holding_among(self, where: Words, words: Iterable[str], files: Sequence[int]) -> list[int]:
        """Return those of some files, by their ids, that hold all of some words."""
        return postings.holding_among(self.database.connection(), where, words, files)

    @_own_errors()
    def count(self, where: Words, words: Iterable[str]) -> int:
        """Return how many files hold all of some words."""
        return postings.count(self.database.connection(), where, words)

    @_own_errors()
    def vocabulary(self) -> Vocabulary:
        """Return the names of all symbols as they are now."""
        return self._runs.vocabulary()

    @_own_errors()
    def write_vocabulary(self) -> None:
        """Write what has changed of the vocabulary, once it is much."""
        self._runs.write()

    @_own_errors()
    def settle_vocabulary(self, stopped: Stopped) -> None:
        """Bring the vocabulary of names and the list of words into their final form; ends early when ``stopped``."""
        self._runs.settle(stopped)
        word_list.settle(self.database, stopped)
        if not stopped():
            self.database.spare_memory()

    @contextmanager
    def writing(self) -> Iterator[RowWriter]:
        """Give what writes rows in one transaction."""
        with _own_errors(), self.database.writing() as connection:
            writer = _SqliteWriter(connection)
            yield writer
            writer.finish()


class _SqliteWriter:
    """Writes rows through a connection; see ``RowWriter``. Its errors are those of SQLite: ``writing`` has them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._unlisted: set[int] = set()

    def finish(self) -> None:
        """Write what is written once for all that was."""
        word_list.note_unlisted(self._connection, self._unlisted)

    def expect(self, *, many: bool) -> None:
        """Keep many pages in memory, or a few."""
        self._connection.execute(f"pragma cache_size=-{(_CACHE if many else _LITTLE_CACHE) >> 10}")

    def file_id(self, path: str) -> int | None:
        """Return the id of the file at a path; None where no row has it."""
        row = self._connection.execute("select id from file where path=?", (path.encode(*_PATHS),)).fetchone()
        return int(row[0]) if row is not None else None

    def last_id(self) -> int:
        """Return the highest id that was ever given; 0 for none."""
        row = self._connection.execute("select max(seq) from sqlite_sequence where name='file'").fetchone()
        return int(row[0] or 0) if row is not None else 0

    def delete_file(self, file: int) -> None:
        """Delete all that is kept of a file."""
        self._connection.execute("delete from file where id=?", (file,))
        for kind in Blob:
            self._connection.execute(f"delete from {kind} where file=?", (file,))  # noqa: S608  a constant
        for words in Words:
            self.delete_words(words, file)

    def put_files(self, rows: Iterable[File]) -> None:
        """Write the rows of files, after their words.

        A statement that may have to be undone on its own makes FTS5 write out what it has gathered, which is only fast
        for many texts at once.
        """
        self._connection.executemany(
            "insert into file(id, path, size, changed_ns, lines, digest, done, error) values(?, ?, ?, ?, ?, ?, ?, ?)"
            " on conflict(id) do update set size=excluded.size, changed_ns=excluded.changed_ns, lines=excluded.lines,"
            " digest=excluded.digest, done=excluded.done, error=excluded.error",
            ((file.id, file.path.encode(*_PATHS), *file[2:]) for file in rows),
        )

    def put_blobs(self, kind: Blob, blobs: Mapping[int, bytes]) -> None:
        """Write packed bytes by the ids of their files; nothing is kept where they are empty."""
        there = [(number, blob) for number, blob in blobs.items() if blob]
        self._connection.executemany(f"insert or replace into {kind} values(?, ?)", there)
        none = [(number,) for number, blob in blobs.items() if not blob]
        self._connection.executemany(f"delete from {kind} where file=?", none)  # noqa: S608  a constant

    def put_words(self, words: Words, file: int, text: str) -> None:
        """Index the words of a text in place of those that were indexed of a file."""
        postings.replace(self._connection, words, file, text)
        if words is Words.Text:
            self._unlisted.add(file)

    def delete_words(self, words: Words, file: int) -> None:
        """Delete the words of a file."""
        postings.delete(self._connection, words, file)
        if words is Words.Text:
            self._unlisted.discard(file)
            word_list.forget_unlisted(self._connection, file)

    def request_look(self, state: str) -> None:
        """Note the state of the tree that the leading process may not know: the note itself changes the file."""
        self._connection.execute("insert or replace into meta values('wanted', ?)", (state,))


def _checked_bytes(value: object) -> bytes:
    """Return bytes of a row; raises RowsDamagedError for what another program has put in their place."""
    if not isinstance(value, bytes):
        raise RowsDamagedError("a value is not bytes")
    return value
