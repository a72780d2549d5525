"""Object literals that may be of a type by their members, where a language compares types by those.

A literal that nothing says the type of is of every type all of whose members it has, but for optional ones. Whether it
comes to a place where one is wanted is not followed.
https://www.typescriptlang.org/docs/handbook/type-compatibility.html
"""

from __future__ import annotations

from collections.abc import Sequence

import re2

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Facts, Sort, nameless, nameless_scope
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, DECLARED, UNKNOWN
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.types.type import Type

_OPTIONAL = "?"
_SPREAD = "..."

_TAKING_PARTS = ("Partial", "Pick", "Omit", "keyof")
"""What takes some members of a type: https://www.typescriptlang.org/docs/handbook/utility-types.html."""

_Literal = tuple[str, int]
"""The file of an object literal, and its scope."""


class StructuralLiterals:
    """Decides whether members of types and of object literals may be the same ones, and what such types require."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question
        self._required: dict[tuple[str, str], frozenset[str] | None] = {}
        self._fitting: dict[tuple[tuple[str, str], _Literal], bool] = {}

    def may_be_same(self, one: Resolution, other: Resolution) -> bool:
        """Return whether one is a member of a type, and the other of an object literal that may be of that type."""
        return self._may_have(one, other) or self._may_have(other, one)

    def required_members(self, of: SymbolRef) -> frozenset[str] | None:
        """Return the names of the members that every object of a type has; None for what is no such type.

        They are none where some part of the type is wanted elsewhere.
        """
        semantics, facts = semantics_of(of.path), self._question.project.facts(of.path)
        if semantics is None or not semantics.members.compares_members or facts is None or not of.name:
            return None
        if not any(one.sort == Sort.Type for one in facts.all_at(of.name)):
            return None
        if self._is_taken_in_part(of):
            return frozenset()
        return frozenset(
            one.name
            for type_ in self._question.resolver.evaluator.inheritance.mro(Type(of))
            if isinstance(type_.origin, SymbolRef)
            for one in self._members(type_.origin)
            if not self._is_optional(type_.origin.path, one)
        )

    def _may_have(self, member: Resolution, key: Resolution) -> bool:
        literal = self._literal_of(key)
        if literal is None or not isinstance(member, SymbolRef):
            return False
        owner = member.path, member.name.rpartition(".")[0]
        if (owner, literal) not in self._fitting:
            self._fitting[owner, literal] = self._fits(owner, literal)
        return self._fitting[owner, literal]

    def _literal_of(self, key: Resolution) -> _Literal | None:
        """Return the object literal that has a member; None for a member of anything else."""
        facts = self._question.project.facts(key.path) if isinstance(key, SymbolRef | LocalName) else None
        if facts is None or not isinstance(key, SymbolRef | LocalName):
            return None
        owner = key.name.rpartition(".")[0] if isinstance(key, SymbolRef) else ""
        if isinstance(key, LocalName):
            scopes = [key.scope]
        elif (opened := nameless_scope(owner)) is not None:
            scopes = [opened]
        else:
            scopes = [one.scope for one in facts.all_at(key.name)]
        found = (one for one in scopes if one > 0 and facts.scopes[one].kind is ScopeKind.Table)
        return next(((key.path, one) for one in found), None)

    def _fits(self, owner: tuple[str, str], literal: _Literal) -> bool:
        if owner not in self._required:
            self._required[owner] = self.required_members(SymbolRef(*owner, Reason.Definition))
        required = self._required[owner]
        path, scope = literal
        facts = self._question.project.facts(path)
        if required is None or facts is None:
            return False
        held = [one for one in facts.bindings if one.scope == scope]
        if any(_is_wanted(facts, one) for one in held):
            return False  # its place says of what type it is
        if required.issubset(one.name for one in held):
            return True
        first = next((one.line for one in facts.heritage_of(nameless(scope))), 0)
        last = max((one.line for one in held), default=0)
        return first > 0 and any(_SPREAD in line for line in self._lines(path)[first - 1 : last])

    def _is_taken_in_part(self, of: SymbolRef) -> bool:
        """Return whether a type is written anywhere that has some of the members alone."""
        name, project = of.name.rpartition(".")[2], self._question.project
        named = set(project.spelling(name))
        paths = {path for word in _TAKING_PARTS for path in project.spelling(word) if path in named}
        taken = re2.compile(rf"\b(?:{'|'.join(_TAKING_PARTS)})\b[^;{{}}=]*?\b{re2.escape(name)}\b")
        return any(taken.search("\n".join(self._lines(path))) is not None for path in sorted(paths))

    def _members(self, of: SymbolRef) -> Sequence[Binding]:
        facts = self._question.project.facts(of.path)
        return [one for one in facts.bindings if one.path == f"{of.name}.{one.name}"] if facts is not None else ()

    def _is_optional(self, path: str, member: Binding) -> bool:
        lines = self._lines(path)
        end = member.column - 1 + len(member.name)
        return member.line <= len(lines) and lines[member.line - 1][end : end + 1] == _OPTIONAL

    def _lines(self, path: str) -> Sequence[str]:
        source = self._index.try_read(path)
        return source.lines() if source is not None else ()


def _is_wanted(facts: Facts, key: Binding) -> bool:
    """Return whether a key means the member of a type that is wanted where its literal stands."""
    here = (use for use in facts.uses.get(key.name, ()) if (use.line, use.column) == (key.line, key.column))
    return any(use.role is Role.Other and use.receiver not in (BARE, UNKNOWN, DECLARED) for use in here)
