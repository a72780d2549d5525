"""``leadline indexer``: puts repositories into the database from which servers answer."""

from __future__ import annotations

from pathlib import Path

import click

from leadline_server.console.command import Command
from leadline_server.console.options import CACHE, DATABASE, EXCLUDE, SECRETS, cache_folder
from leadline_tools.database.address import DatabaseAddress

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
@click.option("--once", is_flag=True, help="Index the sources as they are now, and end.")
@CACHE
@SECRETS
@EXCLUDE
def indexer(
    database: DatabaseAddress | None,
    sources: tuple[str, ...],
    once: bool,
    cache_dir: Path | None,
    allow_secrets: tuple[str, ...],
    exclude: tuple[str, ...],
) -> None:
    """Index refs of repositories in the database of leadline serve --hosted.

    Only what no repository has yet is parsed. A server answers from the last commit until the next one is complete.
    """
    if database is None:
        raise click.UsageError("Which database? Set LEADLINE_DATABASE or pass --database postgresql://...")
    if not sources:
        raise click.UsageError("Which repositories? Pass --source NAME=PATH_OR_URL[@REF], once for each.")
    if not once:
        raise click.UsageError("Pass --once: this command does not wait for pushes yet.")
    from leadline_server.repositories.indexing import SourceRef, repository_indexer
    from leadline_tools.index.text.secret_files import SecretPolicy

    try:
        wanted = [SourceRef.parse(source) for source in sources]
    except ValueError as error:
        raise click.UsageError(f"--source: {error}.") from None
    mirrors = cache_folder(cache_dir) / _MIRRORS
    with repository_indexer(database, mirrors, SecretPolicy(allow_secrets), exclude) as indexing:
        for source in wanted:
            for one in indexing.index(source):
                done = one.update
                what = f"{done.files:,} files, {done.parsed:,} parsed" if done.moved else "is indexed already"
                click.echo(f"{one.name} {one.ref} at {one.commit[:8]}: {what}")
