"""What workers send as JSON, as objects again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from leadline_tools.languages.facts import Binding, Facts, Scope, Use
from leadline_tools.languages.language import Imported, ScopeKind
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Role, SymbolKind


def outline_of(payload: bytes) -> list[Definition]:
    """Return the outline that a worker sent."""
    return [_definition(*row) for row in json.loads(payload)] if payload else []


def _definition(
    name: str,
    kind: str,
    line: int,
    column: int,
    start_line: int,
    end_line: int,
    container: str,
    parent: int,
    signature: list[int],
    doc: list[int],
    parameters: list[str] | None,
) -> Definition:
    return Definition(
        name,
        SymbolKind(kind),
        line,
        column,
        start_line,
        end_line,
        container,
        parent,
        (signature[0], signature[1]),
        (doc[0], doc[1]),
        None if parameters is None else tuple(parameters),
    )


def facts_of(payload: bytes) -> Facts:
    """Return the facts that a worker sent; the uses of a name become objects when they are asked for."""
    scopes, bindings, imports, uses = json.loads(payload)
    return Facts(
        [Scope(ScopeKind(kind), parent, name) for kind, parent, name in scopes],
        [Binding(*row) for row in bindings],
        [Imported(*row) for row in imports],
        _Uses(uses),
    )


class _Uses(Mapping[str, list[Use]]):
    """Uses by name, made from their rows one name at a time."""

    def __init__(self, rows: dict[str, list[list[Any]]]) -> None:
        self._rows = rows

    def __getitem__(self, name: str) -> list[Use]:
        return [
            Use(line, column, end, scope, Role(role), receiver, imported)
            for line, column, end, scope, role, receiver, imported in self._rows[name]
        ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
