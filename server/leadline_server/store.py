"""Complete results, kept in SQLite under ``leadline://result/{id}`` so that nothing that was cut is lost.

Results expire after a day, or earlier, least recently used first, when they take too much room; what the question was
is remembered longer, so that an expired URI can say how to ask again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import apsw

from leadline_server.errors import NoSuchResult
from leadline_server.packed_result import (
    REMEMBERED_SECONDS,
    TTL_SECONDS,
    USED_SECONDS,
    PackedResult,
    ResultIds,
    parse_question,
)
from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.store.database import private_folder
from leadline_tools.result import Call, Result
from leadline_tools.stored_json import parse_stored

log = logging.getLogger("leadline.store")

LARGEST = 256 << 20
"""Bytes of all results together."""

_LARGE = 2_000
"""Items from which on a result is written while its answer is on its way: to pack them takes up to 80 ms."""

_BUSY_MS = 1_000
"""How long is waited for another program that writes: a transaction of another server takes a few of them."""

_EXPIRE_SECONDS = 60.0
_EXPIRE_SHARE = 16
"""What is too old or too much is looked for after so many seconds, or when a sixteenth of the limit was added: it takes
a look at all results."""

_SCHEMA = """
drop table if exists result;
create table if not exists answer(
    id text primary key, owner blob not null, question text not null, result text, kind text, items blob,
    created real not null, used real not null) without rowid;
create table if not exists preview(question text primary key, before text not null, at real not null) without rowid;
create table if not exists meta(key text primary key, value blob not null) without rowid;
"""


class Store:
    """The results of one cache directory, or of this process alone."""

    def __init__(self, path: Path | None, long_ids: bool = False, index: Index | None = None) -> None:
        """Open the database at ``path``, or one in memory; ``index`` reads what results only have the places of."""
        self._index = index
        self._lock = threading.Lock()
        self._later = ThreadPoolExecutor(1, "leadline-store")
        self._unwritten: dict[tuple[str, str], tuple[Call, Result]] = {}
        self._added = 0
        self._expired = 0.0
        self.warning = ""
        self._path = path
        self._connection, secret = self._open(path)
        self._ids = ResultIds(secret, long_ids)
        self._tree = _tree_of(index) if index is not None else ""

    def uri(self, principal: str, call: Call, state: str) -> str:
        """Return the URI of the answer to ``call`` on a state of the index."""
        return self._ids.uri(principal, call, f"{self._tree}\0{state}" if self._tree else state)

    def put(
        self,
        uri: str,
        call: Call,
        result: Result,
        principal: str,
        roots: Collection[str] = (),  # noqa: ARG002  all clients see all roots
    ) -> None:
        """Keep a result of a principal; one that is kept already stays as it is, a large one is written in a while."""
        if len(result.items) < _LARGE:
            self._write(uri, call, result, principal)
            return
        self._unwritten[uri, principal] = call, result
        try:
            self._later.submit(self._write_late, uri, call, result, principal)
        except RuntimeError:  # it was closed meanwhile
            self._unwritten.pop((uri, principal), None)

    def _write_late(self, uri: str, call: Call, result: Result, principal: str) -> None:
        try:
            self._write(uri, call, result, principal)
        except LeadlineError:
            pass  # a result not written is lost, and an error for its page names the call to repeat
        except Exception:  # no caller waits for it
            log.exception("a result could not be stored")
        finally:
            self._unwritten.pop((uri, principal), None)

    def _write(self, uri: str, call: Call, result: Result, principal: str) -> None:
        packed = PackedResult.of(call, result)
        now, owner = time.time(), self._owner(principal)
        with self._lock, contextlib.suppress(apsw.Error):
            # A store that cannot be written loses the pages after the first; reading them is an error with a hint.
            self._connection.execute(
                "insert into answer values(?,?,?,?,?,?,?,?) on conflict(id) do update set result=excluded.result,"
                " kind=excluded.kind, items=excluded.items, created=excluded.created, used=excluded.used"
                " where answer.items is null or answer.created < ?",
                (
                    uri,
                    owner,
                    packed.question,
                    packed.frame.decode(),
                    packed.kind,
                    packed.items,
                    now,
                    now,
                    now - TTL_SECONDS,
                ),
            )
            self._added += len(packed.items)
            if not 0 <= now - self._expired < _EXPIRE_SECONDS or self._added > LARGEST // _EXPIRE_SHARE:
                self._expire(now)

    def _owner(self, principal: str) -> bytes:
        """Return who may read a result: a principal of a server for the same tree, which shows as much of it."""
        return self._ids.owner(f"{principal}\0{self._tree}")

    def find(self, uri: str, principal: str, index: Index | None = None) -> tuple[Call, Result] | None:
        """Return what is kept under ``uri`` for a principal; None for nothing."""
        try:
            return self.get(uri, principal, index)
        except NoSuchResult:
            return None

    def get(self, uri: str, principal: str, index: Index | None = None) -> tuple[Call, Result]:
        """Return what is kept under ``uri`` for a principal; raises NoSuchResult, also for what is another's."""
        unwritten = self._unwritten.get((uri, principal))
        if unwritten is not None:
            return unwritten
        with self._lock:
            now = time.time()
            row = self._read(
                "select question, result, kind, items, created, used from answer where id=? and owner=?",
                (uri, self._owner(principal)),
            )
            if row is None:
                raise NoSuchResult(uri)
            kept = _read_row(row)
            if kept is None:
                raise NoSuchResult(uri)
            if kept.items is None or kept.created < now - TTL_SECONDS:
                raise NoSuchResult(uri, str(kept.call))
            if now - kept.used >= USED_SECONDS:
                with contextlib.suppress(apsw.Error):
                    self._connection.execute("update answer set used=? where id=?", (now, uri))
        try:
            return kept.call, PackedResult("", kept.frame, kept.kind, kept.items).unpack(index or self._index)
        except (ValueError, KeyError, TypeError):
            raise NoSuchResult(uri, str(kept.call)) from None

    def remember_preview(self, question: str, before: Mapping[str, str]) -> None:
        """Remember the digests of the files, by path, on which the edit that a question asks for was previewed."""
        now = time.time()
        with self._lock, contextlib.suppress(apsw.Error):
            self._connection.execute("delete from preview where at < ?", (now - TTL_SECONDS,))
            self._connection.execute(
                "insert or replace into preview values(?,?,?)", (question, json.dumps(dict(before)), now)
            )

    def recall_preview(self, question: str) -> dict[str, str] | None:
        """Return what was remembered of a question in the last day; None for nothing."""
        with self._lock:
            row = self._read(
                "select before from preview where question=? and at >= ?", (question, time.time() - TTL_SECONDS)
            )
        try:
            found = {} if row is None else parse_stored(str(row[0])).items()
            return None if row is None else {str(path): str(digest) for path, digest in found}
        except (ValueError, AttributeError):  # written by another program: as if nothing was previewed
            return None

    def _read(self, query: str, values: tuple[str | bytes | float, ...]) -> Sequence[object] | None:
        """Return the row that a query selects; None for none. A damaged database is replaced by one in memory."""
        try:
            return self._connection.execute(query, values).fetchone()
        except apsw.BusyError:
            return None
        except (apsw.Error, UnicodeDecodeError) as error:
            log.warning("the stored results are damaged and were dropped: %s", error)
            self._connection.close()
            if self._path is not None:
                with contextlib.suppress(OSError):
                    self._path.unlink(missing_ok=True)
            self._connection = _connect(":memory:")
            return None

    def wait(self) -> None:
        """Wait until everything that was put so far is written."""
        self._later.submit(lambda: None).result()

    def close(self) -> None:
        """Write what is to be kept, and close the database."""
        self._later.shutdown()
        with self._lock:
            self._connection.close()

    def _open(self, path: Path | None) -> tuple[apsw.Connection, bytes]:
        """Return a connection to the database and the key of its ids; one in memory where the file cannot be used."""
        if path is not None:
            for attempt in range(2):
                try:
                    private_folder(path.parent)
                    connection = _connect(str(path))
                    return connection, _secret(connection)
                except (OSError, apsw.Error) as error:
                    self.warning = f"results will be lost at the next restart ({error})"
                    if attempt or not isinstance(error, apsw.NotADBError | apsw.CorruptError):
                        break
                    path.unlink(missing_ok=True)
                    self.warning = ""
        connection = _connect(":memory:")
        return connection, _secret(connection)

    def _expire(self, now: float) -> None:
        """Delete results that are too old, then the least recently used ones as long as there are too many."""
        self._added, self._expired = 0, now
        self._connection.execute(
            "update answer set items=null, result=null where items is not null and created < ?", (now - TTL_SECONDS,)
        )
        self._connection.execute("delete from answer where created < ?", (now - REMEMBERED_SECONDS,))
        row = self._connection.execute("select coalesce(sum(length(items)), 0) from answer").fetchone()
        excess = (int(str(row[0])) if row is not None else 0) - LARGEST
        while excess > 0:
            oldest = self._connection.execute(
                "select id, length(items) from answer where items is not null order by used limit 1"
            ).fetchone()
            if oldest is None:
                return
            self._connection.execute("update answer set items=null, result=null where id=?", (oldest[0],))
            excess -= int(str(oldest[1]))


class _Row(NamedTuple):
    """A stored result as its row has it: times in seconds since the epoch, no items once they were dropped."""

    call: Call
    frame: bytes
    kind: str
    items: bytes | None
    created: float
    used: float


def _read_row(row: Sequence[object]) -> _Row | None:
    """Return a row of stored results; None for one that another program has written."""
    question, frame, kind, items, created, used = row
    try:
        call = parse_question(str(question))
        if not (items is None or isinstance(items, bytes)):
            return None
        return _Row(call, str(frame).encode(), str(kind), items, float(str(created)), float(str(used)))
    except (ValueError, TypeError):
        return None


def _secret(connection: apsw.Connection) -> bytes:
    """Return the key of a store's ids: made once, at random."""
    if _key(connection) is None:  # a reader does not wait for writers
        connection.execute("insert or ignore into meta values('key', ?)", (os.urandom(32),))
    return _key(connection) or os.urandom(32)


def _key(connection: apsw.Connection) -> bytes | None:
    row = connection.execute("select value from meta where key='key'").fetchone()
    return row[0] if row is not None and isinstance(row[0], bytes) else None


def _connect(target: str) -> apsw.Connection:
    connection = apsw.Connection(target)
    connection.set_busy_timeout(_BUSY_MS)
    connection.execute("pragma synchronous=normal; pragma journal_mode=wal")
    connection.execute(_SCHEMA)
    return connection


def _tree_of(index: Index) -> str:
    """Return what distinguishes a tree from others, and from itself where other files of it are secret or left out."""
    identity = index.identity
    if len(index.root_names) > 1:  # each id is computed from it, so what many roots are called is too long
        identity = hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{identity}\0{index.tree.variant}"  # of many roots: to ask each would open it
