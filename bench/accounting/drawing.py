"""Symbols drawn by seed: half are definitions that the index has, half are names as they are written in code files.

The second half is drawn without the index, so that it holds what the index may not know: names in files of unknown
languages, members that only an assignment makes, names behind macros.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from accounting.answers import Place
from drawn import definitions
from leadline_tools.index.index import Index

CODE = frozenset(
    ".py .pyi .js .jsx .mjs .cjs .ts .tsx .mts .vue .svelte .astro .go .java .kt .c .h .cc .cpp .hpp .cxx .rs .cs .rb"
    " .php .swift .scala .lua .sh .S .inc .erb".split()
)
"""Suffixes of files whose names are drawn."""

_LARGEST = 2_000_000
_NAME = re.compile(r"(?<![\w$])[A-Za-z_]\w+(?![\w$])")
_COMMENT = re.compile(r"\s*(#(?!\s*(?:define|if|el))|//|/?\*|<!--|--|;|\"\"\"|''')")
"""How a line begins that is most likely prose."""

_KEYWORDS = frozenset(
    "and as assert async await bool boolean break byte case catch char class const continue def default defer"
    " define del do double elif else elseif end endif enum except export extends extern final finally float fn for"
    " from func function global go goto if ifdef ifndef impl implements import in include inline instanceof int"
    " interface is lambda let long loop map match mod module mut namespace new nil none None not null of or"
    " package pass private protected pub public raise range register return self Self short signed sizeof static"
    " strict struct super switch this throw throws trait True true False false try type typedef typeof undef union"
    " unsafe unsigned use using var virtual void volatile where while with yield".split()
)


class Drawn(NamedTuple):
    """A symbol to ask about: a place where its name is written, and whether the index was asked for it."""

    place: Place
    name: str
    indexed: bool

    @property
    def address(self) -> str:
        """Return what names it."""
        return str(self.place)


def draw(index: Index, root: Path, number: int, seed: int) -> list[Drawn]:
    """Return symbols, those of both halves in turn."""
    chance = random.Random(seed)
    known = [
        Drawn(Place(one.path, one.line, one.column), one.name, indexed=True)
        for one in definitions(index, seed)
        if one.name.isidentifier()
    ]
    half = known[: number - number // 2]
    return [one for pair in zip(half, _written(index, root, chance), strict=False) for one in pair][:number]


def _written(index: Index, root: Path, chance: random.Random) -> Iterator[Drawn]:
    """Yield names that stand in code files, from each file one."""
    paths = [path for path in index.files.paths if Path(path).suffix in CODE]
    while paths:
        path = chance.choice(paths)
        found = _names(root / path)
        if found:
            line, column, name = chance.choice(found)
            yield Drawn(Place(path, line, column), name, indexed=False)


def _names(path: Path) -> Sequence[tuple[int, int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ()
    return [
        (number, found.start() + 1, found[0])
        for number, line in enumerate(text[:_LARGEST].split("\n"), 1)
        if not _COMMENT.match(line)
        for found in _NAME.finditer(line)
        if found[0] not in _KEYWORDS
    ]
