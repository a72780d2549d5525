"""The hover of a symbol: its type as a language server says it, as editors show it where the pointer rests."""

from __future__ import annotations

from dataclasses import dataclass

from leadline_tools.index.index import Index
from leadline_tools.index.text.key_masking import clip_text
from leadline_tools.language_servers.client import Client
from leadline_tools.language_servers.locations import SourceLocation
from leadline_tools.language_servers.server_pool import ServerTask, server_for, wait
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

SECONDS = 1.0
"""Seconds that an answer waits for a server."""

_LONGEST = 200


class Hover(ServerTask):
    """A symbol on its way to a server, and what that says of it."""

    def __init__(self, place: SourceLocation) -> None:
        super().__init__()
        self.said = ""
        self._place = place

    def run(self, client: Client) -> None:
        """Ask a server. Raises ServerFault."""
        if client.show([self._place.path]):
            self.said = _line(client.hover(self._place))


@dataclass(frozen=True, slots=True)
class HoverText:
    """What a server says of a symbol, in one line, and whether it may say more when it is asked again."""

    line: str = ""
    pending: bool = False


def hover_text(index: Index, target: DefinedSymbol) -> HoverText:
    """Return what the language server for a symbol says of it, where there is one and it answers in time."""
    server = server_for(index, target.path)
    if server is None:
        return HoverText()
    place = SourceLocation(target.path, target.first.line, target.first.column)
    hover = server.pool.inquire(server.managed, (index.files.state, place), Hover(place))
    wait(hover, SECONDS)
    if not hover.done.is_set():
        return HoverText(pending=True)
    return HoverText(f"{server.managed.name}: {hover.said}" if hover.said else "")


def _line(said: str) -> str:
    """Return the first paragraph of what is said, without the fences of code."""
    lines = [line.strip() for line in said.splitlines() if not line.startswith("```")]
    end = lines.index("") if "" in lines else len(lines)
    first = " ".join(" ".join(lines[:end]).split())
    return first if len(first) <= _LONGEST else f"{clip_text(first, _LONGEST)}..."
