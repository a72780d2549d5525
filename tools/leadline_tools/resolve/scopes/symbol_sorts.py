"""The *sort* of a symbol: a type, something to call, a namespace."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from leadline_tools.languages.facts import Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import TUPLE
from leadline_tools.model import Role
from leadline_tools.resolve.project.code_base import FactSource
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.scopes.visible_bindings import NO_TYPES

_TYPE_ROLES = frozenset({Role.Type, Role.Inherit, Role.Call})
"""The roles of the name of a type; what is called may be one that an object is made of."""


class SymbolSorts:
    """The sorts of symbols."""

    def __init__(self, source: FactSource) -> None:
        self._source = source
        self._namespaces: dict[tuple[str, str], bool] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._namespaces.clear()

    def of(self, symbol: SymbolRef) -> AbstractSet[str]:
        """Return the sorts of what a symbol is bound to."""
        facts, _ = self._source.facts(symbol.path)
        return {binding.sort for binding in facts.all_at(symbol.name)} if facts is not None else frozenset()

    def is_namespace(self, symbol: SymbolRef) -> bool:
        """Return whether a symbol is a namespace."""
        key = (symbol.path, symbol.name)
        if key not in self._namespaces:
            facts, _ = self._source.facts(symbol.path)
            self._namespaces[key] = facts is not None and symbol.name in facts.namespaces
        return self._namespaces[key]

    def is_no_type(self, resolution: Resolution, semantics: Semantics, role: Role) -> bool:
        """Return whether something cannot be what the name of a type means, where other names hide none."""
        typed = role is Role.Type or (role is Role.Inherit and not semantics.types.bases_are_values)
        apart = semantics.scopes.types_apart and semantics.imports.passes_on
        if not (apart and typed and isinstance(resolution, SymbolRef)):
            return False
        sorts = self.of(resolution)
        return bool(sorts) and sorts <= NO_TYPES

    def stands_behind_type(self, semantics: Semantics, role: Role) -> bool:
        """Return whether the names before one are those of packages and types, even if a variable has them.

        https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.5.2
        """
        return semantics.scopes.types_apart and semantics.scopes.names_type is not None and role in _TYPE_ROLES

    def is_value(self, resolution: Resolution) -> bool:
        """Return whether something is a symbol that is a variable and nothing else."""
        return isinstance(resolution, SymbolRef) and self.of(resolution) == {Sort.Value}

    def is_value_alone(self, resolution: Resolution | None, semantics: Semantics, role: Role) -> bool:
        """Return whether something is a value and no type, where a name in the place of a type means no value.

        https://www.typescriptlang.org/docs/handbook/declaration-merging.html: a declaration makes a type, a value, a
        namespace, or several of them.
        """
        if role is not Role.Type or not semantics.scopes.values_apart or not isinstance(resolution, SymbolRef):
            return False
        _, home = self._source.facts(resolution.path)
        sorts = self.of(resolution)
        return home is not None and home.scopes.values_apart and bool(sorts) and sorts <= NO_TYPES

    def cannot_be_called(self, resolution: Resolution | None, semantics: Semantics, role: Role) -> bool:
        """Return whether something is a type, and none that is called: no enum, no trait, no struct with named fields.

        https://doc.rust-lang.org/reference/names/namespaces.html
        """
        if role is not Role.Call or not semantics.scopes.constructors_apart or not isinstance(resolution, SymbolRef):
            return False
        facts, _ = self._source.facts(resolution.path)
        if facts is None or self.of(resolution) != {Sort.Type}:
            return False
        bases = (base for said in facts.heritage_of(resolution.name) for base in said.bases)
        return not any(base.startswith(TUPLE) for base in bases)
