"""Members that are seen bare in what is defined outside of its type: a method of C++, a type in a type."""

from __future__ import annotations

from leadline_tools.languages.language import Semantics
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.receivers.receiver_members import ReceiverMembers
from leadline_tools.resolve.scopes.visible_bindings import is_visible


class OuterMembers:
    """Looks members up from outside of the type that declares them."""

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator, receiver_members: ReceiverMembers) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._receiver_members = receiver_members

    def lookup(
        self, path: str, semantics: Semantics, owner: str, scope: int, name: str, role: Role
    ) -> Resolution | None:
        """Return the member of the class around a function or a type that is defined outside of it, in a scope."""
        members = self._receiver_members.resolve(path, owner, scope, name)
        found = next(iter(members), None)
        hidden = isinstance(found, SymbolRef) and not self.is_seen_bare(found, semantics, role)
        found = self._injected_name(path, owner, scope, name) if found is None or hidden else found
        return None if isinstance(found, NonSymbol) else found

    def _injected_name(self, path: str, owner: str, scope: int, name: str) -> SymbolRef | None:
        """Return the base of a type that is called so, where the type is named in a scope of a file."""
        origins = (one.origin for one in self._evaluator.evaluate(path, owner, scope) if not one.is_instance)
        named = (self._evaluator.inheritance.injected_name(one, name) for one in origins if isinstance(one, SymbolRef))
        return next(filter(None, named), None)

    def is_seen_bare(self, member: SymbolRef, semantics: Semantics, role: Role) -> bool:
        """Return whether a bare name can mean a member: no constructor, nor a variable in the place of a type."""
        owner, _, name = member.name.rpartition(".")
        facts, _ = self._resolver.facts(member.path)
        if facts is None or owner.rpartition(".")[2] == name:
            return False
        return any(is_visible(binding, facts, semantics, role) for binding in facts.all_at(member.name))
