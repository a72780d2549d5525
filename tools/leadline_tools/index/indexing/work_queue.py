"""The queue of what has to be written: texts to be read, symbols that workers send, rows of files that are gone."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Sequence

from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.indexing.texts import Texts
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.root_workers import RootWorkers

BATCH = 32
"""Files that a worker is given at once."""

_MOST_WAITING = 96 << 20
"""Bytes of symbols that may wait for the texts, which go first because they make every search fast."""


class WorkQueue:
    """The queue of the thread that writes.

    Attributes:
        lock: Held while the queue is changed by several steps.
        texts: The texts that are to be read.
        gone: The rows of files that are gone.
        reads_first: Whether a file is read before it is asked for its symbols, which others may know by its content.

    """

    def __init__(self, texts: Texts, workers: RootWorkers, files: FileTable) -> None:
        self.lock = threading.RLock()
        self.texts = texts
        self.gone: deque[int] = deque()
        self.reads_first = False
        self._workers = workers
        self._files = files
        self._touched: set[str] = set()
        self._changed: list[str] = []
        self._replies: queue.SimpleQueue[tuple[str, Reply]] = queue.SimpleQueue()
        self._awaited = self._waiting_bytes = 0

    def add(self, paths: Sequence[str]) -> None:
        """Queue the text of files for the thread, and their symbols for the workers."""
        texts, symbols, touched = self._files.progress.unindexed(paths)
        if self.reads_first:
            unread = frozenset(texts)
            touched = [*touched, *unread.intersection(symbols)]
            symbols = [path for path in symbols if path not in unread]
        self.texts.extend(texts)
        self._touched.update(touched)  # whether one has other symbols is known once its text is read
        self.request_symbols(symbols)

    def request_symbols(self, paths: Sequence[str]) -> None:
        """Ask the workers for the symbols of files."""
        self._awaited += len(paths)
        for start in range(0, len(paths), BATCH):
            self._workers.submit(Operation.Symbols, paths[start : start + BATCH], self._receive)

    def _receive(self, path: str, reply: Reply) -> None:
        with self.lock:
            self._waiting_bytes += _size(reply)
        self._replies.put((path, reply))

    def take_symbols(self, seconds: float) -> tuple[str, Reply] | None:
        """Return a file and what a worker found in it; None where no worker sends anything for some seconds."""
        try:
            path, reply = self._replies.get(timeout=seconds)
        except queue.Empty:
            return None
        with self.lock:
            self._awaited -= 1
            self._waiting_bytes -= _size(reply)
        return path, reply

    def take_touched(self, path: str) -> bool:
        """Return whether the symbols of a file were indexed before it was touched, and are not asked for since."""
        touched = path in self._touched
        self._touched.discard(path)
        return touched

    def add_changed(self, path: str) -> None:
        """Queue a file whose text was read, and whose symbols are not what they were."""
        self._changed.append(path)

    def request_changed(self) -> None:
        """Ask for the symbols of the files that were changed, once they are many or no text is left to read."""
        if self._changed and (len(self._changed) >= BATCH or not self.texts):
            with self.lock:
                changed, self._changed = self._changed, []
                self.request_symbols(changed)

    def clear(self) -> None:
        """Forget all but what the workers were asked for."""
        self.texts.clear()
        self._touched.clear()
        self._changed.clear()
        self.gone.clear()

    @property
    def is_unfinished(self) -> bool:
        """Return whether something of the files is left to write."""
        return bool(self.texts or self._changed or self._awaited or self.gone)

    @property
    def awaits_symbols(self) -> bool:
        """Return whether workers have not sent all that they were asked for."""
        return self._awaited > 0

    @property
    def may_read_text(self) -> bool:
        """Return whether there is a text to read, and not so many symbols wait that they go first."""
        return bool(self.texts) and self._waiting_bytes < _MOST_WAITING

    def __len__(self) -> int:
        """Return how many texts and symbols are left."""
        return len(self.texts) + self._awaited


def _size(reply: Reply) -> int:
    return len(reply.payload) + len(reply.names) + len(reply.included) + len(reply.related)
