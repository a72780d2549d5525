"""Outlines that workers have made: a file is parsed once for all who ask, also for those who could not wait for it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from leadline_tools import cancellation
from leadline_tools.cancellation import Cancelled, Token
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.root_workers import RootWorkers

_LARGEST = 6 << 20
"""Bytes of outlines that are kept, as workers send them: one symbol takes about a hundred."""

_AROUND = 500
"""Bytes that are kept with each of them."""

_Key = tuple[str, bytes]


@dataclass(slots=True)
class _Visit:
    """A file that a worker was sent to: who waits, whether one waited in vain, and what the worker says."""

    task: Token
    waiting: int = 0
    late: bool = False
    reply: Reply | None = None
    done: threading.Event = field(default_factory=threading.Event)


class Outlines:
    """What workers say of the files of one index, kept for as long as a file has the same content."""

    def __init__(self, workers: RootWorkers) -> None:
        self._workers = workers
        self._visits: OrderedDict[_Key, _Visit] = OrderedDict()
        self._size = 0
        self._lock = threading.RLock()  # a pool that is closed delivers while it is asked

    def of(self, source: Source, seconds: float) -> Reply | None:
        """Return what a worker says of a file within some seconds, None if nothing yet; raises Cancelled."""
        key = source.path, source.digest
        until = time.monotonic() + seconds
        visit = self._joined(key)
        try:
            while not visit.done.wait(min(cancellation.CHECK_SECONDS, max(0.0, until - time.monotonic()))):
                cancellation.check()
                if time.monotonic() > until:
                    break
        except Cancelled:
            self._leave(key, visit)
            raise
        with self._lock:
            visit.waiting -= 1
            visit.late |= visit.reply is None
            return visit.reply

    def _joined(self, key: _Key) -> _Visit:
        """Return the visit to a file, with one more who waits; a worker is sent if none was."""
        with self._lock:
            visit = self._visits.get(key)
            if visit is not None:
                self._visits.move_to_end(key)
            else:
                visit = self._visits[key] = _Visit(Token())
                self._workers.ask(Operation.Outline, key[0], lambda _, reply: self._take(key, visit, reply), visit.task)
            visit.waiting += 1
            return visit

    def _leave(self, key: _Key, visit: _Visit) -> None:
        """Wait no longer; the last who leaves calls the worker back."""
        with self._lock:
            visit.waiting -= 1
            if not visit.waiting and not visit.late and not visit.done.is_set():
                visit.task.cancel()
                self._visits.pop(key, None)

    def _take(self, key: _Key, visit: _Visit, reply: Reply) -> None:
        """Give a reply to all who wait; keep it if it is of that content, or took longer than one of them waited."""
        with self._lock:
            visit.reply = reply
            visit.done.set()
            if self._visits.get(key) is not visit:
                return
            if reply.digest == key[1] or (visit.late and not reply.refused):
                self._size += _size(reply)
            else:
                del self._visits[key]
            while self._size > _LARGEST:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        key, reply = next((key, visit.reply) for key, visit in self._visits.items() if visit.reply is not None)
        del self._visits[key]
        self._size -= _size(reply)


def _size(reply: Reply) -> int:
    return len(reply.payload) + _AROUND
