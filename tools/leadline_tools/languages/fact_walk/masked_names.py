"""Names that the grammar is not given: macros of C and C++ that it would trip over."""

from __future__ import annotations

import re

from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables
from leadline_tools.languages.facts import Binding, Use
from leadline_tools.languages.language import Language
from leadline_tools.languages.lexing import in_code
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role

_WORD = re.compile(rb"[A-Za-z_]\w*")
_UNDEFINED = re.compile(rb"^[ \t]*#[ \t]*undef[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_MASK = re.compile(rb"\s+|int\s*=")
"""What the grammar is given in the place of a macro: nothing, or the beginning of a parameter."""


def add_masked_names(source: SourceText, language: Language, tables: FactTables) -> None:
    """Add the uses of names that were kept from the grammar, outside of comments, strings and directives."""
    if language.source.mask is None:
        return
    content = language.source.select(source.content) if language.source.select is not None else source.content
    if content is not source.content:
        _add_directives(source, language, tables, content)
    masked = language.source.mask(content)
    if masked == content:
        return
    parsed = masked.split(b"\n")
    kept: dict[int, tuple[int, int, str]] = {}
    begin = 0
    for row, line in enumerate(content.split(b"\n")):
        if line != parsed[row] and not line.endswith(b"\\"):
            for word in _WORD.finditer(line):
                if _MASK.fullmatch(parsed[row], word.start(), word.end()):
                    column = len(line[: word.start()].decode("utf-8", "replace")) + 1
                    kept[begin + word.start()] = (row + 1, column, word[0].decode())
        begin += len(line) + 1
    lexis = language.source.lexis
    for offset in in_code(kept, content, lexis) if kept and lexis is not None else ():
        at, column, name = kept[offset]
        tables.add_use(name, Use(at, column, column + len(name), 0, Role.Decorator, BARE, -1))


def _add_directives(source: SourceText, language: Language, tables: FactTables, selected: bytes) -> None:
    """Bind the macros that are defined where the grammar knows no directives; ``selected`` is without those."""
    content = source.content
    if language.source.directives is None:
        return
    defined = {one.name: one.name_end for one in language.source.directives(content).definitions}
    first = {content[start:end]: start for start, end in sorted(defined.items(), reverse=True)}
    ends = (found for found in _UNDEFINED.finditer(content) if first.get(found[1], 0) < found.start())
    undefined = dict(found.span(1) for found in ends)
    for start, end in sorted((defined | undefined).items()):
        if not selected[start:end].isspace():
            continue
        name, line = content[start:end].decode(), content.count(b"\n", 0, start) + 1
        column = source.columns.at(start, start - content.rfind(b"\n", 0, start) - 1)
        if start in defined:
            tables.bindings.append(Binding(0, name, line, column, name, -1))
            tables.inner_names.append(name)
        role = Role.Definition if start in defined else Role.Read
        tables.add_use(name, Use(line, column, column + len(name), 0, role, BARE, -1))
