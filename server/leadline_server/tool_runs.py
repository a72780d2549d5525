"""Runs of tools on an index: each on one snapshot of it, with notes about what the index may lack."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from leadline_server.code_state import code_state
from leadline_server.errors import TooManyOpenFiles
from leadline_server.index_wait import wait_for_symbols
from leadline_server.open_files import limit
from leadline_server.outgoing import is_printable, printable
from leadline_tools import patience
from leadline_tools.cancellation import Cancelled
from leadline_tools.edits.proposal import Proposal
from leadline_tools.errors import (
    BadArgument,
    NamesNotFoundInTime,
    NoFileMatches,
    NoSuchSymbol,
    PathNotFound,
    StillLooking,
)
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import first_scan
from leadline_tools.index.request_scope.index_notes import age_notes, commit_notes, freshness_notes, symbol_notes
from leadline_tools.index.request_scope.path_scope import check_root, roots_of, scope_notes
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.index.tree.disk.shortage import count_shortages
from leadline_tools.language_servers.server_pool import pool_of
from leadline_tools.resolve.addresses.address_list import split_addresses
from leadline_tools.resolve.ambiguity.joined_answers import join_answers
from leadline_tools.result import Result
from leadline_tools.tool import Knowledge, Takes, Tool

_SNAPSHOT_SECONDS = 5.0
"""Seconds within which a tool is run again because the index changed while it ran."""

_ANSWER_SHARE = 0.3
"""Of the patience of a call, what is left for the answer after the wait for the index."""

_CHANGED = "the index changed while this was computed, so something may be missing: ask again"

_CUT_SHORT = "the time ran out while names were looked up, so something may be missing: ask again"


class ToolRuns:
    """Runs tools on an index.

    Args:
        index: The index.
        unscanned: The roots of a call that are not part of the index, because their first scan is not finished.

    """

    def __init__(self, index: Index, unscanned: Sequence[str] = ()) -> None:
        self._index = index
        self._unscanned = unscanned

    def limited_to(self, tool: Tool, arguments: Mapping[str, Any]) -> ToolRuns:
        """Return what runs a call on the roots that it is about, so that it neither waits for others nor reads them.

        Raises PathNotFound for a path in no root.
        """
        index = self._index
        paths = [str(arguments[name]) for name in tool.takes]
        if not index.root_names or not paths or tool.resolves_names or tool.context is not Index:
            return self
        for path in paths:
            check_root(index, path)
        limited = index.limited_to(frozenset[str]().union(*(roots_of(index, path) for path in paths)))
        return self if limited is index else ToolRuns(limited)

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
        pools = filter(None, map(pool_of, self._index.parts))
        asked = ",".join((*(pool.names for pool in pools), *commit_notes(self._index)))
        return f"{code_state()}:{self._index.files.state}:{coverage.texts}:{coverage.symbols}:{doubts}:{policy}:{asked}"

    def wait_for_index(self, tool: Tool, arguments: Mapping[str, Any]) -> ToolRuns:
        """Wait until what a tool asks for is known of the tree as it is now; return what runs it.

        Of several roots, those whose first scan takes long are left out, if the call names none of them. Raises
        StillLooking where none is left.
        """
        index = self._index
        if tool.context is not Index or not tool.needs_the_tree or arguments.get("undo"):
            if index.scan.is_done():
                index.refresh()
            return self
        names, named = frozenset(index.root_names), _named_roots(index, tool, arguments)
        seconds = first_scan.LOOK_SECONDS
        if len(names) > 1:
            seconds = min(seconds, patience.current().seconds / 2)
        unscanned = index.scan.unscanned_roots(named, seconds, paths_alone=tool.asks_for is Knowledge.Paths)
        if len(unscanned) >= max(1, len(names)) or not named.isdisjoint(unscanned):
            raise StillLooking(seconds)
        limited = index.limited_to(names.difference(unscanned))
        of_paths = tool.asks_for is Knowledge.Paths
        for part in limited.parts if of_paths and not limited.scan.is_done() else (limited,):
            if part.scan.is_done():
                part.refresh()
        if tool.asks_for is Knowledge.Symbols:
            limit = patience.current()
            wait_for_symbols(limited, limit.deadline - limit.seconds * _ANSWER_SHARE)
        return self if limited is index else ToolRuns(limited, unscanned)

    def unescape_paths(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with the paths that are shown escaped in answers as the tree has them."""
        escaped = _escaped_paths(tool, arguments)
        if not escaped:
            return arguments
        odd = [path for path in self._index.files.paths if not is_printable(path)]
        shown = {printable(str(place)): str(place) for path in odd for place in (path, *PurePosixPath(path).parents)}
        return arguments | {name: shown.get(printable(value.rstrip("/")), value) for name, value in escaped.items()}

    def unescape_roots(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments whose paths begin with the names of roots as these are, not as answers show them."""
        escaped = _escaped_paths(tool, arguments)
        odd = [name for name in self._index.root_names if not is_printable(name)] if escaped else []
        for name in odd:
            shown = printable(name)
            for argument, path in escaped.items():
                if path == shown or path.startswith((f"{shown}/", f"{shown}:")):
                    arguments = arguments | {argument: name + path.removeprefix(shown)}
        return arguments

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
                returned = self._mark_unscanned(self._answer(tool, arguments))
            except Cancelled:
                raise
            except (NoFileMatches, NoSuchSymbol, PathNotFound):
                self._raise_if_unknown()
                raise
            except Exception:
                if self._index.snapshot == snapshot or time.monotonic() > until:
                    raise
                continue
            returned = _mark_shortfalls(returned, files=count_shortages() > shortages)
            if self._index.snapshot == snapshot:
                returned = self._add_scope_notes(tool, arguments, self._add_index_notes(tool, returned, snapshot))
                return _with_notes(returned, commit_notes(self._index)), state
            if time.monotonic() > until:
                return self._add_scope_notes(tool, arguments, _mark_incomplete(returned, _CHANGED)), state

    def _answer(self, tool: Tool, arguments: Mapping[str, Any]) -> object:
        """Return what a tool returns; one answer where an argument names several symbols."""
        name = tool.symbol_argument
        addresses = split_addresses(self._index, arguments[name]) if name else ()
        if len(addresses) <= 1:
            return tool.run(self._index, **arguments)
        if tool.writes:
            raise BadArgument(name, f"it names {len(addresses)} symbols", f"Call {tool.name} for one at a time.")
        return join_answers(addresses, lambda address: self._ask(tool, {**arguments, name: address}))

    def _ask(self, tool: Tool, arguments: Mapping[str, Any]) -> Result:
        """Return the answer about one of several symbols."""
        returned = tool.run(self._index, **arguments)
        if not isinstance(returned, Result):
            raise TypeError(f"{tool.name} returned {type(returned).__name__}, not a result")
        return returned

    def _raise_if_unknown(self) -> None:
        """Raise the error that says why it is not known whether there is what was not found, where that is so."""
        if self._unscanned:
            raise StillLooking(first_scan.LOOK_SECONDS) from None
        if patience.current().cut_short:
            raise NamesNotFoundInTime from None

    def _mark_unscanned(self, returned: object) -> object:
        """Return an answer, as one that may lack something where roots of the call are not part of the index."""
        if not self._unscanned:
            return returned
        more = f" and {len(self._unscanned) - 1:,} more roots" if len(self._unscanned) > 1 else ""
        note = f"without {self._unscanned[0]}{more}: the first scan is not finished, call again"
        return _mark_incomplete(returned, note) if isinstance(returned, Result) else _with_notes(returned, (note,))

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
        notes = tuple(
            note for note in (*freshness_notes(self._index), *age_notes(self._index)) if note not in result.notes
        )
        return replace(result, notes=result.notes + notes) if notes else result


def _escaped_paths(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments that may be paths as answers show them: with a backslash."""
    return {name: str(arguments[name]) for name in tool.takes if "\\" in str(arguments.get(name, ""))}


def _named_roots(index: Index, tool: Tool, arguments: Mapping[str, Any]) -> frozenset[str]:
    """Return the roots that the paths and symbols of a call name, which it cannot be answered without."""
    every = frozenset(index.root_names)
    about = (roots_of(index, str(arguments[name])) for name in tool.takes)
    return frozenset[str]().union(*(roots for roots in about if roots != every or len(every) == 1))


def _with_notes(result: object, notes: tuple[str, ...]) -> object:
    """Return what a tool returned with more notes."""
    if isinstance(result, Proposal):
        return replace(result, result=replace(result.result, notes=result.result.notes + notes))
    return replace(result, notes=result.notes + notes) if isinstance(result, Result) else result


def _mark_shortfalls(returned: object, *, files: bool) -> object:
    """Return an answer, as one that may lack something where ``files`` could not be opened, or names not looked up."""
    if files:
        returned = _mark_incomplete(returned, str(TooManyOpenFiles(limit())))
    return _mark_incomplete(returned, _CUT_SHORT) if patience.current().cut_short else returned


def _mark_incomplete(returned: object, reason: str) -> object:
    """Return an answer as one that may lack something, with the reason."""
    if not isinstance(returned, Result):
        return returned
    return replace(returned, at_least=True, partial=True, notes=(*returned.notes, reason))
