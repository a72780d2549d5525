"""Fixtures that carry their own expectations: comments whose ``^`` points at a column of the line above.

``^ define KIND NAME``       a symbol is defined here, with that dotted name inside the file
``^ refer NAME REASON``      the name here means the symbol NAME of this file, or of another as ``path:NAME``
``^ module PATH...``         the name here means a module of the tree: these files
``^ elsewhere``              the name here is known to be no symbol of the tree: local, or from outside
``^ unknown``                the name here cannot be resolved
``^ leads PATH:LINE...``     go_to_definition leads there; ``outside``, or ``nowhere`` where it is undecided

``<- ...`` in place of ``^ ...`` points at the column at which the comment begins. The definitions of a file that
expects any are expected completely: one that is found and not expected is an error.

Where a comment cannot stand, as in JSON, the expectations of a file ``x`` are the lines ``LINE:COLUMN define KIND
NAME`` of the file ``x.expect`` beside it, which belongs to no language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures"

_COMMENT = re.compile(
    r"\s*(?P<open>#|//|--|/\*|<!--|;|%)(?P<gap>\s*)(?P<mark>\^|<-)\s+(?P<what>.*?)\s*(?:\*/|-->)?\s*$"
)


@dataclass(frozen=True)
class Expectation:
    """What is expected at a 1-based line and column of a file."""

    path: str
    line: int
    column: int
    words: tuple[str, ...]


def expectations(root: Path) -> Iterator[Expectation]:
    """Yield what the files below ``root`` expect."""
    for file in sorted(root.rglob("*")):
        if file.is_file():
            yield from _of_file(file, file.relative_to(root).as_posix())


def _of_file(file: Path, path: str) -> Iterator[Expectation]:
    if file.suffix == ".expect":
        yield from _beside(file, path.removesuffix(".expect"))
        return
    line = 0
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = _COMMENT.match(text)
        if match is None:
            line = number
            continue
        column = match.start("open" if match["mark"] == "<-" else "mark") + 1
        yield Expectation(path, line, column, tuple(match["what"].split()))


def _beside(file: Path, path: str) -> Iterator[Expectation]:
    for text in file.read_text(encoding="utf-8").splitlines():
        place, *words = text.split()
        line, column = place.split(":")
        yield Expectation(path, int(line), int(column), tuple(words))
