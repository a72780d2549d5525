"""Names that are declared on a condition alone, and used where that need not hold: there they may be something else."""

from __future__ import annotations

from leadline_tools.languages.c.conditions import asks_for_lack
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.rules.macros import Conditions
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef

_MOST_KEPT = 64
"""Files whose conditions are kept."""


class ConditionalMacros:
    """Knows the conditions of the files that were asked about last."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._conditions: dict[str, Conditions | None] = {}

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._conditions.clear()

    def may_be_another(self, path: str, line: int, meant: SymbolRef) -> bool:
        """Return whether a name on a line of a file may mean something else, where a condition does not hold there.

        That is a macro whose condition need not hold, or what replaces something that a system may have.
        """
        if "." in meant.name:
            return False
        facts, _ = self._resolver.facts(meant.path)
        if facts is None:
            return False
        if meant.name in facts.inner and not meant.others and self._may_be_no_macro(path, line, meant, facts):
            return True
        seen = [one for one in meant.all if one.path == path or self._resolver.project.is_included(one.path)]
        return bool(seen) and all(self._may_be_replaced(path, line, one) for one in seen)

    def _may_be_no_macro(self, path: str, line: int, meant: SymbolRef, facts: Facts) -> bool:
        """Return whether a name on a line of a file may mean no macro, whose condition need not hold there."""
        home = self.of(meant.path)
        wanted = home.partial.get(meant.name) if home is not None else None
        if home is None or not wanted or any(one.line not in home.macros for one in facts.all_at(meant.name)):
            return False  # a function or a variable has the name where the macro is not defined
        here = self.of(path)
        return here is None or wanted.isdisjoint(here.at(line))

    def _may_be_replaced(self, path: str, line: int, meant: SymbolRef) -> bool:
        """Return whether a symbol is only declared where a system lacks it, and a line of a file may be of another."""
        facts, _ = self._resolver.facts(meant.path)
        declared = facts.all_at(meant.name) if facts is not None else ()
        if not declared or b"HAVE_" not in self._resolver.project.text(meant.path):
            return False
        home, here = self.of(meant.path), self.of(path)
        if home is None or here is None:
            return False
        lacks = [{one for one in home.at(binding.line) if asks_for_lack(one)} for binding in declared]
        return all(lacks) and here.at(line).isdisjoint(set[str]().union(*lacks))

    def is_never_compiled(self, path: str, line: int) -> bool:
        """Return whether a line of a file stands in a branch whose condition never holds: ``#if 0``."""
        here = self.of(path)
        return here is not None and any(first < line < last for first, last in here.dead)

    def of(self, path: str) -> Conditions | None:
        """Return the conditions of a file; None where its language has none."""
        if path not in self._conditions:
            _, semantics = self._resolver.facts(path)
            found = semantics.macros.conditions if semantics is not None else None
            if len(self._conditions) >= _MOST_KEPT:
                del self._conditions[next(iter(self._conditions))]
            self._conditions[path] = found(self._resolver.project.text(path)) if found is not None else None
        return self._conditions[path]
