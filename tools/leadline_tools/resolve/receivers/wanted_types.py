"""The type that is wanted where an object literal stands, as far as the call that is given the literal tells it itself.

What a function takes of the type of a type parameter is of the type of what it is given: a key of a literal given so
declares a member of the literal. https://www.typescriptlang.org/docs/handbook/2/generics.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages import scoping_of
from leadline_tools.languages.facts import Binding
from leadline_tools.languages.terms import GIVEN, VARIADIC, Op, Path, Step, parsed
from leadline_tools.resolve.project.resolution import Module, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.type import FREE, MemberAccess, Type


class WantedTypes:
    """Tells what a literal is wanted to be of from what its call tells of type parameters."""

    def __init__(self, evaluator: Evaluator, definitions: Definitions) -> None:
        self._evaluator = evaluator
        self._definitions = definitions

    def are_free(self, path: str, term: str, scope: int) -> bool:
        """Tell whether a type parameter is wanted that what stands there gives its type."""
        return any(type_.origin == FREE for type_ in self.read(path, term, scope))

    def read(self, path: str, term: str, scope: int) -> Sequence[Type]:
        """Return what is wanted as an argument, FREE among it where a type parameter is; nothing for other places."""
        scoping = scoping_of(path)
        if scoping is None or not scoping.types.narrows_bounds:
            return ()
        return [type_ for one in parsed(term) for type_ in self._read(path, one, scope)]

    def _read(self, path: str, one: Path, scope: int) -> Sequence[Type]:
        if one.head == GIVEN:
            return self._evaluator.evaluate_path(path, one, scope)
        at = max((number for number, step in enumerate(one.steps) if step.op is Op.Parameter), default=-1)
        if at < 0 or any(step.op is Op.Arguments for step in one.steps[:at][-1:]):
            return ()
        function = Path(one.head, tuple(map(_told_by_arguments, one.steps[:at])))
        number = int(one.steps[at].name)
        found = [
            type_
            for called in self._evaluator.evaluate_path(path, function, scope)
            if isinstance(called.origin, SymbolRef) and not called.is_instance
            for type_ in self._taken(called, called.origin.path, number)
        ]
        return self._evaluator.follow_steps(path, scope, found, one.steps[at + 1 :]) if found else ()

    def _taken(self, function: Type, path: str, number: int) -> Iterator[Type]:
        """Yield what a function takes in a place, whose type parameters are free but where the call tells them."""
        bindings = [one for one in self._definitions.bindings(function.origin) if one.takes]
        free = {name: self._free(path, name, bindings) for name in self._evaluator.type_parameters_of_call(function)}
        module = Type(Module((path,)))
        for one in bindings if free else ():
            access = self._evaluator.bind_call(function, one) or MemberAccess(module, module)
            known = dict(access.substitution)
            given = {**known, **{name: known.get(name) or (type_,) for name, type_ in free.items()}}
            access = replace(access, substitution=tuple(given.items()))
            for taking in self._evaluator.evaluate_type(path, one.takes, one.spelled, access):
                yield from self._evaluator.parameter_types(taking, number)

    def _free(self, path: str, name: str, functions: Sequence[Binding]) -> Type:
        bounds = (
            bound for one in functions for bound in self._evaluator.type_parameter_bounds(path, name, one.spelled)
        )
        return Type(FREE, is_instance=True, arguments=(tuple(bounds),))

    def of_parameters(self, types: Sequence[Type]) -> Sequence[Type]:
        """Return what bounds the type parameters among some values."""
        return [bound for type_ in types if type_.origin == FREE for held in type_.arguments for bound in held]


def _told_by_arguments(step: Step) -> Step:
    """Return a step without what a call has to give: what a literal is of tells more of a type parameter."""
    wanted = (argument for argument in step.arguments if len(argument) == 1 and argument[0].head == VARIADIC)
    if step.op is not Op.Given or next(wanted, None) is None:
        return step
    return replace(step, arguments=step.arguments[1:])
