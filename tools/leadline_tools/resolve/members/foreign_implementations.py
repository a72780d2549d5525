"""Members that implementations of interfaces in the code base give types from outside: traits of Rust.

A method of the type itself takes precedence, and what the type has by itself is known of some types alone. So such a
member is one that a name may mean, or that it surely means.
https://doc.rust-lang.org/reference/expressions/method-call-expr.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import owner_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Role
from leadline_tools.resolve.members.interfaces import Interfaces
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.declarations import implementation

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for implementations."""


class ForeignImplementations:
    """Decides what implementations for types from outside say of a name."""

    def __init__(self, resolver: NameResolver, interfaces: Interfaces) -> None:
        self._resolver = resolver
        self._interfaces = interfaces
        self._of_interfaces: dict[str, bool] = {}
        self._fitting_outside: dict[str, bool] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._of_interfaces.clear()
        self._fitting_outside.clear()

    def may_be_hidden(self, members: Iterable[Resolution], path: str, term: str, scope: int) -> bool:
        """Return whether one of some members that a name may mean is hidden by what its type has by itself."""
        return any(isinstance(one, SymbolRef) and self._is_hidden(one, path, term, scope) for one in members)

    def _is_hidden(self, member: SymbolRef, path: str, term: str, scope: int) -> bool:
        facts, semantics = self._resolver.facts(member.path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return False
        owner, name = owner_of(member.name), member.name.rpartition(".")[2]
        if not owner or self._is_declared(member.path, facts, semantics, owner):
            return False
        if not self._interfaces.implements(member):
            return False
        calls_itself = path == member.path and any(
            facts.scopes[one].name == member.name for one in facts.outwards(scope)
        )
        if term in semantics.scopes.this and calls_itself:
            return True  # it would do so without end
        return name in semantics.library.own_members.get(_key(semantics, owner), ())

    def _is_declared(self, path: str, facts: Facts, semantics: Semantics, owner: str) -> bool:
        """Return whether a type for which something is implemented is one of the code base."""
        if semantics.types.native_type(owner):
            return False
        if facts.at(owner) is not None:
            return True
        last, implementations = owner.rpartition(".")[2], (one.scope for one in facts.heritage_of(owner))
        lookup = self._resolver.scopes.lookup
        return any(isinstance(lookup(path, last, scope, Role.Type), SymbolRef) for scope in implementations)

    def is_own(self, path: str, owner: str, name: str) -> bool:
        """Return whether a type from outside has a member by itself, which hides what interfaces give it.

        https://doc.rust-lang.org/reference/expressions/method-call-expr.html
        """
        _, semantics = self._resolver.facts(path)
        return semantics is not None and name in semantics.library.own_members.get(_key(semantics, owner), ())

    def may_give(self, path: str, owners: AbstractSet[str], name: str) -> bool:
        """Return whether an implementation may give the member ``name`` to types from outside that are called so."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.members.by_interface or not owners:
            return False
        files = sorted(self._resolver.project.defining(name, path))
        return len(files) > _MOST_DECLARING or any(
            owner is None or owner in owners for file in files for owner in self._given(file, name)
        )

    def may_be_of_interface(self, path: str, name: str) -> bool:
        """Return whether an interface of the code base, or an implementation for other types, declares a function.

        Without an interface nothing gives a type from outside a member:
        https://doc.rust-lang.org/reference/items/implementations.html#inherent-implementations
        """
        if name not in self._of_interfaces:
            files = sorted(self._resolver.project.defining(name, path))
            self._of_interfaces[name] = len(files) > _MOST_DECLARING or any(
                self._is_of_interface(file, facts, one)
                for file in files
                for facts in (self._resolver.facts(file)[0],)
                if facts is not None
                for one in facts.named(name)
            )
        return self._of_interfaces[name]

    def _is_of_interface(self, path: str, facts: Facts, member: Binding) -> bool:
        """Return whether a function is one that an interface declares, or an implementation for no type of the tree."""
        kind = facts.scopes[member.scope].kind if member.scope > 0 else None
        if member.sort != Sort.Callable or kind is not ScopeKind.Class:
            return False
        around = facts.scopes[facts.scopes[member.scope].parent].kind
        owner = owner_of(member.path)
        if around is not ScopeKind.Implementation:
            return self._may_fit_outside(path, owner)
        return implementation(facts, member, owner) is not None and not self._is_own_type(path, facts, owner, member)

    def _may_fit_outside(self, path: str, interface: str) -> bool:
        """Return whether an interface of the code base may be implemented for a type from outside."""
        name = interface.rpartition(".")[2]
        if name not in self._fitting_outside:
            self._fitting_outside[name] = self._is_implemented_outside(path, name)
        return self._fitting_outside[name]

    def _is_implemented_outside(self, path: str, interface: str) -> bool:
        _, semantics = self._resolver.facts(path)
        implementing = semantics.members.implementing if semantics is not None else None
        files = self._resolver.project.spelling(interface) if interface and implementing is not None else ()
        if implementing is None or not 0 < len(files) <= _MOST_DECLARING:
            return True
        types = {one for file in files for one in implementing(self._resolver.project.text(file), interface)}
        return not all(one and self._names_own_types(path, one) for one in types)

    def _names_own_types(self, path: str, name: str) -> bool:
        """Return whether all that the code base declares under a name are types, and none is another name for one."""
        files = self._resolver.project.defining(name, path)
        declared = (
            one for file in files for facts in (self._resolver.facts(file)[0],) if facts for one in facts.named(name)
        )
        types = [one for one in declared if one.path and one.imported < 0]
        return bool(types) and all(one.sort == Sort.Type and not one.type for one in types)

    def _is_own_type(self, path: str, facts: Facts, owner: str, member: Binding) -> bool:
        """Return whether a type is one that the code base declares, and no other name for a type."""
        around = facts.scopes[facts.scopes[member.scope].parent].parent
        here = facts.all_at(owner)
        found = None if here else self._resolver.scopes.lookup(path, owner.rpartition(".")[2], around, Role.Type)
        there, _ = self._resolver.facts(found.path) if isinstance(found, SymbolRef) else (None, None)
        bound = there.all_at(found.name) if there is not None and isinstance(found, SymbolRef) else here
        return bool(bound) and all(one.sort == Sort.Type and not one.type for one in bound)

    def _given(self, path: str, name: str) -> Iterator[str | None]:
        """Yield the types for which a file implements a member; None for all that fit a type parameter."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return
        for one in facts.named(name):
            owner = owner_of(one.path)
            if not owner or implementation(facts, one, owner) is None:
                continue
            yield None if self._is_parameter(facts, one, owner) else owner.rpartition(".")[2]

    def _is_parameter(self, facts: Facts, member: Binding, owner: str) -> bool:
        return bool(facts.within(owner, facts.scopes[member.scope].parent))


def _key(semantics: Semantics, owner: str) -> str:
    return semantics.types.native_type(owner) or owner.rpartition(".")[2]
