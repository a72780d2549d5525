"""The imports of a file: what statements import, what modules have imported without saying so, what types take."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from leadline_tools.languages.fact_walk.context import Context
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.facts import Binding
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, UNKNOWN, WRITTEN

_LONGEST_GAP = 64
"""Bytes between a name and the sign behind it."""


class ImportReader:
    """Adds imports to the tables, and finds the one that a name stands in."""

    def __init__(self, source: SourceText, semantics: Semantics, tables: FactTables) -> None:
        self._source = source
        self._semantics = semantics
        self._tables = tables

    def read(self, node: Node, kind: str, scope: int) -> tuple[int, int]:
        """Add what a node imports; return the indexes of that."""
        tables = self._tables
        first = len(tables.imports)
        line, column = self._source.position(node)
        for written in self._semantics.imports.statements[kind](node):
            imported = self._as_in_file(written, scope)
            tables.imports.append(imported)
            home = 0 if imported.exports or imported.alias.startswith(WRITTEN) else self._seen_from(scope)
            tables.bindings.append(Binding(home, imported.alias, line, column, "", len(tables.imports) - 1))
        return first, len(tables.imports)

    def _seen_from(self, scope: int) -> int:
        """Return the scope around those whose names are seen there."""
        scopes = self._tables.scopes
        while scope > 0 and scopes[scope].kind is ScopeKind.Open:
            scope = scopes[scope].parent
        return scope

    def read_exports(self, root: Node) -> None:
        """Add what the file exports as a whole."""
        for imported in self._semantics.imports.exports(root):
            self._tables.add_import(imported, 0, root.end_point[0] + 1, 1)

    def read_taken_members(self, node: Node, members: Iterable[Imported], scope: int) -> None:
        """Bind the members that a type takes of others; the names themselves are uses like any other."""
        line, column = self._source.position(node)
        for one in members:
            self._tables.add_import(one, scope, line, column)

    def add_ambient(self, scope: int) -> None:
        """Bind in a module what every module has imported without saying so."""
        tables = self._tables
        for imported in self._semantics.imports.ambient:
            tables.bindings.append(Binding(scope, imported.alias, 0, 0, "", len(tables.imports)))
            tables.imports.append(self._as_in_file(imported, scope))

    def _as_in_file(self, imported: Imported, scope: int) -> Imported:
        """Return an import in a module inside the file as the file around would write it."""
        scopes = self._tables.scopes
        while scope > 0 and scopes[scope].kind is not ScopeKind.Module:
            scope = scopes[scope].parent
        return self._semantics.imports.inside(imported, scopes[scope].name) if scope > 0 else imported

    def use_in_import(self, node: Node, name: str, receiver: str, outer: Context) -> tuple[int, str, str]:
        """Return the import that a name stands in, its receiver, and the module of which it is a part."""
        semantics = self._semantics
        part = semantics.imports.module_part(node) if semantics.imports.module_part is not None else ""
        if part:
            return outer.imports[0], BARE, part
        owner = semantics.imports.owner_in_import(node) if semantics.imports.owner_in_import is not None else ""
        if owner:
            return -1, owner, ""
        imported = self._find(name, outer.imports)
        if imported >= 0 and self._is_on_path(node, name, self._tables.imports[imported]):
            return imported, BARE, self._tables.imports[imported].module  # of what is called like it
        if imported >= 0 and receiver == BARE and semantics.imports.imports_members:
            one = self._tables.imports[imported]
            if one.name == one.alias == one.module.partition(".")[0]:
                imported = -1  # the package of what is called like it
        package = semantics.imports.imports_members and (receiver != BARE or semantics.imports.imports_from_scope)
        return imported, BARE if imported >= 0 else receiver if package else UNKNOWN, ""

    def _is_on_path(self, node: Node, name: str, imported: Imported) -> bool:
        """Return whether a name in an import is the module from which something with its name is imported."""
        sign = self._semantics.imports.path_sign
        if not sign or imported.name != name or imported.module.rpartition(".")[2] != name:
            return False
        return self._source.content[node.end_byte : node.end_byte + _LONGEST_GAP].lstrip().startswith(sign)

    def _find(self, name: str, span: tuple[int, int]) -> int:
        imports = self._tables.imports
        for i in range(*span):
            if name in (imports[i].name, imports[i].alias):
                return i
        return -1
