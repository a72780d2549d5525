"""A *resolution*, what a name means: a symbol, a module, a local name, or something external."""

from __future__ import annotations

from dataclasses import dataclass, field

from leadline_tools.model import Reason


@dataclass(frozen=True, slots=True)
class SymbolRef:
    """A definition: its file, its dotted name there, and what led to it.

    ``others`` are definitions of the same name that may be meant as well: which one depends on what is compiled.
    """

    path: str
    name: str
    reason: Reason
    others: tuple[SymbolRef, ...] = field(default=(), compare=False)

    @property
    def all(self) -> tuple[SymbolRef, ...]:
        """Return this definition and the others."""
        return self, *self.others

    def same(self, other: object) -> bool:
        """Return whether ``other`` is the same definition, whatever led to it."""
        return isinstance(other, SymbolRef) and (other.path, other.name) == (self.path, self.name)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the code base.

    Args:
        files: The files that make it up; none where it is a folder without a file of its own.
        folder: That folder.
        language: The name of the language in which it is a module.

    """

    files: tuple[str, ...]
    folder: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class LocalName:
    """A name of a scope of a file that is no symbol; as it is bound on some ``lines``, none for all that bind it.

    Where a type parameter and a value of the scope have the same name, ``of_type`` tells which is meant.
    """

    path: str
    name: str
    scope: int
    lines: frozenset[int] = frozenset()
    of_type: bool | None = None


@dataclass(frozen=True, slots=True)
class ExternalType:
    """A type that is not defined in the code base, by its name; empty where that is not known."""

    name: str = ""


NonSymbol = LocalName | ExternalType
"""What is certainly no symbol of the code base."""

Resolution = SymbolRef | Module | LocalName | ExternalType
EXTERNAL = ExternalType()
"""What is certainly from outside of the code base, and of which nothing else is known."""


def alternatives(resolution: Resolution) -> tuple[Resolution, ...]:
    """Return all that a name may resolve to: several symbols where it depends on what is compiled."""
    return resolution.all if isinstance(resolution, SymbolRef) else (resolution,)


def is_same(one: Resolution, other: Resolution) -> bool:
    """Return whether two resolutions are the same, whatever led to them."""
    return one.same(other) if isinstance(one, SymbolRef) else one == other
