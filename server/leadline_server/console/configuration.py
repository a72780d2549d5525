"""The configuration file as the defaults of all commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from leadline_server import settings

CONFIG = click.option(
    "--config",
    envvar="LEADLINE_CONFIG",
    type=click.Path(path_type=Path),
    default=None,
    help="The configuration file (default: leadline.toml in your configuration folder).",
)

_CONFIGURED = {"resident": "call"}
"""The command whose options another one reads, by the name of that one."""

_NEEDS_IT_RIGHT = {"call", "index", "stats", "resident"}
"""The commands that fail where something in the file is wrong. The server continues: a model that waits for an answer
cannot fix the file. Other commands do not use it."""


def configure(context: click.Context, config: Path | None) -> None:
    """Make what the file says the defaults of the command under ``context``; exit code 2: something in it is wrong."""
    found = settings.read(config or settings.usual_path(), _options(), named=config is not None)
    name = _CONFIGURED.get(context.invoked_subcommand or "serve", context.invoked_subcommand or "serve")
    command = context.command.get_command(context, name) if isinstance(context.command, click.Group) else None
    context.obj = found
    context.default_map = settings.defaults(found, {name: command} if command is not None else {})
    for problem in found.problems:
        click.echo(f"leadline: {problem}", err=True)
    if found.problems and context.invoked_subcommand in _NEEDS_IT_RIGHT:
        context.exit(2)


def _options() -> Iterator[click.Option]:
    """Yield the options that the file may hold; nothing is imported for them before the first is wanted."""
    from leadline_server.console.serve import serve

    yield from (option for option in serve.params if isinstance(option, click.Option))
