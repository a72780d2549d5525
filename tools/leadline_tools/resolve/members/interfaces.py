"""Interfaces and what implements them, where a call names the member of the interface: traits of Rust.

By https://doc.rust-lang.org/reference/expressions/method-call-expr.html a call means a method of the type itself, else
one of a trait that is in scope; which implementation runs is another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.languages.facts import Binding, Facts, Heritage
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.evaluation import Evaluator


class Interfaces:
    """Looks up the members of interfaces that members implement, and keeps them while the project stays as it is."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, declarations: Declarations) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._declarations = declarations
        self._implemented: dict[tuple[str, str], tuple[SymbolRef, ...]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._implemented.clear()

    def resolve_call(self, resolutions: Sequence[Resolution], path: str, scope: int) -> Sequence[Resolution]:
        """Return what a call of members may mean in a scope of a file: members of interfaces before implementations."""
        found: dict[tuple[str, str] | Resolution, Resolution] = {}
        for resolution in resolutions:
            named = self._implemented_members(resolution) if isinstance(resolution, SymbolRef) else ()
            if len(named) > 1:
                named = tuple(one for one in named if self._is_in_scope(one, path, scope)) or named
            for one in (*named, resolution):
                found.setdefault((one.path, one.name) if isinstance(one, SymbolRef) else one, one)
        return list(found.values())

    def select_executed(self, called: Sequence[SymbolRef]) -> Sequence[SymbolRef]:
        """Return the members that run where a call means several: implementations, not members of interfaces."""
        if len(called) < 2:
            return called
        named = [one for member in called for one in self._implemented_members(member)]
        return [member for member in called if not any(one.same(member) for one in named)]

    def implements(self, member: SymbolRef) -> bool:
        """Return whether a type has a member for interfaces alone, which may be from outside."""
        facts, semantics = self._resolver.facts(member.path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return False
        owner = member.name.rpartition(".")[0]
        bindings = facts.all_at(member.name)
        return bool(owner and bindings) and all(implementation(facts, one, owner) is not None for one in bindings)

    def _implemented_members(self, member: SymbolRef) -> tuple[SymbolRef, ...]:
        """Return the members of interfaces that a member implements; none for one that its type has by itself."""
        key = member.path, member.name
        if key not in self._implemented:
            self._implemented[key] = ()
            self._implemented[key] = self._find_implemented(member)
        return self._implemented[key]

    def _find_implemented(self, member: SymbolRef) -> tuple[SymbolRef, ...]:
        facts, semantics = self._resolver.facts(member.path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return ()
        owner, _, name = member.name.rpartition(".")
        found: dict[tuple[str, str], SymbolRef] = {}
        for binding in facts.all_at(member.name):
            heritage = implementation(facts, binding, owner)
            if heritage is None:
                return ()
            for interface in self._interfaces(member.path, heritage):
                own = self._declarations.own_member(interface, name)
                if own is not None and own.name != member.name:
                    found[own.path, own.name] = own
        return tuple(found.values())

    def _interfaces(self, path: str, heritage: Heritage) -> Iterator[SymbolRef]:
        for type_ in self._evaluator.evaluate_type(path, heritage.bases[0], heritage.scope, None):
            if isinstance(type_.origin, SymbolRef):
                yield type_.origin

    def _is_in_scope(self, member: SymbolRef, path: str, scope: int) -> bool:
        """Return whether a method of an interface can be called: it is imported, or it is what is around."""
        facts, _ = self._resolver.facts(path)
        name = member.name.rpartition(".")[0]
        interface = SymbolRef(member.path, name, Reason.Scope)
        found = self._resolver.scopes.lookup(path, name.rpartition(".")[2], scope, Role.Type)
        if facts is None or (isinstance(found, SymbolRef) and interface.same(found)):
            return facts is not None
        while scope > 0:
            kind, parent, around = facts.scopes[scope]
            if kind is ScopeKind.Class:
                here = (one for one in facts.heritage_of(around) if one.scope == parent and one.bases)
                if any(interface.same(of) for one in here for of in self._interfaces(path, one)):
                    return True
            scope = parent
        return False


def implementation(facts: Facts, member: Binding, owner: str) -> Heritage | None:
    """Return the heritage of the implementation of an interface in which a type declares a member, if it is one."""
    around = facts.scopes[member.scope].parent if member.scope > 0 else 0
    if facts.scopes[around].kind is not ScopeKind.Implementation:
        return None
    return next((one for one in facts.heritage_of(owner) if one.scope == around and one.bases), None)
