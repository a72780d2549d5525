"""Inference of type parameters: what they stand for in a call of a function.

``first<T>(all: T[]): T`` that is given a list of users gives a user. The type of each argument is unified with that of
its parameter, and what is inferred so with the bound of the type parameter, as in
https://go.dev/ref/spec#Type_inference; the type that is expected of the result says the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from string import ascii_uppercase

from leadline_tools.languages import semantics_of, terms
from leadline_tools.languages.facts import Binding, Facts, Sort, find_parameter, is_type_parameter
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import COLLECTION, FUNCTION, TUPLE, VARIADIC, Op, Path, Step, Term, parsed
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, NonSymbol, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Substitution, Type, is_record

_HOLDING = frozenset({ExternalType(COLLECTION), ExternalType(TUPLE)})
"""What holds elements of one type, by whatever name a type from outside calls it."""

_WRITTEN_OUT = frozenset({COLLECTION, FUNCTION, TUPLE, VARIADIC})
"""The heads of types that no declaration names."""

_ITSELF = (Step(Op.Itself),)

_DEEPEST = 6
"""Types within types that are held against each other."""


def _type_parameter_scopes(facts: Facts, function: Binding) -> Sequence[int]:
    """Return the scopes that hold the type parameters of a function: its own, and that of a template around it."""
    around = facts.scopes[function.spelled].parent
    template = around > 0 and facts.scopes[around].kind is ScopeKind.Open
    return (function.spelled, around) if template else (function.spelled,)


def names_in_signature(function: Binding) -> AbstractSet[str]:
    """Return the names in the types of what a function takes, and of what it is added to."""
    return {name for term in (function.takes, function.amends) for one in parsed(term) for name in _names(one)}


def _names(path: Path) -> Iterator[str]:
    yield path.head
    for step in path.steps:
        for argument in step.arguments:
            for one in argument:
                yield from _names(one)


@dataclass(frozen=True, slots=True)
class _Unification:
    """What type parameters are found to stand for, by their names; where the types of parameters are read."""

    path: str
    scope: int
    found: Mapping[str, list[Type]]


class Inference:
    """Infers type parameters by unifying the types of arguments with those of parameters."""

    def __init__(
        self, resolver: NameResolver, evaluator: Evaluator, declarations: Declarations, inheritance: Inheritance
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._declarations = declarations
        self._inheritance = inheritance

    def type_parameters(
        self, path: str, facts: Facts, function: Binding, *, in_signature: bool = False
    ) -> Sequence[str]:
        """Return the names of the type parameters that a function has itself, in their order.

        Those that are declared like variables are the function's where it takes something of them and its class has
        none of the name. With ``in_signature``, only those are returned that are named in what it takes.
        """
        head = _type_parameter_scopes(facts, function)
        names = [one.name for one in facts.type_parameters if one.scope in head]
        named = set(names_in_signature(function))
        names = [name for name in names if name in named or not in_signature]
        return [*names, *sorted(self._type_variables(path, facts, function, named.difference(names)))]

    def _type_variables(self, path: str, facts: Facts, function: Binding, named: Iterable[str]) -> Iterator[str]:
        """Yield those of some names that are type parameters which are declared like variables."""
        semantics = semantics_of(path)
        if semantics is None or not semantics.scopes.type_variables or not function.path:
            return
        of_class = {name for one in facts.heritage_of(function.path.rpartition(".")[0]) for name in one.generics}
        lookup, is_variable = self._resolver.scopes.lookup, self._declarations.is_type_variable
        yield from (one for one in named if one not in of_class and is_variable(lookup(path, one, function.spelled)))

    def solve(
        self,
        path: str,
        facts: Facts,
        function: Binding,
        arguments: Sequence[Sequence[Type]],
        *,
        names: Iterable[str],
        receiver: Sequence[Type] = (),
        expected: Sequence[Type] = (),
    ) -> Substitution:
        """Return what the type parameters ``names`` of a function stand for in a call of it, as far as that is known.

        They are inferred from the arguments, from the ``receiver`` of an extension method, and, where these say nothing
        of a parameter, from the type that is ``expected`` of the result.
        """
        unification = _Unification(path, function.spelled, {name: [] for name in names})
        if receiver and function.amends:
            self._infer_all(unification, parsed(function.amends), receiver, _DEEPEST)
        semantics = semantics_of(path)
        spread = semantics is not None and semantics.calls.spreads
        named = _keyword_arguments(arguments) if semantics is not None and semantics.calls.arguments else {}
        for term, types in _paired_with_parameters(
            parsed(function.takes), arguments[:-1] if named else arguments, spread=spread
        ):
            self._infer_all(unification, term, types, _DEEPEST)
        for name, types in named.items():
            if (parameter := find_parameter(facts, function, name)) is not None:
                self._infer_all(unification, parsed(parameter.type), types, _DEEPEST)
        if expected:
            self._infer_from_expected(unification, parsed(function.type), expected)
        for name, known in unification.found.items():
            for one in facts.named(name) if known else ():
                if one.scope in _type_parameter_scopes(facts, function) and is_type_parameter(one):
                    self._infer_all(unification, parsed(one.type), known, _DEEPEST)
        return tuple((name, tuple(dict.fromkeys(types))) for name, types in unification.found.items() if types)

    def _infer_from_expected(self, unification: _Unification, result: Term, expected: Sequence[Type]) -> None:
        """Infer type parameters of which nothing is known from the type that is expected of the result of a call."""
        unknown = _Unification(
            unification.path, unification.scope, {name: [] for name, known in unification.found.items() if not known}
        )
        self._infer_all(unknown, result, expected, _DEEPEST)
        for name, known in unknown.found.items():
            unification.found[name].extend(known)

    def library_results(self, path: str, function: Term, arguments: Sequence[Sequence[Type]]) -> Sequence[Type]:
        """Return what a function of a library gives, by the term of its type: capital letters are type parameters."""
        unification = _Unification(path, 0, {letter: [] for letter in ascii_uppercase})
        for term, types in _paired_with_parameters(function, arguments, spread=True):
            self._infer_all(unification, term, types, _DEEPEST)
        return [type_ for one in function[:1] for type_ in _substitute(one.steps[0].arguments[0], unification.found)]

    def _infer_all(self, unification: _Unification, parameter: Term, types: Iterable[Type], deepest: int) -> None:
        for one in parameter if deepest else ():
            self._infer(unification, one, types, deepest)

    def _infer(self, unification: _Unification, parameter: Path, types: Iterable[Type], deepest: int) -> None:
        """Infer the type parameters in the type of a parameter from the types of its argument."""
        if parameter.head in unification.found and not parameter.steps:
            unification.found[parameter.head].extend(one for one in types if not self._is_type(unification.path, one))
        if parameter.head in unification.found and parameter.steps == _ITSELF:
            unification.found[parameter.head].extend(
                self._evaluator.instantiate(one for one in types if not one.is_instance)
            )
        *members, last = parameter.steps or (Step(Op.Itself),)
        if last.op is not Op.Arguments or any(step.op is not Op.Member for step in members):
            return
        name = ".".join((parameter.head, *(step.name for step in members)))
        for type_ in self._infer_through_definition(unification, name, last.arguments, types, deepest):
            for number, term in enumerate(last.arguments):
                inner = self._types_at(unification, name, type_, (number, len(last.arguments)))
                self._infer_all(unification, term, inner, deepest - 1)

    def _infer_through_definition(
        self, unification: _Unification, name: str, arguments: Sequence[Term], types: Iterable[Type], deepest: int
    ) -> Iterable[Type]:
        """Infer the type parameters in the arguments of a type, by how that is defined; return what is left to infer.

        An argument for the alias ``Result<T>`` is held against ``Ok<T> | Failed`` if that is what it stands for, and
        an object without a name for the type ``Options<T>`` member by member.
        """
        if name in _WRITTEN_OUT or terms.is_record(name):
            return types
        bases = self._evaluator.evaluate(unification.path, name, unification.scope)
        of = bases[0].origin if len(bases) == 1 else None
        facts, _ = self._resolver.facts(of.path) if isinstance(of, SymbolRef) else (None, None)
        heritage = next(iter(facts.heritage_of(of.name)), None) if facts and isinstance(of, SymbolRef) else None
        if facts is None or not isinstance(of, SymbolRef) or heritage is None:
            return types
        aliased = [one for one in facts.all_at(of.name) if one.sort == Sort.Type and one.type]
        records = [] if aliased else [one for one in types if is_record(one)]
        within = _Unification(of.path, heritage.scope, {name: [] for name in heritage.generics})
        if aliased:
            self._infer_all(within, parsed(aliased[0].type), types, deepest - 1)
        for record in records:
            for member in (
                terms.members_of_record(record.origin.name) if isinstance(record.origin, ExternalType) else ()
            ):
                declared = next(iter(facts.all_at(f"{of.name}.{member}")), None)
                if declared is not None and declared.sort == Sort.Value:
                    held = self._evaluator.record_member_types(record, member)
                    self._infer_all(within, parsed(declared.type), held, deepest - 1)
        for parameter, argument in zip(heritage.generics, arguments, strict=False):
            self._infer_all(unification, argument, within.found[parameter], deepest - 1)
        return () if aliased else [one for one in types if one not in records]

    def _is_type(self, path: str, type_: Type) -> bool:
        """Return whether a function of a file is given a type itself."""
        semantics = semantics_of(path)
        return semantics is not None and semantics.types.types_are_values and self._evaluator.is_type(type_)

    def _types_at(self, unification: _Unification, head: str, type_: Type, at: tuple[int, int]) -> Sequence[Type]:
        """Return what an argument has in the place of a type argument, of several, of the type of its parameter."""
        number, several = at
        if head == FUNCTION:
            if not number:
                return list(self._evaluator.call_results(type_))
            semantics = semantics_of(unification.path)
            narrows = semantics is not None and semantics.types.narrows_bounds
            return list(self._evaluator.parameter_types(type_, number - 1)) if narrows else ()
        if head == COLLECTION and several == 1:
            return list(self._evaluator.type_argument(type_, -1))
        if head == TUPLE:
            return list(self._evaluator.part_types(type_, number))
        if terms.is_record(head):
            return self._evaluator.record_member_types(type_, terms.members_of_record(head)[number])
        return self._base_argument(
            self._evaluator.evaluate(unification.path, head, unification.scope), type_, number, several
        )

    def _base_argument(self, bases: Sequence[Type], type_: Type, number: int, several: int) -> Sequence[Type]:
        """Return a type argument, of several, of an object as an instance of a base; of external ones none is known."""
        are_external = not bases or any(each.origin == EXTERNAL for each in bases)
        for one in self._inheritance.mro(type_):
            external = one.origin == EXTERNAL or (are_external and isinstance(one.origin, NonSymbol))
            if external and several == 1 and one.origin in _HOLDING:
                return list(self._evaluator.type_argument(replace(one, is_instance=True), -1))
            if (external and len(one.arguments) == several) or any(_same_origin(one, each) for each in bases):
                break
        else:
            return self._constructor_argument(bases, type_, number)
        return one.arguments[number] if number < len(one.arguments) else ()

    def _constructor_argument(self, bases: Sequence[Type], type_: Type, number: int) -> Sequence[Type]:
        """Return what a type parameter of a base stands for that says what a class makes instances of.

        ``interface Type<T> { new (...given: unknown[]): T }`` is what any class is that makes a T.
        """
        for one in bases if self._evaluator.is_type(type_) else ():
            for _, heritage in self._declarations.heritage(one.origin) if isinstance(one.origin, SymbolRef) else ():
                made = [base.steps[0].arguments[0] for term in heritage.bases for base in parsed(term) if _makes(base)]
                name = heritage.generics[number] if number < len(heritage.generics) else ""
                if any(result.head == name and not result.steps for results in made for result in results):
                    return list(self._evaluator.call_results(type_))
        return ()


def _keyword_arguments(arguments: Sequence[Sequence[Type]]) -> Mapping[str, Sequence[Type]]:
    """Return the keyword arguments of a call, which stand last."""
    for type_ in arguments[-1] if arguments else ():
        if isinstance(type_.origin, ExternalType) and terms.is_record(type_.origin.name):
            return dict(zip(terms.members_of_record(type_.origin.name), type_.arguments, strict=False))
    return {}


def _paired_with_parameters(
    takes: Term, arguments: Sequence[Sequence[Type]], *, spread: bool
) -> Iterator[tuple[Term, Sequence[Type]]]:
    """Yield the types of parameters with their arguments: with the parts of the only one where that is spread."""
    patterns = [argument for one in takes[:1] for step in one.steps[:1] for argument in step.arguments[1:]]
    if spread and len(arguments) == 1 < len(patterns):
        arguments = next((type_.arguments for type_ in arguments[0] if type_.origin == ExternalType(TUPLE)), arguments)
    for number, types in enumerate(arguments):
        parameter = patterns[min(number, len(patterns) - 1)] if patterns else ()
        several = [one.steps[0].arguments[0] for one in parameter if one.head == VARIADIC and one.steps]
        if several or number < len(patterns):
            yield several[0] if several else parameter, types


def _substitute(term: Term, known: Mapping[str, Sequence[Type]]) -> tuple[Type, ...]:
    """Return the instances that a term of type parameters stands for."""
    found: list[Type] = []
    for one in term:
        if one.head in known and not one.steps:
            found += known[one.head]
        elif one.steps:
            arguments = tuple(_substitute(argument, known) for argument in one.steps[0].arguments)
            found.append(Type(ExternalType(one.head), is_instance=True, arguments=arguments))
    return tuple(found)


def _makes(base: Path) -> bool:
    """Return whether a base of a type is what it is called as, and says what that gives."""
    return base.head == FUNCTION and bool(base.steps) and bool(base.steps[0].arguments)


def _same_origin(one: Type, other: Type) -> bool:
    return one.origin.same(other.origin) if isinstance(one.origin, SymbolRef) else one.origin == other.origin
