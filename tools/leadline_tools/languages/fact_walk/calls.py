"""Calls without the name of what is called, the names of arguments, and keys with their values.

A *sign* calls a method without its name: the operator ``+``. A *pair* is a key and a value that are both names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.facts import Argument, Pair, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.terms import BARE, UNKNOWN, shorten_term
from leadline_tools.model import Role

_TYPE_ARGUMENTS = frozenset({"type_arguments", "type_argument_list"})

_SUBSCRIPTS = frozenset({"subscript"})
"""What gives the type that is called its arguments, where these are spelled like an index: ``Cache[int](size=8)``."""


class CallReader:
    """Adds such calls, arguments and pairs to the tables."""

    def __init__(self, source: SourceText, semantics: Semantics, tables: FactTables) -> None:
        self._source = source
        self._identifiers = semantics.scopes.identifiers
        scopes, calls = semantics.scopes, semantics.calls
        self._keywords = calls.constructor_keywords | scopes.this | scopes.own | scopes.above
        self._generic = semantics.scopes.generic | _SUBSCRIPTS
        self._tables = tables
        self._signs_of_variables: list[tuple[str, str, Use]] = []

    def read_signs(self, calls: Iterable[ImplicitCall], scope: int) -> None:
        """Add the signs that call a method of something known."""
        for token, methods, receiver, variable, whole in calls:
            kept = shorten_term(receiver)
            if kept in (UNKNOWN, BARE) and not whole:
                continue
            line, column = self._source.position(token)
            sign = whole or self._source.text(token)
            use = Use(line, column, column + len(sign), scope, Role.Call, kept, -1, methods)
            if variable:
                self._signs_of_variables.append((variable, sign, use))
            else:
                self._tables.add_use(sign, use)

    def add_signs_of_variables(self) -> None:
        """Add the signs that belong to a name only where it is that of a variable, once all bindings are known."""
        signs = self._signs_of_variables
        variables = {one.name for one in self._tables.bindings if one.sort == Sort.Value} if signs else ()
        for variable, sign, use in signs:
            if variable in variables:
                self._tables.add_use(sign, use)

    def read_constructors(self, keywords: Iterable[tuple[Node, str]], scope: int) -> None:
        """Add the calls of constructors that do not name the type."""
        for keyword, term in keywords:
            (line, column), name = self._source.position(keyword), self._source.text(keyword)
            use = Use(line, column, column + len(name), scope, Role.Call, shorten_term(term), -1)
            self._tables.add_use(name, use)

    def read_pair(self, pair: Sequence[Node | None]) -> None:
        """Add a key and a value on one line that are names."""
        key, value = pair
        if key is None or value is None or {key.type, value.type} - self._identifiers:
            return
        (line, start), (last, column) = self._source.position(key), self._source.position(value)
        if line == last:
            self._tables.pairs.append(Pair(line, start, column, column + len(self._source.text(value))))

    def read_argument(self, node: Node, name: Node | None) -> None:
        """Add the name of an argument, where what is called has a name."""
        called = self._find_called(node) if name is not None else None
        if name is not None and called is not None:
            source = self._source
            argument = Argument(*source.position(name), source.text(called), *source.position(called))
            self._tables.arguments.setdefault(source.text(name), []).append(argument)

    def _find_called(self, argument: Node) -> Node | None:
        """Return the name of what is called with an argument: the last one before the list that it is in.

        It is the keyword of a constructor that is called without the name of its type: ``: base(size: 1)``.
        """
        around = argument.parent
        while around is not None and around.prev_named_sibling is None:
            keyword = around.prev_sibling
            if keyword is not None and keyword.type in self._keywords:
                return keyword
            around = around.parent
        before = around.prev_named_sibling if around is not None else None
        while before is not None and before.type in _TYPE_ARGUMENTS:
            before = before.prev_named_sibling
        while before is not None and before.named_children:
            before = before.named_children[0 if before.type in self._generic else -1]
        return before if before is not None and before.type in self._identifiers else None
