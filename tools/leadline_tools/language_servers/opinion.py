"""A second opinion on what our own tiers leave undecided: by a language server, where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from leadline_tools.index.index import Index
from leadline_tools.language_servers.inquiry import Inquiry, OpinionRequest
from leadline_tools.language_servers.locations import SourceLocation
from leadline_tools.language_servers.server_pool import server_for, wait
from leadline_tools.languages import is_host
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Reason, Role, SymbolKind, Tier
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.references import References
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

SECONDS = 2.0
"""Seconds that an answer waits for a server."""

_MOST_CERTAIN = 6
_MOST_OTHERS = 4
"""Places by which a server is checked: that mean the symbol, and that mean something else."""

_WHOLE = frozenset({SymbolKind.Class, SymbolKind.Struct, SymbolKind.Interface, SymbolKind.Enum})
"""What is called by its name: a server may say that its constructor is meant."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """Uses after a server was asked.

    Args:
        uses: The uses: those that it decides are exact, or left out for meaning something else.
        notes: What it decided, or why it did not.
        pending: True where it may know more when the same is asked again.

    """

    uses: References
    notes: tuple[str, ...] = ()
    pending: bool = False


def second_opinion(index: Index, target: DefinedSymbol, uses: References) -> Opinion:
    """Ask the language server for a symbol about the uses that are likely or known by name; raises Cancelled."""
    server = server_for(index, target.path)
    if server is None:
        return Opinion(uses)
    request = _request(index, target, uses.found)
    if not request.undecided:
        return Opinion(uses)
    key = index.files.state, request.definition_lines, frozenset(request.undecided)
    inquiry = server.pool.inquire(server.managed, key, Inquiry(request))
    wait(inquiry, SECONDS)
    return _opinion(server.managed.name, inquiry, uses)


def _opinion(name: str, inquiry: Inquiry, uses: References) -> Opinion:
    verdict = inquiry.verdict
    if not inquiry.done.is_set():
        return Opinion(uses, (f"{name} is still reading: ask again for what it decides",), pending=True)
    if inquiry.failure:
        return Opinion(uses, (f"{name} {inquiry.failure}: its results are missing",))
    if verdict.doubt:
        return Opinion(uses, (f"server answer incomplete: {name}: {verdict.doubt}; not used",))
    meant = sum(verdict.decided.values())
    line = (
        f"{name} decided {len(verdict.decided):,} of {len(inquiry.request.undecided):,} undecided:"
        f" {meant:,} exact, {len(verdict.decided) - meant:,} of something else, left out"
    )
    if verdict.unasked:
        line += f"; {verdict.unasked:,} not asked"
    return Opinion(uses.decided_again(_decided(uses.found, inquiry)), (line,))


def _decided(found: Sequence[ResolvedUse], inquiry: Inquiry) -> list[ResolvedUse]:
    """Return uses as a server decides them: its exact ones behind ours, where they would stand as ours."""
    decided = inquiry.verdict.decided
    sure = [one for one in found if one.tier is Tier.Exact]
    added = [
        replace(one, tier=Tier.Exact, reason=Reason.Server)
        for one in found
        if one.tier is not Tier.Exact and decided.get(_place(one), False)
    ]
    left = [one for one in found if one.tier is not Tier.Exact and _place(one) not in decided]
    return [*sure, *added, *left]


def _request(index: Index, target: DefinedSymbol, found: Sequence[ResolvedUse]) -> OpinionRequest:
    found = [one for one in found if not is_host(one.path)]  # a server reads a file as one of a language
    exact = [one for one in found if one.tier is Tier.Exact]
    undecided = {_place(one): one.name for one in found if one.tier is not Tier.Exact}
    certain = _spread([one for one in exact if one.use.role not in (Role.Definition, Role.Import)])
    declared = [one for one in exact if one.use.role is Role.Definition]
    checked = [_place(one) for one in (certain or declared)[:_MOST_CERTAIN]]
    others = [SourceLocation(target.path, one.line, one.column) for one in _others(index, target)]
    likeliest = (target.path, *(place.path for place in (*checked, *undecided)), *(one.path for one in exact))
    return OpinionRequest(
        frozenset(_meant(target, declared)), undecided, checked, others, list(dict.fromkeys(likeliest))
    )


def _meant(target: DefinedSymbol, declared: Sequence[ResolvedUse]) -> Iterator[tuple[str, int]]:
    """Yield the lines at which the symbol is defined; of a type all, since its constructor is called by its name."""
    yield from ((one.path, one.use.line) for one in declared)
    for one in target.definitions:
        lines = range(one.start_line, one.end_line + 1) if one.kind in _WHOLE else (one.line,)
        yield from ((target.path, line) for line in lines)


def _others(index: Index, target: DefinedSymbol) -> list[Definition]:
    """Return definitions beside the symbol that are not it, nearest first."""
    within = [(one.start_line, one.end_line) for one in target.definitions]
    apart = [
        one
        for one in index.symbols.definitions(target.source)
        if one.name != target.first.name and not any(first <= one.line <= last for first, last in within)
    ]
    return sorted(apart, key=lambda one: abs(one.line - target.first.line))[:_MOST_OTHERS]


def _spread(found: Sequence[ResolvedUse]) -> list[ResolvedUse]:
    """Return uses so that the first ones are of different files."""
    firsts: dict[str, ResolvedUse] = {}
    rest = [one for one in found if firsts.setdefault(one.path, one) is not one]
    return [*firsts.values(), *rest]


def _place(one: ResolvedUse) -> SourceLocation:
    return SourceLocation(one.path, one.use.line, one.use.column)
