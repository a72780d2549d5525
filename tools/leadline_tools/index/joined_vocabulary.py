"""The names of several indexes as one vocabulary: names of one length stand together, whichever index has them.

So a name is looked for in a few long texts instead of a hundred short ones for each index, of which there may be
hundreds. They are not sorted: what a name begins with is found by a search too.
"""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from leadline_tools.index.store.vocabulary import LEADS, LazyPart, Part, Vocabulary, folded, hump_pattern

_WIDE = "i"


class _Places(NamedTuple):
    """The numbers of the names that begin with a text, and of those that contain it and do not begin with it."""

    beginning: Sequence[int]
    holding: Sequence[int]


class JoinedPart:
    """The names of one length in several parts, as ``Part`` has those of one.

    Args:
        length: Bytes of each name.
        parts: The parts.

    """

    plain = False

    def __init__(self, length: int, parts: Sequence[Part]) -> None:
        self.length = length
        self.lower = b"".join(part.lower for part in parts)
        self.counts = array(_WIDE)
        for part in parts:
            self.counts.extend(part.counts.tolist())
        self._parts = parts
        self._starts = [0, *accumulate(map(len, parts))]
        self._last: tuple[bytes, _Places] = (b"", _Places((), ()))

    def __len__(self) -> int:
        return len(self.counts)

    def folded(self, number: int) -> bytes:
        """Return a name in lower case."""
        start = number * (self.length + 1)
        return self.lower[start : start + self.length]

    def name(self, number: int) -> bytes:
        """Return a name as it is spelled."""
        at = bisect_right(self._starts, number) - 1
        return self._parts[at].name(number - self._starts[at])

    def beginning(self, prefix: bytes) -> Sequence[int]:
        """Return the numbers of the names that begin with ``prefix``."""
        return self._places(prefix).beginning

    def holding(self, part: bytes) -> Sequence[int]:
        """Return the numbers of the names that contain ``part`` and do not begin with it."""
        return self._places(part).holding

    def _places(self, wanted: bytes) -> _Places:
        """Return where a text is; those of the last one are kept, since both are mostly asked for."""
        known, places = self._last
        if known != wanted:
            places = self._find(wanted)
            self._last = wanted, places
        return places

    def _find(self, wanted: bytes) -> _Places:
        beginning: list[int] = []
        holding: list[int] = []
        find, width = self.lower.find, self.length + 1
        at = find(wanted) if wanted and b"\n" not in wanted else -1
        while at >= 0:
            number, inside = divmod(at, width)
            (holding if inside else beginning).append(number)
            at = find(wanted, (number + 1) * width)
        return _Places(beginning, holding)

    def _beginning(self, prefix: bytes) -> Iterator[int]:
        """Yield the numbers of the names that begin with a text, without a look at where else it is."""
        find, width = self.lower.find, self.length + 1
        wanted, at = b"\n" + prefix, 0 if self.lower.startswith(prefix) else -1
        if at < 0:
            at = find(wanted) + 1 or -1
        while at >= 0:
            yield at // width
            at = find(wanted, at) + 1 or -1

    def humped(self, wanted: Sequence[str], tried: Iterator[int]) -> Iterator[int]:
        """Yield the numbers of the names that may have the humps; one of ``tried`` is taken for each that is compared.

        Case shows where humps begin, so whoever asks has to look at each name.
        """
        heads = [folded(hump).encode() for hump in wanted]
        rarest = max(heads[1:], key=len)
        pattern = hump_pattern(heads, plain=self.plain)
        for lead in LEADS:
            for number in self._beginning(lead + heads[0]):
                start = number * (self.length + 1)
                end = start + self.length
                if self.lower.find(rarest, start, end) < 0:
                    continue
                if next(tried, None) is None:
                    return
                if pattern.match(self.lower, start + len(lead), end):
                    yield number


class JoinedVocabulary:
    """Keeps the vocabulary of several indexes, as long as theirs are the same; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._joined: tuple[Sequence[Vocabulary], Vocabulary] = ((), Vocabulary(()))

    def of(self, vocabularies: Iterable[Vocabulary]) -> Vocabulary:
        """Return the names in some vocabularies as one."""
        wanted = [*vocabularies]
        if len(wanted) == 1:
            return wanted[0]
        with self._lock:
            known, joined = self._joined
            if len(known) != len(wanted) or any(one is not other for one, other in zip(known, wanted, strict=True)):
                joined = _joined(wanted)
                self._joined = wanted, joined
        return joined


def _joined(vocabularies: Sequence[Vocabulary]) -> Vocabulary:
    lengths: defaultdict[int, list[LazyPart]] = defaultdict(list)
    for vocabulary in vocabularies:
        for lazy in vocabulary.lazy_parts:
            lengths[lazy.length].append(lazy)
    lazy_parts = [LazyPart(length, partial(_join, length, some)) for length, some in lengths.items()]
    return Vocabulary(lazy_parts, all(one.complete for one in vocabularies))


def _join(length: int, lazy_parts: Sequence[LazyPart]) -> JoinedPart:
    return JoinedPart(length, [part for lazy in lazy_parts if isinstance(part := lazy.part, Part)])
