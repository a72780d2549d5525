"""The included files of a code base, found once for each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from leadline_tools.resolve.imports.include_reach import FEWEST_OPENED, MOST_INCLUDED, IncludeClosures, Reach
from leadline_tools.resolve.imports.module_files import ModuleFiles
from leadline_tools.resolve.project.code_base import FactSource

_MOST_REACHES = 128
"""Files of which is kept what they include: 50 kB each."""


class IncludedFiles:
    """The files that files include."""

    def __init__(self, source: FactSource, modules: ModuleFiles) -> None:
        self._source = source
        self._modules = modules
        self._reaches: dict[str, Reach] = {}
        self._closures = IncludeClosures(self.direct)
        self._includes: dict[str, Sequence[str]] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._reaches.clear()
        self._closures = IncludeClosures(self.direct)
        self._includes.clear()

    def defining(self, path: str, name: str) -> Iterator[str]:
        """Yield the files that may define ``name`` among those that a file includes, nearest first."""
        reach = self._reach(path)
        if self._source.project.includes.of(path) is None:
            yield from self._source.project.files_with_name(name, list(reach))
            return
        wanted = self._source.project.defining(name, path)
        if len(self._reaches) <= FEWEST_OPENED:
            near = list(reach.among(wanted))
            if len(near) == len(wanted) or not reach.is_cut:
                yield from near
                return
        yield from self._closures.among(path, wanted)

    def of(self, path: str) -> Sequence[str] | None:
        """Return a file and all that it includes, itself or through others; None for too many."""
        found = [path, *islice(self._reach(path), MOST_INCLUDED)]
        return found if len(found) <= MOST_INCLUDED else None

    def among(self, path: str, wanted: AbstractSet[str]) -> Iterator[str]:
        """Yield those of some files that a file includes, nearest first."""
        return self._reach(path).among(wanted)

    def leads_to(self, path: str, wanted: str) -> bool:
        """Return whether a file includes another, itself or through others."""
        return bool(self._closures.among(path, frozenset((wanted,))))

    def direct(self, path: str) -> Sequence[str]:
        """Return what a file itself includes."""
        if path not in self._includes:
            self._includes[path] = self._find_includes(path)
        return self._includes[path]

    def _reach(self, path: str) -> Reach:
        """Return what a file includes, itself or through others."""
        reach = self._reaches.pop(path, None) or Reach(path, self.direct)
        self._reaches[path] = reach  # what was asked for last is let go of last
        if len(self._reaches) > _MOST_REACHES:
            del self._reaches[next(iter(self._reaches))]
        return reach

    def _find_includes(self, path: str) -> Sequence[str]:
        included = self._source.project.includes.of(path)
        if included is not None:
            return included
        facts, semantics = self._source.facts(path)
        if facts is None or semantics is None:
            return ()
        located = (self._modules.locate(semantics, imported.module, path) for _, imported in facts.wildcards)
        return list(dict.fromkeys(file for files in located for file in files or ()))
