"""Keeps the index true to the tree: one thread that writes, fed by a walk and by the workers.

The text of a file is indexed here, since SQLite lets other threads run meanwhile; its symbols are found by a worker.
Every batch is one transaction, so a crash at any moment costs the work since the last one and nothing else.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Iterable

import apsw

from leadline_tools.errors import BinaryFile, LeadlineError
from leadline_tools.index import postings
from leadline_tools.index.database import Database
from leadline_tools.index.files import DONE, SYMBOLS, TEXT, File, Files
from leadline_tools.index.frames import Operation, Reply
from leadline_tools.index.source import Tree
from leadline_tools.index.walk import Found, Walked, walk
from leadline_tools.index.workers import Workers
from leadline_tools.languages import language_of, maybe_script

log = logging.getLogger("leadline.index")

LARGEST_TEXT = 8 << 20
"""Bytes of the largest file whose words are indexed; larger ones are scanned when a search comes to them."""

_BATCH = 32
"""Files that a worker is given at once."""

_GIVE_WAY_SECONDS = 0.002
_COMMIT_SECONDS = 0.5
_PATIENCE_SECONDS = 0.05
"""Seconds that an open transaction waits for the workers."""

_COMMIT_FILES = 400


class Indexer:
    """The writing side of the index."""

    def __init__(self, tree: Tree, database: Database, workers: Workers) -> None:
        self.walked: Walked | None = None
        self._tree = tree
        self._database = database
        self._workers = workers
        self._texts: deque[str] = deque()
        self._replies: queue.SimpleQueue[tuple[str, Reply]] = queue.SimpleQueue()
        self._awaited = 0
        self._wake = threading.Event()
        self._idle = threading.Event()
        self._refreshing = threading.Lock()
        self._queueing = threading.Lock()
        self._written: dict[str, File] = {}
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="leadline-indexer", daemon=True)
        self.files = Files(self._load())

    def start(self) -> None:
        """Begin to index what the index lacks."""
        self._thread.start()

    def close(self) -> None:
        """Stop; what is committed stays."""
        self._closed = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to index, at most ``seconds``; tell whether that is so."""
        return self._idle.wait(seconds)

    def refresh(self) -> None:
        """Compare the tree with the index, and queue what is new or changed."""
        with self._refreshing:
            self.walked = walk(self._tree.root)
            changes = self.files.compare(self.walked.files)
            if not (changes.added or changes.changed or changes.removed):
                self._rest()
                return
            with self._database.writing(urgent=True) as connection:
                for path in changes.removed:
                    self._forget(connection, path)
                for found in (*changes.added, *changes.changed):
                    self.files.put(self._record(connection, found))
            self._queue(found.path for found in (*changes.changed, *changes.added))

    def renew(self) -> None:
        """Throw a damaged index away and begin anew."""
        log.warning("the index is damaged; it is built anew")
        with self._refreshing, self._queueing:
            self._database.renew()
            self._texts.clear()
            self._written.clear()
            self.files = Files()
        self.refresh()

    def _load(self) -> list[File]:
        rows = self._database.connection().execute(
            "select id, path, size, mtime_ns, lines, digest, done, error from file"
        )
        loaded = [
            File(number, path.decode("utf-8", "surrogateescape"), size, mtime, lines, digest, done, error)
            for number, path, size, mtime, lines, digest, done, error in rows
        ]
        self._queue(file.path for file in loaded if file.done != DONE)
        return loaded

    def _record(self, connection: apsw.Connection, found: Found) -> File:
        done = 0 if _is_code(found.path) else SYMBOLS
        before = self.files.get(found.path)
        if before is not None:
            connection.execute(
                "update file set size=?, mtime_ns=?, done=?, error='' where id=?",
                (found.size, found.mtime_ns, done, before.id),
            )
            return before._replace(size=found.size, mtime_ns=found.mtime_ns, done=done, error="")
        row = connection.execute(
            "insert into file(path, size, mtime_ns, done) values(?, ?, ?, ?)"
            " on conflict(path) do update set size=excluded.size, mtime_ns=excluded.mtime_ns, done=excluded.done"
            " returning id",
            (_encoded(found.path), found.size, found.mtime_ns, done),
        ).fetchone()
        return File(int(row[0]), found.path, found.size, found.mtime_ns, 0, b"", done, "")  # type: ignore[index]

    def _forget(self, connection: apsw.Connection, path: str) -> None:
        file = self.files.get(path)
        if file is not None:
            connection.execute("delete from file where id=?", (file.id,))
            connection.execute("delete from symbols where file=?", (file.id,))
            postings.delete(connection, "words", file.id)
            postings.delete(connection, "names", file.id)
            self.files.remove(path)

    def _queue(self, paths: Iterable[str]) -> None:
        """Queue the text of files for this thread, and their symbols for the workers."""
        wanted = list(paths)
        code = [path for path in wanted if _is_code(path)]
        with self._queueing:
            self._awaited += len(code)
            self._texts.extend(wanted)
            if wanted:
                self._idle.clear()
        for start in range(0, len(code), _BATCH):
            batch = code[start : start + _BATCH]
            self._workers.submit(Operation.Symbols, batch, lambda path, reply: self._replies.put((path, reply)))
        self._wake.set()

    def _rest(self) -> None:
        """Say that nothing is left to index, if that is so."""
        with self._queueing:
            if not self._pending():
                self._idle.set()

    def _pending(self) -> bool:
        return bool(self._texts or self._awaited)

    def _run(self) -> None:
        while not self._closed:
            try:
                if self._pending():
                    self._write_batch()
                else:
                    self._rest()
                    self._wake.wait()
                    self._wake.clear()
            except (apsw.CorruptError, apsw.NotADBError):
                self.renew()
            except apsw.Error as error:
                # What the batch held stays unindexed, and is looked into when it is asked for.
                self._written.clear()
                log.warning("the index could not be written: %s", error)
                time.sleep(1)

    def _write_batch(self) -> None:
        while self._database.wanted and not self._closed:
            time.sleep(_GIVE_WAY_SECONDS)
        with self._database.writing() as connection:
            until = time.monotonic() + _COMMIT_SECONDS
            for _ in range(_COMMIT_FILES):
                if not self._write_one(connection) or time.monotonic() > until or self._closed or self._database.wanted:
                    break
        # Only now do the connections of others see it.
        for file in self._written.values():
            if self.files.get(file.path) is not None:
                self.files.put(file)
        self._written.clear()

    def _write_one(self, connection: apsw.Connection) -> bool:
        """Write the symbols of one file or the text of one; tell whether there was either."""
        try:
            path, reply = self._replies.get_nowait()
        except queue.Empty:
            if self._texts:
                self._write_text(connection, self._texts.popleft())
                return True
            if not self._awaited:
                return False
            try:
                path, reply = self._replies.get(timeout=_PATIENCE_SECONDS)
            except queue.Empty:
                return False
        self._write_symbols(connection, path, reply)
        return True

    def _write_symbols(self, connection: apsw.Connection, path: str, reply: Reply) -> None:
        with self._queueing:
            self._awaited -= 1
        file = self._latest(path)
        if file is None:
            return
        if reply.payload:
            connection.execute("insert or replace into symbols values(?, ?)", (file.id, reply.payload))
            postings.replace(connection, "names", file.id, reply.names.decode("utf-8", "replace"))
        else:
            connection.execute("delete from symbols where file=?", (file.id,))
            postings.delete(connection, "names", file.id)
        done = file._replace(done=file.done | SYMBOLS, error=reply.error)
        if not reply.error or reply.lines:
            done = done._replace(digest=reply.digest, lines=reply.lines)
        self._save(connection, done)

    def _latest(self, path: str) -> File | None:
        """Return a file as this batch has it so far."""
        known = self.files.get(path)
        written = self._written.get(path)
        same = known is not None and written is not None and known[2:4] == written[2:4]
        return written if same else known

    def _write_text(self, connection: apsw.Connection, path: str) -> None:
        file = self._latest(path)
        if file is None:
            return
        try:
            source = self._tree.read(path, LARGEST_TEXT)
        except LeadlineError as error:
            postings.delete(connection, "words", file.id)
            reason = "" if isinstance(error, BinaryFile) else str(error)
            self._save(connection, file._replace(done=file.done | TEXT, lines=0, digest=b"", error=reason))
            return
        postings.replace(connection, "words", file.id, source.content.decode("utf-8", "replace"))
        self._save(connection, file._replace(done=file.done | TEXT, lines=source.line_count, digest=source.digest))

    def _save(self, connection: apsw.Connection, file: File) -> None:
        self._written[file.path] = file
        connection.execute(
            "update file set lines=?, digest=?, done=?, error=? where id=?",
            (file.lines, file.digest, file.done, file.error, file.id),
        )


def _is_code(path: str) -> bool:
    """Tell whether a file may have symbols worth indexing."""
    language = language_of(path)
    return maybe_script(path) if language is None else language.indexed


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
