"""Extension methods: a call means those that its file sees, of several those of the nearest namespace (C#).

https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#128103-extension-method-invocations
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages.facts import Facts, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import WILDCARD
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.scopes.visible_bindings import is_file_private

SeenSpaces = Callable[[str, int], Iterator[AbstractSet[str]]]
"""From a file and a scope to the namespaces whose types it sees: the nearest first, equally near ones together."""


class ExtensionMethods:
    """Chooses between extension methods by their namespaces.

    Args:
        resolver: Where the facts of files come from.
        seen: The namespaces that a scope sees.

    """

    def __init__(self, resolver: NameResolver, seen: SeenSpaces) -> None:
        self._resolver = resolver
        self._seen = seen

    def select(self, path: str, semantics: Semantics, use: Use, found: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a use of a member means of what was found for it: of extensions those that it sees."""
        if semantics.members.extensions_by_namespace:
            return self._nearest(path, use, found)
        packages = semantics.members.extension_packages
        if packages is None:
            return found
        seen = (one for one in found if self._is_around(path, use, one))
        return [one for one in seen if self._is_imported(path, one, packages)]

    def _is_around(self, path: str, use: Use, meant: Resolution) -> bool:
        """Return whether a use stands where something may be seen: an extension in a function is in that alone."""
        if not isinstance(meant, SymbolRef):
            return True
        facts, _ = self._resolver.facts(meant.path)
        bound = facts.all_at(meant.name) if facts is not None else ()
        if facts is None or not bound or any(not one.amends or one.scope <= 0 for one in bound):
            return True
        if any(facts.scopes[one.scope].kind is ScopeKind.Class for one in bound):
            return True  # seen on its objects, and in what inherits from it
        around = frozenset(facts.outwards(use.scope)) if meant.path == path else frozenset[int]()
        return any(one.scope in around for one in bound)

    def _is_imported(self, path: str, meant: Resolution, packages: AbstractSet[str]) -> bool:
        """Return whether a file sees something that may be an extension of another file: https://kotlinlang.org/docs/extensions.html#scope-of-extensions."""
        own, _ = self._resolver.facts(path)
        facts, _ = self._resolver.facts(meant.path) if isinstance(meant, SymbolRef) else (None, None)
        if own is None or facts is None or not isinstance(meant, SymbolRef) or meant.path == path:
            return True
        bound = facts.all_at(meant.name)
        if not bound or any(not one.amends or one.scope for one in bound):
            return True  # what a type declares is seen wherever its objects are
        if is_file_private(self._resolver.project, meant.path, meant.name):
            return False
        package = self._package(meant.path)
        if package == self._package(path) or package in packages:
            return True
        taken = (one for one in own.imports if one.module == package and not one.exports)
        return any(one.name == WILDCARD or (one.name == one.alias == bound[0].name) for one in taken)

    def _package(self, path: str) -> str:
        return next(iter(self._resolver.modules.packages_of(path)), "")

    def _nearest(self, path: str, use: Use, found: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a call means of what was found for it: of several extension methods those that it sees first."""
        spaces = {one: space for one in found if (space := self._space(one)) is not None}
        if not spaces:
            return found
        for near in self._seen(path, use.scope):
            seen = [one for one in found if spaces.get(one) in near]
            if seen:
                return [one for one in found if one not in spaces or one in seen]
        return [one for one in found if one not in spaces]

    def _space(self, meant: Resolution) -> str | None:
        """Return the namespace of an extension method; None for anything else."""
        facts, _ = self._resolver.facts(meant.path) if isinstance(meant, SymbolRef) else (None, None)
        if facts is None or not isinstance(meant, SymbolRef) or not any(one.amends for one in facts.all_at(meant.name)):
            return None
        return namespace_of(facts, meant.name)


def namespace_of(facts: Facts, name: str) -> str:
    """Return the namespace of the outermost type that a dotted name of a file belongs to."""
    parts = name.split(".")
    for number in range(1, len(parts) + 1):
        for one in facts.all_at(".".join(parts[:number])):
            if one.sort == Sort.Type:
                return one.space
    return ""
