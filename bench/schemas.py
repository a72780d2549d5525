"""What an agent has read before its first call, in o200k tokens: the schemas of its tools, and instructions."""

from __future__ import annotations

import json
from collections.abc import Iterable

from leadline_estimators import count
from leadline_server.app import INSTRUCTIONS, tool_declaration
from leadline_tools.tool import Tool

SHELL_CUT = 30_000
"""Characters after which common agents cut what a command prints."""

_SHELL = {
    "name": "bash",
    "description": "Run a command in the folder of the repository and return what it prints.",
    "inputSchema": {
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
    },
}
"""The least that a tool for a shell needs; those of common agents are ten times as long."""


def server_tokens(tools: Iterable[Tool]) -> int:
    """Return the tokens of the schemas of a server's tools and its instructions."""
    declared = [tool_declaration(tool) for tool in tools]
    schemas = [{"name": one.name, "description": one.description, "inputSchema": one.input_schema} for one in declared]
    return count(compact(schemas)) + count(INSTRUCTIONS)


def shell_tokens() -> int:
    """Return the tokens of the schema of a shell."""
    return count(compact([_SHELL]))


def compact(value: object) -> str:
    """Return JSON without spaces, as it is sent."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
