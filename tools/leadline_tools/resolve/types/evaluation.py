"""The protocol ``Evaluator``: what the parts of the type evaluator ask of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from leadline_tools.languages.facts import Binding, Facts
from leadline_tools.languages.terms import Path, Step, Term
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.type import MemberAccess, Type, Types, types_of


class Context(NamedTuple):
    """Where a term is read: as a type where ``typed``; ``access`` tells what type parameters stand for there."""

    path: str
    scope: int
    access: MemberAccess | None
    typed: bool


class TermEvaluator(Protocol):
    """Evaluates terms: texts that spell values and types."""

    @property
    def is_idle(self) -> bool:
        """Return whether no term, name or base is being evaluated, so that what is found out is all there is."""
        ...

    def evaluate(
        self, path: str, term: str, scope: int, access: MemberAccess | None = None, *, typed: bool = False
    ) -> Types:
        """Return what a term stands for in a scope of a file; ``typed`` where it is read as a type."""
        ...

    def evaluate_type(self, path: str, term: str, scope: int, access: MemberAccess | None) -> Types:
        """Return the instances that a type allows."""
        ...

    def evaluate_path(self, path: str, one: Path, scope: int) -> Sequence[Type]:
        """Return what one of the alternatives of a term stands for in a scope of a file, aliases resolved."""
        ...

    def evaluate_term(self, path: str, term: Term, scope: int, access: MemberAccess | None, *, typed: bool) -> Types:
        """Return what a parsed term stands for, which is not kept."""
        ...

    def evaluate_steps(
        self, context: Context, types: Sequence[Type], head: str, steps: Sequence[Step]
    ) -> Sequence[Type]:
        """Return what the steps of a term lead to from the types of its head."""
        ...

    def evaluate_step(self, type_: Type, step: Step, *, called: bool) -> Iterator[Type]:
        """Yield what a step leads to, after which it is ``called`` or not."""
        ...

    def follow_steps(self, path: str, scope: int, types: Sequence[Type], steps: Sequence[Step]) -> Sequence[Type]:
        """Return what steps lead to from some types, aliases resolved."""
        ...

    def resolve_alias(self, type_: Type) -> Sequence[Type]:
        """Return a type, or what the name that it is bound to stands for."""
        ...

    def resolve_aliases(self, types: Iterable[Type]) -> list[Type]:
        """Return types, each name among them as what it stands for."""
        ...

    def types_of_bindings(self, path: str, bindings: Iterable[Binding], access: MemberAccess | None) -> list[Type]:
        """Return what bindings of a name say of its types."""
        ...

    def types_of_binding(self, path: str, binding: Binding, access: MemberAccess | None) -> Sequence[Type]:
        """Return what a binding says of the types of its name: its declared type, else what it is made of."""
        ...

    def aliased_types(self, of: SymbolRef) -> Sequence[Type]:
        """Return the instances of what a type is another name for; nothing for any other."""
        ...

    def resolve_type_name(self, type_: Type) -> Sequence[Type]:
        """Return what a name stands for where a type is named, if a variable and an alias of a type have that name."""
        ...

    def instantiate(self, types: Iterable[Type]) -> Types:
        """Return instances of types; what is no type is left out."""
        ...

    def is_type(self, type_: Type) -> bool:
        """Return whether something is a type itself."""
        ...

    def find_definition(self, path: str, name: str) -> SymbolRef | None:
        """Return the definition that a file calls ``name``, at its top or as it is written where it is declared."""
        ...


class MemberTypes(Protocol):
    """Looks up members of types."""

    def resolve_member(self, type_: Type, name: str, *, called: bool = False) -> Iterator[Resolution]:
        """Yield what the member ``name`` of a type may mean."""
        ...

    def lookup_member(
        self, type_: Type, name: str, *, called: bool = False, given: bool = False
    ) -> Iterator[tuple[Resolution, Type]]:
        """Yield what a member may mean, each with the type that declares it."""
        ...

    def lookup_by_mro(self, type_: Type, name: str, *, called: bool, given: bool) -> Sequence[tuple[Resolution, Type]]:
        """Return the member of the nearest type that declares it."""
        ...

    def own_member(self, owner: SymbolRef, name: str) -> Resolution | None:
        """Return the member that a type itself declares."""
        ...

    def find_method(self, of: SymbolRef, name: str) -> SymbolRef | None:
        """Return the method of a type that has a name, its own or inherited."""
        ...

    def member_types(self, type_: Type, name: str, *, called: bool) -> Iterator[Type]:
        """Yield what a member of something stands for."""
        ...

    def record_member_types(self, type_: Type, name: str) -> Sequence[Type]:
        """Return what a member of a record stands for; nothing of what is none."""
        ...


class CallTypes(Protocol):
    """Evaluates calls, parameters, and type parameters."""

    def call_results(self, type_: Type) -> Iterator[Type]:
        """Yield what a call of something gives."""
        ...

    def parameter_types(self, type_: Type, number: int) -> Iterator[Type]:
        """Yield what can be called takes in a place."""
        ...

    def overload_parameter_types(self, function: Type, overload: Binding, number: int) -> Sequence[Type]:
        """Return what one of the overloads of a function takes in a place."""
        ...

    def bind_call(self, type_: Type, function: Binding) -> MemberAccess | None:
        """Return where a function that is called comes from, with what the call gives its type parameters."""
        ...

    def type_argument(self, type_: Type, number: int) -> Iterable[Type]:
        """Return a type argument of an object; -1 for that of its elements."""
        ...

    def part_types(self, type_: Type, number: int) -> Iterable[Type]:
        """Return a part of an object."""
        ...

    def function_type_parameters(
        self, path: str, facts: Facts, function: Binding, *, in_signature: bool = False
    ) -> Sequence[str]:
        """Return the names of the type parameters that a function has itself, in their order."""
        ...

    def type_parameters_of_call(self, function: Type) -> Sequence[str]:
        """Return the names of the type parameters that a call of a function infers: its own, or those of its class."""
        ...

    def type_parameter_bounds(self, path: str, parameter: str, scope: int) -> Sequence[Type]:
        """Return what bounds a type parameter that a scope declares."""
        ...


class Evaluator(TermEvaluator, MemberTypes, CallTypes, Protocol):
    """The whole evaluator of types, as its parts see it."""


def lookup_types(resolver: NameResolver, path: str, name: str, scope: int, role: Role) -> Types:
    """Return what a bare name stands for in a scope of a file."""
    resolution = resolver.scopes.lookup(path, name, scope, role)
    return types_of(resolution) if resolution is not None else ()
