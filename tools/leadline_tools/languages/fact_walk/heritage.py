"""Heritage in the facts of a file: the bases and the type parameters of types."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.fact_walk.terms import TermReader
from leadline_tools.languages.facts import NAMELESS, Heritage, nameless
from leadline_tools.languages.rules.outline import Defines


class HeritageReader:
    """Adds heritage to the tables."""

    def __init__(self, source: SourceText, tables: FactTables, terms: TermReader) -> None:
        self._source = source
        self._heritage = tables.heritage
        self._terms = terms
        self._latest = 0  # the node that says the last of it

    def read(self, node: Node, rule: Defines, path: str, scope: int, line: int = 0) -> None:
        """Add what a node says of the type with a dotted name."""
        bases = [term for term in rule.bases(node, self._terms.spell) if term] if rule.bases is not None else []
        generics = [self._source.text(name) for name in rule.generics(node)] if rule.generics is not None else []
        if bases or generics:
            of_twin = rule.is_twin is not None and rule.is_twin(node)
            self._heritage.append(Heritage(path, scope, bases, generics, line, of_twin))
            self._latest = node.id

    def read_local(self, node: Node, rule: Defines, name: Node, scope: int) -> None:
        """Add what a node says of a type that is no symbol."""
        if rule.bases is not None:
            self.read(node, rule, NAMELESS + rule.spell(name), scope, self._source.position(name)[0])

    def move_inside(self, node: Node, scope: int) -> bool:
        """Read what a node says in the scope that it opens, with its type parameters; return whether it has any."""
        if not self._heritage or self._latest != node.id:
            return False
        self._heritage[-1] = self._heritage[-1]._replace(scope=scope)
        return True

    def add_nameless(self, body: Node, scope: int, outer: int, bases: Iterable[str]) -> None:
        """Add the bases of a class without a name whose body, or expression, opens a scope."""
        around = body.parent
        self.add_at(around if around is not None else body, scope, outer, bases)

    def add_at(self, declaration: Node, scope: int, outer: int, bases: Iterable[str]) -> None:
        """Add the bases of a class without a name, on the line on which its declaration or its expression begins."""
        line = declaration.start_point[0] + 1
        self._heritage.append(Heritage(nameless(scope), outer, list(bases), (), line))
