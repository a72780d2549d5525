"""Extensions without a receiver: a bare name means one of the object that a function or a type around belongs to.

Of several extensions of a name, that of the innermost object is meant, and a function that extends nothing only where
no object has an extension: https://kotlinlang.org/spec/overload-resolution.html#call-without-an-explicit-receiver.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import LAMBDAS, METHODS, Facts, nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import Op, Path, parsed
from leadline_tools.model import Reason
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.lookup.package_extensions import with_extensions_of_package
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Resolution, SymbolRef
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
        seen = with_extensions_of_package(self._resolver, self._evaluator, path, name, found)
        if len(seen) == 1 or not any(map(self._is_extension, seen)):
            return found
        plain = [one for one in seen if not self._is_extension(one)]
        of_code_base = all(map(self._extends_code_base, (one for one in seen if one not in plain)))
        for types in self._receivers(path, facts, scope, of_code_base=of_code_base):
            if types is None:
                return None
            if members := list(dict.fromkeys(self._extensions(path, types, name, seen))):
                return replace(members[0], reason=Reason.Scope, others=tuple(members[1:]))
        return replace(plain[0], others=tuple(plain[1:])) if plain else None

    def _is_extension(self, one: SymbolRef) -> bool:
        facts, _ = self._resolver.facts(one.path)
        return facts is not None and any(bound.amends for bound in facts.all_at(one.name))

    def _extends_code_base(self, one: SymbolRef) -> bool:
        """Return whether an extension adds a member to a type of the code base alone."""
        facts, _ = self._resolver.facts(one.path)
        for bound in facts.all_at(one.name) if facts is not None else ():
            types = self._evaluator.evaluate_type(one.path, bound.amends, bound.spelled, None)
            if not types or not all(isinstance(type_.origin, SymbolRef) for type_ in types):
                return False
        return True

    def _extensions(
        self, path: str, types: Sequence[Type], name: str, seen: Sequence[SymbolRef]
    ) -> Iterator[SymbolRef]:
        """Yield those extensions of some types that a file sees."""
        for type_ in types:
            members = self._evaluator.added_members.extension_members(path, type_, name)
            yield from (one for one in members if any(map(one.same, seen)))

    def _receivers(self, path: str, facts: Facts, scope: int, *, of_code_base: bool) -> Iterator[Sequence[Type] | None]:
        """Yield the types of the objects whose members a scope sees bare, innermost first; None for unknown ones.

        With ``of_code_base`` only those matter that the code base declares: no lambda of the standard library has one,
        but of its scope functions, which are known.
        """
        for around in facts.outwards(scope):
            kind = facts.scopes[around].kind
            lambda_ = SymbolRef(path, nameless(around), Reason.Receiver)
            if kind in LAMBDAS and facts.heritage_of(lambda_.name):
                bases = self._evaluator.inheritance.bases(Type(lambda_))
                outside = of_code_base and not bases and self._is_of_library(path, facts, lambda_)
                yield [replace(one, is_instance=True) for one in bases] or (() if outside else None)
            elif kind is ScopeKind.Class:
                yield [
                    Type(SymbolRef(path, facts.scopes[around].name or lambda_.name, Reason.Receiver), is_instance=True)
                ]
            elif kind in METHODS:
                own = self._evaluator.self_and_super.extended_objects(path, facts, around)
                yield [replace(one, is_instance=True) for one in own] if own is not None else None

    def _is_of_library(self, path: str, facts: Facts, lambda_: SymbolRef) -> bool:
        """Return whether a lambda is given to a function of the standard library, which needs no import."""
        if any(self._resolver.imports.follow(path, one) in (None, EXTERNAL) for _, one in facts.wildcards):
            return False
        terms = [one for heritage in facts.heritage_of(lambda_.name) for base in heritage.bases for one in parsed(base)]
        _, semantics = self._resolver.facts(path)
        members = semantics.library.collections if semantics is not None else {}
        names = [_called_name(one, members) for one in terms]
        declared = (bool(facts.named(name)) or bool(self._resolver.project.defining(name, path)) for name in names)
        return bool(names) and all(names) and not any(declared)


def _called_name(term: Path, members: Container[str]) -> str:
    """Return the name of the function that a term calls; empty for a member that is none of some."""
    called = [step.name for step in term.steps if step.op is Op.Member]
    return (called[-1] if called[-1] in members else "") if called else place_of(term.head).name
