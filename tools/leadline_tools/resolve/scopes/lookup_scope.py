"""The scope from which a name is looked up: functions that see the same have it looked up once."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from leadline_tools.languages.facts import FUNCTIONS, METHODS, OBJECTS, Facts, Sort, Use, belongs_to_type
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import parsed
from leadline_tools.model import Role
from leadline_tools.resolve.scopes.visible_bindings import VALUE_ROLES, bound_in

_PASSED = METHODS | {ScopeKind.Block}
_AROUND_BLOCKS = FUNCTIONS | {ScopeKind.Block}


class LookupKey(NamedTuple):
    """Where a bare name is looked up: the scope, the function in it that leads there, and what the name does."""

    scope: int
    kind: ScopeKind
    has_name: bool
    is_innermost: bool
    role: Role


def lookup_scope(facts: Facts, semantics: Semantics, names: Collection[str], scope: int) -> int:
    """Return the outermost scope in which names mean what they mean in a scope.

    Functions and blocks that declare none of the names are passed, where a function is no member of anything: a name
    in it means what it means around it. In a language whose functions have an object of their own only blocks in
    functions are passed.
    """
    if scope <= 0 or facts.has_inner_wildcards:
        return scope
    if not semantics.imports.passes_on or semantics.scopes.this:
        return _outside_of_blocks(facts, semantics, names, scope)
    spaces = [bound.space for name in names for bound in facts.within(name, 0) if bound.space]
    while scope > 0:
        kind, parent, owner = facts.scopes[scope]
        if kind not in _PASSED or "." in owner or facts.scopes[parent].name not in ("", owner):
            return scope
        for name in names:
            if facts.within(name, scope):
                return scope
        if owner and any(space == owner or space.startswith(f"{owner}.") for space in spaces):
            return scope
        scope = parent
    return scope


def lookup_key(facts: Facts, semantics: Semantics, name: str, use: Use) -> LookupKey:
    """Return what is equal for the uses of a bare name in a file that see the same scopes.

    Functions that do not bind the name are passed, where a function sees nothing but what it binds and what is around
    it.
    """
    innermost = lookup_scope(facts, semantics, (name,), use.scope)
    scope, below = innermost, innermost
    if not (
        semantics.visibility.has_open_namespaces or semantics.scopes.sees_outer_members or facts.has_inner_wildcards
    ):
        while scope > 0 and facts.scopes[scope].kind in METHODS and not facts.within(name, scope):
            scope, below = facts.scopes[scope].parent, scope
    return LookupKey(scope, facts.scopes[below].kind, bool(facts.scopes[below].name), scope == innermost, use.role)


def _outside_of_blocks(facts: Facts, semantics: Semantics, names: Collection[str], scope: int) -> int:
    """Return the outermost scope around blocks of one function in which names mean what they mean in a scope.

    A block that may have members of an object, as that of a lambda of Kotlin, is not passed.
    """
    while binds_nothing(facts, semantics, names, scope):
        parent = facts.scopes[scope].parent
        if parent <= 0 or facts.scopes[parent].kind not in _AROUND_BLOCKS:
            break
        scope = parent
    return scope


def binds_nothing(facts: Facts, semantics: Semantics, names: Collection[str], scope: int) -> bool:
    """Return whether a scope is a plain block that binds none of some names."""
    if facts.scopes[scope].kind is not ScopeKind.Block or semantics.types.received:
        return False
    if not any(map(facts.named, names)):
        return True
    rules = semantics.scopes
    if not (rules.seen_in_heads or rules.merges_modules):
        return not any(facts.within(name, scope) for name in names)
    return not any(bound_in(facts, semantics, name, scope) for name in names)


def scope_binding(facts: Facts, name: str, scope: int) -> int:
    """Return the innermost scope around a place that binds a name itself, 0 for the file.

    The body of a type counts for what stands in it directly.
    """
    innermost = scope
    while scope > 0:
        kind, parent, _ = facts.scopes[scope]
        if facts.within(name, scope) and (scope == innermost or kind is not ScopeKind.Class):
            return scope
        scope = parent
    return 0


@lru_cache(20_000)
def plain_names(term: str) -> tuple[str, ...]:
    """Return the names in a term of which none says its scope and nothing is given to any; none for other terms."""
    found = parsed(term)
    if any(one.head.endswith("}") or any(step.arguments for step in one.steps) for one in found):
        return ()
    return tuple(
        dict.fromkeys(name for one in found for name in (one.head, *(step.name for step in one.steps)) if name)
    )


def scope_of_value(facts: Facts, name: str, scope: int) -> int:
    """Return the scope from which a value is looked for: outside of those in which a name is that of an alias alone."""
    inner = scope
    while inner > 0:
        here = facts.within(name, inner)
        if here and all(one.sort == Sort.Type and one.type for one in here):
            scope = facts.scopes[inner].parent
        elif here:
            break
        inner = facts.scopes[inner].parent
    return scope


def is_in_scope_of(facts: Facts, scope: int, name: str) -> bool:
    """Return whether a scope is in that of the namespace or the type of a dotted name."""
    return any(facts.scopes[one].name == name for one in facts.outwards(scope))


def own_side(facts: Facts, semantics: Semantics, inside: int, scope: int) -> bool | None:
    """Return whether a type is the own object in a scope inside of its own, and no object of it; None for either."""
    if not semantics.members.statics_apart or facts.scopes[scope].kind is not ScopeKind.Class:
        return None
    return scope in facts.twin_scopes if semantics.members.twins else belongs_to_type(facts.scopes, inside, scope)


def is_value_use(semantics: Semantics, use: Use) -> bool:
    """Return whether a use is of a value, where a type of the same name is another thing."""
    return semantics.scopes.values_apart and use.role in VALUE_ROLES


def looks_for_own_member(facts: Facts, semantics: Semantics, name: str, scope: int) -> bool:
    """Return whether a scope is that of a class or a module, in which a name without a receiver is a member of it."""
    return facts.scopes[scope].kind in OBJECTS and semantics.scopes.names_own_member(name)


def scope_around(facts: Facts, semantics: Semantics, name: str, innermost: int, scope: int) -> int:
    """Return the scope outside of another in which a name is looked up next, that stands in the scope ``innermost``.

    A member of the own object is one of the innermost class; in what stands there outside of methods the name may be
    a local variable of the blocks around, which hides the member, or of the method around these; 0 for neither.
    """
    parent = facts.scopes[scope].parent
    if not looks_for_own_member(facts, semantics, name, scope):
        return parent
    inner = innermost
    while inner != scope:
        if facts.scopes[inner].kind in METHODS:
            return 0
        inner = facts.scopes[inner].parent
    while parent > 0 and facts.scopes[parent].kind not in OBJECTS:
        if any(one.sort == Sort.Value and not one.path for one in facts.within(name, parent)):
            return parent
        parent = 0 if facts.scopes[parent].kind in METHODS else facts.scopes[parent].parent
    return 0
