"""Next calls, ready to send, each with its price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_estimators.fit import Cost, cost_of
from leadline_server.prices import Prices
from leadline_server.render import line
from leadline_tools.result import Call

MOST = 4
"""Calls that one answer offers."""


def action_line(call: Call, price: int) -> str:
    """Return the line that offers a call."""
    return line(f"next: {call} ~{price:,} tokens")


def affordable(calls: Sequence[Call], prices: Prices, most: int, room: Cost) -> Iterator[str]:
    """Yield the lines of the best calls, as long as ``room`` pays for them.

    Args:
        calls: Best first.
        prices: What they cost.
        most: The most that one of them would be sent, in tokens of the model.
        room: What the lines may cost.

    """
    for call in calls[:MOST]:
        text = action_line(call, prices.call(call, most))
        cost = cost_of(text)
        if cost.tokens > room.tokens or cost.characters > room.characters:
            continue
        room = room - cost
        yield text
