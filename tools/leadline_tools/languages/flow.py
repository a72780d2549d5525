"""The *flow* of a file: what conditions and assignments say of names at the place that a walk has come to.

``narrows_branches`` says what holds where, and why it ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import Assigned, Branches, Narrowing, Span
from leadline_tools.languages.placed_names import PlacedName
from leadline_tools.languages.reaching_definitions import ReachingDefinitions
from leadline_tools.languages.terms import LONGEST
from leadline_tools.lazy_regex import lazy_compile

_WORD = lazy_compile(rb"[A-Za-z_]\w*")
_FIRST = lazy_compile(r"[\w$@]+")

_ASSIGNED = lazy_compile(rb"^[ \t]+([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE)
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
        self._leaves = branches.leaves
        self._assigned = _find_assignments(content) if self._follows else dict[bytes, list[int]]()
        self._ends: dict[int, int] = {}  # of scopes
        self._bound: dict[tuple[int, bytes], int] = {}
        self._given: dict[bytes, int] = {}  # local names of which assignments tell, and up to where
        self._reaching: dict[str, tuple[int, ReachingDefinitions]] = {}  # by name, with the scope that binds it
        self._handled = -1  # the first byte of the name that was assigned last

    def at(self, start: int, end: int) -> str:
        """Return the term that is told last of what is spelled between two bytes, before ``until``; empty for none."""
        if end - start > LONGEST or self._content[start] not in self._begin:
            return ""
        spelled = self._content[start:end].decode("utf-8", "replace")
        for one in reversed(self._of(spelled)):
            if one.within.start <= start < one.within.end:
                return one.term
        reaching = self._reaching.get(spelled)
        lines = reaching[1].at(start) if reaching is not None else None
        return PlacedName(spelled, lines=lines).spelled() if lines else ""

    def narrow(self, narrowing: Narrowing, at: int) -> None:
        """Remember what is told of a name, with the latest of what still holds."""
        self._extend(narrowing.name.encode(), narrowing.within.end, at)
        before = [one for one in self._of(narrowing.name) if one.within.end > at]
        self._narrowings.setdefault(_head(narrowing.name), {})[narrowing.name] = [*before[-_MOST_TOLD:], narrowing]

    def _extend(self, name: bytes, end: int, at: int) -> None:
        """Note at a byte that something is known of a name up to another byte."""
        if self.until <= at:  # nothing of what was told holds any more
            self._begin.clear()
        self._begin.add(name[0])
        self.until = max(self.until, end)

    def give(self, spelled: str, start: int, end: int) -> None:
        """Note that something is given another value at a byte, seen from ``end`` on: no more is told of it."""
        if start != self._handled and spelled in self._reaching:
            self._reaching[spelled][1].forget(end, len(self._content) + 1)
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

    def enter(self, scope: int, end: int) -> None:
        """Note up to where a scope is."""
        self._ends[scope] = end

    def bind(self, scope: int, name: bytes | None, start: int) -> None:
        """Note that a scope binds a name at a byte."""
        if self._follows and name is not None:
            self._bound.setdefault((scope, name), start)

    def assigned(self, scope: int, start: int) -> int:
        """Return the end of the name that an assignment begins with if its scope gives that several values, else 0."""
        name = _WORD.match(self._content, start)
        if name is None:
            return 0
        within = Span(name.end(), self._ends.get(scope, 0))
        several = self.is_bound_before(scope, name[0], start) or self.is_assigned_within(name[0], within)
        return name.end() if several else 0

    def is_bound_before(self, scope: int, name: bytes, start: int) -> bool:
        """Return whether a scope binds a name before a byte."""
        return self._bound.get((scope, name), start) < start

    def is_assigned_within(self, name: bytes, within: Span) -> bool:
        """Return whether a part of the source seems to assign a local name."""
        places = self._assigned.get(name, ())
        first = bisect_left(places, within.start)
        return first < len(places) and places[first] < within.end

    def assign(self, name: bytes, scope: int, line: int, assigned: Assigned, at: int) -> None:
        """Note what a local name of a scope is given on a 1-based line, with what that means for what follows."""
        spelled = name.decode("utf-8", "replace")
        known = self._reaching.get(spelled)
        if known is None or known[0] != scope:
            known = self._reaching[spelled] = scope, ReachingDefinitions()
        known[1].assign(line, assigned)
        end = max((assigned.within.end, *(one.after.end for one in assigned.around)))
        self._extend(name, end, at)
        self._given[name] = max(end, self._given.get(name, 0))
        self._handled = at

    def interrupt(self, node: Node, names: re.Pattern[bytes]) -> None:
        """Note that what assignments gave those ``names`` that are in a node is not told from there on.

        What gives a name a value as it leaves a loop for good changes nothing in the loop.
        """
        start, end = node.start_byte, node.end_byte
        self._given = {name: last for name, last in self._given.items() if last > start}
        found = set[bytes]()
        for word in names.finditer(self._content, start, end) if self._given else ():
            name = word[word.lastindex or 0]
            if name in self._given and name not in found and not self._leaves(node, word.start(word.lastindex or 0)):
                found.add(name)
        for name in found:
            self._reaching[name.decode("utf-8", "replace")][1].forget(start, len(self._content) + 1)
            del self._given[name]

    def _of(self, spelled: str) -> Sequence[Narrowing]:
        return self._narrowings.get(_head(spelled), {}).get(spelled, ())


def _find_assignments(content: bytes) -> Mapping[bytes, list[int]]:
    """Return the names that may be local ones that are assigned, each with where that seems to be."""
    found: dict[bytes, list[int]] = {}
    for assignment in _ASSIGNED.finditer(content):
        found.setdefault(assignment[1], []).append(assignment.start(1))
    return found


def _head(spelled: str) -> str:
    """Return the first word of what is spelled: what has another value if that has."""
    word = _FIRST.match(spelled)
    return word[0] if word is not None else spelled
