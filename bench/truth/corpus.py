"""A source tree as the engines are asked about it: its files of one language, and the definitions in them."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from leadline_tools.index.index import Index
from leadline_tools.languages import LANGUAGES, language_of
from truth.record import Drawn, Place

INDEXING_SECONDS = 600


@contextmanager
def opened(root: Path, cache: Path | None = None) -> Iterator[Index]:
    """Open the complete index of a tree; without ``cache`` it is made in memory."""
    index = Index(root.resolve(), cache)
    index.start()
    try:
        if not index.wait(INDEXING_SECONDS):
            raise TimeoutError("the index is not complete")
        yield index
    finally:
        index.close()


@contextmanager
def copied(root: Path, name: str, scratch: Path | None) -> Iterator[Path]:
    """Give a copy of a tree, in a folder with a name, that engines may write into; it goes at the end."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        copy = (Path(folder) / name).resolve()
        shutil.copytree(root, copy, symlinks=True)
        yield copy


class Corpus:
    """The files of a source tree that are in one language or in one of its family.

    Args:
        index: The index of the tree.
        language: The language whose definitions are drawn.

    """

    def __init__(self, index: Index, language: str) -> None:
        self.root = index.root
        self.language = language
        self._index = index
        family = LANGUAGES[language].language_group
        self.paths: Sequence[str] = sorted(
            path
            for path in self._index.files.paths
            if (other := language_of(path)) is not None
            and other.semantics is not None
            and other.language_group == family
        )
        self._texts: dict[str, str] = {}
        self._lines: dict[str, Sequence[str]] = {}

    def definitions(self) -> list[Drawn]:
        """Return every definition of the language, in the order of paths and lines."""
        found: list[tuple[Place, str, str]] = []
        for path in self.paths:
            language = language_of(path)
            source = self._index.try_read(path) if language is not None and language.name == self.language else None
            if source is not None:
                found += [
                    (Place(path, definition.line, definition.column), definition.name, str(definition.kind))
                    for definition in self._index.symbols.definitions(source)
                ]
        namesakes = Counter(name for _, name, _ in found)
        return [Drawn(place, name, kind, namesakes[name]) for place, name, kind in sorted(found)]

    def line(self, path: str, number: int) -> str:
        """Return one line, 1-based; empty past the end."""
        if path not in self._lines:
            source = self._index.try_read(path)
            self._lines[path] = source.lines() if source is not None else ()
        lines = self._lines[path]
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def stands(self, name: str, place: Place) -> bool:
        """Return whether it is a name that begins at a place, and not an alias, or a class whose constructor runs."""
        return self.line(place.path, place.line).startswith(name, place.column - 1)

    def words(self, name: str) -> Iterator[Place]:
        """Yield every place at which a name stands as a whole word: what ``grep -w`` finds."""
        find = _word(name)
        for path in self.holding(name):
            self.line(path, 1)
            for number, line in enumerate(self._lines[path], 1):
                for match in find.finditer(line) if name in line else ():
                    yield Place(path, number, match.start() + 1)

    def holding(self, name: str) -> list[str]:
        """Return the files in which a name stands as a whole word."""
        find = _word(name)
        return [path for path in self.paths if name in (text := self.text(path)) and find.search(text)]

    def text(self, path: str) -> str:
        """Return the text of a file; empty if it cannot be read."""
        if path not in self._texts:
            source = self._index.try_read(path)
            self._texts[path] = source.text if source is not None else ""
        return self._texts[path]


@cache
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def drawn(definitions: Sequence[Drawn], seed: int) -> list[Drawn]:
    """Return all definitions in the order in which a seed draws them."""
    shuffled = list(definitions)
    random.Random(seed).shuffle(shuffled)
    return shuffled
