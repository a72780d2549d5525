"""The facts of files on the disk, by the content that they are of: what is known of it is never computed again.

Facts are a cache beside the index, in a database of their own: they are many times as large as the index, and to write
them disturbs nobody who reads it. Up to a limit they are kept; then those that were used longest ago go first.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from leadline_tools.index.facts.fact_size import USUAL_SIZE
from leadline_tools.index.store.database import REFUSALS, Connection, Database

log = logging.getLogger("leadline.index")

FOLDER = "facts"
"""The folder of the stores inside of the cache."""

_MOST_IN_MEMORY = 64_000_000
"""Bytes of facts that are kept where no disk keeps them."""

_SCHEMA = """
create table facts(id integer primary key, blob blob not null);
-- The keys are separate from the facts: to note a use or to look for a digest moves no facts.
create table fact_key(id integer primary key, digest blob not null, language text not null, size integer not null,
    used integer not null, unique(digest, language));
create table meta(key text primary key, value text not null) without rowid;
"""

_TABLES = ("facts", "fact_key")

_PAGE_BYTES = 1_024
"""Bytes of a page: facts take about 4,000, and in pages of as many a sixth stays empty."""

_MOST_DIGESTS = 500
"""Contents that one query is about."""

_USE_SECONDS = 3_600
"""A use is noted that comes so many seconds after the last one that was."""

_MOST_USES = 256
"""Uses that are noted together."""

_FULL_SHARE = 0.95
"""The share of the limit from which on nothing is kept that nobody has asked for."""

_TRIMMED_SHARE = 0.98
"""The share of the limit that is left once more than the limit was kept: above the other one, so that both end."""

_ROW_BYTES = 64
"""Bytes of the rows of some facts beside them."""


class Kept(NamedTuple):
    """The facts of one content in one language, packed; empty where it has none."""

    digest: bytes
    language: str
    blob: bytes


class FactStore:
    """Packed facts by the digest of a content and the language in which it was read."""

    def __init__(self, path: Path | None, limit: int = USUAL_SIZE, *, shared: bool = False) -> None:
        """Keep at most ``limit`` bytes in the file ``path``, or without one in memory.

        The file is opened when something is looked for in it. Whatever is wrong with it, it starts over. One that is
        ``shared`` has facts of contents that other trees have.
        """
        self._shared = shared
        self._path = path
        self._limit = limit
        self._open: Database | None = None
        self._used: dict[int, None] = {}
        self._lock = threading.Lock()

    @property
    def _database(self) -> Database:
        with self._lock:
            if self._open is None:
                self._open = Database(self._path, _SCHEMA, _TABLES, _PAGE_BYTES)
            return self._open

    @property
    def limit(self) -> int:
        """Return how many bytes are kept at most."""
        return min(self._limit, _MOST_IN_MEMORY) if self._database.path is None else self._limit

    @property
    def full(self) -> bool:
        """Return whether there is no room for what nobody has asked for yet."""
        return self.size >= self.limit * _FULL_SHARE

    @property
    def size(self) -> int:
        """Return the bytes of what is kept, with all that it takes to find it."""
        try:
            return _size(self._database.connection())
        except apsw.Error as error:
            self._recover(error)
            return 0

    def get(self, digest: bytes, language: str) -> bytes | None:
        """Return the packed facts of a content, empty where it is known to have none; None where nothing is kept."""
        query = "select id, used, blob from fact_key join facts using(id) where digest=? and language=?"
        try:
            row = self._database.connection().execute(query, (digest, language)).fetchone()
        except apsw.Error as error:
            self._recover(error)
            return None
        if row is None:
            return None
        number, used, blob = row
        if not isinstance(blob, bytes) or not isinstance(used, int | float):
            return None  # another program has written it: the facts are computed again
        if used + _USE_SECONDS < time.time() and len(self._used) < _MOST_USES:
            self._used[number] = None
        return blob

    def known(self, language: str, digests: Sequence[bytes]) -> Mapping[bytes, int]:
        """Return the bytes of the facts of those of some contents of which it is kept what facts they have."""
        found: dict[bytes, int] = {}
        try:
            for start in range(0, len(digests), _MOST_DIGESTS):
                some = digests[start : start + _MOST_DIGESTS]
                marks = ",".join("?" * len(some))
                query = f"select digest, size from fact_key where digest in ({marks}) and language=?"  # noqa: S608
                rows = self._database.connection().execute(query, (*some, language))
                found.update((digest, size) for digest, size in rows if isinstance(size, int) and size >= 0)
        except apsw.Error as error:
            self._recover(error)
        return found

    def put(self, rows: Iterable[Kept]) -> bool:
        """Keep facts, and let go of those that were used longest ago where there are too many.

        Returns:
            Whether something was let go of.

        """
        if not self.limit:
            return False
        try:
            with self._database.writing() as connection:
                now = int(time.time())
                self._note_uses(connection, now)
                for digest, language, blob in rows:
                    _put(connection, digest, language, blob, now)
                return self._trim(connection)
        except apsw.Error as error:
            self._recover(error)
            return False

    def drop_unless(self, digests: Collection[bytes]) -> None:
        """Let go of the facts of all contents but some; of none where other trees may have them."""
        if not self._shared:
            self._drop_where(lambda digest, _language: digest not in digests)

    def drop(self, digest: bytes, language: str) -> None:
        """Let go of the facts of a content, as of damaged ones."""
        self._drop_where(lambda *key: key == (digest, language))

    def _drop_where(self, is_unwanted: Callable[[bytes, str], bool]) -> None:
        try:
            with self._database.writing() as connection:
                keys = connection.execute("select digest, language, id from fact_key")
                _drop(connection, [number for digest, language, number in keys if is_unwanted(digest, language)])
        except apsw.Error as error:
            self._recover(error)

    def clear(self) -> None:
        """Let go of everything."""
        self._drop_where(lambda _digest, _language: True)

    def flush(self) -> None:
        """Note the uses that are not noted yet."""
        if self._used:
            self.put(())

    def release(self) -> None:
        """Leave the connection of this thread to the next one that asks."""
        with self._lock:
            opened = self._open
        if opened is not None:
            opened.release()

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            if self._open is not None:
                self._open.close()

    def _note_uses(self, connection: Connection, now: int) -> None:
        used, self._used = self._used, {}
        if used:
            marks = ",".join(map(str, used))
            connection.execute(f"update fact_key set used=? where id in ({marks})", (now,))  # noqa: S608  numbers

    def _trim(self, connection: Connection) -> bool:
        """Let go of the facts that were used longest ago while there are too many; return whether there were."""
        if _size(connection) <= self.limit:
            return False
        while (excess := _size(connection) - int(self.limit * _TRIMMED_SHARE)) > 0:
            oldest = _oldest(connection, excess)
            if not oldest:
                break
            _drop(connection, oldest)
        return True

    def _recover(self, error: apsw.Error) -> None:
        """Start over where the file is damaged, go on in memory where the disk refuses; else keep nothing of this."""
        database = self._database
        with self._lock, suppress(apsw.Error):
            if isinstance(error, apsw.CorruptError | apsw.NotADBError | apsw.SQLError | apsw.MismatchError):
                database.renew()
            elif isinstance(error, REFUSALS) and database.path is not None:
                database.leave_disk(error)
            else:
                log.warning("facts could not be stored: %s", error)


def _put(connection: Connection, digest: bytes, language: str, blob: bytes, now: int) -> None:
    there = connection.execute("select 1 from fact_key where digest=? and language=?", (digest, language)).fetchone()
    if there is None:
        connection.execute("insert into facts(blob) values(?)", (blob,))
        row = (connection.last_insert_rowid(), digest, language, len(blob), now)
        connection.execute("insert into fact_key values(?, ?, ?, ?, ?)", row)


def _oldest(connection: Connection, size: int) -> list[int]:
    """Return the facts that were used longest ago, of so many bytes together."""
    oldest: list[int] = []
    for number, own in connection.execute("select id, size from fact_key order by used"):
        if size <= 0:
            break
        oldest.append(number)
        size -= (own if isinstance(own, int) and own > 0 else 0) + _ROW_BYTES
    return oldest


def _drop(connection: Connection, numbers: Sequence[int]) -> None:
    for start in range(0, len(numbers), _MOST_DIGESTS):
        marks = ",".join(map(str, numbers[start : start + _MOST_DIGESTS]))
        connection.execute(f"delete from fact_key where id in ({marks})")  # noqa: S608  numbers
        connection.execute(f"delete from facts where id in ({marks})")  # noqa: S608  numbers


def _pragma(connection: Connection, name: str) -> int:
    row = connection.execute(f"pragma {name}").fetchone()
    return int(row[0]) if row is not None else 0


def _size(connection: Connection) -> int:
    used = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return used * _pragma(connection, "page_size")
