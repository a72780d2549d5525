"""Twins: an object beside a type of its name, which has bases of its own (a companion object of Scala).

Members of objects of the type are looked for in the bases of the type alone, members of its twin in those of the twin.
See https://docs.scala-lang.org/scala3/book/domain-modeling-tools.html#companion-objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type


class Twins:
    """Tells what a type inherits from what its twin does."""

    def __init__(self, resolver: NameResolver, inheritance: Inheritance) -> None:
        self._resolver = resolver
        self._inheritance = inheritance

    def is_twin(self, type_: Type) -> bool:
        """Return whether the object beside a type is meant, which is no object of the type."""
        return not type_.is_instance and self._has_twin(type_.origin) and not self._inherits_from_type(type_)

    def _inherits_from_type(self, type_: Type) -> bool:
        """Return whether the object beside a type is an object of it: ``object A extends A``."""
        return any(_key(one) == _key(type_) for one in self._inheritance.bases(type_, of_twin=True))

    def mro(self, type_: Type) -> Sequence[Type]:
        """Return the types in which a member is looked for, of an object of a type or of its twin."""
        every: Sequence[Type] = self._inheritance.mro(type_)
        _, semantics = self._resolver.facts(type_.origin.path) if isinstance(type_.origin, SymbolRef) else (None, None)
        if semantics is None or not semantics.members.twins:
            return every
        every = _each_once(every)
        if not any(self._has_twin(one.origin) for one in every):
            return every
        either = not type_.is_instance and self._inherits_from_type(every[0])
        of_twin = None if either else self.is_twin(type_)
        seen, stack = {_key(every[0])}, self._inheritance.bases(every[0], of_twin=of_twin)
        while stack:
            one = stack.pop()
            if _key(one) not in seen:
                seen.add(_key(one))
                stack += self._inheritance.bases(one, of_twin=False)
        return [one for one in every if _key(one) in seen]

    def _has_twin(self, of: Resolution) -> bool:
        """Return whether an object stands beside a type of its name, and has bases of its own."""
        facts, semantics = self._resolver.facts(of.path) if isinstance(of, SymbolRef) else (None, None)
        if facts is None or semantics is None or not semantics.members.twins or not isinstance(of, SymbolRef):
            return False
        return any(one.of_twin for one in facts.heritage_of(of.name))


def _each_once(mro: Sequence[Type]) -> Sequence[Type]:
    """Return types without those that come once more, with type arguments that are spelled otherwise."""
    last: dict[object, Type] = {}
    for one in mro[1:]:
        before = last.pop(_key(one), one)
        last[_key(one)] = one if one.arguments else before
    last.pop(_key(mro[0]), None)  # its twin may inherit from it
    return [mro[0], *last.values()]


def _key(type_: Type) -> object:
    """Return what tells a type from others, however it was found."""
    of = type_.origin
    return (of.path, of.name) if isinstance(of, SymbolRef) else of
