"""A *result*, what a tool returns: items, best first, what a reader needs to understand them, and sizes in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline_tools.account import Account
from leadline_tools.model import Item, Occurrence

Value = str | int | bool
"""What an argument of a call can be."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much text an answer would hold: bytes of a language, and ``rows`` rows of about ``width`` characters."""

    bytes: int = 0
    language: str = ""
    rows: int = 0
    width: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is worth making next: it would succeed as it stands.

    ``part`` is True where it asks for some of the same items again, which is worth nothing once all are shown in full.
    """

    tool: str
    arguments: tuple[tuple[str, Value], ...]
    size: Size = Size()
    part: bool = False

    @classmethod
    def of(cls, tool: str, size: Size = Size(), **arguments: Value) -> Call:
        """Return the call of ``tool`` with ``arguments``."""
        return cls(tool, tuple(arguments.items()), size)

    def __str__(self) -> str:
        """Return the call as a model would write it."""
        return f"{self.tool}({', '.join(f'{name}={_literal(value)}' for name, value in self.arguments)})"


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All items counted by something: exact counts in place of a list; each group has a name and a number of items."""

    by: str
    groups: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the items that was asked for: from ``offset``, at most ``limit`` (0: as many as the budget pays)."""

    offset: int = 0
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Continued:
    """The call that goes on behind what was shown.

    Args:
        call: The call that asks for the same items again.
        position: Its argument to which the number of items shown is added.
        count: Its argument that says how many items are wanted; empty for none.
        left: How many items there are from ``position`` on, so that ``count`` never asks for more.

    """

    call: Call
    position: str
    count: str = ""
    left: int = 0

    def behind(self, shown: int) -> Call:
        """Return the call that goes on behind the first ``shown`` items."""
        return Call(self.call.tool, tuple(self._moved(shown)), self.call.size)

    def _moved(self, shown: int) -> Iterator[tuple[str, Value]]:
        for name, value in self.call.arguments:
            if name == self.position and isinstance(value, int):
                yield name, value + shown
            elif name == self.count and isinstance(value, int):
                yield name, max(1, min(value, self.left - shown))
            else:
                yield name, value


@dataclass(frozen=True, slots=True)
class Aside:
    """Uses that are no items of an answer, shown behind them where the budget allows.

    Args:
        label: What they are: it stands before the path in the heading.
        uses: The first of them.
        total: How many there are.
        groups: All of them counted by folder.
        call: The call that lists them; None for none.
        lean: True where their lines of source say nothing, so that a text has the numbers of the lines alone.

    """

    label: str
    uses: tuple[Occurrence, ...]
    total: int
    groups: tuple[tuple[str, int], ...] = ()
    call: Call | None = None
    lean: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The complete answer to a question.

    Args:
        subject: What was asked about, as the header names it.
        noun: What the items are, in the plural.
        items: All items, best first.
        order: The places of the items that texts show first, best first; none where that is their own order. As JSON
            items are in their own order.
        at_least: True where there are more items than could be counted.
        partial: True where the same question is answered again: it may find more, or what the answer rests on (the
            program that looks for faults, a language server) is no part of the state of the tree.
        undecided: How many uses, types or members may be items and are not decided: no answer with any is complete.
        ranked: True where the items are the best of more that are not listed: such an answer is never complete.
        notes: Lines below the header.
        breakdowns: What is told in place of the items; where there are any, no item is listed unasked.
        calls: The calls worth making next, best first.
        window: The part of the items that was asked for.
        more: The call that goes on behind what is shown; None where ``read_result`` does.
        headline: What the header says in place of a count, where there are no items to count.
        span: How the header tells what is shown, with the places ``{first}``, ``{last}`` and ``{total}``.
        first: The number of the first item in the whole, where the items are a part of it.
        whole: How many items the whole has; 0: as many as there are items.
        lean: True where no documentation, snippets or context are wanted.
        full: True where they are wanted with every item.
        account: What the tokens are that spell the name in question; None for an answer that is not about one name.
        asides: Uses that are no items, each kind under its own heading.

    """

    subject: str
    noun: str
    items: Sequence[Item]
    order: tuple[int, ...] = ()
    at_least: bool = False
    partial: bool = False
    undecided: int = 0
    ranked: bool = False
    notes: tuple[str, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    calls: tuple[Call, ...] = ()
    window: Window = Window()
    more: Continued | None = None
    headline: str = ""
    span: str = ""
    first: int = 1
    whole: int = 0
    lean: bool = False
    full: bool = False
    account: Account | None = None
    asides: tuple[Aside, ...] = ()

    @property
    def complete(self) -> bool:
        """Return whether the items are all there are: the total is exact, and every token was examined and decided."""
        if self.at_least or self.ranked or self.undecided:
            return False
        return self.account is None or self.account.complete


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
