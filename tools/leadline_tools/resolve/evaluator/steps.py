"""The steps of a term: members, calls, elements, type arguments, applied to the types of what stands before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages import discriminants, terms
from leadline_tools.languages.facts import Sort
from leadline_tools.languages.terms import POINTERS, Op, Step
from leadline_tools.resolve.evaluator.call_arguments import CallArguments
from leadline_tools.resolve.evaluator.call_types import CallEvaluator
from leadline_tools.resolve.evaluator.elements import ElementTypes
from leadline_tools.resolve.evaluator.filtered_types import FilteredTypes
from leadline_tools.resolve.members.discriminated_unions import DiscriminatedUnions
from leadline_tools.resolve.members.external_members import ExternalMembers
from leadline_tools.resolve.members.member_filters import leaves_member
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, LocalName, NonSymbol, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.external_terms import ExternalTerms
from leadline_tools.resolve.types.type import (
    COLLECTION_TYPE,
    FREE,
    FUNCTION_TYPE,
    PREDICATE_TYPE,
    PRIMITIVE_TYPE,
    UNKNOWN_TYPE,
    MemberAccess,
    Type,
    is_record,
)

CALLING = frozenset({Op.Call, Op.Parameter})
"""Steps that follow what is called alone."""

_FUNCTION_STEPS = frozenset({Op.Arguments, Op.Given})
"""Steps that may stand between a function and its call."""

_TYPE_TESTS = frozenset({Op.Assigned, Op.Joined, Op.Otherwise, Op.Predicated, Op.Tested, Op.Without})

_NOTHING_KNOWN = (EXTERNAL, UNKNOWN_TYPE)

_FILTERS = frozenset({Op.Omitted, Op.Picked})

_ITEM = Step(Op.Item)

_PRIMITIVE_STEPS = frozenset({Op.Member, Op.Call, Op.Item, Op.At, Op.Each, Op.Part, Op.Parameter})
"""Steps that give a string or a number again where they follow one."""


class StepEvaluator:
    """Evaluates the steps of terms."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: Evaluator,
        definitions: Definitions,
        external_terms: ExternalTerms,
        elements: ElementTypes,
        calls: CallEvaluator,
        call_arguments: CallArguments,
        external_members: ExternalMembers,
        unions: DiscriminatedUnions,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._external_terms = external_terms
        self._elements = elements
        self._calls = calls
        self._call_arguments = call_arguments
        self._external_members = external_members
        self._unions = unions
        self._filtered = FilteredTypes(evaluator)

    def evaluate_steps(
        self, context: Context, types: Sequence[Type], head: str, steps: Sequence[Step]
    ) -> Sequence[Type]:
        """Return what the steps of a term lead to from the types of its head."""
        last = head
        for i, step in enumerate(steps):
            behind = next((after.op for after in steps[i + 1 :] if after.op not in _FUNCTION_STEPS), None)
            called = behind in CALLING
            if step.op is Op.Arguments:
                types = self._with_type_arguments(context, types, head, last, step)
            elif step.op is Op.Given:
                types = self._with_call_arguments(context, types, f"{head}.{last}", step)
            elif step.op in _TYPE_TESTS | _FILTERS:
                types = self._narrow_by_type(context, types, step)
            else:
                external, types = self._split_external(context, types, step, called=called)
                after = [one for type_ in types for one in self.evaluate_step(type_, step, called=called)]
                if external or self._may_be_added(context.path, step, after):
                    after = [one for one in after if one.origin != EXTERNAL]
                types = [*(after or self._elements.unwrapped(context, types, step)), *external]
            last = step.name
        return types

    def _split_external(
        self, context: Context, types: Sequence[Type], step: Step, *, called: bool
    ) -> tuple[Sequence[Type], Sequence[Type]]:
        """Return what a step gives that no declaration of the code base says, and the types that it is taken from."""
        if step.op is Op.Member:
            return self._external_members.member_types(context, types, step.name, called=called), types
        if step.op is Op.Parameter and step.name.isdigit():
            return self._calls.callable_object_parameters(context, types, int(step.name)), types
        if step.op is Op.Call:
            return self._calls.callable_object_results(context, types), types
        if step.op is Op.Pointee:
            return (), self._elements.pointees(context, types)
        return self._elements.split_mappings(context, types) if step.op is Op.Each else ((), types)

    def _may_be_added(self, path: str, step: Step, found: Sequence[Type]) -> bool:
        """Return whether a member that something from outside seems to have may be one that the code base adds."""
        if step.op is not Op.Member or not any(one.origin == EXTERNAL for one in found):
            return False
        return self._external_members.may_be_added(path, step.name)

    def _narrow_by_type(self, context: Context, types: Sequence[Type], step: Step) -> Sequence[Type]:
        """Return what a test or a filter leaves of types, or the type for which a type predicate tests."""
        if step.op in _FILTERS:
            return self._filtered.apply(context, types, step)
        if step.op is Op.Predicated:
            predicates = (one for one in types if one.origin == PREDICATE_TYPE)
            return [tested for one in predicates for types_tested in one.arguments[:1] for tested in types_tested]
        tested = [
            one
            for term in step.arguments
            for one in self._evaluator.evaluate_term(context.path, term, context.scope, context.access, typed=False)
        ]
        if step.op is Op.Otherwise:
            known = [one for one in self._evaluator.resolve_aliases(tested) if one.origin not in _NOTHING_KNOWN]
            return known or types
        if not tested:
            return types
        found = [one for type_ in types for one in self._evaluator.resolve_alias(type_)]
        if step.op in (Op.Joined, Op.Assigned):
            combine = self._unions.join if step.op is Op.Joined else self._unions.assign
            return combine(found, self._evaluator.resolve_aliases(tested))
        return (self._unions.exclude if step.op is Op.Without else self._unions.select)(found, tested)

    def _with_call_arguments(self, context: Context, types: Sequence[Type], name: str, step: Step) -> Sequence[Type]:
        """Return what is called with what it is called with; a function of a library by its ``name``."""
        if any(type_.super_of is not None for type_ in types):
            return [one for type_ in types for one in self._behind_named_class(context, type_, step)]
        if all(type_.origin == EXTERNAL for type_ in types):
            signature = self._external_terms.library_signature(context, name)
            if signature:
                return [self._call_arguments.library_function(context, signature, step)]
        return [self._call_arguments.with_arguments(context, type_, step) for type_ in types]

    def _behind_named_class(self, context: Context, super_: Type, step: Step) -> Iterator[Type]:
        """Yield what ``super`` stands for with arguments: a class, behind which members are looked up, and an object.

        https://docs.python.org/3/library/functions.html#super
        """
        given = [
            self._evaluator.evaluate_term(context.path, term, context.scope, context.access, typed=True)
            for term in step.arguments[:2]
        ]
        objects = given[1] if len(given) > 1 and given[1] else (super_,)
        for named in given[0] if given else ():
            yield from (replace(super_, origin=one.origin, super_of=named.origin) for one in objects)

    def _with_type_arguments(
        self, context: Context, types: Sequence[Type], head: str, name: str, step: Step
    ) -> Sequence[Type]:
        """Return types that end in a ``name`` with their arguments; for a wrapper its first argument."""
        _, semantics = self._resolver.facts(context.path)
        arguments = tuple(
            self._evaluator.evaluate_term(context.path, term, context.scope, context.access, typed=True)
            for term in step.arguments
        )
        if semantics is not None and name in semantics.types.wrappers:
            return arguments[0]
        is_guard = semantics is not None and self._external_terms.is_guard(context.path, semantics, head, name)
        if is_guard and len(arguments) == 1 and not any(isinstance(type_.origin, SymbolRef) for type_ in types):
            return arguments[0]
        external = not types or any(type_.origin == EXTERNAL for type_ in types)
        if external and semantics is not None and self._external_terms.is_standard(context.path, semantics, head, name):
            return (Type(ExternalType(name), arguments=arguments),)
        if not types:
            return (Type(UNKNOWN_TYPE, arguments=arguments),)
        indexes = (
            semantics is None or not semantics.scopes.values_apart
        )  # where an index is spelled like type arguments
        elements = [one for type_ in types for one in self._subscripted(type_)] if indexes else []
        if elements:
            return elements
        made = (Type(COLLECTION_TYPE, is_instance=True, arguments=arguments),)  # by a method of a collection
        return [
            replace(v, arguments=(made, *v.arguments[1:]) if v.is_instance and v.origin == FUNCTION_TYPE else arguments)
            for v in types
        ]

    def _subscripted(self, named: Type) -> Iterator[Type]:
        """Yield the elements of the collection that a variable holds: what looks like type arguments is their index."""
        held = (one for one in self._evaluator.resolve_alias(named) if one.is_instance) if not named.is_instance else ()
        for type_ in held:
            if self._elements.nearest_base(type_, COLLECTION_TYPE) or self._is_subscripted_by_key(type_):
                yield from self._elements.item_types(type_, _ITEM)

    def _is_subscripted_by_key(self, type_: Type) -> bool:
        """Return whether what stands in brackets behind an object is no type argument, whatever it looks like."""
        semantics = self._definitions.rules_of(type_)
        return type_.origin != FUNCTION_TYPE and (semantics is None or semantics.types.types_are_values)

    def evaluate_step(self, type_: Type, step: Step, *, called: bool) -> Iterator[Type]:
        """Yield what a step leads to, after which it is ``called`` or not."""
        if step.op is Op.Call and type_.super_of is not None and not type_.access:
            yield type_  # the ``super()`` of Python
            return
        if step.op is Op.Call and not type_.is_instance and self._definitions.depends_on_call(type_.origin):
            yield from self._calls.call_results_of_name(type_)
            return
        if step.op is Op.Parameter and called and self._is_method_beside_field(type_):
            yield from self._calls.types_taken(type_, step.name)
            return
        if step.op is Op.Call and (results := self._local_call_results(type_)):
            yield from results
            return
        if step.op is Op.Object and isinstance(type_.origin, SymbolRef) and not type_.is_instance:
            yield from self._evaluator.instantiate((type_,))  # before an alias loses what its parameters are by default
            return
        resolved = self._evaluator.resolve_alias(type_)
        evaluate = self._evaluate_resolved
        found = [after for one in resolved if not one.is_fallback for after in evaluate(one, step, called=called)]
        yield from found or (
            after for one in resolved if one.is_fallback for after in evaluate(one, step, called=called)
        )

    def _is_method_beside_field(self, type_: Type) -> bool:
        """Return whether a name is that of a method and of a field: what takes a function is the method."""
        sorts = {one.sort == Sort.Callable for one in self._definitions.bindings(type_.origin)}
        return len(sorts) > 1 and not type_.is_instance and self._definitions.depends_on_call(type_.origin)

    def _local_call_results(self, type_: Type) -> Sequence[Type]:
        """Return what a function gives that is no symbol: a local one, or one of a type without a name."""
        if type_.is_instance or not isinstance(type_.origin, LocalName):
            return ()
        functions = [binding for binding in self._definitions.bindings(type_.origin) if binding.sort == Sort.Callable]
        return self._evaluator.types_of_bindings(type_.origin.path, functions, type_.access)

    def _evaluate_resolved(self, resolved: Type, step: Step, *, called: bool) -> Iterable[Type]:
        """Return what a step leads to from what is no alias."""
        if resolved.origin == PRIMITIVE_TYPE and step.op in _PRIMITIVE_STEPS:
            return (replace(resolved, is_instance=resolved.is_instance or step.op is not Op.Member),)
        if step.op is Op.Where:
            return self._unions.narrow(resolved, discriminants.read(step))
        if resolved.origin == FREE:
            if resolved.is_mapped:
                return ()
            bounds = (bound for bounds in resolved.arguments for bound in bounds)
            after = tuple(one for bound in bounds for one in self.evaluate_step(bound, step, called=called))
            return (replace(resolved, arguments=(after,)),)
        return self._evaluate_by_kind(resolved, step, called=called)

    def _evaluate_by_kind(self, resolved: Type, step: Step, *, called: bool) -> Iterator[Type]:
        match step.op:
            case Op.Member:
                yield from self.member_types(resolved, step.name, called=called)
            case Op.Call:
                yield from self._calls.call_results(resolved)
            case Op.Item | Op.At:
                yield from self._elements.item_types(resolved, step)
            case Op.Each:
                yield from self._elements.iterated_types(resolved)
            case Op.Operator:
                yield from self._elements.operator_results(resolved, f"operator{terms.sign_of(step)}") or (resolved,)
            case Op.Pointee if isinstance(resolved.origin, NonSymbol) and resolved.origin.name in POINTERS:
                yield from self._elements.type_argument(resolved, 0)
            case Op.Part:
                yield from self._elements.part_types(resolved, int(step.name))
            case Op.Parameter:
                yield from self._calls.types_taken(resolved, step.name)
            case Op.Object:
                yield from self._evaluator.instantiate((resolved,))
            case _:
                yield resolved

    def _is_class_member(self, type_: Type, name: str) -> bool:
        """Return whether a member of an object is its class."""
        semantics = self._definitions.rules_of(type_)
        return semantics is not None and name in semantics.library.classes

    def member_types(self, type_: Type, name: str, *, called: bool) -> Iterator[Type]:
        """Yield what a member of something stands for."""
        if self._is_class_member(type_, name):
            yield replace(type_, is_instance=False, access=None)
            return
        if not leaves_member(self._evaluator, type_, name):
            return
        if is_record(type_):
            yield from self._evaluator.record_member_types(type_, name)
        if is_record(type_) or type_.is_mapped:
            return
        members = list(self._evaluator.lookup_member(type_, name, called=called, given=True))
        if not members and type_.is_instance:
            yield from self._elements.indexed_member_types(type_, name)
        for resolution, owner in members:
            if resolution != EXTERNAL:
                yield Type(resolution, access=MemberAccess(replace(type_, access=None), owner))
            elif not type_.is_instance:
                yield Type(EXTERNAL)  # what a module from outside holds
