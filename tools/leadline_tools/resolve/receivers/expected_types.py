"""The type that a call expects of an object literal among its arguments.

Where the parameter is of the type of a type parameter, the literal gives that its type: a key of the literal then
declares a member of its own. https://www.typescriptlang.org/docs/handbook/2/generics.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding
from leadline_tools.languages.terms import GIVEN, VARIADIC, Op, Path, Step, parsed, type_names
from leadline_tools.resolve.project.resolution import Module, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.type import FREE, MemberAccess, Type


class ExpectedTypes:
    """Evaluates the types that calls expect of literals, from what the other arguments say of type parameters."""

    def __init__(self, evaluator: Evaluator, definitions: Definitions) -> None:
        self._evaluator = evaluator
        self._definitions = definitions

    def evaluate(self, path: str, term: str, scope: int) -> Sequence[Type]:
        """Return what is expected of an argument, FREE among it for a type parameter; nothing for other places."""
        return self._evaluate(path, term, scope, told=True)

    def constraints(self, path: str, term: str, scope: int) -> Sequence[Type]:
        """Return what constrains the type parameters that an argument is of, whatever other arguments say of those."""
        return self.bounds_of(self._evaluate(path, term, scope, told=False))

    def _evaluate(self, path: str, term: str, scope: int, *, told: bool) -> Sequence[Type]:
        """Return what is expected of an argument; type parameters are FREE, but for those that others have ``told``."""
        semantics = semantics_of(path)
        if semantics is None or not semantics.types.narrows_bounds:
            return ()
        return [type_ for one in parsed(term) for type_ in self._evaluate_alternative(path, one, scope, told=told)]

    def _evaluate_alternative(self, path: str, one: Path, scope: int, *, told: bool) -> Sequence[Type]:
        if one.head == GIVEN:
            return self._evaluator.evaluate_path(path, one, scope)
        at = max((number for number, step in enumerate(one.steps) if step.op is Op.Parameter), default=-1)
        if at < 0 or any(step.op is Op.Arguments for step in one.steps[:at][-1:]):
            return ()
        function = Path(one.head, tuple(map(_without_expected_result, one.steps[:at])))
        number = int(one.steps[at].name)
        found = [
            type_
            for called in self._evaluator.evaluate_path(path, function, scope)
            if isinstance(called.origin, SymbolRef) and not called.is_instance
            for type_ in self._parameter_types(called, called.origin.path, number, told=told)
        ]
        return self._evaluator.follow_steps(path, scope, found, one.steps[at + 1 :]) if found else ()

    def _parameter_types(self, function: Type, path: str, number: int, *, told: bool) -> Iterator[Type]:
        """Yield what a function takes in a place; its type parameters are FREE where the call says nothing of them."""
        bindings = [one for one in self._definitions.bindings(function.origin) if one.takes]
        free = {name: self._free(path, name, bindings) for name in self._evaluator.type_parameters_of_call(function)}
        module = Type(Module((path,)))
        for one in bindings if free else ():
            access = self._evaluator.bind_call(function, one) or MemberAccess(module, module)
            known = dict(access.substitution)
            others = _names_before(one, number)  # said by arguments, even where nothing is known of those
            given = known | {
                name: (type_,)
                for name, type_ in free.items()
                if not told or (name not in others and not known.get(name))
            }
            access = replace(access, substitution=tuple(given.items()))
            for signature in self._evaluator.evaluate_type(path, one.takes, one.spelled, access):
                yield from self._evaluator.parameter_types(signature, number)

    def _free(self, path: str, name: str, functions: Sequence[Binding]) -> Type:
        bounds = (
            bound for one in functions for bound in self._evaluator.type_parameter_bounds(path, name, one.spelled)
        )
        return Type(FREE, is_instance=True, arguments=(tuple(bounds),))

    def bounds_of(self, types: Sequence[Type]) -> Sequence[Type]:
        """Return the bounds of the type parameters among some types."""
        return [bound for type_ in types if type_.origin == FREE for held in type_.arguments for bound in held]


def _names_before(function: Binding, number: int) -> set[str]:
    """Return the names inside the types of the parameters before one: ``S`` of ``Reducer<S>``, not of ``S`` alone."""
    taken = [argument for one in parsed(function.takes)[:1] for step in one.steps[:1] for argument in step.arguments]
    return {
        name
        for argument in taken[1 : number + 1]
        for one in argument
        for step in one.steps
        for inner in step.arguments
        for path in inner
        for name in type_names(path)
    }


def _without_expected_result(step: Step) -> Step:
    """Return a step without the type that is expected of a call: a literal says more of a type parameter."""
    expected = (argument for argument in step.arguments if len(argument) == 1 and argument[0].head == VARIADIC)
    if step.op is not Op.Given or next(expected, None) is None:
        return step
    return replace(step, arguments=step.arguments[1:])
