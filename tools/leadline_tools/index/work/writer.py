"""The one thread that writes the index: texts that it reads, symbols that workers find, and what has vanished.

The text of a file is indexed here, since SQLite lets other threads run meanwhile; its symbols are found by a worker.
Every batch is one transaction, so a crash at any moment costs the work since the last one and nothing else. Of several
processes that share an index one leads, which is to say it writes; the others follow what it has written, and one of
them leads when it is gone.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from leadline_tools.errors import BinaryFile, LeadlineError
from leadline_tools.index.store.file import SYMBOLS, TEXT, TEXTUAL, Columns, File
from leadline_tools.index.store.files import AT_ONCE, Files
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
from leadline_tools.index.work.batch import Batch
from leadline_tools.index.work.frames import Operation, Reply
from leadline_tools.index.work.texts import Text, Texts
from leadline_tools.index.work.unindexed import new, undone
from leadline_tools.index.work.workers import Workers
from leadline_tools.languages import language_by_name, maybe_script

log = logging.getLogger("leadline.index")

_BATCH = 32
"""Files that a worker is given at once."""

_COMMIT_SECONDS = 2.0
_GIVE_WAY_SECONDS = 0.002
_PAUSE_SECONDS = 1.0
"""Seconds between a failure and the next attempt."""

_PATIENCE_SECONDS = 0.05
"""Seconds that an open transaction waits for the workers."""

_FOLLOW_SECONDS = 0.25
_FOLLOW_SHARE = 0.1
"""How often a follower looks for what the leader has written, and the share of the time that this may take."""

_MUCH = 512
"""Files to be written from which on it is much."""

_FEW_OF = 8
"""Where no more than one of so many files is not indexed, a disk that is full is no reason to index all in memory."""

_LISTEN_SECONDS = 1.0
"""How often the leader looks whether a follower has seen a change that it has not."""

_MOST_WAITING = 96 << 20
"""Bytes of symbols that may wait for the texts, which go first because they make every search fast."""


class Writer:
    """Writes what ``files`` says is not indexed yet, and publishes there what has been."""

    def __init__(
        self,
        tree: Tree,
        rows: Rows,
        workers: Workers,
        files: Files,
        look: Callable[[], None],
        answers: AnswerLock,
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
        self._texts = Texts(tree, files.size)
        self._touched: set[str] = set()
        self._unlike: list[str] = []
        self._gone: deque[int] = deque()
        self._replies: queue.SimpleQueue[tuple[str, Reply]] = queue.SimpleQueue()
        self._awaited = self._waiting = 0
        self._batch = Batch(tree, files)
        self._queueing = threading.RLock()
        self._wake = threading.Event()
        self._idle = threading.Event()
        self._settled = threading.Event()
        self._closed = threading.Event()
        self._head_start = 0.0
        self._thread = threading.Thread(target=self._run, name="leadline-indexer", daemon=True)

    def start(self, head_start: float) -> None:
        """Begin to write what is not indexed, some seconds later."""
        self._head_start = head_start
        self._thread.start()

    def close(self) -> None:
        """Stop; what is committed stays."""
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._texts.close()

    def wait(self, seconds: float) -> bool:
        """Wait until every file is indexed, at most ``seconds``; tell whether that is so."""
        return self._idle.wait(seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds``; tell whether that is so."""
        return self._settled.wait(seconds)

    def add(self, paths: Iterable[str]) -> None:
        """Have files indexed anew."""
        wanted = list(paths)
        with self._queueing:
            if wanted:
                self._idle.clear()
                self._settled.clear()
            if self._leading:
                self._queue(wanted)
        self._wake.set()

    def forget(self, rows: Iterable[int]) -> None:
        """Have the rows of files deleted that are gone."""
        self._gone.extend(rows)
        self._wake.set()

    @property
    def leading(self) -> bool:
        """Tell whether this process writes; another one may."""
        return self._leading

    def renew(self) -> None:
        """Throw a damaged index away and begin anew with the files that are known."""
        log.warning("the index is damaged; it is rebuilt")
        self._begin_anew(self._rows.renew)

    def _begin_anew(self, make_empty: Callable[[], None]) -> None:
        """Call ``make_empty``, which leaves an index without files, and queue all files again."""
        with self._queueing:
            self._idle.clear()
            self._settled.clear()
            for path in self._files.paths():  # first: what is not indexed is looked into when it is asked for
                self._files.change(path, new)
            make_empty()
            self._adopted = self._asked_for = ""
            self._texts.clear()
            self._touched.clear()
            self._unlike.clear()
            self._gone.clear()
            self._batch.clear()
        self.add(self._files.paths())

    def load(self) -> Iterator[Columns]:
        """Yield the files as the database has them, after which nobody else writes if no other process leads yet."""
        with contextlib.suppress(RowsError):
            self._loaded_as_leader = self._rows.lead()
        return self._columns()

    def _columns(self) -> Iterator[Columns]:
        named = self._tree.named
        for some in self._rows.files(AT_ONCE):
            ids, paths, *others = zip(*some, strict=True)
            yield Columns(ids, [named(path.decode("utf-8", "surrogateescape")) for path in paths], *others)

    def _queue(self, paths: Sequence[str]) -> None:
        """Queue the text of files for this thread, and their symbols for the workers."""
        texts, symbols, touched = self._files.progress.unindexed(paths)
        self._texts.extend(texts)
        self._touched.update(touched)  # whether one has other symbols is known once its text is read
        self._ask(symbols)

    def _ask(self, code: Sequence[str]) -> None:
        """Ask the workers for the symbols of files."""
        self._awaited += len(code)
        for start in range(0, len(code), _BATCH):
            batch = code[start : start + _BATCH]
            self._workers.submit(Operation.Symbols, batch, self._take)

    def _take(self, path: str, reply: Reply) -> None:
        with self._queueing:
            self._waiting += _size(reply)
        self._replies.put((path, reply))

    def _unfinished(self) -> bool:
        """Tell whether something of the files is left to write."""
        return bool(self._texts or self._unlike or self._awaited or self._gone)

    def _run(self) -> None:
        self._closed.wait(self._head_start)
        while not self._closed.is_set():
            try:
                if not self._leading and not self._lead():
                    self._follow()
                elif self._unfinished():
                    self._write_batch()
                    self._rows.write_vocabulary()
                else:
                    self._rest()
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
            with self._queueing:
                if isinstance(error, RowsBusyError):
                    self._put_back()
                # All else would fail again: it stays unindexed, and is looked into when it is asked for.
                self._batch.clear()
                self._adopted = self._asked_for = ""
            self._closed.wait(_PAUSE_SECONDS)

    def _lacks_much(self) -> bool:
        """Tell whether so much is not indexed that an index in memory is worth to be built."""
        files = self._files
        return len(files) - min(files.progress.texts, files.progress.symbols) > min(_MUCH, len(files) // _FEW_OF)

    def _put_back(self) -> None:
        """Queue once more what a batch took that was not written."""
        self._gone.extend(self._batch.deleted)
        wordless = set(self._files.progress.unindexed(self._batch.written).texts)
        files = self._batch.written.values()
        self._texts.extend(file.path for file in files if file.done & TEXT and file.path in wordless)
        self._ask([file.path for file in files if self._batch.has_symbols(file)])

    def _lead(self) -> bool:
        """Become the process that writes, if there is none."""
        if not self._rows.lead():
            return False
        with self._queueing:
            if not self._loaded_as_leader:
                self._adopt()
            self._queue(self._files.progress.incomplete())
            self._leading = True  # last, so that a failure above is tried again
        return True

    def _follow(self) -> None:
        """Take over what the leader has written."""
        started = time.monotonic()
        state = self._files.state
        if self._rows.changed() or state != self._adopted:  # it may have been written before the file was seen here
            self._adopt()
            self._adopted = state
        if self._files.progress.texts == self._files.progress.symbols == len(self._files):
            self._idle.set()
            self._settled.set()
        elif self._asked_for != self._files.state:
            self._asked_for = self._files.state
            with self._rows.writing() as writer:
                writer.request_look(self._asked_for)
        self._wake.wait(max(_FOLLOW_SECONDS, (time.monotonic() - started) / _FOLLOW_SHARE))
        self._wake.clear()

    def _adopt(self) -> None:
        """Take from the database what it has of files as they are now."""
        for row in chain.from_iterable(map(Columns.files, self._columns())):
            known = self._files.get(row.path)
            if known is not None and known != row and (known[2:4] == row[2:4] or not known.id):
                self._files.change(row.path, partial(_published, row))

    def _rest(self) -> None:
        """Say that every file is indexed, write what follows from that, and wait for more."""
        with self._queueing:
            if self._unfinished():
                return
            self._idle.set()
        if not self._settled.is_set():
            self._rows.settle_vocabulary(lambda: self._closed.is_set() or self._unfinished())
            with self._queueing:
                if not self._unfinished():
                    self._settled.set()
            return
        if not self._wake.wait(_LISTEN_SECONDS) and self._rows.changed():
            self._look()
        self._wake.clear()

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
        much = len(self._texts) + self._awaited > _MUCH
        writer.expect(many=much)
        self._batch.delete(writer, self._gone)
        until = time.monotonic() + _COMMIT_SECONDS
        while not (self._interrupted or time.monotonic() > until):
            if not self._write_one(writer, reader):
                break
        self._batch.write(writer)

    @property
    def _interrupted(self) -> bool:
        """Tell whether a batch has to end: for good, or since somebody waits for it."""
        return self._closed.is_set() or self._rows.wanted or self._answers.wanted

    def _publish(self, generation: int) -> None:
        """Note what was written into a generation of the index; where there is a newer one, all was queued again."""
        with self._queueing:
            if self._rows.generation == generation:
                for file in self._batch.written.values():
                    if not self._files.change(file.path, partial(_published, file)):
                        self._gone.append(file.id)
            self._batch.clear()

    def _write_one(self, writer: RowWriter, reader: Reader) -> bool:
        """Write the symbols of one file or the text of one; tell whether there was either."""
        if len(self._unlike) >= _BATCH or not self._texts:
            self._ask_unlike()
        if self._texts and self._waiting < _MOST_WAITING:
            self._write_text(writer, self._texts.take(reader))
            if not self._texts:
                self._workers.join_in()
            return True
        if not self._awaited:
            return False
        try:
            path, reply = self._replies.get(timeout=_PATIENCE_SECONDS)
        except queue.Empty:
            return False
        self._write_symbols(writer, path, reply)
        return True

    def _write_symbols(self, writer: RowWriter, path: str, reply: Reply) -> None:
        with self._queueing:
            self._awaited -= 1
            self._waiting -= _size(reply)
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
                self._texts.extend((path,))  # it was edited between the two
            file = file.found(reply.lines, reply.digest, undone(path))
        done = file.done | SYMBOLS | (TEXTUAL if reply.textual else 0)
        self._batch.written[path] = file._replace(done=done, error=reply.error)

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
            found = found._replace(error="" if isinstance(error, BinaryFile) else str(error))
        elif not (found.done & TEXT and text.digest == file.digest):
            writer.put_words(Words.Text, file.id, _words(path, text.content))
        self._batch.written[path] = found = found._replace(done=found.done | TEXT)
        if text.digest != file.digest and _may_be_script(path, text.content, known=bool(file.digest)):
            self._batch.written[path] = found._replace(done=found.done & ~SYMBOLS)
            self._unlike.append(path)
        if path in self._touched:
            self._touched.discard(path)
            if not (found.done & SYMBOLS and found.digest == file.digest):
                self._unlike.append(path)

    def _ask_unlike(self) -> None:
        """Ask for the symbols of files that were touched and are not what they were."""
        with self._queueing:
            unlike, self._unlike = self._unlike, []
            self._ask(unlike)


def _words(path: str, content: str) -> str:
    """Return the text whose words are indexed of a file."""
    language = language_by_name(path)
    return language.source.words(content) if language is not None and language.source.words is not None else content


def _may_be_script(path: str, content: str, *, known: bool) -> bool:
    """Tell whether the first line of a text may say that it is a script, or did, though its name looks otherwise.

    ``known`` says that the file had another content.
    """
    return (known or content.startswith("#!")) and language_by_name(path) is None and not maybe_script(path)


def _published(written: File, known: File) -> File:
    """Return what is known of a file once it was written; nothing but its row where it is not what it was by then."""
    return written if known[2:4] == written[2:4] else known._replace(id=written.id)


def _size(reply: Reply) -> int:
    return len(reply.payload) + len(reply.names) + len(reply.included) + len(reply.related)
