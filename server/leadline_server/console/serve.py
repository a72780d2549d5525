"""``leadline serve``: the MCP server."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

import leadline_server.lifecycle  # noqa: F401  notes who started this process
from leadline_server import __version__
from leadline_server.console.command import Command
from leadline_server.console.options import DATABASE, Common, cache_folder, log_level, parse_tools, with_call_options
from leadline_server.console.words import offered_words
from leadline_server.logs import FORMATS, Format, configure
from leadline_server.roots import Root

if TYPE_CHECKING:
    from leadline_server.access import IdentityProvider
    from leadline_server.config import Config
    from leadline_server.gate import Address
    from leadline_tools.database.address import DatabaseAddress


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
    "--issuer",
    envvar="LEADLINE_ISSUER",
    metavar="URL",
    default=None,
    help="The OAuth 2.1 authorization server whose access tokens HTTP clients may send.",
)
@click.option(
    "--audience",
    envvar="LEADLINE_AUDIENCE",
    metavar="URL",
    default=None,
    help="The URL of this server that these tokens are issued for, such as https://code.example.org/mcp.",
)
@click.option(
    "--groups-claim",
    envvar="LEADLINE_GROUPS_CLAIM",
    metavar="NAME",
    default="groups",
    show_default=True,
    help="The claim of these tokens that lists the teams of a person.",
)
@DATABASE
@click.option(
    "--hosted",
    envvar="LEADLINE_HOSTED",
    is_flag=True,
    help="Serve the repositories that leadline indexer has put into the database, instead of roots.",
)
@click.option(
    "--sources",
    envvar="LEADLINE_SOURCES",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default=None,
    help="With --hosted, the file of leadline indexer: webhooks of its code hosts are accepted.",
)
@click.option(
    "--text",
    envvar="LEADLINE_TEXT",
    metavar="zoekt=URL",
    default=None,
    help="With --hosted, the zoekt server that searches texts in many repositories, before the database does.",
)
@click.option(
    "--metrics-token-file",
    envvar="LEADLINE_METRICS_TOKEN_FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    default=None,
    help="File of the token that reads /metrics and nothing else. LEADLINE_METRICS_TOKEN adds another.",
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
@log_level("Level of the log on standard error; info has a line for each call.")
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
    issuer: str | None,
    audience: str | None,
    groups_claim: str,
    database: DatabaseAddress | None,
    hosted: bool,
    sources: Path | None,
    text: str | None,
    metrics_token_file: Path | None,
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
    _check_database(database, over_http=bool(address), allow_edits=common.allow_edits)
    if hosted and (database is None or common.roots):
        raise click.UsageError("--hosted is for --database postgresql://..., without --root.")
    if sources is not None and not hosted:
        raise click.UsageError("--sources is for --hosted: it has the secrets of webhooks.")
    zoekt = _zoekt_url(text, hosted=hosted) if text else ""
    common = replace(common, roots=(Root(cache_folder(common.cache_dir) / "hosted"),)) if hosted else common
    identity = _identity_provider(issuer, audience, groups_claim)
    listening = _parse_address(address, names, token_file, metrics_token_file, identity) if address else None
    if listening is not None:
        listening = replace(listening, stateless=stateless or database is not None)
    config = replace(
        common.config(),
        tools=parse_tools(tools),
        structured=structured,
        links=resource_links,
        turn_tokens=turn_tokens or 0,
        long_ids=listening is not None,
        database=database,
        hosted=hosted,
        sources=sources,
        zoekt=zoekt,
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


def _zoekt_url(text: str, *, hosted: bool) -> str:
    """Return the URL of a zoekt server from ``zoekt=URL``; raises UsageError."""
    kind, _, url = text.partition("=")
    if kind != "zoekt" or not url.startswith(("http://", "https://")):
        raise click.UsageError("--text is zoekt=URL, such as zoekt=http://localhost:6070.")
    if not hosted:
        raise click.UsageError("--text is for --hosted.")
    return url


def _check_database(database: DatabaseAddress | None, *, over_http: bool, allow_edits: bool) -> None:
    """Raise UsageError for what does not go together with a database; no child of this process sees its password."""
    os.environ.pop("LEADLINE_DATABASE", None)
    if database is None:
        return
    if not over_http:
        raise click.UsageError("--database is for --http HOST:PORT: over stdio there is one client.")
    if allow_edits:
        raise click.UsageError(
            "--allow-edits cannot be used with --database: an edit is made where its files are, by a server of its own."
        )


def _announce_http(config: Config, address: Address) -> None:
    """Print to the error stream where the server listens, for a person who has started it."""
    token = "; clients send the header Authorization: Bearer TOKEN" if address.is_guarded else ""
    click.echo(f"{_title(config)} at {address.url}mcp (page: {address.url}{token}). Ctrl-C ends it.", err=True)


def _title(config: Config) -> str:
    if config.hosted:
        return f"Leadline {__version__} serves the repositories of {config.database}"
    named = config.roots.items() or (("", config.root),)
    roots = ", ".join(str(Root(path, ref=config.refs.get(name, ""))) for name, path in named)
    return f"Leadline {__version__} serves {roots}"


def _identity_provider(issuer: str | None, audience: str | None, groups: str) -> IdentityProvider | None:
    """Return who issues tokens, None for nobody; raises UsageError."""
    from leadline_server.access import IdentityProvider

    if not issuer and not audience:
        return None
    if not issuer or not audience:
        raise click.UsageError("--issuer and --audience belong together: the provider, and this server's own URL.")
    try:
        return IdentityProvider.of(issuer, audience, groups)
    except ValueError as error:
        raise click.UsageError(f"The identity provider cannot be used: {error}.") from None


def _parse_address(
    address: str,
    names: tuple[str, ...],
    token_file: Path | None,
    metrics_token_file: Path | None,
    identity: IdentityProvider | None,
) -> Address:
    """Return where to listen; beyond this machine a token is needed, and the names by which clients call the server."""
    from leadline_server.folders import is_writable_by_others
    from leadline_server.gate import EVERYWHERE, LOOPBACK, METRICS_VARIABLE, Address, Tokens

    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError(f"--http requires HOST:PORT, such as 127.0.0.1:8765, not {address!r}.")
    try:
        tokens = Tokens.load(token_file)
        metrics = Tokens.load(metrics_token_file, METRICS_VARIABLE)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"The tokens cannot be used: {error}.") from None
    if token_file is not None and is_writable_by_others(token_file):
        click.echo(
            f"leadline: other users can write to {token_file}, and so add tokens: chmod 600 {token_file}", err=True
        )
    if host not in LOOPBACK and not tokens.known and identity is None:
        raise click.UsageError(
            f"Without a token, --http serves this machine only: use 127.0.0.1:{port}, LEADLINE_TOKEN, --token-file"
            " or --issuer."
        )
    if host in EVERYWHERE and not names:
        raise click.UsageError(f"--http {address} requires --allow-host NAME:{port}, the host name that clients use.")
    return Address(host, int(port), names, tokens, metrics=metrics, identity=identity)
