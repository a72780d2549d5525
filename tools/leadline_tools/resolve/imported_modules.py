"""The files that an import names: where the path of a module, or of a file that is taken in, leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_in
from leadline_tools.languages.facts import Facts
from leadline_tools.model import Role
from leadline_tools.resolve.address import Place, place_of
from leadline_tools.resolve.question import asking

_DOTTED = re.compile(r"[\w.]+")
_QUOTES = frozenset("\"'`")


def imported_files(index: Index, address: str) -> tuple[str, Sequence[str]]:
    """Return the module that an import names at ``path:line:column`` as it is written, and its files, best first.

    Both are empty where the address is no such place, or the module is none of the tree.
    """
    place = place_of(index, address)
    source = index.try_read(place.path) if place is not None and place.column else None
    if place is None or source is None:
        return "", ()
    language = language_in(place.path, source.content)
    lines = source.lines()
    if language is None or language.scoping is None or place.line > len(lines):
        return "", ()
    part = index.of(place.path)
    with asking(part, ahead=False) as question:
        facts = question.project.facts(place.path)
        for module in _modules_at(facts, place, lines[place.line - 1]) if facts is not None else ():
            files = language.scoping.locate(module, place.path, part)
            if files:
                return module, files
    return "", ()


def _modules_at(facts: Facts, place: Place, line: str) -> Iterator[str]:
    """Yield the modules that the text at a place of an import may spell, the longest first.

    Of a dotted path that is the part up to the name at the place.
    """
    at, is_import = place.column - 1, _is_import(facts, place)
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


def _is_import(facts: Facts, place: Place) -> bool:
    """Tell whether the name at a place is one of an import statement."""
    return any(
        use.role is Role.Import and use.line == place.line and use.column <= place.column < use.end_column
        for uses in facts.uses.values()
        for use in uses
    )
