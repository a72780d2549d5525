"""What calls give the type parameters of functions: what stands where a function takes something of such a type.

``first<T>(all: T[]): T`` that is given a list of users gives a user. Each argument is held against what is taken in its
place and tells the parameters that stand there; nothing else is inferred, from no bounds and from no use of the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from leadline_tools.languages import terms
from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.terms import COLLECTION, FUNCTION, TUPLE, Op, Path, parsed
from leadline_tools.resolve.meaning import Defined, Elsewhere
from leadline_tools.resolve.value import Bound, Value

if TYPE_CHECKING:
    from leadline_tools.resolve.values import Values

_DEEPEST = 6
"""Types within types that are held against each other."""


def parameters(facts: Facts, function: Binding) -> Sequence[str]:
    """Return the names of the type parameters that a function declares itself, in their order."""
    own = (one for one in facts.bindings if one.scope == function.spelled and _is_parameter(one))
    return [one.name for one in sorted(own, key=lambda one: (one.line, one.column))]


def is_generic(facts: Facts, function: Binding) -> bool:
    """Tell whether what a function takes tells of a type parameter of its own."""
    found = (one for name in names_taken(function) for one in facts.named(name))
    return any(one.scope == function.spelled and _is_parameter(one) for one in found)


def names_taken(function: Binding) -> AbstractSet[str]:
    """Return the names in the types of what a function takes, and of what it is added to."""
    return {name for term in (function.takes, function.amends) for one in parsed(term) for name in _names(one)}


def _is_parameter(binding: Binding) -> bool:
    return binding.sort == Sort.Unknown and not binding.path and binding.imported < 0


def _names(path: Path) -> Iterator[str]:
    yield path.head
    for step in path.steps:
        for argument in step.arguments:
            for one in argument:
                yield from _names(one)


class Inference:
    """Holds what a call is given against what a function takes."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def bound(
        self, path: str, names: Iterable[str], function: Binding, given: Sequence[Sequence[Value]], own: Sequence[Value]
    ) -> Bound:
        """Return what the type parameters ``names`` stand for, those of which a call tells.

        ``given`` are the values of its arguments, ``own`` those of the object that the function is a member of.
        """
        found: dict[str, list[Value]] = {name: [] for name in names}
        told = [(parsed(function.amends), own)] if own and function.amends else []
        for one in parsed(function.takes):
            taken = one.steps[0].arguments[1:] if one.steps and one.head == FUNCTION else ()
            told += zip(taken, given, strict=False)
        for term, values in told:
            for alternative in term:
                self._tell(path, function.spelled, alternative, values, found, _DEEPEST)
        return tuple((name, tuple(dict.fromkeys(values))) for name, values in found.items() if values)

    def _tell(
        self,
        path: str,
        scope: int,
        taken: Path,
        values: Iterable[Value],
        found: Mapping[str, list[Value]],
        deepest: int,
    ) -> None:
        """Tell what type parameters in a type that is taken stand for, given what stands in its place."""
        arguments = [step.arguments for step in taken.steps]
        if taken.head in found and not taken.steps:
            found[taken.head] += values
        if len(arguments) != 1 or taken.steps[0].op is not Op.Arguments or not deepest:
            return
        for value in values:
            for number, term in enumerate(arguments[0]):
                inner = self._inner(path, scope, taken.head, value, (number, len(arguments[0])))
                for alternative in term:
                    self._tell(path, scope, alternative, inner, found, deepest - 1)

    def _inner(self, path: str, scope: int, head: str, value: Value, at: tuple[int, int]) -> Sequence[Value]:
        """Return what a value has in the place of a type argument, of several, of the type that is taken there."""
        number, all_ = at
        if head == FUNCTION:
            return self._values.results(value) if not number else ()
        if head in (COLLECTION, TUPLE):
            return self._values.elements(value) if head == COLLECTION else self._values.parts(value, number)
        if terms.is_record(head):
            return self._values.held(value, terms.members_of_record(head)[number])
        types = self._values.of(path, head, scope)
        for one in self._values.inheritance.linear(value):
            outside = not types and isinstance(one.of, Elsewhere) and len(one.arguments) == all_
            if outside or any(_is_same(one, each) for each in types):
                return one.arguments[number] if number < len(one.arguments) else ()
        return ()


def _is_same(one: Value, other: Value) -> bool:
    return one.of.same(other.of) if isinstance(one.of, Defined) else one.of == other.of
