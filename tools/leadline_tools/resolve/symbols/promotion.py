"""Promoted methods of Go: which members of embedded types a type has, https://go.dev/ref/spec#Selectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.inheritance import Clause, Inheritance
from leadline_tools.resolve.types.type import Type

_MOST_TYPES = 1_000
"""Embedded types that are looked through."""

IsInterface = Callable[[SymbolRef], bool]
"""Returns whether a type is an interface, which has the methods of the interfaces in it as its own."""


class Promotion:
    """Decides whether a type has a member of one of several embedded types."""

    def __init__(self, declarations: Declarations, inheritance: Inheritance, is_interface: IsInterface) -> None:
        self._declarations = declarations
        self._inheritance = inheritance
        self._is_interface = is_interface

    def is_ambiguous(self, holder: SymbolRef, name: str) -> bool:
        """Return whether several members of a name are at the least depth below a type, so that it has none of them.

        A type that is embedded over two ways of the same length counts twice.
        """
        level: list[Sequence[SymbolRef]] = [(holder,)]
        seen: set[SymbolRef] = set()
        while level and len(seen) <= _MOST_TYPES:
            found = sum(any(self._has_member(one, name) for one in builds) for builds in level)
            if found:
                return found > 1
            seen.update(one for builds in level for one in builds)
            structures = [builds[0] for builds in level if not self._is_interface(builds[0])]
            below = [embedded for one in structures for embedded in self._embedded(one)]
            level = [builds for builds in below if not seen.intersection(builds)]
        return False

    def _has_member(self, of: SymbolRef, name: str) -> bool:
        if self._is_interface(of):
            return self._is_listed(of, name)
        return self._declarations.own_member(of, name) is not None

    def _is_listed(self, interface: SymbolRef, name: str) -> bool:
        """Return whether an interface, or one in it, has a method."""
        owners = (one.origin for one in self._inheritance.mro(Type(interface)))
        return any(
            isinstance(one, SymbolRef) and self._declarations.own_member(one, name) is not None for one in owners
        )

    def _embedded(self, of: SymbolRef) -> Iterator[Sequence[SymbolRef]]:
        """Yield each embedded type of the tree, as every build declares it."""
        for path, heritage in self._declarations.heritage(of):
            for term in heritage.bases:
                builds = self._inheritance.resolve_base(Clause(path, heritage, of), term)
                origins = tuple(one.origin for one in builds if isinstance(one.origin, SymbolRef))
                if origins:
                    yield origins
