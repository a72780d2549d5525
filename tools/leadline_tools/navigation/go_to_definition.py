"""Shows where a symbol is defined, and its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from leadline_tools.account import Account
from leadline_tools.errors import NoSuchSymbol, NothingThere, NotUnderstood
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol as described
from leadline_tools.index.request_scope.answer_sizes import UNKNOWN, about, uses
from leadline_tools.index.request_scope.file_selection import select_scope
from leadline_tools.index.request_scope.read_calls import reading, size_of
from leadline_tools.language_servers.hover import hover_text
from leadline_tools.languages import semantics_of
from leadline_tools.languages.kind_names import kind_name
from leadline_tools.languages.outline import Definition
from leadline_tools.long_lines import shorten
from leadline_tools.model import SourceLine, Symbol, SymbolKind, Tier
from leadline_tools.navigation.read_file import MOST_LINES
from leadline_tools.plurals import count_noun
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.addresses.file_position import (
    FilePosition,
    definitions_at,
    parse_position,
    shortest_place,
)
from leadline_tools.resolve.bindings.binding import BindingKind, NameBinding, binding_of_macro, bindings_at
from leadline_tools.resolve.bindings.called_functions import function_of_local
from leadline_tools.resolve.bindings.commonjs_links import exported_address, links_at, own_module
from leadline_tools.resolve.bindings.exported_keys import exported_key
from leadline_tools.resolve.bindings.imported_modules import imported_files
from leadline_tools.resolve.bindings.macro_names import MacroNames, macro_names_at, with_unsearched
from leadline_tools.resolve.bindings.nearest_definitions import nearest, nearest_overloads
from leadline_tools.resolve.bindings.shorthands import members_at, type_in_name
from leadline_tools.resolve.references.omissions import omit_for_macros
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches, qualified
from leadline_tools.resolve.symbols.parts import bodies_first, definitions_first
from leadline_tools.resolve.tiers.likely_meaning import likely_meaning
from leadline_tools.result import Call, Continued, Result, Size, Value
from leadline_tools.tool import FolderPath, SymbolAddress, tool_of_definitions

_LINES_EACH = 16
"""Lines of each definition where an answer has several."""

_LINES_OF_ALL = 128
"""Lines of all definitions of an answer that has several, as far as that leaves each of them a few."""

_FEWEST_LINES = 4
"""Lines of each definition where an answer has many: most of a signature."""

_LINES_OF_MODULE = 8
"""Lines of each file that a module consists of."""

CANDIDATES = "candidates"
"""What the items of an answer are where the caller has to choose the symbol."""

LIKELY = "the definition was not found; this is likely it: nothing else of that name fits"
"""The first note of an answer that shows the definition of which find_references lists the name as a likely use."""

_MOST_DEFINITIONS = 8
"""Definitions of a name whose source is shown; of more than that the candidates are listed."""

_MOST_MEANT = _LINES_OF_ALL // _FEWEST_LINES
"""Definitions whose source is shown that one place means, all of them: members of the types of a union."""

_MOST_AGAIN = 5
"""Lines that are named on which a local name or an attribute is bound again."""

_MOST_OFFERED = 3
"""Candidates of which the call is told that chooses them."""

_LONGEST_LINE = 1_000
"""Characters that are shown of a longer line, which somebody has generated or minified."""


@tool_of_definitions
def go_to_definition(index: Index, symbol: SymbolAddress, path: FolderPath = ".") -> Result:
    """Definition and source of a symbol."""
    within = select_scope(index, path)
    result = _define(index, symbol, within or frozenset())
    if within is None or parse_position(index, symbol) is not None:
        return result
    if any(one.path in within for one in result.items if isinstance(one, SourceLine | Symbol)):
        return result
    return replace(result, notes=(f"not defined in {path}, but elsewhere", *result.notes))


def _define(index: Index, symbol: str, within: frozenset[str]) -> Result:
    """Return the definitions that a symbol has in the files ``within``; all of them where it has none there."""
    symbol = exported_address(index, symbol) or symbol
    around = own_module(index, symbol)
    run = function_of_local(index, symbol)
    bound = links_at(index, symbol) or bindings_at(index, symbol) if around is None and not run else ()
    if around is not None or bound:
        return _bound(index, symbol, bound) if around is None else _module(index, symbol, [around.path], around.line)
    try:
        named = partial(resolve_address, index, symbol, possible=True, unlisted=True, within=within)
        found = SymbolMatches.of(run) if run else named()
        found = nearest_overloads(index, symbol, definitions_first(index, nearest(index, symbol, found)))
    except (NoSuchSymbol, NothingThere, NotUnderstood) as error:
        module, files = imported_files(index, symbol) if not isinstance(error, NoSuchSymbol) else ("", ())
        made = macro_names_at(index, symbol) if not files else MacroNames()
        if not files and not made.names:
            raise with_unsearched(error, made) from None
        return _module(index, module, files) if files else _made_by_macros(index, symbol, made)
    if found.possible:
        return _possible(index, symbol, found)
    found = _with_others(found, [*members_at(index, symbol), *type_in_name(index, symbol, found)])
    chosen = [(target, one) for target in found for one in bodies_first(target, definitions_at(index, symbol, target))]
    if not found.more and _are_parts(chosen):
        chosen = chosen[:_MOST_DEFINITIONS]
    most = _MOST_DEFINITIONS if parse_position(index, symbol) is None else _MOST_MEANT
    many = len(chosen) > most and len(found) > 1  # the overloads of one symbol are all meant
    if many or not chosen or (found.more and len(chosen) > 1):
        return candidates(index, symbol, found, "go_to_definition")
    key = exported_key(index, symbol, chosen[0][0])
    if len(chosen) > 1 or key is not None:
        return _several(index, symbol, chosen, found.definitions - len(chosen), key)
    return _one(index, *chosen[0])


def _possible(index: Index, asked: str, found: SymbolMatches) -> Result:
    """Return what a name may mean: a module, the symbol of which it is a likely use, or all that have the name."""
    module, files = imported_files(index, asked)
    if files:
        return _module(index, module, files)
    likely = likely_meaning(index, asked, found)
    if likely is None:
        return candidates(index, asked, found, "go_to_definition")
    chosen = [(likely, one) for one in likely.definitions]
    result = _one(index, *chosen[0]) if len(chosen) == 1 else _several(index, asked, chosen)
    items = [replace(one, tier=Tier.Likely) for one in result.items if isinstance(one, SourceLine)]
    return replace(result, items=items, notes=(LIKELY, *result.notes))


def _with_others(found: SymbolMatches, others: Sequence[DefinedSymbol]) -> SymbolMatches:
    """Return what a name means, and what its token means besides."""
    known = {(one.path, one.name) for one in found}
    more = [one for one in others if (one.path, one.name) not in known]
    return SymbolMatches.of([*found, *more]) if more else found


def _one(index: Index, target: DefinedSymbol, definition: Definition) -> Result:
    """Return a definition with all of its lines."""
    lines = target.source.lines()[definition.start_line - 1 : definition.end_line]
    what = described(target.source, definition)
    said = hover_text(index.of(target.path), target)
    used = Call.of(
        "find_references",
        uses(index, target.path, definition.name),
        symbol=shortest_place(index, target.source, definition),
    )
    return Result(
        subject=f"{what.qualified_name}",
        noun="lines",
        items=_lines_of(target, definition, lines),
        partial=said.pending,
        notes=(
            f"{kind_name(what.kind, what.signature, what.path)} in {shortest_place(index, target.source, definition)}",
            *filter(None, (said.line,)),
            *_clipped(lines[definition.line - definition.start_line :][:1]),
        ),
        calls=(used,) if index.paths.exists(target.path) else (),
        more=Continued(
            Call.of(
                "read_file",
                size_of(target.path, lines),
                path=target.path,
                start_line=definition.start_line,
                num_lines=min(MOST_LINES, len(lines)),
            ),
            "start_line",
            "num_lines",
            len(lines),
        ),
        span="lines {first}-{last} of {total}",
    )


def _lines_of(target: DefinedSymbol, definition: Definition, lines: Sequence[str], about: str = "") -> list[SourceLine]:
    """Return the first lines of a definition; of a very long one with its name what is around that."""
    return [
        SourceLine(
            target.path,
            number,
            shorten(line, _LONGEST_LINE, definition.column - 1) if number == definition.line else line,
            about,
        )
        for number, line in enumerate(lines, definition.start_line)
    ]


def _clipped(lines: Iterable[str]) -> Iterator[str]:
    """Yield the note that of a very long one of some lines a part is shown."""
    longest = max(map(len, lines), default=0)
    if longest > _LONGEST_LINE:
        yield f"of a line with {longest:,} characters those around the name are shown"


def _module(index: Index, name: str, files: Sequence[str], line: int = 0) -> Result:
    """Return the first lines of each file of a module, or those of what it exports as a whole, or those from a line."""
    items: list[SourceLine] = []
    notes: list[str] = []
    calls: list[Call] = []
    for source in filter(None, map(index.try_read, files[:_MOST_DEFINITIONS])):
        lines, semantics = source.lines(), semantics_of(source.path)
        first = semantics.imports.module_line(source.content) if semantics is not None and not line else max(1, line)
        where = f"{source.path}:{first}" if first > 1 else source.path
        notes.append(f"Module in {where}, {count_noun(len(lines), 'line')}")
        shown = lines[first - 1 : first - 1 + _LINES_OF_MODULE] or [""]
        items += [SourceLine(source.path, number, line) for number, line in enumerate(shown, first)]
        calls.append(Call.of("document_symbols", UNKNOWN, path=source.path))
    left = max(0, len(files) - _MOST_DEFINITIONS)
    several = f"lines of {len(notes):,} of {len(files):,} files" if left else f"lines of {len(notes):,} files"
    return Result(
        subject=name,
        noun="lines" if len(notes) == 1 else several,
        items=items,
        at_least=left > 0,
        notes=tuple(notes),
        calls=tuple(calls[:_MOST_OFFERED]),
    )


def _bound(index: Index, asked: str, bound: Sequence[NameBinding]) -> Result:
    """Return the lines that bind a name which is no symbol, or the beginning of the module that it means."""
    if all(one.kind is BindingKind.Module for one in bound):
        return _module(index, asked, [one.path for one in bound])
    shown = [(one, source) for one in bound[:_MOST_DEFINITIONS] if (source := index.try_read(one.path)) is not None]
    texts = {one: (source.lines() or [""])[one.line - 1 : one.last_line] for one, source in shown}
    items = [
        SourceLine(one.path, number, shorten(line, _LONGEST_LINE, one.column - 1 if number == one.line else 0))
        for one, lines in texts.items()
        for number, line in enumerate(lines, one.line)
    ]
    items += [SourceLine(word.path, word.line, lines[word.line - 1]) for word, lines in _words(index, bound)]
    notes = [f"{one.kind} in {one.path}:{one.line}:{one.column}{_also(one)}" for one, _ in shown]
    notes += _clipped(line for lines in texts.values() for line in lines)
    return Result(
        subject=qualified(bound[0].path, bound[0].name) if len(bound) == 1 else asked,
        noun="bindings",
        items=items,
        notes=tuple(notes),
        calls=(*_uses(bound), *(reading(index, one.path, max(1, one.line - 5), 30) for one, _ in shown[:1])),
        whole=len(items) if len(shown) == len(bound) else len(bound),
    )


def _made_by_macros(index: Index, asked: str, made: MacroNames) -> Result:
    """Return the calls of macros that declare names; files that were not searched for others are counted."""
    result = _bound(index, asked, list(map(binding_of_macro, made.names)))
    omitted = tuple(omit_for_macros(made.unsearched))
    notes = (*result.notes, *Account(not_examined=omitted).omissions())
    return replace(result, at_least=bool(omitted), notes=notes)


def _words(index: Index, bound: Sequence[NameBinding]) -> Iterator[tuple[FilePosition, Sequence[str]]]:
    """Yield the words of which macros make names, each with the lines of its file."""
    for one in bound[:_MOST_DEFINITIONS]:
        source = index.try_read(one.word.path) if one.word is not None else None
        if one.word is not None and source is not None and one.word.line <= len(source.lines()):
            yield one.word, source.lines()


def _uses(bound: Sequence[NameBinding]) -> Iterator[Call]:
    """Yield the call that lists the uses of a local name, or of one that a macro declares."""
    for one in bound[:1]:
        if one.is_local or one.kind is BindingKind.Macro:
            size = Size(rows=2 + len(one.again), width=40)
            path, line, column = one.word or (one.path, one.line, one.column)
            yield Call.of("find_references", size, symbol=f"{path}:{line}:{column}")


def _also(one: NameBinding) -> str:
    """Return where else a name is bound, or what takes it under another one, as the end of a note."""
    if one.collector:
        return f", no parameter has the name: {one.collector} on line {one.last_line} collects it"
    if one.word is not None:
        return f", made of the word in {one.word.path}:{one.word.line}:{one.word.column}"
    lines = ", ".join(map(str, one.again[:_MOST_AGAIN]))
    more = f" and {len(one.again) - _MOST_AGAIN:,} more" if len(one.again) > _MOST_AGAIN else ""
    return f", bound again on {'line' if len(one.again) == 1 else 'lines'} {lines}{more}" if lines else ""


def _are_parts(chosen: Sequence[tuple[DefinedSymbol, Definition]]) -> bool:
    """Return whether definitions are parts of one namespace, each of which only adds to it."""
    names = {target.qualified_name for target, _ in chosen}
    return len(names) == 1 and all(one.kind is SymbolKind.Namespace for _, one in chosen)


def _several(
    index: Index,
    asked: str,
    chosen: Sequence[tuple[DefinedSymbol, Definition]],
    left: int = 0,
    key: FilePosition | None = None,
) -> Result:
    """Return several definitions, each with the lines that it begins with; ``left`` are not among them.

    A ``key`` by which a module exports the only one is a declaration as well.
    """
    items: list[SourceLine] = []
    named: list[str] = []
    whole = 0
    notes: list[str] = []
    calls: list[Call] = []
    each = min(_LINES_EACH, max(_FEWEST_LINES, _LINES_OF_ALL // len(chosen)))
    for target, definition in chosen:
        what, where = described(target.source, definition), shortest_place(index, target.source, definition)
        lines = target.source.lines()[definition.start_line - 1 : definition.end_line]
        whole += len(lines)
        about = f"{kind_name(what.kind, what.signature, what.path)} {what.qualified_name} {where}"
        items += _lines_of(target, definition, lines[:each], about)
        named += lines[definition.line - definition.start_line :][:1]
        size = size_of(target.path, lines)
        calls.append(Call.of("go_to_definition", size, symbol=where))
        if len(lines) > each:
            notes.append(f"{where} has {len(lines):,} lines, the first {each} are shown")
    if key is not None:
        line = index.read(key.path).lines()[key.line - 1]
        items.append(SourceLine(key.path, key.line, line, f"Exported key {key.path}:{key.line}"))
        whole += 1
    if len(notes) > _MOST_OFFERED:
        notes = [f"{len(notes):,} of the definitions are cut after {each} lines"]
    noun = f"lines of {len(chosen) + (key is not None):,} definitions"
    if left > 0:
        noun = f"lines of {len(chosen):,} of {len(chosen) + left:,} definitions"
        calls.insert(0, Call.of("symbol_search", UNKNOWN, query=chosen[0][0].first.name, match="exact"))
    return Result(
        subject=asked,
        noun=noun,
        items=items,
        at_least=left > 0,
        notes=(*notes, *_clipped(named)),
        calls=tuple(calls[:_MOST_OFFERED]),
        whole=whole,
    )


def candidates(index: Index, asked: str, found: SymbolMatches, tool: str, **also: Value) -> Result:
    """Return the symbols that an address may mean, each with the call that chooses it; it asks for ``also`` again.

    Those that merely have the name are of the tier ``name``. Of a symbol that is defined several times (overloads) each
    definition can be chosen where the tool is about one.
    """
    one_by_one = tool == go_to_definition.__name__
    listed = [(target, d) for target in found for d in target.definitions[: None if one_by_one else 1]]
    tier = Tier.Name if found.possible else Tier.Exact
    symbols = [replace(described(target.source, d), tier=tier) for target, d in listed]
    places = [shortest_place(index, target.source, d) for target, d in listed]
    left = found.definitions - sum(len(target.definitions) for target in found)
    lines = {f"{symbol.path}:{symbol.line}" for symbol in symbols}
    column = "" if lines.issuperset(places) else ":COLUMN"
    unknown = "the definition was not found; these have the name"
    matches = unknown if found.possible else "more than one symbol matches"
    rest = (f"the likeliest {len(symbols):,} are listed; a longer suffix of the qualified name matches fewer",)
    return Result(
        subject=asked,
        noun=CANDIDATES,
        items=symbols,
        at_least=found.more,
        notes=(
            f'{matches}: call {tool}(symbol="PATH:LINE{column}") with one of these',
            *(rest if left else ()),
        ),
        whole=len(symbols) + left,
        calls=tuple(
            Call.of(tool, UNKNOWN if "path" in also else about(index, tool, symbol), symbol=where, **also)
            for symbol, where in zip(symbols[:_MOST_OFFERED], places, strict=False)
        ),
    )
