"""Members that a type declares for one interface alone, as in ``int IShape.Area() { ... }`` of C#.

https://learn.microsoft.com/dotnet/csharp/programming-guide/interfaces/explicit-interface-implementation
"""

from __future__ import annotations

from leadline_tools.languages import semantics_of
from leadline_tools.languages.outline import owner_of
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.types.declarations import Declarations


class ExplicitMembers:
    """Looks up the members that types declare for one interface alone."""

    def __init__(self, resolver: NameResolver, declarations: Declarations) -> None:
        self._resolver = resolver
        self._declarations = declarations

    def owner(self, path: str, member: str) -> tuple[SymbolRef, str]:
        """Return the type that declares a member, and the interface for which alone it does; empty for none."""
        owner = owner_of(member)
        around, _, interface = owner.rpartition(".")
        facts, _ = self._resolver.facts(path) if around and _has_explicit(path) else (None, None)
        if facts is not None and facts.at(owner) is None and facts.at(around) is not None:
            return SymbolRef(path, around, Reason.Definition), interface
        return SymbolRef(path, owner, Reason.Definition), ""

    def find(self, owner: SymbolRef, interface: str, name: str) -> SymbolRef | None:
        """Return the member that a type declares for one interface alone."""
        member = f"{owner.name}.{interface}.{name}"
        for path in self._declarations.files(owner) if _has_explicit(owner.path) else ():
            facts, _ = self._resolver.facts(path)
            if facts is not None and facts.at(member) is not None:
                return SymbolRef(path, member, Reason.Receiver)
        return None


def _has_explicit(path: str) -> bool:
    """Return whether types of a file may declare members for one interface alone."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.members.explicit
