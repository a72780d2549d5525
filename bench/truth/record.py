"""A drawing of symbols with all their references, as it is kept in a file.

A place is a path, a line and a column, 1-based, the column in code points. The file is JSON, one symbol a line::

    {"corpus": "httpx", "version": "httpx 0.28.1", "drawing": "tune", "seed": 1, "engines": ["ty 0.0.1", ...], ...,
     "symbols": [
    {"path": "a.py", "line": 3, "column": 5, "name": "f", "kind": "Function", "namesakes": 2,
     "references": {"b.py": [[1, 15], [4, 1]]}, "undecidable": {"c.py": [[7, 3]]}},
    ...]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).with_name("answers")
"""Where the drawings are kept: CORPUS-DRAWING.json."""


class Place(NamedTuple):
    """Where a name stands."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        """Return the place as tools print it."""
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A definition that was drawn: its place, and how many definitions of its name the corpus has."""

    place: Place
    name: str
    kind: str
    namesakes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A drawn definition with its references, its declaration not among them.

    ``undecidable`` are places of which the engines do not agree, or which none of them sees: they count for nobody. So
    do those that are ``unfollowed``, of which no engine knows anything; engines are asked about what was found.
    """

    drawn: Drawn
    references: frozenset[Place]
    undecidable: frozenset[Place]
    unfollowed: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a drawing comes from.

    Args:
        corpus: What ``corpora`` call the source tree.
        version: Which version of it.
        language: The language whose definitions were drawn.
        drawing: ``tune`` to develop with, ``final`` to be scored once.
        seed: What it was drawn with.
        engines: Who answered, with their versions.
        definitions: From how many definitions.
        passed_over: How many of those drawn were left out, since too few engines know them.

    """

    corpus: str
    version: str
    language: str
    drawing: str
    seed: int
    engines: tuple[str, ...]
    definitions: int
    passed_over: int


@dataclass(frozen=True, slots=True)
class Truth:
    """A drawing; what stands in files that are ``unseen`` counts for nobody."""

    origin: Origin
    unseen: frozenset[str]
    answers: tuple[Answer, ...]

    def write(self, path: Path) -> None:
        """Keep the drawing in a file."""
        head = json.dumps({**asdict(self.origin), "unseen": sorted(self.unseen)}, indent=1)
        symbols = ",\n".join(json.dumps(_symbol(answer), separators=(",", ":")) for answer in self.answers)
        path.write_text(f'{head.removesuffix("}").rstrip()},\n "symbols": [\n{symbols}\n]}}\n', encoding="utf-8")


def read(path: Path) -> Truth:
    """Return the drawing that a file keeps."""
    data = json.loads(path.read_text(encoding="utf-8"))
    fields = {name: data[name] for name in Origin.__slots__}
    origin = Origin(**{**fields, "engines": tuple(fields["engines"])})
    return Truth(origin, frozenset(data["unseen"]), tuple(_answer(symbol) for symbol in data["symbols"]))


def _symbol(answer: Answer) -> Mapping[str, object]:
    drawn = answer.drawn
    return {
        **drawn.place._asdict(),
        "name": drawn.name,
        "kind": drawn.kind,
        "namesakes": drawn.namesakes,
        "references": _by_path(answer.references),
        "undecidable": _by_path(answer.undecidable),
        **({"unfollowed": _by_path(answer.unfollowed)} if answer.unfollowed else {}),
    }


def _by_path(places: Iterable[Place]) -> Mapping[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for path, line, column in sorted(places):
        found.setdefault(path, []).append((line, column))
    return found


def _answer(symbol: Mapping[str, Any]) -> Answer:
    place = Place(symbol["path"], symbol["line"], symbol["column"])
    drawn = Drawn(place, symbol["name"], symbol["kind"], symbol["namesakes"])
    unfollowed = _places(symbol.get("unfollowed", {}))
    return Answer(drawn, _places(symbol["references"]), _places(symbol["undecidable"]), unfollowed)


def _places(by_path: Mapping[str, Iterable[tuple[int, int]]]) -> frozenset[Place]:
    return frozenset(Place(path, line, column) for path, places in by_path.items() for line, column in places)
