"""An engine that is a program of its own: it reads the tree, then answers place after place.

Its standard input has a place a line, ``["a/b.ts", 12, 5]``. The first line of its output names it and the files that
it has read, ``{"version": "...", "files": [...]}``; each line after it answers a place with every place that means the
same symbol, that place among them, ``[["a/b.ts", 12, 5], ...]``; with ``[]`` where it knows none. The first line may
also tell the lines that are not compiled, ``"inactive": {"a/b.c": [7, 8]}``. A program that is run for definitions
answers a place with those of what stands there, ``null`` for one outside of the tree.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from truth.corpus import Corpus
from truth.engine import Told
from truth.record import Drawn, Place


class Program:
    """A program that is asked for references.

    Args:
        command: What runs it.
        corpus: What it is asked about.
        encoding: The code units in which it counts columns: ``utf-8``, ``utf-16-le`` or ``utf-32-le``, which are
            code points.
        declares: Whether it answers with two lists, the second of other declarations of the symbol.

    """

    def __init__(self, command: Sequence[str | Path], corpus: Corpus, encoding: str, *, declares: bool = False) -> None:
        self._corpus = corpus
        self._encoding = encoding
        self._declares = declares
        self._width = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[encoding]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, text=True, encoding="utf-8"
        )
        head = json.loads(self._line())
        self.version = str(head["version"])
        self.inactive: Mapping[str, Collection[int]] = {
            path: frozenset(lines) for path, lines in head.get("inactive", {}).items()
        }
        self._paths = frozenset(head["files"]) & frozenset(corpus.paths)

    def sees(self, path: str) -> bool:
        """Return whether it has read a file."""
        return path in self._paths

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol what means it; None for one that the program does not know."""
        for symbol in symbols:
            reply = self._reply(symbol.place)
            places, declarations = map(self._places, reply if self._declares else (reply, ()))
            yield Told(places, declarations) if symbol.place in places else None

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return where what stands at a place is defined; None for what is outside of the corpus."""
        return frozenset(
            self._place(*there) if there is not None and there[0] in self._paths else None
            for there in self._reply(place)
        )

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()

    def _reply(self, place: Place) -> Any:
        assert self._process.stdin is not None
        path, line, column = place
        before = self._corpus.line(path, line)[: column - 1]
        units = len(before.encode(self._encoding)) // self._width
        print(json.dumps((path, line, units + 1)), file=self._process.stdin, flush=True)
        return json.loads(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} has ended")
        return line

    def _places(self, found: Iterable[tuple[str, int, int]]) -> frozenset[Place]:
        return frozenset(self._place(*there) for there in found if there[0] in self._paths)

    def _place(self, path: str, line: int, column: int) -> Place:
        before = self._corpus.line(path, line).encode(self._encoding)[: (column - 1) * self._width]
        return Place(path, line, len(before.decode(self._encoding, "replace")) + 1)
