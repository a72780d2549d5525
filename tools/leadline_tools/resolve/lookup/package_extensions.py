"""Extensions of a package: those of one name are all seen under it, whatever files of the package declare them.

https://kotlinlang.org/docs/extensions.html#scope-of-extensions
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef


def with_extensions_of_package(
    resolver: NameResolver, evaluator: TypeEvaluator, path: str, name: str, found: SymbolRef
) -> Sequence[SymbolRef]:
    """Return what a file sees under a name, first what was found, with the extensions of other files of its package."""
    facts, _ = resolver.facts(found.path)
    packages = resolver.modules.packages_of(found.path)
    if facts is None or not packages or all(bound.scope for bound in facts.all_at(found.name)):
        return found.all
    known = {(one.path, one.name) for one in found.all}
    beside = (
        SymbolRef(file, one.path, found.reason)
        for file, one in evaluator.added_members.declared_extensions(path, name)
        if one.path and not one.scope and (file, one.path) not in known
    )
    return [*found.all, *(one for one in dict.fromkeys(beside) if resolver.modules.packages_of(one.path) == packages)]
