"""Shows the most central files and symbols of a code base."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from leadline_tools import cancellation
from leadline_tools.errors import quoted
from leadline_tools.index.files.file import SYMBOLS
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol as described
from leadline_tools.index.questions.graph import Graph
from leadline_tools.index.request_scope.answer_sizes import uses
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.index.request_scope.index_notes import symbol_notes
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.model import RankedSymbol
from leadline_tools.resolve.addresses.focus import Focus, focus_on
from leadline_tools.resolve.project.ranking import file_ranks, name_ranks
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import FolderPath, tool

_MOST_FILES = 100
_MOST_SYMBOLS = 250
"""What is listed: twice what an answer usually pays for with signatures. Each of the files is read."""

_OF_A_FILE = 5
_UNRANKED_OF_A_FILE = 3
"""Symbols of a file: the most central ones; the first ones where others use none."""

_LEAST_SHARE = 0.04
"""What a symbol must have of the rank of the most central one of its file to be listed beside it."""

_PLACES = 9
"""Decimal places in which ranks differ, if they do."""


@tool
def repo_map(index: Index, path: FolderPath = ".", focus: str = "") -> Result:
    """Most central files and symbols, ranked by use. focus: path, glob, symbol or words to rank around."""
    scope = None if path in ("", ".") else set(select(index, path))
    about = focus_on(index, focus)
    graph = index.graphs.around((scope or frozenset()) | about.files.keys())
    items = list(_ranked(index, graph, scope, about))
    coverage = index.coverage()
    return Result(
        subject=_counted(graph, path, scope),
        noun="central symbols",
        items=items,
        partial=(graph.late and not graph.sampled) or coverage.symbols < coverage.files,
        notes=(*_method(graph), *_unfocused(focus, about), *symbol_notes(index)),
        calls=tuple(_next(index, items, focus)),
    )


def _counted(graph: Graph, path: str, scope: Collection[str] | None) -> str:
    """Return how many files and symbols there are, as far as that is known."""
    inside = "" if scope is None else f" in {path}"
    if graph.sampled:
        return _number(graph.files if scope is None else len(scope), "file") + inside
    numbers = [number for number, file in enumerate(graph.paths) if scope is None or file in scope]
    definitions = sum(graph.definitions.get(number, 0) for number in numbers)
    files = graph.files if scope is None else len(numbers)
    return f"{_number(files, 'file')}, {_number(definitions, 'symbol')}{inside}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _method(graph: Graph) -> tuple[str, ...]:
    """Return the line that tells what the ranking rests on."""
    if not graph.files:
        return ()
    files = f"{graph.read:,} of {graph.files:,}" if graph.read < graph.files else f"{graph.files:,}"
    sample = f"a sample of {files}" if graph.sampled else f"the {files}"
    late = "; time ran out" if graph.late else ""
    return (f"ranked by which of each other's names {sample} files of code have, not resolved{late}",)


def _unfocused(focus: str, about: Focus) -> tuple[str, ...]:
    if not focus.strip() or about.files:
        return ()
    return (f"nothing is called {quoted(focus.strip())}: ranked without a focus",)


def _ranked(index: Index, graph: Graph, scope: Collection[str] | None, about: Focus) -> Iterator[RankedSymbol]:
    """Yield the most central symbols of the most central files."""
    numbers = {path: number for number, path in enumerate(graph.paths)}
    known = {numbers[path]: share for path, share in about.files.items() if path in numbers}
    whole = sum(known.values())
    ranks = file_ranks(graph, {number: share / whole for number, share in known.items()})
    wanted = [number for number, path in enumerate(graph.paths) if scope is None or path in scope]
    wanted.sort(key=lambda number: (-round(ranks[number], _PLACES), graph.paths[number]))
    chosen = wanted[:_MOST_FILES]
    names = name_ranks(graph, ranks, chosen)
    listed = 0
    for number in chosen:
        cancellation.check()
        path = graph.paths[number]
        meant = about.names.get(path, frozenset())
        for found in _symbols(index, path, names[number], meant):
            yield found
            listed += 1
        if listed >= _MOST_SYMBOLS:
            return


def _symbols(index: Index, path: str, ranks: Mapping[str, float], meant: Collection[str]) -> Iterator[RankedSymbol]:
    """Yield the most central symbols of a file by the ranks of their names, first those that are meant by a focus."""
    file, source = index.files.get(path), index.try_read(path)
    if file is None or source is None or not file.done & SYMBOLS:
        return
    definitions = index.symbols.definitions(source)
    usable: dict[str, Definition] = {}
    hidden: list[bool] = []
    for definition in definitions:
        above = definition.parent
        hidden.append(above >= 0 and (hidden[above] or definitions[above].kind in CALLABLE))
        if not hidden[-1]:
            before = usable.setdefault(definition.name, definition)
            if _depth(definition) < _depth(before):
                usable[definition.name] = definition
    least = _LEAST_SHARE * max((ranks[name] for name in ranks if name in usable), default=0.0)
    central = [name for name in usable if name in meant or ranks.get(name, 0.0) > least]
    central.sort(key=lambda name: (name not in meant, -round(ranks.get(name, 0.0), _PLACES), name))
    for name in (central or _first(usable.values()))[:_OF_A_FILE]:
        yield RankedSymbol(described(source, usable[name]), round(ranks.get(name, 0.0), _PLACES))


def _depth(definition: Definition) -> int:
    return definition.container.count(".") + bool(definition.container)


def _first(definitions: Sequence[Definition] | Collection[Definition]) -> list[str]:
    """Return the names of the first symbols of a file that others do not use: types and functions, else any."""
    outer = [definition for definition in definitions if not _depth(definition)]
    telling = [definition for definition in outer if definition.kind in CLASS_LIKE | CALLABLE]
    return [definition.name for definition in (telling or outer)[:_UNRANKED_OF_A_FILE]]


def _next(index: Index, items: Sequence[RankedSymbol], focus: str) -> Iterator[Call]:
    """Yield the calls that look closer: the first file, the uses of its first symbol, and the map around it."""
    if not items:
        return
    first = items[0].symbol
    file = index.files.get(first.path)
    yield Call.of("document_symbols", Size(file.size // 8 if file is not None else 0), path=first.path)
    yield Call.of("find_references", uses(index, first.name), symbol=f"{first.path}:{first.line}")
    if not focus.strip():
        yield Call.of("repo_map", Size(rows=_MOST_SYMBOLS, width=60), focus=first.name)
