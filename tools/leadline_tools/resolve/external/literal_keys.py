"""Keys of object literals that declare what they name, since the place of the literal asks for no member called so.

A key means the member of the type that is wanted where its literal stands. Where no type is wanted there, or one that
has no such member, the key declares a member of the literal.
https://www.typescriptlang.org/docs/handbook/type-inference.html#contextual-typing
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import FUNCTIONS, METHODS, Binding, Facts, Sort, Use, nameless_scope
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import (
    ANY,
    BARE,
    COLLECTION,
    DECLARED,
    FUNCTION,
    PRIMITIVE,
    TUPLE,
    UNKNOWN,
    Op,
    Path,
    Step,
    is_record,
    member_of_record,
    members_of_record,
    parsed,
    type_names,
)
from leadline_tools.model import Role
from leadline_tools.resolve.members.global_objects import is_undeclared
from leadline_tools.resolve.project.resolution import (
    EXTERNAL,
    ExternalType,
    LocalName,
    Module,
    NonSymbol,
    Resolution,
    SymbolRef,
)
from leadline_tools.resolve.resolver import Resolver
from leadline_tools.resolve.types.definitions import values_beside_alias
from leadline_tools.resolve.types.type import FREE, Type

_NO_OBJECTS = frozenset({COLLECTION, FUNCTION, PRIMITIVE, TUPLE})
"""Types of which no object literal is written."""

_INDEX = re.compile(rb"\[\s*[\w$]+\s*:")
"""How an index signature begins: https://www.typescriptlang.org/docs/handbook/2/objects.html#index-signatures."""

_LONGEST_COMMENT = 100
"""Lines of a comment above a function that are looked at."""

_LINES_AFTER = 2
"""Lines after the last member of a type on which it may still have an index signature."""

_DEEPEST = 8
"""Names given the values of other names that are followed to where a value comes from."""


class LiteralKeys:
    """Decides whether the keys of object literals declare what they name."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def declares(self, path: str, name: str, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether an occurrence is a key that surely is no member of a type that the code base declares.

        ``meanings`` is what it may mean: something from outside where only such types are wanted.
        """
        facts, semantics = self._resolver.facts(path)
        if semantics is not None and semantics.uses.anonymous_keys and use.receiver == DECLARED:
            return not any(isinstance(one, SymbolRef) for one in meanings)
        if facts is None or semantics is None or not semantics.uses.declares_literal_keys or use.role is not Role.Other:
            return False
        wanted = parsed(use.receiver) if use.receiver not in (BARE, UNKNOWN) else ()
        if not wanted or not _is_in_literal(facts, use.scope) or any(isinstance(one, SymbolRef) for one in meanings):
            return False
        given = self._resolver.expected_types.evaluate(path, use.receiver, use.scope)
        if any(one.origin == FREE for one in given):
            bounds = self._resolver.expected_types.bounds_of(given)
            return not any(
                meant != EXTERNAL for one in bounds for meant in self._resolver.evaluator.resolve_member(one, name)
            )
        if any(self._is_of_declared_external(path, one, use.scope) for one in wanted):
            return False
        return all(
            self._lacks(path, one, use.scope, name) or (meanings and self._holds_unnamed(path, one, use.scope, name))
            for one in wanted
        )

    def is_wanted(self, path: str, use: Use) -> bool:
        """Return whether anything is known of the type that is wanted where a key stands."""
        if use.role is not Role.Other or use.receiver in (BARE, UNKNOWN, DECLARED):
            return False
        return any(self._resolver.evaluator.evaluate_path(path, one, use.scope) for one in parsed(use.receiver))

    def is_of_external_type(self, path: str, use: Use) -> bool:
        """Return whether a key is a member of a type that is known by its name alone, or not even by that."""
        if any(self._is_of_declared_external(path, one, use.scope) for one in parsed(use.receiver)):
            return True
        read = self._resolver.evaluator.evaluate_path
        wanted = [value.origin for one in parsed(use.receiver) for value in read(path, one, use.scope)]
        return bool(wanted) and all(isinstance(of, ExternalType) and of.name.isidentifier() for of in wanted)

    def may_be_wanted(self, path: str, name: str, use: Use) -> bool:
        """Return whether a place is that of a key which may be a member of a type that the literal has to be of."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or not semantics.uses.declares_literal_keys:
            return False
        here = (one for one in facts.uses.get(name, ()) if (one.line, one.column) == (use.line, use.column))
        return any(
            one.role is Role.Other and one.receiver != DECLARED and _is_in_literal(facts, one.scope) for one in here
        )

    def may_be_another(self, path: str, name: str, use: Use) -> bool:
        """Return whether what a key means is not known, although a type that the place asks for has such a member.

        An overload does not fit that surely has no such member: a literal has no members that are not asked for.
        Which one of the others a call means is not known, so neither is what the key means.
        https://www.typescriptlang.org/docs/handbook/2/objects.html#excess-property-checks

        Where the place asks for a type parameter, the literal is its type and declares the key, which has to be there
        for the sake of the constraint: the key is not surely the member of that.
        https://www.typescriptlang.org/docs/handbook/2/generics.html#generic-constraints
        """
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or not semantics.uses.declares_literal_keys or use.role is not Role.Other:
            return False
        wanted = parsed(use.receiver) if use.receiver not in (BARE, UNKNOWN) else ()
        return _is_in_literal(facts, use.scope) and (
            any(self._is_of_some_overloads(path, one, use.scope, name) for one in wanted)
            or self._is_of_constraint(path, name, use)
        )

    def _is_of_constraint(self, path: str, name: str, use: Use) -> bool:
        """Return whether a key is a member of what constrains the type parameter that its literal is the type of."""
        return any(
            isinstance(meant, SymbolRef)
            for one in self._resolver.expected_types.constraints(path, use.receiver, use.scope)
            for meant in self._resolver.evaluator.resolve_member(one, name)
        )

    def _is_of_declared_external(self, path: str, wanted: Path, scope: int) -> bool:
        """Return whether the code base says that a literal is of a type from outside, which then declares the keys.

        What a function from outside takes is not known: it may be generic, or take anything. A type with arguments may
        be another name for one of those.
        """
        declared = max((i for i, step in enumerate(wanted.steps, 1) if step.op in (Op.Object, Op.Parameter)), default=0)
        for steps in (wanted.steps, wanted.steps[:declared]) if declared else ():
            types = self._resolver.evaluator.evaluate_path(path, replace(wanted, steps=steps), scope)
            if types and all(one.origin == EXTERNAL and one.is_instance and not one.arguments for one in types):
                return True
        return False

    def _is_of_some_overloads(self, path: str, wanted: Path, scope: int, name: str) -> bool:
        if not wanted.steps or wanted.steps[-1].op is not Op.Parameter:
            return False
        evaluator = self._resolver.evaluator
        number = int(wanted.steps[-1].name)
        for function in evaluator.evaluate_path(path, replace(wanted, steps=wanted.steps[:-1]), scope):
            fitting = [
                one
                for one in evaluator.calls.parameter_types_by_overload(function, number)
                if not self._fits_none(one, name)
            ]
            having = [
                any(isinstance(meant, SymbolRef) for one in taken for meant in evaluator.resolve_member(one, name))
                for taken in fitting
            ]
            if any(having) and not all(having):
                return True
        return False

    def _fits_none(self, taken: Sequence[Type], name: str) -> bool:
        """Return whether no object literal with a key is of one of some types: they surely have no such member."""
        return bool(taken) and all(self._has_no_member(one, name) for one in taken)

    def _has_no_member(self, value: Type, name: str) -> bool:
        if isinstance(value.origin, ExternalType):
            if is_record(value.origin.name):
                return member_of_record(value.origin.name, name) < 0
            return value.origin.name in _NO_OBJECTS
        evaluator = self._resolver.evaluator
        if (
            not isinstance(value.origin, SymbolRef)
            or not value.is_instance
            or not evaluator.inheritance.knows_bases(value.origin)
        ):
            return False
        inherited = [one.origin for one in evaluator.inheritance.mro(value)]
        closed = all(isinstance(one, SymbolRef) and not self._may_have_index(one) for one in inherited)
        return closed and not any(evaluator.resolve_member(value, name))

    def _may_have_index(self, of: SymbolRef) -> bool:
        """Return whether a type may have members of any name, by an index signature."""
        facts, _ = self._resolver.facts(of.path)
        named = facts.all_at(of.name) if facts is not None else ()
        if facts is None or not named:
            return True  # written out where it is used
        lines = self._resolver.project.text(of.path).split(b"\n")
        inside = [one.line for one in facts.bindings if one.path.startswith(f"{of.name}.")]
        last = max((*inside, *(one.line for one in named))) + _LINES_AFTER
        return any(_INDEX.search(line) is not None for line in lines[named[0].line - 1 : last])

    def _holds_unnamed(self, path: str, wanted: Path, scope: int, name: str) -> bool:
        """Return whether what is known to have no symbol called so names no such member either, where it is written."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or any(name in semantics.visibility.predeclared for name in type_names(wanted)):
            return False
        values = self._resolver.evaluator.evaluate_path(path, wanted, scope)
        if any(
            isinstance(one.origin, SymbolRef) and not one.arguments and self._is_generic(one.origin) for one in values
        ):
            return False  # other members may come from what its type parameters stand for
        outside = [one.origin for one in values if isinstance(one.origin, NonSymbol)]
        asking = [one for one in outside if isinstance(one, LocalName) or one.name not in _NO_OBJECTS]
        if any(isinstance(one, ExternalType) and one.name and not is_record(one.name) for one in asking):
            return False  # a type that nothing in the code base declares, and no import gives
        return bool(asking) and not any(is_record(one.name) and name in members_of_record(one.name) for one in asking)

    def _is_generic(self, of: SymbolRef) -> bool:
        return any(heritage.generics for _, heritage in self._resolver.evaluator.declarations.heritage(of))

    def _lacks(self, path: str, wanted: Path, scope: int, name: str) -> bool:
        """Return whether what is wanted surely has no member called so that the code base declares."""
        if self._is_from_outside(path, wanted, scope, _DEEPEST):
            return not self._is_of_given(path, wanted, scope, name)
        at = max((i for i, step in enumerate(wanted.steps) if step.op is Op.Parameter), default=-1)
        if at >= 0 and self._takes_anything(path, wanted, at, scope):
            return True
        values = self._resolver.evaluator.evaluate_path(path, wanted, scope)
        return bool(values) and all(self._has_any_name(value, name) for value in values)

    def _is_of_given(self, path: str, wanted: Path, scope: int, name: str) -> bool:
        """Return whether something else that the same call gives has a member of a name: both may be of one type."""
        at = max((i for i, step in enumerate(wanted.steps) if step.op is Op.Parameter), default=0)
        call = wanted.steps[max(0, at - 1) : at]
        given = (one for step in call if step.op is Op.Given for term in step.arguments for one in term)
        evaluator = self._resolver.evaluator
        for one in given:
            steps = one.steps[:-1] if one.steps and one.steps[-1].op is Op.Itself else one.steps
            inside = evaluator.evaluate_path(path, Path(one.head, (*steps, *wanted.steps[at + 1 :])), scope)
            if any(self._names(value, name) for value in inside) or self._is_unknown_result(path, one, scope):
                return True
        return False

    def _is_unknown_result(self, path: str, given: Path, scope: int) -> bool:
        """Return whether something is what a function of the code base returns, of which nothing is known."""
        steps = given.steps[:-1] if given.steps and given.steps[-1].op is Op.Itself else given.steps
        if (
            not steps
            or steps[-1].op is not Op.Call
            or self._resolver.evaluator.evaluate_path(path, replace(given, steps=steps), scope)
        ):
            return False
        name, within, _ = place_of(given.head)
        meaning = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        return isinstance(meaning, SymbolRef | Module)

    def _names(self, value: Type, name: str) -> bool:
        """Return whether a type has a member of a name, one that is written out too."""
        if (
            isinstance(value.origin, ExternalType)
            and is_record(value.origin.name)
            and name in members_of_record(value.origin.name)
        ):
            return True
        return any(isinstance(meant, SymbolRef) for meant in self._resolver.evaluator.resolve_member(value, name))

    def _has_any_name(self, value: Type, name: str) -> bool:
        """Return whether a type gives a name to none of its members, or to others alone: by an index of any name."""
        if isinstance(value.origin, NonSymbol):
            names = members_of_record(value.origin.name) if value.is_instance and is_record(value.origin.name) else ()
            return ANY in names and name not in names
        if not isinstance(value.origin, SymbolRef) or not value.is_instance:
            return False
        facts, _ = self._resolver.facts(value.origin.path)
        scope = nameless_scope(value.origin.name)
        if facts is None or scope is None:
            return False
        bases = [base for one in facts.heritage_of(value.origin.name) for base in one.bases]
        above = [replace(one, is_instance=True) for one in self._resolver.evaluator.inheritance.mro(value)[1:]]
        if len(above) < len(bases) or not all(isinstance(one.origin, NonSymbol) for one in above):
            return False
        return _declares_nothing(facts, scope) and all(self._has_any_name(one, name) for one in above)

    # --- What is from outside

    def _is_from_outside(self, path: str, term: Path, scope: int, deepest: int) -> bool:
        """Return whether a term begins with what no file of the code base declares, and no type of it goes in.

        What the language and its hosts declare has types of its own, so that is not meant.
        """
        given = (step for step in term.steps if step.op in (Op.Arguments, Op.Given))
        if any(_says_type(step) for step in given):
            return False
        name, within, _ = place_of(term.head)
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or name == UNKNOWN or name in semantics.scopes.this:
            return False
        meaning = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        if meaning is None:
            # What hosts declare besides begins with a capital letter, but for functions, which are predeclared.
            return name[:1].islower() and is_undeclared(self._resolver, path, name)
        if meaning == EXTERNAL:
            imported = (facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0)
            modules = {one.module.strip("\"'") for one in imported}
            declared_outside = bool(modules) or name not in semantics.visibility.predeclared
            return declared_outside and not modules & semantics.library.host_modules
        if isinstance(meaning, Module | ExternalType):
            return False
        typed = bool(term.steps) and term.steps[0].op is Op.Object
        return self._are_from_outside(meaning.path, self._bindings(meaning, typed=typed), deepest)

    def _bindings(self, meaning: SymbolRef | LocalName, *, typed: bool = False) -> Sequence[Binding]:
        facts, _ = self._resolver.facts(meaning.path)
        if facts is None:
            return ()
        if isinstance(meaning, SymbolRef):
            bound = facts.all_at(meaning.name)
            return bound if typed else values_beside_alias(meaning.path, bound) or bound
        return [one for one in facts.within(meaning.name, meaning.scope) if not one.path]

    def _are_from_outside(self, path: str, bound: Sequence[Binding], deepest: int) -> bool:
        """Return whether variables hold nothing but what comes from outside."""
        return (
            deepest > 0
            and bool(bound)
            and all(
                one.imported < 0
                and one.sort == Sort.Value
                and not one.type
                and bool(one.made)
                and all(self._is_from_outside(path, made, one.spelled, deepest - 1) for made in parsed(one.made))
                for one in bound
            )
        )

    # --- Parameters without a type

    def _takes_anything(self, path: str, wanted: Path, at: int, scope: int) -> bool:
        """Return whether an argument is taken by parameters that have no type."""
        function, number = Path(wanted.head, wanted.steps[:at]), int(wanted.steps[at].name)
        values = self._resolver.evaluator.evaluate_path(path, function, scope)
        return bool(values) and all(self._has_untyped(value, number) for value in values)

    def _is_documented(self, path: str, facts: Facts, function: Binding, number: int) -> bool:
        """Return whether the comment above a function says of what type a parameter is."""
        _, semantics = self._resolver.facts(path)
        documents = semantics.uses.documents_parameter if semantics is not None else None
        if documents is None:
            return False
        taken = list(_parameters(facts, function))
        lines = self._resolver.project.text(path).split(b"\n")
        above = [line.strip() for line in lines[max(0, function.line - _LONGEST_COMMENT) : function.line - 1]]
        while above and not above[-1]:
            above.pop()
        if not above or not above[-1].endswith(b"*/"):
            return False
        comment = b"\n".join(above).rpartition(b"/**")[2].decode("utf-8", "replace")
        return documents(comment, taken[number].name if number < len(taken) else "", number)

    def _has_untyped(self, function: Type, number: int) -> bool:
        """Return whether a function of a language without types has a plain parameter in a place, without a default."""
        if not isinstance(function.origin, SymbolRef | LocalName) or function.is_instance:
            return False
        facts, semantics = self._resolver.facts(function.origin.path)
        if facts is None or semantics is None or semantics.scopes.types_apart:
            return False
        bound = self._bindings(function.origin)
        heads = self._resolver.project.heads(function.origin.path, function.origin.name)
        if (
            not heads
            or any("=" in head for head in heads)
            or any(self._is_documented(function.origin.path, facts, one, number) for one in bound)
        ):
            return False  # what a parameter has by default has a type
        return bool(bound) and all(one.sort == Sort.Callable and _is_plain(facts, one, number) for one in bound)


def _says_type(step: Step) -> bool:
    """Return whether type arguments are written, or the place of a call says its type."""
    return step.op is Op.Arguments or any(one.head == "=" for term in step.arguments for one in term)


def _is_in_literal(facts: Facts, scope: int) -> bool:
    """Return whether the key of a scope is one of an object literal, which opens a table, and not of a pattern."""
    kind, parent, _ = facts.scopes[scope]
    outer = facts.scopes[parent].kind if parent >= 0 else None
    inside = kind is ScopeKind.Block or kind in METHODS
    return kind is ScopeKind.Table or (inside and outer is ScopeKind.Table)


def _declares_nothing(facts: Facts, scope: int) -> bool:
    """Return whether a type that is written in place names no member."""
    return not any(one.scope == scope and one.sort != Sort.Unknown for one in facts.bindings)


def _parameters(facts: Facts, function: Binding) -> Iterator[Binding]:
    scope = facts.scopes[function.spelled]
    if scope.kind in FUNCTIONS:
        yield from sorted((one for one in facts.bindings if one.scope == function.spelled), key=_position)


def _position(binding: Binding) -> tuple[int, int]:
    return binding.line, binding.column


def _is_plain(facts: Facts, function: Binding, number: int) -> bool:
    """Return whether a function has a parameter in a place that is a name alone, as are all of its parameters."""
    taken = list(_parameters(facts, function))
    places = {*map(_position, taken)}
    if number >= len(taken) or taken[number].made or taken[number].type:
        return False
    keys = (use for one in taken for use in facts.uses.get(one.name, ()) if use.role is Role.Other)
    return not any((use.line, use.column) in places for use in keys)
