"""The configuration file as the defaults of all commands."""

from __future__ import annotations

from pathlib import Path

import click

from leadline_server import settings
from leadline_server.console.serve import serve

CONFIG = click.option(
    "--config",
    envvar="LEADLINE_CONFIG",
    type=click.Path(path_type=Path),
    default=None,
    help="The configuration file; leadline.toml in your configuration folder unless named.",
)

_NEEDS_IT_RIGHT = {"call", "index", "stats"}
"""The commands that end where something in the file is wrong. The server goes on: a model that waits for an answer
cannot mend the file. Others have no use for it."""


def configure(context: click.Context, config: Path | None) -> None:
    """Make what the file says the defaults of the commands of ``context``; exit code 2: something in it is wrong."""
    options = [option for option in serve.params if isinstance(option, click.Option)]
    found = settings.read(config or settings.usual_path(), options)
    commands = context.command.commands if isinstance(context.command, click.Group) else {}
    context.obj = found
    context.default_map = settings.defaults(found, commands)
    for problem in found.problems:
        click.echo(f"leadline: {problem}", err=True)
    if found.problems and context.invoked_subcommand in _NEEDS_IT_RIGHT:
        context.exit(2)
