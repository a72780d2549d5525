"""Drives a server with pydantic-ai, as an agent whose model calls one tool and as a program.

``pydantic_ai_client.py stdio COMMAND...`` or ``http URL``
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
from importlib.metadata import version
from typing import Any

from seen import seen, told

SECONDS = 60.0
"""That a server may take to start: the client itself waits five."""


async def main(way: str, *target: str) -> None:
    """Print what a server shows to an agent and to a program."""
    mcp: Any = importlib.import_module("pydantic_ai.mcp")
    transports: Any = importlib.import_module("fastmcp.client.transports")
    where = transports.StdioTransport(target[0], list(target[1:]), dict(os.environ)) if way == "stdio" else target[0]
    toolset = mcp.MCPToolset(where, init_timeout=SECONDS)
    async with toolset:

        async def call(tool: str, arguments: dict[str, object]) -> str:
            found = await toolset.direct_call_tool(tool, arguments)  # it reads JSON for its caller
            return found if isinstance(found, str) else json.dumps(found)

        async def read(uri: str) -> str:
            return str(await toolset.read_resource(uri))

        tools = [tool.name for tool in await toolset.list_tools()]
        found = await seen(call, read)
        agent = await called_by_agent(toolset)
        protocol = str(toolset.client.protocol_version)
    told({"version": version("pydantic-ai-slim"), "protocol": protocol, "tools": tools, "agent": agent, **found})


async def called_by_agent(toolset: Any) -> str:
    """Return what the tools give to an agent whose model calls ``count_files`` and repeats its answer."""
    ai: Any = importlib.import_module("pydantic_ai")
    test: Any = importlib.import_module("pydantic_ai.models.test")
    agent = ai.Agent(test.TestModel(call_tools=["count_files"]), toolsets=[toolset])
    return str((await agent.run("How large is it?")).output)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
