"""``leadline status``: the resident servers that run."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path

import click

from leadline_server.console.command import Command
from leadline_server.console.options import RUNTIME
from leadline_server.folders import runtime_folder
from leadline_server.resident.address import addresses, find_obstacle
from leadline_server.resident.client import ask_status
from leadline_server.resident.wire import Status
from leadline_tools.plurals import count_noun


@click.command(cls=Command)
@RUNTIME
@click.option("--json", "as_json", is_flag=True, help="Print the servers as JSON.")
def status(runtime_dir: Path | None, as_json: bool) -> None:
    """List the resident servers of leadline call: their roots, process, age, idle time and memory."""
    from leadline_server.resident.lock import holder, remove_if_dead

    found: list[Status] = []
    folder = runtime_folder(str(runtime_dir or ""))
    obstacle = find_obstacle(folder)
    if obstacle:
        click.echo(f"leadline: No resident server can run: {obstacle}.", err=True)
    for address in addresses(folder):
        seen = ask_status(address)
        if seen is not None:
            found.append(seen)
        elif not remove_if_dead(address):
            click.echo(f"leadline: Process {holder(address)} does not answer. Run leadline stop --all.", err=True)
    if as_json:
        click.echo(json.dumps([one._asdict() for one in found], indent=1))
    else:
        click.echo("\n".join(map(_describe, found)) or "No resident server is running.")


def _describe(one: Status) -> str:
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(one.started))
    memory = f", {one.memory / 1e6:,.0f} MB" if one.memory else ""
    options = f"\n  {shlex.join(one.options)}" if one.options else ""
    return (
        f"{', '.join(one.roots)}\n"
        f"  process {one.pid} since {since}, {count_noun(one.calls, 'call')}{memory},"
        f" idle for {one.idle:,.0f} of {one.ends_after:,.0f} s{options}"
    )
