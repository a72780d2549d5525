"""The definitions of one file as one compressed blob: columns of differences, so that most bytes are zero.

Parameters are not packed: an outline is parsed anew, and a signature is read from the file.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, compress, count
from operator import sub
from typing import NamedTuple, overload

from leadline_tools import deflated
from leadline_tools.index.packing.integers import packed_integers, unpacked_integers
from leadline_tools.languages.outline import CALLABLE, Definition
from leadline_tools.model import SymbolKind
from leadline_tools.once import once
from leadline_tools.stored_json import parse_stored

FORMAT = 1
"""Part of the key of the index: a change here has old indexes rebuilt."""

_KINDS = list(SymbolKind)
_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_COLUMNS = 9
_CALLABLE_KINDS = frozenset(map(_NUMBER.__getitem__, CALLABLE))
_MEMBER_KINDS = frozenset(
    _NUMBER[kind]
    for kind in (
        SymbolKind.Method,
        SymbolKind.Constructor,
        SymbolKind.Field,
        SymbolKind.Property,
        SymbolKind.Event,
        SymbolKind.Operator,
    )
)
"""Kinds of what is used behind a dot, where it is in something."""

_NO_PARAMETERS = b"null"
"""The parameters of what cannot be called, as JSON."""


class Usable(NamedTuple):
    """The names of a file that others can use: those of members apart, and how many definitions they are."""

    outer: set[bytes]
    members: set[bytes]
    definitions: int


def pack(definitions: Sequence[Definition]) -> bytes:
    """Return the blob of the definitions of a file, in the order of the source."""
    if not definitions:
        return deflated.compress(b"\0\0\0")
    names, kinds, lines, columns, starts, ends, containers, parents, signatures, docs, _ = zip(
        *definitions, strict=True
    )
    begins, heads = zip(*signatures, strict=True)
    doc_begins, doc_ends = zip(*docs, strict=True)
    numbers = (
        map(sub, lines, (0, *lines)),
        columns,
        map(sub, lines, starts),
        map(sub, ends, lines),
        map(sub, count(), parents),
        map(sub, begins, (0, *begins)),
        map(sub, heads, begins),
        [doc - begin if end else 0 for doc, begin, end in zip(doc_begins, begins, doc_ends, strict=True)],
        map(sub, doc_ends, doc_begins),
    )
    packed = packed_integers("i", chain.from_iterable(numbers))
    kind = bytes(map(_NUMBER.__getitem__, kinds)).hex().encode()
    text = _lines(names), _lines(_own_containers(names, containers, parents)), kind, packed
    return deflated.compress(b"\0".join(text))


class _Columns:
    """What is in a blob: a row of each column for each definition, taken apart as it is asked for."""

    def __init__(self, blob: bytes) -> None:
        """Take a blob; raises ValueError for one that is damaged."""
        names, self._containers, kinds, self._numbers = deflated.decompress(blob).split(b"\0", 3)
        self.kinds = bytes.fromhex(kinds.decode())
        self.names: Sequence[str] = names.decode().split("\n") if kinds else []

    @once
    def containers(self) -> Sequence[str]:
        """Return what each definition is in, where the nesting does not tell it."""
        return self._containers.decode().split("\n") if self.kinds else []

    @once
    def numbers(self) -> Sequence[array[int]]:
        """Return the columns of numbers."""
        column = unpacked_integers("i", self._numbers if self.kinds else b"")
        count = len(column) // _COLUMNS
        return [column[i * count : (i + 1) * count] for i in range(_COLUMNS)]

    def container(self, index: int) -> str:
        """Return the dotted name of what a definition is in."""
        inside: list[str] = []
        while not (own := self.containers[index]) and (above := index - self.numbers[4][index]) >= 0:
            inside.append(self.names[above])
            index = above
        return ".".join([own, *reversed(inside)] if own else reversed(inside))


@lru_cache(maxsize=1)
def _columns(blob: bytes) -> _Columns:
    """Return what is in a blob: one question mostly looks into that of one file several times."""
    return _Columns(blob)


class Definitions(Sequence[Definition]):
    """The definitions in a blob, each made when it is asked for."""

    def __init__(self, blob: bytes, parameters: Sequence[bytes] = ()) -> None:
        """Take a blob and the parameters of each definition as JSON; raises ValueError for a blob that is damaged."""
        self._columns = _columns(blob)
        self.parameters = parameters

    def __len__(self) -> int:
        """Return how many definitions there are."""
        return len(self._columns.kinds)

    @overload
    def __getitem__(self, index: int) -> Definition: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Definition]: ...
    def __getitem__(self, index: int | slice) -> Definition | Sequence[Definition]:
        """Return a definition, or a run of them."""
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        columns, (lines, starts) = self._columns, self._places
        row = [column[index] for column in columns.numbers]
        found = _definition(
            columns.names[index],
            columns.kinds[index],
            lines[index],
            starts[index],
            columns.container(index),
            index - row[4],
            row,
        )
        given = self.parameters[index] if self.parameters else _NO_PARAMETERS
        return found if given == _NO_PARAMETERS else found._replace(parameters=tuple(parse_stored(given.decode())))

    @once
    def _places(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the line of each definition, and where it begins in the content."""
        numbers = self._columns.numbers
        return list(accumulate(numbers[0])), list(accumulate(numbers[5]))

    @property
    def names(self) -> Sequence[str]:
        """Return the names."""
        return self._columns.names

    @property
    def kinds(self) -> Sequence[SymbolKind]:
        """Return what each definition is."""
        return [_KINDS[kind] for kind in self._columns.kinds]

    @property
    def parents(self) -> Iterable[int]:
        """Return the row of what each definition is in; -1 for nothing."""
        return map(sub, count(), self._columns.numbers[4])

    @property
    def lines_below(self) -> Sequence[int]:
        """Return how many lines each definition has below that of its name."""
        return self._columns.numbers[3]


def unpack(blob: bytes) -> list[Definition]:
    """Return the definitions in a blob; raises ValueError for one that is damaged."""
    columns = _columns(blob)
    rows = zip(columns.names, columns.containers, columns.kinds, zip(*columns.numbers, strict=True), strict=True)
    found: list[Definition] = []
    line = start = 0
    for index, (name, container, kind, row) in enumerate(rows):
        line += row[0]
        start += row[5]
        parent = index - row[4]
        inside = container or (found[parent].path if parent >= 0 else "")
        found.append(_definition(name, kind, line, start, inside, parent, row))
    return found


def unpack_named(blob: bytes, wanted: Callable[[str], object]) -> list[Definition]:
    """Return the definitions in a blob whose names are wanted (truly); raises ValueError for one that is damaged."""
    columns = _columns(blob)
    return _chosen(columns, list(compress(count(), map(wanted, columns.names))))


def unpack_at(blob: bytes, lines: Collection[int]) -> list[Definition]:
    """Return the definitions in a blob whose names are in some lines; raises ValueError for one that is damaged."""
    columns = _columns(blob)
    return _chosen(columns, [index for index, one in enumerate(accumulate(columns.numbers[0])) if one in lines])


def unpack_around(blob: bytes, lines: Sequence[int]) -> dict[int, Definition]:
    """Return the innermost definition around each of some sorted lines; raises ValueError for a damaged blob.

    A line with the name of a definition is in what that is in; lines outside of everything are left out.
    """
    columns = _columns(blob)
    rows = innermost(accumulate(columns.numbers[0]), columns.numbers[2], columns.numbers[3], lines)
    chosen = sorted(set(rows.values()))
    known = dict(zip(chosen, _chosen(columns, chosen), strict=True))
    return {line: known[row] for line, row in rows.items()}


def innermost(names: Iterable[int], above: Iterable[int], below: Iterable[int], lines: Sequence[int]) -> dict[int, int]:
    """Return the row of the innermost definition around each of some sorted lines.

    Args:
        names: The lines of the names of the definitions, in the order of the source.
        above: How many lines each begins above its name.
        below: How many lines each goes on below its name.
        lines: The lines that are asked about.

    """
    found: dict[int, int] = {}
    for row, (line, before, after) in enumerate(zip(names, above, below, strict=True)):
        if before or after:
            covered = lines[bisect_left(lines, line - before) : bisect_right(lines, line + after)]
            found.update((one, row) for one in covered if one != line)
    return found


def _chosen(columns: _Columns, chosen: Sequence[int]) -> list[Definition]:
    """Return some of the definitions in a blob, whose rows are in order."""
    found: list[Definition] = []
    line = start = before = 0
    for index in chosen:
        line += sum(columns.numbers[0][before : index + 1])
        start += sum(columns.numbers[5][before : index + 1])
        before = index + 1
        name, kind, row = columns.names[index], columns.kinds[index], [column[index] for column in columns.numbers]
        inside, parent = columns.container(index), index - row[4]
        found.append(_definition(name, kind, line, start, inside, parent, row))
    return found


def _definition(
    name: str, kind: int, line: int, start: int, container: str, parent: int, row: Sequence[int]
) -> Definition:
    doc = (start + row[7], start + row[7] + row[8]) if row[8] else (0, 0)
    signature = (start, start + row[6])
    return Definition(
        name, _KINDS[kind], line, row[1], line - row[2], line + row[3], container, parent, signature, doc, None
    )


def usable(blob: bytes) -> Usable:
    """Return the names in a blob that other files can use: none inside of a function; ValueError for a damaged one."""
    columns = _columns(blob)
    hidden: list[bool] = []
    outer: set[bytes] = set()
    members: set[bytes] = set()
    above = columns.numbers[4]
    for index, (name, kind) in enumerate(zip(columns.names, columns.kinds, strict=True)):
        parent = index - above[index]
        hidden.append(parent >= 0 and (hidden[parent] or columns.kinds[parent] in _CALLABLE_KINDS))
        if hidden[-1]:
            continue
        owned = kind in _MEMBER_KINDS and (parent >= 0 or bool(columns.containers[index]))
        (members if owned else outer).add(name.encode("utf-8", "replace"))
    return Usable(outer, members, len(hidden) - sum(hidden))


def count_in(blob: bytes) -> int:
    """Return how many definitions are in a blob; raises ValueError for one that is damaged."""
    return len(_columns(blob).kinds)


def names_in(blob: bytes) -> bytes:
    """Return the names of the definitions in a blob, one a line; raises ValueError for one that is damaged."""
    return deflated.decompress(blob).partition(b"\0")[0]


def _own_containers(names: Sequence[str], containers: Sequence[str], parents: Sequence[int]) -> list[str]:
    """Return the container of each definition where the nesting does not tell it."""
    nested = {-1: ""}
    for parent in set(parents) - {-1}:
        around = containers[parent]
        nested[parent] = f"{around}.{names[parent]}" if around else names[parent]
    return ["" if nested[parent] == own else own for parent, own in zip(parents, containers, strict=True)]


def _lines(names: Sequence[str]) -> bytes:
    """Return names, each on a line of its own."""
    text = "\n".join(names)
    if "\0" in text or text.count("\n") >= len(names) > 0:
        text = "\n".join(name.replace("\n", " ").replace("\0", " ") for name in names)
    return text.encode("utf-8", "replace")
