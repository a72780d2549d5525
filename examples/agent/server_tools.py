"""The tools of an MCP server: Leadline's, or those of any other."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import TextContent, Tool

from agent.endpoint import Schema
from agent.toolbox import Allowance, Output

CORE_UP_TO = 32_768
"""Tokens of a window up to which the schemas of the core tools alone are declared."""


def leadline(root: Path, model: str, window: int, turn_tokens: int) -> StdioServerParameters:
    """Return how Leadline is started for a tree, counting as the model counts, over stdio."""
    arguments = ["--root", str(root), "--model", model, "--context-window", str(window)]
    arguments += ["--turn-tokens", str(turn_tokens), "--tools", "core" if window <= CORE_UP_TO else "all"]
    passed = {name: value for name, value in os.environ.items() if name.startswith(("LEADLINE_", "PYTHONPATH"))}
    return StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "leadline_server", "serve", *arguments], env=passed
    )


class ServerTools:
    """The tools of a server that is connected; made by ``of``."""

    def __init__(self, client: Client, tools: Sequence[Tool]) -> None:
        self._client = client
        self._tools = tools

    @classmethod
    async def of(cls, client: Client) -> ServerTools:
        """Ask a server for its tools."""
        page = await client.list_tools()
        tools = list(page.tools)
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            tools += page.tools
        return cls(client, tools)

    @property
    def schemas(self) -> Sequence[Schema]:
        """Return the tools as functions."""
        return [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema},
            }
            for tool in self._tools
        ]

    async def call(self, name: str, arguments: Mapping[str, Any], allowance: Allowance) -> Output:
        """Call a tool, and tell the server of the turn and of what there is room for; others than Leadline ignore it.

        What other calls of the turn may still need counts as used.
        """
        context = {"window": allowance.window, "used": allowance.window - allowance.tokens}
        meta: Any = {"leadline/turn": allowance.turn, "leadline/context": context}
        result = await self._client.call_tool(name, dict(arguments), meta=meta)
        texts = [part.text if isinstance(part, TextContent) else f"[{part.type}]" for part in result.content]
        return Output("\n".join(texts), bool(result.is_error))
