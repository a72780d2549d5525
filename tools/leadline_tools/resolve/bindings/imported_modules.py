"""The files that an import names: where the path of a module, or of a file that is taken in, leads."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_in
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Semantics
from leadline_tools.resolve.addresses.file_position import parse_position
from leadline_tools.resolve.imports.module_paths import files_of_module, modules_at
from leadline_tools.resolve.question import Question, asking


def imported_files(index: Index, address: str) -> tuple[str, Sequence[str]]:
    """Return the module that an import names at ``path:line:column`` as it is written, and its files, best first.

    Both are empty where the address is no such place, or the module is none of the tree.
    """
    place = parse_position(index, address)
    source = index.try_read(place.path) if place is not None and place.column else None
    if place is None or source is None:
        return "", ()
    language = language_in(place.path, source.content)
    lines = source.lines()
    if language is None or language.semantics is None or place.line > len(lines):
        return "", ()
    part = index.of(place.path)
    with asking(part, ahead=False) as question:
        facts = question.project.facts(place.path)
        if facts is None:
            return "", ()
        for module in modules_at(facts, place.line, place.column, lines[place.line - 1]):
            if _is_from_outside(question, language.semantics, facts, module, place.path):
                continue
            files = files_of_module(question.project, language.semantics, facts, module, place.path)
            if files:
                return module, files
    return "", ()


def _is_from_outside(question: Question, semantics: Semantics, facts: Facts, module: str, path: str) -> bool:
    """Return whether a namespace that a file opens comes from outside, as ``std`` of C++."""
    if not semantics.imports.passes_on:
        return False
    opened = (one for one in facts.imports if one.space == module)
    return any(question.resolver.bindings.is_external_using(path, semantics, one) for one in opened)
