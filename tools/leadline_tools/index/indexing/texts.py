"""The files whose words wait to be written, read a little ahead of who writes them.

SQLite lets Python run while it takes in words, and hardly anything else does so much of a first build: where many files
wait, a thread reads the next ones meanwhile.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from leadline_tools.index.tree.source import Reader, Tree
from leadline_tools.languages import language_by_name

LARGEST_TEXT = 32 << 20
"""Bytes of the largest file whose words are indexed; larger ones are scanned when a search comes to them."""

_MANY = 512
"""Files that wait from which on a thread is worth it."""

_BATCH_FILES = 32
_BATCH_BYTES = 1 << 20
"""What is read at once, one file at least."""

_AHEAD = 2
"""Batches that are read or under way before their turn comes."""


class Text(NamedTuple):
    """A file that was read: its words are in ``content``. Where that failed there is an ``error`` in place of them."""

    path: str
    content: str
    lines: int
    digest: bytes
    error: Exception | None = None


class Texts:
    """A queue of files: any thread adds to it, one takes from it.

    Args:
        tree: Where they are.
        size: Tells the bytes of a file.

    """

    def __init__(self, tree: Tree, size: Callable[[str], int]) -> None:
        self._tree = tree
        self._size = size
        self._waiting: deque[str] = deque()
        self._read: deque[Text] = deque()
        self._batches: queue.SimpleQueue[Sequence[str]] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Sequence[Text]] = queue.SimpleQueue()
        self._under_way: deque[int] = deque()
        self._thread: threading.Thread | None = None

    def __bool__(self) -> bool:
        return bool(self._read or self._waiting or self._under_way)

    def __len__(self) -> int:
        return len(self._waiting) + sum(self._under_way) + len(self._read)

    def extend(self, paths: Iterable[str]) -> None:
        """Add files."""
        self._waiting.extend(paths)

    def clear(self) -> None:
        """Forget the files that wait; what is being read comes all the same."""
        self._waiting.clear()
        self._read.clear()

    def take(self, reader: Reader) -> Text:
        """Return the next file; it is read by ``reader`` where few wait. There must be one."""
        if not self._read and (self._under_way or len(self._waiting) > _MANY):
            self._look_ahead()
            self._read.extend(self._answers.get())
            self._under_way.popleft()
            self._look_ahead()
        return self._read.popleft() if self._read else _read(reader, self._waiting.popleft())

    def _look_ahead(self) -> None:
        """Have the next files read."""
        if self._thread is None:
            thread = threading.Thread(target=self._serve, name="leadline-reader", daemon=True)
            thread.start()
            self._thread = thread
        while self._waiting and len(self._under_way) < _AHEAD:
            batch, size = [self._waiting.popleft()], 0
            while self._waiting and len(batch) < _BATCH_FILES and size < _BATCH_BYTES:
                batch.append(self._waiting.popleft())
                size += self._size(batch[-1])
            self._under_way.append(len(batch))
            self._batches.put(batch)

    def _serve(self) -> None:
        while batch := self._batches.get():
            with self._tree.reading() as reader:
                self._answers.put([_read(reader, path) for path in batch])

    def close(self) -> None:
        """End the thread."""
        self._batches.put(())


def _read(reader: Reader, path: str) -> Text:
    try:
        source = reader.read(path, LARGEST_TEXT)
    except Exception as error:  # whoever takes it is told
        return Text(path, "", 0, b"", error)
    return Text(path, source.content.decode("utf-8", "replace"), source.line_count, source.digest)


def text_to_index(path: str, content: str) -> str:
    """Return the text whose words are indexed of a file."""
    language = language_by_name(path)
    return language.source.words(content) if language is not None and language.source.words is not None else content
