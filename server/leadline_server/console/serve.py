"""``leadline serve``: the MCP server."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

import leadline_server.lifecycle  # noqa: F401  notes who started this process
from leadline_server import __version__
from leadline_server.console.command import Command
from leadline_server.console.options import Common, parse_tools, with_call_options
from leadline_server.console.words import offered_words
from leadline_server.logs import FORMATS, LEVELS, Format, configure

if TYPE_CHECKING:
    from leadline_server.config import Config
    from leadline_server.gate import Address


@click.command(cls=Command)
@with_call_options
@click.option(
    "--turn-tokens",
    envvar="LEADLINE_TURN_TOKENS",
    type=click.IntRange(min=1),
    default=None,
    help="Token budget that all answers of one turn share (default: no limit).",
)
@click.option(
    "--http",
    "address",
    envvar="LEADLINE_HTTP",
    metavar="HOST:PORT",
    default=None,
    help="Serve over HTTP instead of stdio. Serving other machines requires a token.",
)
@click.option(
    "--token-file",
    envvar="LEADLINE_TOKEN_FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    default=None,
    help="File of the tokens that HTTP clients send, one per line. LEADLINE_TOKEN adds another.",
)
@click.option(
    "--allow-host",
    "names",
    envvar="LEADLINE_ALLOW_HOST",
    metavar="NAME[:PORT]",
    multiple=True,
    help="A host name that HTTP clients use for the server, such as that of a proxy. Repeatable.",
)
@click.option(
    "--stateless",
    envvar="LEADLINE_STATELESS",
    is_flag=True,
    help="Over HTTP, keep no sessions for older clients, so that several servers can share one address.",
)
@click.option(
    "--tools",
    envvar="LEADLINE_TOOLS",
    metavar="all|core,NAMES",
    default="all",
    show_default=True,
    shell_complete=offered_words,
    help="Tools to offer: all, or core and names, separated by commas.",
)
@click.option(
    "--structured",
    envvar="LEADLINE_STRUCTURED",
    is_flag=True,
    help="Also send every answer as structuredContent, within the same budget.",
)
@click.option(
    "--resource-links",
    envvar="LEADLINE_RESOURCE_LINKS",
    is_flag=True,
    help="Also send a link to the complete result with an answer that was cut.",
)
@click.option(
    "--log-level",
    envvar="LEADLINE_LOG_LEVEL",
    type=click.Choice(LEVELS),
    default="warning",
    show_default=True,
    help="Level of the log on standard error; info has a line for each call.",
)
@click.option(
    "--log-format",
    envvar="LEADLINE_LOG_FORMAT",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Format of the log: a sentence or a JSON object per line.",
)
def serve(
    common: Common,
    turn_tokens: int | None,
    address: str | None,
    token_file: Path | None,
    names: tuple[str, ...],
    stateless: bool,
    tools: str,
    structured: bool,
    resource_links: bool,
    log_level: str,
    log_format: Format,
) -> None:
    """Serve MCP over stdio, or over HTTP."""
    configure(log_level, log_format)
    if stateless and not address:
        raise click.UsageError("--stateless is for --http HOST:PORT: over stdio there is one client.")
    listening = replace(_parse_address(address, names, token_file), stateless=stateless) if address else None
    config = replace(
        common.config(),
        tools=parse_tools(tools),
        structured=structured,
        links=resource_links,
        turn_tokens=turn_tokens or 0,
        long_ids=listening is not None,
    )
    from leadline_server import running
    from leadline_server.model_name import model_problem

    if problem := model_problem(config.model):
        click.echo(f"leadline: {problem}", err=True)
    if listening is not None:
        running.serve_http(config, listening, lambda: _announce_http(config, listening))
        return
    if sys.stdin.isatty():
        click.echo(f"{_title(config)} over standard input and output, for an MCP client. Ctrl-C ends it.", err=True)
        click.echo("To try it yourself, use leadline call, or leadline serve --http 127.0.0.1:8765.", err=True)
    running.serve_stdio(config)


def _announce_http(config: Config, address: Address) -> None:
    """Print to the error stream where the server listens, for a person who has started it."""
    token = "; clients send the header Authorization: Bearer TOKEN" if address.tokens.known else ""
    click.echo(f"{_title(config)} at {address.url}mcp (page: {address.url}{token}). Ctrl-C ends it.", err=True)


def _title(config: Config) -> str:
    roots = ", ".join(map(str, config.roots.values() or (config.root,)))
    return f"Leadline {__version__} serves {roots}"


def _parse_address(address: str, names: tuple[str, ...], token_file: Path | None) -> Address:
    """Return where to listen; beyond this machine a token is needed, and the names by which clients call the server."""
    from leadline_server.folders import is_writable_by_others
    from leadline_server.gate import EVERYWHERE, LOOPBACK, Address, Tokens

    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError(f"--http requires HOST:PORT, such as 127.0.0.1:8765, not {address!r}.")
    try:
        tokens = Tokens.load(token_file)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"The tokens cannot be used: {error}.") from None
    if token_file is not None and is_writable_by_others(token_file):
        click.echo(
            f"leadline: other users can write to {token_file}, and so add tokens: chmod 600 {token_file}", err=True
        )
    if host not in LOOPBACK and not tokens.known:
        raise click.UsageError(
            f"Without a token, --http serves this machine only: use 127.0.0.1:{port}, LEADLINE_TOKEN or --token-file."
        )
    if host in EVERYWHERE and not names:
        raise click.UsageError(f"--http {address} requires --allow-host NAME:{port}, the host name that clients use.")
    return Address(host, int(port), names, tokens)
