"""The type parameters of types that are extended elsewhere, where every extension of a type sees them.

https://docs.swift.org/swift-book/documentation/the-swift-programming-language/generics#Extending-a-Generic-Type
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.languages import share_rules
from leadline_tools.languages.facts import Facts, is_type_parameter
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import LocalName


class ExtendedTypes:
    """Looks up the type parameters of extended types."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._parameters: dict[tuple[str, str], Mapping[str, LocalName]] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._parameters.clear()

    def lookup(self, path: str, facts: Facts, scope: int, name: str) -> LocalName | None:
        """Return the type parameter that a name means in an extension, as the type declares it; None for any other."""
        of = facts.scopes[scope].name
        if not of:
            return None
        key = path, of
        if key not in self._parameters:
            self._parameters[key] = self._find(path, of)
        return self._parameters[key].get(name)

    def _find(self, path: str, of: str) -> Mapping[str, LocalName]:
        """Return the type parameters of a type by their names; none where several types are called so."""
        found: list[Mapping[str, LocalName]] = []
        for file in sorted(self._resolver.project.defining(of.rpartition(".")[2], path)):
            facts, _ = self._resolver.facts(file) if share_rules(file, path) else (None, None)
            if facts is not None and facts.at(of) is not None:
                found.append(dict(_parameters(file, facts, of)))
        return found[0] if len(found) == 1 else {}


def _parameters(path: str, facts: Facts, of: str) -> list[tuple[str, LocalName]]:
    scopes = {number for number, one in enumerate(facts.scopes) if one.kind is ScopeKind.Class and one.name == of}
    bound = (one for one in facts.bindings if one.scope in scopes and is_type_parameter(one))
    return [(one.name, LocalName(path, one.name, one.scope)) for one in bound]
