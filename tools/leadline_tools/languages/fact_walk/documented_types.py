"""The types that comments declare, as JSDoc does, and what comments import for types alone."""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.fact_walk.terms import known_term
from leadline_tools.languages.facts import Binding, Heritage, Scope, Sort, Use
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.positions import Positions
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rules.types import Documentation, DocumentedType
from leadline_tools.languages.terms import BARE, UNKNOWN, shorten_term
from leadline_tools.model import Role


def bind_documentation(
    documentation: Documentation,
    content: bytes,
    tables: FactTables,
    shown: Mapping[tuple[int, int], Definition],
) -> None:
    """Add what the comments of a source declare, as far as the outline shows it."""
    for imported in documentation.imports:
        tables.add_import(imported, 0, 1, 1)
    positions = Positions(content)
    for one in documentation.types:
        line, column = positions.at(one.start)
        symbol = shown.get((line, column))
        if symbol is not None:
            _bind_type(one, symbol.path, (line, column), tables)
            _bind_members(one, symbol.path, positions, tables)


def _bind_type(one: DocumentedType, path: str, position: tuple[int, int], tables: FactTables) -> None:
    line, column = position
    term = known_term(shorten_term(one.type or UNKNOWN))
    tables.bindings.append(Binding(0, one.name, line, column, path, -1, term, sort=Sort.Type))
    tables.add_use(one.name, Use(line, column, column + len(one.name), 0, Role.Definition, BARE, -1))


def _bind_members(one: DocumentedType, path: str, positions: Positions, tables: FactTables) -> None:
    scope = len(tables.scopes)
    if one.members:
        tables.scopes.append(Scope(ScopeKind.Class, 0, path))
        if one.bases:
            tables.heritage.append(Heritage(path, scope, one.bases, ()))
    for member in one.members:
        line, start = positions.at(member.start)
        member_path = f"{path}.{member.name}"
        term = known_term(member.type)
        tables.bindings.append(
            Binding(scope, member.name, line, start, member_path, -1, term, "", Sort.Value, spelled=0)
        )
        end = start + len(member.name)
        tables.add_use(member.name, Use(line, start, end, scope, Role.Definition, BARE, -1))
