"""Names that are declared on a condition alone, and used where that need not hold: there they may be something else."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.c.conditions import asks_for_lack
from leadline_tools.languages.c.standard_names import is_standard_macro
from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.rules.macros import Conditions
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.scopes.linkage import Linkage

_MOST_KEPT = 64
"""Files whose conditions are kept."""


class ConditionalNames:
    """Decides of names whether they may mean something else, and knows the conditions of the files asked about last.

    Args:
        resolver: Where the facts of files come from.
        linkage: Knows what defines a declared function.

    """

    def __init__(self, resolver: NameResolver, linkage: Linkage) -> None:
        self._resolver = resolver
        self._linkage = linkage
        self._conditions: dict[str, Conditions | None] = {}

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._conditions.clear()

    def may_be_another(self, path: str, line: int, meant: SymbolRef) -> bool:
        """Return whether a name on a line of a file may mean something else, where a condition does not hold there.

        That is a macro whose condition need not hold, what replaces something that a system may have, or what another
        branch takes from a file that it includes.
        """
        if "." in meant.name:
            return False
        facts, _ = self._resolver.facts(meant.path)
        if facts is None:
            return False
        if meant.name in facts.inner and not meant.others and self._may_be_no_macro(path, line, meant, facts):
            return True
        own = meant.path == path and not meant.others
        if own and (self._may_be_included(path, line, meant.name, facts) or self._may_be_macro(path, meant, facts)):
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

    def _may_be_included(self, path: str, line: int, name: str, facts: Facts) -> bool:
        """Return whether a file declares a name on conditions that need not hold on a line, and includes what does too.

        The include is in another branch then, as the file that it names declares the same in another way; not where the
        branches of the file itself do so.
        """
        declared = facts.all_at(name)
        if len(declared) != 1 or not any(one != path for one in self._resolver.includes.defining(path, name)):
            return False
        here = self.of(path)
        return here is not None and all(here.at(one.line) - here.at(line) for one in declared)

    def _may_be_macro(self, path: str, meant: SymbolRef, facts: Facts) -> bool:
        """Return whether a file declares a function, and includes what defines a macro of its name.

        The macro is meant wherever it is defined, but not in ``(name)(value)``: 6.10.3 and 7.1.4 of C11.
        """
        declared, home = facts.all_at(meant.name), self.of(path)
        if home is None or any(one.sort != Sort.Callable or one.line in home.macros for one in declared):
            return False
        others = (one for one in self._resolver.includes.defining(path, meant.name) if one != path)
        return any(self._defines_macro(one, meant.name) for one in others)

    def _defines_macro(self, path: str, name: str) -> bool:
        facts, _ = self._resolver.facts(path)
        home = self.of(path) if facts is not None and name in facts.inner else None
        return facts is not None and home is not None and any(one.line in home.macros for one in facts.all_at(name))

    def _may_be_replaced(self, path: str, line: int, meant: SymbolRef) -> bool:
        """Return whether a symbol is only declared where a system lacks it, and a line of a file may be of another.

        That is said by the condition, by the name of a macro, or by a function that nothing defines.
        """
        facts, _ = self._resolver.facts(meant.path)
        declared = facts.all_at(meant.name) if facts is not None else ()
        home = self.of(meant.path) if declared else None
        if home is None or not home.spans:
            return False
        around = [home.at(one.line) for one in declared]
        if not all(around):
            return False
        if not self._is_of_system(meant, home, declared):
            around = [frozenset(filter(asks_for_lack, one)) for one in around]
        here = self.of(path)
        return here is not None and all(one - here.at(line) for one in around)

    def _is_of_system(self, meant: SymbolRef, home: Conditions, declared: Sequence[Binding]) -> bool:
        """Return whether a name is that of a macro of the standard library, or of a function that nothing defines."""
        if all(one.line in home.macros for one in declared):
            return is_standard_macro(meant.name)
        if any(one.sort != Sort.Callable for one in declared):
            return False
        return not any(self._linkage.definitions(one.path, one.name) for one in meant.all)

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
