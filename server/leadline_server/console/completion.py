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
    """Print the script with which SHELL (bash, zsh or fish) completes commands, tools, arguments and their values.

    bash: eval "$(leadline completion bash)" in ~/.bashrc. zsh: the same with zsh in ~/.zshrc. fish: leadline completion
    fish > ~/.config/fish/completions/leadline.fish.
    """
    group = context.find_root().command
    made = get_completion_class(shell)
    if made is None:
        raise click.ClickException(f"click completes nothing for {shell}: update click")
    click.echo(made(group, {}, "leadline", VARIABLE).source())
