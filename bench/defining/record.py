"""A drawing of identifiers with where engines say that each is defined, as it is kept in a file.

The file is JSON, one identifier a line: path, line, column, name, kind of token, half, and the votes, each with how
many engines gave it; what is outside of the tree has no path::

    {"tree": "httpx", "version": "httpx 0.28.1", "language": "python", "seed": 1, "engines": ["ty 0.0.1", ...],
     "tokens": [
    ["a.py", 3, 5, "f", "call", "tune", [["b.py", 1, 15, 2], ["", 0, 0, 1]]],
    ...]}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from defining.tokens import Sort, Token
from truth.record import Place

FOLDER = Path(__file__).parent.parent / "truth" / "definitions"
"""Where the drawings are kept: TREE.json."""


class Vote(NamedTuple):
    """A place at which some engines say that an identifier is defined; None for outside of the tree."""

    place: Place | None
    engines: int


@dataclass(frozen=True, slots=True)
class Known:
    """An identifier and what engines say of it."""

    token: Token
    votes: Sequence[Vote]

    def agreed(self, needed: int) -> frozenset[Place | None]:
        """Return the places that enough engines give; empty where they do not agree."""
        return frozenset(vote.place for vote in self.votes if vote.engines >= needed)

    @property
    def places(self) -> frozenset[Place | None]:
        """Return the places that any engine gives."""
        return frozenset(vote.place for vote in self.votes)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a drawing comes from: the tree and its version, the language, the seed, and the engines."""

    tree: str
    version: str
    language: str
    seed: int
    engines: tuple[str, ...]

    @property
    def needed(self) -> int:
        """Return how many engines have to give a place."""
        return min(2, len(self.engines))


@dataclass(frozen=True, slots=True)
class Drawing:
    """The identifiers of one tree."""

    origin: Origin
    tokens: Sequence[Known]

    def write(self, path: Path) -> None:
        """Keep the drawing in a file."""
        head = json.dumps(asdict(self.origin))
        rows = ",\n".join(json.dumps(_row(known), separators=(",", ":")) for known in self.tokens)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{head.removesuffix("}")},\n "tokens": [\n{rows}\n]}}\n', encoding="utf-8")


def read(path: Path) -> Drawing:
    """Return the drawing that a file keeps."""
    data = json.loads(path.read_text(encoding="utf-8"))
    fields = {name: data[name] for name in Origin.__slots__}
    origin = Origin(**{**fields, "engines": tuple(fields["engines"])})
    return Drawing(origin, [_known(row) for row in data["tokens"]])


def _row(known: Known) -> Sequence[object]:
    token = known.token
    votes = [[*(vote.place or ("", 0, 0)), vote.engines] for vote in known.votes]
    return [*token.place, token.name, token.sort, token.half, votes]


def _known(row: Sequence[Any]) -> Known:
    path, line, column, name, sort, half, votes = row
    token = Token(Place(path, line, column), name, Sort(sort), half)
    return Known(token, [Vote(Place(*place) if place[0] else None, number) for *place, number in votes])
