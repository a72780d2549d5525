"""Corrections of prices: how much more or less than their price the offered calls have cost.

An answer names next calls with a price, which rests on sizes and on ratios that are sampled. When such a call is made,
the ledger notes both numbers. Their ratio, the median over many calls of a tool, corrects the next prices of that tool.
It is bounded, so that no odd series of calls makes prices absurd. It is looked up every ten minutes only, so that the
same question has the same answer in between. Nothing else depends on it: what is sent is counted, not estimated.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from statistics import median
from typing import TYPE_CHECKING

from leadline_tools.recently_used import RecentlyUsed
from leadline_tools.result import Call

if TYPE_CHECKING:
    from leadline_server.state import Ledger

LEAST_CALLS = 5
"""Calls of a tool below which nothing is learned from them."""

LARGEST = 4.0
"""The most that a price is multiplied or divided by."""

AGAIN_SECONDS = 600.0
"""Seconds after which the ledger is looked into again."""

_OFFERS = 2_000
"""Offers that are remembered; the oldest are forgotten first."""

_CLIENTS = 200
"""Clients whose corrections are kept; those of the one that called longest ago are looked up again."""

_Key = tuple[str, str, frozenset[tuple[str, object]]]


class Calibration:
    """Corrects prices of calls by what the ledger says of earlier ones.

    Args:
        ledger: Where offered prices and what came of them are noted.
        clock: The time in seconds, from any start.
        principal: Whose calls count; None for those of all clients.
    """

    def __init__(
        self, ledger: Ledger, clock: Callable[[], float] = time.monotonic, principal: str | None = None
    ) -> None:
        self._ledger = ledger
        self._clock = clock
        self._principal = principal
        self._own = RecentlyUsed[str, Calibration](_CLIENTS)
        self._lock = threading.Lock()
        self._factors: Mapping[str, float] = {}
        self._looked_up: float | None = None
        self._offers: OrderedDict[_Key, int] = OrderedDict()

    def of(self, principal: str) -> Calibration:
        """Return what corrects prices by the calls of one client alone, which others must not learn anything from."""
        with self._lock:
            own = self._own.get(principal) or Calibration(self._ledger, self._clock, principal)
            self._own.put(principal, own)
            return own

    def correct(self, tool: str, price: int) -> int:
        """Return the price of a call of a tool, corrected by what such calls turned out to cost."""
        return max(1, round(price * self._current_factors().get(tool, 1.0)))

    def note_offer(self, principal: str, call: Call, price: int) -> None:
        """Remember that a call was offered, at a price before its correction."""
        key = _key(principal, call.tool, dict(call.arguments))
        with self._lock:
            self._offers[key] = price
            self._offers.move_to_end(key)
            if len(self._offers) > _OFFERS:
                self._offers.popitem(last=False)

    def price_of(self, principal: str, tool: str, arguments: Mapping[str, object]) -> int:
        """Return the price at which a call was offered, before its correction; 0 where it was not offered."""
        with self._lock:
            return self._offers.get(_key(principal, tool, arguments), 0)

    def _current_factors(self) -> Mapping[str, float]:
        with self._lock:
            now = self._clock()
            if self._looked_up is None or now - self._looked_up >= AGAIN_SECONDS:
                self._factors = _factors(self._known_offers())
                self._looked_up = now
            return self._factors

    def _known_offers(self) -> Mapping[str, list[float]]:
        if self._principal is None:
            return self._ledger.offers()
        found: dict[str, list[float]] = {}
        for recorded in self._ledger.recent(self._principal):
            if recorded.entry.offered:
                found.setdefault(recorded.entry.tool, []).append(recorded.entry.came / recorded.entry.offered)
        return found


def _factors(offers: Mapping[str, list[float]]) -> Mapping[str, float]:
    """Return the median ratio of cost to offered price, by tool, within bounds."""
    return {
        tool: min(LARGEST, max(1 / LARGEST, median(ratios)))
        for tool, ratios in offers.items()
        if len(ratios) >= LEAST_CALLS
    }


def _key(principal: str, tool: str, arguments: Mapping[str, object]) -> _Key:
    return principal, tool, frozenset((name, str(value)) for name, value in arguments.items() if name != "max_tokens")
