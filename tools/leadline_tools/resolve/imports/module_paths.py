"""The modules that the text of an import spells at a place, and their files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Semantics
from leadline_tools.model import Role
from leadline_tools.resolve.project.code_base import CodeBase

_DOTTED = re.compile(r"[\w.]+")
_NAMESPACE = re.compile(r"[\w.\\]+")
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
        for dotted in _NAMESPACE.finditer(line):
            if dotted.start() <= at < dotted.end() and not _is_taken(facts, number, column, dotted[0]):
                yield _up_to(dotted[0].replace("\\", "."), at - dotted.start())


def files_of_module(
    project: CodeBase, semantics: Semantics, facts: Facts, module: str, path: str
) -> Sequence[str] | None:
    """Return the files of a module that an import of a file names, best first; None where the paths do not tell them.

    Of a namespace, which any file may open, these are the files that open it.
    """
    files = semantics.imports.locate(module, path, project.paths)
    is_file = any(one.module == module and not one.space for one in facts.imports)
    if files is None or is_file or not semantics.visibility.has_open_namespaces:
        return files
    return [
        file
        for file in dict.fromkeys((*files, *sorted(project.defining(module, path))))
        if _opens(project, file, module)
    ]


def _opens(project: CodeBase, file: str, namespace: str) -> bool:
    facts = project.facts(file) if project.may_declare(file, namespace) else None
    return facts is not None and namespace in facts.namespaces


def _up_to(module: str, at: int) -> str:
    """Return a dotted path up to the end of the name at an offset in it; a path of a file is whole."""
    if not _DOTTED.fullmatch(module):
        return module
    end = module.find(".", at + 1) if module[at] != "." else at + 1
    return module if end < 0 or not module[:end].strip(".") else module[:end]


def _is_import(facts: Facts, line: int, column: int) -> bool:
    """Return whether the name at a place is one of an import statement."""
    return any(use.role is Role.Import and use.column <= column < use.end_column for _, use in facts.uses_on(line))


def _is_taken(facts: Facts, line: int, column: int, name: str) -> bool:
    """Return whether a name in an import is what it takes from a module: no module is called by that name alone."""
    at = [use for word, use in facts.uses_on(line) if word == name and use.column <= column < use.end_column]
    taken = [facts.imports[use.imported] for use in at if use.imported >= 0]
    return any(one.name == name and one.module.strip(".") not in ("", name) for one in taken)
