"""What a name can mean."""

from __future__ import annotations

from dataclasses import dataclass, field

from leadline_tools.model import Reason


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition: its file, its dotted name there, and what led to it.

    ``others`` are definitions of the same name that may be meant as well: which one depends on what is compiled.
    """

    path: str
    name: str
    reason: Reason
    others: tuple[Defined, ...] = field(default=(), compare=False)

    @property
    def all(self) -> tuple[Defined, ...]:
        """Return this definition and the others."""
        return self, *self.others

    def same(self, other: object) -> bool:
        """Tell whether ``other`` is the same definition, whatever led to it."""
        return isinstance(other, Defined) and (other.path, other.name) == (self.path, self.name)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the code base: the files that make it up."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Something that is certainly not a symbol of the code base: a local name of a scope, or what is from outside.

    ``path`` is empty for what is from outside; ``name`` is then that of a type, empty where it is not known. A local
    name may be meant as it is bound on a ``line``; 0 for all that it is bound to.
    """

    path: str = ""
    name: str = ""
    scope: int = 0
    line: int = 0


Meaning = Defined | Module | Elsewhere
ELSEWHERE = Elsewhere()
