"""Where a symbol is defined, and what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.index.describe import symbol as described
from leadline_tools.index.index import Index
from leadline_tools.index.reading import size_of
from leadline_tools.languages.outline import Definition
from leadline_tools.model import SourceLine, Tier
from leadline_tools.navigation.read_file import MOST_LINES
from leadline_tools.resolve.address import Target, Targets, defined_at, place, targets
from leadline_tools.resolve.sizes import UNKNOWN, about, uses
from leadline_tools.result import Call, Continued, Result, Value
from leadline_tools.servers.hover import hovered
from leadline_tools.tool import SymbolAddress, tool

_LINES_EACH = 16
"""Lines of each definition where an answer has several."""

_MOST_DEFINITIONS = 8
"""Definitions whose source is shown; of more than that the candidates are listed."""

_MOST_OFFERED = 3
"""Candidates of which the call is told that chooses them."""


@tool
def go_to_definition(index: Index, symbol: SymbolAddress) -> Result:
    """Definition and source of a symbol: name, dotted suffix (QuerySet.filter) or path:line[:column]."""
    found = targets(index, symbol, possible=True, unlisted=True)
    chosen = [(target, one) for target in found for one in defined_at(index, symbol, target)]
    several = len(chosen) > (1 if found.more else _MOST_DEFINITIONS)
    if found.possible or several or not chosen:
        return candidates(index, symbol, found, "go_to_definition")
    if len(chosen) > 1:
        return _several(index, symbol, chosen)
    target, definition = chosen[0]
    lines = target.source.lines()[definition.start_line - 1 : definition.end_line]
    what = described(target.source, definition)
    said = hovered(index.of(target.path), target)
    used = Call.of("find_references", uses(index, definition.name), symbol=place(index, target.source, definition))
    return Result(
        subject=f"{what.qualified_name}",
        noun="lines",
        items=[SourceLine(target.path, definition.start_line + i, line) for i, line in enumerate(lines)],
        partial=said.pending,
        notes=(f"{what.kind} in {target.path}:{definition.line}", *filter(None, (said.line,))),
        calls=(used,) if index.exists(target.path) else (),
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


def _several(index: Index, asked: str, chosen: Sequence[tuple[Target, Definition]]) -> Result:
    """Return several definitions, each with the lines that it begins with."""
    items: list[SourceLine] = []
    whole = 0
    notes: list[str] = []
    calls: list[Call] = []
    for target, definition in chosen:
        what, where = described(target.source, definition), place(index, target.source, definition)
        lines = target.source.lines()[definition.start_line - 1 : definition.end_line]
        whole += len(lines)
        about = f"{what.kind} {what.qualified_name} {where}"
        items += [
            SourceLine(target.path, definition.start_line + i, line, about)
            for i, line in enumerate(lines[:_LINES_EACH])
        ]
        size = size_of(target.path, lines)
        calls.append(Call.of("go_to_definition", size, symbol=where))
        if len(lines) > _LINES_EACH:
            notes.append(f"{where} has {len(lines):,} lines, the first {_LINES_EACH} are shown")
    noun = f"lines of {len(chosen):,} definitions"
    offered = tuple(calls[:_MOST_OFFERED])
    return Result(subject=asked, noun=noun, items=items, notes=tuple(notes), calls=offered, whole=whole)


def candidates(index: Index, asked: str, found: Targets, tool: str, **also: Value) -> Result:
    """Return the symbols that an address may mean, each with the call that chooses it; it asks for ``also`` again.

    Those that merely have the name are of the tier ``name``. Of a symbol that is defined several times (overloads) each
    definition can be chosen where the tool is about one.
    """
    one_by_one = tool == go_to_definition.__name__
    listed = [(target, d) for target in found for d in target.definitions[: None if one_by_one else 1]]
    tier = Tier.Name if found.possible else Tier.Exact
    symbols = [replace(described(target.source, d), tier=tier) for target, d in listed]
    places = [place(index, target.source, d) for target, d in listed]
    left = found.definitions - sum(len(target.definitions) for target in found)
    lines = {f"{symbol.path}:{symbol.line}" for symbol in symbols}
    column = "" if lines.issuperset(places) else ":COLUMN"
    unknown = "what is meant here was not found; these have the name"
    matches = unknown if found.possible else "more than one symbol matches"
    rest = (f"the likeliest {len(symbols):,} are listed; a longer suffix of the qualified name leaves fewer",)
    return Result(
        subject=asked,
        noun="candidates",
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
