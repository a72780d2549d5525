"""The teams that may see repositories, as the indexer keeps them in the database: ``catalogue`` reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from leadline_tools.database.pool import DatabasePool
from leadline_tools.database.session_settings import Connection
from leadline_tools.index.hosted.catalogue import EVERYONE

Teams = Mapping[str, Collection[str]]
"""The teams that may see repositories, by the names of these."""


@contextmanager
def unrestricted(pool: DatabasePool) -> Iterator[Connection]:
    """Lend a connection for which row security hides nothing, if its role may write the index."""
    with pool.connection() as connection:
        connection.execute("set leadline.writes = on")
        try:
            yield connection
        finally:
            if not connection.closed:
                connection.execute("reset leadline.writes")


def set_teams(pool: DatabasePool, teams: Teams, *, hides_others: bool) -> None:
    """Set the teams that may see repositories, in one transaction; names that the database does not have are left out.

    With ``hides_others``, nobody may see a repository that is not among them. Raises DatabaseError.
    """
    with unrestricted(pool) as connection, connection.transaction():
        replace_teams(connection, teams)
        if hides_others:
            connection.execute(
                "delete from repository_team using repository where repository.id = repository_team.repository"
                " and not repository.name = any(%s)",
                ([*teams],),
            )


def replace_teams(connection: Connection, teams: Teams) -> None:
    """Have exactly these teams see repositories."""
    pairs = sorted({(name, team) for name, some in teams.items() for team in some})
    wanted = [name for name, _ in pairs], [team for _, team in pairs]
    connection.execute(
        "delete from repository_team using repository where repository.id = repository_team.repository"
        " and repository.name = any(%s) and not exists (select from unnest(%s::text[], %s::text[])"
        " as wanted(name, team) where wanted.name = repository.name and wanted.team = repository_team.team)",
        ([*teams], *wanted),
    )
    connection.execute(
        "insert into repository_team(repository, team) select repository.id, wanted.team"
        " from unnest(%s::text[], %s::text[]) as wanted(name, team) join repository using (name)"
        " on conflict do nothing",
        wanted,
    )


def admit_everyone(connection: Connection, repository: int) -> None:
    """Have everyone see a repository whose teams nobody has named, unless there is one that not everyone sees."""
    connection.execute(
        "insert into repository_team(repository, team) select %(id)s, %(everyone)s where not exists"
        " (select from repository where id <> %(id)s and not exists"
        " (select from repository_team where repository = repository.id and team = %(everyone)s))"
        " on conflict do nothing",
        {"id": repository, "everyone": EVERYONE},
    )
