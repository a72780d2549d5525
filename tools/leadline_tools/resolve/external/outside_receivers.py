"""Receivers from outside: objects that something from outside has made, or that inherit from a type from outside.

A member that no type of such an object is known to have is one from outside: nothing of the code base gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Sort
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.terms import BARE, UNKNOWN, Op, Path, Step, parsed
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, Resolution, SymbolRef
from leadline_tools.resolve.resolver import Resolver
from leadline_tools.resolve.types.type import Type, is_record

_DEEPEST = 4
"""Names given the values of other names that are followed to where an object is made."""


class OutsideReceivers:
    """Decides of receivers whether they are from outside, for the members of one type."""

    def __init__(self, resolver: Resolver, owner: SymbolRef) -> None:
        self._resolver = resolver
        self._owner = owner

    def is_from_outside(self, path: str, term: str, scope: int) -> bool:
        """Return whether all that a term stands for is from outside, so that no member of the type is meant."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or semantics.library.external_members is None or term in (BARE, UNKNOWN):
            return False
        either = parsed(term.removesuffix("|"))
        return bool(either) and all(self._begins_outside(path, one, scope, _DEEPEST) for one in either)

    def _begins_outside(self, path: str, one: Path, scope: int, deepest: int) -> bool:
        """Return whether a term begins with something from outside that has what is taken of it."""
        evaluator = self._resolver.evaluator
        if any(self._may_give_back(path, step, scope) for step in one.steps):
            return False
        for number in range(len(one.steps), -1, -1):
            found = evaluator.evaluate_path(path, Path(one.head, one.steps[:number]), scope)
            types = [type_ for type_ in evaluator.resolve_aliases(found) if not isinstance(type_.origin, LocalName)]
            if types and number < len(one.steps) and all(map(self._is_function, types)):
                return deepest > 0 and all(self._gives_outside(type_.origin, deepest - 1) for type_ in types)
            if types:
                return all(self._may_have_any_member(type_) for type_ in types)
        name, within, lines = place_of(one.head)
        meaning = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        if deepest <= 0 or not isinstance(meaning, LocalName):
            return False
        return self._is_given_outside(meaning, lines, deepest - 1)

    def _may_give_back(self, path: str, step: Step, scope: int) -> bool:
        """Return whether what is called may give an object of the owner: it holds what it is given, or is given a type.

        So do ``copy(task)`` and ``session.query(Task)``.
        """
        if step.op is Op.Arguments:
            return True
        evaluator = self._resolver.evaluator
        given = (one for term in step.arguments for one in term) if step.op is Op.Given else ()
        types = [type_ for one in given for type_ in evaluator.evaluate_path(path, _without_itself(one), scope)]
        return any(self._is_function(one) or self._is_related(one) for one in types)

    def _is_given_outside(self, variable: LocalName, lines: frozenset[int], deepest: int) -> bool:
        """Return whether each value that a variable is given begins with something from outside."""
        facts, _ = self._resolver.facts(variable.path)
        bound = (
            [one for one in facts.within(variable.name, variable.scope) if not one.path] if facts is not None else []
        )
        bound = [one for one in bound if one.line in lines] or bound
        plain = all(one.sort == Sort.Value and one.made and not one.type and one.imported < 0 for one in bound)
        terms = [(one, term) for one in bound for term in parsed(one.made)] if plain else []
        others = [
            (one, term) for one, term in terms if place_of(term.head).name != variable.name
        ]  # `query = query.a()`
        return bool(others) and all(
            self._begins_outside(variable.path, term, one.spelled, deepest) for one, term in others
        )

    def _gives_outside(self, function: Resolution, deepest: int) -> bool:
        """Return whether each value that a function of the code base returns begins with something from outside."""
        bound = self._resolver.evaluator.definitions.bindings(function)
        path = function.path if isinstance(function, SymbolRef) else ""
        return bool(bound) and all(
            one.made
            and not one.type
            and all(self._begins_outside(path, term, one.spelled, deepest) for term in parsed(one.made))
            for one in bound
        )

    def _may_have_any_member(self, type_: Type) -> bool:
        """Return whether a type is from outside, or inherits from one, and has nothing to do with the owner."""
        if isinstance(type_.origin, ExternalType):
            return not is_record(type_)
        if not isinstance(type_.origin, SymbolRef) or self._is_related(type_):
            return False
        return self._has_open_base([one.origin for one in self._resolver.evaluator.inheritance.mro(type_)])

    def _has_open_base(self, above: Sequence[object]) -> bool:
        """Return whether one of the types that another inherits from is from outside, and may have any member."""
        return any(self._names_open_base(one) for one in above if isinstance(one, SymbolRef))

    def _names_open_base(self, of: SymbolRef) -> bool:
        facts, semantics = self._resolver.facts(of.path)
        known = semantics.library.external_members if semantics is not None else None
        for heritage in facts.heritage_of(of.name) if facts is not None else ():
            for base in heritage.bases:
                types = self._resolver.evaluator.evaluate(of.path, base, heritage.scope)
                inside = any(isinstance(one.origin, SymbolRef) for one in types)
                if not inside and (known is None or known(base) is None):
                    return True
        return False

    def _is_function(self, type_: Type) -> bool:
        sorts = {binding.sort for binding in self._resolver.evaluator.definitions.bindings(type_.origin)}
        return not type_.is_instance and Sort.Callable in sorts

    def _is_related(self, type_: Type) -> bool:
        """Return whether a type inherits from the owner, or the owner from it."""
        mro = self._resolver.evaluator.inheritance.mro
        own, other = [one.origin for one in mro(Type(self._owner))], [one.origin for one in mro(type_)]
        return any(self._owner.same(one) for one in other) or any(
            isinstance(one, SymbolRef) and one.same(type_.origin) for one in own
        )


def _without_itself(term: Path) -> Path:
    """Return an argument without the step that says that it is given as it is."""
    return replace(term, steps=term.steps[:-1]) if term.steps and term.steps[-1].op is Op.Itself else term
