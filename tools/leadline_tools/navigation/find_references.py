"""Where a symbol is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from leadline_tools.errors import BadArgument
from leadline_tools.index.index import Index
from leadline_tools.index.notes import root_notes, text_notes
from leadline_tools.index.reading import reading
from leadline_tools.index.selection import select
from leadline_tools.model import Occurrence, Role, Tier
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.resolve.address import Target, resolvable, targets
from leadline_tools.resolve.parts import whole
from leadline_tools.resolve.references import References, by_line, occurrences, references
from leadline_tools.result import Call, Result, Size, Value
from leadline_tools.servers.opinion import second_opinion
from leadline_tools.tool import Detail, FolderPath, SymbolAddress, tool

_TIERS = list(Tier)

_MOST_OVERRIDING = 3
"""Overriding members that are named; ``find_implementations`` lists all."""


@tool
def find_references(
    index: Index,
    symbol: SymbolAddress,
    include_declaration: bool = True,
    path: FolderPath = ".",
    role: str = "",
    tier: Literal["exact", "likely", "name"] = "likely",
    detail: Detail = "auto",
) -> Result:
    """Find uses of a symbol in code, surest first.

    role: call, read, write, import, type, inherit, decorator. tier: the least sure shown.
    """
    found = whole(index, targets(index, symbol))
    least = Tier(tier)
    asked = _asked(path, include_declaration, role, least)
    if len(found) > 1:
        return candidates(index, symbol, found, "find_references", **asked)
    target = resolvable(found[0])
    roles = _roles(role)
    scope = _scope(index, path)
    elsewhere = root_notes(index, target.path, target.first.name)
    index = index.of(target.path)
    opinion = second_opinion(index, target, references(index, target, scope))
    uses = opinion.uses
    wanted = [
        one
        for one in uses.found
        if (include_declaration or one.use.role is not Role.Definition) and (not roles or one.use.role in roles)
    ]
    sure = [one for one in wanted if _TIERS.index(one.tier) <= _TIERS.index(least)]
    shown = by_line(occurrences(index, sure))
    unsure = len(wanted) - len(sure)
    partial = uses.unresolved.files > 0
    return Result(
        subject=target.qualified_name,
        noun="references",
        items=shown,
        at_least=partial or bool(uses.unread),
        partial=partial or opinion.pending,
        notes=(
            *_tiers(shown, unsure),
            *opinion.notes,
            *_overriding(uses),
            *_unread(uses),
            *_unresolved(uses),
            *elsewhere,
            *text_notes(index),
        ),
        calls=tuple(_next(index, target, shown, unsure, uses, {"symbol": symbol, **asked})),
        lean=detail == "lean",
        full=detail == "full",
    )


def _roles(role: str) -> frozenset[Role]:
    roles = set()
    for word in filter(None, (part.strip().lower() for part in role.split(","))):
        if word not in set(Role):
            raise BadArgument("role", f"{word!r} is no role", f"Roles: {', '.join(Role)}.")
        roles.add(Role(word))
    return frozenset(roles)


def _scope(index: Index, path: str) -> frozenset[str] | None:
    """Return the files that are asked about; None for all."""
    if path in ("", "."):
        return None
    return frozenset(select(index, path))


def _tiers(shown: Sequence[Occurrence], unsure: int) -> tuple[str, ...]:
    """Return the line that tells how sure the uses are, and how many are not shown for being too unsure."""
    counts = Counter(tier for use in shown for tier in (use.tier, *(use.tier for _ in use.again)))
    line = ", ".join(f"{tier} {counts[tier]:,}" for tier in Tier if counts[tier]) or "exact 0"
    if counts.total() > len(shown):
        line = f"{counts.total():,} uses on {len(shown):,} lines: {line}"
    if unsure:
        line += f'; by name only {unsure:,}, not counted (tier="name" lists them)'
    return (line,)


def _overriding(uses: References) -> tuple[str, ...]:
    """Return the line that tells of the members that override the symbol, which are no uses of it."""
    found = uses.overriding
    if not found:
        return ()
    told = ", ".join(f"{one.name} {one.path}:{one.line}" for one in found[:_MOST_OVERRIDING])
    more = f" and {len(found) - _MOST_OVERRIDING:,} more" if len(found) > _MOST_OVERRIDING else ""
    return (f"overridden, not counted: {told}{more}",)


def _unread(uses: References) -> tuple[str, ...]:
    if not uses.unread:
        return ()
    more = f" and {len(uses.unread) - 1:,} more" if len(uses.unread) > 1 else ""
    return (f"not parsed, so not looked into: {uses.unread[0]}{more}",)


def _unresolved(uses: References) -> tuple[str, ...]:
    left = uses.unresolved
    if not left.files:
        return ()
    often = ""
    if left.times is not None:
        often = f", {'once' if left.times == 1 else f'{left.times:,} times'} in {'code' if left.in_code else 'text'}"
    if left.files == 1:
        return (f"1 more file holds the name{often}, and is not resolved yet: ask again for more",)
    return (f"{left.files:,} more files hold the name{often}, and are not resolved yet: ask again for more",)


def _asked(path: str, include_declaration: bool, role: str, tier: Tier) -> dict[str, Value]:
    """Return the arguments of the question that a narrower one has to repeat, but for the symbol."""
    given: dict[str, Value] = {} if path in ("", ".") else {"path": path}
    if not include_declaration:
        given["include_declaration"] = False
    if role:
        given["role"] = role
    if tier is not Tier.Likely:
        given["tier"] = str(tier)
    return given


def _next(
    index: Index, target: Target, shown: Sequence[Occurrence], unsure: int, uses: References, asked: Mapping[str, Value]
) -> Iterator[Call]:
    """Yield the calls that tell more: the same again, the file that uses it most, what is known by name only."""
    if uses.unresolved.files:
        yield Call.of("find_references", Size(rows=len(shown) + (uses.unresolved.times or 0), width=40), **asked)
    by_file = Counter(use.path for use in shown if use.path != target.path)
    if by_file:
        path, count = by_file.most_common(1)[0]
        if len(by_file) > 1:
            narrower = Call.of("find_references", Size(rows=count, width=40), **{**asked, "path": path})
            yield replace(narrower, part=True)
        line = next(use.line for use in shown if use.path == path)
        yield reading(index, path, line - 5, 30)
    if uses.overriding:
        yield Call.of("find_implementations", Size(rows=2 * len(uses.overriding), width=40), symbol=asked["symbol"])
    if unsure:
        yield Call.of("find_references", Size(rows=unsure, width=30), **{**asked, "tier": str(Tier.Name)})
