"""Locations as we count them and as LSP does: 1-based code points here, 0-based units of an encoding there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname


class SourceLocation(NamedTuple):
    """A place in a file: line and column are 1-based, the column in code points.

    ``path`` is relative to the root; where ``outside``, it is a file that is not in the tree, by its whole path.
    """

    path: str
    line: int
    column: int
    outside: bool = False


def to_units(line: str, column: int, encoding: str) -> int:
    """Return the 0-based position in a line as a server counts it: in utf-8, utf-16 or utf-32."""
    before = line[: column - 1]
    if encoding == "utf-32":
        return len(before)
    return len(before.encode()) if encoding == "utf-8" else len(before.encode("utf-16-le")) // 2


def to_column(line: str, units: int, encoding: str) -> int:
    """Return the 1-based column of a position as a server counts it; one within a character is at that."""
    if encoding == "utf-32":
        return min(units, len(line)) + 1
    encoded = line.encode() if encoding == "utf-8" else line.encode("utf-16-le")
    width = 1 if encoding == "utf-8" else 2
    name = "utf-8" if encoding == "utf-8" else "utf-16-le"
    return len(encoded[: units * width].decode(name, "ignore")) + 1


class LspLocation(NamedTuple):
    """A place as a server tells it: a URI, and a 0-based line and position."""

    uri: str
    line: int
    character: int


def parse_locations(result: Any) -> Iterator[LspLocation]:
    """Yield the places of a ``Location``, a list of them or of ``LocationLink``; what is none of them is left out."""
    for one in result if isinstance(result, list) else [result]:
        if not isinstance(one, Mapping):
            continue
        span = one.get("targetSelectionRange") or one.get("targetRange") or one.get("range")
        start = span.get("start") if isinstance(span, Mapping) else None
        uri = one.get("targetUri") or one.get("uri")
        if not isinstance(start, Mapping) or not isinstance(uri, str):
            continue
        line, character = start.get("line"), start.get("character")
        if isinstance(line, int) and isinstance(character, int) and line >= 0 and character >= 0:
            yield LspLocation(uri, line, character)


def path_of(uri: str, root: str) -> tuple[str, bool]:
    """Return the path that a URI names and whether it is outside of the tree; an empty one where it is no file."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return "", True
    if parts.scheme != "file":
        return "", True
    path = os.path.normpath(url2pathname(parts.path))
    inside = os.path.normcase(path).startswith(os.path.normcase(root.rstrip(os.sep) + os.sep))
    return (os.path.relpath(path, root).replace(os.sep, "/"), False) if inside else (path, True)
