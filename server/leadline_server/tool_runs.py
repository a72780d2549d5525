"""Runs of tools on an index: each on one snapshot of it, with notes about what the index may lack."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from leadline_server import __version__
from leadline_server.errors import TooManyOpenFiles
from leadline_server.open_files import limit
from leadline_server.outgoing import is_printable, printable
from leadline_tools.cancellation import Cancelled
from leadline_tools.edits.proposal import Proposal
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.index_notes import freshness_notes, symbol_notes
from leadline_tools.index.request_scope.path_scope import roots_of, scope_notes
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.index.tree.disk.shortage import count_shortages
from leadline_tools.language_servers.server_pool import ServerPool
from leadline_tools.result import Result
from leadline_tools.tool import Takes, Tool

_SNAPSHOT_SECONDS = 5.0
"""Seconds within which a tool is run again because the index changed while it ran."""

_CHANGED = "the index changed while this was computed, so something may be missing: ask again"


class ToolRuns:
    """Runs tools on an index.

    Args:
        index: The index.
        servers: The language servers of its roots.

    """

    def __init__(self, index: Index, servers: Sequence[ServerPool]) -> None:
        self._index = index
        self._servers = servers

    def current(self) -> ToolRuns:
        """Return what runs a call on the index as it is at present, whatever becomes of it meanwhile."""
        index = self._index.current()
        if index is self._index:
            return self
        return ToolRuns(index, [ServerPool(part, ()) for part in index.parts])  # what has other states is on no disk

    def limited_to(self, tool: Tool, arguments: Mapping[str, Any]) -> ToolRuns:
        """Return what runs a call on the roots that it is about, so that it neither waits for others nor reads them."""
        index = self._index
        paths = [str(arguments[name]) for name in tool.takes]
        if not index.root_names or not paths or tool.writes or tool.resolves_names or tool.context is not Index:
            return self
        limited = index.limited_to(frozenset[str]().union(*(roots_of(index, path) for path in paths)))
        if limited is index:
            return self
        parts = {id(part) for part in limited.parts}
        own = [servers for part, servers in zip(index.parts, self._servers, strict=True) if id(part) in parts]
        return ToolRuns(limited, own)

    @property
    def index(self) -> Index:
        """Return the index on which tools are run."""
        return self._index

    @property
    def state(self) -> str:
        """Return what names the state of the index, unfinished indexing and what reads it included."""
        coverage = self._index.coverage()
        doubts = "".join(freshness_notes(self._index))
        policy = self._index.tree.variant
        asked = ",".join(servers.names for servers in self._servers)
        return f"{__version__}:{self._index.files.state}:{coverage.texts}:{coverage.symbols}:{doubts}:{policy}:{asked}"

    def wait_for_index(self, tool: Tool) -> None:
        """Wait until what a tool asks for is known of the tree as it is now."""
        index = self._index
        if tool.asks_for_paths:
            index.scan.wait_for_paths()
            if not index.scan.is_done():
                for part in index.parts:
                    if part.scan.is_done():
                        part.refresh()
                return
        if tool.needs_the_tree or index.scan.is_done():
            index.scan.wait()
            index.refresh()

    def unescape_paths(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with the paths that are shown escaped in answers as the tree has them."""
        escaped = {name for name in tool.takes if "\\" in str(arguments.get(name, ""))}
        if not escaped:
            return arguments
        odd = {printable(path): path for path in self._index.files.paths if not is_printable(path)}
        return {name: odd.get(value, value) if name in escaped else value for name, value in arguments.items()}

    def run(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[object, str]:
        """Return what a tool returns on one snapshot of the index, and what names its state.

        Where the index changes while the tool runs, the tool runs again, for some seconds. An answer that still spans
        several snapshots has a note that something may be missing.
        """
        until = time.monotonic() + _SNAPSHOT_SECONDS
        shortages = count_shortages()
        while True:
            snapshot, state = self._index.snapshot, self.state
            try:
                returned = tool.run(self._index, **arguments)
            except Cancelled:
                raise
            except Exception:
                if self._index.snapshot == snapshot or time.monotonic() > until:
                    raise
                continue
            if count_shortages() > shortages:
                returned = _mark_incomplete(returned, str(TooManyOpenFiles(limit())))
            if self._index.snapshot == snapshot:
                return self._add_scope_notes(tool, arguments, self._add_index_notes(tool, returned, snapshot)), state
            if time.monotonic() > until:
                return self._add_scope_notes(tool, arguments, _mark_incomplete(returned, _CHANGED)), state

    def _add_scope_notes(self, tool: Tool, arguments: Mapping[str, Any], returned: object) -> object:
        """Return an answer with what there is to say of its ``path`` argument."""
        paths = [arguments[name] for name, takes in tool.takes.items() if takes is Takes.Folder]
        notes = tuple(note for path in paths for note in scope_notes(self._index, path))
        return _with_notes(returned, notes) if notes else returned

    def _add_index_notes(self, tool: Tool, returned: object, snapshot: Snapshot) -> object:
        """Return an answer, with a note where it rests on names of the whole tree and not all files are indexed."""
        complete = snapshot.texts == snapshot.symbols == self._index.coverage().files
        if complete or not isinstance(returned, Result) or not tool.resolves_names or returned.span:
            return returned
        notes = (note for note in symbol_notes(self._index) if note not in returned.notes)
        return replace(returned, at_least=True, partial=True, notes=(*returned.notes, *notes))

    def add_freshness_notes(self, result: Result) -> Result:
        """Return an answer that says what changes it may not know of."""
        notes = tuple(note for note in freshness_notes(self._index) if note not in result.notes)
        return replace(result, notes=result.notes + notes) if notes else result


def _with_notes(result: object, notes: tuple[str, ...]) -> object:
    """Return what a tool returned with more notes."""
    if isinstance(result, Proposal):
        return replace(result, result=replace(result.result, notes=result.result.notes + notes))
    return replace(result, notes=result.notes + notes) if isinstance(result, Result) else result


def _mark_incomplete(returned: object, reason: str) -> object:
    """Return an answer as one that may lack something, with the reason."""
    if not isinstance(returned, Result):
        return returned
    return replace(returned, at_least=True, partial=True, notes=(*returned.notes, reason))
