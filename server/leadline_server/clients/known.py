"""The clients that ``leadline install`` knows. A client more is an entry more.

The formats were compared with the pages of the vendors in November 2026; docs/clients/ has a page for each.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline_server.clients import toml, yaml
from leadline_server.clients.client import Client
from leadline_tools import jsonc

_STDIO = {"type": "stdio"}
_GEMINI = "gemini-3-pro"
"""The tokenizer of the models that Google's own clients run."""

_CLIENTS = (
    Client(
        name="claude-code",
        title="Claude Code",
        user=lambda machine: machine.folder("CLAUDE_CONFIG_DIR", "") / ".claude.json",
        format=jsonc,
        servers="mcpServers",
        project=".mcp.json",
        program="claude",
        adds="claude mcp add --scope user leadline -- {command}",
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
        program="code",
        workspace="${workspaceFolder}",
        more=_STDIO,
        then='Run "MCP: List Servers" and start it',
    ),
    Client(
        name="copilot",
        title="Copilot CLI",
        user=lambda machine: machine.home / ".copilot" / "mcp-config.json",
        format=jsonc,
        servers="mcpServers",
        project=".github/mcp.json",
        program="copilot",
        adds="copilot mcp add leadline -- {command}",
        more={**_STDIO, "tools": ["*"]},
        then="Start a new session; /mcp show lists the server",
    ),
    Client(
        name="cursor",
        title="Cursor",
        user=lambda machine: machine.home / ".cursor" / "mcp.json",
        format=jsonc,
        servers="mcpServers",
        project=".cursor/mcp.json",
        program="cursor",
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
        program="codex",
        adds="codex mcp add leadline -- {command}",
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
        program="gemini",
        adds="gemini mcp add --scope user leadline {command}",
        model=_GEMINI,
        then="Start a new session; /mcp shows the server",
    ),
    Client(
        name="antigravity",
        title="Antigravity",
        user=lambda machine: machine.home / ".gemini" / "config" / "mcp_config.json",
        format=jsonc,
        servers="mcpServers",
        project=".agents/mcp_config.json",
        program="agy",
        adds="agy mcp add leadline {command}",
        model=_GEMINI,
        then="Restart Antigravity, or start a new session of agy; /mcp shows the server",
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        user=lambda machine: machine.home / ".codeium" / "windsurf" / "mcp_config.json",
        format=jsonc,
        servers="mcpServers",
        folderless=True,
        then="Press the refresh button of the MCP servers in Cascade",
    ),
    Client(
        name="zed",
        title="Zed",
        user=lambda machine: (
            machine.folder("APPDATA", "AppData/Roaming") / "Zed" / "settings.json"
            if machine.platform == "win32"
            else machine.home / ".config" / "zed" / "settings.json"
        ),
        format=jsonc,
        servers="context_servers",
        project=".zed/settings.json",
        program="zed",
        then="The settings of the Agent panel show the server with a green dot",
    ),
    Client(
        name="junie",
        title="JetBrains Junie",
        user=lambda machine: machine.home / ".junie" / "mcp" / "mcp.json",
        format=jsonc,
        servers="mcpServers",
        project=".junie/mcp/mcp.json",
        folderless=True,
        then="Settings, Tools, Junie, MCP Settings shows the server",
    ),
    Client(
        name="jetbrains",
        title="JetBrains AI Assistant",
        format=jsonc,
        servers="mcpServers",
        folderless=True,
        then="Paste it under Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON",
    ),
    Client(
        name="opencode",
        title="OpenCode",
        user=lambda machine: machine.folder("XDG_CONFIG_HOME", ".config") / "opencode" / "opencode.json",
        format=jsonc,
        servers="mcp",
        project="opencode.json",
        program="opencode",
        listed=True,
        more={"type": "local"},
        then="Start a new session",
    ),
    Client(
        name="cline",
        title="Cline",
        user=lambda machine: machine.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json",
        format=jsonc,
        servers="mcpServers",
        program="cline",
        folderless=True,
        then="The MCP Servers icon shows the server",
    ),
    Client(
        name="goose",
        title="Goose",
        format=yaml,
        servers="extensions",
        program="goose",
        program_key="cmd",
        folderless=True,
        more={"name": "Leadline", "type": "stdio", "enabled": True, "timeout": 300},
        then="Paste it into ~/.config/goose/config.yaml, or use the link",
    ),
)

CLIENTS: Mapping[str, Client] = {client.name: client for client in _CLIENTS}
"""Every client by its name."""
