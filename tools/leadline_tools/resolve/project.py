"""An index, as the resolver sees it: facts are fetched once per question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Paths


class IndexedProject:
    """The project that an index holds, for the time of one question."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._facts: dict[str, Facts | None] = {}
        self._holders: dict[str, frozenset[str]] = {}

    @property
    def paths(self) -> Paths:
        """Return the paths of the code base."""
        return self._index

    def prepare(self, paths: Iterable[str]) -> None:
        """Fetch the facts of many files at once: the workers then share them out."""
        missing = [path for path in paths if path not in self._facts]
        found = self._index.facts(missing)
        self._facts.update((path, found.get(path)) for path in missing)

    def facts(self, path: str) -> Facts | None:
        """Return the facts of a file, None where there are none."""
        if path not in self._facts:
            self.prepare((path,))
        return self._facts[path]

    def holding(self, name: str, paths: Sequence[str]) -> Sequence[str]:
        """Return those of ``paths`` in whose text ``name`` may occur."""
        if len(paths) <= 1:
            return paths
        holders = self._holders.get(name)
        if holders is None:
            holders = self._holders[name] = frozenset(self._index.with_words((name,), spelled=True))
        return [path for path in paths if path in holders]
