"""Discriminated unions: the types that a condition on a member leaves, or that an object literal may have.

What a member may be is read where it is declared: a type is left out only where that names literals alone, none of
which fits. https://www.typescriptlang.org/docs/handbook/2/narrowing.html#discriminated-unions
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from leadline_tools.languages import discriminants
from leadline_tools.languages.discriminants import Condition, Sign
from leadline_tools.languages.facts import Binding, Facts, Use
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import parsed
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type

_FARTHEST = 30
"""Lines of a type that are read behind the name of a member."""

_VALUE = re.compile(r"\s*:\s*(\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`|[\w$.-]+)(?:\s+as\s+const)?\s*(?:[,}/]|$)")
"""A literal behind the key of an object."""


class DiscriminatedUnions:
    """Tells the types of unions from each other by the values of their members; keeps what it has read."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, inheritance: Inheritance) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._inheritance = inheritance
        self._declared: dict[tuple[str, int, int], frozenset[str]] = {}
        self._keys: dict[str, Mapping[int, Sequence[tuple[str, Use]]]] = {}

    def forget(self) -> None:
        """Let go of what was read."""
        self._declared.clear()
        self._keys.clear()

    # --- Conditions

    def narrow(self, type_: Type, condition: Condition) -> Sequence[Type]:
        """Return what a condition leaves of an object; of its keys alone an object whose members have other types."""
        if condition.sign is Sign.Keys:
            return (replace(type_, is_mapped=True),)
        return (type_,) if self.may_satisfy(type_, condition) else ()

    def select(self, types: Sequence[Type], tested: Sequence[Type]) -> Sequence[Type]:
        """Return what an object is that is also one of others: the narrower of both, else both."""
        certain = [one for one in types if not one.is_fallback]
        narrower = [one for one in certain if self._inherits(one, {other.origin for other in tested})]
        known = {one.origin for one in certain}
        is_narrower = bool(known) and all(self._inherits(one, known) for one in tested)
        return narrower or (tested if is_narrower or not certain else [*types, *tested])

    def exclude(self, types: Sequence[Type], excluded: Sequence[Type]) -> Sequence[Type]:
        """Return those of the types of an object that are none of others, nor inherit from one of them."""
        origins = {one.origin for one in excluded if one.is_instance and isinstance(one.origin, SymbolRef)}
        return [one for one in types if not (one.is_instance and self._inherits(one, origins))] if origins else types

    def assign(self, types: Sequence[Type], values: Sequence[Type]) -> Sequence[Type]:
        """Return those of the declared types of a variable that values may be assigned to; all where none is known."""
        declared = [one for one in types if not one.is_fallback]
        return [one for one in declared if any(self._inherits(value, {one.origin}) for value in values)] or types

    def join(self, types: Sequence[Type], others: Sequence[Type]) -> Sequence[Type]:
        """Return those of the types of an object that do not inherit from one of others, which another value has."""
        origins = {one.origin for one in others if one.is_instance and isinstance(one.origin, SymbolRef)}
        bases = self._inheritance.mro
        return [one for one in types if not any(base.origin in origins for base in bases(one)[1:] if one.is_instance)]

    def _inherits(self, type_: Type, origins: Collection[Resolution]) -> bool:
        return any(one.origin in origins for one in self._inheritance.mro(type_))

    def may_satisfy(self, type_: Type, condition: Condition) -> bool:
        """Return whether an object may satisfy a condition on one of its members."""
        if not type_.is_instance or not isinstance(type_.origin, SymbolRef):
            return True
        members = [one for one in self._evaluator.resolve_member(type_, condition.member) if _is_declared(one)]
        match condition.sign:
            case Sign.Has:
                return bool(members) or not self._is_closed(type_)
            case Sign.Lacks:
                return not members or any(self._is_optional(one) for one in members)
            case _:
                return all(_satisfies(self._literals(one), condition) for one in members)

    def _is_closed(self, type_: Type) -> bool:
        """Return whether all is known that the type of an object inherits from."""
        inheritance = self._inheritance
        known = isinstance(type_.origin, SymbolRef) and inheritance.knows_bases(type_.origin)
        return known and all(isinstance(one.origin, SymbolRef) for one in inheritance.mro(type_))

    def _is_optional(self, member: Resolution) -> bool:
        return any(
            after.lstrip().startswith("?") for one, path in self._bindings(member) for after in [self._after(path, one)]
        )

    def _literals(self, member: Resolution) -> frozenset[str]:
        """Return the literals that a member may be, wherever it is declared; empty where it may be others."""
        found = [self._read(path, one) for one, path in self._bindings(member)]
        return frozenset[str]().union(*found) if found and all(found) else frozenset()

    def _bindings(self, member: Resolution) -> Iterator[tuple[Binding, str]]:
        facts, _ = self._resolver.facts(member.path) if isinstance(member, SymbolRef | LocalName) else (None, None)
        if facts is None:
            return
        if isinstance(member, SymbolRef):
            yield from ((one, member.path) for one in facts.all_at(member.name))
        elif isinstance(member, LocalName):
            bound = facts.within(member.name, member.scope)
            yield from ((one, member.path) for one in bound if not one.path)

    def _read(self, path: str, binding: Binding) -> frozenset[str]:
        key = (path, binding.line, binding.column)
        if key not in self._declared:
            before = self._lines(path, binding.line, 1)[: binding.column - 1]
            self._declared[key] = discriminants.list_declared_values(self._after(path, binding), before)
        return self._declared[key]

    def _after(self, path: str, binding: Binding) -> str:
        """Return the source from behind the name that a binding binds."""
        return self._lines(path, binding.line, _FARTHEST)[binding.column - 1 + len(binding.name) :]

    def _lines(self, path: str, first: int, number: int) -> str:
        return "\n".join(self._resolver.project.lines(path)[first - 1 : first - 1 + number])

    # --- Literals

    def select_members(
        self, path: str, facts: Facts, name: str, use: Use, resolutions: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return those of several members that a key of an object literal may mean, by the values of its other keys."""
        written = self._written(path, facts, use)
        expected = [
            type_ for one in parsed(use.receiver) for type_ in self._evaluator.evaluate_path(path, one, use.scope)
        ]
        fitting = [type_ for type_ in expected if self._fits(type_, written)]
        if not fitting or len(fitting) == len(expected):
            return resolutions
        found = list(dict.fromkeys(one for type_ in fitting for one in self._evaluator.resolve_member(type_, name)))
        kept = [one for one in resolutions if one in found]
        return kept or resolutions

    def _fits(self, type_: Type, written: Mapping[str, str]) -> bool:
        return all(self.may_satisfy(type_, Condition(Sign.Equal, name, (given,))) for name, given in written.items())

    def _written(self, path: str, facts: Facts, use: Use) -> Mapping[str, str]:
        """Return the keys of an object literal whose values are literals, with those."""
        literal = _literal(facts, use.scope)
        if literal < 0:
            return {}
        if path not in self._keys:
            self._keys[path] = _keys_of_literals(facts)
        found: dict[str, str] = {}
        for name, one in self._keys[path].get(literal, ()):
            line = self._lines(path, one.line, 1)
            value = _VALUE.match(line[one.end_column - 1 :])
            given = discriminants.literal(value[1]) if value is not None else ""
            if given:
                found[name] = given
        return found


def _is_declared(member: Resolution) -> bool:
    return isinstance(member, SymbolRef | LocalName)


def _satisfies(declared: frozenset[str], condition: Condition) -> bool:
    """Return whether a member that may be some literals, or anything where there are none, may satisfy a condition."""
    if not declared:
        return True
    match condition.sign:
        case Sign.Equal:
            return any(discriminants.may_equal(declared, value) for value in condition.values)
        case Sign.Unequal:
            return not discriminants.is_surely(declared, condition.values)
        case Sign.True_:
            return discriminants.may_be_true(declared)
        case _:
            return discriminants.may_be_false(declared)


def _literal(facts: Facts, scope: int) -> int:
    """Return the scope of the object literal that the scope of one of its keys belongs to, -1 for none."""
    parent = facts.scopes[scope].parent
    return next((one for one in (scope, parent) if one >= 0 and facts.scopes[one].kind is ScopeKind.Table), -1)


def _keys_of_literals(facts: Facts) -> Mapping[int, Sequence[tuple[str, Use]]]:
    """Return the keys of the object literals of a file, by the scopes of those."""
    found: dict[int, list[tuple[str, Use]]] = {}
    for name, uses in facts.uses.items():
        for use in uses:
            if use.role is Role.Other:
                found.setdefault(_literal(facts, use.scope), []).append((name, use))
    return found
