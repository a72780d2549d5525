"""Implementers that a language server adds: subtypes and overriding members, where a base is computed.

What our rules find is certain, so a server has to find all of it by itself before it is believed, and to say the same
twice. What it adds must be a definition of the tree: a type, or a member of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from leadline_tools.index.index import Index
from leadline_tools.language_servers.client import MOST_OPEN, Client
from leadline_tools.language_servers.locations import SourceLocation
from leadline_tools.language_servers.server_pool import ServerTask, server_for, wait
from leadline_tools.languages.outline import CLASS_LIKE, Definition, owner_of
from leadline_tools.resolve.project.project import files_with_name
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

SECONDS = 2.0
"""Seconds that an answer waits for a server."""

_PAUSE = 0.3
_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Implementers:
    """What a server adds.

    Args:
        found: The definitions that it adds, in the order of their paths and lines.
        notes: What it added, or why it was not believed.
        pending: True where it may add something when the same is asked again.

    """

    found: tuple[DefinedSymbol, ...] = ()
    notes: tuple[str, ...] = ()
    pending: bool = False


class _Inquiry(ServerTask):
    """A symbol on its way to a server, and the places at which that says it is implemented."""

    def __init__(self, place: SourceLocation, paths: Sequence[str]) -> None:
        super().__init__()
        self.places: frozenset[SourceLocation] | None = None
        self._place, self._paths = place, paths

    def run(self, client: Client) -> None:
        """Ask a server until two answers are the same. Raises ServerFault."""
        if not client.tells_implementations or self._place.path not in client.show(self._paths):
            return
        before: frozenset[SourceLocation] | None = None
        for _ in range(_ROUNDS):
            told = frozenset(client.implementations(self._place))
            if told == before:
                self.places = told
                return
            before = told
            if self.closing.wait(_PAUSE):
                return


def implementers(index: Index, target: DefinedSymbol, known: Sequence[DefinedSymbol], *, every: bool) -> Implementers:
    """Return what the language server for a symbol adds to what is known to implement it; raises Cancelled.

    Args:
        index: The index of the root.
        target: A type or a member of one.
        known: What implements it as our rules have it.
        every: Whether all of that is certain, so that the server has to find it as well.

    """
    server = server_for(index, target.path)
    if server is None:
        return Implementers()
    name = server.managed.name
    place = SourceLocation(target.path, target.first.line, target.first.column)
    paths = dict.fromkeys(
        (target.path, *(one.path for one in known), *files_with_name(index, _named(target), target.path))
    )
    inquiry = _Inquiry(place, list(islice(paths, MOST_OPEN)))
    inquiry = server.pool.inquire(server.managed, (index.files.state, "implementation", place), inquiry)
    wait(inquiry, SECONDS)
    if not inquiry.done.is_set():
        return Implementers(notes=(f"{name} is still reading: ask again for what it adds",), pending=True)
    if inquiry.failure:
        return Implementers(notes=(f"{name} {inquiry.failure}: its results are missing",))
    if inquiry.places is None:
        return Implementers()
    lacking = sum(not _told(one, inquiry.places) for one in known)
    if every and lacking:
        doubt = f"it lacks {lacking:,} of {len(known):,} that are certain"
        return Implementers(notes=(f"server answer incomplete: {name}: {doubt}; not used",))
    added = tuple(_added(index, target, inquiry.places, [target, *known]))
    return Implementers(added, (f"{name} adds {len(added):,}",) if added else ())


def _named(target: DefinedSymbol) -> str:
    """Return the name that whoever implements a symbol most likely spells: that of the type."""
    return (owner_of(target.name) or target.first.name).rpartition(".")[2]


def _told(target: DefinedSymbol, places: frozenset[SourceLocation]) -> bool:
    """Return whether a symbol is defined at one of some places."""
    return any(_stands(one, place) for one in target.definitions for place in places if place.path == target.path)


def _stands(definition: Definition, place: SourceLocation) -> bool:
    """Return whether a place of its file is that of a definition: of its name, or of the first line of the whole."""
    return place.line in (definition.line, definition.start_line)


def _added(
    index: Index, target: DefinedSymbol, places: frozenset[SourceLocation], known: Sequence[DefinedSymbol]
) -> Iterator[DefinedSymbol]:
    """Yield the symbols at places that are not known yet; those at which none like the one in question is are lies."""
    is_type = target.first.kind in CLASS_LIKE
    names: dict[tuple[str, str], None] = {}
    for place in sorted(place for place in places if not place.outside and index.paths.exists(place.path)):
        source = index.try_read(place.path)
        for one in index.symbols.definitions(source) if source is not None else ():
            alike = one.kind in CLASS_LIKE if is_type else one.name == target.first.name and bool(one.container)
            if alike and _stands(one, place):
                names[place.path, one.path] = None
    ours = {(one.path, one.name) for one in known}
    yield from load_symbols(index, [name for name in names if name not in ours])
