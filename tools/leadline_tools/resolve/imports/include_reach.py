"""The reach of includes: the files that a file includes, itself or through others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet

MOST_INCLUDED = 512
"""Files that one file includes, directly or not, among which a name is looked for."""

FEWEST_OPENED = 16
"""Files whose includes are searched one by one before all is opened that they include."""


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

    @property
    def is_cut(self) -> bool:
        """Return whether the file includes more than is looked into."""
        return len(self._files) > MOST_INCLUDED and self._opened < len(self._files)

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


class IncludeClosures:
    """All files that files include, themselves or through others: each file is opened once for all that include it.

    A set of files is a number with a bit for each, so that what a file includes is put together from what its includes
    do in a moment.

    Args:
        included: What gives the files that a file itself includes.

    """

    def __init__(self, included: Callable[[str], Sequence[str]]) -> None:
        self._included = included
        self._bits: dict[str, int] = {}
        self._files: list[str] = []
        self._closures: dict[str, int] = {}
        self._last = "", 0
        self._wanted: dict[AbstractSet[str], int] = {}

    def among(self, path: str, wanted: AbstractSet[str]) -> Collection[str]:
        """Return which of some files a file includes, nearest first; it does not count as one of them itself."""
        if wanted not in self._wanted:
            self._wanted[wanted] = sum(map(self._bit, wanted))
        found = self._closure(path) & self._wanted[wanted]
        files: set[str] = set()
        while found:
            highest = found.bit_length() - 1
            files.add(self._files[highest])
            found -= 1 << highest
        files.discard(path)
        return files if len(files) <= 1 else self._nearest_first(path, files)

    def _nearest_first(self, path: str, wanted: AbstractSet[str]) -> Sequence[str]:
        """Return files that a file includes in the order of ``Reach``; only what leads to one of them is opened."""
        leading = sum(map(self._bit, wanted))
        order: list[str] = []
        seen, waiting = {path}, deque((path,))
        while waiting and len(order) < len(wanted):
            for file in self._included(waiting.popleft()):
                if file not in seen and (self._bit(file) | self._closures[file]) & leading:
                    seen.add(file)
                    waiting.append(file)
                    order += (file,) if file in wanted else ()
        return order

    def _bit(self, path: str) -> int:
        """Return the number in which the bit of a file alone is set."""
        bit = self._bits.get(path)
        if bit is None:
            bit = self._bits[path] = 1 << len(self._files)
            self._files.append(path)
        return bit

    def _closure(self, path: str) -> int:
        """Return what a file includes; of a file that none includes it is kept until another one is asked about."""
        known = self._closures.get(path)
        if known is not None:
            return known
        if self._last[0] != path:
            self._visit(path)
            self._last = path, self._closures[path]
            if path not in self._bits:
                del self._closures[path]
        return self._last[1]

    def _visit(self, path: str) -> None:
        """Find what a file includes, and what each file does that it includes.

        Files that include each other include the same: they are the strongly connected components of the graph, which
        are found by the algorithm of Tarjan.
        """
        order, lowest, found, waiting = {path: 0}, {path: 0}, {path: 0}, [path]
        work = [(path, iter(self._included(path)))]
        while work:
            file, rest = work[-1]
            opened = ""
            for included in rest:
                found[file] |= self._bit(included) | self._closures.get(included, 0)
                if included not in order and included not in self._closures:
                    opened = included
                    break
                if included not in self._closures:
                    lowest[file] = min(lowest[file], order[included])
            if opened:
                order[opened] = lowest[opened] = len(order)
                found[opened] = 0
                waiting.append(opened)
                work.append((opened, iter(self._included(opened))))
                continue
            work.pop()
            if lowest[file] == order[file]:
                self._close(file, waiting, found)
            if work:
                above = work[-1][0]
                lowest[above] = min(lowest[above], lowest[file])
                found[above] |= found[file]

    def _close(self, file: str, waiting: list[str], found: dict[str, int]) -> None:
        """Note what the files include that include each other, of which ``file`` was opened first."""
        at = waiting.index(file) if waiting[-1] != file else len(waiting) - 1
        together = 0
        for one in waiting[at:]:
            together |= found[one]
        for one in waiting[at:]:
            self._closures[one] = found[one] = together
        del waiting[at:]
