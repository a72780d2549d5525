"""Completion of what a person types: paths and symbols, from the index."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leadline_server.outgoing import printable
from leadline_tools.index.index import Index
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.questions.names import Wanted
from leadline_tools.languages.outline import Definition
from leadline_tools.resolve.symbols.defined_symbol import qualified
from leadline_tools.tool import SYMBOLS, Takes

MOST = 100
"""Values of one completion, as the protocol has it."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What may be meant, likeliest first, and how many there are in all; None where that is not known."""

    values: tuple[str, ...] = ()
    total: int | None = 0


NOTHING = Completion()


def complete(index: Index, takes: Takes | None, typed: str) -> Completion:
    """Return what ``typed`` may become as an argument that takes a path or a symbol; nothing for other arguments."""
    if takes in (Takes.Folder, Takes.File, Takes.Code):
        return _completion_of(_complete_path(index, typed))
    if takes in SYMBOLS:
        return _complete_symbol(index, typed)
    return NOTHING


def _completion_of(values: Sequence[str]) -> Completion:
    return Completion(tuple(map(printable, values[:MOST])), len(values))


def _complete_path(index: Index, typed: str) -> Sequence[str]:
    """Return the folders and files directly below what is typed so far; else the files whose name begins with it."""
    start = typed.removeprefix("./")
    root, slash, _ = start.partition("/")
    if not slash and (roots := [f"{name}/" for name in index.root_names if name.startswith(start)]):
        return roots
    index = index.limited_to([root]) if slash and root in index.root_names else index.opened
    found = list(dict.fromkeys(_next_part(path, len(start)) for path in _paths_with_prefix(index.files.paths, start)))
    if found or "/" in start or not start:
        return found
    lower = start.lower()
    named = (path for path in index.files.paths if path.rpartition("/")[2].lower().startswith(lower))
    return sorted(named, key=lambda path: (path.count("/"), path))


def _paths_with_prefix(paths: Sequence[str], start: str) -> Sequence[str]:
    """Return those of sorted paths that begin with ``start``."""
    first = bisect.bisect_left(paths, start)
    return paths[first : bisect.bisect_left(paths, f"{start}\U0010ffff", first)]


def _next_part(path: str, position: int) -> str:
    """Return a path up to the first slash at or after a position, slash included."""
    slash = path.find("/", position)
    return path if slash < 0 else path[: slash + 1]


def _complete_symbol(index: Index, typed: str) -> Completion:
    """Return names that begin with what is typed; after a dot, those of members of what precedes it."""
    container, dot, name = typed.strip().rpartition(".")
    if not name:
        return NOTHING

    def accepts(path: str, definition: Definition) -> bool:
        owner = qualified(path, definition.path).rpartition(".")[0]
        return owner == container or owner.endswith(f".{container}")

    found = index.opened.names.search(name, Match.Prefix, Wanted(accepts=accepts) if dot else Wanted())
    names = _distinct(f"{container}.{hit.definition.name}" if dot else hit.definition.name for hit in found.hits)
    return Completion(tuple(map(printable, names[:MOST])), None if len(found.hits) < found.total else len(names))


def _distinct(names: Iterable[str]) -> Sequence[str]:
    return list(dict.fromkeys(names))
