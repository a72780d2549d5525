"""Which tools a server offers, and in which order."""

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


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of tools in the order in which tools are listed."""
    return sorted(names, key=lambda name: (CORE.index(name) if name in CORE else len(CORE), name))


def chosen(told: str) -> tuple[str, ...]:
    """Return the names of the tools that ``--tools`` stands for: ``all``, ``core``, or names with commas.

    No names are all tools. Raises UnknownTool.
    """
    if told.strip() in ("all", "core"):
        return CORE if told.strip() == "core" else ()
    names = [name for part in told.split(",") if (name := part.strip())]
    for name in names or [told]:
        if name not in TOOLS:
            raise UnknownTool(name, ("all", "core", *in_order(TOOLS)))
    return tuple(in_order(set(names)))
