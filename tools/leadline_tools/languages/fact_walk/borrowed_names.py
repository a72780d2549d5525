"""Names that a function has from the module (``global``) or from the code around it (``nonlocal``, ``use``)."""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.fact_walk.node_rules import NodeRules
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.facts import Binding
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import BARE


class BorrowedNames:
    """Collects such names, since a function around may bind them later."""

    def __init__(self, source: SourceText, semantics: Semantics, tables: FactTables) -> None:
        self._source = source
        self._identifiers = semantics.scopes.identifiers
        self._tables = tables
        self._global: set[tuple[int, str]] = set()
        self._nonlocal: set[tuple[int, str]] = set()
        self._captured: set[tuple[int, str]] = set()

    def borrow(self, node: Node, rules: NodeRules, scope: int) -> None:
        """Note the names that a node says a scope borrows."""
        given = [part for n in node.named_children for part in ((n,) if n.type in self._identifiers else n.children)]
        names = {(scope, self._source.text(n)) for n in given if n.type in self._identifiers}
        (self._global if rules.is_global else self._captured if rules.is_capture else self._nonlocal).update(names)

    def give_back(self, binding: Binding) -> Binding:
        """Return a binding in the scope that its name is borrowed from; itself where it is not borrowed."""
        if (binding.scope, binding.name) in self._global:
            binding = binding._replace(scope=0)
        if (binding.scope, binding.name) in self._nonlocal:
            binding = binding._replace(scope=self._lender(binding.scope, binding.name))
        if (binding.scope, binding.name) in self._captured:
            binding = binding._replace(scope=self._captured_from(binding.scope, binding.name))
        return binding

    def move_uses(self) -> None:
        """Have names that an inner function has from the module read there: functions around it may bind them, too."""
        scopes, uses = self._tables.scopes, self._tables.uses
        inner = {(scope, name) for scope, name in self._global if scopes[scope].parent > 0}
        if not inner:
            return
        bound = {(one.scope, one.name) for one in self._tables.bindings}
        for name in {name for _, name in inner}:
            for number, use in enumerate(uses.get(name, ())):
                scope = use.scope
                while scope > 0 and (scope, name) not in inner and (scope, name) not in bound:
                    scope = scopes[scope].parent
                if (scope, name) in inner and use.receiver == BARE:
                    uses[name][number] = use._replace(scope=0)

    def _lender(self, scope: int, name: str) -> int:
        """Return the scope of the function around that binds a name, which a function inside takes from it."""
        scopes = self._tables.scopes
        bound = {binding.scope for binding in self._tables.bindings if binding.name == name}
        around = scopes[scope].parent
        while around > 0 and (around not in bound or (around, name) in self._nonlocal):
            around = scopes[around].parent
        return around if around > 0 else scope

    def _captured_from(self, scope: int, name: str) -> int:
        """Return the scope whose variable a function takes: the next one that has it, else the one around.

        What a function with a name of its own has around it, it does not see.
        """
        scopes = self._tables.scopes
        bound = {binding.scope for binding in self._tables.bindings if binding.name == name}
        around = [scopes[scope].parent]
        while around[-1] > 0 and scopes[scopes[around[-1]].parent].name == scopes[scope].name:
            around.append(scopes[around[-1]].parent)
        own = [one for one in around if (one, name) not in self._captured]
        return next((one for one in own if one in bound), next(iter(own), scope))
