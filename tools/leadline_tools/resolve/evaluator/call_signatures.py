"""Overloads of functions: which signatures of one a call may mean, by what it is given.

Where a function has several signatures, the one that stands at its body is not among those that a call can mean:
https://www.typescriptlang.org/docs/handbook/2/functions.html#overload-signatures-and-the-implementation-signature.
Of the others those are left out that surely do not take what the call gives: an object that is no function for what is
only called, a function for an object that has members and cannot be called.
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Sort
from leadline_tools.languages.terms import COLLECTION, FUNCTION, PRIMITIVE, TUPLE, is_record
from leadline_tools.resolve.project.resolution import ExternalType, Resolution, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type

_UNCALLED = frozenset({COLLECTION, PRIMITIVE, TUPLE})
"""Types from outside whose objects nothing calls."""

_OF_FUNCTIONS = frozenset("apply arguments bind call caller length name prototype toString".split())
"""The members of functions: https://tc39.es/ecma262/#sec-properties-of-the-function-prototype-object."""


class CallSignatures:
    """Tells which overloads of a function a call may mean."""

    def __init__(self, evaluator: Evaluator, definitions: Definitions, inheritance: Inheritance) -> None:
        self._evaluator = evaluator
        self._definitions = definitions
        self._inheritance = inheritance
        self._uncalled: dict[SymbolRef, bool] = {}

    def are_several(self, of: Resolution, overloads: Sequence[Binding]) -> bool:
        """Return whether a function has overloads of which a call means those that take what it gives."""
        semantics = semantics_of(of.path) if len(overloads) > 1 and isinstance(of, SymbolRef) else None
        return semantics is not None and semantics.types.narrows_bounds

    def fitting(
        self, function: Type, overloads: Sequence[Binding], given: Sequence[Sequence[Type]]
    ) -> Sequence[Binding]:
        """Return those of the overloads of a function that a call may mean which gives it something."""
        semantics = semantics_of(function.origin.path) if isinstance(function.origin, SymbolRef) else None
        if len(overloads) < 2 or semantics is None or not semantics.types.narrows_bounds:
            return overloads
        signatures = [one for one in overloads if one.type and not one.made] or overloads
        taking = [one for one in signatures if not self._excludes(function, one, given)]
        return taking or signatures

    def _excludes(self, function: Type, overload: Binding, given: Sequence[Sequence[Type]]) -> bool:
        """Return whether an overload surely does not take one of the things that a call gives."""
        return any(
            bool(kinds)
            and self._excludes_kinds(self._evaluator.overload_parameter_types(function, overload, number), kinds)
            for number, kinds in enumerate(map(self._kinds, given))
        )

    def _excludes_kinds(self, parameter: Sequence[Type], kinds: frozenset[bool]) -> bool:
        """Return whether an argument can be called and its parameter is nothing to call, or the other way round."""
        accepted = self._kinds(parameter)
        return bool(accepted) and accepted.isdisjoint(kinds)

    def _kinds(self, types: Sequence[Type]) -> frozenset[bool]:
        """Return whether some values can be called and whether some cannot; nothing where that is not known of one."""
        kinds = [self._is_called(one) for one in types]
        return frozenset(one for one in kinds if one is not None) if None not in kinds else frozenset()

    def _is_called(self, type_: Type) -> bool | None:
        """Return whether a value can be called; None where that is not known."""
        of = type_.origin
        if isinstance(of, ExternalType) and type_.is_instance:
            return True if of.name == FUNCTION else False if is_record(of.name) or of.name in _UNCALLED else None
        if not isinstance(of, SymbolRef):
            return None
        if not type_.is_instance:
            return any(one.sort == Sort.Callable for one in self._definitions.bindings(of)) or None
        if of not in self._uncalled:
            self._uncalled[of] = self._is_uncalled(of)
        return False if self._uncalled[of] else None

    def _is_uncalled(self, of: SymbolRef) -> bool:
        """Return whether a type surely says nothing of calls, and has members of which a function has none."""
        names = self._inheritance.member_names(of) if self._inheritance.knows_bases(of) else ()
        if not names or not _OF_FUNCTIONS.isdisjoint(names):
            return False
        return all(isinstance(one.origin, SymbolRef) for one in self._inheritance.mro(Type(of, is_instance=True)))
