"""Links of CommonJS modules: the places that their names lead to, where those differ from what they mean.

A name that takes a member of a module through a variable is a variable itself; one that loads a module which only
passes another on leads to that module; ``exports`` leads to what it gives away, or to the module.
https://nodejs.org/api/modules.html#moduleexports
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Sort, Use, is_nameless
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.bindings.binding import BindingKind, NameBinding
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking

_WHOLE = "exports"
_MODULE = "module"
_CONSTRUCTOR = "constructor"
_DEFAULT = "default"
_EXPORTING_DEFAULT = re.compile(r"export\s+default(?![\w$])")
_GIVEN_AWAY = re.compile(
    r"(?:exports)?\s*\.\s*(?P<name>[\w$]+)\s*=(?![=>])(?!(?:\s*exports\s*\.\s*[\w$]+\s*=)*\s*void 0)"
)
"""What follows ``exports`` that gives a member away: no ``void 0``, with which compilers only reserve the name."""

_WHOLLY = re.compile(r"(?:\s*\.\s*exports)?\s*=\s*(?P<name>[\w$]+)\s*(?:;|$)")
"""What follows ``module`` or ``exports`` that gives something away which has a name."""

_EXPORTING = re.compile(rb"(?<![\w$.])module\.exports\b[\w$.]*\s*=(?![=>])")
_EXPORTING_WHOLE = re.compile(rb"\bmodule\.exports\s*=(?![=>])")
_HOLDING = re.compile(
    rb"(?<![\w$.])([\w$]+)\s*=\s*(?:exports\s*=\s*)?module\.exports(?:\s*=\s*(?:exports\s*=\s*)?\{\s*\})?\s*(?:[;,\n]|$)"
)
"""A variable that holds the object of the exports of its module, or the empty one that this becomes."""

_EMPTY = re.compile(rb"\s*\{\s*\}\s*;?\s*$")
_AWAITED = re.compile(r"\s*=\s*await\s+import\s*\(")
"""What follows a variable that holds a module which a function loads: https://tc39.es/ecma262/#sec-import-calls."""

_TAKEN_APART = re.compile(r"\}\s*=\s*(?P<value>[\w$]+)\s*(?:[;,\n]|$)")
_PATTERN = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
_NAME_BOUND = re.compile(r"(?<![\w$.])[\w$]+(?=\s*[,}=])")
"""A name that a pattern binds, with or without a default."""

_LONGEST_PATTERN = 2_000


def exported_address(index: Index, address: str) -> str:
    """Return the place of what a module exports by the name ``exports`` or ``module`` at a place; empty for others."""
    place = parse_position(index, address)
    line = _line(index, place) if place is not None and place.column and _is_common(place.path) else ""
    if place is None or not line:
        return ""
    start = place.column - 1
    word = re.compile(r"[\w$]+").match(line, start)
    if word is None or word[0] not in (_WHOLE, _MODULE) or re.search(r"[\w$]$", line[:start]):
        return ""
    given = _GIVEN_AWAY.match(line, word.end()) if word[0] == _WHOLE and not _is_member(line, start) else None
    given = given or _WHOLLY.match(line, word.end())
    return f"{place.path}:{place.line}:{given.start('name') + 1}" if given is not None else ""


def _is_member(line: str, start: int) -> bool:
    return line[:start].rstrip().endswith(".")


def _line(index: Index, place: FilePosition) -> str:
    source = index.try_read(place.path)
    lines = source.lines() if source is not None else []
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


def _is_common(path: str) -> bool:
    """Return whether a file may be a module of CommonJS."""
    semantics = semantics_of(path)
    return semantics is not None and _WHOLE in semantics.imports.whole_exports


def links_at(index: Index, address: str) -> Sequence[NameBinding]:
    """Return the variable, or the module, that a name at ``path:line:column`` leads to; nothing for any other name."""
    place = parse_position(index, address)
    if place is None or not place.column or not _is_common(place.path):
        return ()
    with asking(index.of(place.path), ahead=False) as question:
        facts = question.project.facts(place.path)
        for name, use, meanings in uses_at(index, question, place) if facts is not None else ():
            if facts is None:
                continue
            awaited = _awaited(index, facts, place.path, name, use)
            if awaited:
                return awaited
            if use.role is Role.Definition:
                continue
            imported = _import_of(facts, name, use) if use.receiver == BARE else None
            if imported is not None and (use.imported < 0 or imported[0].name in (_DEFAULT, _WHOLE)):
                return _of_import(index, question, place.path, (name, use), imported, meanings)
    return ()


def _awaited(index: Index, facts: Facts, path: str, name: str, use: Use) -> Sequence[NameBinding]:
    """Return the variable that is given a module which is loaded when the program runs; nothing for any other name."""
    imported = _import_of(facts, name, use) if use.receiver == BARE else None
    if imported is None:
        return ()
    _, line, column = imported
    text = _line(index, FilePosition(path, line, column))
    if _AWAITED.match(text, column - 1 + len(name)) is None:
        return ()
    return [NameBinding(BindingKind.Variable, name, path, line, column)]


def own_module(index: Index, address: str) -> FilePosition | None:
    """Return where the module begins, or exports something, that ``exports`` or ``module`` means at a place.

    None for any other name. Where the module exports something as a whole, ``exports`` means that, and leads to the
    module all the same.
    """
    place = parse_position(index, address)
    semantics = semantics_of(place.path) if place is not None else None
    if place is None or semantics is None or not place.column or not _is_common(place.path):
        return None
    with asking(index.of(place.path), ahead=False) as question:
        for name, use, meanings in uses_at(index, question, place):
            own = use.receiver == BARE or (name == _WHOLE and use.receiver == _MODULE)
            unbound = name == _WHOLE and use.receiver == BARE and all(one == EXTERNAL for one in meanings)
            if name in (_WHOLE, _MODULE) and own and (unbound or any(_is_own(place.path, one) for one in meanings)):
                content = question.project.text(place.path)
                return FilePosition(
                    place.path, _line_of_module(content, name, place.line, semantics.imports.code_line), 1
                )
    return None


def _is_own(path: str, meant: Resolution) -> bool:
    return isinstance(meant, SymbolRef) or (isinstance(meant, Module) and meant.files == (path,))


def _line_of_module(content: bytes, name: str, line: int, code_line: Callable[[bytes], int]) -> int:
    """Return the line to which ``exports`` or ``module`` leads on a line of a module."""
    lines = content.split(b"\n")
    whole = _EXPORTING_WHOLE.search(lines[line - 1])
    if whole is not None and _EMPTY.match(lines[line - 1], whole.end()) is None:
        return line
    exporting = (number for number, one in enumerate(lines, 1) if _EXPORTING.search(one) is not None)
    return next(exporting, line) if name == _MODULE else code_line(content)


def _import_of(facts: Facts, name: str, use: Use) -> tuple[Imported, int, int] | None:
    """Return the import that a bare name means, and where it stands; None where something else binds the name."""
    for scope in facts.outwards(use.scope):
        here = facts.within(name, scope)
        if here:
            bound = [one for one in here if one.imported >= 0 and not facts.imports[one.imported].exports]
            alone = len(bound) == 1 and not any(one.path for one in here)
            return (facts.imports[bound[0].imported], bound[0].line, bound[0].column) if alone else None
    return None


def _of_import(
    index: Index,
    question: Question,
    path: str,
    used: tuple[str, Use],
    imported: tuple[Imported, int, int],
    meanings: Sequence[Resolution],
) -> Sequence[NameBinding]:
    name, use = used
    one, line, column = imported
    if one.name == _DEFAULT and all(_is_nameless(meant) for meant in meanings):
        return list(_default_exports(index, question.resolver.modules.files_of(one.module, path)))
    if one.name == _WHOLE:
        files = question.resolver.modules.files_of(one.module, path)
        passing = [file for file in files if _passes_on(question.project.facts(file)) or _holds_itself(question, file)]
        return [NameBinding(BindingKind.Module, file, file, 1, 1) for file in passing[:1]]
    variable = _variable(index, path, name, line, column)
    if variable is None or (use.role is Role.Call and any(_runs(question, meant) for meant in meanings)):
        return ()
    return [NameBinding(BindingKind.Variable, name, path, *variable)]


def constructor_run(
    index: Index, question: Question, path: str, name: str, use: Use, meant: SymbolRef
) -> SymbolRef | None:
    """Return the constructor that ``new`` runs by the name of a variable that takes a class from a module.

    None for any other name, and for a class that has no constructor of its own.
    """
    facts = (
        question.project.facts(path) if use.role is Role.Call and use.receiver == BARE and _is_common(path) else None
    )
    imported = _import_of(facts, name, use) if facts is not None else None
    home = question.project.facts(meant.path) if imported is not None else None
    made = f"{meant.name}.{_CONSTRUCTOR}"
    if imported is None or home is None or home.at(made) is None or imported[0].name == _WHOLE:
        return None
    taken = _variable(index, path, name, *imported[1:])
    return SymbolRef(meant.path, made, meant.reason) if taken is not None else None


def _is_nameless(meant: Resolution) -> bool:
    return isinstance(meant, NonSymbol) or (isinstance(meant, SymbolRef) and is_nameless(meant.name))


def _default_exports(index: Index, files: Sequence[str]) -> Iterator[NameBinding]:
    """Yield where modules export as their default what has no name: https://tc39.es/ecma262/#sec-exports."""
    for source in filter(None, map(index.try_read, files[:1])):
        for number, line in enumerate(source.lines(), 1):
            if _EXPORTING_DEFAULT.match(line):
                yield NameBinding(BindingKind.Declaration, _DEFAULT, source.path, number, 1)
                return


def _passes_on(facts: Facts | None) -> bool:
    """Return whether a module exports another as a whole: ``module.exports = require("./a")``."""
    return facts is not None and any(one.exports and one.alias == _WHOLE and one.module for one in facts.imports)


def _holds_itself(question: Question, path: str) -> bool:
    """Return whether a variable of a module holds its exports, which get their members later."""
    facts = question.project.facts(path)
    wholes = [one.name for one in facts.imports if one.exports and one.alias == _WHOLE] if facts is not None else []
    content = question.project.text(path) if wholes else b""
    return any(found[1].decode("utf-8", "replace") in wholes for found in _HOLDING.finditer(content))


def _runs(question: Question, meant: Resolution) -> bool:
    """Return whether something is a function, or a class with a constructor of its own."""
    facts = question.project.facts(meant.path) if isinstance(meant, SymbolRef) else None
    if facts is None or not isinstance(meant, SymbolRef):
        return False
    makes = facts.at(f"{meant.name}.{_CONSTRUCTOR}") is not None
    return makes or any(one.sort == Sort.Callable for one in facts.all_at(meant.name))


def _variable(index: Index, path: str, name: str, line: int, column: int) -> tuple[int, int] | None:
    """Return where a pattern binds a name that takes a variable apart; None where it takes a module apart."""
    source = index.try_read(path)
    text = (
        "\n".join(source.lines()[line - 1 :])[column - 1 : column - 1 + _LONGEST_PATTERN] if source is not None else ""
    )
    pattern = _PATTERN.match(text)
    if pattern is None or _TAKEN_APART.match(text, pattern.end() - 1) is None:
        return None
    bound = next((one for one in _NAME_BOUND.finditer(pattern[0]) if one[0] == name), None)
    if bound is None:
        return None
    before = text[: bound.start()]
    row = before.count("\n")
    return line + row, bound.start() + column if not row else len(before) - before.rfind("\n")
