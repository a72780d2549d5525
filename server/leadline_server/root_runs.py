"""Runs on one of several roots: a call that names a symbol by its file is answered there, if that decides it.

Names are resolved inside one root, so a definition, or the uses in a ``path`` of that root, take nothing from the
others. Two things do: what else has a name whose meaning is not known, and what an address means that is none of a
symbol of the file. Such a call is answered on all roots after all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from leadline_server.tool_runs import ToolRuns
from leadline_tools.errors import BadArgument, LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.path_scope import roots_of
from leadline_tools.navigation.go_to_definition import CANDIDATES
from leadline_tools.resolve.addresses.address_list import split_addresses
from leadline_tools.result import Result
from leadline_tools.tool import Takes, Tool

_END_OF_PATH = re.compile("[:#]")
"""What stands between the path of a file and the symbol in it."""

_EVERYWHERE = ("", ".")


class Undecided(Exception):  # noqa: N818  it is what the answer is
    """One root does not decide what the answer is."""


class RootRuns(ToolRuns):
    """Runs tools on the root of the file that a call names.

    Args:
        index: The index of that root.
        path: The file.
        unscanned: See ``ToolRuns``.

    """

    def __init__(self, index: Index, path: str, unscanned: Sequence[str] = ()) -> None:
        super().__init__(index, unscanned)
        self._path = path

    def run(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[object, str]:
        """Return what a tool returns, and what names the state of the index; raises Undecided."""
        if not self.index.paths.exists(self._path):
            raise Undecided
        try:
            returned, state = super().run(tool, arguments)
        except BadArgument:
            raise
        except LeadlineError as error:
            raise Undecided from error
        if isinstance(returned, Result) and returned.noun == CANDIDATES:
            raise Undecided
        return returned, state


def within_root(runs: ToolRuns, tool: Tool, arguments: Mapping[str, Any]) -> RootRuns | None:
    """Return what runs a call on the root of the file that its symbol is named by.

    None where there is no such file, and where an answer tells what other roots have of the name.
    """
    index = runs.index
    if tool.writes or not tool.resolves_names or len(index.root_names) < 2:
        return None
    symbols = [str(arguments[name]).strip() for name, takes in tool.takes.items() if takes is not Takes.Folder]
    folders = [str(arguments[name]) for name, takes in tool.takes.items() if takes is Takes.Folder]
    alone = len(symbols) == 1 and len(split_addresses(index, symbols[0])) == 1
    path, *behind = _END_OF_PATH.split(symbols[0], 1) if alone else ("",)
    root = index.root_names.of(path) if behind else ""
    limits = [roots_of(index, folder) for folder in folders if folder not in _EVERYWHERE]
    if not root or path == root or any(limit != {root} for limit in limits):
        return None
    if tool.counts_other_roots and not limits:
        return None
    return RootRuns(index.limited_to({root}), path)
