"""The facts of a ref: those that its contents had when they were indexed, else from the workers."""

from __future__ import annotations

import time
from collections.abc import Iterable

from leadline_tools.index.facts.file_facts import Fetched, FileFacts
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.hosted.postgres_rows import PostgresRows
from leadline_tools.index.packing import packed_facts
from leadline_tools.index.workers.frames import Operation
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Facts

_PATIENCE = 5.0
"""Seconds that a question waits for the workers each time that it needs them."""


class HostedFacts(FileFacts):
    """The facts of the files of a ref. Nothing is computed in advance: the indexer has done that."""

    def __init__(self, rows: PostgresRows, table: FileTable, workers: RootWorkers) -> None:
        self._rows = rows
        self._files = table
        self._workers = workers

    def fetch(self, paths: Iterable[str], until: float = 0.0, name: str = "") -> Fetched:
        """Return the facts of files, those of their blobs, else from the workers; see ``FileFacts.fetch``."""
        until = until or time.monotonic() + _PATIENCE
        wanted = list(paths)
        kept = self._kept(wanted)
        found: dict[str, Facts | None] = {}
        missing: list[str] = []
        for path in wanted:
            file, language = self._files.get(path), language_of(path)
            packed = kept.get(file.id) if file is not None else None
            if language is None or language.semantics is None:
                found[path] = None
            elif packed is None and (file is None or not file.error):
                missing.append(path)
            else:
                found[path] = packed_facts.unpack(packed) if packed else None
        return self._add_parsed(found, missing, until, name)

    def _add_parsed(self, found: dict[str, Facts | None], missing: list[str], until: float, name: str) -> Fetched:
        """Return what was found together with what the workers find in some files."""
        replies = self._workers.gather(Operation.Facts, missing, name, until) if missing else {}
        unused = frozenset(path for path, reply in replies.items() if reply.textual)
        for path, reply in replies.items():
            if not reply.refused and path not in unused:
                found[path] = packed_facts.unpack(reply.payload) if reply.payload and not reply.error else None
        looked_into = [path for path, reply in replies.items() if not reply.refused]
        seconds = sum(reply.seconds for reply in replies.values())
        return Fetched(found, unused, looked_into, seconds, sum(reply.start for reply in replies.values()))

    def known(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of some files whose facts are kept, and those that are known to have none."""
        wanted = list(paths)
        kept = self._kept(wanted)
        known: set[str] = set()
        for path in wanted:
            file, language = self._files.get(path), language_of(path)
            nothing = language is None or language.semantics is None or (file is not None and bool(file.error))
            if nothing or (file is not None and file.id in kept):
                known.add(path)
        return frozenset(known)

    def _kept(self, paths: Iterable[str]) -> dict[int, bytes]:
        """Return the packed facts of files by their numbers."""
        files = (self._files.get(path) for path in paths)
        return self._rows.facts([file.id for file in files if file is not None])

    def request(self, paths: Iterable[str]) -> None:
        """Compute nothing in advance."""

    def compute_requested(self) -> None:
        """Compute nothing in advance."""

    def build(self, *, hurried: bool = False) -> None:
        """Compute nothing in advance."""

    def build_later(self) -> None:
        """Compute nothing in advance."""

    def wait(self, seconds: float) -> bool:  # noqa: ARG002  there is nothing to wait for
        """Return that nothing is left to compute."""
        return True

    def release(self) -> None:
        """Do nothing: the transaction of an answer has its connection."""

    def is_settled(self) -> bool:
        """Return that nothing is left to compute."""
        return True

    @property
    def size(self) -> int:
        """Return 0: facts are kept in the database."""
        return 0
