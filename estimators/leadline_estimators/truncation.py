"""The largest, richest page of rows that a limit pays for.

Every row has up to three forms. If all rows fit in their leanest form, all are shown, and forms grow in rank order,
first to normal, then to full, up to the first that cannot be paid. Else the page is cut: the longest prefix in normal
form. So a complete lean page beats a partial rich one, and a larger limit never shows fewer rows.

All texts are contract lines (see ``tokenizer``), so a page costs the sum of its lines, to the token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, auto
from itertools import accumulate
from operator import ne
from typing import Protocol, runtime_checkable

from leadline_estimators.tokenizer import O200K, Tokenizer, clip, contract_line

CONTINUED = "also "
"""What precedes marks below a heading that is on the page already."""

CLIPPED = " [...]"
"""What replaces the rest of a row that is too large for any page."""

_SHORTEST_CLIP = 8
"""The fewest characters of a row that are still informative."""


class Form(IntEnum):
    """How much of a row is shown."""

    Lean = 0
    Normal = 1
    Full = 2


class Nesting(Enum):
    """How nested rows are cut where not all fit."""

    Run = auto()
    """Not otherwise than others: the longest prefix."""

    Levels = auto()
    """To the outermost levels that fit, where they are more rows than the prefix."""

    Breadth = auto()
    """To the outermost levels that fit, and as many rows of the next one as there is room for."""


class Rows(Protocol):
    """The rows of an answer, best first. Rows of one heading are adjacent."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        ...

    def heading(self, row: int) -> str:
        """Return the heading of the row; empty for none."""
        ...

    def text(self, row: int, form: Form) -> str:
        """Return the row as one or more contract lines."""
        ...

    def mark(self, row: int) -> str:
        """Return the leanest form of a row that shares its heading's line; empty if it has its own.

        It is a line number, or a word that begins with a blank and has no other.
        """
        ...

    def depth(self, row: int) -> int:
        """Return how deep the row is nested; 0 where nothing is."""
        ...


@runtime_checkable
class DetailOrder(Protocol):
    """Rows whose richer forms are not wanted in the order of the rows."""

    def detail(self, row: int) -> int:
        """Return how late a row gets a richer form; of equal numbers the first row comes first."""
        ...


@dataclass(frozen=True, slots=True)
class Limit:
    """What a page may cost: tokens, as a tokenizer counts them, and characters."""

    tokens: int
    characters: int
    tokenizer: Tokenizer = O200K

    def less(self, cost: Cost) -> Limit:
        """Return the rest after paying ``cost``; never below zero."""
        left = max(0, self.tokens - cost.tokens)
        return Limit(left, max(0, self.characters - cost.characters), self.tokenizer)

    def pays(self, cost: Cost) -> bool:
        """Return whether the limit pays for ``cost``."""
        return cost.tokens <= self.tokens and cost.characters <= self.characters

    def cost_of(self, text: str) -> Cost:
        """Return the cost of a text in its tokens."""
        return Cost(self.tokenizer.count(text), len(text))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a text costs."""

    tokens: int
    characters: int

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.characters + other.characters)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.tokens - other.tokens, self.characters - other.characters)


FREE = Cost(0, 0)


@dataclass(frozen=True, slots=True)
class Page:
    """A run of rows as text.

    Args:
        lines: The text, contract lines.
        shown: Rows of the run; the next page begins after them.
        complete: True where these are all rows.
        detailed: True where every row is shown in its richest form.
        cost: The sum of the costs of the lines.
        levels: Where the page is an overview, how many levels of nesting it shows; 0 where it is a run.
        seen: Rows that can be read on the page; more than ``shown`` in an overview, which is no run.
    """

    lines: tuple[str, ...]
    shown: int
    complete: bool
    detailed: bool
    cost: Cost
    levels: int = 0
    seen: int = 0


def fit(
    rows: Rows,
    limit: Limit,
    reserve: int,
    least: Form = Form.Lean,
    most: Form = Form.Full,
    *,
    nesting: Nesting = Nesting.Levels,
) -> Page:
    """Return the best page of ``rows``.

    Args:
        rows: What is to be shown.
        limit: What the page may cost.
        reserve: Tokens that a page that is cut leaves for the count of what it leaves out.
        least: The leanest form wanted.
        most: The richest form wanted.
        nesting: How nested rows are cut.
    """
    whole = complete(rows, limit, least, most)
    return cut(rows, limit, reserve, least, most, nesting=nesting) if whole is None else whole


def complete(rows: Rows, limit: Limit, least: Form = Form.Lean, most: Form = Form.Full) -> Page | None:
    """Return the best page of all ``rows``; None where the limit does not pay for all in their leanest form."""
    lean = _prefix_cost(rows, least, limit)
    return _grow(rows, lean, limit, least, most) if len(lean) > len(rows) else None


def pays_all(rows: Rows, limit: Limit, form: Form) -> bool:
    """Return whether the limit pays for all rows in one form."""
    return len(_prefix_cost(rows, form, limit)) > len(rows)


def cut(
    rows: Rows,
    limit: Limit,
    reserve: int,
    least: Form = Form.Lean,
    most: Form = Form.Full,
    *,
    nesting: Nesting = Nesting.Levels,
) -> Page:
    """Return the best page of ``rows`` that cannot all be paid; see ``fit``."""
    room = replace(limit, tokens=max(0, limit.tokens - reserve))
    page = _longest_prefix(rows, room, min(max(Form.Normal, least), most))
    if nesting is Nesting.Run:
        return page
    if nesting is Nesting.Breadth:
        return _fit_breadth(rows, room, least, most) or page
    return _overview(rows, room, page, least, most) or page


def _row_cost(rows: Rows, row: int, form: Form, opens: bool, tokenizer: Tokenizer) -> Cost:
    """Return what a row adds to a page; ``opens`` says that its heading is not on the page yet."""
    heading, mark = rows.heading(row), rows.mark(row) if form is Form.Lean else ""
    if mark:
        below = "" if opens or rows.mark(row - 1) else _lead(CONTINUED.rstrip(), mark, "")
        head = _lead(heading, mark) if opens else below
        tokens = (tokenizer.count_line(head) if head else 0) + _mark_tokens(mark, tokenizer)
        return Cost(tokens, len(head) + len(mark) + 1)
    text = rows.text(row, form)
    own = Cost(tokenizer.count(text), len(text))
    return own + _heading_cost(heading, tokenizer) if opens and heading else own


def _lead(heading: str, mark: str, separator: str = ":") -> str:
    """Return what precedes the first mark on its line; a word brings its own blank."""
    return f"{heading}{separator}" + ("" if mark.startswith(" ") else " ")


def _mark_tokens(mark: str, tokenizer: Tokenizer) -> int:
    """Return the tokens of a mark with the comma or the line end behind it.

    A word is counted with either, and the larger number taken: signs at its end may be one token with what follows.
    """
    if not mark.startswith(" "):
        return tokenizer.count_line(mark) + 1
    return max(tokenizer.count_line(f"{mark},"), tokenizer.count_line(f"{mark}\n"))


def _heading_cost(heading: str, tokenizer: Tokenizer) -> Cost:
    line = contract_line(heading)
    return Cost(tokenizer.count_line(line), len(line))


def _opens_heading(rows: Rows, row: int) -> bool:
    return row == 0 or rows.heading(row) != rows.heading(row - 1)


def _prefix_cost(rows: Rows, form: Form, limit: Limit) -> list[Cost]:
    """Return the costs of the first 0, 1, 2 ... rows in one form, as far as the limit pays."""
    costs = [FREE]
    above = None
    for row in range(len(rows)):
        heading = rows.heading(row)
        cost = costs[-1] + _row_cost(rows, row, form, heading != above, limit.tokenizer)
        if not limit.pays(cost):
            break
        costs.append(cost)
        above = heading
    return costs


def _grow(rows: Rows, costs: list[Cost], limit: Limit, least: Form, most: Form) -> Page:
    """Let the forms of a complete page, whose rows cost ``costs`` in their leanest form, grow in rank order."""
    total = len(rows)
    order = sorted(range(total), key=rows.detail) if isinstance(rows, DetailOrder) else range(total)
    if any(map(ne, order, range(total))):
        return _grow_in(order, rows, limit, least, most)
    poor, rich, grown = least, least, total
    for form in Form:
        if not least < form <= most:
            continue
        whole = _prefix_cost(rows, form, limit)
        # A row may cost less in a richer form: one at a time would then stop short of what can be paid together.
        richer = whole if len(whole) > total else _mixed_costs(rows, form, rich, costs, limit)
        poor, rich, grown = rich, form, len(richer) - 1
        if grown < total:
            break
        costs = richer
    lines = tuple(_lines(rows, total, lambda row: rich if row < grown else poor))
    return Page(lines, total, True, rich is most and grown == total, limit.cost_of("".join(lines)), 0, total)


def _grow_in(order: Sequence[int], rows: Rows, limit: Limit, least: Form, most: Form) -> Page:
    """Let the forms of a complete page grow in an order of its own; its lines are counted as they would be sent."""
    total = len(rows)
    forms = [least] * total
    grown = total

    def page(form: Form, number: int) -> tuple[str, ...]:
        grown_forms = list(forms)
        for row in order[:number]:
            grown_forms[row] = form
        return tuple(_lines(rows, total, grown_forms.__getitem__))

    lines = page(least, 0)
    for form in Form:
        if not least < form <= most or grown < total:
            continue
        low, high = 0, total
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if limit.pays(limit.cost_of("".join(page(form, middle)))) else (low, middle - 1)
        grown, lines = low, page(form, low)
        for row in order[:low]:
            forms[row] = form
    return Page(lines, total, True, grown == total and forms[-1] is most, limit.cost_of("".join(lines)), 0, total)


def _mixed_costs(rows: Rows, rich: Form, poor: Form, poor_costs: list[Cost], limit: Limit) -> list[Cost]:
    """Return the costs of the first 0, 1, 2 ... rows in the richer form, while the rest can be paid in the poorer."""
    total = len(rows)
    costs = [FREE]
    for row in range(total):
        cost = costs[-1] + _row_cost(rows, row, rich, _opens_heading(rows, row), limit.tokenizer)
        rest = poor_costs[total] - poor_costs[row + 1] + _seam(rows, row + 1, poor, limit.tokenizer)
        if not limit.pays(cost + rest):
            break
        costs.append(cost)
    return costs


def _seam(rows: Rows, row: int, poor: Form, tokenizer: Tokenizer) -> Cost:
    """Return what it adds when the rows before ``row`` are rich: marks need a line of their own below the heading."""
    if (
        row >= len(rows)
        or _opens_heading(rows, row)
        or poor is not Form.Lean
        or not (rows.mark(row) and rows.mark(row - 1))
    ):
        return FREE
    return Cost(tokenizer.count_line(CONTINUED), len(CONTINUED))


def _lines(rows: Rows, number: int, form_of: Callable[[int], Form]) -> Iterator[str]:
    """Yield the lines of a page of the first rows, each in its form."""
    marks: list[str] = []
    for row in range(number):
        form = form_of(row)
        opens = _opens_heading(rows, row)
        mark = rows.mark(row) if form is Form.Lean else ""
        if marks and (opens or not mark):
            yield ",".join(marks) + "\n"
            marks = []
        if mark:
            lead = _lead(rows.heading(row), mark) if opens else _lead(CONTINUED.rstrip(), mark, "")
            marks.append(mark if marks else lead + mark)
            continue
        if opens and rows.heading(row):
            yield contract_line(rows.heading(row))
        yield rows.text(row, form)
    if marks:
        yield ",".join(marks) + "\n"


def _longest_prefix(rows: Rows, limit: Limit, form: Form) -> Page:
    """Return the longest prefix in one form; a first row that is too large is clipped, so that pages advance."""
    costs = _prefix_cost(rows, form, limit)
    shown = len(costs) - 1
    lines = tuple(_lines(rows, shown, lambda _row: form))
    if shown == 0 and len(rows):
        lines = _clip_first_row(rows, limit)
        shown = 1 if lines else 0
    return Page(lines, shown, False, False, limit.cost_of("".join(lines)), 0, shown)


def _clip_first_row(rows: Rows, limit: Limit) -> tuple[str, ...]:
    """Return the beginning of the first row below its heading; without that, where there is no room for both."""
    first = rows.text(0, Form.Normal).partition("\n")[0]
    for heading in dict.fromkeys((contract_line(rows.heading(0)) if rows.heading(0) else "", "")):
        left = limit.less(limit.cost_of(heading) + limit.cost_of(CLIPPED + "\n"))
        text = clip(first[: left.characters], left.tokens, limit.tokenizer.count).rstrip()
        if len(text) >= min(len(first), _SHORTEST_CLIP):
            line = contract_line(text + CLIPPED)
            return (heading, line) if heading else (line,)
    return ()


def _overview(rows: Rows, limit: Limit, run: Page, least: Form, most: Form) -> Page | None:
    """Return the outermost levels of nested rows, where they show more than the run does."""
    most = max(least, min(Form.Normal, most))
    depths = [rows.depth(row) for row in range(len(rows))]
    for depth in range(max(depths, default=0), 0, -1):
        shallow = _Levels(rows, [row for row, deep in enumerate(depths) if deep < depth])
        if len(shallow) <= run.shown:
            return None
        costs = _prefix_cost(shallow, least, limit)
        if len(costs) > len(shallow):
            page = _grow(shallow, costs, limit, least, most)
            return Page(page.lines, 0, False, False, page.cost, depth, len(shallow))
    return None


def _fit_breadth(rows: Rows, limit: Limit, least: Form, most: Form) -> Page | None:
    """Return as many rows as can be paid, outermost first; None where none is nested or none can be paid."""
    outermost = sorted(range(len(rows)), key=lambda row: (rows.depth(row), row))
    if not outermost or not rows.depth(outermost[-1]):
        return None
    most = max(least, min(Form.Normal, most))
    number = _count_payable(rows, outermost, limit, least)
    if not number:
        return None
    chosen = _Levels(rows, sorted(outermost[:number]))
    page = _grow(chosen, _prefix_cost(chosen, least, limit), limit, least, most)
    return Page(page.lines, 0, False, False, page.cost, rows.depth(outermost[number - 1]) + 1, number)


def _count_payable(rows: Rows, outermost: list[int], limit: Limit, least: Form) -> int:
    """Return how many of the outermost rows can be paid, in the order in which they will stand.

    Rows of one heading may be of several levels: in that order each heading is paid once.
    """
    low, high = 0, len(outermost)
    while low < high:
        middle = (low + high + 1) // 2
        if pays_all(_Levels(rows, sorted(outermost[:middle])), limit, least):
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(frozen=True, slots=True)
class _Levels:
    """Some of the rows of an answer."""

    rows: Rows
    chosen: list[int]

    def __len__(self) -> int:
        return len(self.chosen)

    def heading(self, row: int) -> str:
        return self.rows.heading(self.chosen[row])

    def text(self, row: int, form: Form) -> str:
        return self.rows.text(self.chosen[row], form)

    def mark(self, row: int) -> str:
        return self.rows.mark(self.chosen[row])

    def depth(self, row: int) -> int:
        return self.rows.depth(self.chosen[row])

    def detail(self, row: int) -> int:
        return self.rows.detail(self.chosen[row]) if isinstance(self.rows, DetailOrder) else 0


def total_costs(rows: Rows, form: Form, tokenizer: Tokenizer = O200K) -> list[Cost]:
    """Return the running costs of all rows in one form: for tests and for small answers."""
    costs = (_row_cost(rows, row, form, _opens_heading(rows, row), tokenizer) for row in range(len(rows)))
    return list(accumulate(costs, initial=FREE))
