"""The console: ``leadline`` and its commands, each a file of ``console``."""

from __future__ import annotations

import click

from leadline_server import __version__
from leadline_server.console.call import call
from leadline_server.console.index import index
from leadline_server.console.serve import serve


@click.group(invoke_without_command=True)
@click.version_option(__version__, prog_name="leadline")
@click.pass_context
def main(context: click.Context) -> None:
    """Navigate a code base of any size, and know what every answer costs before it is sent."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (serve, call, index):
    main.add_command(command)


if __name__ == "__main__":
    main()
