"""The namespaces that a scope of a file sees, and other names for namespaces."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.facts import METHODS, OBJECTS, Facts, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import BARE
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import LocalName


def visible_namespaces(facts: Facts, semantics: Semantics, scope: int, name: str) -> Sequence[str]:
    """Return the namespaces in which a bare name is looked up in a scope, innermost first; the empty one is the last.

    A function is the namespace of the structures that are declared in it alone: other names are not looked up there.
    """
    if not semantics.visibility.has_open_namespaces:
        return ("",)
    parts = facts.around(scope).split(".")
    around = [".".join(parts[:i]) for i in range(len(parts), 0, -1)]
    chain = [0]
    while scope > 0:
        chain.append(scope)
        scope = facts.scopes[scope].parent
    wildcards = [(at, imported.space) for at, imported in facts.wildcards if at in chain and imported.space]
    if semantics.scopes.lexical:
        wildcards = []  # ``opened_for_program``: they come after all that is declared at the top
        scopes = [facts.scopes[one] for one in chain[1:]]
        if semantics.scopes.names_own_member(name):
            scopes = [one for one in scopes if one.kind in OBJECTS][:1]
        around = [one.name for one in scopes]
    elif semantics.imports.passes_on:
        around = [one for one in around if not _is_function(facts, chain, one) or _declares(facts, name, one)]
    opened = [one for at, space in wildcards for one in opened_namespaces(facts, at, space)]
    return list(dict.fromkeys((*filter(None, around), *opened, "", *semantics.scopes.tag_spaces)))


def opened_for_program(resolver: NameResolver, path: str, semantics: Semantics) -> Sequence[str]:
    """Return the namespaces that a file, or one that it takes in itself, opens at its top for the whole program."""
    opening = resolver.project.spelling(semantics.imports.opens_for_program)
    taken = [one for one in (path, *resolver.includes.direct(path)) if one in opening]
    files = [facts for one in taken if (facts := resolver.facts(one)[0]) is not None]
    return list(dict.fromkeys(one.space for facts in files for at, one in facts.wildcards if at == 0 and one.space))


def opened_namespaces(facts: Facts, scope: int, space: str) -> Sequence[str]:
    """Return the namespaces that a scope may open by a name: those inside of the namespaces around come first.

    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/namespaces#145-using-directives,
    https://eel.is/c++draft/namespace.udir
    """
    parts = facts.around(scope).split(".") if scope > 0 else []
    return [*(f"{'.'.join(parts[:number])}.{space}" for number in range(len(parts), 0, -1)), space]


def _is_function(facts: Facts, chain: Sequence[int], name: str) -> bool:
    """Return whether a dotted name is that of a function among some scopes."""
    return any(facts.scopes[one].name == name and facts.scopes[one].kind in METHODS for one in chain)


def _declares(facts: Facts, name: str, space: str) -> bool:
    """Return whether a file declares a name in a namespace, or in one inside of it."""
    return any(one.space == space or one.space.startswith(f"{space}.") for one in facts.within(name, 0))


def namespace_alias(path: str, facts: Facts, name: str, use: Use) -> LocalName | None:
    """Return the other name of a namespace that a bare name means, as a name of its file."""
    bound = {b.scope for b in facts.named(name) if b.imported >= 0 and renames_namespace(facts.imports[b.imported])}
    around = facts.outwards(use.scope) if bound and use.receiver == BARE else ()
    return next((LocalName(path, name, scope) for scope in around if scope in bound), None)


def renames_namespace(imported: Imported) -> bool:
    """Return whether an import gives a namespace another name."""
    return not imported.name and bool(imported.space)


def named_namespace(facts: Facts, space: str) -> str:
    """Return a namespace without the name that a file gives to what it begins with.

    An import under a name does not tell a namespace from a type in one.
    """
    top, dot, below = space.partition(".")
    taken = [facts.imports[binding.imported] for binding in facts.named(top) if binding.imported >= 0]
    whole = [".".join(filter(None, (one.space, one.name))) for one in taken if one.space]
    return f"{next(iter(whole), top)}{dot}{below}"
