"""Members of functions, which are objects: those that every function has by the language, and those it is given.

https://tc39.es/ecma262/#sec-properties-of-the-function-prototype-object
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.facts import Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.model import Role
from leadline_tools.resolve.members import host_types
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, Resolution, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.type import FUNCTION_TYPE, Type

_GIVING = frozenset({Role.Write, Role.Definition})
_TYPE = Type(ExternalType("Function"), is_instance=True)


class FunctionMembers:
    """Tells what members of functions mean that the code base does not declare with the function."""

    def __init__(self, resolver: NameResolver, definitions: Definitions) -> None:
        self._resolver = resolver
        self._definitions = definitions

    def resolve(self, semantics: Semantics, types: Sequence[Type], name: str) -> Sequence[Resolution] | None:
        """Return what a member of some values means of which one is a function; None where that tells nothing."""
        if semantics.library.function_members and name not in semantics.library.function_members:
            # A program gives functions members of any name.
            return () if any(type_.is_instance and type_.origin == FUNCTION_TYPE for type_ in types) else None
        if semantics.library.host_member is None or not types or not all(self._is_function(one, name) for one in types):
            return None
        return list(host_types.merged_members(self._resolver, _TYPE, name)) or [EXTERNAL]

    def _is_function(self, type_: Type, name: str) -> bool:
        """Return whether a value is a function that is not given a member of a name where it is declared."""
        if type_.is_instance or not isinstance(type_.origin, SymbolRef):
            return type_.is_instance and type_.origin == FUNCTION_TYPE
        bindings = self._definitions.bindings(type_.origin)
        facts, _ = self._resolver.facts(type_.origin.path)
        if facts is None or not bindings or any(one.sort != Sort.Callable for one in bindings):
            return False
        own = type_.origin.name.rpartition(".")[2]
        uses = facts.uses.get(name, ())
        return not any(use.role in _GIVING and use.receiver.rpartition(".")[2] == own for use in uses)
