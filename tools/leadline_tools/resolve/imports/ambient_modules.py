"""Modules that a file of declarations describes by their names: ``declare module "name" { ... }`` of TypeScript.

https://www.typescriptlang.org/docs/handbook/modules/reference.html#ambient-modules
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from leadline_tools.languages import semantics_of
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef

_MODULE = re.compile(rb"\bmodule\s+[\"']([^\"'\n]+)[\"']")
_DEFAULT = re.compile(rb"\bexport\s*(?:default\b|=)\s*(?:(?:function|class|interface)\s+)?([A-Za-z_$][\w$]*)")
_BEFORE_ENDING, _BEHIND_START = ".?", "!/:"
"""Where what modules have in common begins or ends in a pattern of their names."""

_WHOLE = "exports"
"""What ``require`` loads of a module: https://nodejs.org/api/modules.html#requireid."""


class AmbientModules:
    """Finds what an import means of a module that no file is, and that the code base describes."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def meaning(self, path: str, imported: Imported) -> Resolution | None:
        """Return what an import takes of a module that the code base describes, or that module; None for no such."""
        return self._meaning_in(path, imported, imported.module.strip("\"'"))

    def meaning_by_pattern(self, path: str, imported: Imported) -> Resolution | None:
        """Return what an import takes of a module that is described with others: ``declare module "*.svg"``.

        https://www.typescriptlang.org/docs/handbook/modules/reference.html#ambient-modules
        """
        name = imported.module.strip("\"'")
        ends = [f"*{name[at:]}" for at, sign in enumerate(name) if sign in _BEFORE_ENDING and at]
        starts = [f"{name[: at + 1]}*" for at, sign in enumerate(name) if sign in _BEHIND_START]
        found = (self._meaning_in(path, imported, one) for one in (*reversed(starts), *ends))
        return next((one for one in found if one is not None), None)

    def _meaning_in(self, path: str, imported: Imported, name: str) -> Resolution | None:
        """Return what an import takes of the modules with a name, or one of them."""
        semantics = semantics_of(path)
        if semantics is None or semantics.imports.is_script is None:
            return None
        for module in self._declared(path, name):
            whole = imported.name == _WHOLE and not self._by_default(module)
            if whole or imported.name in ("", "*"):
                if self._resolver.globals.is_script(module.path):
                    return module
                continue  # a file that is a module itself only adds to the other one
            name = self._by_default(module) if imported.name in ("default", _WHOLE) else imported.name
            found = self._resolver.member_of(module, name) if name else None
            if isinstance(found, SymbolRef):
                return replace(found, reason=Reason.Import)
        return None

    def _by_default(self, module: SymbolRef) -> str:
        """Return the name of what a module exports by default, or as a whole; empty where it has none."""
        text = self._resolver.project.text(module.path)
        found = next((one for one in _MODULE.finditer(text) if one[1].decode("utf-8", "replace") == module.name), None)
        given = _DEFAULT.search(text, found.end()) if found is not None else None
        return given[1].decode("utf-8", "replace") if given is not None else ""

    def _declared(self, path: str, name: str) -> Iterator[SymbolRef]:
        """Yield the declarations of the module with a name."""
        project = self._resolver.project
        for file in sorted(project.defining(name, path)):
            facts, _ = self._resolver.facts(file)
            scopes = facts.scopes if facts is not None else ()
            if any(scope.kind is ScopeKind.Module and scope.name == name and scope.parent == 0 for scope in scopes):
                yield SymbolRef(file, name, Reason.Import)
