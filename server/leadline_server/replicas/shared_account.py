"""The account of the ledger that replicas share; see ``leadline_server.account``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from leadline_server.account import DAY, Account, account_of, group_of
from leadline_server.replicas.areas import areas
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import check
from leadline_tools.database.pool import connected, unlimited

_CALLS: Final = """
select call.tool, to_char(call.at at time zone %(zone)s, 'YYYY-MM-DD'), coalesce(session.model, 'unknown'),
    case when call.client = '' then 'console' else call.client end, session.price,
    count(*), sum(estimated), sum(sent), sum(whole), sum(abs(estimated - sent)),
    max(abs(estimated - sent)::double precision / greatest(sent, 1)), sum(files),
    sum(case when files > 0 then sent else 0 end), sum(charged), sum(error::integer)
from call left join session on call.session = session.id
where call.at >= to_timestamp(%(begin)s) and call.at < to_timestamp(%(end)s) group by 1, 2, 3, 4, 5
"""
_COUNTS: Final = """
with those as (select * from call where at >= to_timestamp(%(begin)s) and at < to_timestamp(%(end)s)),
listed as (select schema from session where schema is not null and id in (select session from those)),
offered as (select offered, came from those where offered > 0)
select (select count(*) from listed), (select coalesce(sum(schema), 0) from listed), (select count(*) from offered),
    (select coalesce(sum(offered), 0) from offered), (select coalesce(sum(came), 0) from offered),
    (select count(*) from call where at >= to_timestamp(%(end)s))
"""


def shared_account(address: DatabaseAddress, days: int, now: Callable[[], float] = time.time) -> Account:
    """Return what the last ``days`` days cost on all replicas; raises DatabaseError."""
    check(address, areas()[:1])
    asked = {"begin": now() - days * DAY, "end": now() + DAY, "zone": _zone()}
    with connected(address) as connection, unlimited(connection):
        groups = [group_of(row) for row in connection.execute(_CALLS, asked)]
        [counts] = connection.execute(_COUNTS, asked).fetchall()
    return account_of(days, groups, [int(one) for one in counts])


def _zone() -> str:
    """Return the offset of this place from UTC as PostgreSQL has it: days are those of where the account is read."""
    seconds = -time.localtime().tm_gmtoff  # POSIX counts westward
    sign, (hours, minutes) = "-" if seconds < 0 else "+", divmod(abs(seconds) // 60, 60)
    return f"UTC{sign}{hours:02}:{minutes:02}"
