"""The notes of an answer: the lines below its header, of which the account comes first where there is little room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leadline_estimators.truncation import Limit
from leadline_server.render import line
from leadline_tools.account import HEADING, OMITTED
from leadline_tools.result import Result


def completeness(result: Result) -> str:
    """Return what a header says where all items are shown: that they are all, or how many more may be items."""
    return f", {result.undecided:,} undecided" if result.undecided else ", complete"


def account_summary(result: Result) -> str:
    """Return the line that is the account in its short form; empty where an answer shows no account."""
    if result.account is None or not any(note.startswith(HEADING) for note in result.notes):
        return ""
    return line(result.account.summary)


def payable_notes(result: Result, room: Limit, *, short: bool) -> list[str]:
    """Return the lines of the notes that there is room for, in their order.

    The account is paid first, in its short form where its long one is too expensive. A ``short`` answer has only the
    account and what was not examined.
    """
    notes = [line(note) for note in result.notes if not short or note.startswith((HEADING, OMITTED))]
    account = next((note for note in notes if note.startswith(HEADING)), "")
    others = [note for note in notes if note != account]
    paid = next((form for form in (account, account_summary(result)) if form and room.pays(room.cost_of(form))), "")
    if paid:
        room = room.less(room.cost_of(paid))
        notes = [paid if note == account else note for note in notes]
    affordable_others = {*affordable(others, room)}
    return [note for note in notes if note == paid or note in affordable_others]


def affordable(lines: Iterable[str], room: Limit) -> Iterator[str]:
    """Yield the lines that there is room for."""
    for text in lines:
        cost = room.cost_of(text)
        if room.pays(cost):
            room = room.less(cost)
            yield text
