"""``leadline completion``: what a shell needs to complete the command line."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from leadline_server.console.command import Command
from leadline_server.console.words import SHELLS

VARIABLE = "_LEADLINE_COMPLETE"
"""The variable by which a shell asks; click makes it from the name of the command."""


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that makes SHELL (bash, zsh or fish) complete commands, tools, arguments and their values.

    bash: add eval "$(leadline completion bash)" to ~/.bashrc. zsh: add eval "$(leadline completion zsh)" to ~/.zshrc.
    fish: run leadline completion fish > ~/.config/fish/completions/leadline.fish.
    """
    group = context.find_root().command
    made = get_completion_class(shell)
    if made is None:
        raise click.ClickException(f"The installed version of click cannot complete {shell}: update click.")
    click.echo(made(group, {}, "leadline", VARIABLE).source())
