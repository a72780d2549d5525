"""Drives a server with the client of fastmcp: ``fastmcp_client.py stdio COMMAND...`` or ``http URL``."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from importlib.metadata import version
from typing import Any

from seen import seen, told


async def main(way: str, *target: str) -> None:
    """Print what a server shows to the client."""
    fastmcp: Any = importlib.import_module("fastmcp")
    transports: Any = importlib.import_module("fastmcp.client.transports")
    where = transports.StdioTransport(target[0], list(target[1:]), dict(os.environ)) if way == "stdio" else target[0]
    async with fastmcp.Client(where) as client:

        async def call(tool: str, arguments: dict[str, object]) -> str:
            return str((await client.call_tool(tool, arguments)).content[0].text)

        async def read(uri: str) -> str:
            return str((await client.read_resource(uri))[0].text)

        tools = [tool.name for tool in await client.list_tools()]
        found = await seen(call, read)
        protocol = str(client.protocol_version)
    told({"version": version("fastmcp"), "protocol": protocol, "tools": tools, **found})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
