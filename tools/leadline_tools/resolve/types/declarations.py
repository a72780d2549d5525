"""What types declare themselves: their members, what they say they inherit from, and the files in which they do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from leadline_tools.languages import scoping_of, share_rules
from leadline_tools.languages.facts import Binding, Facts, Heritage, Sort
from leadline_tools.languages.language import Imported, ScopeKind, Scoping
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type

if TYPE_CHECKING:
    from leadline_tools.resolve.resolver import Resolver

_MOST_SCATTERED = 200
"""Files in which members of one type are looked for besides its own."""

_DOTTED = re.compile(r"\w+(?:\.\w+)*")
"""The dotted name that a term of a type begins with."""


class Declarations:
    """The declarations of the types of a project; ``TypeEvaluator.named`` tells which type a file means by a name."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._owned: dict[tuple[str, str, str], SymbolRef | None] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._owned.clear()

    def own(self, owner: SymbolRef, name: str) -> SymbolRef | None:
        """Return the member that a type itself declares."""
        key = owner.path, owner.name, name
        if key not in self._owned:
            self._owned[key] = self._find_own(owner, name)
        return self._owned[key]

    def given(self, owners: Iterable[Type], name: str) -> Sequence[SymbolRef]:
        """Return the members of a name that assignments give variables: ``a.b = c``."""
        found = (self.own(one.of, name) for one in owners if isinstance(one.of, SymbolRef) and not one.instance)
        return [one for one in found if one is not None]

    def in_other_parts(self, owner: SymbolRef, name: str) -> Sequence[SymbolRef]:
        """Return a member as the other parts of a type declare it, which have as many type parameters."""
        return [one for one in self._alike(owner, name) if self._numbers(one.path, owner) & self._numbers("", owner)]

    def in_base_of_name(self, owner: SymbolRef, name: str) -> Sequence[SymbolRef]:
        """Return a member as a type declares it that is called alike and has other type parameters: ``A<T> : A``."""
        facts, _ = self._resolver.facts(owner.path)
        word = owner.name.rpartition(".")[2]
        said = facts.heritage_of(owner.name) if facts is not None else ()
        if not any(_last_name(base) == word for one in said for base in one.bases):
            return ()
        own = self._numbers("", owner)
        return [one for one in self._alike(owner, name) if not self._numbers(one.path, owner) & own]

    def _alike(self, owner: SymbolRef, name: str) -> Iterator[SymbolRef]:
        """Yield the members called ``name`` of types in other files that are called like one."""
        scoping = scoping_of(owner.path)
        member = f"{owner.name}.{name}"
        for path in self._scattered(owner, name) if scoping is not None and scoping.scattered else ():
            facts, _ = self._resolver.facts(path) if self._resolver.project.may_declare(path, member) else (None, None)
            if facts is not None and facts.at(member) is not None and self._numbers(path, owner):
                yield SymbolRef(path, member, Reason.Receiver)

    def _numbers(self, path: str, of: SymbolRef) -> frozenset[int]:
        """Return how many type parameters types have that a file, that of the type for none, calls like a type."""
        return self._resolver.arities.numbers(path or of.path, of.name)

    def imported(self, owner: SymbolRef, name: str) -> Resolution | None:
        """Return what an import in the body of a type binds, which is a member of it."""
        facts, scoping = self._resolver.facts(owner.path)
        if facts is None or scoping is None or scoping.class_visible:
            return None
        for binding in facts.named(name):
            if binding.imported >= 0 and binding.scope > 0:
                kind, _, around = facts.scopes[binding.scope]
                if kind is ScopeKind.Class and around == owner.name:
                    return self._resolver.follow(owner.path, facts.imports[binding.imported])
        return None

    def taken(self, path: str, facts: Facts, imported: Imported) -> Resolution | None:
        """Return the member that a type of a file takes of another, which may have it of a further one."""
        evaluator = self._resolver.evaluator
        bound = (one for one in facts.wide if one.imported >= 0 and facts.imports[one.imported] == imported)
        types = (value.of for one in bound for value in evaluator.types(path, imported.module, one.scope, None))
        members = (evaluator.method(of, imported.name) for of in types if isinstance(of, SymbolRef))
        return next((one for one in members if one is not None), None)

    def of_companion(self, owner: SymbolRef, name: str) -> SymbolRef | None:
        """Return the member of an object in a type that is taken of the type."""
        facts, scoping = self._resolver.facts(owner.path)
        if facts is None or scoping is None or not scoping.companions:
            return None
        if name == scoping.companion:  # what has no name of its own has this one
            return SymbolRef(owner.path, owner.name, Reason.Receiver)
        members = (f"{one}.{name}" for one in facts.inner if one.rpartition(".")[0] == owner.name)
        found = next((one for one in members if facts.at(one) is not None), "")
        return SymbolRef(owner.path, found, Reason.Receiver) if found else None

    def owner(self, path: str, member: str) -> tuple[SymbolRef, str]:
        """Return the type that declares a member, and the interface for which alone it does; empty for none."""
        owner = member.rpartition(".")[0]
        around, _, interface = owner.rpartition(".")
        scoping = scoping_of(path)
        facts, _ = self._resolver.facts(path) if scoping is not None and scoping.explicit and around else (None, None)
        if facts is not None and facts.at(owner) is None and facts.at(around) is not None:
            return SymbolRef(path, around, Reason.Definition), interface
        return SymbolRef(path, owner, Reason.Definition), ""

    def explicit(self, owner: SymbolRef, interface: str, name: str) -> SymbolRef | None:
        """Return the member that a type declares for one interface alone."""
        member = f"{owner.name}.{interface}.{name}"
        for path in self.files(owner) if self._has_explicit(owner) else ():
            facts, _ = self._resolver.facts(path)
            if facts is not None and facts.at(member) is not None:
                return SymbolRef(path, member, Reason.Receiver)
        return None

    def _has_explicit(self, owner: SymbolRef) -> bool:
        scoping = scoping_of(owner.path)
        return scoping is not None and scoping.explicit

    def _find_own(self, owner: SymbolRef, name: str) -> SymbolRef | None:
        facts, scoping = self._resolver.facts(owner.path)
        member = f"{owner.name}.{name}"
        if facts is not None and facts.at(member) is not None:
            return SymbolRef(owner.path, member, Reason.Receiver)
        if facts is not None and (listed := _listed(facts, owner.name, name)):
            return SymbolRef(owner.path, listed, Reason.Receiver)
        twin = self._twin(owner.path, scoping)
        facts, _ = self._resolver.facts(twin) if twin else (None, None)
        if facts is not None and facts.at(member) is not None and facts.at(owner.name) is not None:
            return SymbolRef(twin, member, Reason.Receiver)
        if scoping is None or not scoping.scattered:
            return None
        declaring: list[str] = []
        for path in self._parts_first(owner, scoping, self._scattered(owner, name)):
            facts, _ = self._resolver.facts(path)
            if facts is not None and facts.at(member) is not None and self._extends(path, scoping, owner):
                declaring.append(path)
                if not scoping.variants:
                    break
        declaring = list(self._resolver.packaged_with(owner.path, declaring))
        found = [SymbolRef(path, member, Reason.Receiver) for path in declaring]
        found = found or list(islice(self._under_alias(owner, name, scoping), 1))
        return replace(found[0], others=tuple(found[1:])) if found else None

    def _parts_first(self, owner: SymbolRef, scoping: Scoping, files: Sequence[str]) -> Sequence[str]:
        """Return files, those first that declare the type with as many type parameters where these tell types apart."""
        if not scoping.by_arity or len(files) < 2:
            return files
        own = self._numbers("", owner)
        return sorted(files, key=lambda path: not self._numbers(path, owner) & own)

    def _twin(self, path: str, scoping: Scoping | None) -> str:
        """Return the file that says the same of the types of a file, as a stub does; empty where there is none."""
        twin = scoping.twin(path) if scoping is not None else ""
        return twin if twin and self._resolver.project.paths.exists(twin) else ""

    def _under_alias(self, owner: SymbolRef, name: str, scoping: Scoping) -> Iterator[SymbolRef]:
        """Yield the members that are declared for a type by another name that it has."""
        for path in (owner.path, *self._scattered(owner, name)) if scoping.extends else ():
            facts, _ = self._resolver.facts(path)
            for binding in facts.named(name) if facts is not None else ():
                of = binding.path.rpartition(".")[0]
                if of and of != owner.name and self._is_alias(path, of, owner):
                    yield SymbolRef(path, binding.path, Reason.Receiver)

    def _is_alias(self, path: str, name: str, of: SymbolRef) -> bool:
        """Tell whether a file calls a type by a name that is declared to be another one for it."""
        evaluator = self._resolver.evaluator
        alias = evaluator.named(path, name)
        return alias is not None and any(of.same(value.of) for value in evaluator.aliased(alias))

    def _extends(self, path: str, scoping: Scoping, of: SymbolRef) -> bool:
        """Tell whether what a file declares for the name of a type is declared for that type."""
        return not scoping.extends or of.same(self._resolver.evaluator.named(path, of.name))

    def _scattered(self, of: SymbolRef, name: str) -> Sequence[str]:
        """Return the other files that may declare something called ``name`` of a type; all that may for no name."""
        project = self._resolver.project
        scoping = scoping_of(of.path)
        scatters = scoping.scatters if scoping is not None else None
        files: Collection[str] = scatters(of.path, project.paths) if scatters is not None else ()
        files = files or self._resolver.beside(of.path)
        word = of.name.rpartition(".")[2]
        if files and scoping is not None and scoping.spaced:
            files = dict.fromkeys((*files, *sorted(project.defining(word, of.path))))
        if not files:
            files = project.spelling(word)
        holders = project.spelling(name) if name else files
        found = (file for file in files if file != of.path and file in holders and share_rules(file, of.path))
        return list(islice(found, _MOST_SCATTERED))

    def amending(self, path: str, name: str) -> Iterator[tuple[str, Binding]]:
        """Yield what adds a member ``name`` to some type from outside of it, as files like ``path`` can see it."""
        _, scoping = self._resolver.facts(path)
        if scoping is None or not scoping.amended:
            return
        for file in sorted({path, *self._resolver.project.defining(name, path)})[:_MOST_SCATTERED]:
            facts, _ = self._resolver.facts(file) if share_rules(file, path) else (None, None)
            yield from (
                (file, binding) for binding in (facts.named(name) if facts is not None else ()) if binding.amends
            )

    def files(self, of: SymbolRef) -> Sequence[str]:
        """Return the files that may declare members of a type, its own first."""
        _, scoping = self._resolver.facts(of.path)
        twin = self._twin(of.path, scoping)
        beside = (twin,) if twin else ()
        return (of.path, *beside, *(self._scattered(of, "") if scoping is not None and scoping.scattered else ()))

    def generics(self, of: SymbolRef, heritage: Heritage) -> Sequence[str]:
        """Return the names of the type parameters that a type has; others stand for types that its bases are given."""
        facts, scoping = self._resolver.facts(of.path)
        if facts is None or scoping is None or not scoping.type_variables:
            return heritage.generics
        return [name for name in heritage.generics if self._may_be_parameter(of.path, name, heritage.scope)]

    def _may_be_parameter(self, path: str, name: str, scope: int) -> bool:
        meaning = self._resolver.lookup(path, name, scope, Role.Type)
        return not isinstance(meaning, SymbolRef) or self.is_type_variable(meaning)

    def is_type_variable(self, meaning: Resolution | None) -> bool:
        """Tell whether a name is that of a type parameter which is declared like a variable."""
        facts, _ = self._resolver.facts(meaning.path) if isinstance(meaning, SymbolRef) else (None, None)
        found = facts.all_at(meaning.name) if facts is not None and isinstance(meaning, SymbolRef) else ()
        return any(binding.sort == Sort.Parameter for binding in found)

    def heritage(self, of: SymbolRef) -> Iterator[tuple[str, Heritage]]:
        """Yield what a type says of itself, with the path of the file in which it does."""
        facts, scoping = self._resolver.facts(of.path)
        if facts is None or scoping is None:
            return
        yield from ((of.path, one) for one in facts.heritage_of(of.name))
        if scoping.scattered and not scoping.at_once:
            for path in self._scattered(of, of.name.rpartition(".")[2]):
                facts, _ = self._resolver.facts(path)
                if facts is not None and self._extends(path, scoping, of):
                    yield from ((path, one) for one in facts.heritage_of(of.name))


def _listed(facts: Facts, owner: str, name: str) -> str:
    """Return the dotted name of what a type in a type lists, where those names are seen around it; empty for none."""
    inside = (b for b in facts.named(name) if b.scope > 0 and b.path.startswith(f"{owner}."))
    return next((b.path for b in inside if facts.scopes[b.scope][::2] == (ScopeKind.Class, owner)), "")


def _last_name(term: str) -> str:
    """Return the last part of the dotted name that a term begins with; empty for none."""
    found = _DOTTED.match(term)
    return found[0].rpartition(".")[2] if found is not None else ""
