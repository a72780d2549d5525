"""The set of tools that a server offers, and their order."""

from __future__ import annotations

from collections.abc import Iterable

from leadline_server.errors import UnknownTool
from leadline_tools.tool import TOOLS

CORE = (
    "list_files",
    "count_files",
    "read_file",
    "search_text",
    "symbol_search",
    "document_symbols",
    "go_to_definition",
    "find_references",
    "read_result",
)
"""The tools of ``--tools core``, in the order in which tools are listed; the others follow by name."""


def sort_tools(names: Iterable[str]) -> list[str]:
    """Return names of tools in the order in which tools are listed."""
    return sorted(names, key=lambda name: (CORE.index(name) if name in CORE else len(CORE), name))


def select_tools(value: str) -> tuple[str, ...]:
    """Return the names of the tools that a value of ``--tools`` selects: ``all``, ``core`` or names, with commas.

    No names are all tools. Raises UnknownTool.
    """
    names = [name for part in value.split(",") if (name := part.strip())]
    for name in names or [value]:
        if name not in {"all", "core", *TOOLS}:
            raise UnknownTool(name, ("all", "core", *sort_tools(TOOLS)))
    if "all" in names:
        return ()
    selected = {tool for name in names for tool in (CORE if name == "core" else (name,))}
    return tuple(sort_tools(selected))
