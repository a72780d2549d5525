"""The modules that the text of an import spells at a place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline_tools.languages.facts import Facts
from leadline_tools.model import Role

_DOTTED = re.compile(r"[\w.]+")
_QUOTES = frozenset("\"'`")


def modules_at(facts: Facts, number: int, column: int, line: str) -> Iterator[str]:
    """Yield the modules that the text at a column of a line may spell, the longest first.

    Of a dotted path that is the part up to the name at the place.
    """
    at, is_import = column - 1, _is_import(facts, number, column)
    modules = {imported.module for imported in facts.imports if imported.module}
    # Facts have one kind of quotes for a path of a file, whichever the source has; Ruby need not write "./".
    unquoted = {module.strip('"'): module for module in modules}
    spelled = {**{path.removeprefix("./"): module for path, module in unquoted.items()}, **unquoted}
    for text in sorted(filter(line.__contains__, spelled), key=len, reverse=True):
        starts = (found.start() for found in re.finditer(re.escape(text), line))
        if _DOTTED.fullmatch(text):  # `self._content` is no import of `._content`
            starts = (start for start in starts if is_import or line[start - 1 : start] in _QUOTES)
        whole = spelled[text]
        yield from (_up_to(whole, at - start) for start in starts if start <= at < start + len(text))
    if is_import:
        for dotted in _DOTTED.finditer(line):
            if dotted.start() <= at < dotted.end():
                yield _up_to(dotted[0], at - dotted.start())


def _up_to(module: str, at: int) -> str:
    """Return a dotted path up to the end of the name at an offset in it; a path of a file is whole."""
    if not _DOTTED.fullmatch(module):
        return module
    end = module.find(".", at + 1) if module[at] != "." else at + 1
    return module if end < 0 or not module[:end].strip(".") else module[:end]


def _is_import(facts: Facts, line: int, column: int) -> bool:
    """Return whether the name at a place is one of an import statement."""
    return any(use.role is Role.Import and use.column <= column < use.end_column for _, use in facts.uses_on(line))
