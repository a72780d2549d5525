"""Making the graph of files: of the names that the index has, and of the words of the files.

No file is parsed for it: that would take minutes where reading takes a second.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import takewhile

from leadline_tools import cancellation
from leadline_tools.index.file_graph.graph import Graph, Mentions, Use, Uses
from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.packing.packed_symbols import Usable, usable
from leadline_tools.index.questions.imported_files import ImportedFiles
from leadline_tools.index.questions.view import IndexView
from leadline_tools.index.store.rows import Words
from leadline_tools.index.store.words import tokens
from leadline_tools.index.text.code_words import CodeWords, spoken
from leadline_tools.index.text.macros import macros
from leadline_tools.index.tree.marks import is_product, is_vendored
from leadline_tools.index.tree.source import Reader
from leadline_tools.languages import language_of

LARGEST = 512 << 10
"""Bytes of the largest file that is read; one that is larger is mostly generated."""

_SECONDS = 8.0
"""Seconds after which no more is read where all is wanted; mostly one is enough."""

_SAMPLED_SECONDS = 0.6
"""The same for a sample, of which a part says nearly as much; then for looking up what it uses."""

_LEAST_READ = 150
"""Files that are read however long it takes: what fewer use would tell nothing."""

_MOST_DEFINING = 12
"""Files that define a name beyond which it says nothing of any of them."""

_LEAST_USED = 4
"""Files of a sample that have to use a name before it is looked up where it is defined."""

_MOST_LOOKED_UP = 6_000
"""Names that are looked up for a sample, most used first: it takes 0.4 s."""

_LEAST_WEIGHT = 0.01
"""What says less is left out: there is much of it, and it takes long."""

_UNRELATED, _NAMED, _FOLDER_NAMED, _BESIDE = 0.05, 0.4, 0.3, 0.3
"""How much a file has to do with another one; with one whose name it has among its words; and what is added for having
the name of its folder, and for lying in it."""

_REACHED = 1.0
"""The same for one that it imports."""

_NOT_REACHED = 0.5
"""What the others say, of what they say of a file whose imports are not known."""

_MEMBER, _MEMBER_OF_UNKNOWN = 0.5, 0.3
"""What the name of a member says, compared with other names: where another name of that file is used, and where none
is. A receiver may be anything."""


def language_group_of(path: str) -> str:
    """Return what languages that can refer to each other share; empty for a file without symbols."""
    language = language_of(path)
    return (
        language.language_group
        if language is not None and language.outline.indexed and language.semantics is not None
        else ""
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class _Table:
    """The files that define each name, for languages that can refer to each other; names of members apart.

    ``defining`` counts the files of the product that define a name, however many; the others are those of `Mentions`.
    """

    outer: dict[bytes, list[int]] = field(default_factory=dict)
    members: dict[bytes, list[int]] = field(default_factory=dict)
    defining: Counter[bytes] = field(default_factory=Counter)
    users: Counter[bytes] = field(default_factory=Counter)
    strings: Counter[bytes] = field(default_factory=Counter)
    references: Counter[bytes] = field(default_factory=Counter)

    def mentions(self) -> Mentions:
        """Return the counts, each for one file that defines the name."""

        def divided(counts: Mapping[bytes, int]) -> Mapping[bytes, float]:
            return {name: count / self.defining[name] for name, count in counts.items()}

        return Mentions(divided(self.users), divided(self.strings), divided(self.references))


@dataclass(frozen=True, slots=True)
class _Node:
    """A file: its name and that of its folder as words, its folder, and the names that it can use."""

    stem: bytes
    parent: bytes
    folder: str
    table: _Table


class _Relations(dict[int, float]):
    """How much a file with some words has to do with others, by their numbers."""

    def __init__(self, nodes: Sequence[_Node], user: int, words: CodeWords, reach: frozenset[int] | None) -> None:
        super().__init__()
        self._nodes = nodes
        self._folder = nodes[user].folder
        self._words = words
        self._reach = reach

    def __missing__(self, target: int) -> float:
        node, words = self._nodes[target], self._words
        if self._reach is not None and target in self._reach:
            self[target] = _REACHED
            return _REACHED
        relation = _NAMED if node.stem in words.code or node.stem in words.strings else _UNRELATED
        if node.parent in words.code or node.parent in words.strings:
            relation += _FOLDER_NAMED
        if node.folder == self._folder:
            relation += _BESIDE
        if self._reach is not None and relation > _UNRELATED:
            relation *= _NOT_REACHED
        self[target] = relation
        return relation


class GraphBuilder:
    """The making of one graph."""

    def __init__(
        self, index: IndexView, imports: ImportedFiles, code: Sequence[File], users: Iterable[File], *, sampled: bool
    ) -> None:
        self._index = index
        self._imports = imports
        self._code = code
        self._left = {file.path: file for file in users}
        self._sampled = sampled
        self._numbers: dict[str, int] = {}
        self._nodes: list[_Node] = []
        self._tables: dict[str, _Table] = {}
        self._definitions: dict[int, int] = {}
        self._late = False
        self._uses = Uses()
        self._spelled: dict[bytes, bytes] = {}
        self._read = self._resolved = 0

    def graph(self, until: float) -> Graph:
        """Return the graph of what the files use that there is time to read; once more, of those before and further."""
        until = min(until, time.monotonic() + (_SAMPLED_SECONDS if self._sampled else _SECONDS))
        with self._index.tree.reading() as reader:
            left = dict(self._left)
            places = enumerate(map(left.__getitem__, reader.ahead(left)))
            chosen = takewhile(lambda place: place[0] < _LEAST_READ or time.monotonic() < until, places)
            known: Iterable[tuple[File, CodeWords]] = (
                (file, spoken(file.path, reader.raw(file.path, LARGEST) or b"")) for _, file in chosen
            )
            if self._sampled:
                known = list(known)
                self._define(reader, self._defining(known))
            elif not self._read:
                self._define(reader, self._code)
            for file, said in known:
                cancellation.check()
                del self._left[file.path]
                self._read += 1
                self._count(file.path, said)
                number = self._number(file)
                self._uses.add(number, self._uses_of(number, self._reach(file.path), said), self._spelled)
        late = self._late or bool(self._left)
        return Graph(
            list(self._numbers),
            deepcopy(self._uses) if late else self._uses,  # to which more may be added
            self._definitions,
            self._read,
            self._resolved,
            {family: table.mentions() for family, table in self._tables.items()},
            len(self._code),
            self._sampled,
            late,
        )

    def _number(self, file: File) -> int:
        """Return the number of a file, a new one where it has none."""
        number = self._numbers.setdefault(file.path, len(self._nodes))
        if number == len(self._nodes):
            folder, _, name = file.path.rpartition("/")
            stem, parent = name.partition(".")[0], folder.rpartition("/")[2]
            table = self._tables.setdefault(language_group_of(file.path), _Table())
            self._nodes.append(_Node(_bytes(stem), _bytes(parent), folder, table))
        return number

    # What files define

    def _define(self, reader: Reader, files: Iterable[File]) -> None:
        """Note which names files define, but for those that too many do."""
        for file, names in self._usable(reader, {file.id: file for file in files if file.done & SYMBOLS}):
            number = self._number(file)
            table = self._nodes[number].table
            self._definitions[number] = names.definitions
            if is_product(file.path):
                table.defining.update(names.outer | names.members)
            for column, spelled in ((table.outer, names.outer), (table.members, names.members)):
                for name in spelled:
                    column.setdefault(name, []).append(number)
        for column in (column for table in self._tables.values() for column in (table.outer, table.members)):
            for name in [name for name, defining in column.items() if len(defining) > _MOST_DEFINING]:
                del column[name]

    def _usable(self, reader: Reader, wanted: Mapping[int, File]) -> Iterator[tuple[File, Usable]]:
        """Yield files with the names in them that others can use."""
        rows = self._index.rows.symbols(wanted if self._sampled else None)
        besides: dict[int, Usable] = {}
        for number, blob in rows:
            if number in wanted:
                with contextlib.suppress(ValueError):  # damaged
                    names = usable(blob)
                    if wanted[number].textual:
                        besides[number] = names
                    else:
                        yield wanted[number], names
        for number, file in wanted.items():
            if file.textual:
                defined = {_bytes(macro.name) for macro in macros(reader.text(file.path))}
                other = besides.get(number, Usable(set(), set(), 0))
                yield file, Usable(defined | other.outer, other.members, len(defined) + other.definitions)

    def _defining(self, known: Sequence[tuple[File, CodeWords]]) -> list[File]:
        """Return the files that define what several files of a sample use, with the sample itself."""
        until = time.monotonic() + _SAMPLED_SECONDS
        counts = Counter(name for _, words in known for name in words.code)
        common = [name for name, count in counts.items() if count >= _LEAST_USED]
        found = {file.path: file for file, _ in known}
        for name in sorted(common, key=lambda name: (-counts[name], name))[:_MOST_LOOKED_UP]:
            if time.monotonic() > until:
                self._late = True
                break
            for file in self._files_defining(name.decode("utf-8", "replace")):
                found[file.path] = file
        return list(found.values())

    def _files_defining(self, name: str) -> Sequence[File]:
        """Return the files that define a name; none where too many do."""
        words = tokens(name)
        numbers = self._index.rows.holding(Words.Names, words, _MOST_DEFINING + 1) if words else []
        if len(numbers) > _MOST_DEFINING:
            return ()
        return [
            file for file in map(self._index.files.by_id, numbers) if file is not None and language_group_of(file.path)
        ]

    # What files use

    def _count(self, path: str, words: CodeWords) -> None:
        """Count a file as one that has the names among its words; a copy of other code counts for nothing."""
        if is_vendored(path):
            return
        table = self._tables.get(language_group_of(path))
        if table is not None:
            defined = table.defining.keys()
            if is_product(path):
                table.strings.update(words.named & defined)
                table.references.update(words.referred & defined)
            else:
                table.users.update(words.code & defined)

    def _reach(self, path: str) -> frozenset[int] | None:
        """Return the files that a file imports, by their numbers; None where the index does not have them."""
        reach = self._imports.reach(path)
        if reach is None:
            return None
        self._resolved += 1
        return frozenset(number for one in reach if (number := self._numbers.get(one)) is not None)

    def _uses_of(self, user: int, reach: frozenset[int] | None, words: CodeWords) -> Iterator[Use]:
        """Yield the uses in a file, which has the files in its ``reach`` imported."""
        table = self._nodes[user].table
        related = _Relations(self._nodes, user, words, reach)
        known = set()
        for use in _outer(user, filter(table.outer.__contains__, words.code), table.outer, related):
            if related[use.target] > _UNRELATED:
                known.add(use.target)
            yield use
        for name in filter(table.members.__contains__, words.dotted):
            defining = table.members[name]
            if user not in defining:
                for target in defining:
                    if related[target] > _UNRELATED:
                        says = _MEMBER if target in known else _MEMBER_OF_UNKNOWN
                        yield Use(target, name, says * related[target] / len(defining))


def _outer(user: int, names: Iterable[bytes], column: Mapping[bytes, list[int]], related: _Relations) -> Iterator[Use]:
    """Yield the uses of some names that are no members; those that the user defines itself mean its own."""
    for name in names:
        defining = column[name]
        if user in defining:
            continue
        relations = [related[target] for target in defining]
        scale = max(relations) / (len(defining) * sum(relations))
        for target, relation in zip(defining, relations, strict=True):
            if relation * scale >= _LEAST_WEIGHT:
                yield Use(target, name, relation * scale)
