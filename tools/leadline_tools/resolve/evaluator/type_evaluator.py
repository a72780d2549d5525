"""What terms stand for: values, the types that they are objects of, and the members of those.

The rules are those that every language shares: a call of a class gives an object, one of a function what it returns, a
member is looked for in a type before its bases. Nothing is executed: a name stands for all that it is bound to, but
where its file says which of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from leadline_tools.languages import discriminants, language_of, scoping_of, terms
from leadline_tools.languages.facts import (
    NAMELESS,
    OUTSIDE,
    Binding,
    Facts,
    Sort,
    Use,
    class_around,
    is_type_parameter,
    nameless,
)
from leadline_tools.languages.language import Scoping
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rules.types import no_type
from leadline_tools.languages.terms import (
    BARE,
    COLLECTION,
    FUNCTION,
    LAST,
    POINTERS,
    PRIMITIVE,
    TAGS,
    TOP,
    TUPLE,
    UNKNOWN,
    VARIADIC,
    Op,
    Path,
    Step,
    Term,
    parsed,
    place_of,
)
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.evaluator.called_overloads import CalledOverloads
from leadline_tools.resolve.evaluator.discriminated_unions import DiscriminatedUnions
from leadline_tools.resolve.evaluator.inference import Inference, names_taken
from leadline_tools.resolve.project.resolution import (
    EXTERNAL,
    ExternalType,
    LocalName,
    Module,
    NonSymbol,
    Resolution,
    SymbolRef,
)
from leadline_tools.resolve.types import global_objects, host_types
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.function_members import FunctionMembers
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.interfaces import Interfaces
from leadline_tools.resolve.types.type import FREE, MemberAccess, Type

if TYPE_CHECKING:
    from leadline_tools.resolve.resolver import Resolver

_DEEPEST = 40
"""Terms within terms that are followed: a name to its value, that to the result of a call, and so on."""

_DEEPEST_BASE = 8
"""Bases over bases whose constructors are looked for."""

_DEEPEST_NAMES = 4
"""Names given the values of other names of which each value has to be known."""

_MOST_VALUES = 64
"""Values that one term may stand for: as many as a union has types, with the names of it."""

_OF_TYPES = frozenset({Op.Itself, Op.Arguments, Op.Object})
"""What is done with types alone."""

_OF_VALUES = frozenset({Op.Call, Op.Member, Op.Given})
"""What is done with a type of the language that makes a value, or has one."""

_OF_CALLS = frozenset({Op.Call, Op.Parameter})
"""What is done with what is called alone."""

_OF_FUNCTIONS = frozenset({Op.Arguments, Op.Given})
"""What may stand between a function and its call."""

_CALL = Step(Op.Call)
_ITEM = Step(Op.Item)

_BUILT_IN = frozenset({COLLECTION, TUPLE, FUNCTION, PRIMITIVE, VARIADIC, *POINTERS})

_WRAPPERS = ("String", "Number", "Boolean", "BigInt", "Symbol", "RegExp", "Object")
"""The types whose members strings, numbers and the like have: https://tc39.es/ecma262/#sec-fundamental-objects."""

_OF_PRIMITIVES = frozenset({Op.Member, Op.Call, Op.Item, Op.At, Op.Each, Op.Part, Op.Parameter})
"""What is done with a string or a number that gives one again."""

_VARIABLE = frozenset({Sort.Value, Sort.Unknown})

_NOTHING = frozenset({"", "None", "null", "undefined", "nil", "void", FUNCTION, PRIMITIVE})
"""Names of types from outside that are none: of what is not known, and of what has no members that are looked for."""


_Values = tuple["Type", ...]


class _Place(NamedTuple):
    """Where a term is read: as a type where ``typed``."""

    path: str
    scope: int
    taken: MemberAccess | None
    typed: bool


_COLLECTION, _FUNCTION, _TUPLE = ExternalType(COLLECTION), ExternalType(FUNCTION), ExternalType(TUPLE)
_PRIMITIVE, _VARIADIC = ExternalType(PRIMITIVE), ExternalType(VARIADIC)
_GIVEN, _WANTED = ExternalType("given"), ExternalType("wanted")
"""What a function is called with, and what it has to give, among its type arguments."""

_UNKNOWN_TYPE = ExternalType("?")
"""A type of which only the arguments are known, or that it most likely is from outside."""


class TypeEvaluator:
    """Values of the terms of a project, kept for as long as the project stays as it is."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._known: dict[tuple[str, str, int, MemberAccess | None, bool], tuple[Type, ...]] = {}
        self._names: dict[Type, Sequence[Type]] = {}
        self._passing: set[tuple[SymbolRef, str]] = set()
        self._partly_unknown: dict[LocalName, bool] = {}
        self._by_default: dict[SymbolRef, Sequence[tuple[str, str, int]]] = {}
        self.declared = Declarations(resolver)
        self.inheritance = Inheritance(resolver, self)
        self.interfaces = Interfaces(resolver, self)
        self.unions = DiscriminatedUnions(resolver, self)
        self._inference = Inference(resolver, self)
        self._overloads = CalledOverloads(self)
        self._functions = FunctionMembers(resolver, self)
        self._depth = 0
        self._filling: set[tuple[str, str, int]] = set()

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        for part in (self.declared, self.inheritance, self.interfaces, self.unions):
            part.forget()
        for known in (self._known, self._names, self._partly_unknown, self._by_default):
            known.clear()

    # --- Members

    def members_of(self, path: str, term: str, scope: int, name: str, *, called: bool = False) -> Sequence[Resolution]:
        """Return what the member ``name`` of a term may mean; something from outside where it surely means no other."""
        found = self._members_meant(path, term, scope, name, called=called)
        if all(one == EXTERNAL for one in found):
            declared = global_objects.members(self._resolver, path, term, scope, name)
            found = declared if declared is not None else found
        return () if not called and self._needs_call(path, found) else found

    def _members_meant(self, path: str, term: str, scope: int, name: str, *, called: bool) -> Sequence[Resolution]:
        values = self._opened_all(self.of(path, term, scope))
        found: list[Resolution] = []
        inside: list[Resolution] = []
        for told in (False, True):
            if not inside:
                members = (
                    meaning for v in values if v.told is told for meaning, _ in self._members(v, name, called=called)
                )
                found += dict.fromkeys(members)
                inside = [meaning for meaning in found if meaning != EXTERNAL]
        if not inside:
            given = self.declared.given(self.of(path, term, scope), name)
            inside = [*given] or [one for v in values for one, _ in self._added(path, v, name)]
        if not inside and not any(value.instance for value in values):  # an object is no namespace
            inside = [value.of for value in self._in_space(path, f"{term}.{name}", scope)]
        if not inside and not values and self._is_outside(path, term, scope):
            return [EXTERNAL]
        if not inside and self._is_of_outside(path, term, scope, name, values):
            return [EXTERNAL]
        if not inside and any(self._is_native(path, value) for value in values):
            return ()  # or of an interface that it implements
        _, scoping = self._resolver.facts(path)
        if not inside and scoping is not None and (own := self._functions.members(scoping, values, name)) is not None:
            return own
        if inside and scoping is not None and scoping.members.by_interface:
            return self.interfaces.called(inside, path, scope)
        return inside or self._perhaps_added(path, values, name) or found[:1]

    def _needs_call(self, path: str, found: Iterable[Resolution]) -> bool:
        """Tell whether functions that add a member to a type from outside are hardly what is read and not called."""
        _, scoping = self._resolver.facts(path)
        by_call = scoping is not None and scoping.members.added_by_call
        return by_call and any(one.sort == Sort.Callable and one.amends for of in found for one in self._bindings(of))

    def _is_of_outside(self, path: str, term: str, scope: int, name: str, values: Sequence[Type]) -> bool:
        """Tell whether a member that no value of a term has in the code base is surely of something from outside."""
        if self._is_plain(path, term, scope) or self._is_of_outside_base(path, term, scope, name):
            return True
        _, scoping = self._resolver.facts(path)
        if scoping is None or name not in scoping.library.promised:
            return False
        known = self.inheritance.knows_bases  # what is promised is spelled like what promises it
        return bool(values) and all(v.instance and (not isinstance(v.of, SymbolRef) or known(v.of)) for v in values)

    def _is_native(self, path: str, value: Type) -> bool:
        """Tell whether something is of a type that the language of a file itself has, and that may have members."""
        _, scoping = self._resolver.facts(path)
        if scoping is None or scoping.types.native is no_type or not isinstance(value.of, ExternalType):
            return False
        return value.of.name in (COLLECTION, *POINTERS) or bool(scoping.types.native(value.of.name))

    def _is_outside(self, path: str, term: str, scope: int) -> bool:
        """Tell whether a term begins with a name that nothing in the code base has, where every name is declared."""
        _, scoping = self._resolver.facts(path)
        heads = [one.head for one in parsed(term) if all(step.op in (Op.Member, Op.Where) for step in one.steps)]
        if (
            scoping is None
            or not (scoping.visibility.closed or scoping.macros.may_declare)
            or not {UNKNOWN, TAGS}.isdisjoint(heads)
        ):
            return False
        if heads == [TOP]:  # the namespace is known, and has no such name
            return scoping.visibility.closed and not any(map(self._resolver.project.spelling, scoping.scopes.aliasing))
        if not {*scoping.scopes.this, *scoping.scopes.own, *scoping.scopes.above}.isdisjoint(heads):
            return False
        return bool(heads) and all(self._is_declared_nowhere(path, head, scope) for head in heads)

    def _is_declared_nowhere(self, path: str, name: str, scope: int) -> bool:
        """Tell whether nothing in the code base declares what a name means in a scope."""
        if self._resolver.lookup(path, name, scope):
            return False
        if self._resolver.external_names.is_external_type(path, name, scope):
            return True
        _, scoping = self._resolver.facts(path)
        return scoping is not None and scoping.visibility.closed and not self._resolver.project.defining(name, path)

    def _is_plain(self, path: str, term: str, scope: int) -> bool:
        """Tell whether a term is a value of a type of the language itself, or what calls of its methods give."""
        _, scoping = self._resolver.facts(path)
        if scoping is None or not scoping.library.plain_types:
            return False
        either = parsed(term)
        return bool(either) and all(
            one.head in scoping.library.plain_types
            and bool(one.steps)
            and one.steps[0].op is Op.Call  # with what is given it may give an object of a subtype
            and all(step.op is (Op.Member if number % 2 else Op.Call) for number, step in enumerate(_calls(one.steps)))
            and self._resolver.lookup(path, one.head, scope) == EXTERNAL
            for one in either
        )

    def _is_of_outside_base(self, path: str, term: str, scope: int, name: str) -> bool:
        """Tell whether a member that nothing declares is one that the type of a term has from a base from outside."""
        values = self._opened_all(self.of(path, term, scope))
        objects = [value for value in values if value.instance and isinstance(value.of, SymbolRef)]
        if not objects or len(objects) < len(values) or not self._is_wholly_known(path, term, scope):
            return False
        homes = {path, *(value.of.path for value in objects if isinstance(value.of, SymbolRef))}
        if any(self._is_given_from_without(home, name) for home in homes):
            return False
        return all(self.inheritance.is_external_member(value, self._looked_through(value), name) for value in objects)

    def _is_given_from_without(self, path: str, name: str) -> bool:
        """Tell whether a file gives a value to a member that is called so of something else than its own object."""
        facts, _ = self._resolver.facts(path)
        return facts is not None and facts.gives_member(name)

    def _is_wholly_known(self, path: str, term: str, scope: int, deepest: int = _DEEPEST_NAMES) -> bool:
        """Tell whether each value is known that a term may stand for, and that the names in it are given."""
        return all(
            bool(self._of(path, (one,), scope, None, typed=False)) and self._is_name_known(path, one, scope, deepest)
            for one in parsed(term)
        )

    def _is_name_known(self, path: str, one: Path, scope: int, deepest: int) -> bool:
        """Tell whether each value is known that a name is given with which a term begins, if it is a variable."""
        _, scoping = self._resolver.facts(path)
        name, within, line = place_of(one.head)
        if scoping is None or name in (*scoping.scopes.this, *scoping.scopes.own, *scoping.scopes.above):
            return scoping is not None
        meaning = self._resolver.lookup(path, name, within if within > 0 else scope)
        if not isinstance(meaning, SymbolRef | LocalName):
            return True
        bindings = [b for b in self._bindings(meaning) if b.sort in _VARIABLE and b.imported < 0]
        at_line = [b for b in bindings if b.line == line]
        undeclared = [b for b in (at_line or bindings) if not b.type]
        return deepest > 0 and all(
            bool(b.made) and self._is_wholly_known(meaning.path, b.made, b.spelled, deepest - 1) for b in undeclared
        )

    def _in_space(self, path: str, term: str, scope: int) -> Sequence[Type]:
        """Return what a term stands for whose first names are those of a namespace."""
        _, scoping = self._resolver.facts(path)
        names = parsed(term)
        spaced = scoping is not None and (scoping.visibility.spaced or scoping.imports.imports_members)
        if not spaced or any(s.op is not Op.Member for one in names for s in one.steps):
            return ()
        return self._of(path, names, scope, None, typed=False)

    def is_foreign(self, path: str, term: str, scope: int) -> bool:
        """Tell whether a term stands for nothing but what something from outside has made."""
        values = self._opened_all(self.of(path, term, scope))
        outside = (isinstance(value.of, NonSymbol) and not self._is_native(path, value) for value in values)
        return bool(values) and all(outside)

    def is_known(self, path: str, use: Use) -> bool:
        """Tell whether what an occurrence is a member of is something of the code base."""
        named = self.of(path, use.receiver.removesuffix("|"), use.scope)
        return any(isinstance(value.of, SymbolRef) for value in (*named, *self._opened_all(named)))

    def may_be_another(self, path: str, use: Use, meant: Resolution) -> bool:
        """Tell whether an occurrence that may mean a definition may be a member of something else.

        It may be one of something from outside or unknown, or of an object that was given what is meant as a member.
        """
        receiver = use.receiver.removesuffix("|")
        if receiver in (BARE, UNKNOWN) or use.imported >= 0 or use.role is Role.Definition:
            return False
        return self._may_be_foreign(path, receiver, use.scope, meant) or self._may_be_unknown(path, receiver, use.scope)

    def _may_be_foreign(self, path: str, receiver: str, scope: int, meant: Resolution) -> bool:
        """Tell whether a term may stand for something of a type from outside, or for what was given what is meant."""
        values = self._opened_all(self.of(path, receiver, scope))
        if any(_is_same(meant, one.of) for v in values if _is_record(v) for held in v.arguments for one in held):
            return True
        outside = (value for value in values if not self._is_native(path, value) and not _is_record(value))
        return any(isinstance(value.of, NonSymbol) and value.of.name not in _NOTHING for value in outside)

    def _may_be_unknown(self, path: str, receiver: str, scope: int) -> bool:
        """Tell whether a term stands for one of several values of which not all are known.

        They may be those that a local name is given: no flow is followed, so the one that is known need not be the one
        that the name has there.
        """
        either = parsed(receiver)
        if len(either) > 1 and not all(self._is_of_the_code(path, one, scope) for one in either):
            return True
        return any(self._is_partly_unknown(path, one.head, scope) for one in either)

    def _is_of_the_code(self, path: str, one: Path, scope: int) -> bool:
        """Tell whether a term stands for something of the code base, or for nothing."""
        return one.head in _NOTHING or any(v.of != EXTERNAL for v in self._of(path, (one,), scope, None, typed=False))

    def _is_partly_unknown(self, path: str, name: str, scope: int) -> bool:
        _, scoping = self._resolver.facts(path)
        if (
            scoping is None
            or name in _BUILT_IN
            or name in (*scoping.scopes.this, *scoping.scopes.own, *scoping.scopes.above)
        ):
            return False
        name, within, line = place_of(name)
        meaning = self._resolver.lookup(path, name, within if within > 0 else scope)
        if not isinstance(meaning, LocalName) or meaning.path != path:
            return False
        if line:
            bound = self._bound_on(line, Type(meaning))
            meaning = bound.of if isinstance(bound.of, LocalName) else meaning
        if meaning not in self._partly_unknown:
            self._partly_unknown[meaning] = self._has_unknown_value(meaning)
        return self._partly_unknown[meaning]

    def _gives_partly_unknown(self, path: str, function: Binding) -> bool:
        """Tell whether a function returns a local name of which not all values are known."""
        return any(self._is_partly_unknown(path, one.head, function.spelled) for one in parsed(function.made))

    def _has_unknown_value(self, local: LocalName) -> bool:
        """Tell whether a local name is given several values of which one is not known."""
        path, bindings = local.path, self._bindings(local)
        if len(bindings) == 1 or any(b.type or b.imported >= 0 or b.sort not in _VARIABLE for b in bindings):
            return False
        return not all(self._content(path, one, None) or self._said_again(path, one) for one in bindings)

    def _said_again(self, path: str, binding: Binding) -> Sequence[Type]:
        """Return what a name is given that is made of itself: of ``a = a.b()``, once its other values are known."""
        return self._of(path, parsed(binding.made), binding.spelled, None, typed=False) if binding.made else ()

    def assigned_nearer(self, path: str, use: Use, name: str) -> SymbolRef | None:
        """Return the attribute of the nearest type of an object, where methods alone declare it; None for any other."""
        values = self._opened_all(self.of(path, use.receiver.removesuffix("|"), use.scope))
        for owner in self._looked_through(values[0]) if len(values) == 1 else ():
            member = self._own(owner.of, name) if isinstance(owner.of, SymbolRef) else None
            if member is not None:
                return member if isinstance(member, SymbolRef) and self.is_assigned(member) else None
        return None

    def receivers(self, path: str, use: Use) -> Sequence[SymbolRef]:
        """Return the types of the code base that the object may have of which a use is a member."""
        term = use.receiver.removesuffix("|")
        values = self._opened_all(self.of(path, term, use.scope)) if use.receiver not in (BARE, UNKNOWN) else ()
        return [value.of for value in values if isinstance(value.of, SymbolRef)]

    def is_of_nameless(self, path: str, name: str, use: Use) -> bool:
        """Tell whether a use is a member of an object whose type has no name: a literal, or one written in place."""
        _, scoping = self._resolver.facts(path)
        term = use.receiver.removesuffix("|")
        values = self._opened_all(self.of(path, term, use.scope)) if use.receiver not in (BARE, UNKNOWN) else ()
        usual = scoping.library.collection_members if scoping is not None else frozenset[str]()
        held = bool(usual) and name not in usual
        return any(_is_record(value) or (held and value.of == _COLLECTION) for value in values)

    def members(self, value: Type, name: str, *, called: bool = False) -> Iterator[Resolution]:
        """Yield what the member ``name`` of a value may mean."""
        return (meaning for opened in self._opened(value) for meaning, _ in self._members(opened, name, called=called))

    def _members(
        self, value: Type, name: str, *, called: bool = False, given: bool = False
    ) -> Iterator[tuple[Resolution, Type]]:
        """Yield the meanings of a member, each with the type that declares it; see ``_nearest`` for ``given``."""
        match value.of:
            case Module():
                meaning = self._resolver.exported(value.of, name)
                if meaning is not None:
                    yield from ((one, value) for one in _all(meaning))
            case SymbolRef():
                found = self._nearest(value, name, called=called, given=given)
                found = found or [(one, value) for one in self._exported_with(value.of, name)]
                yield from found or ((one, value) for one in self._amending(value.of.path, value, name))
                yield from ((held, owner) for one, owner in found for held in self._given_functions(one))
                passed_on = self._passed_on(value, name) if not found else None
                if passed_on is not None:
                    yield passed_on, value
                elif not found and value.instance and self.inheritance.has_others(value):
                    yield EXTERNAL, value
            case ExternalType() if _is_record(value):
                yield from ((one, value) for one in self._of_record(value, name))
            case ExternalType() if value.of != _UNKNOWN_TYPE:
                merged = list(host_types.merged(self._resolver, value, name)) if value.instance else []
                if merged:
                    yield from ((one, Type(replace(one, name=one.name.rpartition(".")[0]))) for one in merged)
                elif value.of != _PRIMITIVE or not self._may_be_added(name):
                    yield EXTERNAL, value
            case _:
                return

    def _may_be_added(self, name: str) -> bool:
        """Tell whether the code base may give strings, numbers or the like a member: ``String.prototype.a = ...``."""
        project = self._resolver.project
        files = project.defining(name, "")
        return any(project.may_declare(file, f"{wrapper}.{name}") for file in files for wrapper in _WRAPPERS)

    def _of_record(self, value: Type, name: str) -> Sequence[Resolution]:
        """Return the functions and types that a member of a record holds; else it is nothing that is declared."""
        held = self.held(value, name)
        meant = (one.of for one in held if isinstance(one.of, SymbolRef) and self._is_function_or_type(one))
        declared = [replace(one, reason=Reason.Receiver) for one in meant]
        of = value.of.name if isinstance(value.of, ExternalType) else ""
        return declared or ([EXTERNAL] if held or terms.member_of_record(of, name) < 0 else ())

    def _exported_with(self, of: SymbolRef, name: str) -> Sequence[Resolution]:
        """Return the member that a module gives what it exports as a whole: ``module.exports.a = ...``."""
        facts, scoping = self._resolver.facts(of.path)
        if facts is None or scoping is None or not scoping.imports.whole_exports:
            return ()
        given = (one for one in facts.uses.get(name, ()) if one.receiver in scoping.imports.whole_exports)
        if not any(one.role in (Role.Definition, Role.Write) for one in given):
            return ()
        wholes = (one for one in facts.imports if one.exports and one.alias in scoping.imports.whole_exports)
        if not any(one.name == of.name and not one.module for one in wholes):
            return ()
        meaning = self._resolver.exported(Module((of.path,)), name)
        return _all(meaning) if meaning is not None else ()

    def _given_functions(self, member: Resolution) -> Sequence[SymbolRef]:
        """Return the functions and types that a member of an object without a name is given: it is called like them."""
        if not isinstance(member, LocalName):
            return ()
        held = (one for binding in self._bindings(member) for one in self._content(member.path, binding, None))
        meant = (one.of for one in held if isinstance(one.of, SymbolRef) and self._is_function_or_type(one))
        return [replace(one, reason=Reason.Receiver) for one in meant]

    def _is_function_or_type(self, value: Type) -> bool:
        sorts = {binding.sort for binding in self._bindings(value.of)}
        return not value.instance and not sorts.isdisjoint((Sort.Callable, Sort.Type))

    def held(self, value: Type, name: str) -> Sequence[Type]:
        """Return what a member of a record holds; nothing of what is none."""
        record = isinstance(value.of, ExternalType) and terms.is_record(value.of.name)
        at = terms.member_of_record(value.of.name, name) if record and isinstance(value.of, ExternalType) else -1
        return value.arguments[at] if 0 <= at < len(value.arguments) else ()

    def _passed_on(self, module: Type, name: str) -> Resolution | None:
        """Return what a module inside a file has from elsewhere; one that has it from itself has nothing."""
        if module.instance or not isinstance(module.of, SymbolRef) or (module.of, name) in self._passing:
            return None
        self._passing.add((module.of, name))
        try:
            return self._resolver.passed_on(module.of, name)
        finally:
            self._passing.discard((module.of, name))

    def _amending(self, path: str, value: Type, name: str) -> Iterator[SymbolRef]:
        """Yield what adds a member to the type of an object from outside of it, for what a file holds."""
        types: Sequence[Type] = ()
        for file, binding in self.declared.amending(path, name) if value.instance else ():
            types = types or self.inheritance.mro(value)
            amended = self.types(file, binding.amends, binding.spelled, None)
            facts, _ = self._resolver.facts(file)
            anything = facts is not None and binding.amends in self._inference.parameters(file, facts, binding)
            if (anything and not amended) or any(_is_same(one.of, other.of) for one in amended for other in types):
                yield SymbolRef(file, binding.path, Reason.Receiver)

    def _added(self, path: str, value: Type, name: str) -> Iterator[tuple[SymbolRef, Type]]:
        """Yield the members that the code base gives a type from outside, for what a file holds, with their owners."""
        if isinstance(value.of, ExternalType):
            yield from ((one, value) for one in self._amending(path, value, name))
        for one in self.inheritance.mro(value):
            if self._is_native(path, one):
                yield from self._native(path, one, name)

    def _perhaps_added(self, path: str, values: Iterable[Type], name: str) -> Sequence[SymbolRef]:
        """Return the members that the code base gives types from outside, of which an object from outside may be."""
        _, scoping = self._resolver.facts(path)
        outside = any(value.instance and isinstance(value.of, ExternalType) for value in values)
        if scoping is None or not outside or name in scoping.library.common:
            return ()
        return [
            SymbolRef(file, binding.path, Reason.Receiver)
            for file, binding in self.declared.amending(path, name)
            if all(isinstance(one.of, NonSymbol) for one in self.types(file, binding.amends, binding.spelled, None))
        ]

    def _native(self, path: str, value: Type, name: str) -> Iterator[tuple[SymbolRef, Type]]:
        """Yield the members that the code base declares for a type that the language itself has."""
        _, scoping = self._resolver.facts(path)
        if scoping is None or scoping.types.native is no_type or not isinstance(value.of, NonSymbol):
            return
        declaring = self._resolver.project.declaring(name, scoping.types.native)
        for kind in POINTERS if value.of.name in POINTERS[:1] else (value.of.name,):
            found = [one for one in declaring if scoping.types.native(one[1]) == kind and scoping_of(one[0]) is scoping]
            for file, owner in found:
                of = SymbolRef(file, owner, Reason.Receiver)
                yield SymbolRef(file, f"{owner}.{name}", Reason.Receiver), replace(value, of=of, taken=None)
            if found:
                return

    def _nearest(self, value: Type, name: str, *, called: bool, given: bool) -> Sequence[tuple[Resolution, Type]]:
        """Return the member of the nearest type that declares it; where calls are told apart, of one that suits.

        A method that gives a value to a member that is inherited declares none: with ``given`` those are told too, as
        they say more of its value, up to the nearest that is known: it takes the place of those before it.
        """
        spare: list[tuple[Resolution, Type]] = []
        assigned: list[tuple[Resolution, Type]] = []
        for owner in self._looked_through(value):
            found = self._own(owner.of, name) if isinstance(owner.of, SymbolRef) else None
            if found is None and isinstance(owner.of, SymbolRef) and not value.instance:
                found = self.declared.of_companion(owner.of, name)
            if found is None and isinstance(owner.of, SymbolRef) and self._is_given_to_macro(owner.of, name):
                return []
            if found is None:
                continue
            if not self._suits(found, called=called):
                spare.append((found, owner))
            elif self.is_assigned(found):
                assigned.append((found, owner))
            else:
                return [*(self._known_first(assigned) if given else ()), *((one, owner) for one in _all(found))]
        if called and value.instance:
            spare = [one for one in spare if not self._is_field_apart(one[0])]
        return self._known_first(assigned) if given and assigned else assigned[-1:] or spare[:1]

    def _is_given_to_macro(self, of: SymbolRef, name: str) -> bool:
        """Tell whether a macro in the body of a type is given a name, and so may declare it: ``METHOD(void, run, ())``.

        It looks like a declaration whose parameters have types alone.
        """
        facts, scoping = self._resolver.facts(of.path)
        if facts is None or scoping is None or not (scoping.macros.may_declare and scoping.scopes.class_visible):
            return False
        for use in facts.uses.get(name, ()):
            around = facts.scopes[use.scope] if use.role is Role.Type and use.receiver in (BARE, TAGS) else None
            if around is not None and around.name == of.name and around.kind is ScopeKind.Block:
                return facts.scopes[around.parent].kind is ScopeKind.Class
        return False

    def _looked_through(self, value: Type) -> Sequence[Type]:
        """Return the types in which a member of a value may be, the nearest first."""
        types = self.inheritance.mro(value)
        if value.above is None:
            return types
        itself = (number for number, one in enumerate(types, 1) if _is_same(one.of, value.above))
        return types[next(itself, 1) :]

    def _known_first(self, assigned: Sequence[tuple[Resolution, Type]]) -> Sequence[tuple[Resolution, Type]]:
        """Return members that methods give values to, the nearest first, up to one whose value is known."""
        for number, (member, owner) in enumerate(assigned[:-1], 1):
            if isinstance(member, SymbolRef) and self._contents(
                member.path, self._bindings(member), MemberAccess(owner, owner)
            ):
                return assigned[:number]
        return assigned

    def is_assigned(self, member: Resolution) -> bool:
        """Tell whether a member is declared by nothing but the values that methods give it."""
        bindings = self._bindings(member) if isinstance(member, SymbolRef) else ()
        return bool(bindings) and all(b.scope == OUTSIDE and b.sort == Sort.Value for b in bindings)

    def _own(self, owner: SymbolRef, name: str) -> Resolution | None:
        """Return the member that a type itself declares, or one without a name."""
        if not owner.name.startswith(NAMELESS):
            return self.declared.own(owner, name) or self.declared.imported(owner, name)
        scope = int(owner.name.removeprefix(NAMELESS))
        local = LocalName(owner.path, name, scope)
        facts, _ = self._resolver.facts(owner.path)
        around = facts.scopes[scope] if facts is not None else None
        apart = around is not None and (around.kind is ScopeKind.Table or not around.name)
        listed = next((one.path for one in facts.within(name, scope) if one.path), "") if facts and apart else ""
        return SymbolRef(owner.path, listed, Reason.Receiver) if listed else local if self._bindings(local) else None

    def _suits(self, member: Resolution, *, called: bool) -> bool:
        """Tell whether a member is one that is called, or none of those, where the language tells them apart."""
        bindings = self._bindings(member)
        if not bindings or not self._calls_apart(member, members=True):
            return True
        return any(b.sort == Sort.Getter or (b.sort == Sort.Callable) is called for b in bindings)

    def _calls_apart(self, of: Resolution, *, members: bool = False) -> bool:
        language = language_of(of.path) if isinstance(of, SymbolRef | LocalName) else None
        scoping = language.scoping if language is not None else None
        return scoping is not None and (scoping.calls.calls_apart or (members and scoping.calls.fields_apart))

    def _is_field_apart(self, member: Resolution) -> bool:
        """Tell whether a member is a field that no call of a member means."""
        apart = not self._calls_apart(member) and self._calls_apart(member, members=True)
        return apart and all(binding.sort == Sort.Value for binding in self._bindings(member))

    def _is_called_apart(self, of: Resolution) -> bool:
        """Tell whether what a name means depends on whether it is called: of a field and a method of one name too."""
        if self._calls_apart(of) or not self._calls_apart(of, members=True):
            return self._calls_apart(of)
        return len({binding.sort == Sort.Callable for binding in self._bindings(of)}) > 1

    def named(self, path: str, name: str) -> SymbolRef | None:
        """Return the definition that a file calls ``name``, at its top or as it is written where it is declared."""
        facts, _ = self._resolver.facts(path)
        if facts is not None and facts.at(name) is not None:
            return SymbolRef(path, name, Reason.Scope)
        found = self.of(path, name, 0) if name else ()
        return next((value.of for value in found if isinstance(value.of, SymbolRef)), None)

    def method(self, of: SymbolRef, name: str) -> SymbolRef | None:
        """Return the method of a type that has a name, its own or inherited."""
        member = next((meaning for meaning, _ in self._members(Type(of), name)), None)
        callable_ = isinstance(member, SymbolRef) and any(one.sort == Sort.Callable for one in self._bindings(member))
        return member if isinstance(member, SymbolRef) and callable_ else None

    def aliased(self, of: SymbolRef) -> Sequence[Type]:
        """Return the objects of what a type is another name for; nothing for any other."""
        types = [binding for binding in self._bindings(of) if binding.sort == Sort.Type and binding.type]
        return self._contents(of.path, types, None)

    # --- Terms

    def of(
        self, path: str, term: str, scope: int, taken: MemberAccess | None = None, *, typed: bool = False
    ) -> tuple[Type, ...]:
        """Return what a term stands for in a scope of a file; ``typed`` where it is read as a type."""
        key = (path, term, scope, taken, typed)
        if key not in self._known:
            self._known[key] = ()  # what a circle of definitions finds on its way back
            if self._depth <= _DEEPEST:
                self._depth += 1
                self._known[key] = self._of(path, parsed(term), scope, taken, typed=typed)
                self._depth -= 1
        return self._known[key]

    def read(self, path: str, one: Path, scope: int) -> Sequence[Type]:
        """Return what one of the alternatives of a term stands for in a scope of a file, names followed."""
        return self._opened_all(self._of(path, (one,), scope, None, typed=False))

    def types(self, path: str, term: str, scope: int, taken: MemberAccess | None) -> tuple[Type, ...]:
        """Return the objects that a type allows; a field may be named like its type."""
        facts, scoping = self._resolver.facts(path)
        if facts is None or scoping is None:
            return ()
        if facts.scopes[scope].kind is ScopeKind.Class and not scoping.scopes.class_visible:
            own = any(map(is_type_parameter, facts.within(term, scope)))
            scope = scope if own else facts.scopes[scope].parent
        return self.of(path, term, scope, taken, typed=True)

    def _of(self, path: str, term: Term, scope: int, taken: MemberAccess | None, *, typed: bool) -> tuple[Type, ...]:
        found = (value for one in term for value in self._along(path, one, scope, taken, typed=typed))
        return tuple(dict.fromkeys(found))[:_MOST_VALUES]

    def _along(self, path: str, one: Path, scope: int, taken: MemberAccess | None, *, typed: bool) -> Sequence[Type]:
        itself = bool(one.steps) and one.steps[-1].op is Op.Itself
        place = _Place(path, scope, taken, typed and not itself)
        steps = one.steps[1:] if one.steps and one.steps[0].op is Op.Given else one.steps
        first = steps[0].op if steps else Op.Itself if typed else None
        if itself and len(one.steps) == 1:
            first = None  # a value stands there, which may be called like a type
        head = self._head(place, one.head, first)
        values: Sequence[Type] = ()
        if not head:
            values = self._spaced(place, one) or self._tagged_outside(place, one)
            head = self._from_outside(place, one.head, first) if not values else ()
        values = values or self._stepped(place, self._of_arity(place, head, steps), one.head, one.steps)
        if all(value.of == _UNKNOWN_TYPE for value in values):
            values = self._spaced(place, one) or values
        if not typed:
            return values
        return self._opened_all(values) if itself else self._objects(values)

    def _of_arity(self, place: _Place, head: Sequence[Type], steps: Sequence[Step]) -> Sequence[Type]:
        """Return what a name stands for, a type as that which takes as many type arguments as are given."""
        _, scoping = self._resolver.facts(place.path)
        if scoping is None or not scoping.types.by_arity:
            return head
        given = len(steps[0].arguments) if steps and steps[0].op is Op.Arguments else 0
        return self._resolver.arities.of_values(head, given)

    def _stepped(self, place: _Place, values: Sequence[Type], head: str, steps: Sequence[Step]) -> Sequence[Type]:
        last = head
        for i, step in enumerate(steps):
            called = any(after.op in _OF_CALLS for after in steps[i + 1 : i + 2])
            if any(after.op in _OF_FUNCTIONS for after in steps[i + 1 : i + 2]):
                called = any(after.op in _OF_CALLS for after in steps[i + 2 : i + 3])
            if step.op is Op.Arguments:
                values = self._applied(place, values, head, last, step)
            elif step.op is Op.Given:
                library = self._of_library(place, f"{head}.{last}") if all(v.of == EXTERNAL for v in values) else ""
                values = (
                    [self._library_function(place, library, step)]
                    if library
                    else [self._called_with(place, value, step) for value in values]
                )
            else:
                outside: Sequence[Type] = ()
                if step.op is Op.Member:
                    outside = self._of_outside(place, values, step.name, called=called)
                elif step.op is Op.Parameter:
                    outside = self._taken_as_function(place, values, int(step.name))
                elif step.op is Op.Pointee:
                    values = self._pointed(place, values)
                elif step.op is Op.Each:
                    outside, values = self._paired(place, values)
                after = [one for value in values for one in self._after(value, step, called=called)]
                after = [one for one in after if one.of != EXTERNAL] if outside else after
                values = [*(after or self._unwrapped(place, values, step)), *outside]
            last = step.name
        return values

    def _of_outside(self, place: _Place, values: Iterable[Type], name: str, *, called: bool) -> Sequence[Type]:
        """Return the members called ``name`` of objects from outside: methods of collections, what adds to a type.

        What is not called is no method of a collection: the part of a tuple may be called like one.
        """
        _, scoping = self._resolver.facts(place.path)
        host = scoping if scoping is not None and scoping.library.host_member is not None else None
        hosted = host_types.members(host, self._opened_all(values), name, called=called) if host is not None else ()
        if hosted:
            return hosted
        term = scoping.library.collections.get(name, "") if scoping is not None else ""
        term = "" if term.startswith(FUNCTION) and not called else term
        if scoping is None or not (
            term or scoping.members.amended or scoping.library.member_types or scoping.types.native is not no_type
        ):
            return ()
        opened = self._opened_all(values)
        inner = scoping.library.member_types.get(name, "")
        types = [
            one for one in opened if inner and not one.instance and isinstance(one.of, NonSymbol) and one.arguments
        ]
        objects = [one for value in opened if term and (one := self._holding(value, scoping, name)) is not None]
        added = [(v, *one) for v in opened for one in self._added(place.path, v, name)]
        methods = [
            method
            for value in objects
            for method in self._of(place.path, parsed(term), place.scope, MemberAccess(value, value), typed=True)
        ]
        for one in types:
            made = MemberAccess(replace(one, instance=True), one)
            methods += self._of(place.path, parsed(inner), place.scope, made, typed=True)
        return [*methods, *(Type(one, taken=MemberAccess(replace(v, taken=None), owner)) for v, one, owner in added)]

    def _unwrapped(self, place: _Place, values: Iterable[Type], step: Step) -> Sequence[Type]:
        """Return what objects hold that are not told from what they wrap, where a member is taken that gives it."""
        _, scoping = self._resolver.facts(place.path)
        if step.op is not Op.Member or scoping is None or step.name not in scoping.types.unwraps:
            return ()
        objects = [value for value in self._opened_all(values) if value.instance]
        held = (
            (self._part(one, LAST) if one.of == _TUPLE else self._argument_at(one, -1))
            if isinstance(one.of, NonSymbol)
            else (one,)
            for one in objects
        )
        return [value for one in held for value in one]

    def _paired(self, place: _Place, values: Sequence[Type]) -> tuple[Sequence[Type], Sequence[Type]]:
        """Return what a loop takes from those objects from outside that give keys with values, and the others."""
        _, scoping = self._resolver.facts(place.path)
        if scoping is None or not scoping.types.paired:
            return (), values
        opened = self._opened_all(values)
        maps = [
            one
            for one in opened
            if one.instance and isinstance(one.of, NonSymbol) and one.of.name in scoping.types.paired
        ]
        return [replace(one, of=_TUPLE) for one in maps], [one for one in opened if one not in maps]

    def _pointed(self, place: _Place, values: Sequence[Type]) -> Sequence[Type]:
        """Return what objects point to that act as pointers, where a language does not tell those by their types."""
        _, scoping = self._resolver.facts(place.path)
        if scoping is None or not scoping.types.pointers:
            return values
        return list(
            dict.fromkeys(one for v in self._opened_all(values) for one in self._pointee(v, scoping.types.pointers))
        )

    def _pointee(self, value: Type, operators: Sequence[str]) -> Iterable[Type]:
        if isinstance(value.of, NonSymbol) and value.of != _TUPLE and value.instance and value.arguments:
            return self._argument_at(value, 0)
        for operator in operators if isinstance(value.of, SymbolRef) and value.instance else ():
            pointee = self._operated(value, operator)
            if pointee:
                return pointee
        return (value,)

    def _holding(self, value: Type, scoping: Scoping, name: str) -> Type | None:
        """Return an object as the collection from outside that has a member; None where a type in between has it."""
        for one in self.inheritance.mro(value) if value.instance else ():
            if isinstance(one.of, NonSymbol):
                if (
                    one.arguments
                    and not _is_record(one)
                    and (not scoping.library.holders or _is_known(scoping, one.of.name))
                ):
                    return replace(one, instance=True)
            elif isinstance(one.of, SymbolRef) and self._own(one.of, name) is not None:
                return None
        return None

    def _taken_as_function(self, place: _Place, values: Iterable[Type], number: int) -> Sequence[Type]:
        """Return what objects take in a place that are no functions, but of types by whose method they are called."""
        _, scoping = self._resolver.facts(place.path)
        if scoping is None or not scoping.library.callables:
            return ()
        found: list[Type] = []
        for value in self._opened_all(values):
            if value.instance and isinstance(value.of, NonSymbol) and value.of.name in scoping.library.callables:
                term = parsed(scoping.library.callables[value.of.name])
                functions: Sequence[Type] = self._of(place.path, term, 0, MemberAccess(value, value), typed=True)
            else:
                functions = self._single_method(value)
            found += (taken for function in functions for taken in self._of_function(function, number + 1))
        return found

    def _single_method(self, value: Type) -> Sequence[Type]:
        """Return the one method without a body of an object's type, or of the nearest that it inherits from."""
        for owner in self.inheritance.mro(value) if value.instance else ():
            facts, _ = self._resolver.facts(owner.of.path) if isinstance(owner.of, SymbolRef) else (None, None)
            if facts is None or not isinstance(owner.of, SymbolRef):
                continue
            open_ = [one for one in facts.callables if one.path == f"{owner.of.name}.{one.name}"]
            if len(open_) == 1:
                return self.types(owner.of.path, open_[0].takes, open_[0].spelled, MemberAccess(value, owner))
            if open_:
                break
        return ()

    def _applied(self, place: _Place, values: Sequence[Type], head: str, name: str, step: Step) -> Sequence[Type]:
        """Return types that end in a ``name`` with their arguments; for a wrapper its first argument."""
        _, scoping = self._resolver.facts(place.path)
        arguments = tuple(self._of(place.path, term, place.scope, place.taken, typed=True) for term in step.arguments)
        if scoping is not None and name in scoping.types.wrappers:
            return arguments[0]
        outside = not values or any(value.of == EXTERNAL for value in values)
        if outside and scoping is not None and self._is_standard(place.path, scoping, head, name):
            return (Type(ExternalType(name), arguments=arguments),)
        if not values:
            return (Type(_UNKNOWN_TYPE, arguments=arguments),)
        indexes = scoping is None or not scoping.scopes.values_apart  # where an index is spelled like type arguments
        elements = [one for value in values for one in self._at_index(value)] if indexes else []
        if elements:
            return elements
        made = (Type(_COLLECTION, instance=True, arguments=arguments),)  # by a method of a collection
        return [
            replace(v, arguments=(made, *v.arguments[1:]) if v.instance and v.of == _FUNCTION else arguments)
            for v in values
        ]

    def _called_with(self, place: _Place, value: Type, step: Step) -> Type:
        """Return a function with what it is called with, a type with what that tells of its type parameters."""
        if value.instance or not isinstance(value.of, SymbolRef):
            return value
        facts, _ = self._resolver.facts(value.of.path)
        names, sorts = self._generics(value.of), {binding.sort for binding in self._bindings(value.of)}
        if names and Sort.Type in sorts and Sort.Callable not in sorts:  # a function may be called like a type
            bound = self._constructed(value.of, self._given(place, step), _DEEPEST_BASE)
            return replace(value, arguments=tuple(bound.get(name, ()) for name in names)) if bound else value
        bindings = self._bindings(value.of)
        if facts is None or not (
            self._overloads.are_several(value.of, bindings)
            or any(self._inference.parameters(value.of.path, facts, one, taken=True) for one in bindings)
        ):
            return value
        given = self._given(place, step)
        calls = [Type(_GIVEN, arguments=given)]
        if wanted := self._wanted(place, step):
            calls.append(Type(_WANTED, arguments=(wanted,)))
        return replace(value, arguments=(*value.arguments, tuple(calls)))

    def _generics(self, of: SymbolRef) -> Sequence[str]:
        """Return the names of the type parameters of a type."""
        return [name for _, one in self.declared.heritage(of) for name in self.declared.generics(of, one)]

    def _constructed(self, of: SymbolRef, given: Sequence[Sequence[Type]], deepest: int) -> Mapping[str, _Values]:
        """Return what the type parameters of a type stand for where an object is made with what is ``given``.

        A type that has no constructor of its own has that of the base which has one.
        """
        facts, _ = self._resolver.facts(of.path)
        names, made = self._generics(of), list(self._constructors(of))
        if facts is None or not names or not deepest:
            return {}
        if any(one.takes or one.sort == Sort.Callable for one in made):
            taking = [one for one in made if not names_taken(one).isdisjoint(names)]
            return dict(self._inference.bound(of.path, facts, taking[0], given, names=names)) if taking else {}
        for path, heritage in self.declared.heritage(of):
            for base in (one for term in heritage.bases for one in parsed(term)):
                found = self._of_base(path, heritage.scope, base, given, deepest)
                if found:
                    return {name: values for name, values in found.items() if name in names}
        return {}

    def _of_base(
        self, path: str, scope: int, base: Path, given: Sequence[Sequence[Type]], deepest: int
    ) -> Mapping[str, _Values]:
        """Return what names stand for that a type gives a base as arguments, by what an object of that is made with."""
        arguments = [argument for step in base.steps if step.op is Op.Arguments for argument in step.arguments]
        for one in self._of(path, (replace(base, steps=()),), scope, None, typed=False) if arguments else ():
            if isinstance(one.of, SymbolRef):
                bound = self._constructed(one.of, given, deepest - 1)
                paired = zip(arguments, self._generics(one.of), strict=False)
                return {a.head: bound[name] for term, name in paired for a in term if not a.steps and name in bound}
        return {}

    def _given(self, place: _Place, step: Step) -> tuple[tuple[Type, ...], ...]:
        """Return what something is called with."""
        given = (one for one in step.arguments if not _is_wanted(one))
        return tuple(self._of(place.path, one, place.scope, place.taken, typed=True) for one in given)

    def _wanted(self, place: _Place, step: Step) -> tuple[Type, ...]:
        """Return what a call has to give, as the place of the call says it."""
        said = (one for wanted in step.arguments[:1] if _is_wanted(wanted) for one in wanted[0].steps[0].arguments)
        return tuple(value for one in said for value in self._of(place.path, one, place.scope, place.taken, typed=True))

    def _library_function(self, place: _Place, library: str, step: Step) -> Type:
        """Return a function from outside, whose type is known, that is called with something."""
        given = self._inference.given(place.path, parsed(library), self._given(place, step))
        return Type(_FUNCTION, instance=True, arguments=(tuple(given),))

    def _of_library(self, place: _Place, name: str) -> str:
        """Return the type of a function that a file has from outside, where the rules of its language know it."""
        facts, scoping = self._resolver.facts(place.path)
        head, _, member = name.partition(".")
        if facts is None or scoping is None or not scoping.library.functions:
            return ""
        modules = {facts.imports[one.imported].module for one in facts.named(head) if one.imported >= 0}
        return scoping.library.functions.get(f"{modules.pop()}.{member}", "") if len(modules) == 1 else ""

    def _constructors(self, of: SymbolRef) -> Iterator[Binding]:
        """Yield what makes objects of a type: its constructors, or what it takes itself."""
        yield from self._bindings(of)
        facts, _ = self._resolver.facts(of.path)
        language = language_of(of.path)
        for name in (*language.names.constructors, of.name.rpartition(".")[2]) if language is not None else ():
            yield from facts.all_at(f"{of.name}.{name}") if facts is not None else ()

    def _at_index(self, named: Type) -> Iterator[Type]:
        """Yield the elements of the collection that a variable holds: what looks like type arguments is their index."""
        held = (one for one in self._opened(named) if one.instance) if not named.instance else ()
        for value in held:
            if self._seen_as(value, _COLLECTION) or self._holds_by_key(value):
                yield from self._item(value, _ITEM)

    def _holds_by_key(self, value: Type) -> bool:
        """Tell whether what stands in brackets behind an object is no type argument, whatever it looks like."""
        scoping = self._rules_of(value)
        return value.of != _FUNCTION and (scoping is None or scoping.types.types_are_values)

    def _is_standard(self, path: str, scoping: Scoping, head: str, name: str) -> bool:
        """Tell whether a type is one that the rules of a language know, and not of another package by its import."""
        facts, _ = self._resolver.facts(path)
        if facts is None or not _is_known(scoping, name):
            return False
        imports = (facts.imports[binding.imported] for binding in facts.named(head) if binding.imported >= 0)
        return all(one.module.startswith(scoping.library.standard) for one in imports)

    def _spaced(self, place: _Place, one: Path) -> Sequence[Type]:
        """Read the first names as those of a namespace."""
        _, scoping = self._resolver.facts(place.path)
        names = [one.head]
        spaced = scoping is not None and (scoping.visibility.spaced or scoping.imports.imports_members)
        for i, step in enumerate(one.steps if spaced else ()):
            if step.op is not Op.Member:
                break
            meaning = self._inside(place, ".".join(names), step.name)
            found = self._stepped(place, _each(meaning), step.name, one.steps[i + 1 :]) if meaning is not None else ()
            if found:
                return found
            names.append(step.name)
        return ()

    def _inside(self, place: _Place, space: str, name: str) -> Resolution | None:
        """Return what a name means in a namespace, or in a package."""
        _, scoping = self._resolver.facts(place.path)
        if scoping is not None and scoping.visibility.spaced:
            return self._resolver.in_namespace(place.path, space, name, place.scope)
        found = self._resolver.follow(place.path, Imported(space, name, name))
        return found if isinstance(found, SymbolRef) else None

    def _head(self, place: _Place, head: str, first: Op | None) -> Sequence[Type]:
        """Return what the first name of a term stands for, given what is done with it first."""
        name, scope, line = place_of(head)
        found = self._first(place._replace(scope=scope) if scope > 0 else place, name, first)
        return [self._bound_on(line, value) for value in found] if line else found

    def _first(self, place: _Place, name: str, first: Op | None) -> Sequence[Type]:
        """Return what a name stands for that a term begins with, as a place sees it."""
        path, _, taken, _ = place
        facts, scoping = self._resolver.facts(path)
        if facts is None or scoping is None or name in (UNKNOWN, TAGS):
            return ()
        if name in _BUILT_IN or name == terms.GIVEN or terms.is_record(name):
            return (Type(ExternalType(name)),)
        if name in scoping.scopes.this or name in scoping.scopes.own or name in scoping.scopes.above:
            own = self._own_objects(place, facts, scoping, name)
            if own or name not in scoping.scopes.own:
                return own
        given = dict(taken.bound).get(name) if taken is not None and taken.bound else None
        if given == ():
            return ()  # what a call gives a type parameter is more than its bound says
        if given is None and taken is not None:
            given = self._argument(name, taken.owner, path)
        if given is None:
            return self._bare(place, facts, scoping, name, first)
        given = given or tuple(self._bounds(place, scoping, name))
        itself = first is None and not place.typed  # the type itself, none of its objects
        return [replace(one, instance=False) for one in given] if itself else given

    def _bound_on(self, line: int, value: Type) -> Type:
        """Return what a local name stands for as it is bound on a line, if that is known."""
        if not isinstance(value.of, LocalName):
            return value
        there = replace(value, of=replace(value.of, line=line))
        found = self._contents(value.of.path, self._bindings(there.of), value.taken)
        return there if any(one.of not in (EXTERNAL, _UNKNOWN_TYPE) for one in found) else value

    def _bounds(self, place: _Place, scoping: Scoping, name: str) -> Sequence[Type]:
        """Return what a type parameter is at least, whose argument is not known: what is spelled of it."""
        found = self._opened_all(self._looked_up(place.path, name, place.scope, Role.Type))
        return [one for one in found if not isinstance(one.of, Module) and one.of.name != scoping.members.root]

    def _bare(self, place: _Place, facts: Facts, scoping: Scoping, name: str, first: Op | None) -> Sequence[Type]:
        """Return what a name alone stands for."""
        typed = first in _OF_TYPES and (first is not Op.Arguments or place.typed)  # a function has arguments too
        typed = typed or (place.typed and scoping.scopes.types_apart and first is Op.Member)
        role = Role.Type if typed else Role.Call if first in _OF_CALLS else Role.Read
        found = self._looked_up(place.path, name, place.scope, role)
        outside = found == (Type(EXTERNAL),) and not any(one.imported >= 0 for one in facts.named(name))
        hosted = self._of_host(scoping, name, first, typed=typed) if outside else ()
        if hosted:
            return hosted
        if name in scoping.library.primitives and first in _OF_VALUES and not typed and found == (Type(EXTERNAL),):
            return (Type(_PRIMITIVE),)
        if not found and first is Op.Parameter:  # a variable that holds what is called
            found = self._looked_up(place.path, name, place.scope, Role.Read)
        if scoping.types.native(name) and all(isinstance(value.of, Module) for value in found):
            itself = (Type(ExternalType(name)),)  # no module is a type, and what it lacks its namesake may have
            found = itself if typed else (*found, *itself)
        if place.taken is None and scoping.scopes.class_visible:
            return [replace(v, taken=self._taken_bare(place.path, facts, place.scope, v.of)) for v in found]
        if place.taken is not None and (typed or _is_generic(place.taken)):
            # what bounds a type parameter may name those of the receiver, and so may what a local name is given
            return [self._placed(v, place, facts) for v in found]
        if place.taken is not None and not _is_same(place.taken.receiver.of, place.taken.owner.of):
            return [self._beside(v, place, facts) for v in found]
        return found

    def _of_host(self, scoping: Scoping, name: str, first: Op | None, *, typed: bool) -> Sequence[Type]:
        """Return what a name stands for that the host of a program declares, as far as its type is known."""
        if not typed and name in scoping.library.host_values:
            return host_types.values_of(scoping.library.host_values[name])
        plain = first is not Op.Arguments and (typed or first is Op.Member or name not in scoping.library.primitives)
        named = host_types.named(scoping, name) if plain else None
        return (named,) if named is not None else ()

    def _placed(self, value: Type, place: _Place, facts: Facts) -> Type:
        """Return what a name stands for with what is known of type parameters where it stands."""
        if place.taken is not None and self._is_within(value.of, place.taken.owner) and not value.arguments:
            return replace(value, arguments=place.taken.owner.arguments, taken=place.taken)
        return self._beside(value, place, facts)

    def _beside(self, value: Type, place: _Place, facts: Facts) -> Type:
        """Return what a name stands for as something of the object that the place where it stands belongs to."""
        return replace(value, taken=place.taken) if self._is_beside(value.of, place, facts) else value

    def _is_within(self, of: Resolution, owner: Type) -> bool:
        """Tell whether a type has the type arguments of another: it is in that and has none of its own, or is that.

        https://eel.is/c++draft/temp.local, and nested types that are declared where type parameters are seen.
        """
        if not isinstance(of, SymbolRef) or not isinstance(owner.of, SymbolRef) or not self._is_declared_type(of):
            return False
        if of.same(owner.of):
            return True
        return of.path == owner.of.path and of.name.startswith(f"{owner.of.name}.") and not self._generics(of)

    def _is_declared_type(self, of: SymbolRef) -> bool:
        return _is_declared(self._bindings(of))

    def _is_beside(self, of: Resolution, place: _Place, facts: Facts) -> bool:
        """Tell whether a local name, or a type in a type, belongs to the class that a place does."""
        owner = place.taken.owner.of if place.taken is not None else None
        if isinstance(of, SymbolRef) and isinstance(owner, SymbolRef):
            return (of.path, of.name.rpartition(".")[0]) == (owner.path, owner.name)
        if not isinstance(of, LocalName) or of.path != place.path:
            return False
        return class_around(facts.scopes, of.scope) == class_around(facts.scopes, place.scope)

    def _looked_up(self, path: str, name: str, scope: int, role: Role) -> Sequence[Type]:
        meaning = self._resolver.lookup(path, name, scope, role)
        return _each(meaning) if meaning is not None else ()

    def _own_objects(self, place: _Place, facts: Facts, scoping: Scoping, name: str) -> Sequence[Type]:
        """Return what one of the names by which a method calls its own object stands for, or its class."""
        bare = name in scoping.scopes.this and place.taken is None
        if bare and any(b.type and not b.path for b in facts.named(name)):  # a function may say it
            said = self._opened_all(self._looked_up(place.path, name, place.scope, Role.Read))
            if said:
                return said
        if scoping.members.extends and (place.taken is None or isinstance(place.taken.receiver.of, Module)):
            extended = self._extended(place.path, facts, scoping, place.scope)
            if extended:
                return [replace(one, instance=name not in scoping.scopes.own) for one in extended]
        own = self._own_object(place.path, facts, scoping, place.scope, place.taken)
        if own is None:
            return ()
        above = (
            self._own_object(place.path, facts, scoping, place.scope, None) if name in scoping.scopes.above else None
        )
        return (replace(own, instance=name not in scoping.scopes.own, above=above.of if above is not None else None),)

    def _extended(self, path: str, facts: Facts, scoping: Scoping, scope: int) -> Sequence[Type]:
        """Return what a member belongs to that is declared apart from its type; nothing where that says no more of it.

        What is declared for a type parameter has what that is bound by, and what is implemented for it there.
        """
        inner = _enclosing(facts, scope, ScopeKind.Class)
        around, outer = facts.scopes[inner].name, facts.scopes[inner].parent
        if outer < 0 or facts.scopes[outer].kind is not ScopeKind.Implementation:
            return ()
        here = [one for one in facts.heritage_of(around) if one.scope == outer]
        if facts.within(around, outer):
            bases = (base for one in here for base in one.bases)
            return [value for term in (around, *bases) for value in self.types(path, term, outer, None)]
        arguments = tuple(self.types(path, name, outer, None) for one in here[:1] for name in one.generics)
        native = scoping.types.native(around)
        of = ExternalType(native) if native else self.named(path, around) if any(arguments) else None
        return (Type(of, arguments=arguments),) if of is not None else ()

    def _from_outside(self, place: _Place, name: str, first: Op | None) -> Sequence[Type]:
        """Return what a name stands for that nothing in the code base has, where every name is declared."""
        facts, scoping = self._resolver.facts(place.path)
        if scoping is None or not (place.typed or first in _OF_TYPES) or name in (UNKNOWN, TAGS):
            return ()
        if place.taken is not None and self._looked_up(place.path, name, place.scope, Role.Type):
            return ()  # a type parameter of which nothing is known
        external = self._resolver.external_names.is_external_type(place.path, name, place.scope)
        unbound = scoping.library.host_member is not None and facts is not None and not facts.named(name)
        nowhere = external or (
            (scoping.visibility.closed or unbound) and not self._resolver.project.defining(name, place.path)
        )
        return (Type(ExternalType(name)),) if nowhere else ()

    def _tagged_outside(self, place: _Place, one: Path) -> Sequence[Type]:
        """Return what a term stands for of a type from outside: it begins with a tag, or outside of all namespaces."""
        if one.head not in (TAGS, TOP) or not one.steps or one.steps[0].op is not Op.Member:
            return ()
        tag = one.steps[0].name
        if one.head == TOP:
            outside = self._is_outside(place.path, TOP, place.scope)
            return self._stepped(place, (Type(ExternalType(tag)),), tag, one.steps[1:]) if outside else ()
        return self._stepped(place, self._from_outside(place, tag, Op.Itself), tag, one.steps[1:])

    def _taken_bare(self, path: str, facts: Facts, scope: int, member: Resolution) -> MemberAccess | None:
        """Return where a member comes from that a name alone means; None where no type arguments depend on it."""
        if not isinstance(member, SymbolRef):
            return None
        owner = (member.path, member.name.rpartition(".")[0])
        for own in self._objects_around(path, facts, scope) if owner[1] else ():
            for one in self.inheritance.mro(own):
                if isinstance(one.of, SymbolRef) and (one.of.path, one.of.name) == owner:
                    return MemberAccess(own, one) if one.arguments else None
        return None

    def _objects_around(self, path: str, facts: Facts, scope: int) -> Iterator[Type]:
        """Yield the objects whose members are seen bare in a scope, of the innermost class first."""
        _, scoping = self._resolver.facts(path)
        inner = scope
        while scope > 0:
            if facts.scopes[scope].kind is ScopeKind.Class:
                yield Type(SymbolRef(path, facts.scopes[scope].name or nameless(scope), Reason.Receiver))
            scope = facts.scopes[scope].parent
        own = (
            self._own_object(path, facts, scoping, inner, None)
            if scoping is not None and scoping.visibility.linked
            else None
        )
        if own is not None:  # of a method that is defined outside of its class
            yield own

    def _own_object(
        self, path: str, facts: Facts, scoping: Scoping, scope: int, taken: MemberAccess | None
    ) -> Type | None:
        """Return the object that a method belongs to: as what it was taken from, else as its class says."""
        if taken is not None and not isinstance(taken.receiver.of, Module):
            return replace(taken.receiver, above=None)
        amended = self._amended(path, facts, scoping, scope)
        if amended is not None:
            return amended
        around = class_around(facts.scopes, scope, facts.outside, facts.makers)
        if around:
            extended = self.named(path, around) if scoping.members.extends else None
            aliased = self.aliased(extended) if extended is not None else ()
            return aliased[0] if aliased else Type(extended or SymbolRef(path, around, Reason.Receiver))
        if scoping.types.anonymous and (unnamed := _enclosing(facts, scope, ScopeKind.Class)) > 0:
            return Type(SymbolRef(path, nameless(unnamed), Reason.Receiver))
        if not scoping.visibility.spaced:
            return None
        _, parent, name = facts.scopes[_enclosing(facts, scope, ScopeKind.Function)]
        owner = name.rpartition(".")[0]
        outside = self.of(path, owner, parent) if owner and parent >= 0 else ()
        return outside[0] if outside else None

    def received(self, path: str, scope: int) -> SymbolRef | None:
        """Return the type of the code base to which the function of a scope adds a member from outside."""
        facts, scoping = self._resolver.facts(path)
        own = self._amended(path, facts, scoping, scope) if facts is not None and scoping is not None else None
        return own.of if own is not None and isinstance(own.of, SymbolRef) else None

    def _amended(self, path: str, facts: Facts, scoping: Scoping, scope: int) -> Type | None:
        """Return the object that a function around belongs to which adds a member to its type from outside."""
        if not scoping.scopes.sees_outer_members:
            return None
        around = _enclosing(facts, scope, ScopeKind.Function)
        function = facts.scopes[around].name
        named = facts.all_at(function) if function else ()
        binding = next((one for one in named if one.spelled == around), facts.at(function) if function else None)
        of = self.types(path, binding.amends, binding.spelled, None) if binding is not None and binding.amends else ()
        return replace(of[0], instance=False) if of else None

    def _argument(self, parameter: str, owner: Type, path: str) -> tuple[Type, ...] | None:
        """Return what stands for a type parameter, as a file calls it, of a type with arguments; None for no such."""
        if not isinstance(owner.of, SymbolRef) or not owner.arguments:
            return None
        facts, _ = self._resolver.facts(path)
        here = facts.heritage_of(owner.of.name) if facts is not None and path != owner.of.path else ()
        declared = (one for of in _around(owner.of) for _, one in self.declared.heritage(of))
        for heritage in (*here, *declared):
            if parameter in heritage.generics:
                names = self.declared.generics(owner.of, heritage)
                if parameter not in names:
                    continue
                at = names.index(parameter)
                if at >= len(owner.arguments) and not any(owner.arguments):
                    return ()  # of a diamond no argument is known
                return owner.arguments[at] if at < len(owner.arguments) else None
        return None

    def _objects(self, values: Iterable[Type]) -> tuple[Type, ...]:
        """Return objects of types; what is no type is left out."""
        found: list[Type] = []
        for one in values:
            named = one if one.instance else self._with_defaults(one)
            for value in (named,) if _is_declared(self._bindings(named.of)) else self._opened(named):
                if value.instance:
                    found.append(value)
                elif isinstance(value.of, NonSymbol) or (isinstance(value.of, SymbolRef) and self._is_type(value.of)):
                    found.append(replace(self._with_defaults(self._of_outer(value)), instance=True, taken=None))
        return tuple(dict.fromkeys(found))

    def _of_outer(self, value: Type) -> Type:
        """Return a type with the type arguments of that which it was taken from, where it has no parameters."""
        owner = value.taken.owner if value.taken is not None and not value.arguments else None
        within = owner is not None and owner.arguments and self._is_within(value.of, owner)
        return replace(value, arguments=owner.arguments) if within and owner is not None else value

    def _with_defaults(self, value: Type) -> Type:
        """Return a type whose type parameters that it is given nothing for stand for what they do by default."""
        if not isinstance(value.of, SymbolRef) or not _narrows_bounds(value.of.path):
            return value
        for path, term, scope in self._defaults(value.of)[len(value.arguments) :]:
            given = self.types(path, term, scope, MemberAccess(value, value)) if term else ()
            value = replace(value, arguments=(*value.arguments, given))
        return value if any(value.arguments) else replace(value, arguments=())

    def _defaults(self, of: SymbolRef) -> Sequence[tuple[str, str, int]]:
        """Return what the type parameters of a type stand for by default, each with where its term is read."""
        if of not in self._by_default:
            found: list[tuple[str, str, int]] = []
            for path, heritage in self.declared.heritage(of):
                facts, scope = self._resolver.facts(path)[0], heritage.scope
                for name in heritage.generics if facts is not None and not found else ():
                    bound = facts.within(name, scope) if facts is not None else ()
                    found.append((path, next((one.made for one in bound if is_type_parameter(one)), ""), scope))
            self._by_default[of] = found if any(term for _, term, _ in found) else ()
        return self._by_default[of]

    def _is_type(self, of: SymbolRef) -> bool:
        sorts = {binding.sort for binding in self._bindings(of)}
        return Sort.Type in sorts or not sorts.intersection((Sort.Callable, Sort.Getter))

    # --- Steps

    def _after(self, value: Type, step: Step, *, called: bool) -> Iterator[Type]:
        """Yield what a step leads to, after which it is ``called`` or not."""
        if step.op is Op.Call and value.above is not None and not value.taken:
            yield value  # the ``super()`` of Python
            return
        if step.op is Op.Call and not value.instance and self._is_called_apart(value.of):
            yield from self._called_apart(value)
            return
        if step.op is Op.Call and (given := self._given_locally(value)):
            yield from given
            return
        opened = self._opened(value)
        found = [after for one in opened if not one.told for after in self._next(one, step, called=called)]
        yield from found or (after for one in opened if one.told for after in self._next(one, step, called=called))

    def _given_locally(self, value: Type) -> Sequence[Type]:
        """Return what a function gives that is no symbol: a local one, or one of a type without a name."""
        if value.instance or not isinstance(value.of, LocalName):
            return ()
        functions = [binding for binding in self._bindings(value.of) if binding.sort == Sort.Callable]
        return self._contents(value.of.path, functions, value.taken)

    def _next(self, opened: Type, step: Step, *, called: bool) -> Iterable[Type]:
        """Return what a step leads to from what is no name."""
        if opened.of == _PRIMITIVE and step.op in _OF_PRIMITIVES:
            return (replace(opened, instance=opened.instance or step.op is not Op.Member),)
        if step.op is Op.Where:
            return self.unions.narrowed(opened, discriminants.read(step))
        if opened.of == FREE:
            bounds = (
                after
                for bounds in opened.arguments
                for one in bounds
                for after in self._after(one, step, called=called)
            )
            return (replace(opened, arguments=(tuple(bounds),)),) if not opened.mapped else ()
        return self._after_step(opened, step, called=called)

    def _after_step(self, opened: Type, step: Step, *, called: bool) -> Iterator[Type]:
        match step.op:
            case Op.Member:
                yield from self._taken(opened, step.name, called=called)
            case Op.Call:
                yield from self._called(opened)
            case Op.Item | Op.At:
                yield from self._item(opened, step)
            case Op.Each:
                yield from self._elements(opened)
            case Op.Operator:
                yield from self._operated(opened, f"operator{terms.sign_of(step)}") or (opened,)
            case Op.Pointee if isinstance(opened.of, NonSymbol) and opened.of.name in POINTERS:
                yield from self._argument_at(opened, 0)
            case Op.Part:
                yield from self._part(opened, int(step.name))
            case Op.Parameter:
                yield from self._parameter(opened, int(step.name))
            case Op.Object:
                yield from self._objects((opened,))
            case _:
                yield opened

    def _item(self, value: Type, step: Step) -> Iterable[Type]:
        """Return an element of an object, of a tuple that at its place; a type itself, which takes arguments so."""
        if isinstance(value.of, SymbolRef) and not value.instance:
            return (value,)
        if step.op is Op.At and self._seen_as(value, _TUPLE) is not None:
            return self._part(value, int(step.name))
        return self._by_protocol(value, Op.Item) or self._argument_at(value, -1)

    def _elements(self, value: Type) -> Iterable[Type]:
        """Return what a loop takes from an object: what its type says that is, else its first type argument."""
        if isinstance(value.of, SymbolRef) and not value.instance:
            return (replace(value, instance=True),)  # of a class only what it lists
        scoping = self._rules_of(value)
        if scoping is not None and scoping.types.element:
            for member, owner in self._nearest(value, scoping.types.element, called=False, given=False):
                path = member.path if isinstance(member, SymbolRef) else ""
                found = self._contents(path, self._bindings(member), MemberAccess(value, owner))
                if found:
                    return found
        return self._by_protocol(value, Op.Each) or self._by_index(value) or self._argument_at(value, 0)

    def _by_index(self, value: Type) -> Sequence[Type]:
        """Return what a loop takes from an object whose type only says what an index gives, as do all its bases."""
        scoping = self._rules_of(value)
        if (
            scoping is None
            or not scoping.library.iterates
            or any(self._taken(value, scoping.library.iterates, called=True))
        ):
            return ()
        outside = any(isinstance(one.of, NonSymbol) for one in self.inheritance.mro(value))
        return () if outside else self._by_protocol(value, Op.Item)

    def _by_protocol(self, value: Type, op: Op) -> Sequence[Type]:
        """Return what methods of an object's type say that a step gives."""
        scoping = self._rules_of(value)
        if scoping is None or not isinstance(value.of, SymbolRef):
            return ()
        given = self._operated(value, scoping.library.operators[op]) if op in scoping.library.operators else ()
        if given:
            return given
        read = (
            self.of(value.of.path, term, 0, MemberAccess(value, value))
            for term in scoping.library.protocols.get(op, ())
        )
        return next((found for found in map(self._opened_all, read) if found), ())

    def _operated(self, value: Type, operator: str) -> Sequence[Type]:
        """Return what an object gives by the operator of its type."""
        found = self._taken(value, operator, called=True)
        return [after for one in found for after in self._after(one, _CALL, called=False)]

    def _is_class_of(self, value: Type, name: str) -> bool:
        """Tell whether a member of an object is its class."""
        scoping = self._rules_of(value)
        return scoping is not None and name in scoping.library.classes

    def _rules_of(self, value: Type) -> Scoping | None:
        """Return the rules of the language that the type of an object is written in; None for anything else."""
        of = value.of
        return self._resolver.facts(of.path)[1] if value.instance and isinstance(of, SymbolRef) else None

    def _seen_as(self, value: Type, *types: ExternalType) -> Type | None:
        """Return the nearest of some types that an object is of, with its arguments there; None for none of them."""
        return next((one for one in self.inheritance.mro(value) if one.of in types), None)

    def _argument_at(self, value: Type, number: int) -> Iterable[Type]:
        """Return a type argument of an object; that of a collection where its type is, or inherits from, one.

        An element of a tuple may be any of its parts.
        """
        if not value.instance or (_is_record(value) and number >= 0):
            return ()
        if _is_record(value):  # any of its members
            return dict.fromkeys(one for held in value.arguments for one in held)
        inherited = (one for one in self.inheritance.mro(value) if isinstance(one.of, NonSymbol) and one.arguments)
        collection = self._seen_as(value, _COLLECTION, _TUPLE) or next(inherited, value)
        if collection.of == _TUPLE:
            return dict.fromkeys(part for parts in collection.arguments for part in parts)
        return collection.arguments[number] if collection.arguments else ()

    def _taken(self, value: Type, name: str, *, called: bool) -> Iterator[Type]:
        if self._is_class_of(value, name):
            yield replace(value, instance=False, taken=None)
            return
        if _is_record(value):
            yield from self.held(value, name)
        if _is_record(value) or value.mapped:
            return
        for meaning, owner in self._members(value, name, called=called, given=True):
            if meaning != EXTERNAL:
                yield Type(meaning, taken=MemberAccess(replace(value, taken=None), owner))
            elif not value.instance:
                yield Type(EXTERNAL)  # what a module from outside holds

    def _called(self, value: Type) -> Iterator[Type]:
        if value.instance:
            yield from self._of_function(value, 0) or self._by_protocol(value, Op.Call)
        elif isinstance(value.of, NonSymbol):
            known = value.of.name or value.arguments
            yield replace(value, instance=True) if known else Type(_UNKNOWN_TYPE, instance=True)
        elif isinstance(value.of, SymbolRef):
            bindings = self._bindings(value.of)
            functions = [binding for binding in bindings if binding.sort == Sort.Callable]
            if {binding.sort for binding in bindings} == {Sort.Value}:
                return  # of what is called no more is known than its name
            if not functions:
                yield replace(self._of_owner(value), instance=True, taken=None)
            yield from self._results(value, value.of.path, functions)
            if functions and self._makes(value.of):
                yield replace(value, instance=True, taken=None)

    def _results(self, value: Type, path: str, functions: Sequence[Binding]) -> Iterator[Type]:
        """Yield what a function returns; nothing where overloads are known in part, and name no type."""
        fitting = self._overloads.fitting(value, functions, _given_to(value))
        found = [self._content(path, function, self._bound(value, function)) for function in fitting]
        typed = any(isinstance(one.of, SymbolRef) for results in found for one in results)
        if typed or all(found):
            yield from (one for results in found for one in results)

    def _makes(self, function: SymbolRef) -> bool:
        """Tell whether a function gives members to the objects that ``new`` makes with it."""
        facts, _ = self._resolver.facts(function.path)
        return facts is not None and function.name in facts.makers

    def _bound(self, value: Type, function: Binding) -> MemberAccess | None:
        """Return where a function that is called comes from, with what the call gives its type parameters."""
        facts, _ = self._resolver.facts(value.of.path) if isinstance(value.of, SymbolRef) else (None, None)
        own = (value.taken.receiver,) if value.taken is not None and function.amends else ()
        if facts is None or not isinstance(value.of, SymbolRef):
            return value.taken
        narrows = _narrows_bounds(value.of.path)
        if not (narrows or value.arguments or own):
            return value.taken
        names = self._inference.parameters(value.of.path, facts, function)
        given = any(one.of == _GIVEN for held in value.arguments[-1:] for one in held)
        written = dict(zip(names, value.arguments[: -given or None], strict=False))
        arguments = _given_to(value)
        calls = value.arguments[-1] if given else ()
        wanted = [held for one in calls if one.of == _WANTED for held in one.arguments[0]]
        told = self._inference.bound(value.of.path, facts, function, arguments, names=names, own=own, wanted=wanted)
        unknown: dict[str, _Values] = dict.fromkeys(names if narrows else (), ())
        bound = tuple({**unknown, **dict(told), **written}.items())
        module = Type(Module((value.of.path,)))
        return replace(value.taken or MemberAccess(module, module), bound=bound) if bound else value.taken

    def _of_owner(self, value: Type) -> Type:
        """Return what an enumeration lists with the type arguments of the object that it was taken from."""
        held = value.taken.owner.arguments if value.taken is not None else ()
        listed = not any(binding.sort == Sort.Type for binding in self._bindings(value.of))
        return replace(value, arguments=held) if held and listed and not value.arguments else value

    def _called_apart(self, value: Type) -> Iterable[Type]:
        """Return what a call of a name gives that means no variable: of one that does, it is read all the same."""
        bindings = self._bindings(value.of)
        functions = [binding for binding in bindings if binding.sort == Sort.Callable]
        if functions and isinstance(value.of, SymbolRef | LocalName):
            return self._contents(value.of.path, functions, value.taken)
        if not bindings or any(binding.sort == Sort.Type for binding in bindings):
            return self._called(value)
        return [opened for opened in self._opened(value) if opened.instance]

    def _of_function(self, value: Type, number: int) -> Iterable[Type]:
        """Return what a function returns, which is number 0, or takes; or any object that can be called."""
        if not number:
            function = self._seen_as(value, _FUNCTION)
            return function.arguments[0] if function is not None and function.arguments else ()
        functions = (one.arguments for one in self.inheritance.mro(value) if one.of == _FUNCTION)
        found = list(dict.fromkeys(held for arguments in functions for held in _argument_of(arguments, number)))
        return [one for one in found if one.of != _PRIMITIVE] or found

    def is_type(self, value: Type) -> bool:
        """Tell whether something is a type itself."""
        return not value.instance and isinstance(value.of, SymbolRef) and self._is_type(value.of)

    def made_of(self, values: Iterable[Type]) -> Sequence[Type]:
        """Return objects of those values that are types."""
        return self._objects(value for value in values if not value.instance)

    def results(self, value: Type) -> Sequence[Type]:
        """Return what a call of something gives."""
        return list(self._called(value))

    def takes(self, value: Type, number: int) -> Sequence[Type]:
        """Return what can be called takes in a place."""
        return list(self._parameter(value, number))

    def taken_by_overloads(self, function: Type, number: int) -> Sequence[Sequence[Type]]:
        """Return what each overload of a function takes in a place, of those that may take something there."""
        if not isinstance(function.of, SymbolRef) or function.instance:
            return ()
        taking = [one for one in self._bindings(function.of) if one.takes.count(",") > number]
        return [self.taken_by(function, one, number) for one in taking]

    def taken_by(self, function: Type, overload: Binding, number: int) -> Sequence[Type]:
        """Return what one of the overloads of a function takes in a place."""
        path = function.of.path if isinstance(function.of, SymbolRef) else ""
        return self._parameter_types(function, path, overload, number) if path else ()

    def bindings(self, of: Resolution) -> Sequence[Binding]:
        """Return what binds the name of something."""
        return self._bindings(of)

    def type_parameters(self, function: Type) -> Sequence[str]:
        """Return the type parameters that a call of a function tells, by name: its own, or those of its class."""
        facts, _ = self._resolver.facts(function.of.path) if isinstance(function.of, SymbolRef) else (None, None)
        if facts is None or not isinstance(function.of, SymbolRef):
            return ()
        path, of, taken = function.of.path, function.of, function.taken
        own = [name for one in self._bindings(of) for name in self._inference.parameters(path, facts, one)]
        made = taken is not None and not taken.receiver.instance and not taken.owner.arguments
        owner = taken.owner.of if taken is not None and made else None
        return [*own, *(self._generics(owner) if isinstance(owner, SymbolRef) else ())]

    def told_by_call(self, function: Type, binding: Binding) -> MemberAccess | None:
        """Return where a function that is called comes from, with what the call gives its type parameters."""
        return self._bound(function, binding)

    def bounding(self, path: str, parameter: str, scope: int) -> Sequence[Type]:
        """Return what bounds a type parameter that a scope declares."""
        facts, _ = self._resolver.facts(path)
        bounds = (one for one in facts.within(parameter, scope) if is_type_parameter(one)) if facts is not None else ()
        return [value for one in bounds if one.type for value in self.types(path, one.type, one.spelled, None)]

    def follow(self, path: str, scope: int, values: Sequence[Type], steps: Sequence[Step]) -> Sequence[Type]:
        """Return what steps lead to from some values."""
        return self._opened_all(self._stepped(_Place(path, scope, None, typed=False), values, "", steps))

    def _parameter_types(self, function: Type, path: str, binding: Binding, number: int) -> Sequence[Type]:
        """Return what a function takes in a place: of a type parameter of which nothing is known, what bounds it."""
        taken = self.types(path, binding.takes, binding.spelled, self._bound(function, binding))
        found = [held for one in taken for held in self._of_function(one, number + 1)]
        return found or self._bounding(path, binding, number)

    def _bounding(self, path: str, function: Binding, number: int) -> Sequence[Type]:
        facts, _ = self._resolver.facts(path)
        taken = [
            argument for one in parsed(function.takes)[:1] for step in one.steps[:1] for argument in step.arguments
        ]
        if facts is None or not _narrows_bounds(path) or number + 1 >= len(taken):
            return ()
        heads = [one.head for one in taken[number + 1] if not one.steps]
        return [value for head in heads for value in self.bounding(path, head, function.spelled)]

    def elements(self, value: Type) -> Sequence[Type]:
        """Return the elements of an object, which may be at any place."""
        return list(self._argument_at(value, -1))

    def parts(self, value: Type, number: int) -> Sequence[Type]:
        """Return a part of an object."""
        return list(self._part(value, number))

    def _parameter(self, value: Type, number: int) -> Iterator[Type]:
        """Yield what can be called takes in a place."""
        if value.instance:
            yield from self._of_function(value, number + 1)
        elif isinstance(value.of, SymbolRef):
            for binding in self._bindings(value.of):
                if binding.takes:
                    yield from self._parameter_types(value, value.of.path, binding, number)

    def _part(self, value: Type, number: int) -> Iterable[Type]:
        if not value.instance or _is_record(value):
            return ()
        own = self._own_part(value, number)
        parts = (self._seen_as(value, _TUPLE) or value).arguments
        if own or parts:
            return own or parts[min(number, len(parts) - 1)]
        scoping = self._rules_of(value)
        return self._elements(value) if scoping is not None and scoping.library.iterates else ()

    def _own_part(self, value: Type, number: int) -> Sequence[Type]:
        """Return a part of an object whose type says what it is taken apart into: by a method, or by its head."""
        scoping = self._rules_of(value)
        if (
            scoping is None
            or not (scoping.library.parts or scoping.library.open_parts)
            or not isinstance(value.of, SymbolRef)
        ):
            return ()
        of, taken = value.of, MemberAccess(value, value)
        said = self._opened_all(self.of(of.path, scoping.library.parts.format(number, number + 1), 0, taken))
        facts, _ = self._resolver.facts(of.path)
        if said or facts is None:
            return said
        held = (one for one in facts.bindings if one.sort == Sort.Value and one.path == f"{of.name}.{one.name}")
        listed = sorted(held, key=lambda one: (one.line, one.column))
        return self._contents(of.path, listed[number : number + 1], taken)

    # --- Names

    def _opened_all(self, values: Iterable[Type]) -> list[Type]:
        return list(dict.fromkeys(opened for value in values for opened in self._opened(value)))

    def _opened(self, value: Type) -> Sequence[Type]:
        """Return a value, or what the name that it is bound to stands for."""
        if value.instance:
            return (value,)
        if value not in self._names:
            self._names[value] = ()  # what a circle of names finds on its way back
            if self._depth <= _DEEPEST:
                self._depth += 1
                self._names[value] = self._find_opened(value)
                self._depth -= 1
        return self._names[value]

    def _find_opened(self, value: Type) -> Sequence[Type]:
        match value.of:
            case SymbolRef():
                return self._opened_name(value, value.of)
            case LocalName(path=path):
                bindings = self._bindings(value.of)
                found = self._declared_first(path, bindings, value.taken)
                if any(binding.sort == Sort.Unknown for binding in bindings):  # a type that is no symbol
                    return [replace(one, instance=False) for one in found]
                return found
            case _:
                return (value,)

    def _opened_name(self, value: Type, of: SymbolRef) -> Sequence[Type]:
        bindings = self._bindings(of)
        if self._is_called_apart(of):
            bindings = [b for b in bindings if b.sort != Sort.Callable] or bindings
        if any(b.sort == Sort.Callable for b in bindings) or not any(b.type or b.made for b in bindings):
            return (value,)
        alias = any(binding.sort == Sort.Type for binding in bindings)
        found = self._contents(
            of.path, bindings, MemberAccess(value, value) if alias and value.arguments else value.taken
        )
        if _is_declared(bindings) or any(map(_is_record, found)):  # a type, and a variable of the same name
            return (value, *found)
        if alias:
            found = [replace(one, instance=False) for one in found]
        return found or (value,)

    def _contents(self, path: str, bindings: Iterable[Binding], taken: MemberAccess | None) -> list[Type]:
        found = (value for binding in bindings for value in self._content(path, binding, taken))
        return list(dict.fromkeys(found))[:_MOST_VALUES]

    def _declared_first(self, path: str, bindings: Sequence[Binding], taken: MemberAccess | None) -> list[Type]:
        """Return what bindings of a local name hold; where some declare its type, other values are only told."""
        declared = [binding for binding in bindings if binding.type]
        if not declared or len(declared) == len(bindings):
            return self._contents(path, bindings, taken)
        others = self._contents(path, (binding for binding in bindings if not binding.type), taken)
        told = (replace(value, told=True) for value in others)
        return list(dict.fromkeys([*self._contents(path, declared, taken), *told]))[:_MOST_VALUES]

    def _content(self, path: str, binding: Binding, taken: MemberAccess | None) -> Sequence[Type]:
        """Return what a binding says of its value: its declared type, else what it is made of."""
        found: Sequence[Type] = ()
        if binding.type:
            found = self.types(path, binding.type, binding.spelled, taken)
        if binding.made and is_type_parameter(binding) and _narrows_bounds(path):
            return found  # what it stands for elsewhere, where it is given nothing
        if binding.made and not (found and binding.sort in (Sort.Callable, Sort.Getter)):
            if binding.sort == Sort.Callable and self._gives_partly_unknown(path, binding):
                return found
            made = self._opened_all(self.of(path, self._filled(path, binding), binding.spelled, taken))
            found = (*found, *(replace(one, told=True) for one in made)) if found else made
        return found

    def _filled(self, path: str, binding: Binding) -> str:
        """Return the term of a collection that is made empty, without what it is filled with where some is unknown."""
        empty, _, filled = binding.made.partition("|")
        scoping = scoping_of(path) if filled else None
        if scoping is None or empty not in scoping.types.empty:
            return binding.made
        key = (path, binding.made, binding.spelled)
        if key in self._filling:
            return empty  # it holds itself
        self._filling.add(key)
        held = [term for one in parsed(filled) for step in one.steps for term in step.arguments[-1:]]
        known = all(self._of(path, term, binding.spelled, None, typed=True) for term in held)
        self._filling.discard(key)
        return binding.made if known and len(held) == len(parsed(filled)) else empty

    def _bindings(self, of: Resolution) -> Sequence[Binding]:
        facts, _ = self._resolver.facts(of.path) if isinstance(of, SymbolRef | LocalName) else (None, None)
        match of:
            case SymbolRef(name=name) if facts is not None:
                return facts.all_at(name)
            case LocalName(name=name, scope=scope, line=line) if facts is not None:
                found = [binding for binding in facts.within(name, scope) if not binding.path]
                return [binding for binding in found if binding.line == line] if line else found
            case _:
                return ()


def _argument_of(arguments: Sequence[_Values], number: int) -> _Values:
    """Return what a function takes in a place, counted from 1; the last thing that it takes may be several."""
    if number > LAST and len(arguments) > 1:
        return arguments[-1]
    held = arguments[min(number, len(arguments) - 1)] if len(arguments) > 1 else ()
    several = [value for one in held if one.of == _VARIADIC for inner in one.arguments for value in inner]
    return tuple(several) or (held if number < len(arguments) else ())


def _given_to(function: Type) -> Sequence[Sequence[Type]]:
    """Return what a function is called with."""
    given = (one.arguments for held in function.arguments[-1:] for one in held if one.of == _GIVEN)
    return next(given, ())


def _narrows_bounds(path: str) -> bool:
    scoping = scoping_of(path)
    return scoping is not None and scoping.types.narrows_bounds


def _is_wanted(argument: Term) -> bool:
    """Tell whether what stands among the arguments of a call is what the call has to give."""
    return len(argument) == 1 and argument[0].head == VARIADIC and bool(argument[0].steps)


def _is_known(scoping: Scoping, name: str) -> bool:
    """Tell whether the rules of a language know a type from outside: what it gives, or what it is as a function."""
    return any(
        name in names for names in (scoping.library.holders, scoping.library.callables, scoping.types.paired, _BUILT_IN)
    )


def _calls(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps of a term without what its calls are given."""
    return [step for step in steps if step.op is not Op.Given]


def _is_record(value: Type) -> bool:
    """Tell whether something is an object of a type whose members are written out where it stands."""
    return value.instance and isinstance(value.of, ExternalType) and terms.is_record(value.of.name)


def _around(of: SymbolRef) -> Iterator[SymbolRef]:
    """Yield a type and those that it is in."""
    name = of.name
    while name:
        yield replace(of, name=name)
        name = name.rpartition(".")[0]


def _is_generic(taken: MemberAccess) -> bool:
    """Tell whether anything is known of type parameters where something was taken from."""
    return bool(taken.bound or taken.owner.arguments)


def _is_same(one: Resolution, other: Resolution) -> bool:
    return one.same(other) if isinstance(one, SymbolRef) else one == other


def _is_declared(bindings: Iterable[Binding]) -> bool:
    """Tell whether a name is that of a type which is no other name for one."""
    return any(binding.sort == Sort.Type and not (binding.type or binding.made) for binding in bindings)


def _enclosing(facts: Facts, scope: int, kind: ScopeKind) -> int:
    """Return the nearest scope of a kind, 0 for none."""
    while scope > 0 and facts.scopes[scope].kind is not kind:
        scope = facts.scopes[scope].parent
    return scope


def _each(meaning: Resolution) -> tuple[Type, ...]:
    return tuple(map(Type, _all(meaning)))


def _all(meaning: Resolution) -> tuple[Resolution, ...]:
    return meaning.all if isinstance(meaning, SymbolRef) else (meaning,)
