"""Extensions without a receiver: a bare name means one of the object that a function or a type around belongs to.

Of several extensions of a name, that of the innermost object is meant, and a function that extends nothing only where
no object has an extension: https://kotlinlang.org/spec/overload-resolution.html#call-without-an-explicit-receiver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import LAMBDAS, METHODS, Facts, nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type


class BareExtensions:
    """Chooses between the extensions of a name where it stands without a receiver."""

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator

    def choose(
        self, path: str, facts: Facts, semantics: Semantics, name: str, scope: int, found: Resolution
    ) -> Resolution | None:
        """Return what a bare name means in a scope, given what a file sees under it; None where it is not known."""
        if not isinstance(found, SymbolRef) or not semantics.scopes.sees_outer_members:
            return found
        if len(found.all) == 1 or not any(map(self._is_extension, found.all)):
            return found
        plain = [one for one in found.all if not self._is_extension(one)]
        for types in self._receivers(path, facts, scope):
            if types is None:
                return None
            if members := list(dict.fromkeys(self._extensions(path, types, name, found.all))):
                return replace(members[0], reason=Reason.Scope, others=tuple(members[1:]))
        return replace(plain[0], others=tuple(plain[1:])) if plain else None

    def _is_extension(self, one: SymbolRef) -> bool:
        facts, _ = self._resolver.facts(one.path)
        return facts is not None and any(bound.amends for bound in facts.all_at(one.name))

    def _extensions(
        self, path: str, types: Sequence[Type], name: str, seen: Sequence[SymbolRef]
    ) -> Iterator[SymbolRef]:
        """Yield those extensions of some types that a file sees."""
        for type_ in types:
            members = self._evaluator.added_members.extension_members(path, type_, name)
            yield from (one for one in members if any(map(one.same, seen)))

    def _receivers(self, path: str, facts: Facts, scope: int) -> Iterator[Sequence[Type] | None]:
        """Yield the types of the objects whose members a scope sees bare, innermost first; None for unknown ones."""
        for around in facts.outwards(scope):
            kind = facts.scopes[around].kind
            lambda_ = SymbolRef(path, nameless(around), Reason.Receiver)
            if kind in LAMBDAS and facts.heritage_of(lambda_.name):
                bases = self._evaluator.inheritance.bases(Type(lambda_))
                yield [replace(one, is_instance=True) for one in bases] or None
            elif kind is ScopeKind.Class:
                yield [
                    Type(SymbolRef(path, facts.scopes[around].name or lambda_.name, Reason.Receiver), is_instance=True)
                ]
            elif kind in METHODS:
                own = self._evaluator.self_and_super.extended_objects(path, facts, around)
                yield [replace(one, is_instance=True) for one in own] if own is not None else None
