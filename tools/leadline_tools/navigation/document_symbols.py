"""Shows the outline of a file."""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.errors import BadArgument, NotParsed
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_outline import PackedOutline
from leadline_tools.index.request_scope.answer_sizes import uses
from leadline_tools.index.request_scope.index_notes import unparsed_notes
from leadline_tools.index.request_scope.read_calls import size_of
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_in
from leadline_tools.languages.language import Language
from leadline_tools.languages.pack import in_the_pack
from leadline_tools.model import SymbolKind
from leadline_tools.result import Call, Result
from leadline_tools.tool import CodePath, Detail, tool

_MARKUP = frozenset({SymbolKind.String, SymbolKind.Object})
"""What the outline of a page has besides its code: titles and elements."""


@tool
def document_symbols(index: Index, path: CodePath, depth: int = 0, detail: Detail = "auto") -> Result:
    """Outline of a file: line, nesting, name, parameters. depth: levels shown, 0 for all."""
    if depth < 0:
        raise BadArgument("depth", "it cannot be negative", "Use depth=0 for all levels.")
    source = index.read(path)
    language = language_in(source.path, source.content)
    if language is None:
        known = in_the_pack(source.path)
        raise NotParsed(source.path, f"its language {'requires leadline[all-languages]' if known else 'is not known'}")
    shown = PackedOutline(source.path, index.symbols.packed_outline(source), depth)
    hidden = (f"{shown.hidden:,} symbols lie deeper (depth=0 shows all)",) if shown.hidden else ()
    return Result(
        subject=source.path,
        noun="symbols",
        items=shown,
        at_least=bool(shown.unparsed),
        notes=(*unparsed_notes(shown.unparsed), *hidden),
        calls=tuple(_next(index, shown, source, language)),
        lean=detail == "lean",
        full=detail == "full",
    )


def _next(index: Index, outline: PackedOutline, source: Source, language: Language) -> Iterator[Call]:
    """Return the calls about the largest symbol that is no mere container, as far as its language is known."""
    leaves = [row for row, kind in enumerate(outline.kinds) if kind not in (SymbolKind.Module, SymbolKind.Namespace)]
    if not leaves:
        return
    largest = outline[max(leaves, key=outline.heights.__getitem__)].symbol
    count = min(200, largest.end_line - largest.line + 1)
    size = size_of(source.path, source.lines()[largest.line - 1 : largest.line - 1 + count])
    yield Call.of("read_file", size, path=largest.path, start_line=largest.line, num_lines=count)
    is_code = not language.outline.has_own_outline or largest.kind not in _MARKUP
    if language.semantics is not None and is_code:
        yield Call.of(
            "find_references", uses(index, largest.path, largest.name), symbol=f"{largest.path}:{largest.line}"
        )
    if language.outline.indexed and is_code:
        yield Call.of("go_to_definition", size, symbol=f"{largest.path}:{largest.line}")
