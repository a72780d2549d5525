"""The follower of imports: to a module, or to a name of a module through its re-exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Facts, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import MEMBERS, Imported
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.imports.ambient_modules import AmbientModules
from leadline_tools.resolve.lookup.facades import find_facade
from leadline_tools.resolve.lookup.package_extensions import with_extensions_of_package
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.scopes.linkage import Linkage
from leadline_tools.resolve.scopes.namespaces import opened_namespaces, renames_namespace
from leadline_tools.resolve.scopes.visible_bindings import best_binding
from leadline_tools.resolve.types.arities import Arities

_DEEPEST_CHAIN = 32
"""Re-exports that are followed one after the other; more is a cycle that the guard did not see."""

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for the same thing."""


class ImportFollower:
    """Follows imports."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: TypeEvaluator,
        linkage: Linkage,
        ambient_modules: AmbientModules,
        arities: Arities,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._linkage = linkage
        self._ambient_modules = ambient_modules
        self._arities = arities

    def follow(self, path: str, imported: Imported) -> Resolution | None:
        """Return what an import of the file ``path`` binds."""
        facts, semantics = self._resolver.facts(path)
        if imported.space == MEMBERS and facts is not None:
            return self._evaluator.declarations.member_taken_by_import(path, facts, imported)
        return None if semantics is None else self.resolve(path, imported, semantics, 0)

    def resolve(self, path: str, imported: Imported, semantics: Semantics, depth: int) -> Resolution | None:
        """Return what an import binds: a module, or a name of a module through its re-exports."""
        found = self._resolve_in_files(path, imported, semantics, depth)
        if semantics.types.by_arity and isinstance(found, SymbolRef):
            found = self._arities.select(found, imported.arity)
        if isinstance(found, SymbolRef) and semantics.members.has_extensions and semantics.scopes.sees_outer_members:
            first, *others = with_extensions_of_package(self._resolver, self._evaluator, path, imported.name, found)
            return replace(first, others=tuple(others))
        if isinstance(found, SymbolRef):
            return found
        found = self._ambient_modules.meaning(path, imported) or found
        unknown = found is None or found == EXTERNAL
        return (self._ambient_modules.meaning_by_pattern(path, imported) if unknown else None) or found

    def _resolve_in_files(self, path: str, imported: Imported, semantics: Semantics, depth: int) -> Resolution | None:
        """Return what an import binds of what files of the code base declare."""
        extern = semantics.visibility.links_definitions and not imported.module and not imported.space
        files = self._resolver.modules.locate(semantics, imported.module, path) if not extern else None
        if files is None or renames_namespace(imported):
            if files is None and semantics.imports.packages_are_relative:
                return self._member_of_holder(path, imported, semantics, depth)
            named = imported.space or (not imported.module and imported.name not in ("", "*"))
            autoloaded = files is None and named and semantics.scopes.autoloads is not None
            lookup = self._lookup_linked_name if extern else self._lookup_in_namespace if autoloaded else None
            return lookup(path, imported, semantics, depth) if lookup is not None else None
        if imported.name in ("", "*"):
            module = self._resolver.modules.find(semantics, imported.module, path)
            return module or self.resolve_holder(path, imported.module, semantics, depth)
        found = self._resolver.exports.lookup_in_module(files, imported.name, depth + 1, imported.space)
        found = found or find_facade(self._resolver, semantics, files, imported.name)
        if found is not None or imported.space:
            found = found or self._lookup_in_namespace(path, imported, semantics, depth)
            return found or self._lookup_in_type(path, imported, semantics, depth)
        submodule = self._resolver.modules.find(semantics, _joined(imported.module, imported.name), path)
        if submodule is not None:
            return submodule
        return None if files else self._member_of_holder(path, imported, semantics, depth)

    def _member_of_holder(self, path: str, imported: Imported, semantics: Semantics, depth: int) -> Resolution | None:
        """Return what an import takes of a type or an object."""
        owner = self.resolve_holder(path, imported.module, semantics, depth)
        if owner is None or isinstance(owner, NonSymbol):
            return owner
        return self._resolver.member_of(owner, imported.name)

    def _lookup_linked_name(self, path: str, imported: Imported, semantics: Semantics, depth: int) -> Resolution | None:
        """Return what a function means by a name that it declares to be defined outside: what its file declares too."""
        facts, _ = self._resolver.facts(path)
        scopes, name = self._resolver.scopes, imported.name
        found = scopes.lookup_top(path, facts, semantics, name, ("",), depth + 1) if facts is not None else None
        return found if isinstance(found, SymbolRef) else self._linkage.external(path, name)

    def _lookup_in_namespace(
        self, path: str, imported: Imported, semantics: Semantics, depth: int
    ) -> Resolution | None:
        """Return what an import takes from a namespace that no file names."""
        facts, _ = self._resolver.facts(path)
        scopes, name = self._resolver.scopes, imported.name
        if facts is not None and depth <= _DEEPEST_CHAIN:
            spaces = (imported.space,) if semantics.scopes.autoloads is not None else _possible_spaces(facts, imported)
            found = scopes.lookup_top(path, facts, semantics, name, spaces, depth + 1)
            if found is not None:
                return found
        if semantics.scopes.autoloads is not None:  # each name is whole
            nowhere = self._resolver.globals.is_declared_nowhere(path, name, imported.space)
            return EXTERNAL if nowhere else None
        external = semantics.imports.passes_on and self._resolver.bindings.is_external_using(path, semantics, imported)
        return EXTERNAL if external and not self._is_function(path, name) else None

    def _lookup_in_type(self, path: str, imported: Imported, semantics: Semantics, depth: int) -> SymbolRef | None:
        """Return the member that an import takes from a type: the last name before it need not be a namespace."""
        outer, _, holder = imported.space.rpartition(".")
        if not semantics.imports.imports_members or depth > _DEEPEST_CHAIN:
            return None
        owner = self.resolve(path, Imported(outer, holder, holder, space=outer), semantics, depth + 1)
        found = self._resolver.member_of(owner, imported.name) if isinstance(owner, SymbolRef) else None
        return found if isinstance(found, SymbolRef) else None

    def resolve_holder(
        self, path: str, module: str, semantics: Semantics, depth: int, arity: int = 0
    ) -> Resolution | None:
        """Return what the module of an import means where it is no file: a class of one, or something outside.

        Of classes that share a name that one is meant which takes ``arity`` type arguments.
        """
        found = self._find_holder(path, module, semantics, depth)
        is_shared = semantics.types.by_arity
        return self._arities.select(found, arity) if is_shared and isinstance(found, SymbolRef) else found

    def _find_holder(self, path: str, module: str, semantics: Semantics, depth: int) -> Resolution | None:
        """Return what the module of an import means where it is no file, of any number of type parameters."""
        outer, _, name = module.rpartition(".")
        if not semantics.imports.imports_members or not name or depth > _DEEPEST_CHAIN:
            return EXTERNAL
        if outer and semantics.visibility.has_open_namespaces:
            files = (path, *self._resolver.modules.siblings(path, semantics, outer))
            found = self._resolver.exports.lookup_in_module(files, name, depth + 1, outer)
            elsewhere = (
                () if found or semantics.imports.passes_on else self._resolver.globals.files_declaring(path, name)
            )
            return found or self._resolver.exports.lookup_in(elsewhere, name, depth + 1, outer) or EXTERNAL
        if outer:
            return self.resolve(path, Imported(outer, name, name), semantics, depth + 1)
        facts, _ = self._resolver.facts(path)
        binding = best_binding(facts.within(name, 0)) if facts is not None else None
        if binding is None and semantics.imports.packages_are_relative:  # it may be seen without an import
            siblings = self._resolver.modules.siblings_naming(path, semantics, name, "")
            return self._resolver.exports.lookup_in(siblings, name, depth + 1)
        if facts is None or binding is None:
            return EXTERNAL
        return self._resolver.bindings.resolve(path, facts, semantics, binding, depth + 1)

    def _is_function(self, path: str, name: str) -> bool:
        """Return whether a file may define a function that a call may mean by the types of its arguments."""
        defining = self._resolver.project.defining(name, path)
        if len(defining) > _MOST_DECLARING:
            return True
        every = (facts for file in defining if (facts := self._resolver.facts(file)[0]) is not None)
        return any(one.sort == Sort.Callable and one.scope == 0 for facts in every for one in facts.named(name))


def _possible_spaces(facts: Facts, imported: Imported) -> Sequence[str]:
    """Return the namespaces that an import may name: it may be one inside of those around the import."""
    scopes = [one.scope for one in facts.wide if one.imported >= 0 and facts.imports[one.imported] == imported]
    return opened_namespaces(facts, max(scopes, default=0), imported.space)


def _joined(module: str, name: str) -> str:
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
