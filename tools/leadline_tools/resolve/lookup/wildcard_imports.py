"""Wildcard imports: all names of a module, a package or a type."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import WILDCARD, Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.lookup.facades import find_facade
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Module, Resolution, SymbolRef
from leadline_tools.resolve.scopes.visible_bindings import is_passed_on, is_seen_outside


class WildcardImports:
    """Looks names up in what is imported as a whole."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def lookup(
        self,
        path: str,
        imports: Sequence[Imported],
        semantics: Semantics,
        name: str,
        depth: int,
        space: str = "",
        role: Role = Role.Read,
    ) -> Resolution | None:
        """Return what a name means in the first of some imports that has it."""
        if semantics.imports.passes_on:
            return self._resolver.included_names.lookup(path, name, depth + 1, space)
        for imported in imports:
            files = self._resolver.modules.locate(semantics, imported.module, path)
            if files and semantics.imports.all_names:
                files = [
                    file for file in files if self._is_exported_to_wildcards(file, name, semantics.imports.all_names)
                ]
                if not files:
                    continue
            named = semantics.imports.packages_are_relative or self._is_bound(path, semantics, imported.module)
            unknown = files is None and not named
            if unknown or (imported.space and not files):
                continue
            if files:
                found = self._resolver.exports.lookup_in_module(files, name, depth + 1, space)
                found = found or find_facade(self._resolver, semantics, files, name)
            else:
                holder = self._resolver.imports.resolve_holder(path, imported.module, semantics, depth, imported.arity)
                found = self._resolver.member_of(holder, name, called=role is Role.Call)
                if isinstance(found, SymbolRef) and not self._resolver.scopes.is_seen_bare(found, semantics, role):
                    continue
            if found is not None and not self._resolver.sorts.cannot_be_called(found, semantics, role):
                return found
        return None

    def _is_bound(self, path: str, semantics: Semantics, module: str) -> bool:
        """Return whether a file binds the name of what an import takes all names of, which may be a type."""
        facts, _ = self._resolver.facts(path) if semantics.imports.imports_members else (None, None)
        return facts is not None and any(one.scope == 0 for one in facts.named(module))

    def _is_exported_to_wildcards(self, path: str, name: str, listing: str) -> bool:
        """Return whether an import of all names of a file takes a name: one that the file lists, or any public one."""
        facts, _ = self._resolver.facts(path)
        if facts is None:
            return False
        if any(use.role is Role.Other and use.receiver == BARE for use in facts.uses.get(name, ())):
            return True
        listed = any(binding.scope == 0 for binding in facts.named(listing))
        return WILDCARD in facts.uses if listed else not name.startswith("_")

    def lookup_passed_on(self, module: SymbolRef, name: str) -> Resolution | None:
        """Return what a module inside a file has under a name from elsewhere, and others can have from it."""
        facts, semantics = self._resolver.facts(module.path)
        if facts is None or semantics is None or not semantics.scopes.sealed:
            return None
        inside = {
            i for i, (kind, _, path) in enumerate(facts.scopes) if kind is ScopeKind.Module and path == module.name
        }
        if not inside:
            return None
        taken = (b for b in facts.named(name) if b.scope in inside and b.imported >= 0)
        seen = [binding for binding in taken if is_seen_outside(binding, facts, semantics)]
        if seen:
            return self._resolver.bindings.resolve_any(module.path, facts, semantics, seen, 1)
        imports = [one for scope, one in facts.wildcards if scope in inside and is_passed_on(one, semantics)]
        return self.lookup(module.path, imports, semantics, name, 1)

    def may_hide(self, path: str, facts: Facts, semantics: Semantics, passed: AbstractSet[int]) -> bool:
        """Return whether an inner scope imports all of a package from outside, which may have any name."""
        inner = (one.module for scope, one in facts.wildcards if scope > 0 and scope in passed)
        return any(
            module.rpartition(".")[2][:1].islower()
            and "." in module
            and not facts.named(module.partition(".")[0])
            and not self._resolver.modules.locate(semantics, module, path)
            and not isinstance(self._resolver.imports.resolve_holder(path, module, semantics, 0), SymbolRef | Module)
            for module in inner
        )
