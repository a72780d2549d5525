"""Names that are declared on a condition alone, and used where that need not hold: there they may be something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.macros import ConditionRules, Conditions
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.resolve.project.conditional_includes import ConditionalIncludes
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.scopes.linkage import Linkage
from leadline_tools.resolve.scopes.visible_bindings import NO_TYPES

_CONDITION = lazy_compile(r"\s*#\s*(?:if|elif)")

_MOST_ALTERNATIVES = 8
"""Declarations on conditions of which it is found out whether one of them always holds."""

_MOST_KEPT = 64
"""Files whose conditions are kept."""


class _Doubt(NamedTuple):
    """On what it depends what a name means that a file uses.

    Args:
        always: Whether a macro may be meant wherever the name stands.
        wanted: The conditions of which one has to hold for a macro to be defined.
        included: The conditions around each declaration, where another branch includes a file with another one.
        replaced: The conditions around each declaration that replaces something.
        taken_in: The conditions on which each header is included that replaces one of a system.
        defined: The line on which its own file first defines a macro, and nothing else; 0 for anything else.

    """

    always: bool
    wanted: frozenset[str]
    included: Sequence[frozenset[str]]
    replaced: Sequence[frozenset[str]]
    taken_in: Sequence[frozenset[str]] = ()
    defined: int = 0


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
        self._doubts: dict[tuple[str, str, str], _Doubt | None] = {}
        self._includes = ConditionalIncludes(resolver, self.of, self.rules)

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._conditions.clear()
        self._doubts.clear()
        self._includes.forget()

    def may_be_another(self, path: str, line: int, meant: SymbolRef) -> bool:
        """Return whether a name on a line of a file may mean something else, where a condition does not hold there.

        That is a macro whose condition need not hold, what replaces something that a system may have, or what another
        branch takes from a file that it includes.
        """
        key = path, meant.path, meant.name
        if key not in self._doubts:
            self._doubts[key] = self._find_doubt(path, meant)
        doubt = self._doubts[key]
        here = self.of(path) if doubt is not None and not doubt.always else None
        if doubt is None or here is None:
            return doubt is not None
        if line < doubt.defined and self._is_condition(path, line):
            return True
        given = here.at(line)
        if doubt.wanted and doubt.wanted.isdisjoint(given):
            return True
        arounds = doubt.included, doubt.replaced, doubt.taken_in
        return any(bool(around) and all(one - given for one in around) for around in arounds)

    def keep_certain(
        self, path: str, line: int, semantics: Semantics, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a member or a tag means on a line; nothing where a type from outside may be meant instead."""
        if not semantics.imports.passes_on or semantics.macros.conditions is None:
            return found
        symbols = [one for one in found if isinstance(one, SymbolRef)]
        # Of types for several systems one is meant.
        unsure = bool(symbols) and all(self.may_be_another(path, line, one) for one in symbols)
        return () if unsure else found

    def _find_doubt(self, path: str, meant: SymbolRef) -> _Doubt | None:
        """Return on what it depends what a name means in a file; None where it means one thing."""
        facts, _ = self._resolver.facts(meant.path)
        if facts is None:
            return None
        if "." in meant.name:
            return self._find_doubt_of_member(path, meant)
        own = meant.path == path and not meant.others
        wanted = frozenset[str]()
        if meant.name in facts.inner and not meant.others:
            wanted = self._find_macro_conditions(meant, facts)
        seen = [one for one in meant.all if one.path == path or self._resolver.project.includes.has_taker(one.path)]
        replaced = [self._conditions_of_replacement(one) for one in seen]
        doubt = _Doubt(
            own and self._may_be_macro(path, meant, facts),
            wanted,
            self._find_included_conditions(path, meant.name, facts) if own else (),
            [around for some in replaced for around in some] if all(replaced) else (),
            self._includes.conditions_of(path, meant.path) if meant.path != path and not meant.others else (),
            self._find_first_definition(path, meant, facts) if own else 0,
        )
        return doubt if any(doubt) else None

    def _find_doubt_of_member(self, path: str, meant: SymbolRef) -> _Doubt | None:
        """Return on what a member depends: its type may replace one that a system has, or be that of another system."""
        facts, semantics = self._resolver.facts(meant.path)
        declared = facts.all_at(meant.name.partition(".")[0]) if facts is not None else ()
        types = [one.line for one in declared if one.sort == Sort.Type]
        home = self.of(meant.path) if types and semantics is not None and semantics.imports.passes_on else None
        rules = self.rules(meant.path)
        if home is None or rules is None:
            return None
        around = [frozenset(filter(rules.asks_for_lack, home.at(line))) for line in types]
        taken_in = self._includes.conditions_of(path, meant.path) if meant.path != path else ()
        doubt = _Doubt(False, frozenset(), (), around if all(around) else (), taken_in)
        return doubt if any(doubt) else None

    def _find_macro_conditions(self, meant: SymbolRef, facts: Facts) -> frozenset[str]:
        """Return the conditions on which a macro is defined; none where it always is, or something else has the name.

        A function or a variable may have the name where the macro is not defined.
        """
        home = self.of(meant.path)
        wanted = home.partial.get(meant.name) if home is not None else None
        if home is None or not wanted or any(one.line not in home.macros for one in facts.all_at(meant.name)):
            return frozenset()
        return wanted

    def _find_included_conditions(self, path: str, name: str, facts: Facts) -> Sequence[frozenset[str]]:
        """Return the conditions on which a file declares a name that a file which it includes declares too.

        The include is in another branch then, as the file that it names declares the same in another way; not where the
        branches of the file itself do so.
        """
        declared = facts.all_at(name)
        if len(declared) != 1 or not any(one != path for one in self._resolver.includes.defining(path, name)):
            return ()
        here = self.of(path)
        around = here.at(declared[0].line) if here is not None else frozenset[str]()
        return [around] if around else ()

    def _find_first_definition(self, path: str, meant: SymbolRef, facts: Facts) -> int:
        """Return the line on which a file first defines a macro; 0 for the guard of a header, and for anything else.

        A macro is defined from there on: a condition before that asks for another one. See 6.10.3.5 of C11.
        """
        home = self.of(path)
        lines = [one.line for one in facts.all_at(meant.name)]
        if home is None or home.guard == meant.name or not home.macros.issuperset(lines):
            return 0
        return min(lines, default=0)

    def _is_condition(self, path: str, line: int) -> bool:
        lines = self._resolver.project.lines(path)
        return line <= len(lines) and _CONDITION.match(lines[line - 1]) is not None

    def _may_be_macro(self, path: str, meant: SymbolRef, facts: Facts) -> bool:
        """Return whether a file declares a function, and includes what defines a macro of its name.

        The macro is meant wherever it is defined, but not in ``(name)(value)``: 6.10.3 and 7.1.4 of C11.
        """
        declared = facts.all_at(meant.name)
        if any(one.sort != Sort.Callable for one in declared):
            return False
        others = (one for one in self._resolver.includes.defining(path, meant.name) if one != path)
        if not any(self._defines_macro(one, meant.name) for one in others):
            return False
        home = self.of(path)
        return home is not None and not any(one.line in home.macros for one in declared)

    def is_no_tag(self, meaning: SymbolRef) -> bool:
        """Return whether the name of a structure cannot mean a symbol: a function or a variable, but a macro may."""
        sorts = self._resolver.sorts.of(meaning)
        return bool(sorts) and sorts <= NO_TYPES and not self._defines_macro(meaning.path, meaning.name)

    def _defines_macro(self, path: str, name: str) -> bool:
        facts, _ = self._resolver.facts(path)
        home = self.of(path) if facts is not None and name in facts.inner else None
        return facts is not None and home is not None and any(one.line in home.macros for one in facts.all_at(name))

    def _conditions_of_replacement(self, meant: SymbolRef) -> Sequence[frozenset[str]]:
        """Return the conditions around the declarations of a symbol that is only declared where a system lacks it.

        That is said by the condition, by the name of a macro, or by a function that nothing defines.
        """
        facts, _ = self._resolver.facts(meant.path)
        declared = facts.all_at(meant.name) if facts is not None else ()
        home, rules = self.of(meant.path) if declared else None, self.rules(meant.path)
        around = [home.at(one.line) for one in declared] if home is not None and home.spans else []
        if home is None or rules is None or not around or not all(around):
            return ()
        if not self._is_of_system(meant, home, rules, declared):
            around = [frozenset(filter(rules.asks_for_lack, one)) for one in around]
        return around if all(around) else ()

    def _is_of_system(
        self, meant: SymbolRef, home: Conditions, rules: ConditionRules, declared: Sequence[Binding]
    ) -> bool:
        """Return whether a name is that of a macro of the standard library, or of a function that nothing defines."""
        if all(one.line in home.macros for one in declared):
            return rules.is_standard(meant.name)
        if any(one.line in home.macros for one in declared):
            return False  # what is a function in one branch is a macro in another
        if any(one.sort != Sort.Callable for one in declared):
            return False
        if any(self._linkage.definitions(one.path, one.name) for one in meant.all):
            return False
        has_body = any(self._linkage.has_body(one.path, one.name) for one in meant.all)
        return not (has_body and _covers([home.at(one.line) for one in declared]))

    def is_never_compiled(self, path: str, line: int) -> bool:
        """Return whether a line of a file stands in a branch whose condition never holds: ``#if 0``."""
        here = self.of(path)
        return here is not None and any(first < line < last for first, last in here.dead)

    def of(self, path: str) -> Conditions | None:
        """Return the conditions of a file; None where its language has none."""
        if path not in self._conditions:
            rules = self.rules(path)
            if len(self._conditions) >= _MOST_KEPT:
                del self._conditions[next(iter(self._conditions))]
            self._conditions[path] = rules.read(self._resolver.project.text(path)) if rules is not None else None
        return self._conditions[path]

    def rules(self, path: str) -> ConditionRules | None:
        """Return how the conditions of a file are read; None where its language has none."""
        _, semantics = self._resolver.facts(path)
        return semantics.macros.conditions if semantics is not None else None


def _covers(alternatives: Sequence[frozenset[str]]) -> bool:
    """Return whether one of several groups of conditions always holds: those of the branches of an ``#if``."""
    if not all(alternatives):
        return True
    if not 0 < len(alternatives) <= _MOST_ALTERNATIVES:
        return False
    condition = min(alternatives[0]).removeprefix("!")
    where = [one - {condition} for one in alternatives if f"!{condition}" not in one]
    elsewhere = [one - {f"!{condition}"} for one in alternatives if condition not in one]
    return _covers(where) and _covers(elsewhere)
