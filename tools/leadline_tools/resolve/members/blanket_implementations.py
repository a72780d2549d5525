"""Members that an interface gives all types that satisfy the bounds of a type parameter: traits of Rust.

``impl<I: Iterator> Chunks for I {}`` gives each iterator the methods of ``Chunks``.
https://doc.rust-lang.org/book/ch10-02-traits.html#using-trait-bounds-to-conditionally-implement-methods
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.languages.facts import Binding, Facts, Heritage, Sort, Use, is_type_parameter
from leadline_tools.languages.outline import owner_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import Op, Step, parsed
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, SymbolRef, is_same
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for interfaces."""

_OF_ALL_TYPES = frozenset({"Sized", "?"})
"""Bounds that the type of each variable satisfies, and such as are left out."""


_EACH = Step(Op.Each)


class BlanketImplementations:
    """Looks up the members that interfaces give types by their bounds."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, inheritance: Inheritance) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._inheritance = inheritance
        self._declared: dict[str, Sequence[SymbolRef]] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._declared.clear()

    def members(self, path: str, type_: Type, name: str) -> Sequence[SymbolRef]:
        """Return the member of the one interface that a file sees with a member ``name``, if it gives it a type.

        Nothing is returned for a type that has a member of that name: it takes precedence.
        """
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.members.by_interface:
            return ()
        if not type_.is_instance or not isinstance(type_.origin, SymbolRef):
            return ()
        if any(one != EXTERNAL for one, _ in self._evaluator.lookup_member(type_, name, called=True, given=False)):
            return ()
        seen = [one for one in self._members_of_interfaces(path, name) if self._is_seen(path, one)]
        return seen if len(seen) == 1 and self._is_given(seen[0], type_) else ()

    def _members_of_interfaces(self, path: str, name: str) -> Sequence[SymbolRef]:
        """Return the members called ``name`` of the interfaces of the code base."""
        if name not in self._declared:
            files = sorted(self._resolver.project.defining(name, path))
            facts = ((file, self._resolver.facts(file)[0]) for file in files if len(files) <= _MOST_DECLARING)
            self._declared[name] = [
                SymbolRef(file, one.path, Reason.Receiver)
                for file, of in facts
                for one in (of.named(name) if of is not None else ())
                if of is not None and _is_of_interface(of, one)
            ]
        return self._declared[name]

    def _is_seen(self, path: str, member: SymbolRef) -> bool:
        """Return whether a file declares or imports the interface of a member, under any name."""
        facts, _ = self._resolver.facts(path)
        interface = owner_of(member.name)
        last = interface.rpartition(".")[2]
        if facts is None or path == member.path:
            return facts is not None
        if any(self._is_import(path, one) for one in facts.uses.get(last, ())):
            return True
        found = self._resolver.scopes.lookup(path, last, 0, Role.Type)
        return isinstance(found, SymbolRef) and found.same(SymbolRef(member.path, interface, Reason.Scope))

    def _is_import(self, path: str, use: Use) -> bool:
        """Return whether a name is imported where it stands, which may be without a name: ``use a::B as _``."""
        lines = self._resolver.project.lines(path) if use.role is Role.Read else ()
        after = lines[use.line - 1][use.end_column - 1 :] if use.line <= len(lines) else ""
        return use.role is Role.Import or after.split()[:1] == ["as"]

    def _is_given(self, member: SymbolRef, type_: Type) -> bool:
        """Return whether an implementation for a type parameter, beside the interface, is one for a type."""
        facts, _ = self._resolver.facts(member.path)
        interface = SymbolRef(member.path, owner_of(member.name), Reason.Scope)
        return facts is not None and any(
            self._satisfies(type_, member.path, parameter, one)
            for one in facts.heritage
            for parameter in [_find_parameter(facts, one)]
            if parameter is not None and self._is_for(member.path, one, interface)
        )

    def _is_for(self, path: str, one: Heritage, interface: SymbolRef) -> bool:
        """Return whether an implementation is one of an interface."""
        types = self._evaluator.evaluate_type(path, one.bases[0], one.scope, None)
        return any(is_same(of.origin, interface) for of in types)

    def _satisfies(self, type_: Type, path: str, parameter: Sequence[Binding], one: Heritage) -> bool:
        """Return whether a type satisfies all bounds of a type parameter, those in a ``where`` clause too."""
        bounds = (bounds for bound in parameter for bounds in (bound.type, bound.made) if bounds)
        return all(self._satisfies_bounds(type_, path, each, one.scope) for each in bounds)

    def _satisfies_bounds(self, type_: Type, path: str, bounds: str, scope: int) -> bool:
        inherited = self._inheritance.mro(type_)
        for bound in parsed(bounds):
            if bound.head in _OF_ALL_TYPES and not bound.steps:
                continue
            wanted = self._evaluator.evaluate_term(path, (bound,), scope, None, typed=True)
            met = [of for of in wanted for base in inherited if _is_known(of) and is_same(of.origin, base.origin)]
            if not met or all(self._holds_others(type_, of) for of in met):
                return False
        return True

    def _holds_others(self, type_: Type, bound: Type) -> bool:
        """Return whether a bound asks for other elements than a type has: ``Iterator<Item = A>``."""
        asked = [one for held in bound.arguments for one in held if _is_known(one)]
        has = [one for one in self._evaluator.evaluate_step(type_, _EACH, called=False) if _is_known(one)]
        return bool(asked and has) and not any(is_same(one.origin, other.origin) for one in asked for other in has)


def _is_known(type_: Type) -> bool:
    return isinstance(type_.origin, SymbolRef) or (isinstance(type_.origin, ExternalType) and bool(type_.origin.name))


def _is_of_interface(facts: Facts, member: Binding) -> bool:
    """Return whether a function is a member that an interface declares, not an implementation."""
    if member.sort != Sort.Callable or member.scope <= 0 or facts.scopes[member.scope].kind is not ScopeKind.Class:
        return False
    around = facts.scopes[member.scope].parent
    return facts.scopes[around].kind is not ScopeKind.Implementation


def _find_parameter(facts: Facts, one: Heritage) -> Sequence[Binding] | None:
    """Return what declares and bounds the type parameter for which an interface is implemented; None for a type."""
    if len(one.bases) != 1 or facts.scopes[one.scope].kind is not ScopeKind.Implementation:
        return None
    bound: Iterator[Binding] = (of for of in facts.within(one.path, one.scope) if of.scope == one.scope)
    parameters = list(bound)
    return parameters if any(map(is_type_parameter, parameters)) else None
