"""``leadline doctor``: checks what the server depends on."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import click

from leadline_server.console.command import Command
from leadline_server.console.options import CACHE, cache_folder
from leadline_server.folders import runtime_folder
from leadline_server.health.finding import Finding, State
from leadline_server.resident.command_line import OPTIONS
from leadline_server.roots import ROOTS, Root, current_root

_COLOURS = {"good": "green", "poor": "yellow", "bad": "red"}

_PATIENCE = 20.0
"""Seconds that a server has to list its tools: twice the shortest timeout of a client."""


@click.command(cls=Command)
@ROOTS
@CACHE
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=_PATIENCE,
    show_default=True,
    help="Seconds that each server has to list its tools.",
)
@click.option("--projects", is_flag=True, help="Also start the servers that configurations in the tree name.")
@click.option("--repair", is_flag=True, help="Revert edits that were interrupted, and remove the files that they left.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(
    context: click.Context,
    roots: tuple[Root, ...],
    cache_dir: Path | None,
    timeout: float,
    projects: bool,
    repair: bool,
    as_json: bool,
) -> None:
    """Check everything that the server needs, and report how to fix what is wrong.

    Starts the server of every configured client, exactly as the client does. Changes nothing without --repair. Exit
    code 1: something does not work.
    """
    from leadline_server.clients.client import Machine
    from leadline_server.health.connections import check_connections
    from leadline_server.health.edits import check_edits
    from leadline_server.health.installation import check_installation
    from leadline_server.health.machine import check_machine, check_resident

    chosen = _find_roots(roots)
    trees = [root.path for root in chosen]
    looks = chain(
        check_installation(),
        check_machine(trees, cache_folder(cache_dir)),
        check_edits(chosen, cache_folder(cache_dir), repair=repair),
        check_resident(runtime_folder(os.environ.get(OPTIONS["--runtime-dir"].variable, ""))),
        check_connections(Machine.here(), next(iter(trees), Path.cwd()), timeout, projects=projects),
    )
    findings: list[Finding] = []
    for found in looks:
        findings.append(found)
        if not as_json:
            _print_finding(found)  # each at once: a server that hangs takes its time
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(found) for found in findings], ensure_ascii=False, indent=1))
    context.exit(1 if any(found.state is State.Bad for found in findings) else 0)


def _print_finding(found: Finding) -> None:
    click.echo(f"{click.style(f'{found.state.value:4}', fg=_COLOURS[found.state.value])}  {found.name}: {found.seen}")
    if found.cure:
        click.echo(f"      {found.cure}")


def _find_roots(roots: Sequence[Root]) -> Sequence[Root]:
    """Return the roots to check; none where no root is named and the current folder cannot be one."""
    try:
        return roots or (current_root(),)
    except click.UsageError:
        return ()
