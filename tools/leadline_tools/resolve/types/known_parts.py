"""Known parts: the types whose bases are known, each of which may be a part of one that several files declare.

The bases of a type are those of all its parts. One part would lead to the next otherwise, and there may be hundreds.
"""

from __future__ import annotations

from collections.abc import Iterable

from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.type import Type


class KnownParts:
    """Finds, for a type, another part of it."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._parts: dict[str, list[Type]] = {}
        self._files: dict[tuple[str, str], frozenset[str]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._parts.clear()
        self._files.clear()

    def add(self, type_: Type) -> None:
        """Take in a type whose bases are known, if other files may declare parts of it."""
        if isinstance(type_.origin, SymbolRef) and self._files_of(type_.origin):
            self._parts.setdefault(type_.origin.name, []).append(type_)

    def find(self, type_: Type, unfinished: Iterable[Type]) -> Type | None:
        """Return a part of a type that was taken in, or is one of those ``unfinished``; None where there is none."""
        of = type_.origin
        if not isinstance(of, SymbolRef):
            return None
        candidates: list[Type] = [*self._parts.get(of.name, ()), *unfinished]
        for one in candidates:
            other = one.origin
            if isinstance(other, SymbolRef) and other.name == of.name and other.path != of.path:
                alike = (one.arguments, one.filters) == (type_.arguments, type_.filters)
                if alike and of.path in self._files_of(other):
                    return one
        return None

    def _files_of(self, of: SymbolRef) -> frozenset[str]:
        """Return the other files that may declare parts of a type which have bases."""
        key = of.path, of.name
        if key not in self._files:
            self._files[key] = frozenset(self._declarations.files_with_bases(of))
        return self._files[key]
