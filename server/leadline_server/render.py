"""The rendering of items as text: with ``render_json`` the only place that knows the shape of an answer.

Lines are grouped below a heading (a path or a folder), 1-based numbers first, one item a line: so they keep the line
contract of the estimators.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from itertools import takewhile

from leadline_estimators.profiles import TextKind
from leadline_estimators.tokenizer import contract_line
from leadline_estimators.truncation import Form, Nesting
from leadline_server.outgoing import printable
from leadline_server.prices import Prices
from leadline_tools.languages.outline import CLASS_LIKE
from leadline_tools.model import (
    CallNode,
    CodeMatch,
    Diagnostic,
    FileCount,
    FileEntry,
    Hunk,
    Item,
    MapPart,
    Member,
    Mention,
    Occurrence,
    OutlineSymbol,
    RankedSymbol,
    Role,
    Severity,
    SourceLine,
    Stop,
    Symbol,
    SymbolKind,
    TextMatch,
    Tier,
    Undecided,
)
from leadline_tools.search_text.matches import TextMatches

_MOST_NUMBERS = 8
"""Line numbers of calls that are shown of one caller, where there is not room for all."""

TOP_LEVEL = "(top level)"
"""The name of the container of code outside of all symbols."""

SAME = "(same)"
"""What stands for the container of a use that is in that of the one above it."""

_MEGABYTE = 1_000_000

_FEW_DOCUMENTED = 3
"""Symbols that are shown with their documentation where nobody asks for it."""

_MOST_BESIDE = 2
"""Other symbols of a file that are listed below the best one."""

_DOTTED = re.compile(r"[\w.]+")
"""The names in a signature, with dots in them."""

_LONGEST_ON_MAP = 80
"""Characters of a signature on the map, where documentation is not shown either: there the name says most."""


LONGEST_LINE = 100_000
"""Characters of a line that are looked at: more than any answer may have, so one that is longer is clipped further."""


def line(text: str) -> str:
    """Return ``text`` as one line of an answer; the end of what is too long for any answer is left out."""
    return contract_line(printable(text[:LONGEST_LINE]))


def nesting(items: Sequence[Item]) -> Nesting:
    """Return how items that are nested are cut: a tree of calls and a map by breadth, an outline by levels."""
    if isinstance(items, TextMatches):
        return Nesting.Run
    return Nesting.Breadth if items and isinstance(items[0], CallNode | MapPart | RankedSymbol) else Nesting.Levels


def text_kind(items: Sequence[Item]) -> TextKind:
    """Return the kind of text that items make, which their price depends on."""
    return _KINDS[type(items[0])] if items else TextKind.Paths


def richest_form(items: Sequence[Item]) -> Form:
    """Return the richest form that items have unless richer ones are asked for.

    Documentation and whole signatures are for a few; what many have in common is seen better without.
    """
    if not items or isinstance(items, TextMatches):
        return Form.Full
    plain = isinstance(items[0], CallNode) or (
        isinstance(items[0], Symbol | Member | CodeMatch) and len(items) > _FEW_DOCUMENTED
    )
    return Form.Normal if plain else Form.Full


_KINDS: Mapping[type, TextKind] = {
    CallNode: TextKind.References,
    Diagnostic: TextKind.References,
    FileCount: TextKind.Paths,
    FileEntry: TextKind.Paths,
    Hunk: TextKind.Code,
    MapPart: TextKind.Symbols,
    Member: TextKind.Outline,
    Mention: TextKind.References,
    Occurrence: TextKind.References,
    OutlineSymbol: TextKind.Outline,
    CodeMatch: TextKind.Symbols,
    RankedSymbol: TextKind.Symbols,
    SourceLine: TextKind.Code,
    Symbol: TextKind.Symbols,
    TextMatch: TextKind.References,
    Undecided: TextKind.References,
}


def place(item: Item) -> str:
    """Return the path of an item, by which omitted items are counted; empty for none."""
    match item:
        case OutlineSymbol() | FileCount() | SourceLine() | MapPart():
            return ""
        case Member() | CallNode() | RankedSymbol() | CodeMatch():
            return item.symbol.path
        case _:
            return item.path


def count_by_path(items: Sequence[Item]) -> Mapping[str, int]:
    """Return how many items have each place; those without one are left out."""
    if isinstance(items, TextMatches):
        return items.files()
    return Counter(path for item in items if (path := place(item)))


def cited_paths(items: Sequence[Item]) -> Collection[str]:
    """Return the paths of the files that items are in; items that are files or counts are in none."""
    paths: set[str] = set()
    for item in items:
        match item:
            case OutlineSymbol() | Member() | CallNode() | RankedSymbol() | CodeMatch():
                paths.add(item.symbol.path)
            case Symbol() | Occurrence() | TextMatch() | SourceLine():
                paths.add(item.path)
    return paths


def item_label(item: Item) -> str:
    """Return the symbol that an item is listed for, where an answer is about several; empty elsewhere."""
    return str(getattr(item.symbol if isinstance(item, Member) else item, "about", ""))


def item_heading(item: Item, *, labelled: bool = True) -> str:
    """Return the heading of an item: its path, and what it is about where an answer is about several symbols.

    Without ``labelled`` the path alone, where it has one.
    """
    about, path = item_label(item), _path_heading(item)
    return f"{about}: {path}" if about and path and labelled else path or about


def _path_heading(item: Item) -> str:
    match item:
        case FileEntry(path=path):
            folder = path.rpartition("/")[0]
            return f"{folder}/" if folder else "./"
        case Symbol() | Occurrence() | TextMatch() | Hunk() | Diagnostic():
            return item.path
        case Member(symbol=symbol, inherited_from=origin):
            return f"{symbol.path}: from {origin}" if origin else symbol.path
        case RankedSymbol(symbol=symbol) | CodeMatch(symbol=symbol):
            return symbol.path + (f"  [{item.mark}]" if isinstance(item, CodeMatch) and item.mark else "")
        case Undecided() | Mention():
            left = "undecided" if isinstance(item, Undecided) else "mentioned"
            return f"{left}, not changed: {item.path}"
        case _:
            return ""


@singledispatch
def item_lines(item: Item, _form: Form, _prices: Prices) -> tuple[str, ...]:
    """Return the lines of an item in one of its forms."""
    raise TypeError(f"no text for {type(item).__name__}")


@item_lines.register
def _(item: Symbol, form: Form, _prices: Prices) -> tuple[str, ...]:
    if item.same_parameters and form is not Form.Full:
        return (f"{item.line} {item.container}",)
    if form is Form.Lean:
        return (f"{item.line} {item.name}",)
    shown = f"{item.line} {_signature(item)}"
    return (shown, f"  {item.doc}") if form is Form.Full and item.doc else (shown,)


def _signature(symbol: Symbol) -> str:
    """Return a signature, with the container where it does not show that before the name: ``func (s *Shop) open()``."""
    before = symbol.signature.partition(f"{symbol.name}(")[0]
    shown = symbol.container in (word.strip(".") for word in _DOTTED.findall(before))
    return symbol.signature if shown or not symbol.container else f"{symbol.container}: {symbol.signature}"


@item_lines.register
def _(item: OutlineSymbol, form: Form, _prices: Prices) -> tuple[str, ...]:
    symbol, indent = item.symbol, " " * item.depth
    owner = f"{symbol.container}." if symbol.container and not item.depth else ""
    if form is Form.Lean:
        return (f"{indent}{symbol.line} {owner}{symbol.name}",)
    if form is Form.Normal:
        if item.parameters is not None:
            shown = f"{owner}{symbol.name}({', '.join(item.parameters)})"
        else:
            shown = symbol.signature if symbol.kind in CLASS_LIKE else f"{owner}{symbol.name}"
        return (f"{indent}{symbol.line} {shown}",)
    lines = f"{symbol.line}-{symbol.end_line}" if symbol.end_line > symbol.line else f"{symbol.line}"
    head = f"{indent}{lines} {symbol.signature}"
    return (head, f"{indent}  {symbol.doc}") if symbol.doc else (head,)


@item_lines.register
def _(item: Member, form: Form, _prices: Prices) -> tuple[str, ...]:
    symbol = item.symbol
    if form is Form.Full:
        shown = f"{symbol.line} {symbol.signature}"
        return (shown, f"  {symbol.doc}") if symbol.doc else (shown,)
    if form is Form.Normal and item.parameters is not None:
        return (f"{symbol.line} {symbol.name}({', '.join(item.parameters)})",)
    return (f"{symbol.line} {symbol.name}",)


def call_line(item: CallNode, form: Form, *, named: bool) -> str:
    """Return a call as a line of the tree, with its path where that has to be ``named``."""
    symbol = item.symbol
    called = [number for number, _ in item.sites]
    place = str(symbol.line) if item.outgoing else _line_numbers(called, form)
    shown = f"{' ' * (item.depth - 1)}{symbol.path + ':' if named else ''}{place} {_dotted_name(symbol)}"
    if item.outgoing and form is not Form.Lean:
        shown += f" (at {_line_numbers(called, form)})"
    if item.tier is not Tier.Exact:
        shown += f"  [{item.tier}]"
    if item.stop is not None:
        shown += _STOPS[item.stop]
    if form is Form.Full and symbol.signature:
        shown += f"  {symbol.signature}" if item.outgoing else f"  {symbol.line}: {symbol.signature}"
    return shown


_STOPS: Mapping[Stop, str] = {
    Stop.Cycle: "  [cycle]",
    Stop.Overload: "  [overload]",
    Stop.Above: "  [see above]",
    Stop.Below: "  [see below]",
    Stop.Late: " ...",
}


def _line_numbers(lines: Sequence[int], form: Form) -> str:
    """Return line numbers, each once, as many as a form has."""
    numbers = list(dict.fromkeys(lines))
    most = {Form.Lean: 1, Form.Normal: _MOST_NUMBERS, Form.Full: len(numbers)}[form]
    more = f" +{len(numbers) - most:,}" if len(numbers) > most and form is not Form.Lean else ""
    return ",".join(map(str, numbers[:most])) + more


def _dotted_name(symbol: Symbol) -> str:
    if symbol.kind is SymbolKind.File:
        return TOP_LEVEL
    return f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name


@item_lines.register
def _(item: CallNode, form: Form, _prices: Prices) -> tuple[str, ...]:
    return (call_line(item, form, named=True),)


@item_lines.register
def _(item: RankedSymbol, form: Form, prices: Prices) -> tuple[str, ...]:
    symbol = item.symbol
    if form is not Form.Full:
        symbol = replace(symbol, signature=_map_signature(symbol))
    head, *doc = item_lines(symbol, form, prices)
    return (f"{head}  [{item.reason}]" if item.reason and form is not Form.Lean else head, *doc)


@item_lines.register
def _(item: MapPart, _form: Form, _prices: Prices) -> tuple[str, ...]:
    """Return a part of the tree: where it lies, its size, what it is."""
    files = f"{item.files:,} {'file' if item.files == 1 else 'files'}"
    if item.mark:
        where = f": {', '.join(item.folders)}" if item.folders else ", beside the code"
        return (f"not ranked: {item.mark}, {files}, {_size(item.bytes)}{where}",)
    return (f"{item.folders[0]} {files}{f': {item.text}' if item.text else ''}",)


def _size(number: int) -> str:
    """Return a number of bytes as people write it."""
    return f"{number / 1e6:,.1f} MB" if number >= _MEGABYTE else f"{max(1, round(number / 1e3)):,} kB"


@item_lines.register
def _(item: CodeMatch, form: Form, _prices: Prices) -> tuple[str, ...]:
    """Return a place with the words that it matches, in full with its documentation and what else is beside it."""
    symbol = item.symbol
    if form is Form.Lean:
        return (f"{symbol.line} {symbol.name}",)
    lines = f"{symbol.line}-{symbol.end_line}" if symbol.end_line > symbol.line else f"{symbol.line}"
    head = f"{lines} {_signature(replace(symbol, signature=_map_signature(symbol)))}"
    beside = tuple(
        f"{other.line} {_signature(replace(other, signature=_map_signature(other)))}" for other in item.beside
    )
    if form is Form.Normal:
        return (head, *beside[:_MOST_BESIDE])
    where = "; ".join(f"{match.word}: {', '.join(match.fields)}" for match in item.words if match.fields)
    words = f"matches {where}" if where else ", ".join(match.word for match in item.words)
    return (head, *((f"  {symbol.doc}",) if symbol.doc else ()), *((f"  {words}",) if words else ()), *beside)


def _map_signature(symbol: Symbol) -> str:
    """Return as much of a long signature as a map shows: its beginning, or what ends in the name."""
    signature = symbol.signature
    if len(signature) <= _LONGEST_ON_MAP:
        return signature
    start = max(0, signature.find(symbol.name) + len(symbol.name) - _LONGEST_ON_MAP)
    end = start + _LONGEST_ON_MAP
    shown = signature[start:end].strip()
    return f"{'...' if start else ''}{shown}{'...' if end < len(signature) else ''}"


@item_lines.register
def _(item: Occurrence, form: Form, _prices: Prices) -> tuple[str, ...]:
    sure = "" if item.tier is Tier.Exact else f"  [{item.tier}]"
    role = "  [definition]" if item.role is Role.Definition else ""
    inside = f"{container_label(item.container)}{receiver_label(item)}" if form is Form.Full else ""
    often = f"  [{1 + len(item.again)} times]" if item.again else ""
    return (f"{item.line}: {item.text}{role}{sure}{often}{inside}",)


def receiver_label(use: Occurrence) -> str:
    """Return the end of a line that says where the receiver of a use is declared; empty where that is not known."""
    if use.receiver is None:
        return ""
    path = "" if use.receiver.path == use.path else f"{use.receiver.path}:"
    return f"  [receiver at {path}{use.receiver.line}: {use.receiver.text}]"


def container_label(name: str) -> str:
    """Return the end of a line that says which symbol it is in."""
    if name in (TOP_LEVEL, SAME):
        return f"  {name}"
    return f"  (in {name})" if name else ""


@item_lines.register
def _(item: Undecided, form: Form, prices: Prices) -> tuple[str, ...]:
    return item_lines(item.use, form, prices)


@item_lines.register
def _(item: Mention, form: Form, prices: Prices) -> tuple[str, ...]:
    shown = item_lines(item.match, form, prices)
    return (f"{shown[0]}  [{item.where}]",) if form is Form.Full else shown


@item_lines.register
def _(item: TextMatch, form: Form, _prices: Prices) -> tuple[str, ...]:
    shown = f"{item.line}: {item.text}"
    if form is not Form.Full:
        return (shown,)
    shown += container_label(item.container)
    first = item.line - len(item.before)
    before = (f"{first + i}- {text}" for i, text in enumerate(item.before))
    after = (f"{item.line + 1 + i}- {text}" for i, text in enumerate(item.after))
    return (*before, shown, *after)


@item_lines.register
def _(item: Diagnostic, form: Form, _prices: Prices) -> tuple[str, ...]:
    """Return a diagnostic with the ids of its fixes, in full with what they do; ``?`` marks what is unsafe."""
    severe = "error " if item.severity is Severity.Error else ""
    shown = f"{item.line}:{item.column} {severe}{item.code}".rstrip()
    if form is Form.Lean:
        return (shown,)
    shown += f"{':' * bool(item.code)} {item.message}"
    ids = [f"{fix.id}{'?' * fix.unsafe}" for fix in item.fixes]
    if form is Form.Full:
        return (shown, *(f"  [{name}] {fix.title}" for name, fix in zip(ids, item.fixes, strict=True)))
    return (f"{shown}  [{', '.join(ids)}]" if ids else shown,)


@item_lines.register
def _(item: Hunk, form: Form, _prices: Prices) -> tuple[str, ...]:
    """Return a hunk of a unified diff: in full with the lines around it, as far as none of them is blank."""
    old, new = item.old.splitlines(), item.new.splitlines()
    if form is Form.Lean:
        return (f"{item.start_line}: {new[0] if new else ''}".rstrip(),)
    above = _until_blank(item.before[::-1])[::-1] if form is Form.Full else ()
    below = _until_blank(item.after) if form is Form.Full else ()
    around = len(above) + len(below)
    removed = _hunk_range(item.start_line - len(above), len(old) + around)
    added = _hunk_range(item.new_start_line - len(above), len(new) + around)
    marked = (*(f" {text}" for text in above), *(f"-{text}" for text in old), *(f"+{text}" for text in new))
    return (f"@@ -{removed} +{added} @@", *marked, *(f" {text}" for text in below))


def _until_blank(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines up to the first blank one, which an answer cannot hold."""
    return tuple(takewhile(str.strip, lines))


def _hunk_range(first: int, number: int) -> str:
    """Return lines as a unified diff names them: of none, the line before."""
    return f"{first}" if number == 1 else f"{first if number else first - 1},{number}"


@item_lines.register
def _(item: SourceLine, _form: Form, _prices: Prices) -> tuple[str, ...]:
    return (f"{item.line}: {item.text}" if item.text.strip() else f"{item.line}:",)


@item_lines.register
def _(item: FileEntry, _form: Form, _prices: Prices) -> tuple[str, ...]:
    return (item.path.rpartition("/")[2],)


@item_lines.register
def _(item: FileCount, _form: Form, prices: Prices) -> tuple[str, ...]:
    return (
        f"{item.group}: {item.files:,} {'file' if item.files == 1 else 'files'},"
        f" {item.lines:,} {'line' if item.lines == 1 else 'lines'},"
        f" {item.bytes:,} bytes, ~{tokens_to_read(item, prices):,} tokens to read",
    )


def tokens_to_read(item: FileCount, prices: Prices) -> int:
    """Return about how many tokens the files of a group cost to read."""
    return sum(prices.reading_cost(size, language) for language, size in item.languages)
