"""Extension methods: of several, a call means those of the nearest namespace whose types it sees.

https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#128103-extension-method-invocations
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages.facts import Facts, Sort, Use
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef

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

    def nearest(self, path: str, use: Use, found: Sequence[Resolution]) -> Sequence[Resolution]:
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
