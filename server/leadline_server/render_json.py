"""The rendering of items as JSON: the objects that the documentation names, compact, one item a line."""

from __future__ import annotations

import json
from functools import singledispatch
from typing import Any

from leadline_server.outgoing import printable_json
from leadline_server.prices import Prices
from leadline_server.render import tokens_to_read
from leadline_tools.account import Account
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
    SourceLine,
    Symbol,
    TextMatch,
    Tier,
    Undecided,
)


def compact(value: object) -> str:
    """Return JSON without blanks; what is not ASCII stays, what cannot be sent is escaped."""
    return printable_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


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
    return {**_fields(item, *_SYMBOL), **_tier(item.tier), **_about(item.about)}


@as_json.register
def _(item: OutlineSymbol, _prices: Prices) -> dict[str, Any]:
    return _fields(item.symbol, *_SYMBOL)


@as_json.register
def _(item: Member, _prices: Prices) -> dict[str, Any]:
    return {**_fields(item.symbol, *_SYMBOL), "inherited_from": item.inherited_from}


@as_json.register
def _(item: RankedSymbol, _prices: Prices) -> dict[str, Any]:
    reason = {"reason": item.reason} if item.reason else {}
    return {**_fields(item.symbol, *_SYMBOL), "rank": item.rank, **reason}


@as_json.register
def _(item: MapPart, _prices: Prices) -> dict[str, Any]:
    mark = {"mark": item.mark} if item.mark else {}
    text = {"text": item.text} if item.text else {}
    return {**_fields(item, "folders", "files", "bytes"), **mark, **text}


@as_json.register
def _(item: CodeMatch, _prices: Prices) -> dict[str, Any]:
    words = {"words": [match.word for match in item.words]}
    where = {match.word: match.fields for match in item.words if match.fields}
    matches = {"matches": where} if where else {}
    mark = {"mark": item.mark} if item.mark else {}
    beside = [_fields(other, "name", "qualified_name", "kind", "line", "end_line") for other in item.beside]
    also = {"beside": beside} if beside else {}
    return {**_fields(item.symbol, *_SYMBOL), **words, **matches, **mark, "score": item.score, **also}


@as_json.register
def _(item: CallNode, _prices: Prices) -> dict[str, Any]:
    symbol = _fields(item.symbol, "name", "qualified_name", "path", "line", "column")
    stop = {"stop": item.stop} if item.stop is not None else {}
    return {**symbol, **_fields(item, "depth", "parent", "sites", "tier"), **stop, **_about(item.about)}


@as_json.register
def _(item: Occurrence, _prices: Prices) -> dict[str, Any]:
    known = _fields(item, *_PLACE, "role", "tier", "reason", "text", "container")
    again = {"again": item.again} if item.again else {}
    declared = {"receiver": _fields(item.receiver, "path", "line", "text")} if item.receiver is not None else {}
    return {**known, **again, **declared, **_about(item.about)}


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
    return {**_fields(item, "path", "line", "text"), **_tier(item.tier), **_about(item.about)}


@as_json.register
def _(item: FileEntry, prices: Prices) -> dict[str, Any]:
    return {
        **_fields(item, "path", "bytes", "lines", "language"),
        "tokens": prices.reading_cost(item.bytes, item.language),
    }


@as_json.register
def _(item: FileCount, prices: Prices) -> dict[str, Any]:
    return {**_fields(item, "group", "files", "lines", "bytes"), "tokens": tokens_to_read(item, prices)}


def _tier(tier: Tier) -> dict[str, Any]:
    """Return the tier of what is not certainly meant."""
    return {} if tier is Tier.Exact else {"tier": tier}


def account_as_json(account: Account) -> dict[str, Any]:
    """Return the account of an answer as a JSON object; what was not examined by reason."""
    left: dict[str, int] = {}
    for omitted in account.not_examined:
        left[omitted.reason] = left.get(omitted.reason, 0) + omitted.tokens
    counts = _fields(account, "exact", "likely", "other", "undecided", "text")
    uncounted = {"uncounted_files": account.uncounted} if account.uncounted else {}
    binary = {"binary_files": account.binary} if account.binary else {}
    others = {"other_symbols": dict(account.other_symbols)} if account.other_symbols else {}
    return {**counts, "not_examined": left, "aliased": account.aliased, **uncounted, **binary, **others}
