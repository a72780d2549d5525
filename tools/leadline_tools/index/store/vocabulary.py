"""The names of all symbols as bytes that are searched: none is a string of its own before it is found.

Names of one length stand together, in lower case, sorted, one a line: the place of a match then tells which name it
is in, what a name begins with is found by bisection, and how many definitions a name has stands in an array beside it.
So totals are exact without a look into any file.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import islice
from typing import NamedTuple, Protocol

from leadline_tools.once import once

MOST_NAMED = 1_000
"""Names that are returned of those that match; the rest is counted."""

_MOST_COUNTED = 80_000
"""Names that match from which on counting stops; it takes 30 ms."""

_MOST_SCANNED = 12 << 20
"""Bytes of names that are searched for a part where enough have it: it takes 20 ms, all of Linux would take 60."""

_ENOUGH = 500
"""Definitions from which on it is of little use to know of more."""

_MOST_COMPARED = 20_000
"""Names whose humps are compared; it takes 40 ms."""

_LIKENESS = 75.0
"""Percent of likeness from which a name counts as similar (rapidfuzz ``ratio``)."""

_MOST_BEHIND = 15.0
"""Points of likeness by which a name may be behind the most similar one: after a typing error the rest is noise."""

_MOST_SIMILAR = 20

_WIDE = "i"
_NARROW = (("b", 127), ("h", 32_767))
COUNTS = (_WIDE, *(kind for kind, _ in _NARROW))
"""The kinds of arrays: the usual one, those that take one and two bytes a number, and the largest number of each."""

_SLICE = 16_384
"""Names that are objects at one time while similar ones are looked for."""

LEADS = (b"", b"_", b"__")
"""What may stand before the first hump."""

_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W_a-zA-Z\d]+")


class _Lower(dict[int, int]):
    """Characters without their case, as far as they take as many bytes then: only so do names keep their length."""

    def __missing__(self, code: int) -> int:
        character, lower = chr(code), chr(code).casefold()
        same = len(lower) == 1 and len(lower.encode()) == len(character.encode())
        self[code] = ord(lower) if same else code
        return self[code]


_LOWER = _Lower()


def folded(name: str) -> str:
    """Return a name without its case."""
    return name.lower() if name.isascii() else name.translate(_LOWER)


def humps(name: str) -> list[str]:
    """Return the parts of a camelCase or snake_case name."""
    return _HUMPS.findall(name)


def matches_humps(query: Sequence[str], name: str) -> bool:
    """Return whether each part of the query begins a part of the name, in order, the first behind ``LEADS``."""
    bare = name[2:] if name.startswith("__") else name.removeprefix("_")
    if not folded(bare).startswith(folded(query[0])):
        return False
    parts = iter(map(folded, humps(bare)))
    return all(any(part.startswith(folded(wanted)) for part in parts) for wanted in query)


class Case(IntEnum):
    """How the names of a part are spelled, seen from their lower case."""

    Lower = 0
    Upper = 1
    Mixed = 2


class NamePart(Protocol):
    """The names of one length, known by numbers, as a vocabulary looks for them; see ``Part``."""

    @property
    def length(self) -> int:
        """Return the bytes of each name."""
        ...

    @property
    def lower(self) -> bytes:
        """Return the names in lower case, each with a newline behind it."""
        ...

    @property
    def counts(self) -> array[int]:
        """Return how many definitions each name has."""
        ...

    @property
    def plain(self) -> bool:
        """Return whether the lower case shows where humps begin."""
        ...

    def __len__(self) -> int: ...

    def folded(self, number: int) -> bytes:
        """Return a name in lower case."""
        ...

    def name(self, number: int) -> bytes:
        """Return a name as it is spelled."""
        ...

    def beginning(self, prefix: bytes) -> Sequence[int]:
        """Return the numbers of the names that begin with ``prefix``."""
        ...

    def holding(self, part: bytes) -> Sequence[int]:
        """Return the numbers of the names that contain ``part`` and do not begin with it."""
        ...

    def humped(self, wanted: Sequence[str], tried: Iterator[int]) -> Iterator[int]:
        """Yield the numbers of the names that have the humps, as far as their lower case shows."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """The names of one length and case, sorted by their lower case.

    Args:
        length: Bytes of each name.
        case: How they are spelled.
        lower: The names in lower case, each with a newline behind it.
        mixed: The same as they are spelled, for mixed case; else empty.
        counts: How many definitions each name has; differences to another part may be negative.
        plain: True where all is ASCII and in one case: then the lower case tells where humps begin.

    """

    length: int
    case: Case
    lower: bytes
    mixed: bytes
    counts: array[int]
    plain: bool

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def spelled(self) -> bytes:
        """Return the names as they are spelled, each with a newline behind it."""
        match self.case:
            case Case.Lower:
                return self.lower
            case Case.Upper:
                return self.lower.upper()
            case Case.Mixed:
                return self.mixed

    def folded(self, number: int) -> bytes:
        """Return a name in lower case."""
        start = number * (self.length + 1)
        return self.lower[start : start + self.length]

    def name(self, number: int) -> bytes:
        """Return a name as it is spelled."""
        lower = self.folded(number)
        match self.case:
            case Case.Lower:
                return lower
            case Case.Upper:
                return lower.upper()
            case Case.Mixed:
                start = number * (self.length + 1)
                return self.mixed[start : start + self.length]

    def beginning(self, prefix: bytes) -> range:
        """Return the numbers of the names that begin with ``prefix``."""
        lower, width, size = self.lower, self.length + 1, len(prefix)
        numbers = range(len(self.counts))

        def head(number: int) -> bytes:
            return lower[number * width : number * width + size]

        first = bisect_left(numbers, prefix, key=head)
        return range(first, bisect_right(numbers, prefix, first, key=head))

    def holding(self, part: bytes) -> list[int]:
        """Return the numbers of the names that contain ``part`` and do not begin with it."""
        begin = self.beginning(part)
        return [*self._holding(part, range(begin.start)), *self._holding(part, range(begin.stop, len(self.counts)))]

    def _holding(self, part: bytes, numbers: range) -> Iterator[int]:
        find, width = self.lower.find, self.length + 1
        end = numbers.stop * width
        at = find(part, numbers.start * width, end)
        while at >= 0:
            number = at // width
            yield number
            at = find(part, (number + 1) * width, end)

    def humped(self, wanted: Sequence[str], tried: Iterator[int]) -> Iterator[int]:
        """Yield the numbers of the names that have the humps, as far as their lower case tells (``matches_humps``).

        One of ``tried`` is taken for each name that is compared.
        """
        heads = [folded(hump).encode() for hump in wanted]
        pattern = hump_pattern(heads, plain=self.plain)
        rarest = max(heads[1:], key=len)
        for lead in LEADS:
            for number, _ in zip(self._holding(rarest, self.beginning(lead + heads[0])), tried, strict=False):
                start = number * (self.length + 1)
                if pattern.match(self.lower, start + len(lead), start + self.length):
                    yield number


def hump_pattern(heads: Sequence[bytes], *, plain: bool) -> re.Pattern[bytes]:
    """Return what matches a name in lower case in which some humps begin in order; see ``Part.plain``.

    A hump where it comes first leaves most of the name for the others: to look for a later one would take a time that
    doubles with each hump, so none is given up again (the groups are atomic).
    """
    first, *others = ((_begins(head) if plain else b"") + re.escape(head) for head in heads)
    return re.compile(first + b"".join(b"(?>[^\n]*?" + other + b")" for other in others))


def parts_of(counts: Mapping[bytes, int]) -> list[Part]:
    """Return names and how many definitions each has as parts; a name with none is left out."""
    lengths: dict[int, list[bytes]] = {}
    for name, count in counts.items():
        if count and name:
            lengths.setdefault(len(name), []).append(name)
    return [
        _part(length, case, chosen, counts)
        for length, names in lengths.items()
        for case, chosen in _by_case(names).items()
        if chosen
    ]


def _by_case(names: Sequence[bytes]) -> Mapping[Case, list[bytes]]:
    lower = _lower(b"\n".join(names)).split(b"\n")
    cased = [name for name, low in zip(names, lower, strict=True) if name != low]
    return {
        Case.Lower: [name for name, low in zip(names, lower, strict=True) if name == low],
        Case.Upper: [name for name in cased if name.isupper() and name.isascii()],
        Case.Mixed: [name for name in cased if not (name.isupper() and name.isascii())],
    }


def part_of(length: int, case: Case, spelled: bytes, counts: array[int]) -> Part:
    """Return a part as it was: ``spelled`` and ``counts`` are those of another one."""
    mixed = spelled if case is Case.Mixed else b""
    return Part(length, case, _lower(spelled), mixed, _narrow(counts), not mixed and spelled.isascii())


def _narrow(counts: array[int]) -> array[int]:
    """Return counts in as few bytes as they fit in: in one or two for most lengths."""
    if counts.typecode != _WIDE:
        return counts
    largest = max(map(abs, counts), default=0)
    kind = next((kind for kind, most in _NARROW if largest <= most), counts.typecode)
    return array(kind, counts)


def merged(parts: Sequence[Part]) -> list[Part]:
    """Return parts of one length and case as one; none where no name is left."""
    counts: dict[bytes, int] = {}
    for part in parts:
        for name, count in zip(part.spelled.split(b"\n"), part.counts, strict=False):
            counts[name] = counts.get(name, 0) + count
    names = [name for name, count in counts.items() if count]
    return [_part(parts[0].length, parts[0].case, names, counts)] if names else []


def _part(length: int, case: Case, names: list[bytes], counts: Mapping[bytes, int]) -> Part:
    if case is Case.Upper:  # there an underscore stands behind the letters, in lower case before them
        names.sort(key=bytes.lower)
    else:
        names.sort()
    if case is Case.Mixed:
        names.sort(key=_lower)
    return part_of(length, case, b"\n".join([*names, b""]), array(_WIDE, map(counts.__getitem__, names)))


def _begins(hump: bytes) -> bytes:
    """Return what tells in lower case that a hump begins: a character of its kind does not stand before it."""
    kind = next((kind for kind in (b"[a-z]", b"[0-9]") if re.match(kind, hump)), b"")
    return b"(?<!" + kind + b")" if kind else b""


def _lower(name: bytes) -> bytes:
    """Return a name, or several, without their case; as many bytes."""
    return name.lower() if name.isascii() else folded(name.decode()).encode()


class Name(NamedTuple):
    """A name as it is spelled, and how many definitions have it."""

    spelled: str
    definitions: int


class Named(NamedTuple):
    """The names that match in one way.

    Args:
        names: The shortest of them, at most ``MOST_NAMED``.
        definitions: How many definitions all of them have.
        complete: True where ``names`` are all of them.
        counted: True where ``definitions`` is exact; else there are at least so many.

    """

    names: list[Name]
    definitions: int
    complete: bool
    counted: bool


class LazyPart:
    """A part that is unpacked when it is first looked into: a whole name is looked for in few of them."""

    def __init__(self, length: int, unpacked: Callable[[], NamePart]) -> None:
        """``length`` is that of the names of the part."""
        self.length = length
        self._unpacked = unpacked

    @classmethod
    def of(cls, part: NamePart) -> LazyPart:
        """Return the lazy part of a part that is at hand."""
        return cls(part.length, lambda: part)

    @once
    def part(self) -> NamePart:
        """Return the names."""
        part = self._unpacked()
        self._unpacked = lambda: part  # what is packed goes
        return part


class Vocabulary:
    """All names of an index at one time. A name may be in several parts; its definitions are the sum.

    Attributes:
        complete: Whether no name is missing.
        lazy_parts: The parts, the shortest names first.

    """

    def __init__(self, lazy_parts: Iterable[LazyPart], complete: bool = True) -> None:
        """Take parts; ``complete`` tells whether no name is missing."""
        self.complete = complete
        self.lazy_parts: Sequence[LazyPart] = sorted(lazy_parts, key=lambda lazy_part: lazy_part.length)

    def _parts(self, shortest: int = 0, longest: int = sys.maxsize) -> Iterator[NamePart]:
        """Yield the parts with names of some lengths, the shortest first."""
        return (lazy_part.part for lazy_part in self.lazy_parts if shortest <= lazy_part.length <= longest)

    def load(self) -> None:
        """Have all names at hand before they are asked for."""
        for lazy_part in self.lazy_parts:
            lazy_part.part  # noqa: B018

    @property
    def total(self) -> int:
        """Return how many definitions there are of all names together."""
        return sum(sum(part.counts) for part in self._parts())

    def exact(self, query: str) -> Named:
        """Return the names that are the query but for their case."""
        wanted = folded(query).encode()
        return self._named((part, part.beginning(wanted)) for part in self._parts(len(wanted), len(wanted)))

    def longer(self, query: str) -> Named:
        """Return the names that begin with the query and go on."""
        wanted = folded(query).encode()
        return self._named((part, part.beginning(wanted)) for part in self._parts(len(wanted) + 1))

    def inside(self, query: str) -> Named:
        """Return the names that contain the query and do not begin with it; of very many names perhaps not all."""
        wanted = folded(query).encode()
        parts = self._parts(len(wanted) + 1)
        return self._named(((part, part.holding(wanted)) for part in parts), most_scanned=_MOST_SCANNED)

    def camel(self, query: str) -> Named:
        """Return the names whose humps begin with those of the query, and that do not contain it."""
        wanted, whole = humps(query), folded(query).encode()
        if len(wanted) < 2:
            return Named([], 0, True, True)
        found: list[tuple[NamePart, Sequence[int]]] = []
        tried = iter(range(_MOST_COMPARED))
        for part in self._parts():
            numbers = [number for number in part.humped(wanted, tried) if whole not in part.folded(number)]
            if not part.plain:
                numbers = [number for number in numbers if matches_humps(wanted, part.name(number).decode())]
            found.append((part, numbers))
        return self._named(found, counted=next(tried, None) is not None)

    def definitions(self, name: str) -> int:
        """Return how many definitions are called ``name``, case and all."""
        return sum(found.definitions for found in self.exact(name).names if found.spelled == name)

    def _named(
        self, found: Iterable[tuple[NamePart, Sequence[int]]], counted: bool = True, most_scanned: int = sys.maxsize
    ) -> Named:
        names: dict[bytes, int] = {}
        total = seen = scanned = 0
        counted = counted and self.complete
        for part, numbers in found:
            if scanned > most_scanned and total > _ENOUGH:
                counted = False
                break
            scanned += len(part.lower)
            total += sum(map(part.counts.__getitem__, numbers))
            for number in numbers[: max(0, MOST_NAMED - seen)]:
                name = part.name(number)
                names[name] = names.get(name, 0) + part.counts[number]
            seen += len(numbers)
            if seen > _MOST_COUNTED:
                counted = False
                break
        kept = [Name(name.decode(), count) for name, count in names.items() if count > 0]
        return Named(kept, total, seen <= MOST_NAMED and counted, counted)

    def similar(self, query: str) -> list[Name]:
        """Return the names most like the query, most like first."""
        from rapidfuzz import fuzz, process

        wanted = folded(query).encode()
        found: dict[bytes, float] = {}
        definitions = cache(lambda name: self.definitions(name.decode()))
        least, best = _LIKENESS, list[bytes]()
        for lazy_part in sorted(self.lazy_parts, key=lambda lazy_part: abs(lazy_part.length - len(wanted))):
            if _most_like(lazy_part.length, len(wanted)) < least:
                continue
            part, width = lazy_part.part, lazy_part.length + 1
            for start in range(0, len(part), _SLICE):
                names = part.lower[start * width : (start + _SLICE) * width].split(b"\n")
                names.pop()
                like = process.extract(wanted, names, scorer=fuzz.ratio, score_cutoff=least, limit=None)
                found.update((part.name(start + number), score) for _, score, number in like)
            ranked = sorted(found, key=lambda name: (-found[name], name.lower(), name))
            best = list(islice(filter(definitions, ranked), _MOST_SIMILAR))  # of a name that is gone there are none
            if best:
                least = max(least, found[best[0]] - _MOST_BEHIND)
            if len(best) == _MOST_SIMILAR:
                least = max(least, found[best[-1]])
        return [Name(name.decode(), definitions(name)) for name in best if found[name] >= least]


def _most_like(length: int, other: int) -> float:
    """Return the most likeness, in percent, that texts of two lengths can have."""
    return 200.0 * min(length, other) / (length + other)
