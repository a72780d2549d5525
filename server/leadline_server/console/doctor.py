"""``leadline doctor``: checks what the server depends on."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
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
@click.option("--verbose", is_flag=True, help="Also print a line for each language server, installed or not.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(
    context: click.Context,
    roots: tuple[Root, ...],
    cache_dir: Path | None,
    timeout: float,
    projects: bool,
    repair: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Check everything that the server needs, and report how to fix what is wrong.

    Starts the server of every configured client, exactly as the client does; outside of a project, in an empty folder.
    Changes nothing without --repair. Exit code 1: something does not work.
    """
    from leadline_server.health.commits import check_commits
    from leadline_server.health.edits import check_edits

    chosen = _find_roots(roots)
    trees = [root.path for root in chosen if not root.ref]
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory(prefix="leadline-") as empty:
        cache = cache_folder(cache_dir)
        edits = check_edits(chosen, cache, repair=repair)
        others = chain(edits, check_commits(chosen))
        looks = _look(trees, Path(empty), cache, others, timeout, projects, verbose or as_json)
        for found in looks:
            findings.append(found)
            if not as_json:
                _print_finding(found)  # each at once: a server that hangs takes its time
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(found) for found in findings], ensure_ascii=False, indent=1))
    else:
        _print_summary(findings, in_project=bool(chosen))
    context.exit(1 if any(found.state is State.Bad for found in findings) else 0)


def _look(
    trees: Sequence[Path],
    empty: Path,
    cache: Path,
    others: Iterable[Finding],
    seconds: float,
    projects: bool,
    verbose: bool,
) -> Iterator[Finding]:
    """Yield all findings, ``others`` among them; ``empty`` stands for the tree where there is none."""
    from leadline_server.clients.client import Machine
    from leadline_server.health import machine
    from leadline_server.health.connections import check_connections
    from leadline_server.health.installation import check_installation

    tree = next(iter(trees), empty)
    yield from check_installation()
    yield from machine.check_machine(trees, cache, empty)
    if verbose:
        yield from machine.check_language_servers(tree)
    else:
        yield machine.summarize_language_servers(tree)
    yield from others
    yield from machine.check_resident(runtime_folder(os.environ.get(OPTIONS["--runtime-dir"].variable, "")))
    yield from check_connections(Machine.here(), tree, seconds, projects=projects if trees else None)


def _print_summary(findings: Sequence[Finding], *, in_project: bool) -> None:
    failing = sum(found.state is State.Bad for found in findings)
    improvable = sum(found.state is State.Poor for found in findings)
    parts = [f"{failing} {'thing does' if failing == 1 else 'things do'} not work"] if failing else ["Everything works"]
    if improvable:
        parts.append(f"{improvable} {'thing' if improvable == 1 else 'things'} could be better")
    where = "" if in_project else " To check a project and its configurations too, run leadline doctor in its folder."
    click.echo(f"{'; '.join(parts)}.{where}")


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
