"""``leadline serve``: the MCP server."""

from __future__ import annotations

from pathlib import Path

import click

from leadline_server.config import DEFAULT_TOKENS, Config
from leadline_server.console.options import (
    CACHE,
    EDITS,
    MODEL,
    ROOT,
    SECRETS,
    TOKENS,
    WINDOW,
    cache_folder,
    chosen_tools,
    limits,
    root_folder,
)
from leadline_server.console.words import offered_words
from leadline_server.logs import FORMATS, LEVELS, Format, configure


@click.command()
@ROOT
@CACHE
@MODEL
@TOKENS
@WINDOW
@SECRETS
@EDITS
@click.option(
    "--turn-tokens",
    envvar="LEADLINE_TURN_TOKENS",
    type=click.IntRange(min=1),
    default=None,
    help="What all answers of one turn may cost together; no limit unless given.",
)
@click.option(
    "--http",
    "address",
    envvar="LEADLINE_HTTP",
    metavar="HOST:PORT",
    default=None,
    help="Serve over HTTP, on this machine only, instead of stdio.",
)
@click.option(
    "--tools",
    envvar="LEADLINE_TOOLS",
    metavar="all|core|NAMES",
    default="all",
    show_default=True,
    shell_complete=offered_words,
    help="Tools offered: all, the core ones, or names with commas between.",
)
@click.option(
    "--structured",
    envvar="LEADLINE_STRUCTURED",
    is_flag=True,
    help="Send structuredContent for answers asked for as JSON.",
)
@click.option(
    "--resource-links",
    envvar="LEADLINE_RESOURCE_LINKS",
    is_flag=True,
    help="Send a link to the complete result beside an answer that was cut.",
)
@click.option(
    "--log-level",
    envvar="LEADLINE_LOG_LEVEL",
    type=click.Choice(LEVELS),
    default="warning",
    show_default=True,
    help="What is told on the error stream; info has a line for each call.",
)
@click.option(
    "--log-format",
    envvar="LEADLINE_LOG_FORMAT",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How: a sentence or a JSON object a line.",
)
def serve(
    root: Path | None,
    cache_dir: Path | None,
    model: str,
    max_tokens: int | None,
    context_window: int | None,
    allow_secrets: tuple[str, ...],
    allow_edits: bool,
    turn_tokens: int | None,
    address: str | None,
    tools: str,
    structured: bool,
    resource_links: bool,
    log_level: str,
    log_format: Format,
) -> None:
    """Serve MCP over stdio, or over HTTP."""
    configure(log_level, log_format)
    host, port = _address(address) if address else ("", 0)
    config = Config(
        root_folder(root),
        cache_folder(cache_dir),
        model,
        max_tokens or DEFAULT_TOKENS,
        tools=chosen_tools(tools),
        structured=structured,
        links=resource_links,
        context_window=context_window or 0,
        turn_tokens=turn_tokens or 0,
        allow_secrets=allow_secrets,
        allow_edits=allow_edits,
        long_ids=address is not None,
        limits=limits(),
    )
    from leadline_server import running

    if address:
        running.serve_http(config, host, port)
    else:
        running.serve_stdio(config)


def _address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError(f"--http takes HOST:PORT, such as 127.0.0.1:8765, not {address!r}")
    from leadline_server.http import LOOPBACK

    if host not in LOOPBACK:
        raise click.UsageError(f"--http serves this machine only: use 127.0.0.1:{port}")
    return host, int(port)
