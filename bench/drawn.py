"""Questions drawn by seed from what an index holds: its files, folders and definitions, each tool as often."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_estimators.tokenizer import load
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.memory import collect_seldom
from leadline_tools.index.files.file_list import BINARY
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_symbols import unpack
from leadline_tools.languages import language_name
from leadline_tools.patience import DEFAULT_SECONDS

SEED = 20_261_122
INDEXING_SECONDS = 900
_DEFINITIONS = 4_000
_WORD = re.compile(r"[^\W\d]\w*")


class Definition(NamedTuple):
    """A definition of the index."""

    path: str
    line: int
    column: int
    name: str

    @property
    def address(self) -> str:
        """Return what names it surely."""
        return f"{self.path}:{self.line}:{self.column}"


def opened(root: Path, cache: Path, model: str, patience: float = DEFAULT_SECONDS) -> Session:
    """Return a session on a tree whose index is complete."""
    index = Index(root, cache)
    session = Session(Config(root, cache, model, patience=patience), index)
    collect_seldom()  # as a server does
    load()  # which a server does in the background, as the client says hello
    index.start()
    if not index.wait(INDEXING_SECONDS):
        raise TimeoutError(f"{root}: the index is not complete")
    return session


def definitions(index: Index, seed: int = SEED) -> list[Definition]:
    """Return definitions drawn from all that are indexed, in an order drawn too."""
    draw = random.Random(seed)
    drawn: list[Definition] = []
    seen = 0
    for number, blob in index.kept.database.connection().execute("select file, blob from symbols order by file"):
        file = index.files.by_id(number)
        for definition in unpack(blob) if file is not None else ():
            seen += 1
            place = len(drawn) if len(drawn) < _DEFINITIONS else draw.randrange(seen)
            if file is not None and place < _DEFINITIONS:
                one = Definition(file.path, definition.line, definition.column, definition.name)
                drawn[place : place + 1] = [one]
    draw.shuffle(drawn)
    return drawn


class Drawing:
    """Draws questions about one tree."""

    def __init__(self, index: Index, seed: int = SEED) -> None:
        self._draw = random.Random(seed)
        self._index = index
        self._definitions = definitions(index, seed)
        self._paths = [file.path for file in index.files.below() if language_name(file.path) != BINARY]
        self._folders = sorted({path.rpartition("/")[0] or "." for path in self._paths})

    def questions(self, number: int, *, with_json: bool = False) -> Iterator[Request]:
        """Yield questions, each tool in turn; every eighth is asked for as JSON where that is wanted."""
        for i in range(number):
            tool = _ORDER[i % len(_ORDER)]
            yield Request(tool, _ARGUMENTS[tool](self), as_json=with_json and i % 8 == 7)

    def long(self) -> tuple[str, dict[str, object]]:
        """Return a tool and arguments whose answer is often long."""
        name = self.definition().name
        questions: list[tuple[str, dict[str, object]]] = [
            ("search_text", {"query": self.part_of_a_name()[:3]}),
            ("search_text", {"query": name}),
            ("symbol_search", {"query": self.part_of_a_name()[:2], "match": "substring"}),
            ("list_files", {"path": self.folder(), "recursive": True, "limit": 100}),
            ("read_file", {"path": self.path(), "num_lines": 1_000}),
            ("document_symbols", {"path": self.definition().path}),
        ]
        return self._draw.choice(questions)

    def definition(self) -> Definition:
        """Return a definition."""
        return self._draw.choice(self._definitions)

    def word(self) -> str:
        """Return the place of a word in the text of a file that has definitions: most often a name that is used."""
        path = self.definition().path
        source = self._index.try_read(path)
        lines = source.lines() if source is not None else []
        line = self._draw.randrange(len(lines)) if lines else 0
        columns = [found.start() for found in _WORD.finditer(lines[line])] if lines else []
        return f"{path}:{line + 1}:{self._draw.choice(columns or [0]) + 1}"

    def path(self) -> str:
        """Return the path of a file that is text."""
        return self._draw.choice(self._paths)

    def folder(self) -> str:
        """Return a folder, as often one above another as it has levels."""
        parts = self._draw.choice(self._folders).split("/")
        return "/".join(parts[: self._draw.randint(1, len(parts))])

    def among(self, choices: Sequence[object]) -> object:
        """Return one of some values."""
        return self._draw.choice(choices)

    def part_of_a_name(self) -> str:
        """Return four letters in a row of a name."""
        names = (self.definition().name for _ in range(50))
        name = next((name for name in names if len(name) >= 6 and name.isidentifier()), "init")
        at = self._draw.randrange(len(name) - 3)
        return name[at : at + 4]


_ARGUMENTS: Mapping[str, Callable[[Drawing], dict[str, object]]] = {
    "list_files": lambda d: {"path": d.folder(), "recursive": True, "limit": d.among((20, 60, 100))},
    "read_file": lambda d: {"path": d.path(), "num_lines": d.among((100, 300, 1_000))},
    "search_text": lambda d: {"query": d.definition().name, "context": d.among((0, 0, 0, 2))},
    "document_symbols": lambda d: {"path": d.definition().path, "detail": d.among(("auto", "auto", "full"))},
    "symbol_search": lambda d: {"query": d.part_of_a_name(), "detail": d.among(("auto", "lean", "full"))},
    "find_references": lambda d: {"symbol": d.definition().address, "tier": "name"},
    "count_files": lambda d: {"path": d.folder(), "by": d.among(("extension", "language", "directory"))},
    "type_members": lambda d: {"symbol": d.definition().address},
    "call_hierarchy": lambda d: {"symbol": d.definition().address, "depth": d.among((1, 2))},
    "find_code": lambda d: {"query": f"{d.part_of_a_name()} {d.part_of_a_name()}"},
    "repo_map": lambda d: {"path": d.folder()},
    "go_to_definition": lambda d: {"symbol": d.among((d.definition().address, d.word()))},
}
_ORDER = (
    *("list_files", "read_file", "search_text", "document_symbols", "symbol_search", "read_file", "search_text"),
    *("find_references", "list_files", "symbol_search", "document_symbols", "count_files", "read_file", "search_text"),
    *("type_members", "symbol_search", "list_files", "go_to_definition", "document_symbols", "call_hierarchy"),
)
"""Tools whose answers are long come oftener."""
