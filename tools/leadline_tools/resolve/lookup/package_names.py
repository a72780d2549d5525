"""Names of a package: in its other files and, where these come first (Java), in what they import as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.lookup.facades import find_facade
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution

_Key = tuple[str, str, str, str, Role, int, tuple[tuple[str, str, str], ...]]


class PackageNames:
    """Looks names up in packages, once for the files of a package in a folder that import the same.

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
        facts: Facts,
        imports: Sequence[Imported],
        semantics: Semantics,
        name: str,
        depth: int,
        space: str,
        role: Role,
    ) -> Resolution | None:
        """Return what a name means in the other files of the package, then in what is imported as a whole."""
        written = tuple((one.module, one.name, one.space) for one in imports)
        package = "".join(self._resolver.modules.packages_of(path))
        key = path.rpartition("/")[0], package, name, space, role, depth, written
        is_shared = not facts.named(name)  # the other files of the package see what this one declares
        if is_shared and key in self._known:
            return self._known[key]
        found = self.lookup_in_siblings(path, semantics, name, depth, space)
        if found is None:
            found = self._resolver.wildcards.lookup(path, imports, semantics, name, depth, space, role)
        if is_shared and (found is not None or self._evaluator.is_idle):  # else a circle may have been cut short
            self._known[key] = found
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
