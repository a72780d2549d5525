"""From items to text and to JSON: the only place that knows the shape of an answer.

Text: lines grouped below a heading (a path or a folder), 1-based numbers first, one item a line. JSON: the objects
that the documentation names, compact, one item a line, so that both keep the line contract of the estimators.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from itertools import takewhile
from typing import Any

from leadline_estimators.fit import Form, Nesting
from leadline_estimators.profiles import TextKind
from leadline_estimators.tokenizer import contract_line
from leadline_server.outgoing import printable, printable_json
from leadline_server.prices import Prices
from leadline_tools.account import Account
from leadline_tools.index.packing.packed_outline import Outlined
from leadline_tools.languages.outline import CLASS_LIKE
from leadline_tools.model import (
    CallNode,
    Diagnostic,
    FileCount,
    FileEntry,
    Hunk,
    Item,
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
from leadline_tools.result import Aside, Breakdown

_MOST_NUMBERS = 8
"""Line numbers of calls that are shown of one caller, where there is not room for all."""

_TOP_LEVEL = "(top level)"
"""What stands for the symbol around code that is in none."""

_LONGEST_ON_MAP = 80
"""Characters of a signature on the map, where documentation is not shown either: there the name says most."""


def line(text: str) -> str:
    """Return ``text`` as one line of an answer."""
    return contract_line(printable(text))


_REMEMBERED = 2_000
"""Rows whose texts are kept while an answer is made of them; hardly a page has as many."""


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Items as the rows that ``fit`` asks for."""

    items: Sequence[Item]
    prices: Prices
    _texts: dict[tuple[int, Form], str] = field(default_factory=dict[tuple[int, Form], str], repr=False)
    _headings: dict[int, str] = field(default_factory=dict[int, str], repr=False)

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    def heading(self, row: int) -> str:
        """Return the path or folder under which an item stands; remembered as its text is."""
        known = self._headings.get(row)
        if known is None:
            known = "" if isinstance(self.items, Outlined) else printable(_heading(self.items[row]))
            if row < _REMEMBERED:
                self._headings[row] = known
        return known

    def text(self, row: int, form: Form) -> str:
        """Return an item in one of its forms; remembered where it can be on a page: several are tried."""
        known = self._texts.get((row, form))
        if known is None:
            known = self._text(row, form)
            if row < _REMEMBERED:
                self._texts[row, form] = known
        return known

    def _text(self, row: int, form: Form) -> str:
        item = self.items[row]
        if isinstance(item, CallNode):
            return line(_call(item, form, named=not self._beside(row, item)))
        if isinstance(item, TextMatch):
            item = replace(item, container=self._new_container(row, item))
        return "".join(map(line, _text(item, form, self.prices)))

    def mark(self, row: int) -> str:
        """Return the line number that is the leanest form of a use, a match or a change."""
        if isinstance(self.items, Outlined):
            return ""
        match self.items[row]:
            case Occurrence(line=number) | TextMatch(line=number) | Hunk(start_line=number):
                return str(number)
            case Undecided(use=Occurrence(line=number)) | Mention(match=TextMatch(line=number)):
                return str(number)
            case _:
                return ""

    def depth(self, row: int) -> int:
        """Return how deep a symbol of an outline or a call is nested."""
        if isinstance(self.items, Outlined):
            return self.items.depths[row]
        match self.items[row]:
            case OutlineSymbol(depth=depth):
                return depth
            case CallNode(depth=depth):
                return depth - 1
            case _:
                return 0

    def _new_container(self, row: int, item: TextMatch) -> str:
        """Return the symbol that a match stands in where the one above it does not; what stands for none after one."""
        above = self.items[row - 1] if row else None
        if not isinstance(above, TextMatch) or above.path != item.path:
            return item.container
        return "" if above.container == item.container else item.container or _TOP_LEVEL

    def _beside(self, row: int, item: CallNode) -> bool:
        """Tell whether a call is in the file of what it stands below or behind: on every page the line above."""
        above = self.items[row - 1] if row else None
        return isinstance(above, CallNode) and above.depth <= item.depth and above.symbol.path == item.symbol.path


@dataclass(frozen=True, slots=True)
class JsonRows:
    """Items as lines of a JSON array; they have one form."""

    items: Sequence[Item]
    prices: Prices
    longest: int | None = None

    def clipped(self, longest: int) -> JsonRows:
        """Return the same rows with every text or list cut to ``longest``, and items marked where one was."""
        return JsonRows(self.items, self.prices, longest)

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    def heading(self, row: int) -> str:  # noqa: ARG002  as Rows has it
        """Return nothing: objects stand alone."""
        return ""

    def text(self, row: int, form: Form) -> str:  # noqa: ARG002
        """Return an item as an object, with the comma that joins it to the next."""
        value = as_json(self.items[row], self.prices)
        if self.longest is not None:
            cut = {name: v[: self.longest] if isinstance(v, str | tuple) else v for name, v in value.items()}
            value = cut if cut == value else {**cut, "clipped": True}
        return compact(value) + ",\n"

    def mark(self, row: int) -> str:  # noqa: ARG002
        """Return nothing: objects have one form."""
        return ""

    def depth(self, row: int) -> int:  # noqa: ARG002
        """Return 0: objects are not nested."""
        return 0


def compact(value: object) -> str:
    """Return JSON without blanks; what is not ASCII stays, what cannot be sent is escaped."""
    return printable_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def nesting(items: Sequence[Item]) -> Nesting:
    """Return how items that are nested are cut: a tree of calls by breadth, an outline by levels."""
    return Nesting.Breadth if items and isinstance(items[0], CallNode) else Nesting.Levels


def text_kind(items: Sequence[Item]) -> TextKind:
    """Return the kind of text that items make, which their price depends on."""
    return _KINDS[type(items[0])] if items else TextKind.Paths


_KINDS: Mapping[type, TextKind] = {
    CallNode: TextKind.References,
    Diagnostic: TextKind.References,
    FileCount: TextKind.Paths,
    FileEntry: TextKind.Paths,
    Hunk: TextKind.Code,
    Member: TextKind.Outline,
    Mention: TextKind.References,
    Occurrence: TextKind.References,
    OutlineSymbol: TextKind.Outline,
    RankedSymbol: TextKind.Symbols,
    SourceLine: TextKind.Code,
    Symbol: TextKind.Symbols,
    TextMatch: TextKind.References,
    Undecided: TextKind.References,
}


def place(item: Item) -> str:
    """Return the path of an item, by which what is left out is counted; empty for none."""
    match item:
        case OutlineSymbol() | FileCount() | SourceLine():
            return ""
        case Member() | CallNode() | RankedSymbol():
            return item.symbol.path
        case _:
            return item.path


def cited(items: Sequence[Item]) -> Collection[str]:
    """Return the paths of the files that items are in; items that are files or counts are in none."""
    paths: set[str] = set()
    for item in items:
        match item:
            case OutlineSymbol() | Member() | CallNode() | RankedSymbol():
                paths.add(item.symbol.path)
            case Symbol() | Occurrence() | TextMatch() | SourceLine():
                paths.add(item.path)
    return paths


@dataclass(frozen=True, slots=True)
class AsideRows:
    """The uses of an aside as the rows that ``fit`` asks for: below their label and path, each with what is around."""

    aside: Aside

    def __len__(self) -> int:
        """Return how many uses are shown at most."""
        return len(self.aside.uses)

    def heading(self, row: int) -> str:
        """Return the label and the path of a use."""
        return printable(f"{self.aside.label}: {self.aside.uses[row].path}")

    def text(self, row: int, form: Form) -> str:
        """Return a use; with the symbol around it in every form but the leanest."""
        use = self.aside.uses[row]
        inside = f"  (in {use.container})" if form is not Form.Lean and use.container else ""
        return line(f"{use.line}: {use.text}{inside}")

    def mark(self, row: int) -> str:
        """Return the line number of a use."""
        return str(self.aside.uses[row].line)

    def depth(self, row: int) -> int:  # noqa: ARG002  as Rows has it
        """Return 0: uses are not nested."""
        return 0


def _heading(item: Item) -> str:
    """Return the heading of an item: its path, below what it is about where an answer is about several symbols."""
    about = getattr(item, "about", "")
    path = _path_heading(item)
    return f"{about}: {path}" if about and path else about or path


def _path_heading(item: Item) -> str:
    match item:
        case FileEntry(path=path):
            folder = path.rpartition("/")[0]
            return f"{folder}/" if folder else "./"
        case Symbol() | Occurrence() | TextMatch() | Hunk() | Diagnostic():
            return item.path
        case Member(symbol=symbol, inherited_from=origin):
            return f"{symbol.path}: from {origin}" if origin else symbol.path
        case RankedSymbol(symbol=symbol):
            return symbol.path
        case Undecided() | Mention():
            left = "undecided" if isinstance(item, Undecided) else "mentioned"
            return f"{left}, not changed: {item.path}"
        case _:
            return ""


@singledispatch
def _text(item: Item, _form: Form, _prices: Prices) -> tuple[str, ...]:
    raise TypeError(f"no text for {type(item).__name__}")


@_text.register
def _(item: Symbol, form: Form, _prices: Prices) -> tuple[str, ...]:
    if form is Form.Lean:
        return (f"{item.line} {item.name}",)
    shown = f"{item.line} {_signature(item)}"
    return (shown, f"  {item.doc}") if form is Form.Full and item.doc else (shown,)


def _signature(symbol: Symbol) -> str:
    """Return a signature, with the container where it does not show that there is one."""
    owner = f"{symbol.container}: " if symbol.container and symbol.container not in symbol.signature else ""
    return owner + symbol.signature


@_text.register
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


@_text.register
def _(item: Member, form: Form, _prices: Prices) -> tuple[str, ...]:
    symbol = item.symbol
    if form is Form.Full:
        shown = f"{symbol.line} {symbol.signature}"
        return (shown, f"  {symbol.doc}") if symbol.doc else (shown,)
    if form is Form.Normal and item.parameters is not None:
        return (f"{symbol.line} {symbol.name}({', '.join(item.parameters)})",)
    return (f"{symbol.line} {symbol.name}",)


def _call(item: CallNode, form: Form, *, named: bool) -> str:
    """Return a call as a line of the tree, with its path where that has to be ``named``."""
    symbol = item.symbol
    called = [number for number, _ in item.sites]
    place = str(symbol.line) if item.outgoing else _numbers(called, form)
    shown = f"{' ' * (item.depth - 1)}{symbol.path + ':' if named else ''}{place} {_dotted(symbol)}"
    if item.outgoing and form is not Form.Lean:
        shown += f" (at {_numbers(called, form)})"
    if item.tier is not Tier.Exact:
        shown += f"  [{item.tier}]"
    if item.stop is not None:
        shown += _STOPS[item.stop]
    if form is Form.Full and symbol.signature:
        shown += f"  {symbol.signature}" if item.outgoing else f"  {symbol.line}: {symbol.signature}"
    return shown


_STOPS: Mapping[Stop, str] = {
    Stop.Cycle: "  [cycle]",
    Stop.Above: "  [see above]",
    Stop.Below: "  [see below]",
    Stop.Late: " ...",
}


def _numbers(lines: Sequence[int], form: Form) -> str:
    """Return line numbers, each once, as many as a form has."""
    numbers = list(dict.fromkeys(lines))
    most = {Form.Lean: 1, Form.Normal: _MOST_NUMBERS, Form.Full: len(numbers)}[form]
    more = f" +{len(numbers) - most:,}" if len(numbers) > most and form is not Form.Lean else ""
    return ",".join(map(str, numbers[:most])) + more


def _dotted(symbol: Symbol) -> str:
    if symbol.kind is SymbolKind.File:
        return _TOP_LEVEL
    return f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name


@_text.register
def _(item: CallNode, form: Form, _prices: Prices) -> tuple[str, ...]:
    return (_call(item, form, named=True),)


@_text.register
def _(item: RankedSymbol, form: Form, prices: Prices) -> tuple[str, ...]:
    symbol = item.symbol
    if form is Form.Lean:
        return (symbol.name,)
    if form is Form.Normal and len(symbol.signature) > _LONGEST_ON_MAP:
        symbol = replace(symbol, signature=_on_map(symbol))
    return _text(symbol, form, prices)


def _on_map(symbol: Symbol) -> str:
    """Return as much of a long signature as a map shows: its beginning, or what ends in the name."""
    signature = symbol.signature
    start = max(0, signature.find(symbol.name) + len(symbol.name) - _LONGEST_ON_MAP)
    end = start + _LONGEST_ON_MAP
    shown = signature[start:end].strip()
    return f"{'...' if start else ''}{shown}{'...' if end < len(signature) else ''}"


@_text.register
def _(item: Occurrence, form: Form, _prices: Prices) -> tuple[str, ...]:
    sure = "" if item.tier is Tier.Exact else f"  [{item.tier}]"
    role = "  [definition]" if item.role is Role.Definition else ""
    inside = f"  (in {item.container})" if form is Form.Full and item.container else ""
    often = f"  [{1 + len(item.again)} times]" if item.again else ""
    return (f"{item.line}: {item.text}{role}{sure}{often}{inside}",)


@_text.register
def _(item: Undecided, form: Form, prices: Prices) -> tuple[str, ...]:
    return _text(item.use, form, prices)


@_text.register
def _(item: Mention, form: Form, prices: Prices) -> tuple[str, ...]:
    shown = _text(item.match, form, prices)
    return (f"{shown[0]}  [{item.where}]",) if form is Form.Full else shown


@_text.register
def _(item: TextMatch, form: Form, _prices: Prices) -> tuple[str, ...]:
    shown = f"{item.line}: {item.text}"
    if form is not Form.Full:
        return (shown,)
    shown += {"": "", _TOP_LEVEL: f"  {_TOP_LEVEL}"}.get(item.container, f"  (in {item.container})")
    first = item.line - len(item.before)
    before = (f"{first + i}- {text}" for i, text in enumerate(item.before))
    after = (f"{item.line + 1 + i}- {text}" for i, text in enumerate(item.after))
    return (*before, shown, *after)


@_text.register
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


@_text.register
def _(item: Hunk, form: Form, _prices: Prices) -> tuple[str, ...]:
    """Return a hunk of a unified diff: in full with the lines around it, as far as none of them is blank."""
    old, new = item.old.splitlines(), item.new.splitlines()
    if form is Form.Lean:
        return (f"{item.start_line}: {new[0] if new else ''}".rstrip(),)
    above = _unbroken(item.before[::-1])[::-1] if form is Form.Full else ()
    below = _unbroken(item.after) if form is Form.Full else ()
    around = len(above) + len(below)
    removed = _span(item.start_line - len(above), len(old) + around)
    added = _span(item.new_start_line - len(above), len(new) + around)
    marked = (*(f" {text}" for text in above), *(f"-{text}" for text in old), *(f"+{text}" for text in new))
    return (f"@@ -{removed} +{added} @@", *marked, *(f" {text}" for text in below))


def _unbroken(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines up to the first blank one, which an answer cannot hold."""
    return tuple(takewhile(str.strip, lines))


def _span(first: int, number: int) -> str:
    """Return lines as a unified diff names them: of none, the line before."""
    return f"{first}" if number == 1 else f"{first if number else first - 1},{number}"


@_text.register
def _(item: SourceLine, _form: Form, _prices: Prices) -> tuple[str, ...]:
    return (f"{item.line}: {item.text}" if item.text.strip() else f"{item.line}:",)


@_text.register
def _(item: FileEntry, _form: Form, _prices: Prices) -> tuple[str, ...]:
    return (item.path.rpartition("/")[2],)


@_text.register
def _(item: FileCount, _form: Form, prices: Prices) -> tuple[str, ...]:
    return (
        f"{item.group}: {item.files:,} {'file' if item.files == 1 else 'files'},"
        f" {item.lines:,} {'line' if item.lines == 1 else 'lines'},"
        f" {item.bytes:,} bytes, ~{_tokens(item, prices):,} tokens to read",
    )


def _tokens(item: FileCount, prices: Prices) -> int:
    return sum(prices.reading(size, language) for language, size in item.languages)


@singledispatch
def as_json(item: Item, _prices: Prices) -> dict[str, Any]:
    """Return an item as the JSON object that the documentation names."""
    raise TypeError(f"no JSON for {type(item).__name__}")


def _fields(item: object, *names: str) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}


_SYMBOL = ("name", "qualified_name", "kind", "path", "line", "column", "end_line", "signature", "doc", "container")
_PLACE = ("path", "line", "column", "end_column")


def _about(name: str) -> dict[str, Any]:
    """Return what an item is listed for, where an answer is about several symbols."""
    return {"about": name} if name else {}


@as_json.register
def _(item: Symbol, _prices: Prices) -> dict[str, Any]:
    tier = {} if item.tier is Tier.Exact else {"tier": item.tier}
    return {**_fields(item, *_SYMBOL), **tier, **_about(item.about)}


@as_json.register
def _(item: OutlineSymbol, _prices: Prices) -> dict[str, Any]:
    return _fields(item.symbol, *_SYMBOL)


@as_json.register
def _(item: Member, _prices: Prices) -> dict[str, Any]:
    return {**_fields(item.symbol, *_SYMBOL), "inherited_from": item.inherited_from}


@as_json.register
def _(item: RankedSymbol, _prices: Prices) -> dict[str, Any]:
    return {**_fields(item.symbol, *_SYMBOL), "rank": item.rank}


@as_json.register
def _(item: CallNode, _prices: Prices) -> dict[str, Any]:
    symbol = _fields(item.symbol, "name", "qualified_name", "path", "line", "column")
    stop = {"stop": item.stop} if item.stop is not None else {}
    return {**symbol, **_fields(item, "depth", "parent", "sites", "tier"), **stop, **_about(item.about)}


@as_json.register
def _(item: Occurrence, _prices: Prices) -> dict[str, Any]:
    again = {"again": item.again} if item.again else {}
    return {**_fields(item, *_PLACE, "role", "tier", "reason", "text", "container"), **again, **_about(item.about)}


@as_json.register
def _(item: TextMatch, _prices: Prices) -> dict[str, Any]:
    container = {"container": item.container} if item.container else {}
    return {**_fields(item, *_PLACE, "text"), **container}


@as_json.register
def _(item: Undecided, prices: Prices) -> dict[str, Any]:
    return {**as_json(item.use, prices), "undecided": True}


@as_json.register
def _(item: Mention, prices: Prices) -> dict[str, Any]:
    return {**as_json(item.match, prices), "mentioned_in": item.where}


@as_json.register
def _(item: Diagnostic, _prices: Prices) -> dict[str, Any]:
    place = _fields(item, "path", "line", "column", "end_line", "end_column")
    fixes = [{**_fields(fix, "id", "title"), **({"unsafe": True} if fix.unsafe else {})} for fix in item.fixes]
    return {**place, **_fields(item, "severity", "code", "message"), "fixes": fixes}


@as_json.register
def _(item: Hunk, _prices: Prices) -> dict[str, Any]:
    return _fields(item, "path", "start_line", "old", "new")


@as_json.register
def _(item: SourceLine, _prices: Prices) -> dict[str, Any]:
    return {**_fields(item, "path", "line", "text"), **_about(item.about)}


@as_json.register
def _(item: FileEntry, prices: Prices) -> dict[str, Any]:
    return {**_fields(item, "path", "bytes", "lines", "language"), "tokens": prices.reading(item.bytes, item.language)}


@as_json.register
def _(item: FileCount, prices: Prices) -> dict[str, Any]:
    return {**_fields(item, "group", "files", "lines", "bytes"), "tokens": _tokens(item, prices)}


def account_as_json(account: Account) -> dict[str, Any]:
    """Return the account of an answer as a JSON object; what was not examined by reason."""
    left: dict[str, int] = {}
    for omitted in account.not_examined:
        left[omitted.reason] = left.get(omitted.reason, 0) + omitted.tokens
    counts = _fields(account, "exact", "likely", "other", "undecided", "text")
    uncounted = {"uncounted_files": account.uncounted} if account.uncounted else {}
    return {**counts, "not_examined": left, "aliased": account.aliased, **uncounted}


@dataclass(frozen=True, slots=True)
class BreakdownRows:
    """Counts by folder, by extension: rows of one form below what they count by."""

    breakdowns: Sequence[Breakdown]

    def _at(self, row: int) -> tuple[str, tuple[str, int]]:
        for breakdown in self.breakdowns:
            if row < len(breakdown.groups):
                return breakdown.by, breakdown.groups[row]
            row -= len(breakdown.groups)
        raise IndexError(row)

    def __len__(self) -> int:
        """Return how many groups there are in all."""
        return sum(len(breakdown.groups) for breakdown in self.breakdowns)

    def heading(self, row: int) -> str:
        """Return what the group is counted by."""
        return f"by {self._at(row)[0]}"

    def text(self, row: int, form: Form) -> str:  # noqa: ARG002
        """Return a group and its count."""
        name, number = self._at(row)[1]
        return line(f"{name} {number:,}")

    def mark(self, row: int) -> str:  # noqa: ARG002
        """Return nothing: groups have one form."""
        return ""

    def depth(self, row: int) -> int:  # noqa: ARG002
        """Return 0: groups are disjoint."""
        return 0
