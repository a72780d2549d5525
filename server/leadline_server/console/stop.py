"""``leadline stop``: the end of resident servers."""

from __future__ import annotations

from pathlib import Path

import click

from leadline_server.console.command import Command
from leadline_server.console.options import RUNTIME
from leadline_server.folders import runtime_folder
from leadline_server.resident.address import addresses
from leadline_server.resident.client import ask_status, end_server
from leadline_server.roots import ROOTS, Root, current_root


@click.command(cls=Command)
@ROOTS
@RUNTIME
@click.option("--all", "everything", is_flag=True, help="Stop the servers of every root.")
def stop(roots: tuple[Root, ...], runtime_dir: Path | None, everything: bool) -> None:
    """Stop the resident servers of the root, whatever their other options are; running calls are cancelled.

    The next leadline call starts one again.
    """
    wanted = () if everything else {root.place for root in roots or (current_root(),)}
    ended = 0
    for address in addresses(runtime_folder(str(runtime_dir or ""))):
        seen = ask_status(address)
        served = {root.rpartition("=")[2] for root in seen.roots} if seen is not None else set()
        if everything or not served.isdisjoint(wanted):
            end_server(address)
            if seen is not None:
                ended += 1
                click.echo(f"Stopped process {seen.pid} of {', '.join(seen.roots)}.")
    if not ended:
        click.echo(
            "No resident server is running." if everything else f"No resident server of {', '.join(wanted)} is running."
        )
