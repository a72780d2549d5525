"""The clients that ``leadline install`` knows. A client more is an entry more."""

from __future__ import annotations

from collections.abc import Mapping

from leadline_server.clients import toml
from leadline_server.clients.client import Client
from leadline_tools import jsonc

_STDIO = {"type": "stdio"}

_CLIENTS = (
    Client(
        name="claude-code",
        title="Claude Code",
        user=lambda machine: machine.folder("CLAUDE_CONFIG_DIR", "") / ".claude.json",
        format=jsonc,
        servers="mcpServers",
        project=".mcp.json",
        model="claude",
        more=_STDIO,
        then="Start a new session; /mcp shows the server",
    ),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        user=lambda machine: machine.programs / "Claude" / "claude_desktop_config.json",
        format=jsonc,
        servers="mcpServers",
        folderless=True,
        model="claude",
        chat=True,
        then="Quit Claude Desktop and open it again",
    ),
    Client(
        name="vscode",
        title="VS Code",
        user=lambda machine: machine.programs / "Code" / "User" / "mcp.json",
        format=jsonc,
        servers="servers",
        project=".vscode/mcp.json",
        workspace="${workspaceFolder}",
        more=_STDIO,
        then='Run "MCP: List Servers" and start it',
    ),
    Client(
        name="cursor",
        title="Cursor",
        user=lambda machine: machine.home / ".cursor" / "mcp.json",
        format=jsonc,
        servers="mcpServers",
        project=".cursor/mcp.json",
        workspace="${workspaceFolder}",
        more=_STDIO,
        then="Enable it under Settings, Tools & MCP",
    ),
    Client(
        name="codex",
        title="Codex",
        user=lambda machine: machine.folder("CODEX_HOME", ".codex") / "config.toml",
        format=toml,
        servers="mcp_servers",
        project=".codex/config.toml",
        model="openai",
        more={"startup_timeout_sec": 30},
        then="Start a new session; /mcp shows the server",
    ),
    Client(
        name="gemini",
        title="Gemini CLI",
        user=lambda machine: machine.folder("GEMINI_CLI_HOME", "") / ".gemini" / "settings.json",
        format=jsonc,
        servers="mcpServers",
        project=".gemini/settings.json",
        then="Start a new session; /mcp shows the server",
    ),
)

CLIENTS: Mapping[str, Client] = {client.name: client for client in _CLIENTS}
"""Every client by its name."""
