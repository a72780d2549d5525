"""Types that are declared on a condition alone, and used where that need not hold: there they may be something else.

Where the condition fails the program compiles all the same, so the name then means a type from outside: the copy of a
type of the library for platforms that lack it. https://learn.microsoft.com/dotnet/csharp/language-reference/preprocessor-directives
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.rules.macros import ConditionRules, Conditions
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.scopes.conditional_names import ConditionalNames


class ConditionalTypes:
    """Knows of the types of files on which conditions they are declared.

    Args:
        resolver: Where the facts of files come from.
        conditions: The conditions of files.

    """

    def __init__(self, resolver: NameResolver, conditions: ConditionalNames) -> None:
        self._resolver = resolver
        self._conditions = conditions

    def may_be_another(self, path: str, line: int, meant: SymbolRef) -> bool:
        """Return whether a type that a name means, or that has the member, need not be declared on a line of a file."""
        here = self._conditions.of(path)
        return here is None or all(self._may_be_missing(one, here.at(line)) for one in meant.all)

    def _may_be_missing(self, meant: SymbolRef, given: frozenset[str]) -> bool:
        facts, _ = self._resolver.facts(meant.path)
        home = self._conditions.of(meant.path) if facts is not None else None
        types, rules = _outermost(facts, meant.name) if facts is not None else (), self._conditions.rules(meant.path)
        if home is None or rules is None or not types or not home.spans:
            return False
        return all(_is_conditional(home, rules, one.line, given) for one in types)


def _is_conditional(home: Conditions, rules: ConditionRules, line: int, given: frozenset[str]) -> bool:
    """Return whether a line of a file is compiled only on conditions that need not hold where others are given."""
    return not all(map(rules.holds_usually, home.at(line) - given))


def _outermost(facts: Facts, name: str) -> Sequence[Binding]:
    """Return what declares the outermost type that a dotted name belongs to."""
    parts = name.split(".")
    for number in range(1, len(parts) + 1):
        found = [one for one in facts.all_at(".".join(parts[:number])) if one.sort == Sort.Type]
        if found:
            return found
    return ()
