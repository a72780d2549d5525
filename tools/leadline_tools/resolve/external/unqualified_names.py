"""Unqualified names of a language with namespaces that it loads by itself (PHP): outside where no namespace has them.

A name that stands alone is one of the namespace around it, and a function or constant else one without a namespace:
https://www.php.net/manual/en/language.namespaces.rules.php. No reference is concluded from this: it is for the question
where one use leads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver

_ROLES = frozenset({Role.Call, Role.Read, Role.Type, Role.Inherit, Role.Decorator})
_MOST_FILES = 64
"""Files that declare a name, or that may define constants, all of which are looked into."""

_COMPUTED = re.compile(r"\bdefine\s*\(\s*(?![\s'\"])")
"""A constant that is defined under a name which is computed."""


def is_declared_in_no_namespace(index: Index, resolver: NameResolver, path: str, name: str, use: Use) -> bool:
    """Return whether a name that stands alone is of nothing that any namespace of the code base has."""
    facts, semantics = resolver.facts(path)
    language = language_of(path)
    if facts is None or semantics is None or language is None or semantics.scopes.autoloads is None:
        return False
    if use.receiver != BARE or use.imported >= 0 or use.role not in _ROLES or not semantics.scopes.autoloads(name):
        return False
    scopes = semantics.scopes
    if name in (*language.names.keywords, *scopes.this, *scopes.own, *scopes.above) or _binds(facts, name):
        return False
    if index.coverage().symbols < index.coverage().files:
        return False
    if _is_named_as_it_runs(resolver, semantics, path, name, use):
        return False
    defining = resolver.project.defining(name, path)
    return len(defining) <= _MOST_FILES and not any(_has(resolver, file, name) for file in defining)


def _binds(facts: Facts, name: str) -> bool:
    """Return whether a file gives a name a meaning but that of a member, which no name that stands alone has."""
    return any(facts.scopes[one.scope].kind is not ScopeKind.Class for one in facts.named(name))


def _is_named_as_it_runs(resolver: NameResolver, semantics: Semantics, path: str, name: str, use: Use) -> bool:
    """Return whether code may give the name to what it means: a class by an alias, a constant by a computed name."""
    project = resolver.project
    function = use.role is Role.Call and not _is_made(project.lines(path), use)
    if not function and resolver.globals.may_be_given(path, semantics, name):
        return True
    defining = project.spelling("define") if use.role is Role.Read else ()
    return len(defining) > _MOST_FILES or any(_COMPUTED.search("\n".join(project.lines(one))) for one in defining)


def _is_made(lines: Sequence[str], use: Use) -> bool:
    """Return whether an object is made of what a name means: that is a class."""
    if use.line > len(lines):
        return True
    line, number = lines[use.line - 1][: use.column - 1], use.line - 1
    while not line.strip() and number > 0:
        number -= 1
        line = lines[number]
    return line.rstrip().endswith("new")


def _has(resolver: NameResolver, path: str, name: str) -> bool:
    """Return whether a file may declare a name that is no member."""
    facts, _ = resolver.facts(path)
    if facts is None:
        return True
    return any(one.path in (name, f"{one.space}.{name}") for one in facts.named(name))
