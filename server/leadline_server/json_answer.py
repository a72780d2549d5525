"""An answer as one JSON object, from a result and a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leadline_estimators.truncation import Cost, Form, Limit, fit
from leadline_server.answer import Answer, Budget, estimate_rows, shown_items
from leadline_server.prices import Prices
from leadline_server.render_json import account_as_json, as_json, compact
from leadline_server.rows import JsonRows
from leadline_tools.result import Aside, Call, Result

_END = "}\n"
"""What a JSON answer ends with."""

_JOINTS = Cost(6, 6)
"""The brackets and line ends around the items."""


@dataclass(frozen=True, slots=True)
class JsonComposer:
    """Composes one answer as JSON; see ``Composer``."""

    result: Result
    uri: str
    budget: Budget
    prices: Prices

    @property
    def _limit(self) -> Limit:
        return self.budget.limit

    def answer(self, call: Call) -> Answer:
        """Return the answer as one JSON object, an item a line; ``call`` is the one that was asked first."""
        items = shown_items(self.result)
        rows = JsonRows(items, self.prices)
        frame = self._frame(call, len(items), complete=False)
        page = fit(rows, self._limit.less(self._limit.cost_of(frame) + _JOINTS), 0)
        shown = max(1, page.shown) if items else 0
        while shown > 1 and not self._limit.pays(self._limit.cost_of(self._page(call, rows, shown))):
            shown -= 1
        text = self._page(call, rows, shown)
        if items and not self._limit.pays(self._limit.cost_of(text)):
            text = self._clipped_page(call, rows)
        if not self._limit.pays(self._limit.cost_of(text)):
            text = self._minimal_page()
        elif shown == len(self.result.items) and not self.result.window.offset:
            text = self._with_asides(text)
        return Answer(
            text, True, self._limit.tokenizer.count(text), estimate_rows(rows, self._limit.tokenizer), items[:shown]
        )

    def _minimal_page(self) -> str:
        """Return the least that a page can be: where the result is and how many items it has."""
        items, offset = self.result.items, self.result.window.offset
        head = {"uri": self.uri, "complete": not items and self.result.complete, "total": len(items)}
        return compact({**head, "offset": offset, "returned": 0, "items": []}) + "\n"

    def _page(self, call: Call, rows: JsonRows, shown: int) -> str:
        body = "".join(rows.text(row, Form.Normal) for row in range(shown)).removesuffix(",\n")
        end = self.result.window.offset + shown
        frame = self._frame(call, shown, complete=end >= len(self.result.items))
        return f"{frame}\n{body}\n]}}\n" if body else f"{frame}]}}\n"

    def _with_asides(self, text: str) -> str:
        """Return a JSON answer with what is shown beside its items, as far as there is room."""
        asides = self.result.asides
        listed: list[list[str]] = [[] for _ in asides]
        counted = _join_asides(text, asides, listed)
        if not asides or not self._limit.pays(self._limit.cost_of(counted)):
            return text
        room = self._limit.less(self._limit.cost_of(counted) + _JOINTS)
        for aside, objects in zip(asides, listed, strict=True):
            for use in aside.uses:
                shown = compact(as_json(use, self.prices))
                cost = self._limit.cost_of(f"{shown},\n")
                if not room.pays(cost):
                    break
                room = room.less(cost)
                objects.append(shown)
        whole = _join_asides(text, asides, listed)
        return whole if self._limit.pays(self._limit.cost_of(whole)) else counted

    def _clipped_page(self, call: Call, rows: JsonRows) -> str:
        """Return a page of one item that is too large for it: its texts and lists are cut, and it is marked."""
        longest = max(map(_size_of, as_json(rows.items[0], self.prices).values()), default=0)
        low, high = 0, min(longest, self._limit.characters)
        while low < high:
            middle = (low + high + 1) // 2
            if self._limit.pays(self._limit.cost_of(self._page(call, rows.clip(middle), 1))):
                low = middle
            else:
                high = middle - 1
        return self._page(call, rows.clip(low), 1)

    def _frame(self, call: Call, returned: int, *, complete: bool) -> str:
        """Return the object up to its items.

        A page that lacks items names the URI of the next one. A page with all items that were found in time has a flag
        that the same question, asked again, finds more.
        """
        offset = self.result.window.offset
        further: dict[str, object] = {} if complete else {"next": f"{self.uri}?offset={offset + returned}"}
        if complete and self.result.partial and not self.result.complete:
            further = {"ask_again": True}
        if self.result.ranked:
            further = {**further, "best_of_more": True}
        account = self.result.account
        whole = {"complete": complete and self.result.complete}
        head = {"uri": self.uri, "tool": call.tool, "arguments": dict(call.arguments), **whole, **further}
        counts = {} if account is None else {"account": account_as_json(account)}
        tail = {"total": len(self.result.items), **self._extra_counts(), **counts}
        # Texts show such items best first, and count their offsets in that order.
        tail = {**tail, "order": "path"} if self.result.order else tail
        tail = {**tail, "offset": offset, "returned": returned, "items": []}
        return compact({**head, **tail}).removesuffix("]}")

    def _extra_counts(self) -> dict[str, object]:
        """Return the total where it is more than the stored items, or a lower bound, and what is not decided."""
        whole = self.result.whole or len(self.result.items)
        beyond: dict[str, object] = {"counted": whole} if whole > len(self.result.items) else {}
        undecided: dict[str, object] = {"undecided": self.result.undecided} if self.result.undecided else {}
        return {**beyond, **undecided, "at_least": True} if self.result.at_least else {**beyond, **undecided}


def _join_asides(text: str, asides: Sequence[Aside], listed: Sequence[Sequence[str]]) -> str:
    """Return a JSON object with what is beside its items: of each kind how many there are, and some as objects."""
    parts = []
    for aside, objects in zip(asides, listed, strict=True):
        some = "\n".join(("[", ",\n".join(objects), "]")) if objects else "[]"
        parts.append(f'{compact(aside.label.replace(" ", "_"))}:{{"total":{aside.total},"items":{some}}}')
    return f'{text.removesuffix(_END)},"besides":{{{",".join(parts)}}}}}\n'


def _size_of(value: object) -> int:
    return len(value) if isinstance(value, str | tuple) else 0
