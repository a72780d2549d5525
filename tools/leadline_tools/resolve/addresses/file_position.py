"""Places in files, as callers name them: ``path:line`` or ``path:line:column``, 1-based."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import in_line
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages.outline import Definition
from leadline_tools.resolve.scopes.component_namespaces import is_component
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

PLACE = re.compile(
    r"(?P<path>.+?)(?::L?|#L)(?P<line>\d+)(?:[:C](?P<column>\d+))?"  # ``a.go:3:7``, ``a.go#L3``
    r"(?:-L?\d+(?:[:C]\d+)?)?"  # and the end of a range, which begins there
)


class FilePosition(NamedTuple):
    """A file of the tree and a place in it, 1-based; the column is 0 where none is told."""

    path: str
    line: int
    column: int


def parse_position(index: Index, address: str) -> FilePosition | None:
    """Return the place that an address names; None where it names something else. Raises a PathError."""
    place = PLACE.fullmatch(address.strip())
    paths = files_at(index, place["path"]) if place is not None else ()
    if place is None or len(paths) != 1:
        return None
    return FilePosition(paths[0], int(place["line"]), int(place["column"] or 0))


def files_at(index: Index, path: str) -> Sequence[str]:
    """Return the file at a path, listed or not, else the files whose path ends in it."""
    inside = index.paths.locate(path)
    if index.paths.exists(inside):
        return (inside,)
    return index.paths.ending(inside) or ((inside,) if index.try_read(inside) is not None else ())


def definitions_at(index: Index, address: str, target: DefinedSymbol) -> tuple[Definition, ...]:
    """Return the definitions of a symbol that stand at the very place an address names; all where none does.

    So one of several (overloads, a getter and its setter) can be chosen by its line.
    """
    place = parse_position(index, address)
    if place is None or place.path != target.path:
        return target.definitions
    return (
        tuple(d for d in target.definitions if stands_at(target.source, d, place.line, place.column))
        or target.definitions
    )


def stands_at(source: Source, definition: Definition, line: int, column: int) -> bool:
    """Return whether a definition has its name at a line, and at a column of it unless that is 0."""
    if definition.line != line or not column:
        return definition.line == line
    return definition.column <= column <= definition.column + _written_length(source, definition)


def _written_length(source: Source, definition: Definition) -> int:
    """Return how many characters of a name stand where it is defined: of ``operator+`` in C# the sign alone.

    What stands in the brackets of a computed name is an expression, and no part of the name. The name of a type that a
    file is stands nowhere in that.
    """
    name, lines = definition.name, source.lines()
    is_file = is_component(source.path) and (definition.line, definition.column) == (1, 1)
    if name.startswith("[") or is_file:
        return 0
    text = lines[definition.line - 1][definition.column - 1 :] if definition.line <= len(lines) else ""
    return next((len(name) - at for at in range(len(name)) if text.startswith(name[at:])), len(name))


def shortest_place(index: Index, source: Source, definition: Definition) -> str:
    """Return the shortest place that names a definition of a file, and nothing else on its line."""
    line = f"{source.path}:{definition.line}"
    alone = outermost(index.symbols.query(source, in_line(definition.line))) == [definition]
    return line if alone else f"{line}:{definition.column}"


def outermost(here: Iterable[Definition]) -> list[Definition]:
    """Return the definitions on a line that are not inside of another on it."""
    found: list[Definition] = []
    for one in here:
        if not any(one.path.startswith(f"{other.path}.") for other in found):
            found.append(one)
    return found
