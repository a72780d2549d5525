"""The permission to call the tools without asking each time, which Claude Code keeps apart from its servers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from leadline_server.clients.client import SERVER, Machine, Scope
from leadline_server.clients.configuration import Change, read_text
from leadline_server.errors import BrokenConfiguration
from leadline_tools import jsonc

CLIENT = "claude-code"
"""The client whose permissions these are."""

RULE = f"mcp__{SERVER}"
"""What allows all tools of the server."""

_FILE = Path(".claude") / "settings.json"


def permission_path(scope: Scope, machine: Machine, folder: Path) -> Path:
    """Return where the permissions are of a user, or of a project in ``folder``."""
    if scope is Scope.Project:
        return folder / _FILE
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude") / _FILE.name


def allow_tools(path: Path) -> Change:
    """Return the change that adds the rule to those that a file has; raises BrokenConfiguration."""
    before = read_text(path)
    text = before or ""
    try:
        permissions = jsonc.read(text).get("permissions", {})
        allowed = permissions.get("allow", []) if isinstance(permissions, Mapping) else None
        if not isinstance(allowed, list):
            raise ValueError("permissions.allow is not a list")
        after = text if RULE in allowed else jsonc.put(text, ("permissions", "allow"), [*allowed, RULE])
    except ValueError as error:
        raise BrokenConfiguration(path, str(error)) from None
    return Change(path, before, after)
