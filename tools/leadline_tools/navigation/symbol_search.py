"""Finds definitions by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal

from leadline_tools.errors import BadArgument, LeadlineError
from leadline_tools.find_code.offer import offer_find_code
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.questions.names import Hit, NameSearchResult, Wanted
from leadline_tools.index.request_scope.answer_sizes import about, uses
from leadline_tools.index.request_scope.changed_since import ChangedScope
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.index.request_scope.index_notes import symbol_notes
from leadline_tools.index.request_scope.maybe_declared import maybe_declared, maybe_declared_notes, unparsed_names
from leadline_tools.index.request_scope.symbol_kinds import parse_kinds
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.source import Reader
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Symbol, SymbolKind
from leadline_tools.plurals import count_noun
from leadline_tools.resolve.project.packages import in_packages
from leadline_tools.resolve.symbols.defined_symbol import qualified
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import Detail, FolderPath, tool

_LABELS = {Match.Camel: "by camelCase parts"}


@tool
def symbol_search(
    index: Index,
    query: str,
    kind: str = "",
    path: FolderPath = ".",
    match: Literal["auto", "exact", "prefix", "substring", "fuzzy"] = "auto",
    detail: Detail = "auto",
    changed_since: str = "",
) -> Result:
    """Find definitions: exact, then prefix, substring, camelCase; similar names if none.

    kind: LSP SymbolKinds, comma-separated.
    """
    container, _, name = query.strip().replace("::", ".").rpartition(".")
    changed = ChangedScope(index, changed_since) if changed_since else None
    if changed is not None and name in ("", "*") and not container:
        return _all_changed(index, changed, parse_kinds(kind), path, detail)
    if not name:
        raise BadArgument("query", "it contains no name", "Give a name or a part of one, such as QuerySet.")
    wanted = _wanted(index, parse_kinds(kind), container, path, changed)
    way = None if match == "auto" else Match(match)
    found = index.names.search(name, way, wanted)
    symbols = _symbols(index, found.hits)
    unparsed = [one for one in maybe_declared(index, name, way) if wanted.paths is None or one.path in wanted.paths]
    unsearched = _unsearched(index, match)
    total = found.total - (len(found.hits) - len(symbols))
    return Result(
        subject=query,
        noun="similar symbols" if _only_similar(found) else "symbols",
        items=symbols,
        at_least=bool(found.more) or found.unfinished or bool(unparsed) or bool(unsearched),
        partial=found.unfinished,
        notes=(
            *(changed.notes if changed is not None else ()),
            *(_counted(found) if symbols else ()),
            *_left_out(len(symbols), total),
            *(("each namespace is listed once, however often opened",) if found.reopened else ()),
            *unsearched,
            *maybe_declared_notes(unparsed, name),
            *symbol_notes(index),
        ),
        calls=_next(index, query, path, name, symbols),
        whole=total,
        headline="none found in time" if found.unfinished else "no certain symbols" if unparsed else "",
        lean=detail == "lean",
        full=detail == "full",
    )


def _all_changed(
    index: Index, changed: ChangedScope, kinds: frozenset[SymbolKind], path: str, detail: Detail
) -> Result:
    """Return all symbols that were changed, by their places."""
    found: list[Symbol] = []
    for one in select(index, path):
        definitions = changed.touched(one) if one in changed.paths else ()
        source = index.try_read(one) if definitions else None
        if source is not None:
            found += [symbol(source, definition) for definition in definitions if not kinds or definition.kind in kinds]
    return Result(
        subject="*",
        noun="symbols",
        items=found,
        notes=(*changed.notes, *symbol_notes(index)),
        calls=_next(index, "*", path, "*", found) if found else (),
        lean=detail == "lean",
        full=detail == "full",
    )


def _wanted(
    index: Index, kinds: frozenset[SymbolKind], container: str, path: str, changed: ChangedScope | None
) -> Wanted:
    """Return what a definition must be besides its name."""
    packages = tuple(in_packages(index, container)) if container else ()

    def accepts(path: str, definition: Definition) -> bool:
        if kinds and definition.kind not in kinds:
            return False
        if changed is not None and not changed.touches(path, definition):
            return False
        packaged = any(path in files and definition.container == name for files, name in packages)
        return not container or packaged or _inside(path, definition, container)

    paths = None if path in ("", ".") else set(select(index, path))
    if changed is not None:
        paths = set(changed.paths) if paths is None else paths & changed.paths
    return Wanted(paths, accepts if kinds or container or changed is not None else None)


def _inside(path: str, definition: Definition, container: str) -> bool:
    owner = qualified(path, definition.path).rpartition(".")[0]
    return owner == container or owner.endswith(f".{container}")


def _symbols(index: Index, hits: Sequence[Hit]) -> list[Symbol]:
    """Return the symbols of hits as their files are now: one file after the other is read, once."""
    places: dict[str, list[int]] = {}
    for place, hit in enumerate(hits):
        places.setdefault(hit.file.path, []).append(place)
    found: dict[int, Symbol] = {}
    with index.tree.reading() as reader:
        for path in reader.ahead(places):
            source, numbers = _read(reader, path), places[path]
            if source is not None:
                found.update(
                    (place, symbol(source, hits[place].definition)) for place in _left(index, source, hits, numbers)
                )
    return [found[place] for place in sorted(found)]


def _left(index: Index, source: Source, hits: Sequence[Hit], places: Sequence[int]) -> Iterator[int]:
    """Yield the places of the hits that a file still has; one that has changed is parsed."""
    changed: frozenset[tuple[str, int]] | None = None
    for place in places:
        hit = hits[place]
        if source.digest != hit.digest and changed is None:
            changed = frozenset((definition.path, definition.line) for definition in index.symbols.definitions(source))
        if source.digest == hit.digest or (changed and (hit.definition.path, hit.definition.line) in changed):
            yield place


def _read(reader: Reader, path: str) -> Source | None:
    with suppress(LeadlineError):
        return reader.read(path)
    return None


def _only_similar(found: NameSearchResult) -> bool:
    return bool(found.hits) and set(found.counts) == {Match.Fuzzy}


def _counted(found: NameSearchResult) -> tuple[str, ...]:
    """Return the line that tells how many match in which way."""
    if _only_similar(found):
        return ("no such name; similar names:",)
    told = [
        f"{'>=' if match in found.more else ''}{found.counts[match]:,} {_LABELS.get(match, match)}"
        for match in Match
        if found.counts.get(match)
    ]
    return (", ".join(told),) if set(filter(found.counts.get, found.counts)) != {Match.Exact} else ()


def _left_out(listed: int, total: int) -> tuple[str, ...]:
    """Return the line that tells that not all that match are listed."""
    return (f"the closest {listed:,} are listed; a longer name, path or kind matches fewer",) if listed < total else ()


def _unsearched(index: Index, match: str) -> tuple[str, ...]:
    """Return the lines that tell in which files only whole names are looked for."""
    if match == Match.Exact:
        return ()
    texts, unparsed = len(index.files.textual_ids()), unparsed_names(index)
    kinds = [(texts, "of macros")] if texts else []
    if not unparsed.searched:
        kinds.append((unparsed.files, "with lines that did not parse"))
    return tuple(
        f"only whole names are looked for in {count_noun(files, 'file')} {kind}; search_text finds parts"
        for files, kind in kinds
    )


def _next(index: Index, query: str, path: str, name: str, symbols: Sequence[Symbol]) -> tuple[Call, ...]:
    if not symbols:
        text = Call.of("search_text", Size(rows=index.words.count_files_with(name), width=60), query=name)
        return (*offer_find_code(index, query, path), text)
    first = symbols[0]
    size = about(index, "go_to_definition", first)
    address = first.qualified_name
    return (
        Call.of("find_references", uses(index, first.path, first.name), symbol=address),
        Call.of("go_to_definition", size, symbol=address),
    )
