"""The reach of includes: the files that a file includes, itself or through others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

MOST_INCLUDED = 512
"""Files that one file includes, directly or not, among which a name is looked for."""

_FEWEST_NOTED = 4
"""Files whose includes are searched one by one before it is noted what each included file includes."""


class Reach:
    """What a file includes, itself or through others, nearest first: found as far as it is asked for."""

    def __init__(self, path: str, included: Callable[[str], Sequence[str]]) -> None:
        self._included = included
        self._files = [path]
        self._places = {path: 0}
        self._opened = 0

    def __iter__(self) -> Iterator[str]:
        at = 1
        while at < len(self._files) or self._open():
            new = self._files[at:]
            at += len(new)
            yield from new

    def among(self, wanted: AbstractSet[str]) -> Iterator[str]:
        """Yield those of some files that are included."""
        files, places = self._files, self._places
        known = sorted(filter(None, map(places.get, wanted if len(wanted) < len(places) else places.keys() & wanted)))
        left, at = len(wanted) - len(known) - (files[0] in wanted), len(files)
        yield from map(files.__getitem__, known)
        while left and (at < len(files) or self._open()):
            new = files[at:]
            at += len(new)
            for file in new:
                if file in wanted:
                    left -= 1
                    yield file

    def _open(self) -> bool:
        """Note what the next of the files includes; return whether there was one, and room for what it includes."""
        files, places = self._files, self._places
        if self._opened == len(files) or len(files) > MOST_INCLUDED:
            return False
        path = files[self._opened]
        self._opened += 1
        new = [file for file in self._included(path) if file not in places]
        if new:
            places.update(zip(new, range(len(files), len(files) + len(new)), strict=True))
            files += new
        return True


class Reachable:
    """Which of some files other files include, themselves or through others: each of them is visited once.

    Args:
        wanted: The files.
        included: What gives the files that a file itself includes.

    """

    def __init__(self, wanted: AbstractSet[str], included: Callable[[str], Sequence[str]]) -> None:
        self._wanted = wanted
        self._included = included
        self._asked = 0
        self._found: dict[str, set[str]] = {}
        self._includers: dict[str, list[str]] = {}

    def among(self, path: str) -> AbstractSet[str] | None:
        """Return which of the files a file includes; None for the first few that are asked about.

        To search what a few files include costs less than to note what each of the included files includes.
        """
        self._asked += 1
        if self._asked <= _FEWEST_NOTED:
            return None
        self._visit(path)
        return self._found[path] - {path}

    def _visit(self, path: str) -> None:
        """Note for a file and all that it includes which of the files these include."""
        found, waiting = self._found, [path]
        while waiting:
            file = waiting.pop()
            if file in found:
                continue
            found[file] = set()
            new: set[str] = set()
            for included in self._included(file):
                self._includers.setdefault(included, []).append(file)
                if included in self._wanted:
                    new.add(included)
                if included in found:
                    new |= found[included]
                else:
                    waiting.append(included)
            self._pass_on(file, new)

    def _pass_on(self, path: str, files: set[str]) -> None:
        """Note that a file, and each that includes it, includes some of the files."""
        waiting = [(path, files)]
        while waiting:
            file, passed = waiting.pop()
            new = passed - self._found[file]
            if new:
                self._found[file] |= new
                waiting += ((includer, new) for includer in self._includers.get(file, ()))
