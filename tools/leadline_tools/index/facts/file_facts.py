"""The facts of files, as questions fetch them: those that are kept of their content, else from the workers."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.index.facts.fact_builder import FactBuilder
from leadline_tools.index.facts.fact_store import FactStore
from leadline_tools.index.files.file import TEXT
from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.packing import packed_facts
from leadline_tools.index.tree.source import Reader, Tree
from leadline_tools.index.workers.frames import Operation
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Facts

_PATIENCE = 5.0
"""Seconds that a question waits for the workers each time that it needs them."""


class Fetched(NamedTuple):
    """What was found of some files.

    Args:
        facts: Facts by path, None for a file that has none.
        unused: The files that were not parsed for using a name nowhere.
        looked_into: The files that the workers have read.
        seconds: Seconds of CPU that they took for these.
        start: Seconds of CPU that those took to start which had to be.

    """

    facts: Mapping[str, Facts | None]
    unused: frozenset[str]
    looked_into: Collection[str]
    seconds: float
    start: float


class FileFacts:
    """The facts of the files of one index."""

    def __init__(self, tree: Tree, indexer: Indexer, workers: RootWorkers, store: FactStore) -> None:
        self._tree = tree
        self._files = indexer.files
        self._workers = workers
        self._store = store
        self._builder = FactBuilder(indexer, workers, store)
        self._requested: list[str] = []
        self._may_build = self._wants_building = False

    def fetch(self, paths: Iterable[str], until: float = 0.0, name: str = "") -> Fetched:
        """Return the facts of files, those that are kept of their content, else from the workers.

        A file whose facts do not come by the time ``until`` is left out, by the monotonic clock; without that in some
        seconds. With a name, facts are not looked for where it is in comments and strings alone; one that begins with a
        dot is that of a member, which strings may name too.
        """
        until = until or time.monotonic() + _PATIENCE
        found: dict[str, Facts | None] = {}
        missing: list[str] = []
        with self._tree.reading() as reader:
            for path in paths:
                if self._load_kept(reader, path, found):
                    continue
                missing.append(path)
        if not missing:
            cancellation.check()
            return Fetched(found, frozenset(), [], 0.0, 0.0)
        replies = self._workers.gather(Operation.Facts, missing, name, until)
        parsed = {path: reply for path, reply in replies.items() if reply.payload and not reply.error}
        unused = frozenset(path for path, reply in replies.items() if reply.textual)
        found.update((path, None) for path, reply in replies.items() if not reply.refused and path not in unused)
        found.update((path, packed_facts.unpack(reply.payload)) for path, reply in parsed.items())
        self._builder.keep(replies)
        looked_into = [path for path, reply in replies.items() if not reply.refused]
        seconds = sum(reply.seconds for reply in replies.values())
        return Fetched(found, unused, looked_into, seconds, sum(reply.start for reply in replies.values()))

    def known(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of some files whose facts are kept, and those that are known to have none."""
        wanted: dict[str, dict[str, bytes]] = {}
        known: set[str] = set()
        for path in paths:
            file, language = self._files.get(path), language_of(path)
            if language is None or language.semantics is None or (file is not None and file.error):
                known.add(path)
            elif file is not None and file.digest:
                wanted.setdefault(language.name, {})[path] = file.digest
        for name, digests in wanted.items():
            kept = self._store.known(name, list(digests.values()))
            known.update(path for path, digest in digests.items() if digest in kept)
        return frozenset(known)

    def request(self, paths: Iterable[str]) -> None:
        """Have facts that are not kept computed before all others, once the call is answered."""
        self._requested.extend(paths)

    def compute_requested(self) -> None:
        """Begin with what was requested while a call was answered."""
        requested, self._requested = self._requested, []
        self._builder.prefer(requested)

    def build(self, *, hurried: bool = False) -> None:
        """Have the facts of all files computed in the background, once words and symbols are indexed.

        ``hurried`` is for when nobody asks anything meanwhile.
        """
        self._builder.build(hurried=hurried)

    def build_later(self) -> None:
        """Do the same some seconds after the start: the first question comes before that."""
        self._wants_building = True
        if self._may_build:
            self.build()

    def build_if_wanted(self) -> None:
        """Begin with what ``build_later`` has put off, or will."""
        self._may_build = True
        if self._wants_building:
            self.build()

    def wait(self, seconds: float) -> bool:
        """Wait until all facts are kept that there is room for, at most ``seconds``; return whether that is so."""
        return self._builder.wait(seconds)

    def is_settled(self) -> bool:
        """Return whether nothing is left to compute in advance or to write, for the present state of the tree."""
        return self._builder.is_settled()

    def stop_building(self) -> None:
        """Compute nothing more in advance; what was found is written."""
        self._builder.stop()

    @property
    def size(self) -> int:
        """Return the bytes of the facts that are kept."""
        return self._store.size

    def release(self) -> None:
        """Leave the connection of this thread to others: an answer has ended."""
        self._store.release()

    def clear(self) -> None:
        """Let go of all that is kept."""
        self._store.clear()
        self._files.facts.forget()

    def close(self) -> None:
        """Close the store, once the workers have ended."""
        self._store.close()

    def _load_kept(self, reader: Reader, path: str, found: dict[str, Facts | None]) -> bool:
        """Add the facts of a file that are kept to ``found``; return False where they have to be computed."""
        language, file = language_of(path), self._files.get(path)
        if language is None or language.semantics is None:
            found[path] = None
            return True
        digest = self._digest(reader, path)
        blob = self._store.get(digest, language.name)
        if blob is None and (file is None or not file.error):
            return False
        try:
            found[path] = packed_facts.unpack(blob) if blob else None
        except (ValueError, TypeError):
            self._store.drop(digest, language.name)
            return False
        return True

    def _digest(self, reader: Reader, path: str) -> bytes:
        """Return what names the content of a file: as it was indexed, or else read; empty where it cannot be read."""
        file = self._files.get(path)
        if file is not None and file.done & TEXT:
            return file.digest
        raw = reader.raw(path)
        return self._tree.source(path, raw).digest if raw is not None else b""
