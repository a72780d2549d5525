"""Links that a click turns into an entry of a client, and what a user pastes where there is neither link nor file."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Callable, Mapping
from urllib.parse import quote, urlencode

from leadline_server.clients.client import SERVER, Client
from leadline_server.clients.command import Command

_DESCRIPTION = "Code navigation within a token budget"


def install_link(client: Client, command: Command) -> str:
    """Return the link that adds ``command`` to a client; empty where the client has none."""
    link = _LINKS.get(client.name)
    return "" if link is None else link(command)


def snippet(client: Client, command: Command) -> str:
    """Return a configuration of a client that holds the server and nothing else."""
    return client.format.put("", client.place, client.entry(command.program, command.arguments)).rstrip("\n")


def one_liner(client: Client, command: Command) -> str:
    """Return the command of a client's makers that adds the server; empty where there is none."""
    if client.name == "vscode":
        return f"code --add-mcp {shlex.quote(_json({'name': SERVER, **_plain(command)}))}"
    return client.adds.format(command=shlex.join([command.program, *command.arguments])) if client.adds else ""


def _cursor(command: Command) -> str:
    encoded = base64.b64encode(_json(_plain(command)).encode()).decode()
    return f"cursor://anysphere.cursor-deeplink/mcp/install?{urlencode({'name': SERVER, 'config': encoded})}"


def _vscode(command: Command) -> str:
    return f"vscode:mcp/install?{quote(_json({'name': SERVER, **_plain(command)}), safe='')}"


def _goose(command: Command) -> str:
    pairs = [("cmd", command.program), *(("arg", word) for word in command.arguments)]
    pairs += [("timeout", "300"), ("id", SERVER), ("name", "Leadline"), ("description", _DESCRIPTION)]
    return f"goose://extension?{urlencode(pairs, quote_via=quote)}"


def _plain(command: Command) -> Mapping[str, object]:
    return {"command": command.program, "args": list(command.arguments)}


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


_LINKS: Mapping[str, Callable[[Command], str]] = {"cursor": _cursor, "vscode": _vscode, "goose": _goose}
