"""Members that are added to types from outside of them: extension methods, extensions of types of the language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages import semantics_of, share_rules
from leadline_tools.languages.facts import Binding, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.types import no_type
from leadline_tools.languages.terms import COLLECTION, POINTERS, Op, parsed
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.members.blanket_implementations import BlanketImplementations
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, NonSymbol, SymbolRef, is_same
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type

_BETWEEN = r"\W+"


class AddedMembers:
    """Looks up the members that the code base adds to types."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, inheritance: Inheritance) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._inheritance = inheritance
        self._extensions: dict[tuple[int, str], Sequence[tuple[str, Binding]]] = {}
        self._declared: dict[tuple[int, str], bool] = {}
        self._blanket = BlanketImplementations(resolver, evaluator, inheritance)

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._extensions.clear()
        self._declared.clear()
        self._blanket.forget()

    def is_native(self, path: str, type_: Type) -> bool:
        """Return whether something is of a type that the language of a file itself has, and that may have members."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or semantics.types.native_type is no_type or not isinstance(type_.origin, ExternalType):
            return False
        return type_.origin.name in (COLLECTION, *POINTERS) or bool(semantics.types.native_type(type_.origin.name))

    def declared_extensions(self, path: str, name: str) -> Iterator[tuple[str, Binding]]:
        """Yield what adds a member ``name`` to some type from outside of it, for what a file sees."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.members.has_extensions:
            return
        key = id(semantics), name
        if key not in self._extensions:
            files = [file for file in self._resolver.project.defining(name, path) if share_rules(file, path)]
            self._extensions[key] = [one for file in sorted(files) for one in self._declared_in(file, name)]
        declared = self._extensions[key]
        yield from declared
        if all(file != path for file, _ in declared):
            yield from self._declared_in(path, name)

    def _declared_in(self, path: str, name: str) -> Iterator[tuple[str, Binding]]:
        """Yield what a file adds to types under a name."""
        facts, _ = self._resolver.facts(path)
        yield from ((path, binding) for binding in (facts.named(name) if facts is not None else ()) if binding.amends)

    def extension_members(self, path: str, type_: Type, name: str) -> Iterator[SymbolRef]:
        """Yield what adds a member to the type of an object from outside of it, for what a file holds."""
        found = self.extensions(path, type_, name)
        yield from dict.fromkeys(SymbolRef(file, binding.path, Reason.Receiver) for file, binding in found)

    def extensions(self, path: str, type_: Type, name: str) -> Sequence[tuple[str, Binding]]:
        """Return what adds a member to the type of an object; of those of one file that take the same the nearest."""
        nearest: dict[tuple[str, int, str], int] = {}
        found: list[tuple[str, Binding, int]] = []
        mro: Sequence[Type] = ()
        for file, binding in self.declared_extensions(path, name) if type_.is_instance else ():
            mro = mro or self._inheritance.mro(type_)
            distance = self._distance(file, binding, mro)
            if distance is not None:
                key = file, binding.scope, binding.takes
                nearest[key] = min(distance, nearest.get(key, distance))
                found.append((file, binding, distance))
        return [(file, one) for file, one, far in found if far == nearest[file, one.scope, one.takes]]

    def _distance(self, file: str, binding: Binding, mro: Sequence[Type]) -> int | None:
        """Return how far up the first type is that an extension adds a member to; None where it adds it to another."""
        amended = self._evaluator.evaluate_type(file, binding.amends, binding.spelled, None)
        facts, _ = self._resolver.facts(file)
        parameters = self._evaluator.function_type_parameters
        if not amended and facts is not None and binding.amends in parameters(file, facts, binding):
            return len(mro)  # anything
        # of two types from outside whose names are not known nobody knows whether they are one
        known = [one for one in amended if one.origin != EXTERNAL]
        fitting = (at for at, other in enumerate(mro) if any(is_same(one.origin, other.origin) for one in known))
        return next(fitting, None)

    def added_members(self, path: str, type_: Type, name: str) -> Iterator[tuple[SymbolRef, Type]]:
        """Yield the members that the code base gives a type from outside, for what a file holds, with their owners."""
        if isinstance(type_.origin, ExternalType):
            yield from ((one, type_) for one in self.extension_members(path, type_, name))
        yield from self._members_of_bases(path, type_, name)
        yield from ((one, type_) for one in self._blanket.members(path, type_, name))

    def members_of_declared(self, path: str, type_: Type, name: str) -> Iterator[tuple[SymbolRef, Type]]:
        """Yield the members that the code base adds to a type which it declares, or to bases from outside."""
        yield from ((one, type_) for one in self.extension_members(path, type_, name))
        yield from self._members_of_bases(path, type_, name)

    def _members_of_bases(self, path: str, type_: Type, name: str) -> Iterator[tuple[SymbolRef, Type]]:
        """Yield the members that the code base gives what the language has, of a type and those that it inherits."""
        for one in self._inheritance.mro(type_):
            if self.is_native(path, one):
                yield from self._native_members(path, one, name)

    def possible_members(
        self, path: str, term: str, types: Iterable[Type], name: str, *, called: bool
    ) -> Sequence[SymbolRef] | None:
        """Return the members that the code base gives types from outside, of which what a term stands for may be.

        What has the name of a type is of that type, or it is the object that the type names. None where one may be
        meant that the file need not see: then the type from outside may have such a member.
        """
        _, semantics = self._resolver.facts(path)
        if semantics is None or name in semantics.library.common:
            return ()
        objects = not semantics.members.extensions_by_namespace  # a name may be that of an object, as in Kotlin
        external = [one for one in types if isinstance(one.origin, ExternalType)]
        outside = [one for one in external if one.is_instance or (objects and one.origin == EXTERNAL)]
        if not outside:
            return ()
        named = "" if any(one.is_instance for one in outside) else _last_name(term)
        names = [one.origin.name for one in outside if isinstance(one.origin, ExternalType)]
        found: list[SymbolRef] = []
        for file, binding in self.declared_extensions(path, name):
            extended = self._evaluator.evaluate_type(file, binding.amends, binding.spelled, None)
            fits = not named[:1].isupper() or named in re.split(_BETWEEN, binding.amends)
            fits = fits and (not called or binding.sort == Sort.Callable)
            fits = fits and self._may_be_above(semantics, file, binding, names)
            if fits and all(map(self._is_outside, extended)):
                found.append(SymbolRef(file, binding.path, Reason.Receiver))
        sees = semantics.members.extensions_by_namespace or semantics.members.extension_packages is not None
        return found if sees or not found else None

    def _is_outside(self, type_: Type) -> bool:
        """Return whether a type is from outside, or the alias of one, for which it would stand in the code base."""
        if not isinstance(type_.origin, SymbolRef):
            return isinstance(type_.origin, NonSymbol)
        facts, _ = self._resolver.facts(type_.origin.path)
        bound = facts.all_at(type_.origin.name) if facts is not None else ()
        return bool(bound) and all(one.sort == Sort.Type and one.type for one in bound)

    def _may_be_above(self, semantics: Semantics, file: str, binding: Binding, types: Sequence[str]) -> bool:
        """Return whether an extension adds a member to one of some types from outside, or may do so to a base of one.

        Of some types each base is known. What an extension names may be an alias of a base, or a type parameter.
        """
        known = [semantics.library.conforms.get(one) for one in types]
        facts, _ = self._resolver.facts(file)
        name = _last_name(next(iter(re.split(r"[<?]", binding.amends))))
        if facts is None or not name or any(bases is None for bases in known):
            return True
        if name in {*types, *(base for bases in known for base in bases or ())}:
            return True
        imported = [facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0]
        if any(one.name != name for one in imported) or facts.within(name, binding.spelled):
            return True
        found = self._resolver.scopes.lookup(file, name, binding.spelled, Role.Type)
        return found is not None and found != EXTERNAL

    def may_add(self, path: str, name: str) -> bool:
        """Return whether the code base adds a member to some type, for what a file sees, by any kind of extension."""
        return self.may_be_added(path, name) or next(self.declared_extensions(path, name), None) is not None

    def may_be_added(self, path: str, name: str) -> bool:
        """Return whether the code base adds a member to some type from outside, where it can do so to any."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.members.extends_any_type:
            return False
        declaring = self._resolver.project.declaring(name, semantics.types.native_type)
        return any(not self._is_declared(path, owner) for _, owner in declaring)

    def _native_members(self, path: str, type_: Type, name: str) -> Iterator[tuple[SymbolRef, Type]]:
        """Yield the members that the code base declares for a type that the language itself has."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or semantics.types.native_type is no_type or not isinstance(type_.origin, NonSymbol):
            return
        declaring = self._resolver.project.declaring(name, semantics.types.native_type)
        if not declaring or self._is_declared(path, type_.origin.name):
            return
        conforming = (type_.origin.name, *semantics.library.conforms.get(type_.origin.name, ()))
        for kind in POINTERS if type_.origin.name in POINTERS[:1] else conforming:
            found = [
                one
                for one in declaring
                if semantics.types.native_type(one[1]) == kind and semantics_of(one[0]) is semantics
            ]
            for file, owner in found:
                of = SymbolRef(file, owner, Reason.Receiver)
                yield SymbolRef(file, f"{owner}.{name}", Reason.Receiver), replace(type_, origin=of, access=None)
            if found:
                return

    def _is_declared(self, path: str, name: str) -> bool:
        """Return whether the code base declares a type with a name, even if a file does not see it."""
        key = id(semantics_of(path)), name
        if key not in self._declared:
            files = self._resolver.project.defining(name.rpartition(".")[2], path)
            facts = (self._resolver.facts(file)[0] for file in files if share_rules(file, path))
            self._declared[key] = any(
                of is not None and any(one.sort == Sort.Type for one in of.all_at(name)) for of in facts
            )
        return self._declared[key]


def _last_name(term: str) -> str:
    """Return the last of the names that a term is made of, empty for one with a call or the like."""
    paths = parsed(term)
    plain = len(paths) == 1 and all(step.op is Op.Member for step in paths[0].steps)
    return [paths[0].head, *(step.name for step in paths[0].steps)][-1] if plain else ""
