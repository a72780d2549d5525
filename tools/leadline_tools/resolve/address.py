"""From what a caller calls a symbol to the definitions that are meant.

An address is a name (``filter``), a dotted suffix of a qualified name (``QuerySet.filter``), or a place
(``path:line`` or ``path:line:column``, 1-based) at which the symbol is defined or used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leadline_tools.errors import BadArgument, NoSuchSymbol, NothingThere
from leadline_tools.index.index import Index
from leadline_tools.index.names import Match
from leadline_tools.index.source import Source
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.resolve.project import IndexedProject
from leadline_tools.resolve.resolver import Defined, Resolver

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
_SEPARATOR = re.compile(r"::|[#/\\]|->")
_ASIDE = re.compile(
    r"(^|/)(tests?|testing|examples?|docs?|vendor|third_party|node_modules|benchmarks?)(/|$)|_test\.|test_|\.spec\."
)


@dataclass(frozen=True, slots=True)
class Target:
    """A symbol: the file that defines it, its definitions there (several where they are conditional) and its source."""

    source: Source
    definitions: tuple[Definition, ...]

    @property
    def path(self) -> str:
        """Return the file that defines it."""
        return self.source.path

    @property
    def first(self) -> Definition:
        """Return the first of its definitions."""
        return self.definitions[0]

    @property
    def name(self) -> str:
        """Return its dotted name inside the file."""
        return self.first.path

    @property
    def qualified_name(self) -> str:
        """Return its dotted name with the module."""
        return qualified(self.path, self.name)


def qualified(path: str, name: str) -> str:
    """Return the qualified name of what is called ``name`` inside the file ``path``."""
    language = language_of(path)
    module = language.module(path) if language is not None else ""
    return f"{module}.{name}" if module else name


def targets(index: Index, address: str) -> list[Target]:
    """Return the symbols that ``address`` may mean, likeliest first; raises NoSuchSymbol for none."""
    place = _PLACE.fullmatch(address.strip())
    if place is not None:
        path = index.tree.inside(place["path"])
        if index.exists(path):
            return _at(index, address, path, int(place["line"]), int(place["column"] or 0))
    dotted = _SEPARATOR.sub(".", address.strip()).strip(".").removesuffix("()")
    name = dotted.rpartition(".")[2]
    if not name:
        raise BadArgument("symbol", "it names nothing", "Call symbol_search with a part of its name.")
    hits = [
        (hit.file.path, hit.definition)
        for hit in index.names.exact(name)
        if _ends_in(qualified(hit.file.path, hit.definition.path), dotted)
    ]
    if not hits:
        raise NoSuchSymbol(address, _similar(index, name))
    return _ranked(index, hits)


def _similar(index: Index, name: str) -> tuple[str, ...]:
    """Return the names that were probably meant, as they are spelled, most like first."""
    hits = index.names.search(name, Match.Fuzzy)
    return tuple(dict.fromkeys(hit.definition.name for hit in hits))


def _ends_in(qualified_name: str, suffix: str) -> bool:
    return qualified_name == suffix or qualified_name.endswith(f".{suffix}")


def _ranked(index: Index, hits: Iterable[tuple[str, Definition]]) -> list[Target]:
    """Group definitions of one name in one file, and put what is probably meant first."""
    grouped: dict[tuple[str, str], list[Definition]] = {}
    for path, definition in hits:
        grouped.setdefault((path, definition.path), []).append(definition)
    found = []
    for (path, name), _ in sorted(grouped.items(), key=lambda item: rank(item[0][0], item[1][0])):
        source = index.try_read(path)
        if source is not None:
            fresh = tuple(d for d in index.definitions(source) if d.path == name)
            if fresh:
                found.append(Target(source, fresh))
    return found


def rank(path: str, definition: Definition) -> tuple[bool, bool, int, int, str, int]:
    """Return what sorts definitions: product code first, then classes, then what lies less deep."""
    return (
        bool(_ASIDE.search(path)),
        definition.kind not in CLASS_LIKE,
        definition.container.count(".") + bool(definition.container),
        path.count("/"),
        path,
        definition.line,
    )


def _at(index: Index, address: str, path: str, line: int, column: int) -> list[Target]:
    """Return what is defined at a place, else what the names used there mean."""
    source = index.read(path)
    definitions = index.definitions(source)
    here = [d for d in definitions if d.line == line and (not column or d.column <= column <= d.column + len(d.name))]
    if here:
        name = here[0].path
        return [Target(source, tuple(d for d in definitions if d.path == name))]
    used = _used_at(index, path, line, column)
    if not used:
        around = [d for d in definitions if d.start_line <= line <= d.end_line]
        raise NothingThere(address, f"{path}:{around[-1].line}" if around else "")
    return used


def _used_at(index: Index, path: str, line: int, column: int) -> list[Target]:
    project = IndexedProject(index)
    facts = project.facts(path)
    resolver = Resolver(project)
    found: dict[tuple[str, str], None] = {}
    for name, uses in facts.uses.items() if facts is not None else ():
        for use in uses:
            if use.line == line and (not column or use.column <= column < use.end_column):
                meaning = resolver.resolve(path, name, use)
                if isinstance(meaning, Defined):
                    found[meaning.path, meaning.name] = None
    return _defined(index, list(found))


def _defined(index: Index, names: Sequence[tuple[str, str]]) -> list[Target]:
    found = []
    for path, name in names:
        source = index.try_read(path)
        definitions = tuple(d for d in index.definitions(source) if d.path == name) if source is not None else ()
        if source is not None and definitions:
            found.append(Target(source, definitions))
    return found
