"""Types that may fit a protocol by their members, without naming it: structural subtypes of Python.

https://typing.python.org/en/latest/spec/protocol.html. Whether a type fits depends on what its members take and give,
and most code does not say that: so a type that has members of all the names is undecided, and never reported as a
subtype.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Hit, Wanted
from leadline_tools.languages import semantics_of, share_rules
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Reason
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.project.subtype_names import SubtypeNames
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.types.type import Type

_MOST_COMPARED = 1_000
"""Types that have a member of one name and are compared with a protocol."""


class FittingTypes(NamedTuple):
    """The types that may fit a protocol; ``is_complete`` is False where some could not be compared with it."""

    types: Iterable[SymbolRef]
    is_complete: bool


class Protocols:
    """The protocols of one index, and the types that may fit them."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question
        self._resolver = question.resolver
        self._inheritance = question.resolver.evaluator.inheritance
        self._names = SubtypeNames(index)
        self._files: dict[frozenset[str], frozenset[str]] = {}

    def members_alike(self, member: DefinedSymbol) -> Iterator[DefinedSymbol]:
        """Yield the members of its name of protocols which its type may fit, and of types that may fit its type."""
        yield from self.protocol_members(member)
        owner = SymbolRef(member.path, member.first.container, Reason.Definition)
        for holder in self.fitting_types(owner).types:
            own = self._resolver.member_of(holder, member.first.name)
            if isinstance(own, SymbolRef):
                yield from load_symbols(self._index, [(own.path, own.name)])

    def is_protocol(self, of: SymbolRef) -> bool:
        """Return whether a type says that what has its members is a subtype of it."""
        semantics = semantics_of(of.path)
        if semantics is None or of.path not in self._declaring(semantics):
            return False
        facts, _ = self._resolver.facts(of.path)
        if facts is None:
            return False
        terms = (term for one in facts.heritage_of(of.name) for term in one.bases)
        return any(term.partition("<")[0].rpartition(".")[2] in semantics.members.protocol_bases for term in terms)

    def _declaring(self, semantics: Semantics) -> frozenset[str]:
        """Return the files that may declare a protocol of a language, as the index has them."""
        bases = semantics.members.protocol_bases
        if bases not in self._files:
            self._files[bases] = frozenset(self._index.related.inheriting(bases) if bases else ())
        return self._files[bases]

    def protocol_members(self, method: DefinedSymbol) -> Sequence[DefinedSymbol]:
        """Return the members of protocols through which a method may be called, since its type may fit them."""
        semantics = semantics_of(method.path)
        if (
            semantics is None
            or not semantics.members.protocol_bases
            or not (method.callable and method.first.container)
        ):
            return ()
        files = self._declaring(semantics)
        if not files:
            return ()
        owner = SymbolRef(method.path, method.first.container, Reason.Definition)
        found = self._members(method.first.name, method.path, files)
        protocols = [SymbolRef(one.file.path, one.definition.container, Reason.Definition) for one in found]
        fitted = [protocol for protocol in protocols if self.is_protocol(protocol) and self._may_fit(owner, protocol)]
        return load_symbols(self._index, [(one.path, f"{one.name}.{method.first.name}") for one in fitted])

    def fitting_types(self, protocol: SymbolRef) -> FittingTypes:
        """Return the types that may fit a protocol: those that declare one of its members, and their subtypes.

        What declares no member and inherits none of the code base has them all from outside, and is not among them.
        """
        names = self._compared_names(protocol)
        holders, is_complete = dict[SymbolRef, None](), True
        for number, name in enumerate(names):
            found = self._holders(name, protocol.path, inheriting=number > 0)
            is_complete = is_complete and len(found) <= _MOST_COMPARED
            holders.update(dict.fromkeys(found if len(found) <= _MOST_COMPARED else ()))
        self._question.project.prepare(dict.fromkeys(one.path for one in holders))
        types = self._with_subtypes(holders)
        return FittingTypes((one for one in types if self._may_fit(one, protocol)), is_complete)

    def _compared_names(self, protocol: SymbolRef) -> Sequence[str]:
        """Return the names by which the types that may fit a protocol are found, the rarest first."""
        semantics = semantics_of(protocol.path)
        if semantics is None or not self.is_protocol(protocol):
            return ()
        names = sorted(self._inheritance.member_names(protocol), key=self._index.symbols.count_files_defining)
        of_all_objects = (
            semantics.library.external_members("") if semantics.library.external_members is not None else None
        )
        return [name for name in names if name not in (of_all_objects or ())] or names

    def _holders(self, name: str, home: str, *, inheriting: bool) -> Sequence[SymbolRef]:
        """Return the types that declare a member of a name; those alone that inherit, or are inherited, for another.

        A type that does neither fits a protocol only if it declares each of its members, the rarest too.
        """
        found = dict.fromkeys((hit.file.path, hit.definition.container) for hit in self._members(name, home))
        types = (SymbolRef(path, owner, Reason.Definition) for path, owner in found)
        return [one for one in types if not inheriting or self._inherits(one) or self._names.files((one,))]

    def _inherits(self, of: SymbolRef) -> bool:
        """Return whether a type may inherit from another one, as the index has it."""
        relations = self._index.related.of(of.path)
        return relations is None or any(one.path == of.name for one in relations.subtypes)

    def _with_subtypes(self, types: Iterable[SymbolRef]) -> Iterator[SymbolRef]:
        """Yield types and all that inherit from one of them."""
        known = dict.fromkeys((one.path, one.name) for one in types)
        level = list(types)
        while level:
            yield from level
            found = {(one.path, one.name): one for one in self._subtypes(level)}
            level = [one for key, one in found.items() if key not in known]
            known.update(dict.fromkeys(found))

    def _subtypes(self, types: Sequence[SymbolRef]) -> Iterator[SymbolRef]:
        """Yield the types that say they inherit from one of some types of one language."""
        wanted = {(one.path, one.name) for one in types}
        spelled = frozenset[str]().union(*map(self._names.of, types))
        files = [path for path in self._names.files(types) if share_rules(path, types[0].path)]
        self._question.project.prepare(files)
        for clause in (one for path in files for one in self._inheritance.base_clauses(path)):
            cancellation.check()
            terms = (t for t in clause.heritage.bases if self._names.may_mean(clause.path, clause.heritage, t, spelled))
            bases = (base.origin for term in terms for base in self._inheritance.resolve_base(clause, term))
            if clause.of is not None and any(isinstance(b, SymbolRef) and (b.path, b.name) in wanted for b in bases):
                yield clause.of

    def _members(self, name: str, home: str, within: Container[str] | None = None) -> Sequence[Hit]:
        """Return the members of types that have a name, in the language of the file ``home``, of all files or some."""

        def accepts(path: str, definition: Definition) -> bool:
            return bool(definition.container) and share_rules(path, home) and (within is None or path in within)

        return self._index.names.exact(name, Wanted(accepts=accepts, every=True)).hits

    def _may_fit(self, holder: SymbolRef, protocol: SymbolRef) -> bool:
        """Return whether a type that does not inherit from a protocol has, or may have, members of all its names."""
        cancellation.check()
        value = Type(holder, is_instance=True)
        types = self._inheritance.mro(value)
        if any(protocol.same(one.origin) for one in types) or self.is_protocol(holder):
            return False
        return all(
            self._resolver.member_of(holder, name) is not None
            or self._inheritance.is_external_member(value, types, name)
            for name in self._inheritance.member_names(protocol)
        )
