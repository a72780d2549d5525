"""Next calls, ready to send, each with its price.

They are the calls that a tool's own result suggests; where there are none, the tools that accept the best item, by the
types of their parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from leadline_server.render import line
from leadline_tools.index.files.file_list import BINARY
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE
from leadline_tools.model import (
    CallNode,
    FileEntry,
    Item,
    Member,
    Occurrence,
    OutlineSymbol,
    SourceLine,
    Symbol,
    SymbolKind,
    TextMatch,
    Tier,
)
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import Takes, Tool

MOST = 3
"""Calls that one answer offers."""

MOST_OF_COMPLETE = 2
"""Calls that an answer offers which leaves nothing out."""

_TYPICAL = Size(rows=20, width=40)
"""The answer to a call about a folder."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A call that is worth making next.

    Args:
        call: The call.
        price: What it would send at most, in tokens of the model.
        estimate: The same as it was estimated, before it was corrected and limited; 0 where nothing is known of it.

    """

    call: Call
    price: int
    estimate: int = 0

    def line(self) -> str:
        """Return the line that offers the call."""
        return line(f"next: {self.call} ~{self.price:,} tokens")


def follow_ups(result: Result, asked: str, tools: Sequence[Tool], size: Callable[[str, Item], Size]) -> list[Call]:
    """Return the calls that a result suggests; where there are none, those of other tools that take its first item.

    Only ``tools``, those that are offered, are called. ``size`` returns the size of the answer of a tool about an item.
    """
    known = {tool.name for tool in tools}
    calls = [call for call in result.calls if call.tool in known]
    offered = {asked, *(call.tool for call in calls)}
    if result.items and not result.breakdowns and not calls:
        first = result.items[result.order[0] if result.order else 0]
        for tool in tools:
            parameter = tool.required[0] if len(tool.required) == 1 else ""
            value = _argument_for(first, tool.takes.get(parameter))
            if value and tool.name not in offered:
                calls.append(Call(tool.name, ((parameter, value),), size(tool.name, first)))
    return calls or _folder_calls(result.items, asked, tools)


def _folder_calls(items: Sequence[Item], asked: str, tools: Iterable[Tool]) -> list[Call]:
    """Return a call about the folder of the first item, for want of a better one."""
    path = items[0].path if items and isinstance(items[0], FileEntry | SourceLine | TextMatch | Occurrence) else ""
    for tool in tools:
        folder = next((name for name, takes in tool.takes.items() if takes is Takes.Folder), None)
        if path and folder is not None and not tool.required and tool.name != asked:
            return [Call(tool.name, ((folder, path.rpartition("/")[0] or "."),), _TYPICAL)]
    return []


def _argument_for(item: Item, takes: Takes | None) -> str:
    """Return an item as the argument that a parameter takes; empty where it is no such thing."""
    match item, takes:
        case FileEntry(path=path) | SourceLine(path=path) | TextMatch(path=path), Takes.Code:
            return path if language_of(path) is not None else ""
        case FileEntry(path=path, language=language), Takes.File:
            return path if language != BINARY else ""
        case Occurrence(tier=Tier.Exact), Takes.Symbol:
            return f"{item.path}:{item.line}:{item.column}"
        case Symbol(), _:
            return _address(item, takes)
        case ((OutlineSymbol(symbol=symbol) | Member(symbol=symbol) | CallNode(symbol=symbol)), _):
            return _address(symbol, takes)
        case _:
            return ""


def _address(symbol: Symbol, takes: Takes | None) -> str:
    """Return the address of a symbol where it is of the kind that a parameter takes, and names resolve in its file."""
    language = language_of(symbol.path)
    if language is not None and language.semantics is None:
        return ""
    fits = {
        Takes.Symbol: symbol.kind is not SymbolKind.File,
        Takes.Type: symbol.kind in CLASS_LIKE,
        Takes.Callable: symbol.kind in CALLABLE,
    }
    return f"{symbol.path}:{symbol.line}:{symbol.column}" if takes is not None and fits.get(takes) else ""
