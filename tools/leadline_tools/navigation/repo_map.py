"""Shows what to read first of a code base: its parts, entry points, public interface and most used symbols."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from leadline_tools.errors import quoted
from leadline_tools.index.file_graph.graph import Extent
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.answer_sizes import uses
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.index.request_scope.index_notes import symbol_notes
from leadline_tools.model import RankedSymbol
from leadline_tools.plurals import count_noun
from leadline_tools.repo_map.map import MOST_SYMBOLS, Map, draw_map
from leadline_tools.resolve.addresses.focus import Focus, focus_on
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import FolderPath, tool


@tool
def repo_map(index: Index, path: FolderPath = ".", focus: str = "") -> Result:
    """List what to read first: parts, entry points, public and much used symbols. focus: path, glob, symbol, words."""
    scope = None if path in ("", ".") else set(select(index, path))
    about = focus_on(index, focus)
    drawn = draw_map(index, scope, about)
    coverage = index.coverage()
    partial = _is_late(drawn) or coverage.symbols < coverage.files
    return Result(
        subject=_counted(index, drawn, path, scope),
        noun="entries",
        items=[*drawn.parts, *drawn.symbols] if drawn.symbols else [],
        at_least=partial,
        partial=partial,
        notes=(*_unmapped(drawn.unmapped), *_method(drawn.extents), *_unfocused(focus, about), *symbol_notes(index)),
        calls=tuple(_next(index, drawn.symbols, focus)),
        ranked=_lists_some(drawn),
    )


def _is_late(drawn: Map) -> bool:
    """Return whether there was no time for something that a later call may find."""
    return bool(drawn.unmapped) or any(one.late and not one.sampled for one in drawn.extents)


def _unmapped(roots: Sequence[str]) -> tuple[str, ...]:
    """Return the line that tells of roots for which there was no time."""
    if not roots:
        return ()
    more = f" and {len(roots) - 1:,} more roots" if len(roots) > 1 else ""
    return (f"not mapped: {roots[0]}{more}, since time ran out; call it again to continue, or give a path",)


def _lists_some(drawn: Map) -> bool:
    """Return whether there are more symbols than the map lists, or may be."""
    sampled = any(one.sampled or one.late for one in drawn.extents)
    return bool(drawn.symbols) and (sampled or len(drawn.symbols) < sum(one.symbols for one in drawn.extents))


def _counted(index: Index, drawn: Map, path: str, scope: Collection[str] | None) -> str:
    """Return how many files and symbols there are, as far as that is known."""
    inside = "" if scope is None else f" in {path}"
    files = count_noun(sum(one.files for one in drawn.extents), "file")
    if any(one.sampled for one in drawn.extents):
        return files if scope is None else count_noun(len(scope), "file") + inside
    files = files if scope is None else count_noun(sum(one.known for one in drawn.extents), "file")
    roots = f"{len(drawn.extents):,} roots, " if len(index.parts) > 1 else ""
    return f"{roots}{files}, {count_noun(sum(one.symbols for one in drawn.extents), 'symbol')}{inside}"


def _method(extents: Sequence[Extent]) -> tuple[str, ...]:
    """Return the line that tells what the ranking rests on."""
    files, read, resolved = (
        sum(column) for column in zip(*((one.files, one.read, one.resolved) for one in extents), strict=True)
    )
    if not files:
        return ()
    whole = f"{read:,} of {files:,}" if read < files else f"{files:,}"
    sample = f"a sample of {whole}" if any(one.sampled for one in extents) else whole
    imports = "imports resolved" if resolved == read else f"imports of {resolved:,} resolved"
    late = "; time ran out" if any(one.late for one in extents) else ""
    noun = "file" if files == 1 else "files"
    return (f"ranked by entry points, exports and uses in {sample} {noun} of code, {imports}{late}",)


def _unfocused(focus: str, about: Focus) -> tuple[str, ...]:
    if not focus.strip() or about.files:
        return ()
    return (f"nothing is called {quoted(focus.strip())}: ranked without a focus",)


def _next(index: Index, symbols: Sequence[RankedSymbol], focus: str) -> Iterator[Call]:
    """Yield the calls that look closer: the file of the best symbol, its uses, and the map around it."""
    if not symbols:
        return
    first = max(symbols, key=lambda one: one.rank).symbol
    file = index.files.get(first.path)
    yield Call.of("document_symbols", Size(file.size // 8 if file is not None else 0), path=first.path)
    yield Call.of("find_references", uses(index, first.path, first.name), symbol=f"{first.path}:{first.line}")
    if not focus.strip():
        yield Call.of("repo_map", Size(rows=MOST_SYMBOLS, width=60), focus=first.name)
