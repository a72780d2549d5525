"""The queue of repositories that are to be indexed, in PostgreSQL: who asks for one, and who works on it.

A repository waits once, however often it is asked for, and no two workers have the same one at a time. What somebody
asks for comes before what is only looked at every ten minutes, and lists come before both. A repository whose worker
died waits again after missed heartbeats. Jobs are no data: every repository is asked for again within minutes, so the
tables of a queue of another version are made again.

The queue is procrastinate's; this module is all that knows of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Final, NamedTuple

import procrastinate
import psycopg
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.exceptions import ConnectorException as QueueError
from procrastinate.jobs import Status

from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError, SchemaForeign, Unreachable
from leadline_tools.database.pool import DatabasePool, connected, error_of, parameters_of, translated_errors
from leadline_tools.database.session_settings import set_session, settings_statement

log = logging.getLogger("leadline.indexer")

SCHEMA: Final = "leadline_queue"
"""The schema that has the tables of the queue."""

_LOCK = 0x4C45_5155
"""The number of the advisory lock under which they are made: "LEQU" in ASCII."""

_MADE_BY = "procrastinate"
"""What the comment on the schema begins with; the version follows."""

_QUEUE = "index"
_REGULAR, _REQUESTED, _LISTS = 0, 1, 2
"""Priorities: of what is looked at regularly, of what somebody asks for, and of lists and collecting."""

_RAISE = """
update procrastinate_jobs set priority = greatest(priority, %(priority)s)
where queueing_lock = %(repository)s and status = 'todo'
"""
_NAME = "leadline index queue"
_ATTEMPTS = 5
_SILENT_SECONDS = 30.0
_CONNECTIONS = 4
_POLL_SECONDS = 5.0

_GRANT = """
do $$ declare role regrole; begin
    for role in select distinct grantee::regrole from pg_namespace, aclexplode(nspacl)
        where nspname = 'leadline' and grantee not in (0, nspowner)
    loop
        execute format('grant usage on schema leadline_queue to %s', role);
        execute format('grant select, insert, update, delete on all tables in schema leadline_queue to %s', role);
        execute format('grant usage on all sequences in schema leadline_queue to %s', role);
    end loop;
end $$"""
"""Lets the servers of a role of their own, which may use the tables of Leadline, queue what a webhook asks for."""

_COLLECTING = "17 * * * *"
_FAILED_HOURS = 24
"""When what nothing has is collected, and how long jobs that failed are kept."""

_EVERY_MINUTES = 10
"""How often every repository is asked for: a push without a webhook is found as late as that."""


_STATE = """
select count(*) filter (where status = 'todo'), count(*) filter (where status = 'doing'),
    count(*) filter (where status = 'failed'),
    coalesce(extract(epoch from now() - min(at) filter (where status = 'todo')), 0)::float,
    (select count(*) from leadline_queue.procrastinate_workers
        where last_heartbeat > now() - make_interval(secs => %s))
from leadline_queue.procrastinate_jobs job
left join leadline_queue.procrastinate_events event on event.job_id = job.id and event.type = 'deferred'
where task_name = 'index'
"""


class QueueState(NamedTuple):
    """What a queue is doing.

    Args:
        waiting: Repositories that wait.
        running: Those that are indexed now.
        failed: Jobs of the last day that failed, and were not repeated any more.
        oldest_seconds: For how long the first of those that wait has waited.
        indexers: Workers that have given a sign of life.

    """

    waiting: int
    running: int
    failed: int
    oldest_seconds: float
    indexers: int


class IndexQueue:
    """The queue in one database.

    Args:
        address: The database.
        pool: Connections to it, which its state is read over; without them a connection is opened each time.

    """

    def __init__(self, address: DatabaseAddress, pool: DatabasePool | None = None) -> None:
        self._address = address
        self._pool = pool
        self._parameters = parameters_of(address, _NAME)

    def prepare(self) -> bool:
        """Make the tables of the queue where there are none, or those of another version; return whether they were.

        Raises SchemaForeign for tables that nobody says are those of a queue, and DatabaseError.
        """
        made_by = f"{_MADE_BY} {version('procrastinate')}"
        with connected(self._address) as connection, connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
            found = connection.execute(
                "select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = %s", (SCHEMA,)
            ).fetchone()
            if found is not None and found[0] == made_by:
                connection.execute(_GRANT.encode())
                return False
            if found is not None and not str(found[0]).startswith(_MADE_BY):
                raise SchemaForeign("it does not say what made it", SCHEMA)
            connection.execute(f"drop schema if exists {SCHEMA} cascade".encode())
            connection.execute(f"create schema {SCHEMA}".encode())
            connection.execute(f"set local search_path = {SCHEMA}, public".encode())
            app = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())
            connection.execute(app.schema_manager.get_schema().encode())
            connection.execute(f"comment on schema {SCHEMA} is '{made_by}'".encode())
            connection.execute(_GRANT.encode())
        return True

    def request(self, repositories: Iterable[str]) -> int:
        """Ask for repositories by their names; return how many of them did not wait already. Raises DatabaseError."""
        wanted = [*repositories]
        connector = procrastinate.SyncPsycopgConnector(
            conninfo=self._parameters, configure=_configure, min_size=0, max_size=1, timeout=3.0
        )
        app = procrastinate.App(connector=connector)
        with _queue_errors(), app.open():
            return sum(_defer(app, connector, name) for name in wanted)

    def state(self) -> QueueState | None:
        """Return what waits and who works; None where that cannot be known, since there is no queue or no database."""
        try:
            with connected(self._address) if self._pool is None else self._pool.connection() as connection:
                row = connection.execute(_STATE, (_SILENT_SECONDS,)).fetchone()
        except DatabaseError:
            return None
        return None if row is None else QueueState(*row)

    def work(
        self,
        index: Callable[[str], object],
        list_repositories: Callable[[], Iterable[str]],
        collect: Callable[[], object] | None = None,
        *,
        forever: bool = True,
    ) -> None:
        """Index the repositories that wait, one after the other, until a signal ends this process.

        Args:
            index: Called with the name of a repository; one that fails is tried again later.
            list_repositories: Returns the names of all repositories, which are asked for at the start and every ten
                minutes.
            collect: Called once an hour, to delete what nothing has any more; None for never.
            forever: Whether to wait for more when nothing is left.

        Raises DatabaseError where the database cannot be used at the start.
        """
        connector = procrastinate.PsycopgConnector(
            conninfo=self._parameters,
            configure=_configure_async,
            min_size=1,
            max_size=_CONNECTIONS,
            timeout=_POLL_SECONDS,
        )
        app = procrastinate.App(connector=connector, periodic_defaults={"max_delay": _POLL_SECONDS})
        retry = procrastinate.RetryStrategy(max_attempts=_ATTEMPTS, exponential_wait=4)

        @app.task(name="index", queue=_QUEUE, retry=retry)
        def index_repository(repository: str) -> None:
            index(repository)

        if forever:
            _repeat(app, list_repositories)
        if forever and collect is not None:
            _repeat_collecting(app, collect)
        with _queue_errors():
            asyncio.run(_work(app, list_repositories, forever=forever))


async def _work(app: procrastinate.App, list_repositories: Callable[[], Iterable[str]], *, forever: bool) -> None:
    async with app.open_async():
        await _request_all(app, list_repositories)
        await app.run_worker_async(queues=[_QUEUE], wait=forever, delete_jobs="successful", concurrency=1)


async def _request_all(app: procrastinate.App, list_repositories: Callable[[], Iterable[str]]) -> None:
    """Ask for all repositories, those included that a dead worker had."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_SILENT_SECONDS):
        await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)
    for name in await asyncio.to_thread(lambda: [*list_repositories()]):
        await _defer_async(app, name)


def _repeat(app: procrastinate.App, list_repositories: Callable[[], Iterable[str]]) -> None:
    """Have the worker of an application ask for all repositories every some minutes."""

    @app.periodic(cron=f"*/{_EVERY_MINUTES} * * * *")
    @app.task(name="request", queue=_QUEUE, queueing_lock="request", priority=_LISTS, pass_context=True)
    async def request_all(context: procrastinate.JobContext, timestamp: int) -> None:  # noqa: ARG001  it has to be there
        await _request_all(context.app, list_repositories)


def _repeat_collecting(app: procrastinate.App, collect: Callable[[], object]) -> None:
    """Have one of the workers collect every hour, and forget jobs that failed long ago."""

    @app.periodic(cron=_COLLECTING)
    @app.task(name="collect", queue=_QUEUE, lock="collect", queueing_lock="collect", priority=_LISTS, pass_context=True)
    async def collect_unused(context: procrastinate.JobContext, timestamp: int) -> None:  # noqa: ARG001  as above
        await asyncio.to_thread(collect)
        await context.app.job_manager.delete_old_jobs(_FAILED_HOURS, include_failed=True, include_cancelled=True)


def _configure(connection: psycopg.Connection[Any]) -> None:
    """Make the settings of a connection of the queue."""
    set_session(connection, SCHEMA)
    connection.commit()


async def _configure_async(connection: psycopg.AsyncConnection[Any]) -> None:
    """Do the same on a connection of procrastinate's worker."""
    await connection.execute(*settings_statement(SCHEMA))
    await connection.commit()


def _job(app: procrastinate.App, repository: str, priority: int) -> Any:
    return app.configure_task("index", queue=_QUEUE, lock=repository, queueing_lock=repository, priority=priority)


def _defer(app: procrastinate.App, connector: procrastinate.SyncPsycopgConnector, repository: str) -> bool:
    """Queue a repository that somebody asks for; return whether it did not wait already."""
    try:
        _job(app, repository, _REQUESTED).defer(repository=repository)
    except AlreadyEnqueued:
        connector.execute_query(_RAISE, priority=_REQUESTED, repository=repository)
        return False
    return True


async def _defer_async(app: procrastinate.App, repository: str) -> None:
    try:
        await _job(app, repository, _REGULAR).defer_async(repository=repository)
    except AlreadyEnqueued:
        log.debug("%s waits already", repository)


@contextmanager
def _queue_errors() -> Iterator[None]:
    """Let errors of the queue pass as those of the database."""
    try:
        with translated_errors():
            yield
    except QueueError as error:
        cause = error.__cause__
        if isinstance(cause, psycopg.Error):
            raise error_of(cause) from error
        raise Unreachable from error
