"""``leadline install``: the server, put into the configuration of a client; or the skill, into that of an agent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from leadline_server.clients import permissions
from leadline_server.clients.client import Client, Machine, Scope
from leadline_server.clients.configuration import Change
from leadline_server.clients.known import CLIENTS
from leadline_server.console.command import Command
from leadline_server.console.words import model_words
from leadline_server.roots import Root, current_root, root_option

SKILL = "skill"
"""What is installed for agents without MCP, in the place of a client."""


def _names(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    return [CompletionItem(name) for name in (*CLIENTS, SKILL) if name.startswith(typed)]


@click.command(cls=Command)
@click.argument("client", required=False, metavar="[CLIENT]", shell_complete=_names)
@root_option("The folder that the server navigates (default: the one open in the client).", None)
@click.option(
    "--model",
    default="",
    shell_complete=model_words,
    help="The model whose tokens are counted (default: the family that the client uses).",
)
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.User.value,
    show_default=True,
    help="Change your own configuration, or that of the project in the current folder.",
)
@click.option("--print", "printed", is_flag=True, help="Print what to paste, and change no file.")
@click.option("--dry-run", is_flag=True, help="Show the change without writing it.")
@click.option(
    "--allow-tools", "allowed", is_flag=True, help="Claude Code: also allow the tools without asking each time."
)
@click.option("--remove", is_flag=True, help="Remove the server from the configuration.")
@click.option("--yes", is_flag=True, help="Write without asking.")
def install(
    client: str | None,
    roots: tuple[Root, ...],
    model: str,
    scope: str,
    printed: bool,
    dry_run: bool,
    allowed: bool,
    remove: bool,
    yes: bool,
) -> None:
    """Add the server to the configuration of CLIENT, or remove it.

    CLIENT is claude-code, claude-desktop, vscode, copilot, cursor, codex, gemini, antigravity, windsurf, zed, junie,
    jetbrains, opencode, cline or goose; or skill, which teaches an agent to use leadline call. Without it, lists the
    clients on this machine, and on a terminal asks which to configure. Shows the change first, and keeps a backup of
    the file in its folder. Comments and all other servers stay as they are. Exit code 1: nothing was written, because
    the file cannot be read or written, or because you answered no.
    """
    where = Scope(scope)
    _warn_about(model)
    if allowed and client != permissions.CLIENT:
        raise click.UsageError(
            f"--allow-tools is for {permissions.CLIENT}; other clients ask, and remember the answer."
        )
    names = _choose(yes) if client is None else [_known(client)]
    for name in names:
        if name == SKILL:
            _install_skill(where, printed=printed, dry_run=dry_run, remove=remove, yes=yes)
        elif printed:
            _print(CLIENTS[name], where, roots, model)
        else:
            _install(CLIENTS[name], where, roots, model, dry_run=dry_run, remove=remove, yes=yes)
    if allowed and not (printed or remove):
        path = permissions.permission_path(where, Machine.here(), Path.cwd())
        _apply(permissions.allow_tools(path), dry_run=dry_run, yes=yes)


def _known(name: str) -> str:
    """Return the name of a client; raises BadParameter with those that were probably meant."""
    from leadline_tools.likeness import nearest

    known = [*CLIENTS, SKILL]
    if name in known:
        return name
    begun = [other for other in known if other.startswith(f"{name}-")]
    near = nearest(name, known)
    meant = f"Did you mean {' or '.join(begun or [near or ''])}? " if begun or near else ""
    raise click.BadParameter(
        f"{name!r} is not known. {meant}Clients: {', '.join(known)}. For another one, paste what --print of a client"
        " like it prints.",
        param_hint="CLIENT",
    )


def _warn_about(model: str) -> None:
    from leadline_server.model_name import model_problem

    if model and (problem := model_problem(model)):
        click.echo(f"leadline: {problem}", err=True)


def _choose(yes: bool) -> Sequence[str]:
    """Return the clients to configure: those on this machine that the user chooses, or all of them with ``--yes``."""
    machine = Machine.here()
    found = [client for client in CLIENTS.values() if client.scopes and client.is_here(machine)]
    if not found:
        click.echo("No client was found on this machine. Name one: leadline install CLIENT")
        click.echo(f"Clients: {', '.join(CLIENTS)}.")
        return ()
    click.echo("Clients on this machine:")
    for number, client in enumerate(found, 1):
        click.echo(f"  {number}  {client.title} (leadline install {client.name})")
    if yes:
        return [client.name for client in found]
    if not sys.stdin.isatty():
        click.echo("Run leadline install CLIENT for one of them, or leadline install --yes for all.")
        return ()
    answer = click.prompt("Configure which? Numbers, or all", default="all")
    if answer.strip() == "all":
        return [client.name for client in found]
    numbers = [word for word in answer.replace(",", " ").split() if word.isdecimal()]
    return [found[int(number) - 1].name for number in numbers if 0 < int(number) <= len(found)]


def _install(
    client: Client,
    scope: Scope,
    roots: Sequence[Root],
    model: str,
    *,
    dry_run: bool,
    remove: bool,
    yes: bool,
) -> None:
    from leadline_server.clients.command import server_command
    from leadline_server.clients.configuration import add_server, remove_server

    if not client.scopes:
        raise click.UsageError(
            f"{client.title} has no file that can be edited: run leadline install {client.name} --print."
        )
    if scope not in client.scopes:
        raise click.UsageError(f"{client.title} has no project configuration: omit --scope.")
    path = client.file(scope, Machine.here(), Path.cwd())
    if remove:
        change = remove_server(client, path)
    else:
        change = add_server(client, path, server_command(client, scope, _roots(client, roots), model))
    if not _apply(change, dry_run=dry_run, yes=yes):
        return
    click.echo(f"Restart {client.title}." if remove else f"{client.title}: {client.then}.")
    if not (remove or model or client.model):
        click.echo(
            f"{client.title} runs models of several makers, so tokens are counted as those of the most expensive one."
            f" If you use one family, run leadline install {client.name} --model claude (or openai, gemini)."
        )


def _print(client: Client, scope: Scope, roots: Sequence[Root], model: str) -> None:
    """Print an entry to paste; on the error stream, where it belongs and what does the same."""
    from leadline_server.clients.command import server_command
    from leadline_server.clients.links import install_link, one_liner, snippet

    command = server_command(client, scope, _roots(client, roots), model)
    if client.scopes:
        click.echo(f"{client.title}: {client.file(scope, Machine.here(), Path.cwd())}", err=True)
    click.echo(snippet(client, command))
    if line := one_liner(client, command):
        click.echo(f"The same as a command: {line}", err=True)
    if link := install_link(client, command):
        click.echo(f"The same as a link: {link}", err=True)
    click.echo(f"{client.then}.", err=True)


def _install_skill(scope: Scope, *, printed: bool, dry_run: bool, remove: bool, yes: bool) -> None:
    from leadline_server.clients.skill import add_skill, skill_path, skill_text

    if printed:
        click.echo(skill_text(), nl=False)
        return
    path = skill_path(scope, Machine.here(), Path.cwd())
    change = add_skill(path)
    if remove:
        if change.before is None:
            click.echo(f"{path} needs no change.")
        elif not dry_run:
            _confirm(path, yes, "Delete")
            path.unlink()
            click.echo(f"Deleted {path}.")
        return
    if _apply(change, dry_run=dry_run, yes=yes):
        click.echo("Start a new session. For agents that look elsewhere, such as .agents/skills, use --print.")


def _apply(change: Change, *, dry_run: bool, yes: bool) -> bool:
    """Show a change and write it, if the user agrees; return whether it was written."""
    if not change.needed:
        click.echo(f"{change.path} needs no change.")
        return False
    _show(change.diff())
    if dry_run:
        click.echo("Nothing was written (--dry-run).")
        return False
    _confirm(change.path, yes)
    backup = change.write()
    click.echo(f"Wrote {change.path}{f'; the previous version is {backup}' if backup else ''}.")
    return True


def _confirm(path: Path, yes: bool, verb: str = "Write") -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("Standard input is not a terminal: pass --yes to write without asking, or --dry-run.")
    click.confirm(f"{verb} {path}?", abort=True)


def _roots(client: Client, roots: Sequence[Root]) -> list[str]:
    """Return the values of ``--root`` as they hold from any folder; none for the folder that is open in the client."""
    return [str(root) for root in roots or ((current_root(),) if client.folderless else ())]


def _show(diff: str) -> None:
    """Print a diff, in colour on a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.splitlines():
        head = line.startswith(("+++", "---"))
        click.secho(line, fg=None if head else colours.get(line[:1]), bold=head)
