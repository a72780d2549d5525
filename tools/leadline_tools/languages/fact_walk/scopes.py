"""The scopes that nodes open, and what those belong to."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.fact_walk.heritage import HeritageReader
from leadline_tools.languages.fact_walk.imports import ImportReader
from leadline_tools.languages.fact_walk.node_rules import NodeRules
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.fact_walk.terms import TermReader
from leadline_tools.languages.facts import FUNCTIONS, LAMBDAS, Binding, Scope, Sort, nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import UNKNOWN, written_at


class ScopeOpener:
    """Adds scopes to the tables.

    Attributes:
        opening: The scopes that nodes still to be met will open, by the node, where its type does not tell.
        functions: The scopes of functions, by the positions of their names.
        following: The scope of what follows a node, -1 for the same.
        continued: The scopes that go on with the block around.

    """

    def __init__(
        self,
        source: SourceText,
        semantics: Semantics,
        tables: FactTables,
        terms: TermReader,
        imports: ImportReader,
        heritage: HeritageReader,
    ) -> None:
        self._source = source
        self._semantics = semantics
        self._tables, self._scopes = tables, tables.scopes
        self._terms = terms
        self._imports = imports
        self._heritage = heritage
        self._owners: dict[int, str] = {}
        self._names: dict[int, tuple[int, int]] = {}
        self._binds_this = semantics.types.documented_this is not None and b"@this" in source.content
        self.opening: dict[int, ScopeKind] = {}
        self.functions: dict[tuple[int, int], int] = {}
        self.following = -1
        self.continued: set[int] = set()

    def kind_of(self, node: Node, rules: NodeRules) -> ScopeKind | None:
        """Return the kind of the scope that a node opens; None for none."""
        opens = rules.opens
        if opens is None:
            return self.opening.get(node.id) if self.opening else None
        return opens(node) if callable(opens) else opens

    def open_scope(self, node: Node, kind: ScopeKind, outer: int, path: str) -> int:
        """Open a scope inside the scope ``outer``; return its index."""
        around = "" if kind is ScopeKind.Class else self._scopes[outer].name
        scope = self.add_scope(kind, outer, path or self._owners.get(node.id, around))
        if kind is ScopeKind.Module:
            self._imports.add_ambient(scope)
        if kind in FUNCTIONS and node.id in self._names:
            self.functions[self._names[node.id]] = scope
        if self._binds_this and kind in FUNCTIONS:
            self._bind_this(node, scope)
        if not (path and self._heritage.move_inside(node, scope)) and self._is_nameless(scope, kind, path):
            self._bind_nameless(node, scope, outer)
        elif kind in LAMBDAS and node.type in self._semantics.types.received:
            bases = list(self._semantics.types.received[node.type](node, self._terms.spell))
            if bases:
                self._heritage.add_nameless(node, scope, outer, bases)
        return scope

    def add_scope(self, kind: ScopeKind, outer: int, name: str) -> int:
        """Add a scope; return its index."""
        self._scopes.append(Scope(kind, outer, name))
        return len(self._scopes) - 1

    def follow(self, home: int) -> int:
        """Open a scope for what follows in the same block; return its index."""
        self.following = self.add_scope(ScopeKind.Block, home, self._scopes[home].name)
        self.continued.add(self.following)
        return self.following

    def _bind_this(self, function: Node, scope: int) -> None:
        """Bind in a function what it calls its own object, where a comment gives that a type."""
        documented_this = self._semantics.types.documented_this
        term = documented_this(function) if documented_this is not None else UNKNOWN
        for name in sorted(self._semantics.scopes.this) if term != UNKNOWN else ():
            position = self._source.position(function)
            binding = Binding(scope, name, *position, "", -1, term, "", Sort.Value, spelled=scope)
            self._tables.bindings.append(binding)

    def _is_nameless(self, scope: int, kind: ScopeKind, path: str) -> bool:
        """Return whether a scope is that of a class that has no name, or of an object that is written out."""
        return kind is ScopeKind.Table or (kind is ScopeKind.Class and not path and not self._scopes[scope].name)

    def _bind_nameless(self, node: Node, scope: int, outer: int) -> None:
        """Bind a class without a name by its place, where types are written out where they are used."""
        types = self._semantics.types
        list_bases = types.anonymous.get(node.type)
        bases = list_bases(node, self._terms.spell) if list_bases is not None else None
        if bases is None:
            return
        add = self._heritage.add_at if node.type in types.anonymous_declarations else self._heritage.add_nameless
        add(node, scope, outer, bases)
        if self._semantics.types.has_type_literals:
            position, path = self._source.position(node), nameless(scope)
            self._tables.bindings.append(Binding(0, written_at(node), *position, path, -1, sort=Sort.Type))

    def own_bodies(self, node: Node, bodies: Sequence[Node], path: str) -> None:
        """Note that the scopes which the bodies of a definition open belong to it."""
        kind = self._semantics.scopes.body_kinds.get(node.type)
        for body in bodies:
            if kind is not None:
                self.opening[body.id] = kind
            if kind is not None or body.type in self._semantics.scopes.opens:
                self._owners[body.id] = path

    def own_function(self, node: Node, function: Node | None, path: str, position: tuple[int, int]) -> None:
        """Note that a function belongs to the definition at a node: another node, which it is given, or the same."""
        if function is not None:
            self._owners[function.id] = path
        self._names[(function or node).id] = position
