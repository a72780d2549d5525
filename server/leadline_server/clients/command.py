"""The command with which a client starts this very server."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline_server.clients.client import SERVER, Client, Scope
from leadline_server.config import TURN_TOKENS


@dataclass(frozen=True, slots=True)
class Command:
    """A program and its arguments."""

    program: str
    arguments: tuple[str, ...]


def server_command(client: Client, scope: Scope, roots: Sequence[str], model: str) -> Command:
    """Return what ``client`` starts.

    Args:
        client: The client.
        scope: A project's configuration is shared, so it names the program without its place on this machine.
        roots: The values of ``--root``; none for the folder that is open in the client.
        model: The value of ``--model``; empty for the family of models that the client uses.

    """
    program, *rest = _portable_program() if scope is Scope.Project else _installed_program()
    named = roots or filter(None, (client.workspace,))
    options = [word for root in named for word in ("--root", root)]
    if model or client.model:
        options += ["--model", model or client.model]
    if client.chat:
        options += ["--turn-tokens", str(TURN_TOKENS)]
    return Command(program, (*rest, "serve", *options))


def _portable_program() -> list[str]:
    return ["uvx", SERVER] if _is_temporary(Path(sys.prefix)) else [SERVER]


def _installed_program() -> list[str]:
    """Return how this installation is started from anywhere: programs with windows know no PATH of a shell."""
    if _is_temporary(Path(sys.prefix)):
        return [shutil.which("uvx") or "uvx", SERVER]
    script = Path(sys.executable).with_name(f"{SERVER}.exe" if sys.platform == "win32" else SERVER)
    if not script.exists():
        return [sys.executable, "-P", "-m", "leadline_server"]
    on_path = shutil.which(SERVER)
    same = on_path is not None and Path(on_path).resolve() == script.resolve()
    return [on_path if same and on_path is not None else str(script)]


def _is_temporary(prefix: Path) -> bool:
    """Return whether an environment is one that ``uvx`` made for a single command, and may delete."""
    return bool({"archive-v0", "environments-v2"} & set(prefix.parts))
