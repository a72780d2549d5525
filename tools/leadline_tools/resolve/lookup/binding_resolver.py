"""The resolver of bindings: a symbol, what an import takes from elsewhere, or a name of its scope alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Module, Resolution, SymbolRef
from leadline_tools.resolve.scopes.hidden_namespaces import HiddenNamespaces
from leadline_tools.resolve.scopes.namespaces import named_namespace
from leadline_tools.resolve.scopes.visible_bindings import alternative_imports, best_binding, namespace_of


class BindingResolver:
    """Resolves bindings."""

    def __init__(self, resolver: NameResolver, hidden_namespaces: HiddenNamespaces) -> None:
        self._resolver = resolver
        self._hidden_namespaces = hidden_namespaces

    def resolve_any(
        self, path: str, facts: Facts, semantics: Semantics, bindings: Sequence[Binding], depth: int
    ) -> Resolution | None:
        """Return what bindings of a name bind; a variable that stands in for an import from outside is meant too."""
        found = self._resolve_best(path, facts, semantics, bindings, depth)
        if semantics.members.has_extensions and isinstance(found, SymbolRef):
            return _with_extensions(path, found, bindings)
        if found is not EXTERNAL or not semantics.imports.conditional_imports:
            return found
        fallback = next((one for one in bindings if one.imported < 0 and one.path and one.column > 1), None)
        return self.resolve(path, facts, semantics, fallback, depth) if fallback is not None else found

    def _resolve_best(
        self, path: str, facts: Facts, semantics: Semantics, bindings: Sequence[Binding], depth: int
    ) -> Resolution | None:
        """Return what the best of some bindings of a name binds, with what else it may be bound to by its imports."""
        best = best_binding(bindings)
        first = self.resolve(path, facts, semantics, best, depth) if best is not None else None
        several = semantics.imports.conditional_imports or (
            semantics.imports.alternatives and best is not None and best.imported >= 0
        )
        imports = [one for one in bindings if one.imported >= 0]
        if first == EXTERNAL and not several:  # a type of the code base beside a value from outside
            beside = (self.resolve(path, facts, semantics, one, depth) for one in imports if one is not best)
            return next((one for one in beside if isinstance(one, SymbolRef)), first)
        if not several or len(bindings) < len(("try", "except")):
            return first
        alternatives = imports if semantics.imports.alternatives else alternative_imports(bindings)
        if not alternatives or best is None:
            return first
        found = alternatives if best.imported >= 0 else (best, *(one for one in alternatives if one.column > 1))
        others = [self.resolve(path, facts, semantics, binding, depth) for binding in found]
        modules = [one for one in others if isinstance(one, Module)]
        defined = [part for one in others if isinstance(one, SymbolRef) for part in one.all]
        if defined:
            return replace(defined[0], others=tuple(dict.fromkeys(one for one in defined[1:] if one != defined[0])))
        files = dict.fromkeys(file for one in modules for file in one.files)
        return Module(tuple(files)) if files else others[0]

    def resolve(self, path: str, facts: Facts, semantics: Semantics, binding: Binding, depth: int) -> Resolution | None:
        """Return what a binding stands for."""
        if binding.imported >= 0:
            return self._resolver.imports.resolve(path, facts.imports[binding.imported], semantics, depth)
        if binding.path and self._is_external_space(path, semantics, binding):
            return EXTERNAL
        if binding.path:
            return SymbolRef(path, binding.path, Reason.Scope)
        return LocalName(path, binding.name, binding.scope, of_type=namespace_of(facts, semantics, binding))

    def _is_external_space(self, path: str, semantics: Semantics, binding: Binding) -> bool:
        """Return whether a binding opens a namespace in which the code base only specializes what is from outside."""
        if (
            not (semantics.visibility.has_open_namespaces and semantics.imports.passes_on)
            or binding.sort != Sort.Unknown
        ):
            return False
        return self._resolver.sorts.is_namespace(
            SymbolRef(path, binding.path, Reason.Scope)
        ) and self._hidden_namespaces.is_external(path, binding.path)

    def is_external_using(self, path: str, semantics: Semantics, imported: Imported) -> bool:
        """Return whether a using declaration takes a name from a namespace that comes from outside."""
        facts, _ = self._resolver.facts(path)
        space = named_namespace(facts, imported.space) if facts is not None else imported.space
        top = space.partition(".")[0]
        return semantics.visibility.has_open_namespaces and self._hidden_namespaces.comes_from_outside(path, top)

    def is_external_too(self, meant: SymbolRef) -> bool:
        """Return whether what a namespace of a file defines is taken from outside there too, on another condition."""
        facts, semantics = self._resolver.facts(meant.path)
        if facts is None or semantics is None:
            return False
        space, _, name = meant.name.rpartition(".")
        taken = (b for b in facts.named(name) if b.imported >= 0 and facts.scopes[max(b.scope, 0)].name == space)
        return any(
            one.space and one.name == name and self.is_external_using(meant.path, semantics, one)
            for one in (facts.imports[binding.imported] for binding in taken)
        )


def _with_extensions(path: str, found: SymbolRef, bindings: Sequence[Binding]) -> SymbolRef:
    """Return what the best of some bindings binds, with the other symbols where a type has one of them as a member."""
    paths = dict.fromkeys(one.path for one in bindings if one.path) if any(one.amends for one in bindings) else {}
    others = [SymbolRef(path, one, found.reason) for one in paths if one != found.name]
    return replace(found, others=(*found.others, *others)) if others and found.path == path else found
