"""The *flow* of a file: what conditions and assignments say of names at the place that a walk has come to.

``narrows_branches`` says what holds where, and why it ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from leadline_tools.languages.branch_narrowing import Branches, Narrowing, Span
from leadline_tools.languages.terms import LONGEST, PlacedName
from leadline_tools.lazy_regex import lazy_compile

_WORD = lazy_compile(rb"[A-Za-z_]\w*")
_FIRST = lazy_compile(r"[\w$@]+")

_ASSIGNED = lazy_compile(rb"^[ \t]+([A-Za-z_]\w*)[ \t]*=(?!=)", re.MULTILINE)
"""What looks like an assignment to a local name, which is how most begin that give one more than one value."""

_MOST_TOLD = 24
"""Things told around a place that are remembered of one name."""


class Flow:
    """What is told of the names of a file; places are 0-based bytes, and come in the order of the source.

    Attributes:
        until: Where the last of what is told ends: from there on there is nothing to ask.

    """

    def __init__(self, content: bytes, branches: Branches) -> None:
        """Take the source, UTF-8, and what its language says of conditions."""
        self.until = 0
        self._content = content
        self._begin: set[int] = set()  # the first bytes of what is told of
        self._narrowings: dict[str, dict[str, list[Narrowing]]] = {}  # by the first word of what it is told of
        self._follows = bool(branches.assigns)
        self._assigned = _find_reassigned_names(content) if self._follows else frozenset[bytes]()
        self._bound: dict[tuple[int, bytes], int] = {}
        self._given: dict[bytes, int] = {}  # local names of which assignments tell, and up to where

    def at(self, start: int, end: int) -> str:
        """Return the term that is told last of what is spelled between two bytes, before ``until``; empty for none."""
        if end - start > LONGEST or self._content[start] not in self._begin:
            return ""
        known = self._of(self._content[start:end].decode("utf-8", "replace"))
        return next((one.term for one in reversed(known) if one.within.start <= start < one.within.end), "")

    def narrow(self, narrowing: Narrowing, at: int) -> None:
        """Remember what is told of a name, with the latest of what still holds."""
        if self.until <= at:  # nothing of what was told holds any more
            self._begin.clear()
        self._begin.add(narrowing.name.encode()[0])
        self.until = max(self.until, narrowing.within.end)
        before = [one for one in self._of(narrowing.name) if one.within.end > at]
        self._narrowings.setdefault(_head(narrowing.name), {})[narrowing.name] = [*before[-_MOST_TOLD:], narrowing]

    def give(self, spelled: str, start: int, end: int) -> None:
        """Note that something is given another value at a byte, seen from ``end`` on: no more is told of it."""
        known = self._narrowings.get(_head(spelled))
        if known is None:
            return
        for name, narrowings in list(known.items()):
            still = [one for one in narrowings if one.within.end > start]
            if name == spelled or (name.startswith(spelled) and not name[len(spelled)].isidentifier()):
                still = [one.until(start, end) for one in still]
            if still:
                known[name] = still
            else:
                del known[name]

    def bind(self, scope: int, name: bytes | None, start: int) -> None:
        """Note that a scope binds a name at a byte."""
        if self._follows and name is not None:
            self._bound.setdefault((scope, name), start)

    def assigned(self, scope: int, start: int) -> int:
        """Return the end of the name that an assignment begins with if its scope gives that several values, else 0."""
        name = _WORD.match(self._content, start)
        if name is None or not (name[0] in self._assigned or self._bound.get((scope, name[0]), start) < start):
            return 0
        return name.end()

    def assign(self, name: bytes, line: int, within: Span, at: int) -> None:
        """Note that a local name has the value that it is given on a 1-based line within a part of the source."""
        spelled = name.decode("utf-8", "replace")
        self.narrow(Narrowing(spelled, PlacedName(spelled, line=line).spelled(), within, assigned=True), at)
        self._given[name] = within.end

    def interrupt(self, start: int, end: int, names: re.Pattern[bytes]) -> None:
        """Note that what assignments gave those ``names`` that are between two bytes is not told from there on."""
        self._given = {name: last for name, last in self._given.items() if last > start}
        words = names.finditer(self._content, start, end) if self._given else ()
        for name in {word[word.lastindex or 0] for word in words} & self._given.keys():
            known = self._narrowings.get(name.decode("utf-8", "replace"), {})
            for spelled, narrowings in known.items():
                known[spelled] = [one.until(start, start) if one.assigned else one for one in narrowings]
            del self._given[name]

    def _of(self, spelled: str) -> Sequence[Narrowing]:
        return self._narrowings.get(_head(spelled), {}).get(spelled, ())


def _find_reassigned_names(content: bytes) -> frozenset[bytes]:
    """Return the names that may be local ones of which an assignment changes the value."""
    return frozenset(name for name, number in Counter(_ASSIGNED.findall(content)).items() if number > 1)


def _head(spelled: str) -> str:
    """Return the first word of what is spelled: what has another value if that has."""
    word = _FIRST.match(spelled)
    return word[0] if word is not None else spelled
