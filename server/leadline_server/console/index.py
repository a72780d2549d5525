"""``leadline index``: the index, built before it is asked."""

from __future__ import annotations

from pathlib import Path

import click

from leadline_server.config import Config
from leadline_server.console.options import CACHE, ROOT, SECRETS, cache_folder, root_folder


@click.command()
@ROOT
@CACHE
@SECRETS
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_context
def index(
    context: click.Context, root: Path | None, cache_dir: Path | None, allow_secrets: tuple[str, ...], as_json: bool
) -> None:
    """Build or update the index now, and say what is in it.

    Exit code 1: the index is not complete.
    """
    from leadline_server.indexing import build_index

    indexed = build_index(Config(root_folder(root), cache_folder(cache_dir), allow_secrets=allow_secrets))
    click.echo(indexed.json() if as_json else indexed.text())
    context.exit(0 if indexed.coverage.complete else 1)
