"""``leadline install``: the server, put into the configuration of a client."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from leadline_server.clients.client import Client, Machine, Scope
from leadline_server.clients.known import CLIENTS
from leadline_server.console.command import Command
from leadline_server.roots import Root, current_root, root_option


@click.command(cls=Command)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@root_option("The folder that the server navigates (default: the one open in the client).", None)
@click.option(
    "--model", default="", help="The model whose tokens are counted (default: the family that the client uses)."
)
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.User.value,
    show_default=True,
    help="Change your own configuration, or that of the project in the current folder.",
)
@click.option("--dry-run", is_flag=True, help="Show the change without writing it.")
@click.option("--remove", is_flag=True, help="Remove the server from the configuration.")
@click.option("--yes", is_flag=True, help="Write without asking.")
def install(
    client: str, roots: tuple[Root, ...], model: str, scope: str, dry_run: bool, remove: bool, yes: bool
) -> None:
    """Add the server to the configuration of CLIENT, or remove it.

    CLIENT is claude-code, claude-desktop, vscode, cursor, codex or gemini. Shows the change first, and keeps a backup
    of the file in its folder. Comments and all other servers stay as they are. Exit code 1: nothing was written,
    because the file cannot be read or written, or because you answered no.
    """
    from leadline_server.clients.configuration import add_server, remove_server

    chosen, where = CLIENTS[client], Scope(scope)
    if where not in chosen.scopes:
        raise click.UsageError(f"{chosen.title} has no project configuration: omit --scope.")
    path = chosen.file(where, Machine.here(), Path.cwd())
    if remove:
        change = remove_server(chosen, path)
    else:
        from leadline_server.clients.command import server_command

        change = add_server(chosen, path, server_command(chosen, where, _roots(chosen, roots), model))
    if not change.needed:
        click.echo(f"{path} needs no change.")
        return
    _show(change.diff())
    if dry_run:
        click.echo("Nothing was written (--dry-run).")
        return
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(
                "Standard input is not a terminal: pass --yes to write without asking, or --dry-run."
            )
        click.confirm(f"Write {path}?", abort=True)
    backup = change.write()
    click.echo(f"Wrote {path}{f'; the previous version is {backup}' if backup else ''}.")
    click.echo(f"Restart {chosen.title}." if remove else f"{chosen.then}.")


def _roots(client: Client, roots: Sequence[Root]) -> list[str]:
    """Return the values of ``--root`` as they hold from any folder; none for the folder that is open in the client."""
    return [str(root) for root in roots or ((current_root(),) if client.folderless else ())]


def _show(diff: str) -> None:
    """Print a diff, in colour on a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.splitlines():
        head = line.startswith(("+++", "---"))
        click.secho(line, fg=None if head else colours.get(line[:1]), bold=head)
