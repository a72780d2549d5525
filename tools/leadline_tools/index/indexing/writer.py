"""The one thread that writes the index: texts that it reads, symbols that workers find, and what has vanished.

The text of a file is indexed here, since SQLite lets other threads run meanwhile; its symbols are found by a worker.
Every batch is one transaction, so a crash at any moment costs the work since the last one and nothing else. Of several
processes that share an index one leads, which is to say it writes; the others follow what it has written, and one of
them leads when it is gone.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from leadline_tools.errors import BinaryFile, LeadlineError
from leadline_tools.index.files.file import SYMBOLS, TEXT, TEXTUAL, Columns
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.indexing.batch import Batch
from leadline_tools.index.indexing.idle_threads import LISTEN_SECONDS, OnDemandThread
from leadline_tools.index.indexing.shared_symbols import SharedSymbols
from leadline_tools.index.indexing.stored_files import StoredFiles, published
from leadline_tools.index.indexing.texts import Text, Texts, text_to_index
from leadline_tools.index.indexing.unindexed import new, undone
from leadline_tools.index.indexing.work_queue import WorkQueue
from leadline_tools.index.store.database import mark_of
from leadline_tools.index.store.rows import (
    Rows,
    RowsBusyError,
    RowsDamagedError,
    RowsError,
    RowsRefusedError,
    RowWriter,
    Words,
)
from leadline_tools.index.store.snapshot import AnswerLock
from leadline_tools.index.tree.source import Reader, Tree
from leadline_tools.index.workers.frames import Reply
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages import language_by_name, maybe_script

log = logging.getLogger("leadline.index")

_COMMIT_SECONDS = 2.0
_GIVE_WAY_SECONDS = 0.002
_PAUSE_SECONDS = 1.0
"""Seconds between a failure and the next attempt."""

_CLOSING_SECONDS = 5.0
"""Seconds that the end waits for the thread."""

_PATIENCE_SECONDS = 0.05
"""Seconds that an open transaction waits for the workers."""

_FOLLOW_SECONDS = 0.25
_FOLLOW_SHARE = 0.1
"""How often a follower looks for what the leader has written, and the share of the time that this may take."""

_MUCH = 512
"""Files to be written from which on it is much."""

_FEW_OF = 8
"""Where no more than one of so many files is not indexed, a disk that is full is no reason to index all in memory."""


class Writer:
    """Writes what ``files`` says is not indexed yet, and publishes there what has been."""

    def __init__(
        self,
        tree: Tree,
        rows: Rows,
        workers: RootWorkers,
        files: FileTable,
        look: Callable[[], None],
        answers: AnswerLock,
        shared: SharedSymbols,
    ) -> None:
        """``look`` compares the files with the tree, and is called when a follower has seen a change.

        Nothing is committed while ``answers`` are computed.
        """
        self._look = look
        self._answers = answers
        self._asked_for = ""
        self._adopted = ""
        self._tree = tree
        self._rows = rows
        self._workers = workers
        self._files = files
        self._leading = False
        self._loaded_as_leader = False
        self._stored = StoredFiles(tree, rows, files)
        self._queue = WorkQueue(Texts(tree, files.size), workers, files)
        self._batch = Batch(tree, files)
        self._shared = shared
        self._idle = threading.Event()
        self._settled = threading.Event()
        self._head_start = 0.0
        self._thread = OnDemandThread("leadline-indexer", self._run)
        self._closed = self._thread.closed

    def start(self, head_start: float) -> None:
        """Begin to write what is not indexed, some seconds later."""
        self._head_start = head_start
        self._thread.start()

    def close(self) -> None:
        """Stop; what is committed stays."""
        self._thread.close(_CLOSING_SECONDS)
        self._queue.texts.close()

    def wait(self, seconds: float) -> bool:
        """Wait until every file is indexed, at most ``seconds``; return whether that is so."""
        return self._idle.wait(seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds``; return whether that is so."""
        return self._settled.wait(seconds)

    def add(self, paths: Iterable[str]) -> None:
        """Have files indexed anew."""
        wanted = list(paths)
        with self._queue.lock:
            if wanted:
                self._idle.clear()
                self._settled.clear()
            if self._leading:
                self._queue.add(wanted)
        self._thread.wake()

    def forget(self, rows: Iterable[int]) -> None:
        """Have the rows of files deleted that are gone."""
        self._queue.gone.extend(rows)
        self._thread.wake()

    @property
    def leading(self) -> bool:
        """Return whether this process writes; another one may."""
        return self._leading

    def renew(self) -> None:
        """Throw a damaged index away and begin anew with the files that are known."""
        log.warning("the index is damaged; it is rebuilt")
        self._begin_anew(self._rows.renew)

    def _begin_anew(self, make_empty: Callable[[], None]) -> None:
        """Call ``make_empty``, which leaves an index without files, and queue all files again."""
        with self._queue.lock:
            self._idle.clear()
            self._settled.clear()
            for path in self._files.paths():  # first: what is not indexed is looked into when it is asked for
                self._files.change(path, new)
            make_empty()
            self._adopted = self._asked_for = ""
            self._queue.clear()
            self._batch.clear()
        self.add(self._files.paths())

    def load(self) -> Iterator[Columns]:
        """Yield the files as the database has them, after which nobody else writes if no other process leads yet."""
        with contextlib.suppress(RowsError):
            self._loaded_as_leader = self._rows.lead()
        return self._stored.columns()

    def _run(self) -> None:
        self._closed.wait(self._head_start)
        self._head_start, rests = 0.0, False
        while not rests and not self._closed.is_set():
            try:
                if not self._leading and not self._lead():
                    self._follow()
                elif self._queue.is_unfinished:
                    self._write_batch()
                    self._rows.write_vocabulary()
                else:
                    rests = self._rest()
            except RowsError as error:
                self._recover(error)

    def _recover(self, error: RowsError) -> None:
        """Go on after what could not be written or read."""
        if isinstance(error, RowsDamagedError):
            self.renew()
        elif isinstance(error, RowsRefusedError) and self._rows.path is not None and self._lacks_much():
            self._begin_anew(partial(self._rows.leave_disk, error))
        else:
            log.warning("the index could not be written: %s", error)
            with self._queue.lock:
                if isinstance(error, RowsBusyError):
                    self._put_back()
                # All else would fail again: it stays unindexed, and is looked into when it is asked for.
                self._batch.clear()
                self._adopted = self._asked_for = ""
            self._closed.wait(_PAUSE_SECONDS)

    def _lacks_much(self) -> bool:
        """Return whether so much is not indexed that an index in memory is worth to be built."""
        files = self._files
        return len(files) - min(files.progress.texts, files.progress.symbols) > min(_MUCH, len(files) // _FEW_OF)

    def _put_back(self) -> None:
        """Queue once more what a batch took that was not written."""
        self._queue.gone.extend(self._batch.deleted)
        wordless = set(self._files.progress.unindexed(self._batch.written).texts)
        files = self._batch.written.values()
        self._queue.texts.extend(file.path for file in files if file.done & TEXT and file.path in wordless)
        self._queue.request_symbols([file.path for file in files if self._batch.has_symbols(file)])

    def _lead(self) -> bool:
        """Become the process that writes, if there is none."""
        if not self._rows.lead():
            return False
        with self._queue.lock:
            if not self._loaded_as_leader:
                self._stored.adopt()
            self._queue.reads_first = self._shared.are_there
            self._queue.add(self._files.progress.incomplete())
            self._leading = True  # last, so that a failure above is tried again
        return True

    def _follow(self) -> None:
        """Take over what the leader has written."""
        started = time.monotonic()
        state = self._files.state
        if self._rows.changed() or state != self._adopted:  # it may have been written before the file was seen here
            self._stored.adopt()
            self._adopted = state
        if self._files.progress.texts == self._files.progress.symbols == len(self._files):
            self._idle.set()
            self._settled.set()
        elif self._asked_for != self._files.state:
            self._asked_for = self._files.state
            with self._rows.writing() as writer:
                writer.request_look(self._asked_for)
        self._thread.wait(max(_FOLLOW_SECONDS, (time.monotonic() - started) / _FOLLOW_SHARE))

    def _rest(self) -> bool:
        """Say that every file is indexed, write what follows from that, and wait for more.

        Return whether the thread may end, since nothing came: it is started again for what comes later. A follower may
        write that it has seen a change which this process has not.
        """
        with self._queue.lock:
            if self._queue.is_unfinished:
                return False
            self._idle.set()
        if not self._settled.is_set():
            self._shared.forget()
            self._rows.settle_vocabulary(lambda: self._closed.is_set() or self._queue.is_unfinished)
            with self._queue.lock:
                if not self._queue.is_unfinished:
                    self._settled.set()
            return False
        mark = mark_of(self._rows.path)  # first: what is written after it is seen by the next line, or makes it another
        if self._thread.wait(LISTEN_SECONDS):
            return False
        if self._rows.changed():
            self._look()
            return False
        self._rows.release()
        return self._thread.rest(mark, lambda: mark_of(self._rows.path))

    def _write_batch(self) -> None:
        while self._rows.wanted and not self._closed.is_set():
            time.sleep(_GIVE_WAY_SECONDS)
        generation = self._rows.generation
        with contextlib.ExitStack() as committing:
            if self._rows.path is None:  # who reads what is in memory waits for who writes
                committing.enter_context(self._answers.commit())
            with self._rows.writing() as writer, self._tree.reading() as reader:
                self._write_into(writer, reader)
                if self._rows.path is not None:
                    committing.enter_context(self._answers.commit())
            self._publish(generation)  # only now do the connections of others see it

    def _write_into(self, writer: RowWriter, reader: Reader) -> None:
        """Write for some seconds, or until somebody waits for it."""
        much = len(self._queue) > _MUCH
        writer.expect(many=much)
        self._batch.delete(writer, self._queue.gone)
        until = time.monotonic() + _COMMIT_SECONDS
        while not (self._interrupted or time.monotonic() > until):
            if not self._write_one(writer, reader):
                break
        self._batch.write(writer)

    @property
    def _interrupted(self) -> bool:
        """Return whether a batch has to end: for good, or since somebody waits for it."""
        return self._closed.is_set() or self._rows.wanted or self._answers.wanted

    def _publish(self, generation: int) -> None:
        """Note what was written into a generation of the index; where there is a newer one, all was queued again."""
        with self._queue.lock:
            if self._rows.generation == generation:
                for file in self._batch.written.values():
                    if not self._files.change(file.path, partial(published, file)):
                        self._queue.gone.append(file.id)
            self._batch.clear()

    def _write_one(self, writer: RowWriter, reader: Reader) -> bool:
        """Write the symbols of one file or the text of one; return whether there was either."""
        self._queue.request_changed()
        if self._queue.may_read_text:
            self._write_text(writer, self._queue.texts.take(reader))
            if not self._queue.texts:
                self._workers.join_in()
            return True
        found = self._queue.take_symbols(_PATIENCE_SECONDS) if self._queue.awaits_symbols else None
        if found is None:
            return False
        self._write_symbols(writer, *found)
        return True

    def _write_symbols(self, writer: RowWriter, path: str, reply: Reply) -> None:
        file = None if reply.refused else self._batch.file(writer, path)
        if file is None:
            return
        self._batch.put_symbols(file, reply)
        if reply.names:
            writer.put_words(Words.Names, file.id, reply.names.decode("utf-8", "replace"))
        else:
            writer.delete_words(Words.Names, file.id)
        if not reply.error or reply.lines:
            if file.done & TEXT and reply.digest and file.digest not in (b"", reply.digest):
                self._queue.texts.extend((path,))  # it was edited between the two
            file = file.found(reply.lines, reply.digest, undone(path))
        done = file.done | SYMBOLS | (TEXTUAL if reply.textual else 0)
        self._batch.written[path] = file.indexed(done, reply.error)

    def _write_text(self, writer: RowWriter, text: Text) -> None:
        path, error = text.path, text.error
        file = self._batch.file(writer, path)
        if file is None:
            return
        if error is not None and not isinstance(error, LeadlineError):
            raise error
        found = file.found(text.lines, text.digest, undone(path))
        if error is not None:
            writer.delete_words(Words.Text, file.id)
            found = found.indexed(found.done, "" if isinstance(error, BinaryFile) else str(error))
        elif not (found.done & TEXT and text.digest == file.digest):
            writer.put_words(Words.Text, file.id, text_to_index(path, text.content))
        self._batch.written[path] = found = found.indexed(found.done | TEXT, found.error)
        if text.digest != file.digest and _may_be_script(path, text.content, known=bool(file.digest)):
            self._batch.written[path] = found._replace(done=found.done & ~SYMBOLS)
            self._queue.add_changed(path)
        if self._queue.take_touched(path) and not (found.done & SYMBOLS and found.digest == file.digest):
            reply = self._shared.find(path, text.digest)
            if reply is None:
                self._queue.add_changed(path)
            else:
                self._write_symbols(writer, path, reply)


def _may_be_script(path: str, content: str, *, known: bool) -> bool:
    """Return whether the first line of a text may say that it is a script, or did, though its name looks otherwise.

    ``known`` says that the file had another content.
    """
    return (known or content.startswith("#!")) and language_by_name(path) is None and not maybe_script(path)
