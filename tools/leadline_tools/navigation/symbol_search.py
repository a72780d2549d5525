"""Definitions by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from leadline_tools.errors import BadArgument
from leadline_tools.index.describe import symbol
from leadline_tools.index.index import Index
from leadline_tools.index.names import Hit, Match
from leadline_tools.index.notes import symbol_notes
from leadline_tools.index.scope import split_scope
from leadline_tools.index.selection import select
from leadline_tools.index.source import Source
from leadline_tools.model import Symbol, SymbolKind
from leadline_tools.resolve.address import qualified, rank
from leadline_tools.resolve.references import uses
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import Detail, FolderPath, tool

_ORDER = list(Match)
_LABELS = {Match.Camel: "by camelCase parts"}


@tool
def symbol_search(
    index: Index,
    query: str,
    kind: str = "",
    path: FolderPath = ".",
    match: Literal["auto", "exact", "prefix", "substring", "fuzzy"] = "auto",
    detail: Detail = "auto",
) -> Result:
    """Find definitions: exact, then prefix, substring, camelCase; similar names if none.

    kind: LSP SymbolKinds, comma-separated.
    """
    container, _, name = query.strip().replace("::", ".").rpartition(".")
    if not name:
        raise BadArgument("query", "it names nothing", "Give a name or a part of one, such as QuerySet.")
    hits = index.names.search(name, None if match == "auto" else Match(match))
    kinds = _kinds(kind)
    chosen = None if path in ("", ".") else {f.path for f in select(index, *split_scope(index, path))}
    hits = [
        hit
        for hit in hits
        if (not kinds or hit.definition.kind in kinds)
        and (chosen is None or hit.file.path in chosen)
        and (not container or _inside(hit, container))
    ]
    hits.sort(
        key=lambda hit: (_ORDER.index(hit.match), hit.definition.name != name, rank(hit.file.path, hit.definition))
    )
    symbols = _symbols(index, hits)
    return Result(
        subject=query,
        noun="similar symbols" if _only_similar(hits) else "symbols",
        items=symbols,
        notes=(*_found(hits, symbols), *symbol_notes(index)),
        calls=_next(index, name, symbols),
        lean=detail == "lean",
        full=detail == "full",
    )


def _kinds(kind: str) -> frozenset[SymbolKind]:
    known = {name.lower(): value for name, value in SymbolKind.__members__.items()}
    kinds = set()
    for word in filter(None, (part.strip() for part in kind.split(","))):
        if word.lower() not in known:
            raise BadArgument("kind", f"{word!r} is no LSP SymbolKind", f"Kinds: {', '.join(SymbolKind.__members__)}.")
        kinds.add(known[word.lower()])
    return frozenset(kinds)


def _inside(hit: Hit, container: str) -> bool:
    owner = qualified(hit.file.path, hit.definition.path).rpartition(".")[0]
    return owner == container or owner.endswith(f".{container}")


def _symbols(index: Index, hits: Iterable[Hit]) -> list[Symbol]:
    """Return the symbols of hits as their files are now; each file is read once."""
    sources: dict[str, tuple[Source, frozenset[tuple[str, int]]] | None] = {}
    found = []
    for hit in hits:
        if hit.file.path not in sources:
            source = index.try_read(hit.file.path)
            sources[hit.file.path] = None if source is None else (source, _present(index, source))
        kept = sources[hit.file.path]
        if kept is not None and (hit.definition.path, hit.definition.line) in kept[1]:
            found.append(symbol(kept[0], hit.definition))
    return found


def _present(index: Index, source: Source) -> frozenset[tuple[str, int]]:
    return frozenset((definition.path, definition.line) for definition in index.definitions(source))


def _only_similar(hits: Sequence[Hit]) -> bool:
    return bool(hits) and all(hit.match is Match.Fuzzy for hit in hits)


def _found(hits: Sequence[Hit], symbols: Sequence[Symbol]) -> tuple[str, ...]:
    """Return the line that tells how many match in which way."""
    counts = Counter(hit.match for hit in hits)
    if not symbols or set(counts) == {Match.Exact}:
        return ()
    if _only_similar(hits):
        return ("no such name; similar names:",)
    return (", ".join(f"{counts[match]:,} {_LABELS.get(match, match)}" for match in Match if counts[match]),)


def _next(index: Index, name: str, symbols: Sequence[Symbol]) -> tuple[Call, ...]:
    if not symbols:
        return (Call.of("search_text", Size(rows=20, width=60), query=name),)
    first = symbols[0]
    span = first.end_line - first.line + 1
    address = first.qualified_name
    return (
        Call.of("find_references", uses(index, first.name), symbol=address),
        Call.of("go_to_definition", Size(rows=min(span, 200), width=40), symbol=address),
    )
