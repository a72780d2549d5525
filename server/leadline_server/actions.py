"""Next calls, ready to send, each with its price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline_estimators.fit import Limit, cost_of
from leadline_server.render import line
from leadline_tools.result import Call

MOST = 4
"""Calls that one answer offers."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A call that is worth making next, and what it would send at most, in tokens of the model."""

    call: Call
    price: int

    def line(self) -> str:
        """Return the line that offers the call."""
        return line(f"next: {self.call} ~{self.price:,} tokens")


def affordable(offers: Sequence[Offer], room: Limit) -> Iterator[str]:
    """Yield the lines of the best offers, as long as ``room`` pays for them."""
    for offer in offers[:MOST]:
        text = offer.line()
        cost = cost_of(text)
        if room.pays(cost):
            room = room.less(cost)
            yield text
