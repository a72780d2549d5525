"""What goes by one name together: a member with all that it overrides and that overrides it, a type with its parts.

Who renames one of them has to rename all: a call through a supertype may mean any of the members, and a constructor is
called like its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of, scoping_of
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.address import Target, defined
from leadline_tools.resolve.implementations import implementations
from leadline_tools.resolve.parts import parts

MOST = 500
"""Members of a family; a larger one is not renamed."""

_MOST_INTERFACES = 100
"""Interfaces with a method of one name, of which it is looked up who has all their methods."""


@dataclass(frozen=True, slots=True)
class Family:
    """What goes by one name together.

    Args:
        members: The symbol that was asked about, then the others.
        outside: What their types inherit from outside of the code base, as it is written.
        unseen: How many files were not looked into in time.

    """

    members: tuple[Target, ...]
    outside: tuple[str, ...] = ()
    unseen: int = 0


def is_member(target: Target) -> bool:
    """Tell whether a symbol is a method or a field of something, as far as its file tells."""
    return bool(target.first.container) and target.first.kind in CALLABLE | VARIABLE


def family(index: Index, target: Target) -> Family:
    """Return what goes by the name of a symbol; at most ``MOST`` members and one more."""
    known: dict[tuple[str, str], Target] = {}
    outside: dict[str, None] = {}
    unseen = 0
    waiting = [target]
    while waiting and len(known) <= MOST:
        one = waiting.pop()
        if (one.path, one.name) in known:
            continue
        known[one.path, one.name] = one
        if not is_member(one):
            waiting += _parts(index, one)
            continue
        for up in (True, False):
            related = implementations(index, one, up=up)
            waiting += defined(index, [(other.of.path, other.of.name) for other in related.found])
            outside.update(dict.fromkeys(related.outside))
            unseen += related.unseen
        waiting += _fitted(index, one)
    return Family(tuple(known.values()), tuple(outside), unseen)


def _parts(index: Index, target: Target) -> Iterator[Target]:
    """Yield the constructors of a type that are called like it, and the other parts of a partial one."""
    if target.first.kind not in CLASS_LIKE:
        return
    yield from parts(index, target)
    name = target.first.name
    for hit in index.names.exact(name).hits:
        part, path = hit.definition, hit.file.path
        if language_of(path) is not language_of(target.path) or (path, part.path) == (target.path, target.name):
            continue
        if part.path == f"{target.name}.{name}" and part.kind in CALLABLE:
            yield from defined(index, [(path, part.path)])


def _fitted(index: Index, target: Target) -> Iterator[Target]:
    """Yield the methods of interfaces that a type has without naming them, where one of them is this one."""
    scoping = scoping_of(target.path)
    if scoping is None or not scoping.structural:
        return
    asked = 0
    for hit in index.names.exact(target.first.name).hits:
        owner = hit.definition.container
        if not owner or language_of(hit.file.path) is not language_of(target.path) or asked == _MOST_INTERFACES:
            continue
        found = defined(index, [(hit.file.path, owner)])
        if not found or found[0].first.kind is not SymbolKind.Interface:
            continue
        asked += 1
        for method in defined(index, [(hit.file.path, hit.definition.path)]):
            having = implementations(index, method, up=False).found
            if any((one.of.path, one.of.name) == (target.path, target.name) for one in having):
                yield method
