"""The account of the last days: what calls cost, what they saved, and against which alternative; from the ledger.

It reports two alternatives, since each answers a different question, and neither is a guess:

* *complete answers*: every item in the same form, as the tool would send it if it had no budget;
* *files read whole*: the files that the lines sent are in, each once a call, by their bytes and the tokens per byte of
  their language. Calls without lines of files, such as lists, are left out on both sides.

Tokens are as they were counted for the model: o200k's, or those of a model of Claude's tokenizer. Sums over several
models add up both; the groups by model do not.

It also reports what a model pays for the list of tools, once for each session of a client.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import apsw

from leadline_server.ledger import Spending
from leadline_server.ledger_file import migrate

DAY = 24 * 3600

_CALLS = """
select call.tool, coalesce(date(call.at, 'unixepoch', 'localtime'), 'unknown'), coalesce(session.model, 'unknown'),
    case when call.client = '' then 'console' else call.client end, session.price,
    count(*), sum(estimated), sum(sent), sum(whole), sum(abs(estimated - sent)),
    max(abs(estimated - sent) * 1.0 / max(sent, 1)), sum(files), sum(iif(files > 0, sent, 0)), sum(charged), sum(error)
from call left join session on call.session = session.id
where call.at >= ? and call.at < ? group by 1, 2, 3, 4, 5
"""
_SESSIONS = """
select count(*), coalesce(sum(schema), 0) from session
where schema is not null and id in (select session from call where at >= ? and at < ?)
"""
_OFFERS = """
select count(*), coalesce(sum(offered), 0), coalesce(sum(came), 0) from call where at >= ? and at < ? and offered > 0
"""
_ODD = "select count(*) from call where at >= ?"


@dataclass(frozen=True, slots=True)
class Account:
    """The calls of some days.

    Args:
        days: How many days were asked for, today included.
        total: All calls together.
        by_tool: The calls by tool, what was sent most first.
        by_day: By day (``2026-11-22``, of the place where it is read), earliest first.
        by_model: By model, what was sent most first.
        by_client: By client, as they call themselves.
        sessions: Sessions in which a client was sent the list of tools.
        listed: O200k tokens of those lists.
        dollars: What the answers cost to be read once, in the calls whose model has a known price.
        unpriced: Calls whose model has none.
        offers: Calls that an answer had offered with a price.
        quoted: The sum of those prices, in tokens of the model.
        actual: What the calls then cost, or would have cost without a limit.
        odd: Calls that are dated later than tomorrow, and left out: a clock was wrong.

    """

    days: int
    total: Spending
    by_tool: tuple[Spending, ...] = ()
    by_day: tuple[Spending, ...] = ()
    by_model: tuple[Spending, ...] = ()
    by_client: tuple[Spending, ...] = ()
    sessions: int = 0
    listed: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    offers: int = 0
    quoted: int = 0
    actual: int = 0
    odd: int = 0

    @property
    def saved(self) -> int:
        """Return the tokens saved compared with complete answers, the lists of tools not subtracted."""
        return self.total.whole - self.total.sent

    @property
    def saved_reading(self) -> int:
        """Return the tokens saved compared with reading files whole, the lists of tools not subtracted."""
        return self.total.files - self.total.instead


@dataclass(frozen=True, slots=True)
class Group:
    """The calls of a tool on a day by a client for a model."""

    tool: str
    day: str
    model: str
    client: str
    price: float | None
    spending: Spending


def account(path: Path, days: int, now: Callable[[], float] = time.time) -> Account:
    """Return what the last ``days`` days cost; nothing where there is no ledger yet.

    Raises apsw.Error for a file that cannot be read.
    """
    if not path.exists():
        return Account(days, Spending("all"))
    end = now() + DAY
    begin = now() - days * DAY
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.set_busy_timeout(1_000)
        with connection:
            migrate(connection)
        groups = [group_of(row) for row in connection.execute(_CALLS, (begin, end))]
        ((sessions, listed),) = connection.execute(_SESSIONS, (begin, end)).fetchall()
        ((offers, quoted, actual),) = connection.execute(_OFFERS, (begin, end)).fetchall()
        ((odd,),) = connection.execute(_ODD, (end,)).fetchall()
    counts = ((sessions, listed), (offers, quoted, actual), (odd,))
    return account_of(days, groups, [int(str(one)) for each in counts for one in each])


def account_of(days: int, groups: Sequence[Group], counts: Sequence[int]) -> Account:
    """Return the account of groups of calls.

    ``counts`` are sessions, their lists, calls that were offered, their prices, what they cost, and calls of a later
    day.
    """
    sessions, listed, offers, quoted, actual, odd = counts
    return Account(
        days,
        reduce(Spending.with_, (group.spending for group in groups), Spending("all")),
        by_tool=_sum_by(groups, lambda group: group.tool),
        by_day=tuple(sorted(_sum_by(groups, lambda group: group.day), key=lambda spending: spending.name)),
        by_model=_sum_by(groups, lambda group: group.model),
        by_client=_sum_by(groups, lambda group: group.client),
        sessions=sessions,
        listed=listed,
        dollars=sum(group.spending.charged * group.price / 1e6 for group in groups if group.price is not None),
        unpriced=sum(group.spending.calls for group in groups if group.price is None),
        offers=offers,
        quoted=quoted,
        actual=actual,
        odd=odd,
    )


def group_of(row: Sequence[object]) -> Group:
    """Return the group that a row of the ledger is."""
    tool, day, model, client = (str(value) for value in row[:4])
    price = None if row[4] is None else float(str(row[4]))
    calls, estimated, sent, whole, off = (int(str(value)) for value in row[5:10])
    files, instead, charged, errors = (int(str(value)) for value in row[11:15])
    worst = float(str(row[10]))
    spending = Spending(tool, calls, estimated, sent, whole, off, worst, files, instead, charged, errors)
    return Group(tool, day, model, client, price, spending)


def _sum_by(groups: Iterable[Group], name: Callable[[Group], str]) -> tuple[Spending, ...]:
    """Return the groups added up by something, what was sent most first."""
    found: dict[str, Spending] = {}
    for group in groups:
        key = name(group)
        found[key] = found.get(key, Spending(key)).with_(group.spending)
    return tuple(sorted(found.values(), key=lambda spending: -spending.sent))
