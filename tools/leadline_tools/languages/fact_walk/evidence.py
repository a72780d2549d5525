"""Evidence of types that only the end of a file can weigh: what functions return, what names are found to be.

*Narrowing* tells wherever it stands of which type a name is. *Filling* tells what is put into a collection that is made
empty. Each is kept by the scope in which it is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.facts import class_around
from leadline_tools.languages.language import Semantics

Terms = dict[tuple[int, str], list[str]]
"""Terms by a scope and a name that is read in it."""


class Evidence:
    """What is known so far.

    Attributes:
        returned: The scope and the term of each value that a function returns, by the scope of the function.
        narrowed: The terms of names.
        filling: The terms of collections, by their names.
        filling_members: The scope and the term of each, by the dotted name of a member of the own object.

    """

    def __init__(self, semantics: Semantics, tables: FactTables) -> None:
        self._this = semantics.scopes.this
        self._tables = tables
        self.returned: dict[int, list[tuple[int, str]]] = {}
        self.narrowed: Terms = {}
        self.filling: Terms = {}
        self.filling_members: dict[str, list[tuple[int, str]]] = {}

    def add_returned(self, scope: int, term: str) -> None:
        """Add what the function around a scope returns."""
        self.returned.setdefault(self._tables.function_around(scope), []).append((scope, term))

    def add_narrowed(self, scope: int, narrowed: Iterable[tuple[str, str]]) -> None:
        """Add names that are found to be of a type."""
        for name, term in narrowed:
            self.narrowed.setdefault((scope, name), []).append(term)

    def add_filling(self, scope: int, filled: Iterable[tuple[str, str]]) -> None:
        """Add what is put into collections: into names, or into members of the own object."""
        for collection, term in filled:
            owner, _, member = collection.rpartition(".")
            around = class_around(self._tables.scopes, scope) if owner in self._this else ""
            if around:
                self.filling_members.setdefault(f"{around}.{member}", []).append((scope, term))
            elif not owner:
                self.filling.setdefault((scope, collection), []).append(term)
