"""Checks that clients reach the server: starts the server of each as its configuration says."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from leadline_estimators.profiles import is_known_model, suggest_model
from leadline_server.clients.client import Client, Machine, Scope
from leadline_server.clients.configuration import entry_of
from leadline_server.clients.known import CLIENTS
from leadline_server.errors import ConfigurationError
from leadline_server.health.finding import Finding, bad, good, poor

_LONGEST = 200
"""Characters of what a server says before it dies that are repeated."""


@dataclass(frozen=True, slots=True)
class _Configured:
    """A client with the server in one of its configurations."""

    client: Client
    scope: Scope
    path: Path
    entry: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.client.name}{' (project)' if self.scope is Scope.Project else ''}"

    @property
    def cure(self) -> str:
        scope = " --scope project" if self.scope is Scope.Project else ""
        return f"Run leadline install {self.client.name}{scope} to write the entry again."


def check_connections(machine: Machine, folder: Path, seconds: float, *, projects: bool | None) -> Iterator[Finding]:
    """Start the server of every configured client and list its tools.

    Args:
        machine: Where the configurations of the user are.
        folder: The project, used as the folder that is open in a client.
        seconds: How long a server has from its start to the list of its tools.
        projects: Whether configurations in the project are tried too. They are part of the tree: their authors decide
            what is started. None where ``folder`` is no project.

    """
    none = True
    for client in CLIENTS.values():
        for scope in client.scopes:
            if scope is Scope.Project and projects is None:
                continue
            path = client.file(scope, machine, folder)
            try:
                entry = entry_of(client, path)
            except ConfigurationError as error:
                none = False
                yield bad(client.name, str(error), error.hint)
                continue
            if entry is None:
                continue
            none = False
            configured = _Configured(client, scope, path, entry)
            if scope is Scope.Project and not projects:
                yield good(
                    configured.name, f"{path}: not started, because it is part of the tree; pass --projects to start it"
                )
            else:
                yield _try_server(configured, folder, seconds)
    if none:
        yield good("clients", "none is configured: run leadline install")


def _try_server(configured: _Configured, folder: Path, seconds: float) -> Finding:
    """Start a server as its client does."""
    entry = configured.entry
    command = entry.get("command")
    program, *rest = command if isinstance(command, list) and command else [command]
    if not isinstance(program, str):
        where = entry.get("url", "nothing")
        return good(configured.name, f"{configured.path}: not started, because it names {where} and no command")
    words = (*rest, *(entry.get("args") or ()))
    values = [str(value).replace("${workspaceFolder}", str(folder)) for value in words]
    if shutil.which(program) is None:
        return bad(configured.name, f"{configured.path}: the program {program} does not exist", configured.cure)
    variables = {str(name): str(value) for name, value in (entry.get("env") or {}).items()}
    started = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        try:
            tools = _count_tools(program, values, variables, folder, seconds, output)
        except TimeoutError:
            why = f"it did not list its tools within {seconds:g} s"
        except Exception as error:
            why = f"it ended or failed with {_cause(error)}"
        else:
            took = time.monotonic() - started
            seen = f"{configured.path}: listed {tools} tools in {took:.1f} s"
            return _with_model(configured, seen, [program, *values], variables)
        output.seek(0)
        ending = " ".join(output.read().split())[-_LONGEST:]
    return bad(
        configured.name, f"{configured.path}: {why}{f'; its last output: {ending}' if ending else ''}", configured.cure
    )


def _with_model(configured: _Configured, seen: str, words: Sequence[str], variables: Mapping[str, str]) -> Finding:
    """Return the finding that a server works, and for which model it counts tokens."""
    model = variables.get("LEADLINE_MODEL", "")
    for word, value in pairwise((*words, "")):
        if word == "--model":
            model = value
        elif word.startswith("--model="):
            model = word.partition("=")[2]
    scope = " --scope project" if configured.scope is Scope.Project else ""
    install = f"leadline install {configured.client.name}{scope} --model"
    if not model:
        return good(configured.name, f"{seen}; counts as the most expensive model (to change it: {install} NAME)")
    if is_known_model(model):
        return good(configured.name, f"{seen}; counts the tokens of {model}")
    near = suggest_model(model) or "claude"
    return poor(configured.name, f"{seen}; the model {model!r} is not known", f"Run {install} {near}.")


def _cause(error: BaseException) -> str:
    """Return the type of an exception, or of the first one in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__


def _count_tools(
    program: str, arguments: list[str], variables: dict[str, str], folder: Path, seconds: float, output: Any
) -> int:
    """Initialize, list the tools, and return how many there are; raises TimeoutError, or whatever went wrong."""
    import anyio
    from mcp import Client as Connection
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    given = {**os.environ, **variables} if variables else None
    server = StdioServerParameters(command=program, args=arguments, env=given, cwd=str(folder))

    async def count() -> int:
        with anyio.fail_after(seconds):
            async with Connection(stdio_client(server, errlog=output), mode="legacy") as connection:
                return len((await connection.list_tools()).tools)

    return anyio.run(count)
