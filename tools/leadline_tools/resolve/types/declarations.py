"""Declarations of types: their members, their bases and type parameters, and the files of their parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from leadline_tools.languages import semantics_of, share_rules
from leadline_tools.languages.facts import Binding, Facts, Heritage, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.scopes.component_namespaces import is_component
from leadline_tools.resolve.types.evaluation import Evaluator

_FEW_SCATTERED = 200
"""Files besides its own in which members of one type are looked for; of more, those whose index has a part of it."""


class Declarations:
    """The declarations of the types of a project; ``Evaluator.find_definition`` finds them by their names."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._owned: dict[tuple[str, str, str], SymbolRef | None] = {}
        self._scattered: dict[tuple[str, str, str], Sequence[str]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._owned.clear()
        self._scattered.clear()

    def own_member(self, owner: SymbolRef, name: str) -> SymbolRef | None:
        """Return the member that a type itself declares."""
        key = owner.path, owner.name, name
        if key not in self._owned:
            self._owned[key] = self._find_own(owner, name)
        return self._owned[key]

    def members_in_other_parts(self, owner: SymbolRef, name: str) -> Sequence[SymbolRef]:
        """Return a member as the other parts of a type declare it: extensions, or what has as many type parameters."""
        semantics, member = semantics_of(owner.path), f"{owner.name}.{name}"
        if semantics is None or not semantics.visibility.has_partial_types:
            return ()
        if semantics.types.by_arity:
            return list(self._members_of_parts(owner, name))
        files = [one for one in self._files_of_parts(owner, name) if self._resolver.project.may_declare(one, member)]
        declaring = ((one, self._resolver.facts(one)[0]) for one in files if self._extends(one, semantics, owner))
        return [
            SymbolRef(path, member, Reason.Receiver)
            for path, facts in declaring
            if facts is not None and facts.at(member) is not None
        ]

    def _members_of_parts(self, owner: SymbolRef, name: str) -> Iterator[SymbolRef]:
        """Yield the members called ``name`` that other files declare for a type."""
        for path in self._files_of_parts(owner, name):
            part = self._resolver.components.name_in(path, owner.name, owner.path)
            member = f"{part}.{name}"
            facts, _ = self._resolver.facts(path) if self._resolver.project.may_declare(path, member) else (None, None)
            if facts is not None and facts.at(member) is not None and _declares_type(facts, part):
                yield SymbolRef(path, member, Reason.Receiver)

    def declared_members(self, owner: SymbolRef, name: str) -> Iterator[tuple[str, Binding]]:
        """Yield each declaration of a member of a type, in any of its parts or under an alias of it, with its file."""
        semantics = semantics_of(owner.path)
        for path in (owner.path, *self._files_of_parts(owner, name)):
            facts, _ = self._resolver.facts(path)
            declared = [one for one in facts.named(name) if _is_declared_in(facts, one, owner.name)] if facts else []
            if declared and semantics is not None and (path == owner.path or self._extends(path, semantics, owner)):
                yield from ((path, one) for one in declared)
        for one in self._under_alias(owner, name, semantics) if semantics is not None else ():
            facts, _ = self._resolver.facts(one.path)
            yield from ((one.path, bound) for bound in (facts.all_at(one.name) if facts is not None else ()))

    def imported_member(self, owner: SymbolRef, name: str) -> Resolution | None:
        """Return what an import in the body of a type binds, which is a member of it."""
        facts, semantics = self._resolver.facts(owner.path)
        if facts is None or semantics is None or semantics.scopes.class_visible:
            return None
        return self.named_in_body(owner, facts, name)

    def named_in_body(self, owner: SymbolRef, facts: Facts, name: str) -> Resolution | None:
        """Return what an import in the body of a type binds, whether or not that is seen bare."""
        for binding in facts.named(name):
            if binding.imported >= 0 and binding.scope > 0:
                kind, _, around = facts.scopes[binding.scope]
                if kind is ScopeKind.Class and around == owner.name:
                    return self._resolver.imports.follow(owner.path, facts.imports[binding.imported])
        return None

    def member_taken_by_import(self, path: str, facts: Facts, imported: Imported) -> Resolution | None:
        """Return the method that an import takes from a type, which may inherit it: ``import static``."""
        bound = (one for one in facts.wide if one.imported >= 0 and facts.imports[one.imported] == imported)
        for one in bound:
            for type_ in self._evaluator.evaluate_type(path, imported.module, one.scope, None):
                if isinstance(type_.origin, SymbolRef):
                    method = self._evaluator.find_method(type_.origin, imported.name)
                    if method is not None:
                        return method
        return None

    def companion_member(self, owner: SymbolRef, name: str) -> SymbolRef | None:
        """Return the member of the companion object of a type, which is a member of the type as well."""
        facts, semantics = self._resolver.facts(owner.path)
        if facts is None or semantics is None or not semantics.members.companions:
            return None
        if name == semantics.members.companion:  # what has no name of its own has this one
            return SymbolRef(owner.path, owner.name, Reason.Receiver)
        members = (f"{one}.{name}" for one in facts.inner if one.rpartition(".")[0] == owner.name)
        found = next((one for one in members if facts.at(one) is not None), "")
        return SymbolRef(owner.path, found, Reason.Receiver) if found else None

    def _find_own(self, owner: SymbolRef, name: str) -> SymbolRef | None:
        facts, semantics = self._resolver.facts(owner.path)
        member = f"{owner.name}.{name}"
        if facts is not None and facts.at(member) is not None:
            return self._with_apart(owner.path, facts, semantics, owner.name, name)
        if facts is not None and (listed := _listed(facts, owner.name, name)):
            return SymbolRef(owner.path, listed, Reason.Receiver)
        twin = self._twin(owner.path, semantics)
        facts, _ = self._resolver.facts(twin) if twin else (None, None)
        if facts is not None and facts.at(member) is not None and facts.at(owner.name) is not None:
            return SymbolRef(twin, member, Reason.Receiver)
        if semantics is None or not semantics.visibility.has_partial_types:
            return None
        declaring: dict[str, str] = {}
        apart: dict[str, SymbolRef] = {}
        for path in self._files_of_parts(owner, name):
            facts, _ = self._resolver.facts(path)
            member = f"{self._resolver.components.name_in(path, owner.name, owner.path)}.{name}"
            if facts is not None and facts.at(member) is not None and self._extends(path, semantics, owner):
                declaring[path] = member
                apart[path] = self._with_apart(path, facts, semantics, member.rpartition(".")[0], name)
                if not semantics.visibility.variants:
                    break
        packaged = self._resolver.modules.packaged_with(owner.path, list(declaring))
        found = [apart[path] for path in packaged]
        found = found or list(islice(self._under_alias(owner, name, semantics), 1))
        return replace(found[0], others=(*found[0].others, *found[1:])) if found else None

    def _with_apart(self, path: str, facts: Facts, semantics: Semantics | None, owner: str, name: str) -> SymbolRef:
        """Return the member of a type in a file with those of its name for other interfaces, unless it has its own.

        https://doc.rust-lang.org/reference/expressions/method-call-expr.html
        """
        plain = SymbolRef(path, f"{owner}.{name}", Reason.Receiver)
        if semantics is None or not semantics.members.by_interface:
            return plain
        declared = [one for one in facts.named(name) if _is_declared_in(facts, one, owner)]
        own = [one for one in declared if _is_of_type_itself(facts, one, owner)]
        first, *others = dict.fromkeys(one.path for one in own or declared) or (plain.name,)
        return SymbolRef(path, first, Reason.Receiver, tuple(SymbolRef(path, one, Reason.Receiver) for one in others))

    def _twin(self, path: str, semantics: Semantics | None) -> str:
        """Return the file that declares the same types as a file, as a stub does; empty where there is none."""
        twin = semantics.imports.twin(path) if semantics is not None else ""
        return twin if twin and self._resolver.project.paths.exists(twin) else ""

    def _under_alias(self, owner: SymbolRef, name: str, semantics: Semantics) -> Iterator[SymbolRef]:
        """Yield the members that are declared for a type by another name that it has."""
        for path in (owner.path, *self._files_of_parts(owner, name)) if semantics.members.extends_named_types else ():
            facts, _ = self._resolver.facts(path)
            for binding in facts.named(name) if facts is not None else ():
                of = binding.path.rpartition(".")[0]
                if of and of != owner.name and self._is_alias(path, of, owner):
                    yield SymbolRef(path, binding.path, Reason.Receiver)

    def _is_alias(self, path: str, name: str, of: SymbolRef) -> bool:
        """Return whether a file calls a type by a name that is declared to be another one for it."""
        alias = self._evaluator.find_definition(path, name)
        return alias is not None and any(of.same(type_.origin) for type_ in self._evaluator.aliased_types(alias))

    def _extends(self, path: str, semantics: Semantics, of: SymbolRef) -> bool:
        """Return whether what a file declares for the name of a type is declared for that type."""
        return not semantics.members.extends_named_types or of.same(self._evaluator.find_definition(path, of.name))

    def _files_of_parts(self, of: SymbolRef, name: str) -> Sequence[str]:
        """Return the other files that may declare something called ``name`` of a type; all that may for no name."""
        key = of.path, of.name, name
        if key not in self._scattered:
            self._scattered[key] = self._find_files_of_parts(of, name)
        return self._scattered[key]

    def _find_files_of_parts(self, of: SymbolRef, name: str) -> Sequence[str]:
        project = self._resolver.project
        semantics = semantics_of(of.path)
        scatters = semantics.visibility.list_partial_files if semantics is not None else None
        files: Collection[str] = scatters(of.path, project.paths) if scatters is not None else ()
        files = files or self._resolver.modules.siblings_of(of.path)
        word = of.name.rpartition(".")[2]
        if files and semantics is not None and semantics.visibility.has_open_namespaces:
            files = dict.fromkeys((*files, *sorted(project.defining(word, of.path))))
        if semantics is not None and semantics.imports.names_modules:
            files = dict.fromkeys((*files, *_find_importing_parts(self._resolver, of, word, alone=not files)))
        elif not files:
            files = project.spelling(word)
        holders = project.spelling(name) if name else files
        found = [
            file
            for file in files
            if file != of.path and share_rules(file, of.path) and (file in holders or _is_called(file, word, name))
        ]
        named = project.spelling(word) if len(found) > _FEW_SCATTERED else ()
        rest = (file for file in found[_FEW_SCATTERED:] if file in named and project.may_hold_part(file, of.name))
        return [*found[:_FEW_SCATTERED], *rest]

    def files(self, of: SymbolRef) -> Sequence[str]:
        """Return the files that may declare members of a type, its own first."""
        _, semantics = self._resolver.facts(of.path)
        twin = self._twin(of.path, semantics)
        partial = semantics is not None and semantics.visibility.has_partial_types
        parts = self._files_of_parts(of, "") if partial else ()
        return (of.path, *((twin,) if twin else ()), *parts)

    def type_parameters(self, of: SymbolRef, heritage: Heritage) -> Sequence[str]:
        """Return the names of the type parameters that a type has; others stand for types that its bases are given."""
        facts, semantics = self._resolver.facts(of.path)
        if facts is None or semantics is None or not semantics.scopes.type_variables:
            return heritage.generics
        return [name for name in heritage.generics if self._may_be_parameter(of.path, name, heritage.scope)]

    def _may_be_parameter(self, path: str, name: str, scope: int) -> bool:
        resolution = self._resolver.scopes.lookup(path, name, scope, Role.Type)
        return not isinstance(resolution, SymbolRef) or self.is_type_variable(resolution)

    def is_type_variable(self, resolution: Resolution | None) -> bool:
        """Return whether a name is that of a type parameter which is declared like a variable."""
        facts, _ = self._resolver.facts(resolution.path) if isinstance(resolution, SymbolRef) else (None, None)
        found = facts.all_at(resolution.name) if facts is not None and isinstance(resolution, SymbolRef) else ()
        return any(binding.sort == Sort.Parameter for binding in found)

    def heritage(self, of: SymbolRef) -> Iterator[tuple[str, Heritage]]:
        """Yield the heritage of a type, which may have several parts, with the path of the file of each."""
        facts, semantics = self._resolver.facts(of.path)
        if facts is None or semantics is None:
            return
        yield from ((of.path, one) for one in facts.heritage_of(of.name))
        for path in self.files_with_bases(of):
            facts, _ = self._resolver.facts(path)
            if facts is not None and self._extends(path, semantics, of):
                part = self._resolver.components.name_in(path, of.name, of.path)
                yield from ((path, one) for one in facts.heritage_of(part))

    def files_with_bases(self, of: SymbolRef) -> Sequence[str]:
        """Return the other files that may say of a type, by its name, what it inherits from."""
        semantics = semantics_of(of.path)
        if semantics is None or not semantics.visibility.has_partial_types or semantics.members.at_once:
            return ()
        return self._files_of_parts(of, of.name.rpartition(".")[2])


def _is_declared_in(facts: Facts, member: Binding, owner: str) -> bool:
    """Return whether a symbol is declared in a body of the type that has a dotted name in a file."""
    return bool(member.path) and member.scope > 0 and facts.scopes[member.scope][::2] == (ScopeKind.Class, owner)


def _is_of_type_itself(facts: Facts, member: Binding, owner: str) -> bool:
    """Return whether a member is one of its type by itself, and no field: it stands in an impl without a trait."""
    around = facts.scopes[member.scope].parent
    return facts.scopes[around].kind is ScopeKind.Implementation and implementation(facts, member, owner) is None


def implementation(facts: Facts, member: Binding, owner: str) -> Heritage | None:
    """Return the heritage of the implementation of an interface in which a type declares a member, if it is one."""
    around = facts.scopes[member.scope].parent if member.scope > 0 else 0
    if facts.scopes[around].kind is not ScopeKind.Implementation:
        return None
    return next((one for one in facts.heritage_of(owner) if one.scope == around and one.bases), None)


def _is_called(path: str, word: str, name: str) -> bool:
    """Return whether a file is a type that it does not name, of which a part is looked for by that name."""
    return word == name and is_component(path) and path.endswith(f"/{word}.razor")


def _declares_type(facts: Facts, name: str) -> bool:
    """Return whether a file declares a type with a dotted name."""
    return any(one.sort == Sort.Type for one in facts.all_at(name))


def _listed(facts: Facts, owner: str, name: str) -> str:
    """Return the dotted name of what a type in a type lists, where those names are seen around it; empty for none."""
    inside = (b for b in facts.named(name) if b.scope > 0 and b.path.startswith(f"{owner}."))
    return next((b.path for b in inside if facts.scopes[b.scope][::2] == (ScopeKind.Class, owner)), "")


def _find_importing_parts(resolver: NameResolver, of: SymbolRef, word: str, *, alone: bool) -> Iterator[str]:
    """Yield the files that may extend a type of a module which they import.

    Of a type whose file is ``alone``, so that its module is not known, those too that do not say what the name means.
    """
    first = of.name.partition(".")[0]
    for file in resolver.project.spelling(word):
        if file != of.path and share_rules(file, of.path) and resolver.project.may_hold_part(file, of.name):
            found = resolver.scopes.lookup(file, first, 0, Role.Type)
            if (found is None and alone) or (isinstance(found, SymbolRef) and found.path == of.path):
                yield file
