"""Drives a server with langchain-mcp-adapters: ``langchain_client.py stdio COMMAND...`` or ``http URL``."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from importlib.metadata import version
from typing import Any

from seen import seen, told


async def main(way: str, *target: str) -> None:
    """Print what a server shows to the tools of an agent."""
    adapters: Any = importlib.import_module("langchain_mcp_adapters.client")
    loading: Any = importlib.import_module("langchain_mcp_adapters.tools")
    reading: Any = importlib.import_module("langchain_mcp_adapters.resources")
    stdio = {"transport": "stdio", "command": target[0], "args": list(target[1:]), "env": dict(os.environ)}
    http = {"transport": "streamable_http", "url": target[0]}
    connections = {"leadline": stdio if way == "stdio" else http}
    async with adapters.MultiServerMCPClient(connections).session("leadline", auto_initialize=False) as session:
        greeting = await session.initialize()
        tools = {tool.name: tool for tool in await loading.load_mcp_tools(session)}

        async def call(tool: str, arguments: dict[str, object]) -> str:
            (block,) = await tools[tool].ainvoke(arguments)
            return str(block["text"])

        async def read(uri: str) -> str:
            (blob,) = await reading.load_mcp_resources(session, uris=uri)
            return str(blob.as_string())

        found = await seen(call, read)
    protocol = str(greeting.protocolVersion)
    told({"version": version("langchain-mcp-adapters"), "protocol": protocol, "tools": list(tools), **found})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
