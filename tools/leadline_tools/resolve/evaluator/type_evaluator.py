"""The type evaluator: what terms stand for, by the rules that every language shares.

A term is a name with steps: ``a.b().c``. A call of a class gives an instance, a call of a function what it returns, and
a member is looked up in a type before its bases. Nothing is executed: a name stands for all that it is bound to, unless
its file says for which of it. Each kind of name and step is evaluated by a part of its own; ``Evaluator`` is what these
ask of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import is_type_parameter
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import Op, Path, Step, Term, parsed
from leadline_tools.model import Reason
from leadline_tools.resolve.evaluator.bound_types import BoundTypes
from leadline_tools.resolve.evaluator.call_arguments import CallArguments
from leadline_tools.resolve.evaluator.call_signatures import CallSignatures
from leadline_tools.resolve.evaluator.call_types import CallEvaluator
from leadline_tools.resolve.evaluator.elements import ElementTypes
from leadline_tools.resolve.evaluator.inference import Inference
from leadline_tools.resolve.evaluator.names import NameEvaluator
from leadline_tools.resolve.evaluator.self_and_super import SelfAndSuperTypes
from leadline_tools.resolve.evaluator.steps import StepEvaluator
from leadline_tools.resolve.evaluator.type_parameters import TypeParameters
from leadline_tools.resolve.members.added_members import AddedMembers
from leadline_tools.resolve.members.discriminated_unions import DiscriminatedUnions
from leadline_tools.resolve.members.explicit_members import ExplicitMembers
from leadline_tools.resolve.members.external_members import ExternalMembers
from leadline_tools.resolve.members.interfaces import Interfaces
from leadline_tools.resolve.members.members import MemberLookup
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.scopes.lookup_scope import lookup_scope, plain_names
from leadline_tools.resolve.types.arities import Arities
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Context
from leadline_tools.resolve.types.external_terms import ExternalTerms
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import UNKNOWN_TYPE, MemberAccess, MemberFilter, Type, Types, all_types

_DEEPEST = 40
"""Terms within terms that are evaluated: a name to its value, that to the result of a call, and so on."""


class TypeEvaluator:
    """Evaluates the terms of a project and keeps their types for as long as the project stays as it is."""

    def __init__(self, resolver: NameResolver, arities: Arities) -> None:
        self._resolver = resolver
        self._arities = arities
        self._evaluated: dict[tuple[str, str, int, MemberAccess | None, bool], Types] = {}
        self._aliases: dict[Type, Sequence[Type]] = {}
        self._depth = 0
        self.definitions = Definitions(resolver)
        self.declarations = Declarations(resolver, self)
        self.inheritance = Inheritance(resolver, self, self.declarations)
        self.interfaces = Interfaces(resolver, self, self.declarations)
        self.external_terms = ExternalTerms(resolver)
        self._add_members()
        self._add_terms()

    def _add_members(self) -> None:
        """Make the parts that look up members."""
        resolver, declarations, inheritance = self._resolver, self.declarations, self.inheritance
        self.unions = DiscriminatedUnions(resolver, self, inheritance)
        self.added_members = AddedMembers(resolver, self, inheritance)
        self.explicit_members = ExplicitMembers(resolver, declarations)
        self.members = MemberLookup(resolver, self, self.definitions, declarations, inheritance, self.added_members)
        self.resolve_member = self.members.resolve_member
        self.lookup_member = self.members.lookup_member
        self.lookup_by_mro = self.members.lookup_by_mro
        self.own_member = self.members.own_member
        self.find_method = self.members.find_method
        self.record_member_types = self.members.record_member_types

    def _add_terms(self) -> None:
        """Make the parts that evaluate names, calls and other steps."""
        resolver, definitions = self._resolver, self.definitions
        declarations, inheritance = self.declarations, self.inheritance
        inference = Inference(resolver, self, declarations, inheritance)
        overloads = CallSignatures(self, definitions, inheritance)
        self.bound_types = BoundTypes(resolver, self, definitions, inheritance)
        self.type_parameters = TypeParameters(resolver, self, definitions, declarations, inference, inheritance)
        self.self_and_super = SelfAndSuperTypes(resolver, self, inheritance)
        self._names = NameEvaluator(
            resolver, self, self.bound_types, self.type_parameters, self.self_and_super, self.external_terms
        )
        elements = ElementTypes(resolver, self, definitions, inheritance)
        self.calls = CallEvaluator(
            resolver, self, definitions, inheritance, inference, overloads, self.type_parameters, elements
        )
        call_arguments = CallArguments(
            resolver, self, definitions, declarations, inference, overloads, self.type_parameters
        )
        external_members = ExternalMembers(resolver, self, inheritance, self.added_members)
        steps = StepEvaluator(
            resolver,
            self,
            definitions,
            self.external_terms,
            elements,
            self.calls,
            call_arguments,
            external_members,
            self.unions,
        )
        self.evaluate_steps = steps.evaluate_steps
        self.evaluate_step = steps.evaluate_step
        self.member_types = steps.member_types
        self.types_of_bindings = self.bound_types.types_of_bindings
        self.types_of_binding = self.bound_types.types_of_binding
        self.aliased_types = self.bound_types.aliased_types
        self.resolve_type_name = self.bound_types.resolve_type_name
        self.instantiate = self.type_parameters.instantiate
        self.call_results = self.calls.call_results
        self.parameter_types = self.calls.parameter_types
        self.overload_parameter_types = self.calls.overload_parameter_types
        self.bind_call = self.calls.bind_call
        self.type_argument = elements.type_argument
        self.part_types = elements.part_types
        self.function_type_parameters = inference.type_parameters
        self.type_parameters_of_call = self.type_parameters.of_call
        self.type_parameter_bounds = self.type_parameters.bounds

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        for part in (self.declarations, self.inheritance, self.interfaces, self.unions, self.added_members):
            part.forget()
        self.bound_types.forget()
        self.type_parameters.forget()
        self._evaluated.clear()
        self._aliases.clear()

    @property
    def is_idle(self) -> bool:
        """Return whether no term, name or base is being evaluated, so that what is found out is all there is."""
        return self._depth == 0 and self.inheritance.is_idle

    def find_definition(self, path: str, name: str) -> SymbolRef | None:
        """Return the definition that a file calls ``name``, at its top or as it is written where it is declared."""
        facts, _ = self._resolver.facts(path)
        if facts is not None and facts.at(name) is not None:
            return SymbolRef(path, name, Reason.Scope)
        found = self.evaluate(path, name, 0) if name else ()
        return next((type_.origin for type_ in found if isinstance(type_.origin, SymbolRef)), None)

    def evaluate(
        self, path: str, term: str, scope: int, access: MemberAccess | None = None, *, typed: bool = False
    ) -> Types:
        """Return what a term stands for in a scope of a file; ``typed`` where it is read as a type."""
        key = (path, term, scope, access, typed)
        if key not in self._evaluated:
            around = self._scope_of(path, term, scope)
            if around != scope:
                return self._evaluated.setdefault(key, self.evaluate(path, term, around, access, typed=typed))
            self._evaluated[key] = ()  # what a circle of definitions finds on its way back
            if self._depth <= _DEEPEST:
                self._depth += 1
                self._evaluated[key] = self.evaluate_term(path, parsed(term), scope, access, typed=typed)
                self._depth -= 1
        return self._evaluated[key]

    def _scope_of(self, path: str, term: str, scope: int) -> int:
        """Return the outermost scope in which a term stands for the same."""
        facts, semantics = self._resolver.facts(path)
        names = plain_names(term) if scope > 0 else ()
        if facts is None or semantics is None or not names:
            return scope
        return lookup_scope(facts, semantics, names, scope)

    def evaluate_path(self, path: str, one: Path, scope: int) -> Sequence[Type]:
        """Return what one of the alternatives of a term stands for in a scope of a file, aliases resolved."""
        return self.resolve_aliases(self.evaluate_term(path, (one,), scope, None, typed=False))

    def evaluate_type(self, path: str, term: str, scope: int, access: MemberAccess | None) -> Types:
        """Return the instances that a type allows; a field may be named like its type."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None:
            return ()
        if facts.scopes[scope].kind is ScopeKind.Class and not semantics.scopes.class_visible:
            own = any(map(is_type_parameter, facts.within(term, scope)))
            scope = scope if own else facts.scopes[scope].parent
        return self.evaluate(path, term, scope, access, typed=True)

    def evaluate_term(self, path: str, term: Term, scope: int, access: MemberAccess | None, *, typed: bool) -> Types:
        """Return what a parsed term stands for, which is not kept."""
        found = (type_ for one in term for type_ in self._evaluate_alternative(path, one, scope, access, typed=typed))
        return tuple(all_types(found))

    def _evaluate_alternative(
        self, path: str, one: Path, scope: int, access: MemberAccess | None, *, typed: bool
    ) -> Sequence[Type]:
        itself = bool(one.steps) and one.steps[-1].op is Op.Itself
        context = Context(path, scope, access, typed and not itself)
        steps = one.steps[1:] if one.steps and one.steps[0].op is Op.Given else one.steps
        first = steps[0].op if steps else Op.Itself if typed else None
        if itself and len(one.steps) == 1:
            first = None  # a value stands there, which may be called like a type
        head = self._names.replace_self_contained(context, one, self._names.evaluate(context, one.head, first))
        types: Sequence[Type] = ()
        if not head:
            types = self._names.evaluate_in_namespace(context, one) or self._names.evaluate_external_tag(context, one)
            head = self._names.external_types(context, one.head, first) if not types else ()
        types = types or self.evaluate_steps(
            context, self._with_arity(context, one.head, head, steps), one.head, one.steps
        )
        if all(type_.origin == UNKNOWN_TYPE for type_ in types):
            types = self._names.evaluate_in_namespace(context, one) or types
        if not typed:
            return types
        return self.resolve_aliases(types) if itself else self.instantiate(types)

    def _with_arity(self, context: Context, name: str, head: Sequence[Type], steps: Sequence[Step]) -> Sequence[Type]:
        """Return what a name stands for, a type as that which takes as many type arguments as are given."""
        _, semantics = self._resolver.facts(context.path)
        if semantics is None or not semantics.types.by_arity:
            return head
        given = len(steps[0].arguments) if steps and steps[0].op is Op.Arguments else 0
        return self._arities.select_by_arguments(head, place_of(name).name, given)

    def is_type(self, type_: Type) -> bool:
        """Return whether something is a type itself."""
        return not type_.is_instance and isinstance(type_.origin, SymbolRef) and self.definitions.is_type(type_.origin)

    def follow_steps(self, path: str, scope: int, types: Sequence[Type], steps: Sequence[Step]) -> Sequence[Type]:
        """Return what steps lead to from some types, aliases resolved."""
        return self.resolve_aliases(self.evaluate_steps(Context(path, scope, None, typed=False), types, "", steps))

    def resolve_aliases(self, types: Iterable[Type]) -> list[Type]:
        """Return types, each name among them as what it stands for."""
        return list(dict.fromkeys(resolved for type_ in types for resolved in self.resolve_alias(type_)))

    def resolve_alias(self, type_: Type) -> Sequence[Type]:
        """Return a type, or what the name that it is bound to stands for."""
        if type_.is_instance:
            return (type_,)
        if type_ not in self._aliases:
            self._aliases[type_] = ()  # what a circle of names finds on its way back
            if self._depth <= _DEEPEST:
                self._depth += 1
                found = self.bound_types.resolve_alias(type_)
                if type_.filters:  # what a name stands for leaves out the same members
                    found = [
                        replace(one, filters=tuple(dict.fromkeys((*one.filters, *type_.filters)))) for one in found
                    ]
                self._aliases[type_] = found
                self._depth -= 1
        return self._aliases[type_]


def _leave_out(type_: Type, filters: Sequence[MemberFilter]) -> Type:
    """Return a type without the members that filters leave out."""
    return replace(type_, filters=tuple(dict.fromkeys((*type_.filters, *filters))))
