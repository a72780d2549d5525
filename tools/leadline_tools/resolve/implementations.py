"""What inherits from a type and what overrides its members, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.errors import PathError
from leadline_tools.index.index import Index
from leadline_tools.index.source import Reader
from leadline_tools.languages import language_of, scoping_of
from leadline_tools.languages.language import Scoping
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE
from leadline_tools.model import Reason, SymbolKind
from leadline_tools.resolve.address import Target, defined
from leadline_tools.resolve.meaning import Defined
from leadline_tools.resolve.parts import everywhere
from leadline_tools.resolve.project import holding
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.value import Value
from leadline_tools.resolve.visibility import seeing, signature_of

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


def implementations(
    index: Index, target: Target, *, up: bool, question: Question | None = None, member: Target | None = None
) -> Implementations:
    """Return the subtypes of a type or what overrides a member; with ``up`` the supertypes or what it overrides.

    Without a question that they are a part of they are one of their own. With ``member`` those subtypes alone are
    wanted that a file declares which can name that member of the type.
    """
    if question is None:
        with asking(index) as asked:
            return implementations(index, target, up=up, question=asked, member=member)
    return _implementations(_Search(index, question, member or target), target, up=up)


def fitted(index: Index, target: Target, question: Question) -> tuple[list[Target], int]:
    """Return the methods of interfaces, not named by a type, that it fits by a method that it or another one has.

    And how many files were not looked into in time.
    """
    scoping = scoping_of(target.path)
    if scoping is None or not scoping.structural or not target.callable:
        return [], 0
    search = _Search(index, question, target)
    found = defined(index, [(one.path, one.name) for one in search.fitted(target)])
    return found, search.unseen


def _implementations(search: _Search, target: Target, *, up: bool) -> Implementations:
    of = Defined(target.path, target.name, Reason.Definition)
    owner, _, name = target.name.rpartition(".")
    is_member = bool(owner) and target.first.kind in CALLABLE | VARIABLE
    start = Defined(target.path, owner, Reason.Definition) if is_member else of
    related = search.supertypes(start) if up else search.subtypes(start)
    found = list(search.overriding(of, related, name) if is_member else related)
    outside = search.outside(start) if up else ()
    return Implementations(found, outside, search.unseen, not up and search.structural(start), search.unlisted)


class _Search:
    """One search, with the facts that it has needed."""

    def __init__(self, index: Index, question: Question, target: Target) -> None:
        self._index = index
        self._sees = (seeing(index, target) if target.first.container else None) or (lambda _path: True)
        self._project = question.project
        self._values = question.resolver.values
        self._inheritance = self._values.inheritance
        self._signatures: dict[tuple[str, str], str] = {}
        self._heads: dict[str, bytes] = {}
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

    def overriding(self, of: Defined, types: Iterable[Related], name: str) -> Iterator[Related]:
        """Yield the members that types have under a name: their own, or one of what they embed that fits for them."""
        known = {(of.path, of.name)}
        for related in types:
            own = self._values.declared.own(related.of, name) or self._taken_in(related.of, name)
            if own is not None and (own.path, own.name) not in known:
                known.add((own.path, own.name))
                yield Related(own, related.distance)

    def _taken_in(self, of: Defined, name: str) -> Defined | None:
        """Return the member that a type has from what it embeds, where that makes it fit an interface."""
        scoping = scoping_of(of.path)
        return self._values.method(of, name) if scoping is not None and scoping.structural else None

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
        sees = next((seeing(self._index, target) for target in defined(self._index, [(of.path, of.name)])), None)
        waiting = [path for path in waiting if self._sees(path) and (sees is None or sees(path))]
        if self._project.late:
            self.unseen += len(waiting)
            return
        if scoping is not None and scoping.headed:
            with self._index.tree.reading() as reader:
                waiting = [path for path in waiting if self._may_inherit(path, name, reader)]
        elif scoping is not None and scoping.inherits:
            inherits = re.compile(scoping.inherits.format(name=re.escape(name)).encode(), re.MULTILINE).search
            with self._index.tree.reading() as reader:
                waiting = [path for path in waiting if inherits(reader.raw(path) or b"") is not None]
        for start in range(0, len(waiting), _BATCH):
            cancellation.check()
            if self._project.late:
                self.unseen += len(waiting) - start
                return
            self._project.prepare(waiting[start : start + _BATCH])
            yield from waiting[start : start + _BATCH]

    def _may_inherit(self, path: str, name: str, reader: Reader) -> bool:
        """Tell whether a name stands in the head of a type of a file, or may go by another name there."""
        known = self._inheritance.may_name
        if (path, name) not in known:
            known[path, name] = self._names(path, name, reader)
        return known[path, name]

    def _names(self, path: str, name: str, reader: Reader) -> bool:
        try:
            source = reader.read(path)
        except PathError:
            return False
        if re.search(_RENAMED.format(name=re.escape(name)).encode(), source.content, re.MULTILINE):
            return True
        if path not in self._heads:
            types = (one for one in self._index.definitions(source) if one.kind in CLASS_LIKE)
            self._heads[path] = b"\n".join(source.content[slice(*one.signature)] for one in types)
        return name.encode() in self._heads[path]

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
            if self._fits(holder, of, methods):
                yield holder

    def fitted(self, target: Target) -> Iterator[Defined]:
        """Yield the methods of interfaces that a method makes its type fit, or a type that embeds it."""
        owner, name = Defined(target.path, target.first.container, Reason.Definition), target.first.name
        own = Defined(target.path, target.name, Reason.Definition)
        holders = [owner]
        holders += (one.of for one in self.subtypes(owner) if own.same(self._values.method(one.of, name)))
        named = self._index.names.exact(name)
        self.unseen += bool(named.more)
        for hit in named.hits:
            cancellation.check()
            path, interface = hit.file.path, Defined(hit.file.path, hit.definition.container, Reason.Definition)
            related = language_of(path) is language_of(target.path)
            if not related or not interface.name or interface.same(owner) or not self.structural(interface):
                continue
            methods = self._inheritance.names(interface)
            if any(self._fits(holder, interface, methods) for holder in holders):
                yield Defined(path, hit.definition.path, Reason.Definition)

    def _fits(self, holder: Defined, interface: Defined, methods: Sequence[str]) -> bool:
        """Tell whether a type has the methods of an interface, as far as what they take and give tells."""
        scoping = scoping_of(interface.path)
        return scoping is not None and all(self._stands_for(scoping, holder, interface, name) for name in methods)

    def _stands_for(self, scoping: Scoping, holder: Defined, interface: Defined, name: str) -> bool:
        """Tell whether a method of a type may be the one that an interface asks for."""
        own, asked = self._values.method(holder, name), self._values.method(interface, name)
        if own is None or asked is None:
            return False
        if not scoping.shared(name) and own.path.rpartition("/")[0] != asked.path.rpartition("/")[0]:
            return False
        return scoping.stands_for(self._signature(holder, name), self._signature(interface, name))

    def _signature(self, of: Defined, name: str) -> str:
        """Return how the method of a type is declared."""
        method = self._values.method(of, name)
        key = (method.path, method.name) if method is not None else ("", "")
        if key not in self._signatures:
            found = next(iter(defined(self._index, [key] if method is not None else [])), None)
            self._signatures[key] = signature_of(found) if found is not None else ""
        return self._signatures[key]
