"""A SQLite file of the cache: opened, checked, and recreated when it is not what it should be.

The index is a cache. Whatever is wrong with it (another version, cut short, not a database, a read-only or full disk),
it is thrown away or done without, and costs time only. APSW brings its own SQLite, so that FTS5 tables can be
contentless and still delete, whatever Python was built with.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from weakref import WeakSet

import apsw

from leadline_tools.index.store.fingerprint import fingerprint

log = logging.getLogger("leadline.index")

_CHECKED = 64 << 20
"""Bytes of an index that is checked as a whole when it is opened: a tenth of a second."""

_PAGE_BYTES = 4_096

_LOCK_PAGE_BYTES = 512
_FEW_PAGES = 8
"""Of a file that is only locked, and pages that a connection keeps that does not write: the system has them anyhow.

With 2 MB for each connection, questions about a tree of 7,000 files cost the same or 5 % less CPU, and 200 roots need
30 MB more.
"""

_BUSY_SECONDS = 10.0
_OPEN_SECONDS = 2.0
"""How long is waited for a lock: by who writes, and by who opens an index, for whom there is memory."""

_BUSY_PAUSE = 0.002
_LATELY = 0.01

REFUSALS = (apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError)
"""What SQLite raises where a disk cannot be written: full, failing, read-only."""

Connection = apsw.Connection


def _execute_once(connection: Connection, sql: str, given: tuple[str, ...] = ()) -> apsw.Cursor:
    """Run statements that a connection runs once: those that are kept for the next time take up to 20 kB each."""
    return connection.execute(sql, given, can_cache=False)


def mark_of(path: Path | None) -> object:
    """Return what is another once anybody has written to a file: its size and time, and those of its log.

    No connection is needed. It may become another for nothing.
    """
    return path and [_size_and_time(one) for one in (path, path.with_name(f"{path.name}-wal"))]


def _size_and_time(path: Path) -> tuple[int, int] | None:
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_size, found.st_mtime_ns
    return None


def _omit_lookaside() -> None:
    """Have connections from now on reserve no memory for small allocations, unless one is open already.

    These are 120 kB for each connection, and a process has several for each of its roots. They save 2 to 4 % of the
    time in which statements are prepared, and nothing where these run.
    """
    if not apsw.memory_used():
        apsw.shutdown()  # importing it has initialized it
        apsw.config(apsw.SQLITE_CONFIG_LOOKASIDE, 0, 0)
        apsw.initialize()


_omit_lookaside()


def default_cache() -> Path:
    """Return the user's cache directory for Leadline."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("leadline", appauthor=False))


def private_folder(folder: Path) -> None:
    """Make a folder, or take the one there is, so that nobody but its owner can look into it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)


def index_path(cache: Path, root: Path, variant: str = "", folder: str = "index") -> Path:
    """Return where an index of ``root`` lies: its name for people, a hash of its path and variant for uniqueness.

    What belongs to the index lies in another ``folder`` under the same name.
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name)[:40] or "root"
    which = f"{root}\0{variant}" if variant else str(root)
    return cache / folder / f"{name}-{hashlib.sha256(which.encode('utf-8', 'replace')).hexdigest()[:16]}.db"


_TAKE_OVERS = 100
"""How often it is tried to become the one that may discard an index of another version, with a pause between."""


class _Place(threading.local):
    """Where the index is, and what each thread has of it.

    One that is made anew is in a new place, so no thread ever has something of both.
    """

    connection: Connection | None = None
    version: object = None

    def __init__(self, target: str) -> None:
        """``target`` is the name by which SQLite opens it; called once for each thread."""
        self.target = target


class _Waiting(threading.local):
    """Since when a thread waits for a lock, by the monotonic clock."""

    since = 0.0


class Database:
    """One index file; a connection for each thread that asks, until the thread releases it.

    Attributes:
        path: The file; None for an index in memory.
        warning: Why it is in memory though it was to be in a file; else empty.
        generation: How often it was made anew: the rows of two generations have nothing to do with each other.

    """

    def __init__(
        self,
        path: Path | None,
        schema: str,
        tables: Sequence[str],
        page_bytes: int = _PAGE_BYTES,
    ) -> None:
        """Open the file at ``path``, or make it; without a path, or where the disk refuses, it lives in memory.

        ``schema`` makes the ``tables``, and a table ``meta`` besides.
        """
        self.path = path
        self._schema = schema
        self._tables = tables
        self._page_bytes = page_bytes
        self.warning = ""
        self.generation = 0
        self._place = _Place(str(path))
        self._waiting = _Waiting()
        self._opened: WeakSet[Connection] = WeakSet()  # a connection ends with its thread
        self._released: list[tuple[_Place, Connection]] = []
        self._anchor: Connection | None = None
        self._lock = threading.Lock()
        self._turn = threading.RLock()
        self._leadership: Connection | None = None
        self._waited = 0.0
        self._patience = _OPEN_SECONDS
        if path is not None:
            try:
                self._prepare(path)
            except (OSError, apsw.Error) as error:
                self.leave_disk(error)
        else:
            self._keep_in_memory()
        self._patience = _BUSY_SECONDS

    def connection(self) -> Connection:
        """Return the connection of this thread."""
        place = self._place
        if place.connection is None:
            place.connection = self._take(place) or self._connect(place.target)
        return place.connection

    def release(self) -> None:
        """Leave the connection of this thread to the next one that asks, if there is none yet; nothing reads by it."""
        place = self._place
        connection, place.connection = place.connection, None
        if connection is not None:
            with self._lock:
                if not self._released and connection in self._opened:
                    self._released.append((place, connection))

    def _take(self, place: _Place) -> Connection | None:
        """Return the connection that another thread has left of the present file; None where there is none."""
        with self._lock:
            of, connection = self._released.pop() if self._released else (place, None)
        return connection if of is place else None

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection inside a transaction that takes the lock at once, so that two writers never deadlock.

        One thread of this process writes at a time.
        """
        with self._turn:
            connection = self.connection()
            connection.execute("begin immediate")
            try:
                yield connection
                connection.execute("commit")
            except BaseException:
                with contextlib.suppress(apsw.Error):
                    connection.execute("rollback")
                raise

    @property
    def wanted(self) -> bool:
        """Return whether somebody in this process waits for a lock: in memory, whoever reads waits for who writes."""
        return time.monotonic() - self._waited < _LATELY

    def _wait(self, pauses: int) -> bool:
        """Wait a moment for a lock; return whether it is worth it."""
        self._waited = time.monotonic()
        if not pauses:
            self._waiting.since = self._waited
        time.sleep(_BUSY_PAUSE)
        return self._waited - self._waiting.since < self._patience

    def lead(self) -> bool:
        """Become the one process that keeps the index true; False as long as another one is that.

        It is whoever holds a lock that the system takes back when a process ends, however it ends.
        """
        if self.path is None or self._leadership is not None:
            return True
        try:
            lock = Connection(str(self.path.with_name(f"{self.path.name}.lock")))
            _execute_once(lock, f"pragma page_size={_LOCK_PAGE_BYTES}; pragma locking_mode=exclusive")
            _execute_once(lock, "begin exclusive")
        except (apsw.BusyError, apsw.LockedError):
            return False
        self._leadership = lock
        return True

    def changed(self) -> bool:
        """Return whether another process has written since this thread asked last."""
        version = self.connection().execute("pragma data_version").fetchone()
        place = self._place
        seen, place.version = place.version, version
        return version != seen

    def rest(self) -> None:
        """Release the connection of this thread, without its pages."""
        if self._place.connection is not None:
            self.spare_memory()
            self.release()

    def spare_memory(self) -> None:
        """Keep few pages in memory for this thread, which writes nothing for now."""
        _execute_once(self.connection(), f"pragma cache_size={_FEW_PAGES}; pragma shrink_memory")

    def renew(self) -> None:
        """Throw everything away and begin with an empty index."""
        if self.path is None:
            self._keep_in_memory()
        else:
            try:
                self._discard(self.path)
                self._create(self.connection())
            except (OSError, apsw.Error) as error:
                self.leave_disk(error)
        self.generation += 1

    def leave_disk(self, error: Exception) -> None:
        """Go on with an empty index in memory, and give up the leadership of the one on the disk, which stays.

        A thread keeps its connection until it asks for one again.
        """
        self.path = None
        self.warning = f"the index cannot be stored on the disk ({error}); it is in memory until the next start"
        log.warning("the index cannot be stored on the disk; it is in memory until the next start")
        self._keep_in_memory()
        self._give_up_leadership()
        self.generation += 1

    def close(self) -> None:
        """Close every connection; another process may lead now."""
        self._disconnect()
        self._give_up_leadership()

    def _give_up_leadership(self) -> None:
        if self._leadership is not None:
            self._leadership.close()
            self._leadership = None

    def _disconnect(self) -> None:
        with self._lock:
            for connection in list(self._opened):
                with contextlib.suppress(apsw.Error):
                    connection.close()
            self._opened.clear()
            self._released.clear()
            self._anchor = None
        self._place = _Place(self._place.target)

    def _keep_in_memory(self) -> None:
        target = f"file:/leadline-{uuid.uuid4().hex}?vfs=memdb"
        self._anchor = self._connect(target)  # what is in memory is gone with the last connection
        self._create(self._anchor)
        self._place = _Place(target)

    def _prepare(self, path: Path) -> None:
        private_folder(path.parent.parent)
        private_folder(path.parent)
        if path.exists() and not self._usable(path):
            self._take_over(path)
        if not path.exists() or self._is_empty():
            self._create(self.connection())

    def _take_over(self, path: Path) -> None:
        """Discard what cannot be used. Raises OSError where another process, of another version, goes on using it."""
        for _ in range(_TAKE_OVERS):
            if self.lead():
                self._discard(path)
                self._give_up_leadership()
                return
            time.sleep(_BUSY_PAUSE)
            if self._usable(path):  # a process of this version has rebuilt it
                return
        raise OSError("a process of another version keeps it; end that one")

    def _usable(self, path: Path) -> bool:
        """Return whether the file is an index of this version; an empty one is, and is filled.

        Raises BusyError for one that another program keeps for itself: it may be sound, and must not be thrown away.
        """
        try:
            if self._is_empty():
                return True
            row = _execute_once(self.connection(), "select value from meta where key='fingerprint'").fetchone()
            for table in self._tables:
                _execute_once(self.connection(), f"select 1 from {table} limit 1").fetchone()  # noqa: S608  a constant
            return row is not None and row[0] == fingerprint() and self._sound(path)
        except apsw.BusyError:
            raise
        except (OSError, apsw.Error):
            return False

    def _sound(self, path: Path) -> bool:
        """Return whether SQLite finds no damage; a large file is believed until it is met."""
        if path.stat().st_size > _CHECKED:
            return True
        sound = _execute_once(self.connection(), "pragma quick_check(1)").fetchone() == ("ok",)
        _execute_once(self.connection(), "pragma shrink_memory")  # of all pages, most of which no question needs
        return sound

    def _is_empty(self) -> bool:
        return _execute_once(self.connection(), "select count(*) from sqlite_master").fetchone() == (0,)

    def _discard(self, path: Path) -> None:
        self._disconnect()
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)

    def _create(self, connection: Connection) -> None:
        _execute_once(connection, "begin immediate")
        if _execute_once(connection, "select count(*) from sqlite_master").fetchone() == (0,):
            _execute_once(connection, self._schema)
            _execute_once(connection, "insert into meta values('fingerprint', ?)", (fingerprint(),))
        _execute_once(connection, "commit")

    def _connect(self, target: str) -> Connection:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        connection = Connection(target, flags=flags)
        connection.set_busy_handler(self._wait)
        _execute_once(connection, f"pragma page_size={self._page_bytes}")
        # The mode comes last: it returns a row, and what follows a row is not run before that is read.
        _execute_once(connection, "pragma synchronous=normal; pragma journal_mode=wal")
        _execute_once(connection, f"pragma cache_size={_FEW_PAGES}; pragma shrink_memory")
        with self._lock:
            self._opened.add(connection)
        return connection
