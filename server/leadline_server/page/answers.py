"""The *view* of an answer: the text that a model gets, its price, and the items of the complete result.

A person sees more than the text: every item, and which of them the text shows within its budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from leadline_server.answer import Answer, best_first
from leadline_server.call import Composed, Response, Session
from leadline_server.ledger import RecordedCall
from leadline_server.page.wire import View
from leadline_server.render_json import account_as_json, as_json
from leadline_tools.model import CallNode, Item, OutlineSymbol
from leadline_tools.result import Call, Result

MOST_ITEMS = 200
"""Items of one view; further ones are fetched when somebody wants to see them."""

_WHOLE_FILE = 1_000
"""The same for lines of a file, as many as one call reads."""


def response_view(session: Session, response: Response) -> View:
    """Return the view of a response; that of an error has its text alone."""
    if response.composed is None:
        return {"text": response.text, "error": response.is_error}
    return {**composed_view(session, response.composed), "text": response.text, "error": response.is_error}


def composed_view(session: Session, composed: Composed) -> View:
    """Return the view of an answer."""
    stored, answer = composed.stored, composed.answer
    result, config = stored.result, session.config
    account = None if result.account is None else account_as_json(result.account)
    return {
        "text": answer.text,
        "error": False,
        "uri": stored.uri,
        **call_view(stored.call),
        "subject": result.subject,
        "noun": result.noun,
        "headline": result.headline,
        "notes": result.notes,
        "counts": [[group.by, [*islice(group.groups, MOST_ITEMS)]] for group in result.breakdowns],
        "cut": answer.stored,
        "ranked": result.ranked,
        "at_least": result.at_least,
        "whole": result.whole or len(result.items),
        "account": account,
        "account_complete": result.account is None or result.account.complete,
        "price": composed.price,
        "whole_price": composed.whole_price,
        "budget": composed.budget,
        "least": session.least_tokens(result),
        "most": config.most_tokens(stored.call.tool),
        **items_view(session, result, answer, 0),
    }


def items_view(session: Session, result: Result, answer: Answer | None, offset: int) -> View:
    """Return the items of a result from ``offset`` on; ``kept`` says of each whether ``answer`` shows it."""
    items = best_first(result)
    most = _WHOLE_FILE if result.noun == "lines" else MOST_ITEMS
    part = items[offset : offset + most]
    kept = [] if answer is None else _kept(items, answer, offset, len(part))
    return {
        "total": len(items),
        "offset": offset,
        "items": [as_json(item, session.prices) for item in part],
        "kept": kept,
        "shown": answer.seen or len(answer.shown) if answer is not None else 0,
    }


def _kept(items: Sequence[Item], answer: Answer, offset: int, size: int) -> Sequence[bool]:
    """Return of ``size`` items from ``offset`` on whether an answer shows them: the first, or the outermost."""
    if not answer.seen:
        return [place < len(answer.shown) for place in range(offset, offset + size)]
    outermost = set(sorted(range(len(items)), key=lambda place: _depth(items[place]))[: answer.seen])
    return [place in outermost for place in range(offset, offset + size)]


def _depth(item: Item) -> int:
    return item.depth if isinstance(item, OutlineSymbol | CallNode) else 0


def call_view(call: Call) -> View:
    """Return a call: its tool, its arguments, and how a model would write it."""
    return {"tool": call.tool, "arguments": dict(call.arguments), "call": str(call)}


def ledger_view(session: Session, calls: Sequence[RecordedCall]) -> View:
    """Return calls, newest first: the question, what was sent, and what the complete answer would have cost more."""
    return {"calls": [_ledger_row(call) for call in reversed(calls)], "troubles": session.ledger.troubles}


def _ledger_row(recorded: RecordedCall) -> View:
    entry = recorded.entry
    question = {} if recorded.question is None else call_view(recorded.question)
    return {
        "number": recorded.number,
        "at": recorded.at,
        "client": entry.client,
        "error": entry.error,
        "sent": entry.charged,
        "saved": max(0, entry.came - entry.charged) if entry.whole > entry.sent else 0,
        "call": entry.tool,
        "tool": entry.tool,
        **question,
    }
