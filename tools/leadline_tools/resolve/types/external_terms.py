"""Terms that begin with what the code base does not define: types of the language, of libraries, of other packages."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.language import Semantics
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.terms import (
    COLLECTION,
    FUNCTION,
    POINTERS,
    PREDICATE,
    PRIMITIVE,
    RECEIVER,
    TAGS,
    TOP,
    TUPLE,
    UNKNOWN,
    VARIADIC,
    Op,
    Step,
    parsed,
)
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType
from leadline_tools.resolve.types.evaluation import Context

_NARROWING = frozenset({Op.Member, Op.Where, Op.Without, Op.Tested, Op.Joined, Op.Assigned})
"""Steps behind which something is from outside if it was before."""

BUILT_IN = frozenset({COLLECTION, TUPLE, FUNCTION, PREDICATE, PRIMITIVE, RECEIVER, VARIADIC, *POINTERS})
"""The names of types that no declaration names."""


class ExternalTerms:
    """Decides whether terms and types come from outside of the code base."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def is_external(self, path: str, term: str, scope: int, member: str = "") -> bool:
        """Return whether a term begins with a name that nothing in the code base has, where every name is declared.

        With ``member`` whether the namespace outside of all others, if it is that, has no such name.
        """
        _, semantics = self._resolver.facts(path)
        heads = [place_of(one.head).name for one in parsed(term) if all(step.op in _NARROWING for step in one.steps)]
        if semantics is None or not (semantics.visibility.is_closed or semantics.macros.may_declare):
            return False
        if not {UNKNOWN, TAGS}.isdisjoint(heads):
            return False
        if heads == [TOP]:  # the namespace is known, and has no such name
            return semantics.visibility.is_closed and not self._resolver.globals.may_be_given(path, semantics, member)
        if not {*semantics.scopes.this, *semantics.scopes.own, *semantics.scopes.above}.isdisjoint(heads):
            return False
        return bool(heads) and all(self._is_declared_nowhere(path, head, scope) for head in heads)

    def _is_declared_nowhere(self, path: str, name: str, scope: int) -> bool:
        """Return whether nothing in the code base declares what a name means in a scope."""
        if self._resolver.scopes.lookup(path, name, scope):
            return False
        if self._resolver.external_names.is_external_type(path, name, scope):
            return True
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.visibility.is_closed or self._resolver.project.defining(name, path):
            return False
        spaced = semantics.members.extensions_by_namespace
        return not (spaced and self._resolver.components.is_part_of_namespace(name))

    def is_builtin(self, path: str, term: str, scope: int) -> bool:
        """Return whether a term is a value of a type of the language itself, or what calls of its methods give."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.library.plain_types:
            return False
        either = parsed(term)
        return bool(either) and all(
            one.head in semantics.library.plain_types
            and bool(one.steps)
            and one.steps[0].op is Op.Call  # with what is given it may give an object of a subtype
            and all(step.op is (Op.Member if number % 2 else Op.Call) for number, step in enumerate(_calls(one.steps)))
            and self._resolver.scopes.lookup(path, one.head, scope) == EXTERNAL
            for one in either
        )

    def is_standard_path(self, path: str, term: str, scope: int) -> bool:
        """Return whether a term is the path of a type or a module of the standard library, which no name hides."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.library.is_standard_path(term):
            return False
        found = self._resolver.scopes.lookup(path, term.partition(".")[0], scope, Role.Type)
        return found is None or isinstance(found, ExternalType)

    def library_signature(self, context: Context, name: str) -> str:
        """Return the type of a function that a file has from outside, where the rules of its language know it."""
        facts, semantics = self._resolver.facts(context.path)
        head, _, member = name.partition(".")
        if facts is None or semantics is None or not semantics.library.functions:
            return ""
        modules = {facts.imports[one.imported].module for one in facts.named(head) if one.imported >= 0}
        return semantics.library.functions.get(f"{modules.pop()}.{member}", "") if len(modules) == 1 else ""

    def is_standard(self, path: str, semantics: Semantics, head: str, name: str) -> bool:
        """Return whether a type is one that the rules of a language know, and not of another package by its import."""
        facts, _ = self._resolver.facts(path)
        if facts is None or not is_known_type(semantics, name):
            return False
        imports = (facts.imports[binding.imported] for binding in facts.named(head) if binding.imported >= 0)
        return all(one.module.startswith(semantics.library.standard) for one in imports)

    def is_guard(self, path: str, semantics: Semantics, head: str, name: str) -> bool:
        """Return whether a type is one that the rules of a language know as a guard, by its import or its path."""
        packages = semantics.types.guards.get(name, ())
        facts, _ = self._resolver.facts(path) if packages else (None, None)
        bound = [one for one in facts.named(head) if one.imported >= 0] if facts is not None else []
        modules = [facts.imports[one.imported].module for one in bound] if facts is not None and bound else [head]
        return all(module.partition(".")[0] in packages for module in modules)


def is_known_type(semantics: Semantics, name: str) -> bool:
    """Return whether the rules of a language know a type from outside: what it gives, or what it is as a function."""
    return any(
        name in names
        for names in (semantics.library.holders, semantics.library.callables, semantics.types.pair_types, BUILT_IN)
    )


def _calls(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps of a term without what its calls are given."""
    return [step for step in steps if step.op is not Op.Given]
