"""``leadline install``: the server, put into the configuration of a client."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from leadline_server.clients.client import Client, Machine, Scope
from leadline_server.clients.known import CLIENTS
from leadline_server.console.command import Command
from leadline_server.roots import Root, current, root_option


@click.command(cls=Command)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@root_option("The folder that the server navigates; the one open in the client unless named.", None)
@click.option("--model", default="", help="The model whose tokens are counted; the client's own family unless named.")
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.User.value,
    show_default=True,
    help="The configuration of the user, or that of the project in the current folder.",
)
@click.option("--dry-run", is_flag=True, help="Show the change and write nothing.")
@click.option("--remove", is_flag=True, help="Take the server out again.")
@click.option("--yes", is_flag=True, help="Do not ask before writing.")
def install(
    client: str, roots: tuple[Root, ...], model: str, scope: str, dry_run: bool, remove: bool, yes: bool
) -> None:
    """Put the server into the configuration of CLIENT, or take it out.

    CLIENT is claude-code, claude-desktop, vscode, cursor, codex or gemini. The change is shown first; the file is
    backed up beside itself. Comments and all other servers stay as they are. Exit code 1: nothing was written, because
    the file cannot be read or written, or because you said no.
    """
    from leadline_server.clients.configuration import added, removed

    chosen, where = CLIENTS[client], Scope(scope)
    if where not in chosen.scopes:
        raise click.UsageError(f"{chosen.title} has no configuration for a project: leave --scope out")
    path = chosen.file(where, Machine.here(), Path.cwd())
    if remove:
        change = removed(chosen, path)
    else:
        from leadline_server.clients.command import serving

        change = added(chosen, path, serving(chosen, where, _roots(chosen, roots), model))
    if not change.needed:
        click.echo(f"{path} needs no change.")
        return
    _show(change.diff())
    if dry_run:
        click.echo("Nothing was written (--dry-run).")
        return
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("nobody can be asked here: say --yes to write, or --dry-run to look")
        click.confirm(f"Write {path}?", abort=True)
    backup = change.write()
    click.echo(f"Wrote {path}{f'; what it was is in {backup.name}' if backup else ''}.")
    click.echo(f"{chosen.then}.")


def _roots(client: Client, roots: Sequence[Root]) -> list[str]:
    """Return the values of ``--root`` as they hold from any folder; none for the folder that is open in the client."""
    return [str(root) for root in roots or ((current(),) if client.folderless else ())]


def _show(diff: str) -> None:
    """Print a diff, in colour on a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.splitlines():
        head = line.startswith(("+++", "---"))
        click.secho(line, fg=None if head else colours.get(line[:1]), bold=head)
