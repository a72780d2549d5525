"""Who is asked for references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from truth.record import Drawn, Place


@dataclass(frozen=True, slots=True)
class Told:
    """What an engine tells of one symbol.

    Args:
        places: Every place that means it.
        unseen: Places that the engine does not look at: they count for nobody.
        others: Places that it or another engine tells, but that by its word belong to another declaration.

    """

    places: frozenset[Place]
    unseen: frozenset[Place] = frozenset()
    others: frozenset[Place] = field(default=frozenset(), compare=False)


class Engine(Protocol):
    """A compiler or type checker that tells the references of symbols."""

    @property
    def version(self) -> str:
        """Return its name and version."""
        ...

    def sees(self, path: str) -> bool:
        """Return whether it looks into a file."""
        ...

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol what means it, itself among it; None for a symbol that the engine does not know."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class Closing(Protocol):
    """What is ended."""

    def close(self) -> None:
        """End it."""
        ...


EngineT = TypeVar("EngineT", bound=Closing)


@contextmanager
def ended(engines: Sequence[EngineT]) -> Iterator[Sequence[EngineT]]:
    """Give engines, and end them."""
    try:
        yield engines
    finally:
        for engine in engines:
            engine.close()


class Around:
    """What is the same of every engine that asks another one, and does not take all that it tells."""

    def __init__(self, engine: Engine) -> None:
        self._asked = engine
        self.version = engine.version

    def sees(self, path: str) -> bool:
        """Return whether it looks into a file."""
        return self._asked.sees(path)

    def close(self) -> None:
        """End it."""
        self._asked.close()
