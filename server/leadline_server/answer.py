"""An *answer*: what it may cost, what is sent, and the price of all that it could show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leadline_estimators.estimate import EXACT_UP_TO, Estimate, estimate, sampled_lines
from leadline_estimators.tokenizer import Tokenizer, contract_line
from leadline_estimators.truncation import Form, Limit, Rows
from leadline_server.next_calls import Offer
from leadline_server.rows import ItemRows
from leadline_tools.index.files.file_list import FileList
from leadline_tools.index.packing.packed_outline import PackedOutline
from leadline_tools.model import Item
from leadline_tools.result import Result, Window
from leadline_tools.search_text.matches import TextMatches
from leadline_tools.search_text.ranking import BestFirst

_MEASURED = 10_000
"""Up to so many rows, their characters are added up: a sample that is scaled by characters errs less."""

_WIDTHS_SAMPLED = 128
"""Rows whose characters are counted to correct an approximate count of all rows."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What an answer may cost.

    Args:
        tokens: Tokens of the model, as the header names them.
        limit: The same in tokens as they are counted, and characters.
        usual: Tokens of the model that the next call may cost when it does not say: no call is priced higher.
        raised_from: What was asked for, where that was below the floor.

    """

    tokens: int
    limit: Limit
    usual: int
    raised_from: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent.

    Args:
        text: One block of contract lines.
        stored: True where the text needs the complete result to be kept under its URI.
        estimated: Tokens of the text as they are counted, from the costs of its lines.
        whole: Tokens of all items, counted in the same way.
        shown: The items that the text has lines of.
        offers: The next calls that the text names.
        seen: How many items of the outermost levels of nesting the text shows; 0 where it shows the first items.

    """

    text: str
    stored: bool
    estimated: int
    whole: Estimate
    shown: Sequence[Item] = ()
    offers: Sequence[Offer] = ()
    seen: int = 0


def best_first(result: Result) -> Sequence[Item]:
    """Return the items of a result that its window lets through, in the order in which texts show them.

    The pages of an answer go on in that order.
    """
    items = result.items
    if result.order and isinstance(items, TextMatches):
        items = items.ordered(BestFirst(result.order, len(items)))
    return _through(result.window, items)


def shown_items(result: Result) -> Sequence[Item]:
    """Return the items of a result that its window lets through, in their own order: that of the tree."""
    return _through(result.window, result.items)


def _through(window: Window, items: Sequence[Item]) -> Sequence[Item]:
    if not window.offset and not window.limit:
        return items
    return items[window.offset : window.offset + window.limit if window.limit else None]


_MOST_SHOWN = 200
"""Matches of which an answer may show so many: what they are made of is read together."""


def estimate_rows(rows: Rows, tokenizer: Tokenizer) -> Estimate:
    """Return the price of all rows in normal form, with their headings."""

    def text(row: int) -> str:
        heading = rows.heading(row)
        opens = heading and (row == 0 or rows.heading(row - 1) != heading)
        return (contract_line(heading) if opens else "") + rows.text(row, Form.Normal)

    if isinstance(rows, ItemRows) and isinstance(rows.items, TextMatches):
        rows.items.fetch([*range(min(len(rows), _MOST_SHOWN)), *sampled_lines(len(rows))])
    return estimate(len(rows), text, _count_characters(rows, text), tokenizer.count)


def _count_characters(rows: Rows, text: Callable[[int], str]) -> int | None:
    """Return the characters of all rows, or about how many they are; None where that is not needed or too expensive."""
    number = len(rows)
    if number <= EXACT_UP_TO:
        return None
    items = rows.items if isinstance(rows, ItemRows) else ()
    if isinstance(items, FileList) and number <= _MEASURED:
        return items.characters
    if isinstance(items, TextMatches):  # each is in a file that would have to be read
        return None
    outlined = items if isinstance(items, PackedOutline) else None
    if outlined is None:
        return sum(len(text(row)) for row in range(number)) if number <= _MEASURED else None
    some = range(0, number, max(1, number // _WIDTHS_SAMPLED))
    return round(outlined.whole_width * sum(len(text(row)) for row in some) / sum(map(outlined.width, some)))
