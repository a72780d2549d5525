"""The agent skill: a file that teaches an agent without MCP to use ``leadline call``."""

from __future__ import annotations

from pathlib import Path

from leadline_server.clients.client import Machine, Scope
from leadline_server.clients.configuration import Change, read_text

_SKILL = Path(__file__).with_name("SKILL.md")
_PLACE = Path(".claude") / "skills" / "leadline" / "SKILL.md"


def skill_text() -> str:
    """Return the skill."""
    return _SKILL.read_text(encoding="utf-8")


def skill_path(scope: Scope, machine: Machine, folder: Path) -> Path:
    """Return where the skill is for a user, or for a project in ``folder``."""
    if scope is Scope.Project:
        return folder / _PLACE
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude") / _PLACE.relative_to(".claude")


def add_skill(path: Path) -> Change:
    """Return the change that writes the skill."""
    return Change(path, read_text(path), skill_text())
