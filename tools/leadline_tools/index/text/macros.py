"""The macros of a header that has hardly anything else: its words say as much as symbols of theirs would."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from leadline_tools.languages.outline import Definition
from leadline_tools.languages.positions import Columns
from leadline_tools.model import SymbolKind

_DIRECTIVE = rb"^[ \t]*(#[ \t]*define[ \t]+)(%s)\b(\()?(?:[^\\\n]|\\.|\\\r?\n)*"


def macros(content: bytes, name: str = "") -> list[Definition]:
    """Return the macros that a header defines, or those called ``name``, as an outline would have them."""
    found = []
    columns = Columns(content)
    line = counted = 0
    for directive in _directives(content, name.encode("utf-8", "replace")):
        start, name_start = directive.start(1), directive.start(2)
        line += content.count(b"\n", counted, start)
        counted = start
        column = columns.at(name_start, name_start - content.rfind(b"\n", 0, name_start) - 1)
        last = line + content.count(b"\n", start, directive.end())
        kind = SymbolKind.Function if directive[3] else SymbolKind.Constant
        spelled = directive[2].decode("utf-8", "replace")
        span = (start, directive.end())
        found.append(Definition(spelled, kind, line + 1, column, line + 1, last + 1, "", -1, span, (0, 0), None))
    return found


def merged(macros: Sequence[Definition], others: Sequence[Definition]) -> list[Definition]:
    """Return the macros of a header and its other definitions as one outline, in the order of the source."""
    if not others:
        return list(macros)
    every = [*((one, -1) for one in macros), *((one, number) for number, one in enumerate(others))]
    every.sort(key=lambda pair: pair[0].signature[0])
    places = {number: place for place, (_, number) in enumerate(every) if number >= 0}
    return [one._replace(parent=places.get(one.parent, -1)) if number >= 0 else one for one, number in every]


def _directives(content: bytes, name: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the definitions of all macros, or of those called ``name``: then only the lines with the word are tried."""
    finder = _finder(name)
    if not name:
        yield from finder.finditer(content)
        return
    line, tried, seen = 0, -1, 0
    while (at := content.find(name, seen)) >= 0:
        newline = content.rfind(b"\n", seen, at)
        line = newline + 1 if newline >= 0 else line
        found = finder.match(content, line) if line != tried else None
        tried, seen = line, at + len(name)
        if found is not None:
            seen = max(seen, found.end())
            yield found


@lru_cache(maxsize=16)
def _finder(name: bytes) -> re.Pattern[bytes]:
    return re.compile(_DIRECTIVE % (re.escape(name) if name else rb"[A-Za-z_]\w*"), re.MULTILINE | re.DOTALL)
