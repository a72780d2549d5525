"""The console: ``leadline serve``, ``leadline call``, ``leadline index``."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

import click

from leadline_server import __version__
from leadline_server.config import DEFAULT_TOKENS, Config

_ROOT = click.option(
    "--root",
    envvar="LEADLINE_ROOT",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=None,
    help="The folder to navigate; the current one unless named.",
)
_CACHE = click.option(
    "--cache-dir",
    envvar="LEADLINE_CACHE_DIR",
    type=click.Path(path_type=Path),
    default=None,
    help="Where indexes and results are kept.",
)
_MODEL = click.option(
    "--model",
    envvar="LEADLINE_MODEL",
    default="unknown",
    show_default=True,
    help="The model whose tokens are counted: a name (gpt-5, claude-opus-4-6) or a family (openai, claude).",
)
_TOKENS = click.option(
    "--max-tokens",
    envvar="LEADLINE_MAX_TOKENS",
    type=int,
    default=None,
    help=f"What an answer may cost that does not say; {DEFAULT_TOKENS:,} unless given.",
)

_WINDOW = click.option(
    "--context-window",
    envvar="LEADLINE_CONTEXT_WINDOW",
    type=click.IntRange(min=1),
    default=None,
    help="Tokens of the model's context window, where it is run with another than its own.",
)


@click.group(invoke_without_command=True)
@click.version_option(__version__, prog_name="leadline")
@click.pass_context
def main(context: click.Context) -> None:
    """Navigate a code base of any size, and know what every answer costs before it is sent."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@_ROOT
@_CACHE
@_MODEL
@_TOKENS
@_WINDOW
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
    type=click.Choice(["all", "core"]),
    default="all",
    show_default=True,
    help="Tools offered.",
)
@click.option(
    "--structured",
    envvar="LEADLINE_STRUCTURED",
    is_flag=True,
    help="Send structuredContent for answers asked for as JSON.",
)
def serve(
    root: Path | None,
    cache_dir: Path | None,
    model: str,
    max_tokens: int | None,
    context_window: int | None,
    turn_tokens: int | None,
    address: str | None,
    tools: str,
    structured: bool,
) -> None:
    """Serve MCP over stdio, or over HTTP."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="leadline: %(message)s")
    host, port = _address(address) if address else ("", 0)
    config = Config(
        _root(root),
        _cache(cache_dir),
        model,
        max_tokens or DEFAULT_TOKENS,
        core=tools == "core",
        structured=structured,
        context_window=context_window or 0,
        turn_tokens=turn_tokens or 0,
        long_ids=address is not None,
    )
    from leadline_server import running

    if address:
        running.serve_http(config, host, port)
    else:
        running.serve_stdio(config)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("tool", required=False)
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...")
@_ROOT
@_CACHE
@_MODEL
@_TOKENS
@_WINDOW
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
    if max_tokens is not None:
        given["max_tokens"] = max_tokens
    config = Config(_root(root), _cache(cache_dir), model, context_window=context_window or 0)
    response = running.call_once(config, tool, given, as_json=as_json)
    click.echo(response.text, nl=False)
    context.exit(1 if response.is_error else 0)


@main.command()
@_ROOT
@_CACHE
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_context
def index(context: click.Context, root: Path | None, cache_dir: Path | None, as_json: bool) -> None:
    """Build or update the index now, and say what is in it.

    Exit code 1: the index is not complete.
    """
    from leadline_server.indexing import build_index

    indexed = build_index(Config(_root(root), _cache(cache_dir)))
    click.echo(indexed.json() if as_json else indexed.text())
    context.exit(0 if indexed.coverage.complete else 1)


def _pair(argument: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"{argument!r} is not KEY=VALUE: write, say, query={argument}")
    return name.lstrip("-").replace("-", "_"), value


def _address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError(f"--http takes HOST:PORT, such as 127.0.0.1:8765, not {address!r}")
    from leadline_server.http import LOOPBACK

    if host not in LOOPBACK:
        raise click.UsageError(f"--http serves this machine only: use 127.0.0.1:{port}")
    return host, int(port)


def _root(root: Path | None) -> Path:
    """Return the folder to navigate; one that is a whole system or home only when it is named."""
    if root is not None:
        return root.resolve()
    here = Path.cwd().resolve()
    system = {Path(name) for name in ("/", "/etc", "/usr", "/var", "/bin", "/opt", "/home", "/root", "/tmp")}  # noqa: S108
    if here in system or here in {Path.home().resolve(), Path(here.anchor)}:
        raise click.UsageError(f"{here} is no repository: go into one, or name it with --root {here}")
    return here


def _cache(cache: Path | None) -> Path:
    from leadline_tools.index.database import default_cache

    return cache.resolve() if cache is not None else default_cache()


if __name__ == "__main__":
    main()
