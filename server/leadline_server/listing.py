"""The cost of ``tools/list`` and the instructions for a model before its first call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from leadline_estimators import count
from leadline_server.app import instructions, tool_declaration
from leadline_server.registry import TOOLS
from leadline_tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Listing:
    """Tools as a client lists them, in o200k tokens: each alone, the instructions, and all together."""

    tools: Mapping[str, int]
    instructions: int
    total: int


def listing(names: Iterable[str]) -> Listing:
    """Return what the tools called ``names`` cost when they are all that is offered."""
    tools = {name: TOOLS[name] for name in names}
    each = {name: _declaration_json(tool) for name, tool in tools.items()}
    cost = count(instructions(tools))
    return Listing(
        {name: count(text) for name, text in each.items()}, cost, count(f"[{','.join(each.values())}]") + cost
    )


def _declaration_json(tool: Tool) -> str:
    """Return the JSON of a tool as a model is given it."""
    made = tool_declaration(tool)
    cost = {"name": made.name, "description": made.description, "inputSchema": made.input_schema}
    return json.dumps(cost, ensure_ascii=False, separators=(",", ":"))
