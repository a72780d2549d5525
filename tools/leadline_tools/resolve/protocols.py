"""Types that may fit a protocol by their members, without naming it: structural subtypes of Python.

https://typing.python.org/en/latest/spec/protocol.html. Whether a type fits depends on what its members take and give,
and most code does not say that: so a type that has members of all the names is undecided, and never reported as a
subtype.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import accumulate

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Hit, Wanted
from leadline_tools.languages import scoping_of, share_rules
from leadline_tools.languages.language import Scoping
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Reason
from leadline_tools.resolve.address import Target, defined
from leadline_tools.resolve.meaning import Defined
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.value import Value

_MOST_COMPARED = 200
"""Members of one name whose types are compared with a protocol."""


class Protocols:
    """The protocols of one index, and the types that may fit them."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question
        self._resolver = question.resolver
        self._inheritance = question.resolver.values.inheritance
        self._files: dict[frozenset[str], frozenset[str]] = {}

    def is_protocol(self, of: Defined) -> bool:
        """Tell whether a type says that what has its members is a subtype of it."""
        scoping = scoping_of(of.path)
        if scoping is None or of.path not in self._declaring(scoping):
            return False
        facts, _ = self._resolver.facts(of.path)
        if facts is None:
            return False
        terms = (term for one in facts.heritage_of(of.name) for term in one.bases)
        return any(term.partition("<")[0].rpartition(".")[2] in scoping.protocol_bases for term in terms)

    def _declaring(self, scoping: Scoping) -> frozenset[str]:
        """Return the files that may declare a protocol of a language, as the index has them."""
        bases = scoping.protocol_bases
        if bases not in self._files:
            self._files[bases] = frozenset(self._index.related.inheriting(bases) if bases else ())
        return self._files[bases]

    def protocol_members(self, method: Target) -> Sequence[Target]:
        """Return the members of protocols through which a method may be called, since its type may fit them."""
        scoping = scoping_of(method.path)
        if scoping is None or not scoping.protocol_bases or not (method.callable and method.first.container):
            return ()
        files = self._declaring(scoping)
        if not files:
            return ()
        owner = Defined(method.path, method.first.container, Reason.Definition)
        found = self._members(method.first.name, method.path, files)
        protocols = [Defined(one.file.path, one.definition.container, Reason.Definition) for one in found]
        fitted = [protocol for protocol in protocols if self.is_protocol(protocol) and self._may_fit(owner, protocol)]
        return defined(self._index, [(one.path, f"{one.name}.{method.first.name}") for one in fitted])

    def may_fit(self, protocol: Defined) -> Iterator[Defined] | None:
        """Yield the types that may fit a protocol; None where too many have members of its names."""
        is_protocol = self.is_protocol(protocol)
        names = sorted(self._inheritance.names(protocol) if is_protocol else (), key=self._index.count_defining)
        if not names:
            return iter(())
        if self._index.count_defining(names[0]) > _MOST_COMPARED:
            return None
        totals = accumulate(map(self._index.count_defining, names))
        compared = [name for name, total in zip(names, totals, strict=True) if total <= _MOST_COMPARED]
        hits = [hit for name in compared for hit in self._members(name, protocol.path)]
        self._question.project.prepare(dict.fromkeys(hit.file.path for hit in hits))
        holders = dict.fromkeys((hit.file.path, hit.definition.container) for hit in hits)
        types = (Defined(path, name, Reason.Definition) for path, name in holders)
        return (one for one in types if self._may_fit(one, protocol))

    def _members(self, name: str, home: str, within: Container[str] | None = None) -> Sequence[Hit]:
        """Return the members of types that have a name, in the language of the file ``home``, of all files or some."""

        def accepts(path: str, definition: Definition) -> bool:
            return bool(definition.container) and share_rules(path, home) and (within is None or path in within)

        wanted = Wanted(accepts=accepts, every=True)
        return self._index.names.exact(name, wanted).hits[:_MOST_COMPARED]

    def _may_fit(self, holder: Defined, protocol: Defined) -> bool:
        """Tell whether a type that does not inherit from a protocol has, or may have, members of all its names."""
        cancellation.check()
        value = Value(holder, instance=True)
        types = self._inheritance.linear(value)
        if any(protocol.same(one.of) for one in types) or self.is_protocol(holder):
            return False
        return all(
            self._resolver.member_of(holder, name) is not None
            or self._inheritance.is_external_member(value, types, name)
            for name in self._inheritance.names(protocol)
        )
