"""The completion of bindings and uses at the end of a file, which alone tells some things of them.

The *home* of a name is the scope that binds it, where it is read in a scope inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages.fact_walk.borrowed_names import BorrowedNames
from leadline_tools.languages.fact_walk.evidence import Evidence
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.fact_walk.terms import known_term
from leadline_tools.languages.facts import FUNCTIONS, Binding, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.placed_names import place_names
from leadline_tools.languages.terms import BARE, UNKNOWN, either
from leadline_tools.model import Role


class Completion:
    """Completes the bindings of a file with the evidence of its types."""

    def __init__(
        self,
        semantics: Semantics,
        tables: FactTables,
        evidence: Evidence,
        borrowed: BorrowedNames,
        functions: Mapping[tuple[int, int], int],
        parameters: AbstractSet[tuple[int, str]],
    ) -> None:
        self._empty = semantics.types.empty
        self._scopes = scopes = tables.scopes
        self._bindings = tables.bindings
        self._evidence = evidence
        self._borrowed = borrowed
        self._functions = functions
        self._parameters = parameters
        self._bound: frozenset[tuple[int, str]] | None = None
        self._first = {s.name: i for i, s in reversed([*enumerate(scopes)]) if s.kind in FUNCTIONS and s.name}

    def complete(self) -> list[Binding]:
        """Return the bindings with all that is known of them."""
        self._borrowed.move_uses()
        narrowed, filling = self._by_home(self._evidence.narrowed), self._by_home(self._evidence.filling)
        return [self._complete(binding, narrowed, filling) for binding in self._bindings]

    def _complete(
        self,
        binding: Binding,
        narrowed: Mapping[tuple[int, str], Sequence[str]],
        filling: Mapping[tuple[int, str], Sequence[str]],
    ) -> Binding:
        binding = self._borrowed.give_back(binding)
        evidence = self._evidence
        if binding.sort in (Sort.Callable, Sort.Getter):
            inner = self._functions.get((binding.line, binding.column), self._first.get(binding.path, -1))
            if inner >= 0:
                returned = evidence.returned.get(inner, ())
                made = either((binding.made, *(self._read_in(scope, inner, term) for scope, term in returned)))
                return binding._replace(spelled=inner, made=known_term(made))
        key = binding.scope, binding.name
        terms = narrowed.get(key, ())
        if terms and not binding.made and not binding.type and key in self._parameters:
            joined = known_term(either(terms))  # with what callers give, of which nothing is known
            return binding._replace(made=f"{joined}|{UNKNOWN}") if joined else binding
        if binding.made in self._empty:
            members = evidence.filling_members.get(binding.path, ()) if binding.path else ()
            filled = [self._read_in(scope, 0, term) for scope, term in members]
            terms = filled or filling.get(key, ())
        return binding._replace(made=known_term(either((binding.made, *terms)))) if terms else binding

    def _by_home(self, evidence: Mapping[tuple[int, str], Sequence[str]]) -> Mapping[tuple[int, str], Sequence[str]]:
        """Return the evidence of names by their homes, given that by the scope in which it is told."""
        found: dict[tuple[int, str], list[str]] = {}
        for (inner, name), terms in evidence.items():
            scope = inner
            while scope > 0 and not self._binds(scope, name):
                scope = self._scopes[scope].parent
            found.setdefault((scope, name), []).extend(self._read_in(inner, scope, term) for term in terms)
        return found

    def _binds(self, scope: int, name: str) -> bool:
        """Return whether a scope binds a name."""
        if self._bound is None:
            self._bound = frozenset((binding.scope, binding.name) for binding in self._bindings)
        return (scope, name) in self._bound

    def _read_in(self, scope: int, home: int, term: str) -> str:
        """Return a term of a scope as one that is read in ``home`` around it: names bound in between say where."""
        between: list[int] = []
        while scope > max(home, 0):
            between.append(scope)
            scope = self._scopes[scope].parent
        if not between or term == UNKNOWN:
            return term
        return place_names(term, lambda name: next((one for one in between if self._binds(one, name)), -1))


def call_unbound_names(tables: FactTables, bindings: Sequence[Binding]) -> None:
    """Make calls of the names that stand alone and are no variables, as in Ruby."""
    variables: dict[tuple[int, str], tuple[int, int]] = {}
    for one in bindings:
        if not one.path and one.imported < 0:
            position = one.line, one.column
            variables[one.scope, one.name] = min(position, variables.get((one.scope, one.name), position))
    for name, uses in tables.uses.items():
        if name[0].islower() or name[0] == "_":
            for number, use in enumerate(uses):
                alone = use.role is Role.Read and use.receiver == BARE and use.imported < 0
                if alone and not _is_variable(tables, name, use, variables):
                    uses[number] = use._replace(role=Role.Call)


def _is_variable(tables: FactTables, name: str, use: Use, variables: Mapping[tuple[int, str], tuple[int, int]]) -> bool:
    """Return whether a name is that of a variable of its scope, or of one around it in the same function.

    It is one from where the variable is first bound.
    """
    scopes, scope, position = tables.scopes, use.scope, (use.line, use.column)
    while scopes[scope].kind not in FUNCTIONS and scope > 0:
        if (scope, name) in variables and variables[scope, name] <= position:
            return True
        scope = scopes[scope].parent
    return (scope, name) in variables and variables[scope, name] <= position
