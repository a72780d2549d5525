"""Members of the global object, which are what a program declares for all of its files: ``globalThis.name``.

https://tc39.es/ecma262/#sec-global-object
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from leadline_tools.languages import semantics_of
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Resolution, SymbolRef

_MOST_DECLARING = 64
"""Files that may declare a name, all of which are looked into."""

_MEMBER = lazy_compile(r"[\w$]+")
_GIVING = frozenset({Role.Write, Role.Definition})


def members(resolver: NameResolver, path: str, term: str, scope: int, name: str) -> Sequence[Resolution] | None:
    """Return what a member of the global object means; None for another object, or where no file declares it.

    Nothing is returned where a file declares the name, but it is not known whether that is seen here.
    """
    semantics = semantics_of(path)
    if semantics is None or term not in semantics.uses.global_objects or is_undeclared(resolver, path, name):
        return None
    if resolver.scopes.lookup(path, term, scope) not in (None, EXTERNAL):
        return None
    meant = resolver.scopes.lookup(path, name, 0)
    return (meant,) if isinstance(meant, SymbolRef) and (meant.path != path or resolver.globals.is_script(path)) else ()


def holds_declared(resolver: NameResolver, path: str, term: str) -> bool:
    """Return whether a term begins with a member of the global object that a file may declare for all files."""
    semantics = semantics_of(path)
    head, dot, rest = term.partition(".")
    if semantics is None or not dot or head not in semantics.uses.global_objects:
        return False
    member = _MEMBER.match(rest)
    return member is not None and not is_undeclared(resolver, path, member[0])


def is_undeclared(resolver: NameResolver, path: str, name: str) -> bool:
    """Return whether no file of the code base declares a name for all files, as far as a file of modules sees it.

    A module declares names for itself alone, but where it says ``declare global`` or gives the global object a member.
    """
    project = resolver.project
    if _is_given_globally(resolver, path, name):
        return False
    defining = project.defining(name, path)
    if not defining:
        return True
    spelling = project.spelling("global")
    if len(defining) > _MOST_DECLARING or any(file in spelling for file in defining):
        return False
    return not any(resolver.globals.is_script(file) and _binds_at_top(resolver, file, name) for file in defining)


def _binds_at_top(resolver: NameResolver, path: str, name: str) -> bool:
    """Return whether a file has a name that is no member of anything; files that hold it in other case have none."""
    facts, _ = resolver.facts(path)
    return facts is None or any(one.scope == 0 for one in facts.named(name))


def _is_given_globally(resolver: NameResolver, path: str, name: str) -> bool:
    """Return whether a file gives the global object a member of a name: ``globalThis.name = value``."""
    semantics = semantics_of(path)
    objects = sorted(semantics.uses.global_objects) if semantics is not None else ()
    spelling = frozenset(resolver.project.spelling(name)) if objects else frozenset[str]()
    for file in spelling.intersection(chain.from_iterable(map(resolver.project.spelling, objects))):
        facts, _ = resolver.facts(file)
        uses = facts.uses.get(name, ()) if facts is not None else ()
        if any(use.role in _GIVING and use.receiver in objects for use in uses):
            return True
    return False
