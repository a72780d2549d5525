"""What inherits from a type and what overrides its members, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.errors import PathError
from leadline_tools.index.index import Index
from leadline_tools.index.source import Reader
from leadline_tools.languages import scoping_of
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE
from leadline_tools.model import Reason, SymbolKind
from leadline_tools.resolve.address import Target
from leadline_tools.resolve.meaning import Defined
from leadline_tools.resolve.parts import everywhere
from leadline_tools.resolve.project import holding
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.value import Value

SECONDS = 2.0
"""Seconds in which files are looked into; what is left is said."""

_LEAST_SECONDS = 0.7
"""Seconds for the files that may name a type, however long it took to find them."""

_BATCH = 16

_RENAMED = r"\b{name}\s+as\b|=\s*(?:\w+\.)*{name}\s*(?:[;,)]|$)"
"""Where a type gets another name, in any language: as what is imported, as a variable."""


@dataclass(frozen=True, slots=True)
class Related:
    """A definition and how far it is from the one that was asked about: 1 for a direct subtype or supertype."""

    of: Defined
    distance: int


@dataclass(frozen=True, slots=True)
class Implementations:
    """What was found.

    Args:
        found: Nearest first.
        outside: What is said to be inherited from outside of the code base, as it is written.
        unseen: How many files were not looked into in time.
        fitting: True where having the methods of a type is all that it takes to inherit from it.
        unlisted: True where every one of these methods has more definitions than are looked through.

    """

    found: Sequence[Related]
    outside: Sequence[str]
    unseen: int
    fitting: bool
    unlisted: bool


def implementations(index: Index, target: Target, *, up: bool) -> Implementations:
    """Return the subtypes of a type or what overrides a member; with ``up`` the supertypes or what it overrides."""
    with asking(index, SECONDS) as question:
        return _implementations(_Search(index, question), target, up=up)


def _implementations(search: _Search, target: Target, *, up: bool) -> Implementations:
    of = Defined(target.path, target.name, Reason.Definition)
    owner, _, name = target.name.rpartition(".")
    is_member = bool(owner) and target.first.kind in CALLABLE | VARIABLE
    start = Defined(target.path, owner, Reason.Definition) if is_member else of
    related = search.supertypes(start) if up else search.subtypes(start)
    found = list(search.overriding(related, name) if is_member else related)
    outside = search.outside(start) if up else ()
    return Implementations(found, outside, search.unseen, not up and search.structural(start), search.unlisted)


class _Search:
    """One search, with the facts that it has needed."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._project = question.project
        self._values = question.resolver.values
        self._inheritance = self._values.inheritance
        self.unseen = 0
        self.unlisted = False

    def supertypes(self, of: Defined) -> Iterator[Related]:
        """Yield all that a type inherits from, nearest first."""
        return self._spread(of, self._bases)

    def subtypes(self, of: Defined) -> Iterator[Related]:
        """Yield all that inherits from a type, nearest first."""
        return self._spread(of, self._derived)

    def outside(self, of: Defined) -> Sequence[str]:
        """Return what a type and its supertypes inherit from outside of the code base, as it is written."""
        every = self._inheritance.linear(Value(of))
        return list(dict.fromkeys(term for one in every for term in self._inheritance.outside(one)))

    def overriding(self, types: Iterable[Related], name: str) -> Iterator[Related]:
        """Yield the members of types that have a name."""
        for related in types:
            own = self._values.declared.own(related.of, name)
            if own is not None:
                yield Related(own, related.distance)

    def _spread(self, of: Defined, next_to: Callable[[Defined], Iterable[Defined]]) -> Iterator[Related]:
        """Yield what can be reached from a type, breadth first, each once."""
        known = {(of.path, of.name)}
        level, distance = [of], 0
        while level:
            distance += 1
            found = [one for before in level for one in next_to(before)]
            level = []
            for one in found:
                if (one.path, one.name) not in known:
                    known.add((one.path, one.name))
                    level.append(one)
                    yield Related(one, distance)

    def _bases(self, of: Defined) -> list[Defined]:
        return [base.of for base in self._inheritance.bases(Value(of)) if isinstance(base.of, Defined)]

    def _derived(self, of: Defined) -> list[Defined]:
        """Return the types that say they inherit from a type."""
        parts = everywhere(self._index, of)
        found = [one for path in self._candidates(of) for one in self._declaring(path, parts)]
        if self.structural(of):
            found += self._fitting(of)
        return list(dict.fromkeys(found))

    def structural(self, of: Defined) -> bool:
        """Tell whether a type is inherited from without being named: by having its methods."""
        scoping = scoping_of(of.path)
        if scoping is None or not scoping.structural:
            return False
        source = self._index.try_read(of.path)
        known = self._index.definitions(source) if source is not None else ()
        return any(one.path == of.name and one.kind is SymbolKind.Interface for one in known)

    def _candidates(self, of: Defined) -> Iterator[str]:
        """Yield the files that may name a type, with their facts at hand, until the time is up."""
        scoping = scoping_of(of.path)
        name = of.name.rpartition(".")[2]
        waiting = holding(self._index, name, of.path)
        if scoping is not None and scoping.headed:
            with self._index.tree.reading() as reader:
                waiting = [path for path in waiting if self._may_inherit(path, name, reader)]
        self._project.extend(_LEAST_SECONDS)
        for start in range(0, len(waiting), _BATCH):
            cancellation.check()
            if self._project.late:
                self.unseen += len(waiting) - start
                return
            self._project.prepare(waiting[start : start + _BATCH])
            yield from waiting[start : start + _BATCH]

    def _may_inherit(self, path: str, name: str, reader: Reader) -> bool:
        """Tell whether a name stands in the head of a type of a file, or may go by another name there."""
        try:
            source = reader.read(path)
        except PathError:
            return False
        if re.search(_RENAMED.format(name=re.escape(name)).encode(), source.content, re.MULTILINE):
            return True
        types = (one for one in self._index.definitions(source) if one.kind in CLASS_LIKE)
        return any(name.encode() in source.content[slice(*one.signature)] for one in types)

    def _declaring(self, path: str, parts: Sequence[Defined]) -> Iterator[Defined]:
        """Yield the types that a file says inherit from a type, as any of its parts declares it."""
        for of, bases in self._inheritance.derived(path):
            if any(part.same(one.of) for one in bases for part in parts):
                yield of

    def _fitting(self, of: Defined) -> Iterator[Defined]:
        """Yield the types that have every method of an interface: looked up by the rarest, then one by one."""
        methods = self._inheritance.names(of)
        found = [self._index.names.exact(name) for name in methods]
        listed = min((one for one in found if not one.more), key=lambda one: one.total, default=None)
        if listed is None:
            self.unlisted = bool(methods)
            return
        for hit in listed.hits:
            cancellation.check()
            holder = self._values.named(hit.file.path, hit.definition.container)
            if holder is None or holder.same(of):
                continue
            if all(self._values.has(holder, name) for name in methods):
                yield holder
