"""Untyped variables of JavaScript: declared without a type and a value, they are ``any`` where no value is assigned.

A function sees the values that it assigns itself; what another one assigns has no type in it:
https://www.typescriptlang.org/docs/handbook/type-checking-javascript-files.html
"""

from __future__ import annotations

import re

from leadline_tools.languages.facts import FUNCTIONS, Binding, Facts, Sort, Use
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.terms import parsed
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver

_DECLARES = re.compile(r"(?:^|[^\w$.])(?:let|var)\s[^=()]*$")
"""What stands before the name of a variable that is declared, and before those that follow it."""


class UntypedVariables:
    """Finds uses of variables whose values other functions assign."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def begins(self, path: str, facts: Facts, use: Use) -> bool:
        """Return whether the receiver of a use begins with a variable of which no value is known at that place."""
        return any(self._is_untyped(path, facts, place_of(one.head).name, use) for one in parsed(use.receiver))

    def _is_untyped(self, path: str, facts: Facts, name: str, use: Use) -> bool:
        home = next((one for one in facts.outwards(use.scope) if facts.within(name, one)), -1)
        bound = facts.within(name, home) if home >= 0 else ()
        if not bound or not all(self._is_without_value(path, one) for one in bound):
            return False
        own = _function_of(facts, use.scope)
        written = (one for one in facts.uses.get(name, ()) if one.role is Role.Write and one.line <= use.line)
        return not any(_function_of(facts, one.scope) == own for one in written)

    def _is_without_value(self, path: str, binding: Binding) -> bool:
        """Return whether a variable is declared without a type and a value."""
        if binding.imported >= 0 or binding.sort != Sort.Value or binding.type:
            return False
        lines = self._resolver.project.lines(path)
        line = lines[binding.line - 1] if binding.line <= len(lines) else ""
        before, after = line[: binding.column - 1], line[binding.column - 1 + len(binding.name) :].lstrip()
        return _DECLARES.search(before) is not None and after[:1] in ("", ";", ",")


def _function_of(facts: Facts, scope: int) -> int:
    """Return the scope of the function around a scope, 0 for none."""
    return next((one for one in facts.outwards(scope) if facts.scopes[one].kind in FUNCTIONS), 0)
