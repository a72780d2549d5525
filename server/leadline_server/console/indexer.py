"""``leadline indexer``: puts repositories into the database from which servers answer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leadline_server.console.command import Command
from leadline_server.console.options import CACHE, DATABASE, EXCLUDE, SECRETS, cache_folder, log_level
from leadline_server.logs import configure
from leadline_server.outgoing import terminal_text
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError
from leadline_tools.errors import LeadlineError

if TYPE_CHECKING:
    from leadline_server.repositories.indexing import IndexedRef
    from leadline_server.repositories.indexing_service import IndexingService

_MIRRORS = "mirrors"


@click.command(cls=Command)
@DATABASE
@click.option(
    "--source",
    "sources",
    metavar="NAME=PATH_OR_URL[@REF]",
    multiple=True,
    help="A repository by the name that its paths begin with; @REF is a branch, tag or commit. Repeatable.",
)
@click.option(
    "--sources",
    "file",
    envvar="LEADLINE_SOURCES",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A TOML file of repositories and of owners on code hosts; without --once, their pushes are followed.",
)
@click.option("--once", is_flag=True, help="Index the sources as they are now, and end.")
@CACHE
@SECRETS
@EXCLUDE
@log_level("Level of the log on standard error.")
def indexer(
    database: DatabaseAddress | None,
    sources: tuple[str, ...],
    file: Path | None,
    once: bool,
    cache_dir: Path | None,
    allow_secrets: tuple[str, ...],
    exclude: tuple[str, ...],
    log_level: str,
) -> None:
    """Index refs of repositories in the database of leadline serve --hosted.

    Only what no repository has yet is parsed. A server answers from the last commit until the next one is complete.
    With --sources, every repository is looked at every ten minutes, and at once after a webhook. Several can run at
    once. Exit code 1: a repository could not be indexed.
    """
    configure(log_level, "text")
    if database is None:
        raise click.UsageError("Which database? Set LEADLINE_DATABASE or pass --database postgresql://...")
    if bool(sources) == (file is not None):
        raise click.UsageError("Which repositories? Pass --sources FILE, or --source NAME=PATH_OR_URL[@REF] for each.")
    if sources and not once:
        raise click.UsageError("Pass --once: only the repositories of --sources FILE are followed.")
    from leadline_server.repositories.indexing import SourceRef, repository_indexer
    from leadline_server.repositories.indexing_service import IndexingService
    from leadline_server.repositories.sources import Sources, load_sources
    from leadline_tools.index.text.secret_files import SecretPolicy

    try:
        wanted = [SourceRef.parse(source) for source in sources]
    except ValueError as error:
        raise click.UsageError(f"--source: {error}.") from None
    listed = load_sources(file) if file is not None else Sources()
    mirrors = cache_folder(cache_dir) / _MIRRORS
    with repository_indexer(database, mirrors, SecretPolicy(allow_secrets), exclude) as indexing:
        for source in wanted:
            _report(indexing.index(source))
        service = IndexingService(listed, indexing)
        if not once:
            _follow(database, service)
            return
        failed = [name for name in service.repositories() if not _index(service, name)]
        if file is not None:
            service.collect()
        else:
            indexing.collect()
        if failed:
            raise click.exceptions.Exit(1)


def _follow(database: DatabaseAddress, service: IndexingService) -> None:
    """Index repositories as they are requested, until a signal ends this process."""
    from leadline_server.repositories.index_queue import IndexQueue

    queue = IndexQueue(database)
    queue.prepare()
    queue.work(lambda name: _report(service.index(name)), service.repositories, service.collect)


def _index(service: IndexingService, name: str) -> bool:
    """Index a repository; return whether that succeeded. What is wrong with one costs the others nothing."""
    from leadline_tools.index.hosted.writing.repository_writer import RefTaken

    try:
        if not _report(service.index(name)):
            click.echo(f"{name}: nothing to index: none of its branches and tags is wanted, or it has none")
    except LeadlineError as error:
        if isinstance(error, DatabaseError) and not isinstance(error, RefTaken):
            raise
        click.echo(terminal_text(f"{error} {error.hint}".strip()), err=True)
        return False
    return True


def _report(indexed: Iterable[IndexedRef]) -> int:
    """Print a line for each ref once it is indexed; return how many there were."""
    reported = 0
    for one in indexed:
        done = one.update
        what = f"{done.files:,} files, {done.parsed:,} parsed" if done.moved else "is indexed already"
        click.echo(terminal_text(f"{one.name} {one.ref} at {one.commit[:8]}: {what}"))
        reported += 1
    return reported
