"""Types that inherit from an interface without naming it: by having its methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Hit, Wanted
from leadline_tools.languages import semantics_of, share_rules
from leadline_tools.languages.language import Semantics
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.hierarchy.search_record import SearchRecord
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.symbols.defined_symbol import is_interface, load_symbols
from leadline_tools.resolve.symbols.promotion import Promotion
from leadline_tools.resolve.symbols.visibility import signature_of
from leadline_tools.resolve.types.type import Type

Embedding = Callable[[Sequence[SymbolRef]], Iterable[SymbolRef]]
"""Returns the types that embed one of some types."""


class StructuralTypes:
    """Finds which types have the methods of which interfaces."""

    def __init__(self, index: Index, evaluator: TypeEvaluator, record: SearchRecord) -> None:
        self._index = index
        self._evaluator = evaluator
        self._inheritance = evaluator.inheritance
        self._record = record
        self._signatures: dict[tuple[str, str], str] = {}
        is_known_interface = cache(partial(is_interface, index))
        self._promotion = Promotion(evaluator.declarations, evaluator.inheritance, is_known_interface)

    def is_structural(self, of: SymbolRef) -> bool:
        """Return whether a type is inherited from without being named: by having its methods."""
        semantics = semantics_of(of.path)
        if semantics is None or not semantics.members.structural:
            return False
        return is_interface(self._index, of)

    def types_fitting(self, of: SymbolRef, embedding: Embedding) -> Iterator[SymbolRef]:
        """Yield the types that have every method of an interface: looked up by the rarest, then one by one.

        A type that has some of the methods alone may be embedded in one that has the others.
        """
        methods = self._inheritance.member_names(of)
        if not methods:
            return
        listed = self.members_called(min(methods, key=self._index.symbols.count_files_defining), of.path)
        found = (self._evaluator.find_definition(hit.file.path, hit.definition.container) for hit in listed)
        level = [one for one in found if one is not None]
        known = {(of.path, of.name)}
        while level:
            partial: list[SymbolRef] = []
            for holder in level:
                cancellation.check()
                if (holder.path, holder.name) in known:
                    continue
                known.add((holder.path, holder.name))
                if self.has_methods(holder, of, methods):
                    yield holder
                else:
                    partial.append(holder)
            level = list(embedding(partial)) if partial else []

    def members_called(self, name: str, home: str) -> Sequence[Hit]:
        """Return the members of types that have a name, in the language of the file ``home``; note if some are left."""
        wanted = Wanted(accepts=lambda path, d: bool(d.container) and share_rules(path, home), every=True)
        found = self._index.names.exact(name, wanted)
        self._record.unlisted |= bool(found.more) or found.total > len(found.hits)
        return found.hits

    def fits(self, holder: SymbolRef, interface: SymbolRef) -> bool:
        """Return whether a type has the methods of an interface."""
        return not holder.same(interface) and self.has_methods(
            holder, interface, self._inheritance.member_names(interface)
        )

    def has_methods(self, holder: SymbolRef, interface: SymbolRef, methods: Sequence[str]) -> bool:
        """Return whether a type has the methods of an interface, as far as what they take and give tells."""
        semantics = semantics_of(interface.path)
        return semantics is not None and all(self._stands_for(semantics, holder, interface, name) for name in methods)

    def loses_methods(self, heir: SymbolRef, interface: SymbolRef) -> bool:
        """Return whether a type that embeds what has the methods of an interface has not got one of them itself.

        It declares something else of that name, or embeds several types with it: https://go.dev/ref/spec#Selectors.
        """
        semantics = semantics_of(interface.path)
        if semantics is None or not semantics.members.shallow:
            return False
        own_member = self._evaluator.declarations.own_member
        return any(
            self._promotion.is_ambiguous(heir, name)
            if own_member(heir, name) is None
            else not self._stands_for(semantics, heir, interface, name)
            for name in self._inheritance.member_names(interface)
        )

    def outside_interfaces(self, holder: SymbolRef, member: str = "") -> Sequence[str]:
        """Return the interfaces of the standard library that a type fits; with ``member`` those that have it alone."""
        semantics = semantics_of(holder.path)
        if semantics is None or not semantics.library.interfaces:
            return []
        known, embedded = semantics.library.interfaces, self._embedded_interfaces(semantics, holder)
        given = {_method_name(head) for one in embedded for head in known[one]}
        return [
            name
            for name, heads in known.items()
            if (not member or any(_method_name(head) == member for head in heads))
            and all(_method_name(head) in given or self._has_method(semantics, holder, head) for head in heads)
        ]

    def _embedded_interfaces(self, semantics: Semantics, holder: SymbolRef) -> Sequence[str]:
        """Return the interfaces of the standard library that a type embeds, and so has their methods."""
        owners = self._inheritance.mro(Type(holder))
        terms = (term for owner in owners for term in self._inheritance.external_bases(owner))
        return [term for term in terms if term in semantics.library.interfaces]

    def may_fit_outside(self, holder: SymbolRef, member: str = "") -> bool:
        """Return whether a type, or a ``member`` of it, may belong to an interface from outside of the code base."""
        semantics = semantics_of(holder.path)
        if semantics is None or not semantics.members.structural:
            return False
        names = [member] if member else self._inheritance.member_names(holder)
        return any(semantics.members.may_share_method(name) for name in names)

    def _has_method(self, semantics: Semantics, holder: SymbolRef, head: str) -> bool:
        """Return whether a type has a method like one of an interface from outside."""
        own = self._signature_of(holder, _method_name(head))
        if not own or not semantics.members.stands_for(own, head):
            return False
        return not (semantics.members.shallow and self._promotion.is_ambiguous(holder, _method_name(head)))

    def _stands_for(self, semantics: Semantics, holder: SymbolRef, interface: SymbolRef, name: str) -> bool:
        """Return whether a method of a type may be the one that an interface asks for."""
        own, asked = self._evaluator.find_method(holder, name), self._evaluator.find_method(interface, name)
        if own is None or asked is None:
            return False
        if (
            not semantics.members.may_share_method(name)
            and own.path.rpartition("/")[0] != asked.path.rpartition("/")[0]
        ):
            return False
        if not semantics.members.stands_for(self._signature_of(holder, name), self._signature_of(interface, name)):
            return False
        return not (semantics.members.shallow and self._promotion.is_ambiguous(holder, name))

    def _signature_of(self, of: SymbolRef, name: str) -> str:
        """Return how the method of a type is declared."""
        method = self._evaluator.find_method(of, name)
        key = (method.path, method.name) if method is not None else ("", "")
        if key not in self._signatures:
            found = next(iter(load_symbols(self._index, [key] if method is not None else [])), None)
            self._signatures[key] = signature_of(found) if found is not None else ""
        return self._signatures[key]


def _method_name(head: str) -> str:
    return head.partition("(")[0]
