"""The types of names by what binds them: what they are declared as, what they are given, what they are an alias of.

No flow is followed: a name stands for all that it is bound to, but where its file says which of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Sort, is_type_parameter
from leadline_tools.languages.joined_types import without_joins
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import UNKNOWN, Op, Path, parsed
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Resolution, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions, is_type_name, narrows_bounds, values_beside_alias
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.external_terms import BUILT_IN
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import UNKNOWN_TYPE, MemberAccess, Type, all_types, is_record

_CALLED = 2
"""Steps of a call of a member."""

_VARIABLE = frozenset({Sort.Value, Sort.Unknown})


class BoundTypes:
    """Evaluates what binds names; keeps which local names have values of unknown types."""

    def __init__(
        self, resolver: NameResolver, evaluator: Evaluator, definitions: Definitions, inheritance: Inheritance
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._inheritance = inheritance
        self._filling: set[tuple[str, str, int]] = set()
        self._partly_unknown: dict[LocalName | SymbolRef, bool] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._partly_unknown.clear()

    def is_partly_unknown(self, path: str, name: str, scope: int) -> bool:
        """Return whether a name is that of a variable that is given several values of which not all are known."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or name in BUILT_IN:
            return False
        if name in (*semantics.scopes.this, *semantics.scopes.own, *semantics.scopes.above):
            return False
        name, within, lines = place_of(name)
        local = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        if isinstance(local, SymbolRef):
            return self._is_partly_unknown(local)
        if not isinstance(local, LocalName) or local.path != path:
            return False
        if lines:
            bound = self.bound_on_lines(lines, Type(local))
            local = bound.origin if isinstance(bound.origin, LocalName) else local
        return self._is_partly_unknown(local)

    def _is_partly_unknown(self, variable: LocalName | SymbolRef) -> bool:
        if variable not in self._partly_unknown:
            self._partly_unknown[variable] = False  # what a variable is given of itself adds nothing
            self._partly_unknown[variable] = self._has_unknown_binding(variable)
        return self._partly_unknown[variable]

    def _returns_partly_unknown(self, path: str, function: Binding) -> bool:
        """Return whether a function returns a local name of which not all values are known."""
        return any(self.is_partly_unknown(path, one.head, function.spelled) for one in parsed(function.made))

    def _has_unknown_binding(self, variable: LocalName | SymbolRef) -> bool:
        """Return whether a variable is given several values of which one is not known."""
        path, bindings = variable.path, self._definitions.bindings(variable)
        if self._declarations_of(variable, bindings):
            return False
        if len(bindings) == 1 and UNKNOWN not in bindings[0].made and "|" not in bindings[0].made:
            return False
        if any(b.type or b.imported >= 0 or b.sort not in _VARIABLE for b in bindings):
            return False
        if len(bindings) == 1:
            return self._has_unknown_value(path, bindings[0])
        return not all(
            self.types_of_binding(path, one, None) or self._types_given_the_others(path, one) for one in bindings
        )

    def _has_unknown_value(self, path: str, binding: Binding) -> bool:
        """Return whether a binding says of one of several values that nothing is known of it.

        Where a variable has the type of its first value (TypeScript) the others are of that type too.
        """
        values = [one for one in parsed(binding.made) if not any(step.op is Op.Predicated for step in one.steps)]
        if any(one.head == UNKNOWN for one in values):
            return True
        counted = values[:1] if narrows_bounds(path) else values
        return not any(self._is_given_itself(path, one, counted, binding) for one in counted) and not all(
            self._value_types(path, one, binding) for one in counted
        )

    def _value_types(self, path: str, value: Path, binding: Binding) -> Sequence[Type]:
        """Return what one of the values of a binding is, aliases resolved."""
        alone = (without_joins(value),)
        return self._evaluator.resolve_aliases(
            self._evaluator.evaluate_term(path, alone, binding.spelled, None, typed=False)
        )

    def _is_given_itself(self, path: str, value: Path, values: Sequence[Path], binding: Binding) -> bool:
        """Return whether a value is the last of ``a.b()|a`` and has no ``b``: what ``with`` enters is spelled so."""
        entered = [one for one in values if one.head == value.head and one.steps[:-_CALLED] == value.steps]
        methods = [one.steps[-_CALLED].name for one in entered if len(one.steps) >= _CALLED and one != value]
        owners = self._value_types(path, value, binding) if methods else ()
        known = all(isinstance(one.origin, SymbolRef) and one.is_instance for one in owners)
        having = (member for one in owners for member in self._evaluator.resolve_member(one, methods[0]))
        return bool(owners) and known and next(having, None) is None

    def _types_given_the_others(self, path: str, binding: Binding) -> Sequence[Type]:
        """Return what a name is given that is made of itself: of ``a = a.b()``, once its other values are known."""
        if not binding.made:
            return ()
        return self._evaluator.evaluate_term(path, parsed(binding.made), binding.spelled, None, typed=False)

    def aliased_types(self, of: SymbolRef) -> Sequence[Type]:
        """Return the instances of what a type is another name for; nothing for any other."""
        aliases = [binding for binding in self._definitions.bindings(of) if binding.sort == Sort.Type and binding.type]
        return self.types_of_bindings(of.path, aliases, None)

    def bound_on_lines(self, lines: frozenset[int], type_: Type) -> Type:
        """Return what a local name stands for as it is bound on some lines, if that is known, or its type declared."""
        if not isinstance(type_.origin, LocalName):
            return type_
        there = replace(type_, origin=replace(type_.origin, lines=lines))
        bindings = self._definitions.bindings(there.origin)
        semantics = semantics_of(type_.origin.path)
        narrows = semantics is not None and semantics.types.narrows_on_assignment
        if narrows and bindings and self._declarations_of(there.origin, bindings):
            return there
        found = self.types_of_bindings(type_.origin.path, bindings, type_.access)
        return there if any(one.origin not in (EXTERNAL, UNKNOWN_TYPE) for one in found) else type_

    def resolve_alias(self, type_: Type) -> Sequence[Type]:
        """Return a type, or what the name that it is bound to stands for."""
        match type_.origin:
            case SymbolRef():
                return self._resolve_symbol(type_, type_.origin)
            case LocalName(path=path):
                bindings = self._definitions.bindings(type_.origin)
                declared = self._declarations_of(type_.origin, bindings)
                found = self._declared_types_first(path, bindings, declared, type_.access)
                if any(binding.sort == Sort.Unknown for binding in bindings):  # a type that is no symbol
                    return [replace(one, is_instance=False) for one in found]
                return found
            case _:
                return (type_,)

    def resolve_type_name(self, type_: Type) -> Sequence[Type]:
        """Return what a name stands for where a type is named, if a variable and an alias of a type have that name.

        Nothing for any other name. https://www.typescriptlang.org/docs/handbook/declaration-merging.html
        """
        of = type_.origin
        bindings = self._definitions.bindings(of) if isinstance(of, SymbolRef) and not type_.is_instance else ()
        if not isinstance(of, SymbolRef) or values_beside_alias(of.path, bindings) is None:
            return ()
        aliases = [one for one in bindings if one.sort == Sort.Type]
        access = MemberAccess(type_, type_) if type_.arguments else type_.access
        found = self.types_of_bindings(of.path, aliases, access)
        return [*((type_,) if self._has_members(of) else ()), *(replace(one, is_instance=False) for one in found)]

    def _resolve_symbol(self, type_: Type, of: SymbolRef) -> Sequence[Type]:
        bindings = self._definitions.bindings(of)
        values = values_beside_alias(of.path, bindings)
        if values is not None:
            return self.types_of_bindings(of.path, values, type_.access) or (type_,)
        if self._definitions.depends_on_call(of):
            bindings = [b for b in bindings if b.sort != Sort.Callable] or bindings
        if any(b.sort == Sort.Callable for b in bindings) or not any(b.type or b.made for b in bindings):
            return (type_,)
        is_alias = any(binding.sort == Sort.Type for binding in bindings)
        access = MemberAccess(type_, type_) if is_alias and type_.arguments else type_.access
        found = self.types_of_bindings(of.path, bindings, access)
        if is_type_name(bindings) or any(map(is_record, found)):  # a type, and a variable of the same name
            return (type_, *found)
        if is_alias:
            found = [replace(one, is_instance=False) for one in found]
        if is_alias and self._has_members(of):  # of the types of a union those that are written out
            return (type_, *found)
        return found or (type_,)

    def _has_members(self, alias: SymbolRef) -> bool:
        facts, _ = self._resolver.facts(alias.path)
        scopes = facts.scopes if facts is not None else ()
        return any(one.name == alias.name and one.kind is ScopeKind.Class for one in scopes)

    def types_of_bindings(self, path: str, bindings: Iterable[Binding], access: MemberAccess | None) -> list[Type]:
        """Return what bindings of a name say of its types."""
        found = (type_ for binding in bindings for type_ in self.types_of_binding(path, binding, access))
        return all_types(found)

    def _declarations_of(self, variable: Resolution, bindings: Sequence[Binding]) -> Sequence[Binding]:
        """Return those bindings of a local name that declare its type, on whatever lines its own are."""
        if isinstance(variable, LocalName) and variable.lines:
            bindings = self._definitions.bindings(replace(variable, lines=frozenset()))
        return [binding for binding in bindings if binding.type]

    def _declared_types_first(
        self, path: str, bindings: Sequence[Binding], declared: Sequence[Binding], access: MemberAccess | None
    ) -> list[Type]:
        """Return what bindings of a local name say of which some bindings declare the type.

        The values of others are fallbacks, unless the language narrows the declared type on assignment.
        """
        semantics = semantics_of(path)
        if declared and semantics is not None and semantics.types.narrows_on_assignment:
            return self._narrow_on_assignment(path, bindings, declared, access)
        others = [binding for binding in bindings if not binding.type]
        if not declared or not others:
            return self.types_of_bindings(path, bindings, access)
        values = self.types_of_bindings(path, others, access)
        fallbacks = (replace(type_, is_fallback=True) for type_ in values)
        return all_types([*self.types_of_bindings(path, declared, access), *fallbacks])

    def _narrow_on_assignment(
        self, path: str, bindings: Sequence[Binding], declared: Sequence[Binding], access: MemberAccess | None
    ) -> list[Type]:
        """Return what a local name of a declared type stands for that is given values.

        https://typing.python.org/en/latest/guides/type_narrowing.html#narrowing-on-assignment
        """
        upper = self.types_of_bindings(path, (one._replace(made="") for one in declared), access)
        is_declared = any(binding.type for binding in bindings)
        found: list[Type] = []
        for binding in bindings:
            values = self.types_of_binding(path, binding._replace(type=""), access)
            if binding.type and any(one.head == UNKNOWN for one in parsed(binding.made)):  # callers may give others
                found += [*upper, *(replace(value, is_fallback=True) for value in values)]
                continue
            narrowed = [self._narrow_to(value, upper, is_declared=is_declared) for value in values]
            found += chain.from_iterable(narrowed or [upper])
        return all_types(found)

    def _narrow_to(self, value: Type, upper: Sequence[Type], *, is_declared: bool) -> Sequence[Type]:
        """Return what a name of a declared type stands for that is assigned a value: that if it is of a subtype."""
        assignable = self._inheritance.is_assignable
        wider = [one for one in upper if assignable(value, one)]
        if same := [one for one in wider if one.origin == value.origin]:
            return same  # with the type arguments that are declared
        if wider:
            return (value, *(one for one in wider if self._lacks_arguments(value, one)))
        if any(assignable(one, value) for one in upper):
            return upper  # the value is known less well than the name
        if is_declared or value.origin == EXTERNAL:
            return (*upper, replace(value, is_fallback=True))
        return (value,)

    def _lacks_arguments(self, value: Type, declared: Type) -> bool:
        """Return whether an object of a subtype does not say what the type arguments of the declared type are."""
        bases = [one for one in self._inheritance.mro(value) if one.origin == declared.origin]
        return (
            bool(declared.arguments)
            and bool(bases)
            and all(argument.origin == UNKNOWN_TYPE for one in bases for each in one.arguments for argument in each)
        )

    def types_of_binding(self, path: str, binding: Binding, access: MemberAccess | None) -> Sequence[Type]:
        """Return what a binding says of the types of its name: its declared type, else what it is made of."""
        found: Sequence[Type] = ()
        if binding.type:
            found = self._evaluator.evaluate_type(path, binding.type, binding.spelled, access)
        if binding.made and is_type_parameter(binding) and narrows_bounds(path):
            return found  # what it stands for elsewhere, where it is given nothing
        if binding.made and not (found and binding.sort in (Sort.Callable, Sort.Getter)):
            if binding.sort == Sort.Callable and self._returns_partly_unknown(path, binding):
                return found
            term = self._without_unknown_elements(path, binding)
            made = self._evaluator.resolve_aliases(self._evaluator.evaluate(path, term, binding.spelled, access))
            found = (*found, *(replace(one, is_fallback=True) for one in made)) if found else made
        return found

    def _without_unknown_elements(self, path: str, binding: Binding) -> str:
        """Return the term of a collection that is made empty, without what it is filled with where some is unknown."""
        empty, _, filled = binding.made.partition("|")
        semantics = semantics_of(path) if filled else None
        if semantics is None or empty not in semantics.types.empty:
            return binding.made
        key = (path, binding.made, binding.spelled)
        if key in self._filling:
            return empty  # it holds itself
        self._filling.add(key)
        held = [term for one in parsed(filled) for step in one.steps for term in step.arguments[-1:]]
        known = all(self._evaluator.evaluate_term(path, term, binding.spelled, None, typed=True) for term in held)
        self._filling.discard(key)
        return binding.made if known and len(held) == len(parsed(filled)) else empty
