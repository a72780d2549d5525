"""Names that a function has from the module (``global``) or from a function around it (``nonlocal``)."""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.facts import Binding
from leadline_tools.languages.language import Semantics


class BorrowedNames:
    """Collects such names, since a function around may bind them later."""

    def __init__(self, source: SourceText, semantics: Semantics, tables: FactTables) -> None:
        self._source = source
        self._identifiers = semantics.scopes.identifiers
        self._tables = tables
        self._global: set[tuple[int, str]] = set()
        self._nonlocal: set[tuple[int, str]] = set()

    def borrow(self, node: Node, scope: int, *, from_module: bool) -> None:
        """Note the names that a node says a scope borrows."""
        names = {(scope, self._source.text(n)) for n in node.named_children if n.type in self._identifiers}
        (self._global if from_module else self._nonlocal).update(names)

    def give_back(self, binding: Binding) -> Binding:
        """Return a binding in the scope that its name is borrowed from; itself where it is not borrowed."""
        if (binding.scope, binding.name) in self._global:
            binding = binding._replace(scope=0)
        if (binding.scope, binding.name) in self._nonlocal:
            binding = binding._replace(scope=self._lender(binding.scope, binding.name))
        return binding

    def _lender(self, scope: int, name: str) -> int:
        """Return the scope of the function around that binds a name, which a function inside takes from it."""
        scopes = self._tables.scopes
        bound = {binding.scope for binding in self._tables.bindings if binding.name == name}
        around = scopes[scope].parent
        while around > 0 and (around not in bound or (around, name) in self._nonlocal):
            around = scopes[around].parent
        return around if around > 0 else scope
