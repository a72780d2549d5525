"""The types of ``self``, ``this`` and ``super``: the object that a method belongs to, or its class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import METHODS, Facts, belongs_to_type, class_around, nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import owner_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import ExternalType, Module, Resolution, SymbolRef
from leadline_tools.resolve.types.evaluation import Context, Evaluator, lookup_types
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import MemberAccess, Type


class SelfAndSuperTypes:
    """Evaluates the names by which a method calls its own object, its class or what that inherits."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, inheritance: Inheritance) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._inheritance = inheritance

    def evaluate(self, context: Context, facts: Facts, semantics: Semantics, name: str) -> Sequence[Type]:
        """Return what one of the names by which a method calls its own object stands for, or its class."""
        bare = name in semantics.scopes.this and context.access is None
        if bare and any(b.type and not b.path for b in facts.named(name)):  # a function may say it
            declared = lookup_types(self._resolver, context.path, name, context.scope, Role.Read)
            if resolved := self._evaluator.resolve_aliases(declared):
                return resolved
        if semantics.members.extends_named_types and (
            context.access is None or isinstance(context.access.receiver.origin, Module)
        ):
            extended = self._extended_types(context.path, facts, semantics, context.scope)
            if extended:
                return [replace(one, is_instance=name not in semantics.scopes.own) for one in extended]
        received = (
            self._received_object(context.path, facts, context.scope) if bare and semantics.types.received else None
        )
        own = received or self._own_object(context.path, facts, semantics, context.scope, context.access)
        if own is None:
            return ()
        enclosing: Type | None = None
        if name in semantics.scopes.above:
            enclosing = self._own_object(context.path, facts, semantics, context.scope, None)
        super_of = enclosing.origin if enclosing is not None else None
        of_type: bool | None = name in semantics.scopes.own
        if not of_type and semantics.members.statics_apart:
            of_type = belongs_to_type(facts.scopes, context.scope)
        either = of_type is None and semantics.scopes.body_has_type  # the body of a type, or a block in it
        sides = (True, False) if either else (not of_type,)
        return [replace(own, is_instance=side, super_of=super_of) for side in sides]

    def _extended_types(self, path: str, facts: Facts, semantics: Semantics, scope: int) -> Sequence[Type]:
        """Return the types of a member that is declared apart from its type; nothing where that says no more of them.

        What is declared for a type parameter has what that is bound by, and what is implemented for it there.
        """
        inner = _enclosing(facts, scope, ScopeKind.Class)
        around, outer = facts.scopes[inner].name, facts.scopes[inner].parent
        if outer < 0 or facts.scopes[outer].kind is not ScopeKind.Implementation:
            return ()
        here = [one for one in facts.heritage_of(around) if one.scope == outer]
        if facts.within(around, outer):
            bases = (base for one in here for base in one.bases)
            return [
                type_ for term in (around, *bases) for type_ in self._evaluator.evaluate_type(path, term, outer, None)
            ]
        arguments = tuple(
            self._evaluator.evaluate_type(path, name, outer, None) for one in here[:1] for name in one.generics
        )
        native = semantics.types.native_type(around)
        if native:
            return (Type(ExternalType(native), arguments=arguments),)
        of = self._evaluator.find_definition(path, around) if any(arguments) else None
        return (Type(of, arguments=arguments),) if of is not None else ()

    def access_of_bare_name(self, path: str, facts: Facts, scope: int, member: Resolution) -> MemberAccess | None:
        """Return where a member comes from that a name alone means; None where no type arguments depend on it."""
        if not isinstance(member, SymbolRef):
            return None
        owner = (member.path, owner_of(member.name))
        for own in self._enclosing_objects(path, facts, scope) if owner[1] else ():
            for one in self._inheritance.mro(own):
                if isinstance(one.origin, SymbolRef) and (one.origin.path, one.origin.name) == owner:
                    return MemberAccess(own, one) if one.arguments else None
        return None

    def _enclosing_objects(self, path: str, facts: Facts, scope: int) -> Iterator[Type]:
        """Yield the objects whose members are seen bare in a scope, of the innermost class first."""
        _, semantics = self._resolver.facts(path)
        inner = scope
        while scope > 0:
            if facts.scopes[scope].kind is ScopeKind.Class:
                yield Type(SymbolRef(path, facts.scopes[scope].name or nameless(scope), Reason.Receiver))
            scope = facts.scopes[scope].parent
        if semantics is not None and semantics.visibility.links_definitions:
            own = self._own_object(path, facts, semantics, inner, None)
            if own is not None:  # of a method that is defined outside of its class
                yield own

    def _own_object(
        self, path: str, facts: Facts, semantics: Semantics, scope: int, access: MemberAccess | None
    ) -> Type | None:
        """Return the object that a method belongs to: as what it was taken from, else as its class says."""
        if access is not None and not isinstance(access.receiver.origin, Module):
            return replace(access.receiver, super_of=None)
        of_extension = self._extended_object(path, facts, semantics, scope)
        if of_extension is not None:
            return of_extension
        around = class_around(facts.scopes, scope, facts.outside, facts.makers)
        if around:
            extended = self._evaluator.find_definition(path, around) if semantics.members.extends_named_types else None
            aliased = self._evaluator.aliased_types(extended) if extended is not None else ()
            return aliased[0] if aliased else Type(extended or SymbolRef(path, around, Reason.Receiver))
        if semantics.types.anonymous and (unnamed := _enclosing(facts, scope, ScopeKind.Class)) > 0:
            return Type(SymbolRef(path, nameless(unnamed), Reason.Receiver))
        if not semantics.visibility.has_open_namespaces:
            return None
        _, parent, name = facts.scopes[_enclosing(facts, scope, *METHODS)]
        owner = name.rpartition(".")[0]
        outside = self._evaluator.evaluate(path, owner, parent) if owner and parent >= 0 else ()
        return outside[0] if outside else None

    def _received_object(self, path: str, facts: Facts, scope: int) -> Type | None:
        """Return the object whose members the innermost function around sees bare, if its type has such an object."""
        while scope > 0 and facts.scopes[scope].kind not in (*METHODS, ScopeKind.Class):
            lambda_ = SymbolRef(path, nameless(scope), Reason.Receiver)
            if facts.heritage_of(lambda_.name) and self._inheritance.is_decided(lambda_):
                bases = self._inheritance.bases(Type(lambda_))
                if bases:
                    return bases[0]
            scope = facts.scopes[scope].parent
        return None

    def extended_type(self, path: str, scope: int) -> SymbolRef | None:
        """Return the type of the code base to which the function of a scope adds a member from outside."""
        facts, semantics = self._resolver.facts(path)
        own = (
            self._extended_object(path, facts, semantics, scope)
            if facts is not None and semantics is not None
            else None
        )
        return own.origin if own is not None and isinstance(own.origin, SymbolRef) else None

    def _extended_object(self, path: str, facts: Facts, semantics: Semantics, scope: int) -> Type | None:
        """Return the object that a function around belongs to which adds a member to its type from outside."""
        if not semantics.scopes.sees_outer_members:
            return None
        of = self.extended_objects(path, facts, _enclosing(facts, scope, *METHODS))
        return replace(of[0], is_instance=False) if of else None

    def extended_objects(self, path: str, facts: Facts, scope: int) -> Sequence[Type] | None:
        """Return the objects that the function of a scope may be a member of from outside; None for unknown ones."""
        function = facts.scopes[scope].name
        named = facts.all_at(function) if function else ()
        binding = next((one for one in named if one.spelled == scope), facts.at(function) if function else None)
        if binding is None or not binding.amends:
            return ()
        return self._evaluator.evaluate_type(path, binding.amends, binding.spelled, None) or None


def _enclosing(facts: Facts, scope: int, *kinds: ScopeKind) -> int:
    """Return the nearest scope of some kinds, 0 for none."""
    while scope > 0 and facts.scopes[scope].kind not in kinds:
        scope = facts.scopes[scope].parent
    return scope
