"""The outlines that workers send as JSON, as objects again."""

from __future__ import annotations

import json

from leadline_tools.languages.outline import Definition
from leadline_tools.model import SymbolKind


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
