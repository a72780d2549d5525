"""Names of a package: in its other files and, where these come first (Java), in what they import as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.lookup.facades import find_facade
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution

_Key = tuple[Imported, str, str, str, Role, int]


class PackageNames:
    """Looks names up in packages, and in what is imported as a whole once for all files that import it.

    Imports name packages and types in full, whatever the file declares:
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-7.html#jls-7.5
    """

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._known: dict[_Key, Resolution | None] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._known.clear()

    def lookup(
        self,
        path: str,
        imports: Sequence[Imported],
        semantics: Semantics,
        name: str,
        depth: int,
        space: str,
        role: Role,
    ) -> Resolution | None:
        """Return what a name means in the other files of the package, then in what is imported as a whole."""
        found = self.lookup_in_siblings(path, semantics, name, depth, space)
        vantage = self._resolver.modules.vantage(path) if found is None else ""
        for imported in imports if found is None else ():
            key = imported, vantage if "." in imported.module else path, name, space, role, depth
            found = self._known.get(key)
            if found is None and key not in self._known:
                found = self._resolver.wildcards.lookup(path, [imported], semantics, name, depth, space, role)
                if found is not None or self._evaluator.is_idle:  # else a circle may have been cut short
                    self._known[key] = found
            if found is not None:
                break
        return found

    def lookup_in_siblings(
        self, path: str, semantics: Semantics, name: str, depth: int, space: str
    ) -> Resolution | None:
        """Return what a name means in the other files of the package or module, in any language."""
        siblings = self._resolver.modules.siblings_naming(path, semantics, name, space)
        found = self._resolver.exports.lookup_in(siblings, name, depth, space)
        if found is not None or not semantics.imports.shares_packages:
            return found
        return find_facade(self._resolver, semantics, self._resolver.modules.siblings(path, semantics, space), name)
