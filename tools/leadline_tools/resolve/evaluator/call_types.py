"""The types of calls: what functions return, what calls tell of type parameters, and what functions take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Binding, Sort, find_parameter
from leadline_tools.languages.terms import LAST, OWN, RECORD, Op, parsed
from leadline_tools.resolve.evaluator.call_arguments import EXPECTED_RESULT, GIVEN_ARGUMENTS, given_arguments
from leadline_tools.resolve.evaluator.call_signatures import CallSignatures
from leadline_tools.resolve.evaluator.elements import ElementTypes
from leadline_tools.resolve.evaluator.inference import Inference
from leadline_tools.resolve.evaluator.type_parameters import TypeParameters
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, Module, NonSymbol, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions, narrows_bounds
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import (
    COLLECTION_TYPE,
    FUNCTION_TYPE,
    PRIMITIVE_TYPE,
    RECEIVER_TYPE,
    UNKNOWN_TYPE,
    VARIADIC_TYPE,
    MemberAccess,
    Type,
    Types,
    all_types,
)


class CallEvaluator:
    """Evaluates calls and the parameters of what can be called."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: Evaluator,
        definitions: Definitions,
        inheritance: Inheritance,
        inference: Inference,
        overloads: CallSignatures,
        type_parameters: TypeParameters,
        elements: ElementTypes,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._inheritance = inheritance
        self._inference = inference
        self._overloads = overloads
        self._type_parameters = type_parameters
        self._elements = elements

    def callable_object_parameters(self, context: Context, types: Iterable[Type], number: int) -> Sequence[Type]:
        """Return what objects take in a place that are no functions, but of types by whose method they are called."""
        return self._callable_object_types(context, types, number + 1)

    def callable_object_results(self, context: Context, types: Iterable[Type]) -> Sequence[Type]:
        """Return what a call of such objects gives."""
        return self._callable_object_types(context, (one for one in types if one.is_instance), 0)

    def _callable_object_types(self, context: Context, types: Iterable[Type], part: int) -> Sequence[Type]:
        _, semantics = self._resolver.facts(context.path)
        if semantics is None or not semantics.library.callables:
            return ()
        found: list[Type] = []
        for type_ in self._evaluator.resolve_aliases(types):
            of = type_.origin
            if type_.is_instance and isinstance(of, NonSymbol) and of.name in semantics.library.callables:
                term, access = parsed(semantics.library.callables[of.name]), MemberAccess(type_, type_)
                functions: Sequence[Type] = self._evaluator.evaluate_term(context.path, term, 0, access, typed=True)
            else:
                functions = self._single_method_signature(type_)
            found += (one for function in functions for one in self.signature_types(function, part))
        return found

    def _single_method_signature(self, type_: Type) -> Sequence[Type]:
        """Return the one method without a body of an object's type, or of the nearest that it inherits from."""
        for owner in self._inheritance.mro(type_) if type_.is_instance else ():
            facts, _ = self._resolver.facts(owner.origin.path) if isinstance(owner.origin, SymbolRef) else (None, None)
            if facts is None or not isinstance(owner.origin, SymbolRef):
                continue
            open_ = [one for one in facts.callables if one.path == f"{owner.origin.name}.{one.name}"]
            if len(open_) == 1:
                return self._evaluator.evaluate_type(
                    owner.origin.path, open_[0].takes, open_[0].spelled, MemberAccess(type_, owner)
                )
            if open_:
                break
        return ()

    def call_results(self, type_: Type) -> Iterator[Type]:
        """Yield what a call of something gives."""
        if type_.is_instance:
            yield from self.signature_types(type_, 0) or self._elements.types_by_protocol(type_, Op.Call)
        elif isinstance(type_.origin, NonSymbol):
            known = type_.origin.name or type_.arguments
            yield replace(type_, is_instance=True) if known else Type(UNKNOWN_TYPE, is_instance=True)
            yield from _collections_given(type_)
        elif isinstance(type_.origin, SymbolRef):
            bindings = self._definitions.bindings(type_.origin)
            functions = [binding for binding in bindings if binding.sort == Sort.Callable]
            if {binding.sort for binding in bindings} == {Sort.Value}:
                return  # of what is called no more is known than its name
            if not functions:
                made = self._type_parameters.complete_created(self._with_owner_arguments(type_))
                yield replace(made, is_instance=True, access=None)
            yield from self._function_results(type_, type_.origin.path, functions)
            if functions and self._definitions.is_constructor_function(type_.origin):
                yield replace(type_, is_instance=True, access=None)

    def _function_results(self, type_: Type, path: str, functions: Sequence[Binding]) -> Iterator[Type]:
        """Yield what a function returns; nothing where overloads are known in part, and name no type."""
        fitting = self._overloads.fitting(type_, functions, given_arguments(type_))
        found = [
            self._evaluator.types_of_binding(path, function, self.bind_call(type_, function)) for function in fitting
        ]
        typed = any(isinstance(one.origin, SymbolRef) for results in found for one in results)
        if typed or all(found):
            yield from (one for results in found for one in results)

    def bind_call(self, type_: Type, function: Binding) -> MemberAccess | None:
        """Return where a function that is called comes from, with what the call gives its type parameters."""
        facts, _ = self._resolver.facts(type_.origin.path) if isinstance(type_.origin, SymbolRef) else (None, None)
        receiver = (type_.access.receiver,) if type_.access is not None and function.amends else ()
        if facts is None or not isinstance(type_.origin, SymbolRef):
            return type_.access
        narrows = narrows_bounds(type_.origin.path)
        if not (narrows or type_.arguments or receiver):
            return type_.access
        names = self._inference.type_parameters(type_.origin.path, facts, function)
        given = any(one.origin == GIVEN_ARGUMENTS for held in type_.arguments[-1:] for one in held)
        written = dict(zip(names, type_.arguments[: -given or None], strict=False))
        arguments = given_arguments(type_)
        call = type_.arguments[-1] if given else ()
        expected = [held for one in call if one.origin == EXPECTED_RESULT for held in one.arguments[0]]
        inferred = self._inference.solve(
            type_.origin.path, facts, function, arguments, names=names, receiver=receiver, expected=expected
        )
        unknown: dict[str, Types] = dict.fromkeys(names if narrows else (), ())
        substitution = tuple({**unknown, **dict(inferred), **written}.items())
        module = Type(Module((type_.origin.path,)))
        if not substitution:
            return type_.access
        return replace(type_.access or MemberAccess(module, module), substitution=substitution)

    def _with_owner_arguments(self, type_: Type) -> Type:
        """Return what an enumeration lists with the type arguments of the object that it was taken from."""
        held = type_.access.owner.arguments if type_.access is not None else ()
        listed = not any(binding.sort == Sort.Type for binding in self._definitions.bindings(type_.origin))
        return replace(type_, arguments=held) if held and listed and not type_.arguments else type_

    def call_results_of_name(self, type_: Type) -> Iterable[Type]:
        """Return what a call of a name gives that means no variable: of one that does, it is read all the same."""
        bindings = self._definitions.bindings(type_.origin)
        functions = [binding for binding in bindings if binding.sort == Sort.Callable]
        if functions and isinstance(type_.origin, SymbolRef | LocalName):
            path, evaluate = type_.origin.path, self._evaluator.types_of_binding
            return all_types(one for each in functions for one in evaluate(path, each, self.bind_call(type_, each)))
        if not bindings or any(binding.sort == Sort.Type for binding in bindings):
            return self.call_results(type_)
        return [one for one in self._evaluator.resolve_alias(type_) if one.is_instance]

    def signature_types(self, type_: Type, number: int) -> Iterable[Type]:
        """Return what a function returns, which is number 0, or takes; or any object that can be called."""
        if not number:
            function = self._elements.nearest_base(type_, FUNCTION_TYPE)
            return function.arguments[0] if function is not None and function.arguments else ()
        functions = (one.arguments for one in self._inheritance.mro(type_) if one.origin == FUNCTION_TYPE)
        found = list(dict.fromkeys(held for arguments in functions for held in _signature_part(arguments, number)))
        return [one for one in found if one.origin != PRIMITIVE_TYPE] or found

    def parameter_types_by_overload(self, function: Type, number: int) -> Sequence[Sequence[Type]]:
        """Return what each overload of a function takes in a place, of those that may take something there."""
        if not isinstance(function.origin, SymbolRef) or function.is_instance:
            return ()
        taking = [one for one in self._definitions.bindings(function.origin) if one.takes.count(",") > number]
        return [self.overload_parameter_types(function, one, number) for one in taking]

    def overload_parameter_types(self, function: Type, overload: Binding, number: int) -> Sequence[Type]:
        """Return what one of the overloads of a function takes in a place."""
        path = function.origin.path if isinstance(function.origin, SymbolRef) else ""
        return self._types_of_parameter(function, path, overload, number) if path else ()

    def _types_of_parameter(self, function: Type, path: str, binding: Binding, number: int) -> Sequence[Type]:
        """Return what a function takes in a place; the bounds of a type parameter of which nothing else is known."""
        access = self.bind_call(function, binding)
        free: Sequence[str] = ()
        if access is None and isinstance(function.origin, SymbolRef) and self._evaluator.is_type(function):
            access = MemberAccess(function, function)
            free = self._type_parameters.names(function.origin) if not function.arguments else ()
        signatures = self._evaluator.evaluate_type(path, binding.takes, binding.spelled, access)
        found = [held for one in signatures for held in self.signature_types(one, number + 1)]
        if any(isinstance(one.origin, ExternalType) and one.origin.name in free for one in found):
            return ()  # the place says what the type parameter is
        return found or self._type_parameters.bounds_of_parameter(path, binding, number)

    def types_taken(self, type_: Type, at: str) -> Iterable[Type]:
        """Return what can be called takes in a place, or under a name: what follows the sign of such a step.

        An object that is a function says no names; most that take a function take it last.
        """
        if not at.startswith(RECORD):
            return self.parameter_types(type_, int(at))
        return self.parameter_types(type_, LAST) if type_.is_instance else self._types_by_name(type_, at[1:])

    def _types_by_name(self, function: Type, name: str) -> Iterator[Type]:
        """Yield what a function, or a constructor of a type, takes under a name."""
        of = function.origin
        facts, semantics = self._resolver.facts(of.path) if isinstance(of, SymbolRef) else (None, None)
        if facts is None or semantics is None or not isinstance(of, SymbolRef):
            return
        fields = semantics.calls.labels is not None  # of a structure
        for binding in self._takers(function, of):
            takes = binding.takes or (fields and binding.sort == Sort.Type)
            taken = find_parameter(facts, binding, name) if takes else None
            given = (taken,) if taken is not None else ()
            yield from self._evaluator.types_of_bindings(of.path, given, self.bind_call(function, binding))

    def parameter_types(self, type_: Type, number: int) -> Iterator[Type]:
        """Yield what can be called takes in a place."""
        if number == OWN:
            yield from type_.arguments[0] if type_.origin == RECEIVER_TYPE and type_.arguments else ()
        elif type_.is_instance:
            yield from self.signature_types(type_, number + 1)
        elif isinstance(type_.origin, SymbolRef):
            for binding in self._takers(type_, type_.origin):
                if binding.takes:
                    yield from self._types_of_parameter(type_, type_.origin.path, binding, number)

    def _takers(self, function: Type, of: SymbolRef) -> Iterable[Binding]:
        """Return what takes the arguments of a call: a function, or the constructors of a type where labels tell."""
        _, semantics = self._resolver.facts(of.path)
        made = semantics is not None and semantics.calls.labels is not None and self._evaluator.is_type(function)
        return self._definitions.constructors(of) if made else self._definitions.bindings(of)


def _collections_given(function: Type) -> Iterator[Type]:
    """Yield the collections that a function from outside may give, as its type argument says: ``state<Item[]>([])``."""
    written = [one for one in function.arguments if not any(held.origin == GIVEN_ARGUMENTS for held in one)]
    if len(written) == 1:
        yield from (one for one in written[0] if one.is_instance and one.origin == COLLECTION_TYPE)


def _signature_part(arguments: Sequence[Types], number: int) -> Types:
    """Return what a function takes in a place, counted from 1; the last thing that it takes may be several."""
    if number > LAST and len(arguments) > 1:
        return arguments[-1]
    held = arguments[min(number, len(arguments) - 1)] if len(arguments) > 1 else ()
    several = [type_ for one in held if one.origin == VARIADIC_TYPE for inner in one.arguments for type_ in inner]
    return tuple(several) or (held if number < len(arguments) else ())
