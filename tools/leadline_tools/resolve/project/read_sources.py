"""The sources that a search reads: those of some files together, each of which is asked for more than once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source


class ReadSources:
    """The sources that were read last."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._sources: dict[str, Source | None] = {}

    def get(self, path: str) -> Source | None:
        """Return a file as it is shown; None where it cannot be read."""
        if path not in self._sources:
            self.read((path,))
        return self._sources[path]

    def read(self, paths: Sequence[str]) -> None:
        """Read files that are wanted next: together takes less than one by one. Those before are let go of."""
        self._sources = dict.fromkeys(paths)
        with self._index.tree.reading() as reader:
            reader.fetch(paths)
            for path in paths:
                with suppress(LeadlineError):
                    self._sources[path] = reader.read(path)

    def forget(self) -> None:
        """Let go of what was read."""
        self._sources = {}
