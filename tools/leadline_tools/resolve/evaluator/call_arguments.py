"""The arguments of calls, kept with the type of what is called: they tell what its type parameters stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Sort
from leadline_tools.languages.terms import VARIADIC, Op, Path, Step, Term, parsed
from leadline_tools.resolve.evaluator.call_signatures import CallSignatures
from leadline_tools.resolve.evaluator.inference import Inference, names_in_signature
from leadline_tools.resolve.evaluator.type_parameters import TypeParameters
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import ExternalType, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.type import FUNCTION_TYPE, Type, Types

GIVEN_ARGUMENTS, EXPECTED_RESULT = ExternalType("given"), ExternalType("wanted")
"""What a function is called with, and what its call has to give, among its type arguments."""

_DEEPEST_BASE = 8
"""Bases over bases whose constructors are looked for."""


class CallArguments:
    """Adds to functions and types what they are called with."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: Evaluator,
        definitions: Definitions,
        declarations: Declarations,
        inference: Inference,
        overloads: CallSignatures,
        type_parameters: TypeParameters,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._declarations = declarations
        self._inference = inference
        self._overloads = overloads
        self._type_parameters = type_parameters

    def with_arguments(self, context: Context, type_: Type, step: Step) -> Type:
        """Return a function with what it is called with, a type with what that tells of its type parameters."""
        if type_.is_instance or not isinstance(type_.origin, SymbolRef):
            return type_
        facts, _ = self._resolver.facts(type_.origin.path)
        names, bindings = self._type_parameters.names(type_.origin), self._definitions.bindings(type_.origin)
        sorts = {binding.sort for binding in bindings}
        if names and Sort.Type in sorts and Sort.Callable not in sorts:  # a function may be called like a type
            found = self._constructor_substitution(type_.origin, self._argument_types(context, step), _DEEPEST_BASE)
            return replace(type_, arguments=tuple(found.get(name, ()) for name in names)) if found else type_
        if facts is None:
            return type_
        path, type_parameters = type_.origin.path, self._inference.type_parameters
        if not self._overloads.are_several(type_.origin, bindings) and not any(
            type_parameters(path, facts, one, in_signature=True) for one in bindings
        ):
            return type_
        given = self._argument_types(context, step)
        call = [Type(GIVEN_ARGUMENTS, arguments=given)]
        if expected := self._expected_types(context, step):
            call.append(Type(EXPECTED_RESULT, arguments=(expected,)))
        return replace(type_, arguments=(*type_.arguments, tuple(call)))

    def _constructor_substitution(
        self, of: SymbolRef, given: Sequence[Sequence[Type]], deepest: int
    ) -> Mapping[str, Types]:
        """Return what the type parameters of a type stand for where an object is made with what is ``given``.

        A type that has no constructor of its own has that of the base which has one.
        """
        facts, _ = self._resolver.facts(of.path)
        names, made = self._type_parameters.names(of), list(self._definitions.constructors(of))
        if facts is None or not names or not deepest:
            return {}
        if any(one.takes or one.sort == Sort.Callable for one in made):
            taking = [one for one in made if not names_in_signature(one).isdisjoint(names)]
            return dict(self._inference.solve(of.path, facts, taking[0], given, names=names)) if taking else {}
        for path, heritage in self._declarations.heritage(of):
            for base in (one for term in heritage.bases for one in parsed(term)):
                found = self._base_substitution(path, heritage.scope, base, given, deepest)
                if found:
                    return {name: types for name, types in found.items() if name in names}
        return {}

    def _base_substitution(
        self, path: str, scope: int, base: Path, given: Sequence[Sequence[Type]], deepest: int
    ) -> Mapping[str, Types]:
        """Return what names stand for that a type gives a base as arguments, by what an object of that is made with."""
        arguments = [argument for step in base.steps if step.op is Op.Arguments for argument in step.arguments]
        if not arguments:
            return {}
        for one in self._evaluator.evaluate_term(path, (replace(base, steps=()),), scope, None, typed=False):
            if isinstance(one.origin, SymbolRef):
                bound = self._constructor_substitution(one.origin, given, deepest - 1)
                paired = zip(arguments, self._type_parameters.names(one.origin), strict=False)
                return {a.head: bound[name] for term, name in paired for a in term if not a.steps and name in bound}
        return {}

    def _argument_types(self, context: Context, step: Step) -> tuple[Types, ...]:
        """Return what something is called with."""
        evaluate, (path, scope, access, _) = self._evaluator.evaluate_term, context
        given = (one for one in step.arguments if not _is_expected(one))
        return tuple(evaluate(path, one, scope, access, typed=True) for one in given)

    def _expected_types(self, context: Context, step: Step) -> Types:
        """Return what a call has to give, as the place of the call says it."""
        evaluate, (path, scope, access, _) = self._evaluator.evaluate_term, context
        expected = (one for first in step.arguments[:1] if _is_expected(first) for one in first[0].steps[0].arguments)
        return tuple(type_ for one in expected for type_ in evaluate(path, one, scope, access, typed=True))

    def library_function(self, context: Context, signature: str, step: Step) -> Type:
        """Return a function from outside, whose type is known, that is called with something."""
        given = self._inference.library_results(context.path, parsed(signature), self._argument_types(context, step))
        return Type(FUNCTION_TYPE, is_instance=True, arguments=(tuple(given),))


def given_arguments(function: Type) -> Sequence[Sequence[Type]]:
    """Return what a function is called with."""
    given = (one.arguments for held in function.arguments[-1:] for one in held if one.origin == GIVEN_ARGUMENTS)
    return next(given, ())


def _is_expected(argument: Term) -> bool:
    """Return whether what stands among the arguments of a call is what the call has to give."""
    return len(argument) == 1 and argument[0].head == VARIADIC and bool(argument[0].steps)
