"""What every client does with a server, whatever its API is called: list, call, page to the end, read the resource.

Run by the drivers beside it, in environments that have neither this project nor its tests' dependencies.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Awaitable, Callable

Call = Callable[[str, dict[str, object]], Awaitable[str]]
"""Calls a tool with arguments, and returns the text of the answer."""

Read = Callable[[str], Awaitable[str]]
"""Reads the resource at a URI, and returns its text."""

QUESTION: tuple[str, dict[str, object]] = ("document_symbols", {"path": "many.py", "max_tokens": 200})


async def seen(call: Call, read: Read) -> dict[str, object]:
    """Return what a client sees of a result that was cut: its text, its pages to the end, and its resource."""
    tool, arguments = QUESTION
    text = await call(tool, arguments)
    (uri,) = re.findall(r"^all: (\S+)$", text, re.MULTILINE)
    items: list[object] = []
    while True:
        page = json.loads(await call("read_result", {"uri": uri, "offset": len(items), "format": "json"}))
        items += page["items"]
        if page["complete"] or not page["items"]:
            break
    return {"text": text, "items": items, "resource": json.loads(await read(uri))}


def told(found: dict[str, object]) -> None:
    """Print what was seen, as one JSON object."""
    sys.stdout.write(json.dumps(found))
