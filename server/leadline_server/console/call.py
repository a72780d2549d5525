"""``leadline call``: one question, as a model would put it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from leadline_server.config import DEFAULT_TOKENS, Config
from leadline_server.console.options import (
    CACHE,
    EDITS,
    MODEL,
    ROOT,
    SECRETS,
    SERVERS,
    TOKENS,
    WINDOW,
    cache_folder,
    limits,
    root_folder,
)
from leadline_server.console.words import argument_words, tool_words

if TYPE_CHECKING:
    from leadline_tools.servers.known import KnownServer


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("tool", required=False, shell_complete=tool_words)
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=argument_words)
@ROOT
@CACHE
@MODEL
@TOKENS
@WINDOW
@SECRETS
@EDITS
@SERVERS
@click.option("--json", "as_json", is_flag=True, help="Print the JSON form.")
@click.pass_context
def call(
    context: click.Context,
    tool: str | None,
    arguments: tuple[str, ...],
    root: Path | None,
    cache_dir: Path | None,
    model: str,
    max_tokens: int | None,
    context_window: int | None,
    allow_secrets: tuple[str, ...],
    allow_edits: bool,
    language_servers: tuple[KnownServer, ...],
    as_json: bool,
) -> None:
    """Call a tool once and print exactly what a model would get; without a tool, list the tools.

    Exit code 1: the answer is an error.
    """
    from leadline_server import running

    if tool is None:
        click.echo(running.tools_table())
        return
    given: dict[str, Any] = dict(_pair(argument) for argument in arguments)
    config = Config(
        root_folder(root),
        cache_folder(cache_dir),
        model,
        max_tokens or DEFAULT_TOKENS,
        context_window=context_window or 0,
        allow_secrets=allow_secrets,
        limits=limits(),
        allow_edits=allow_edits,
        language_servers=language_servers,
    )
    response = running.call_once(config, tool, given, as_json=as_json)
    click.echo(response.text, nl=False)
    context.exit(1 if response.is_error else 0)


def _pair(argument: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"{argument!r} is not KEY=VALUE: write, say, query={argument}")
    return name.lstrip("-").replace("-", "_"), value
