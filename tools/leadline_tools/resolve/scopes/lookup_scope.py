"""The scope from which a name is looked up: functions that see the same have it looked up once."""

from __future__ import annotations

from collections.abc import Collection

from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.resolve.scopes.namespaces import declares

_PASSED = frozenset({ScopeKind.Function, ScopeKind.Block})


def lookup_scope(facts: Facts, semantics: Semantics, names: Collection[str], scope: int) -> int:
    """Return the outermost scope in which names mean what they mean in a scope.

    Functions and blocks that declare none of the names are passed, where a function is no member of anything: a name
    in it means what it means around it. In a language whose functions have an object of their own none is passed.
    """
    if not semantics.imports.passes_on or semantics.scopes.this or any(inner for inner, _ in facts.wildcards):
        return scope
    while scope > 0:
        kind, parent, owner = facts.scopes[scope]
        if kind not in _PASSED or "." in owner or facts.scopes[parent].name not in ("", owner):
            break
        if any(facts.within(name, scope) or (owner and declares(facts, name, owner)) for name in names):
            break
        scope = parent
    return scope
