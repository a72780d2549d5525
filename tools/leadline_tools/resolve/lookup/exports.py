"""The exports of modules: the names that other files can have from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Facts, Sort, is_nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import TAGS, WRITTEN
from leadline_tools.model import Reason
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.imports.module_files import says_packages
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, Resolution, SymbolRef
from leadline_tools.resolve.scopes.hidden_namespaces import HiddenNamespaces
from leadline_tools.resolve.scopes.macros import Macros
from leadline_tools.resolve.scopes.visible_bindings import (
    is_file_itself,
    is_file_private,
    is_listed,
    is_passed_on,
    is_seen_outside,
    latest_wildcards,
)
from leadline_tools.resolve.types.type import Type

_DEEPEST_CHAIN = 32
"""Re-exports that are followed one after the other; more is a cycle that the guard did not see."""


class Exports:
    """Looks names up in modules, as seen from outside."""

    def __init__(
        self, resolver: NameResolver, evaluator: TypeEvaluator, macros: Macros, hidden_namespaces: HiddenNamespaces
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._macros = macros
        self._hidden_namespaces = hidden_namespaces
        self._exports: dict[tuple[str, str, str], Resolution | None] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._exports.clear()

    def lookup(self, module: Module, name: str) -> Resolution | None:
        """Return what a module calls ``name``: something that it exports, or a module in it."""
        found = [self.lookup_in(files, name, 0) for files in self._file_groups(module, name)]
        defined = [part for one in found if isinstance(one, SymbolRef) for part in one.all]
        if len(defined) > 1:
            return replace(defined[0], others=tuple(dict.fromkeys(one for one in defined[1:] if one != defined[0])))
        first = next((one for one in (*defined, *found) if one is not None), None)
        return first if first is not None else self._resolver.modules.submodule(module, name)

    def _file_groups(self, module: Module, name: str) -> Sequence[Sequence[str]]:
        """Return the files to ask for a name of a module: apart where one or the other is meant."""
        semantics = semantics_of(module.files[0]) if len(module.files) > 1 else None
        if semantics is not None and semantics.imports.conditional_imports:
            return [(file,) for file in module.files]
        return [self._resolver.modules.candidates(name, module.files)]

    def lookup_in_module(self, files: Sequence[str], name: str, depth: int, space: str = "") -> Resolution | None:
        """Return what the files of a module call ``name``; only those that may have it are looked into."""
        return self.lookup_in(self._resolver.modules.candidates(name, files), name, depth, space)

    def lookup_in(self, files: Sequence[str], name: str, depth: int, space: str = "") -> Resolution | None:
        """Return what the first of some files that has it calls ``name``; all that have it where any may be meant."""
        found: list[SymbolRef] = []
        nearest = bool(files) and says_packages(files[0])
        for file in files if nearest else sorted(files, key=lambda file: f"/{name}." not in f"/{file}"):  # often so
            meaning = self.lookup_at(file, name, space, depth)
            if not isinstance(meaning, SymbolRef):
                if meaning is not None:
                    return meaning
                continue
            _, semantics = self._resolver.facts(file)
            if semantics is None or not _may_have_others(semantics, file, name):
                return meaning
            found += meaning.all
        if not found:
            return None
        return replace(found[0], others=tuple(dict.fromkeys(one for one in found[1:] if one != found[0])))

    def lookup_at(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        """Return what ``name`` means at the top of the file ``path``, as seen from outside."""
        key = (path, name, space)
        if key not in self._exports:
            self._exports[key] = None  # what a cycle of imports finds on its way back
            self._exports[key] = self._find(path, name, space, depth)
        return self._exports[key]

    def _find(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or depth > _DEEPEST_CHAIN:
            return None
        declared_in = self._resolver.components.space_in(path, space)
        named = (b for b in facts.named(name) if (b.scope == 0 or is_listed(b, facts)) and b.space == declared_in)
        seen = [b for b in named if is_seen_outside(b, facts, semantics) and not self._is_hidden(path, b, semantics)]
        if (
            semantics.imports.whole_exports
            and name not in semantics.imports.shared_exports
            and any(map(_is_value, seen))
        ):
            # ``exports.a = b()`` beside ``a = require("a")``, which exports nothing
            seen = [b for b in seen if b.imported < 0 or facts.imports[b.imported].exports]
        if any(is_file_itself(b, facts) for b in seen):  # by "exports" the whole is loaded, which hides such a member
            whole = name in semantics.imports.shared_exports
            seen = [b for b in seen if (b.imported >= 0 if whole else not is_file_itself(b, facts))]
        if not seen and semantics.imports.passes_on:  # whoever includes this file includes what it includes
            hidden = semantics.visibility.has_open_namespaces and space not in ("", TAGS)
            return self._lookup_in_macro_namespace(path, name, space, depth) if hidden else None
        if not seen:
            wildcards = latest_wildcards(facts) if semantics.imports.last_wildcard_counts else facts.wildcards
            imports = [one for scope, one in wildcards if scope == 0 and is_passed_on(one, semantics)]
            found = self._resolver.wildcards.lookup(path, imports, semantics, name, depth, space)
            twin = semantics.imports.twin(path) if found is None else ""
            if twin and self._resolver.project.paths.exists(twin):
                return self.lookup_at(twin, name, space, depth + 1)
            found = found or self._lookup_in_whole(path, facts, semantics, name, depth)
            found = found or self._lookup_assigned(path, facts, semantics, name, depth)
            return found or (self._macros.exported_by(path, name) if semantics.macros.modules else None)
        meaning = self._lookup_in_literal(path, facts, semantics, name, depth) if _are_own(seen) else None
        meaning = meaning or self._resolver.bindings.resolve_any(path, facts, semantics, seen, depth)
        return replace(meaning, reason=Reason.Import) if isinstance(meaning, SymbolRef) else meaning

    def _lookup_in_literal(
        self, path: str, facts: Facts, semantics: Semantics, name: str, depth: int
    ) -> Resolution | None:
        """Return the member that the object which a module exports declares: ``module.exports = { a: new A() }``.

        It hides a variable of the module with the same name, which only the module itself sees.
        """
        if name in semantics.imports.shared_exports or not semantics.imports.whole_exports:
            return None
        given = [one for one in facts.imports if one.exports and one.name.startswith(WRITTEN) and not one.module]
        for whole in dict.fromkeys(one.alias for one in given if one.alias in semantics.imports.whole_exports):
            meaning = self.lookup_at(path, whole, "", depth + 1)
            if isinstance(meaning, SymbolRef) and is_nameless(meaning.name):
                members = self._evaluator.resolve_member(Type(meaning), name)
                return next((one for one in members if one != EXTERNAL), None)
        return None

    def _is_hidden(self, path: str, binding: Binding, semantics: Semantics) -> bool:
        """Return whether only its own file sees a definition that stands outside of all types."""
        if semantics.visibility.file_private is None or not binding.path or binding.scope:
            return False
        return is_file_private(self._resolver.project, path, binding.path, binding.line)

    def _lookup_in_macro_namespace(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        """Return what a file declares in a namespace that a macro opens: its outline has it outside of that."""
        for opened in self._hidden_namespaces.opened_by_macros(path):
            if space == opened or space.startswith(f"{opened}."):
                return self._find(path, name, space[len(opened) + 1 :], depth + 1)
        return None

    def _lookup_in_whole(
        self, path: str, facts: Facts, semantics: Semantics, name: str, depth: int
    ) -> Resolution | None:
        """Return the member of what a module exports as a whole: ``export = a``."""
        for whole in semantics.imports.whole_exports if name not in semantics.imports.shared_exports else ():
            if facts.named(whole):
                meaning = self.lookup_at(path, whole, "", depth + 1)
                members = self._evaluator.resolve_member(Type(meaning), name) if isinstance(meaning, SymbolRef) else ()
                member = next((one for one in members if one != EXTERNAL), None)
                if member is not None:
                    return member
        return None

    def _lookup_assigned(
        self, path: str, facts: Facts, semantics: Semantics, name: str, depth: int
    ) -> Resolution | None:
        """Return what a module exports as a whole in another way than it is loaded: ``export = a`` and ``require``."""
        for whole in semantics.imports.whole_exports if name in semantics.imports.whole_exports else ():
            meaning = self.lookup_at(path, whole, "", depth + 1) if whole != name and facts.named(whole) else None
            if isinstance(meaning, SymbolRef) and not is_nameless(meaning.name):
                return meaning
        return None


def _may_have_others(semantics: Semantics, file: str, name: str) -> bool:
    """Return whether another file may be meant by a name that a file declares.

    A name that is loaded when it is used comes from the file that is called like it (https://www.php-fig.org/psr/psr-4/).
    Of several others nobody knows which is loaded.
    """
    loaded = semantics.scopes.autoloads is not None and not semantics.visibility.has_open_types
    if loaded:
        return f"/{name}." not in f"/{file}"
    return semantics.visibility.variants or semantics.imports.alternatives


def _are_own(bindings: Sequence[Binding]) -> bool:
    """Return whether names are declared at the top of a file, where nothing says that it exports them."""
    return all(one.imported < 0 for one in bindings)


def _is_value(binding: Binding) -> bool:
    """Return whether a binding is that of a symbol which is given a value."""
    return bool(binding.path) and binding.sort == Sort.Value
