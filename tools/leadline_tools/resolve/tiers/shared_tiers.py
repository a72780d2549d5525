"""Shared tiers: uses of a name that see the same scopes of a file and do the same mean the same symbol.

A file may name one type hundreds of times. What a bare name means is decided by the scope from which it is looked up
and by its role, unless the place itself has a say, as the arguments of a call or a condition of the preprocessor have.
"""

from __future__ import annotations

from typing import NamedTuple

from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.scopes.lookup_scope import LookupKey, lookup_key

_ROLES = frozenset({Role.Type, Role.Inherit, Role.Decorator, Role.Read})
"""What bare names do without more of their place having a say in what they mean."""


class SharedTier(NamedTuple):
    """What is known of uses of the symbol: how sure they are and why, and what they do."""

    tier: Tier
    reason: Reason
    role: Role


class SharedTiers:
    """The tiers of the uses of the symbol in one file.

    Args:
        facts: The facts of the file.
        semantics: The rules of its language.
        name: The name of the symbol.

    """

    def __init__(self, facts: Facts, semantics: Semantics, name: str) -> None:
        self._facts = facts
        self._semantics = semantics
        self._name = name
        self._roles = _roles(semantics)
        self._declared = (
            {(one.line, one.column) for one in facts.named(name)} if self._roles else set[tuple[int, int]]()
        )
        self._by_scope: dict[tuple[int, Role, str], SharedTier | None] = {}
        self._by_key: dict[tuple[LookupKey, str], SharedTier] = {}
        self._containers: dict[int, str] = {}

    def find(self, use: Use) -> SharedTier | None:
        """Return what is known of a use by one that was decided before it."""
        if not self._shares(use):
            return None
        key = use.scope, use.role, use.taken
        known = self._by_scope.get(key)
        if known is None:
            known = self._by_key.get((self._key(use), use.taken))
            if known is not None:
                self._by_scope[key] = known
        return known

    def _shares(self, use: Use) -> bool:
        """Return whether the place of a use has no say in what it means: it neither declares nor imports anything."""
        if use.role not in self._roles or use.receiver != BARE or use.imported >= 0:
            return False
        return not self._declared or (use.line, use.column) not in self._declared

    def put(self, use: Use, known: SharedTier) -> None:
        """Note what was decided of a use."""
        if self._shares(use):
            self._by_scope[use.scope, use.role, use.taken] = known
            self._by_key[self._key(use), use.taken] = known

    def _key(self, use: Use) -> LookupKey:
        return lookup_key(self._facts, self._semantics, self._name, use)

    def container(self, scope: int) -> str:
        """Return the dotted name of the innermost definition that a scope is in; empty for none."""
        if scope not in self._containers:
            self._containers[scope] = self._facts.around(scope)
        return self._containers[scope]


def _roles(semantics: Semantics) -> frozenset[Role]:
    """Return the roles of bare names whose place has no say, in a language."""
    by_place = (
        semantics.imports.passes_on,  # what a file includes is decided line by line
        semantics.macros.conditions is not None,
        semantics.members.names_constant is not None,  # the text tells the space of the member
        semantics.types.by_arity,
    )
    if any(by_place):
        return frozenset()
    read = frozenset({Role.Read}) if semantics.scopes.constructors_apart else frozenset[Role]()
    return _ROLES - read - semantics.uses.endings.keys()
