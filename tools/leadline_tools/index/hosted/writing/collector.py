"""The collector: it deletes what no ref has any more, in transactions that are short.

A blob that a repository has lost stays a day: a question that began before the ref moved may still read it. Then its
postings there go, and the blob itself once no repository holds it. A repository that a writer has is left for the next
time. A collector that is killed leaves an index that is complete, with something left to collect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import LiteralString, NamedTuple

from leadline_tools.database.pool import DatabasePool, unlimited
from leadline_tools.database.session_settings import Connection
from leadline_tools.index.hosted.writing.repository_teams import unrestricted
from leadline_tools.index.hosted.writing.repository_writer import lock_repository, unlock_repository

GRACE = timedelta(days=1)
"""How long what nothing has is kept."""

MOST_FACTS = 32 << 30
"""Bytes of facts that are kept."""

_BLOBS_AT_ONCE = 500
_WORDS_AT_ONCE = 2_000
_BLOBS_LOOKED_AT = 10_000
"""What one transaction deletes, and looks at, at most."""

_UNUSED: LiteralString = "select distinct repository from holder where unused_since < now() - %s order by repository"

_DROP_HOLDERS: LiteralString = """
with unused as (
    select blob from holder where repository = %s and unused_since < now() - %s and refs = 0 order by blob limit %s)
delete from holder using unused where holder.repository = %s and holder.blob = unused.blob"""

_LAST_WORD: LiteralString = """
select kind, word from (
    select kind, word from posting where repository = %s and (kind, word) > (%s::"char", %s)
    order by kind, word limit %s) as run
order by kind desc, word desc limit 1"""

_STALE: LiteralString = """
create temporary table stale on commit drop as
select kind, word, array_agg(blob order by blob) filter (where holder.blob is not null) as blobs
from posting cross join unnest(posting.blobs) as named(id)
left join holder on holder.repository = posting.repository and holder.blob = named.id
where posting.repository = %s and (kind, word) > (%s::"char", %s) and (kind, word) <= (%s::"char", %s)
group by kind, word having count(*) > count(holder.blob)"""

_DROP_POSTINGS: LiteralString = """
delete from posting using stale
where posting.repository = %s and posting.kind = stale.kind and posting.word = stale.word and stale.blobs is null"""

_SHORTEN_POSTINGS: LiteralString = """
update posting set blobs = stale.blobs from stale
where posting.repository = %s and posting.kind = stale.kind and posting.word = stale.word and stale.blobs is not null"""

_DROP_BLOBS: LiteralString = """
delete from blob where id > %s and id <= %s and created_at < now() - %s
and not exists (select from holder where holder.blob = blob.id)"""

_DROP_FACTS: LiteralString = """
with oldest as (select blob, octet_length(packed) as size from facts order by used, blob limit %s),
dropped as (delete from facts using oldest where facts.blob = oldest.blob)
select coalesce(sum(size), 0), count(*) from oldest"""

_DROP_REPOSITORIES: LiteralString = """
delete from repository where listed_at < now() - %s
and not exists (select from ref where ref.repository = repository.id)
and not exists (select from holder where holder.repository = repository.id) returning name"""


class Collected(NamedTuple):
    """What was deleted.

    Args:
        repositories: Repositories that no source lists, of which nothing was left.
        holders: Blobs that a repository had lost, counted for each repository.
        blobs: Blobs that no repository holds.
        facts: Facts that had to make room.

    """

    repositories: int
    holders: int
    blobs: int
    facts: int


class Collector:
    """Collects what nothing has; all methods raise DatabaseError.

    Args:
        pool: The connections, of a role that may write the index.
        grace: How long what nothing has is kept.
        most_facts: Bytes of facts that are kept.

    """

    def __init__(self, pool: DatabasePool, grace: timedelta = GRACE, most_facts: int = MOST_FACTS) -> None:
        self._pool = pool
        self._grace = grace
        self._most_facts = most_facts

    def note_listed(self, names: Collection[str]) -> Collection[str]:
        """Note which repositories all sources list; return those that were listed before and are not for a day.

        Repositories that no list ever had are not among them.
        """
        with unrestricted(self._pool) as connection:
            connection.execute("update repository set listed_at = now() where name = any(%s)", ([*names],))
            rows = connection.execute(
                "select name from repository where listed_at < now() - %s and not name = any(%s)"
                " and exists (select from ref where ref.repository = repository.id) order by name",
                (self._grace, [*names]),
            )
            return [name for (name,) in rows]

    def collect(self) -> Collected:
        """Delete what nothing has for a day, and the facts that were used longest ago where there are too many."""
        with unrestricted(self._pool) as connection, unlimited(connection):  # a large index is looked through
            lost = connection.execute(_UNUSED, (self._grace,)).fetchall()
            holders = sum(self._drop_holders(connection, repository) for (repository,) in lost)
            blobs = self._drop_blobs(connection)
            facts = self._drop_facts(connection)
            repositories = connection.execute(_DROP_REPOSITORIES, (self._grace,)).rowcount
        return Collected(repositories, holders, blobs, facts)

    def _drop_holders(self, connection: Connection, repository: int) -> int:
        """Delete what a repository has lost, and then its postings; return how many blobs that were."""
        dropped = 0
        with _locked(connection, repository) as locked:
            while locked:
                some = connection.execute(_DROP_HOLDERS, (repository, self._grace, _BLOBS_AT_ONCE, repository)).rowcount
                dropped += some
                if some < _BLOBS_AT_ONCE:
                    break
            if dropped:
                self._drop_postings(connection, repository)
        return dropped

    def _drop_postings(self, connection: Connection, repository: int) -> None:
        """Take the blobs that a repository does not hold out of its postings."""
        after = "", ""
        while True:
            last = connection.execute(_LAST_WORD, (repository, *after, _WORDS_AT_ONCE)).fetchone()
            if last is None:
                return
            with connection.transaction():
                connection.execute(_STALE, (repository, *after, *last))
                connection.execute(_DROP_POSTINGS, (repository,))
                connection.execute(_SHORTEN_POSTINGS, (repository,))
            after = str(last[0]), str(last[1])

    def _drop_blobs(self, connection: Connection) -> int:
        """Delete the blobs that no repository holds, with all that is known of them; return how many those were."""
        row = connection.execute("select coalesce(max(id), 0) from blob").fetchone()
        dropped = 0
        for first in range(0, int(row[0]) if row is not None else 0, _BLOBS_LOOKED_AT):
            dropped += connection.execute(_DROP_BLOBS, (first, first + _BLOBS_LOOKED_AT, self._grace)).rowcount
        return dropped

    def _drop_facts(self, connection: Connection) -> int:
        """Delete the facts that were used longest ago until there are not too many; return how many those were."""
        row = connection.execute("select coalesce(sum(octet_length(packed)), 0) from facts").fetchone()
        size, dropped = int(row[0]) if row is not None else 0, 0
        while size > self._most_facts:
            [(bytes_gone, some)] = connection.execute(_DROP_FACTS, (_BLOBS_AT_ONCE,)).fetchall()
            if not some:
                break
            size -= int(bytes_gone)
            dropped += int(some)
        return dropped


@contextmanager
def _locked(connection: Connection, repository: int) -> Iterator[bool]:
    """Keep writers out of a repository for the block; False where one is at work."""
    locked = lock_repository(connection, repository)
    try:
        yield locked
    finally:
        if locked and not connection.closed:
            unlock_repository(connection, repository)
