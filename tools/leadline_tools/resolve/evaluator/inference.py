"""What calls give the type parameters of functions: what stands where a function takes something of such a type.

``first<T>(all: T[]): T`` that is given a list of users gives a user. Each argument is held against what is taken in its
place, and what is found so against the bound of the parameter, as in https://go.dev/ref/spec#Type_inference; what is
expected of the result tells the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from string import ascii_uppercase

from leadline_tools.languages import scoping_of, terms
from leadline_tools.languages.facts import Binding, Facts, is_type_parameter
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import COLLECTION, FUNCTION, TUPLE, VARIADIC, Op, Path, Step, Term, parsed
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, NonSymbol, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Substitution, Type

_HOLDING = frozenset({ExternalType(COLLECTION), ExternalType(TUPLE)})
"""What holds elements of one type, by whatever name a type from outside calls it."""

_ITSELF = (Step(Op.Itself),)

_DEEPEST = 6
"""Types within types that are held against each other."""


def _head(facts: Facts, function: Binding) -> Sequence[int]:
    """Return the scopes that hold the type parameters of a function: its own, and that of a template around it."""
    around = facts.scopes[function.spelled].parent
    template = around > 0 and facts.scopes[around].kind is ScopeKind.Open
    return (function.spelled, around) if template else (function.spelled,)


def names_taken(function: Binding) -> AbstractSet[str]:
    """Return the names in the types of what a function takes, and of what it is added to."""
    return {name for term in (function.takes, function.amends) for one in parsed(term) for name in _names(one)}


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
    found: Mapping[str, list[Type]]


class Inference:
    """Holds what a call is given against what a function takes."""

    def __init__(
        self, resolver: NameResolver, evaluator: Evaluator, declarations: Declarations, inheritance: Inheritance
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._declarations = declarations
        self._inheritance = inheritance

    def parameters(self, path: str, facts: Facts, function: Binding, *, taken: bool = False) -> Sequence[str]:
        """Return the names of the type parameters that a function has itself, in their order.

        Those that are declared like variables are the function's where it takes something of them and its class has
        none of the name. With ``taken``, only those are told that are named in what it takes.
        """
        head = _head(facts, function)
        names = [one.name for one in facts.type_parameters if one.scope in head]
        named = set(names_taken(function))
        names = [name for name in names if name in named or not taken]
        return [*names, *sorted(self._variables(path, facts, function, named.difference(names)))]

    def _variables(self, path: str, facts: Facts, function: Binding, named: Iterable[str]) -> Iterator[str]:
        """Yield those of some names that are type parameters which are declared like variables."""
        scoping = scoping_of(path)
        if scoping is None or not scoping.scopes.type_variables or not function.path:
            return
        of_class = {name for one in facts.heritage_of(function.path.rpartition(".")[0]) for name in one.generics}
        lookup, is_variable = self._resolver.scopes.lookup, self._declarations.is_type_variable
        yield from (one for one in named if one not in of_class and is_variable(lookup(path, one, function.spelled)))

    def bound(
        self,
        path: str,
        facts: Facts,
        function: Binding,
        given: Sequence[Sequence[Type]],
        *,
        names: Iterable[str],
        own: Sequence[Type] = (),
        wanted: Sequence[Type] = (),
    ) -> Substitution:
        """Return what the type parameters ``names`` stand for, those of which a call of a function tells.

        ``given`` are the values of its arguments, ``own`` those of the object that it is called on; what is ``wanted``
        of the call tells of those parameters of which these do not.
        """
        search = _Search(path, function.spelled, {name: [] for name in names})
        if own and function.amends:
            self._tell_all(search, parsed(function.amends), own, _DEEPEST)
        scoping = scoping_of(path)
        spread = scoping is not None and scoping.calls.spreads
        named = _named(given) if scoping is not None and scoping.calls.arguments else {}
        for term, values in _paired(parsed(function.takes), given[:-1] if named else given, spread=spread):
            self._tell_all(search, term, values, _DEEPEST)
        for name, values in named.items():
            for one in facts.named(name):
                if one.scope == function.spelled or one.path == f"{function.path}.{name}":
                    self._tell_all(search, parsed(one.type), values, _DEEPEST)
        if wanted:
            self._tell_wanted(search, parsed(function.type), wanted)
        for name, known in search.found.items():
            for one in facts.named(name) if known else ():
                if one.scope in _head(facts, function) and is_type_parameter(one):
                    self._tell_all(search, parsed(one.type), known, _DEEPEST)
        return tuple((name, tuple(dict.fromkeys(values))) for name, values in search.found.items() if values)

    def _tell_wanted(self, search: _Search, result: Term, wanted: Sequence[Type]) -> None:
        """Tell what type parameters stand for of which nothing is known, given what the result of a call has to be."""
        unknown = _Search(search.path, search.scope, {name: [] for name, known in search.found.items() if not known})
        self._tell_all(unknown, result, wanted, _DEEPEST)
        for name, known in unknown.found.items():
            search.found[name].extend(known)

    def given(self, path: str, function: Term, given: Sequence[Sequence[Type]]) -> Sequence[Type]:
        """Return what a function from outside gives, by the term of its type: capital letters stand for others."""
        search = _Search(path, 0, {letter: [] for letter in ascii_uppercase})
        for term, values in _paired(function, given, spread=True):
            self._tell_all(search, term, values, _DEEPEST)
        return [value for one in function[:1] for value in _put(one.steps[0].arguments[0], search.found)]

    def _tell_all(self, search: _Search, taken: Term, values: Iterable[Type], deepest: int) -> None:
        for one in taken if deepest else ():
            self._tell(search, one, values, deepest)

    def _tell(self, search: _Search, taken: Path, values: Iterable[Type], deepest: int) -> None:
        """Tell what type parameters in a type that is taken stand for, given what stands in its place."""
        if taken.head in search.found and not taken.steps:
            search.found[taken.head].extend(one for one in values if not self._is_type(search.path, one))
        if taken.head in search.found and taken.steps == _ITSELF:
            search.found[taken.head].extend(self._evaluator.instantiate(one for one in values if not one.instance))
        *members, last = taken.steps or (Step(Op.Itself),)
        if last.op is not Op.Arguments or any(step.op is not Op.Member for step in members):
            return
        name = ".".join((taken.head, *(step.name for step in members)))
        for value in values:
            for number, term in enumerate(last.arguments):
                inner = self._inner(search, name, value, (number, len(last.arguments)))
                self._tell_all(search, term, inner, deepest - 1)

    def _is_type(self, path: str, value: Type) -> bool:
        """Tell whether a function of a file is given a type itself."""
        scoping = scoping_of(path)
        return scoping is not None and scoping.types.types_are_values and self._evaluator.is_type(value)

    def _inner(self, search: _Search, head: str, value: Type, at: tuple[int, int]) -> Sequence[Type]:
        """Return what a value has in the place of a type argument, of several, of the type that is taken there."""
        number, several = at
        if head == FUNCTION:
            if not number:
                return list(self._evaluator.call_results(value))
            scoping = scoping_of(search.path)
            says = scoping is not None and scoping.types.narrows_bounds
            return list(self._evaluator.parameter_types(value, number - 1)) if says else ()
        if head == COLLECTION and several == 1:
            return list(self._evaluator.type_argument(value, -1))
        if head == TUPLE:
            return list(self._evaluator.part_types(value, number))
        if terms.is_record(head):
            return self._evaluator.record_member_types(value, terms.members_of_record(head)[number])
        return self._argument(self._evaluator.evaluate(search.path, head, search.scope), value, number, several)

    def _argument(self, types: Sequence[Type], value: Type, number: int, several: int) -> Sequence[Type]:
        """Return a type argument, of several, of a value as one of some types; of those from outside none is known."""
        foreign = not types or any(each.of == EXTERNAL for each in types)
        for one in self._inheritance.mro(value):
            outside = one.of == EXTERNAL or (foreign and isinstance(one.of, NonSymbol))
            if outside and several == 1 and one.of in _HOLDING:
                return list(self._evaluator.type_argument(replace(one, instance=True), -1))
            if (outside and len(one.arguments) == several) or any(_is_same(one, each) for each in types):
                break
        else:
            return self._constructed(types, value, number)
        return one.arguments[number] if number < len(one.arguments) else ()

    def _constructed(self, types: Sequence[Type], value: Type, number: int) -> Sequence[Type]:
        """Return what a type parameter of one of some types stands for, which say of what a class makes objects.

        ``interface Type<T> { new (...given: unknown[]): T }`` is what any class is that makes a T.
        """
        for one in types if self._evaluator.is_type(value) else ():
            for _, heritage in self._declarations.heritage(one.of) if isinstance(one.of, SymbolRef) else ():
                made = [base.steps[0].arguments[0] for term in heritage.bases for base in parsed(term) if _makes(base)]
                name = heritage.generics[number] if number < len(heritage.generics) else ""
                if any(result.head == name and not result.steps for results in made for result in results):
                    return list(self._evaluator.call_results(value))
        return ()


def _named(given: Sequence[Sequence[Type]]) -> Mapping[str, Sequence[Type]]:
    """Return what a call is given by name, which stands last."""
    for value in given[-1] if given else ():
        if isinstance(value.of, ExternalType) and terms.is_record(value.of.name):
            return dict(zip(terms.members_of_record(value.of.name), value.arguments, strict=False))
    return {}


def _paired(takes: Term, given: Sequence[Sequence[Type]], *, spread: bool) -> Iterator[tuple[Term, Sequence[Type]]]:
    """Yield the types that a function takes with what it is given: the parts of the only thing where that is spread."""
    patterns = [argument for one in takes[:1] for step in one.steps[:1] for argument in step.arguments[1:]]
    if spread and len(given) == 1 < len(patterns):
        given = next((value.arguments for value in given[0] if value.of == ExternalType(TUPLE)), given)
    for number, values in enumerate(given):
        taken = patterns[min(number, len(patterns) - 1)] if patterns else ()
        several = [one.steps[0].arguments[0] for one in taken if one.head == VARIADIC and one.steps]
        if several or number < len(patterns):
            yield several[0] if several else taken, values


def _put(term: Term, known: Mapping[str, Sequence[Type]]) -> tuple[Type, ...]:
    """Return the objects that a term stands for which is spelled of type parameters alone."""
    found: list[Type] = []
    for one in term:
        if one.head in known and not one.steps:
            found += known[one.head]
        elif one.steps:
            arguments = tuple(_put(argument, known) for argument in one.steps[0].arguments)
            found.append(Type(ExternalType(one.head), instance=True, arguments=arguments))
    return tuple(found)


def _makes(base: Path) -> bool:
    """Tell whether a base of a type is what it is called as, and says what that gives."""
    return base.head == FUNCTION and bool(base.steps) and bool(base.steps[0].arguments)


def _is_same(one: Type, other: Type) -> bool:
    return one.of.same(other.of) if isinstance(one.of, SymbolRef) else one.of == other.of
