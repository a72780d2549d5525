"""A client as it was before MCP 2026-07-28, on the SDK 1.x: what it gets from a server, printed as one JSON object.

    legacy_client.py stdio COMMAND [ARGUMENT]...
    legacy_client.py http URL
    legacy_client.py sse URL

Run by a test, in an environment of its own (scripts/legacy-environment). Types are checked where the SDK is a newer
one, so what is taken from the SDK has none.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

TOOL, ARGUMENTS = "document_symbols", {"path": "many.py", "max_tokens": 200}
"""The call whose answer is cut, and read to its end."""


@asynccontextmanager
async def connected(way: str, target: list[str]) -> AsyncIterator[Any]:
    """Connect to a server, and yield the session before its handshake."""
    sdk: Any = importlib.import_module("mcp")
    if way == "stdio":
        command, *arguments = target
        parameters = sdk.StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
        transport = sdk.stdio_client(parameters)
    elif way == "http":
        transport = importlib.import_module("mcp.client.streamable_http").streamable_http_client(*target)
    else:
        transport = importlib.import_module("mcp.client.sse").sse_client(*target)
    async with transport as streams, sdk.ClientSession(*streams[:2]) as session:
        yield session


async def seen(session: Any) -> dict[str, object]:
    """Return what the server tells: about itself, its tools, an answer, all its pages and its resource."""
    greeting = await session.initialize()
    tools = (await session.list_tools()).tools
    first = await session.call_tool(TOOL, ARGUMENTS)
    text = first.content[0].text
    uri = re.findall(r"^all: (\S+)$", text, re.MULTILINE)[-1]
    return {
        "sdk": version("mcp"),
        "protocol": greeting.protocolVersion,
        "server": greeting.serverInfo.name,
        "instructions": greeting.instructions,
        "tools": [[tool.name, tool.description, tool.inputSchema] for tool in tools],
        "text": text,
        "uri": uri,
        "pages": await pages(session, uri),
        "resource": await resource(session, uri),
        "resource_page": await resource(session, f"{uri}?offset=5&limit=2"),
        "resource_all": await resource(session, f"{uri}?limit=0"),
        "unknown_resource": await refusal(session, uri[:-3] + "zzz"),
        "bad_call": await bad_call(session),
    }


async def pages(session: Any, uri: str) -> list[object]:
    """Return the items of all pages of a stored result, one after the other."""
    items: list[object] = []
    while True:
        arguments = {"uri": uri, "offset": len(items), "format": "json"}
        page = json.loads((await session.call_tool("read_result", arguments)).content[0].text)
        items += page["items"]
        if page["complete"] or not page["items"]:
            return items


async def resource(session: Any, uri: str) -> object:
    """Return a resource."""
    (content,) = (await session.read_resource(uri)).contents
    return json.loads(content.text)


async def refusal(session: Any, uri: str) -> list[object]:
    """Return the code and the message with which a resource is refused."""
    error: Any = importlib.import_module("mcp.shared.exceptions").McpError
    try:
        await session.read_resource(uri)
    except error as refused:
        return [refused.error.code, refused.error.message]
    return []


async def bad_call(session: Any) -> list[object]:
    """Return what a call with a wrong argument gets."""
    result = await session.call_tool("read_file", {"path": "many.pi"})
    return [result.isError, result.content[0].text]


async def main(way: str, *target: str) -> None:
    """Print what a server tells."""
    async with connected(way, list(target)) as session:
        found = await seen(session)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
