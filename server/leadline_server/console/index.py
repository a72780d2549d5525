"""``leadline index``: builds the index before the first call."""

from __future__ import annotations

from pathlib import Path

import click

from leadline_server.config import Config
from leadline_server.console.command import Command
from leadline_server.console.options import CACHE, EXCLUDE, FACTS, SECRETS, cache_outside
from leadline_server.roots import ROOTS, Root, current_root
from leadline_server.sizes import Size


@click.command(cls=Command)
@ROOTS
@CACHE
@SECRETS
@EXCLUDE
@FACTS
@click.option("--no-facts", is_flag=True, help="Skip the facts, which take longer than the index itself.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_context
def index(
    context: click.Context,
    roots: tuple[Root, ...],
    cache_dir: Path | None,
    allow_secrets: tuple[str, ...],
    exclude: tuple[str, ...],
    facts_size: Size,
    no_facts: bool,
    as_json: bool,
) -> None:
    """Build or update the index and the facts now, one root after the other, and print a summary.

    The facts of a file are its scopes, bindings, imports and uses of names. Exit code 1: an index is incomplete, or
    cannot be saved.
    """
    from leadline_server.indexing import build_index

    done = True
    for root in roots or (current_root(),):
        config = Config(
            root.path,
            cache_outside(cache_dir, [root.path]),
            allow_secrets=allow_secrets,
            exclude=exclude,
            facts_size=facts_size,
            refs={"": root.ref} if root.ref else {},
        )
        indexed = build_index(config, facts=not no_facts)
        done = done and indexed.complete_and_kept
        click.echo(indexed.json() if as_json else indexed.text())
    context.exit(0 if done else 1)
