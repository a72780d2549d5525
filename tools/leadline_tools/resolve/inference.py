"""What calls give the type parameters of functions: what stands where a function takes something of such a type.

``first<T>(all: T[]): T`` that is given a list of users gives a user. Each argument is held against what is taken in its
place, and what is found so against the bound of the parameter, as in https://go.dev/ref/spec#Type_inference; nothing is
inferred from what is expected of the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

from leadline_tools.languages import terms
from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.terms import COLLECTION, FUNCTION, TUPLE, VARIADIC, Op, Path, Term, parsed
from leadline_tools.resolve.meaning import ELSEWHERE, Defined, Elsewhere
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
    """Tell whether what a function takes names a type parameter of its own."""
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


@dataclass(frozen=True, slots=True)
class _Search:
    """What type parameters were found to stand for, by their names, and where what a function takes is read."""

    path: str
    scope: int
    found: Mapping[str, list[Value]]


class Inference:
    """Holds what a call is given against what a function takes."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def bound(
        self,
        path: str,
        facts: Facts,
        function: Binding,
        given: Sequence[Sequence[Value]],
        *,
        names: Iterable[str],
        own: Sequence[Value] = (),
    ) -> Bound:
        """Return what the type parameters ``names`` stand for, those of which a call of a function tells.

        ``given`` are the values of its arguments, ``own`` those of the object that it is called on.
        """
        search = _Search(path, function.spelled, {name: [] for name in names})
        if own and function.amends:
            self._tell_all(search, parsed(function.amends), own, _DEEPEST)
        for term, values in _paired(parsed(function.takes), given):
            self._tell_all(search, term, values, _DEEPEST)
        for name, known in search.found.items():
            for one in facts.named(name) if known else ():
                if one.scope == function.spelled and _is_parameter(one):
                    self._tell_all(search, parsed(one.type), known, _DEEPEST)
        return tuple((name, tuple(dict.fromkeys(values))) for name, values in search.found.items() if values)

    def given(self, path: str, function: Term, given: Sequence[Sequence[Value]]) -> Sequence[Value]:
        """Return what a function from outside gives, by the term of its type: capital letters stand for others."""
        search = _Search(path, 0, {letter: [] for letter in ascii_uppercase})
        for term, values in _paired(function, given):
            self._tell_all(search, term, values, _DEEPEST)
        return [value for one in function[:1] for value in _put(one.steps[0].arguments[0], search.found)]

    def _tell_all(self, search: _Search, taken: Term, values: Iterable[Value], deepest: int) -> None:
        for one in taken if deepest else ():
            self._tell(search, one, values, deepest)

    def _tell(self, search: _Search, taken: Path, values: Iterable[Value], deepest: int) -> None:
        """Tell what type parameters in a type that is taken stand for, given what stands in its place."""
        if taken.head in search.found and not taken.steps:
            search.found[taken.head].extend(values)
        if len(taken.steps) != 1 or taken.steps[0].op is not Op.Arguments:
            return
        arguments = taken.steps[0].arguments
        for value in values:
            for number, term in enumerate(arguments):
                inner = self._inner(search, taken.head, value, (number, len(arguments)))
                self._tell_all(search, term, inner, deepest - 1)

    def _inner(self, search: _Search, head: str, value: Value, at: tuple[int, int]) -> Sequence[Value]:
        """Return what a value has in the place of a type argument, of several, of the type that is taken there."""
        number, several = at
        if head == FUNCTION:
            return self._values.results(value) if not number else ()
        if head == COLLECTION and several == 1:
            return self._values.elements(value)
        if head == TUPLE:
            return self._values.parts(value, number)
        if terms.is_record(head):
            return self._values.held(value, terms.members_of_record(head)[number])
        types = self._values.of(search.path, head, search.scope)
        for one in self._values.inheritance.linear(value):
            unknown = one.of == ELSEWHERE or (not types and isinstance(one.of, Elsewhere))
            outside = unknown and len(one.arguments) == several
            if outside or any(_is_same(one, each) for each in types):
                return one.arguments[number] if number < len(one.arguments) else ()
        return ()


def _paired(takes: Term, given: Sequence[Sequence[Value]]) -> Iterator[tuple[Term, Sequence[Value]]]:
    """Yield the types that a function takes with what it is given; the parts of the only thing, if it takes several."""
    patterns = [argument for one in takes[:1] for step in one.steps[:1] for argument in step.arguments[1:]]
    if len(given) == 1 < len(patterns):
        given = next((value.arguments for value in given[0] if value.of == Elsewhere(name=TUPLE)), given)
    for number, values in enumerate(given):
        taken = patterns[min(number, len(patterns) - 1)] if patterns else ()
        several = [one.steps[0].arguments[0] for one in taken if one.head == VARIADIC and one.steps]
        if several or number < len(patterns):
            yield several[0] if several else taken, values


def _put(term: Term, known: Mapping[str, Sequence[Value]]) -> tuple[Value, ...]:
    """Return the objects that a term stands for which is spelled of type parameters alone."""
    found: list[Value] = []
    for one in term:
        if one.head in known and not one.steps:
            found += known[one.head]
        elif one.steps:
            arguments = tuple(_put(argument, known) for argument in one.steps[0].arguments)
            found.append(Value(Elsewhere(name=one.head), instance=True, arguments=arguments))
    return tuple(found)


def _is_same(one: Value, other: Value) -> bool:
    return one.of.same(other.of) if isinstance(one.of, Defined) else one.of == other.of
