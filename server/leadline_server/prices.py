"""The price of reading: bytes times the tokens per byte of a language, sampled from the tree itself."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import gcd
from typing import NamedTuple

from leadline_estimators.profiles import Profile, TextKind
from leadline_server.calibration import Calibration
from leadline_tools.index.files.file_list import BINARY
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.answer_sizes import about
from leadline_tools.index.request_scope.file_selection import files_at
from leadline_tools.languages import language_name, language_names
from leadline_tools.model import Item
from leadline_tools.once import once
from leadline_tools.recently_used import RecentlyUsed
from leadline_tools.result import Call, Size

_FILES = 12
_LARGEST = 1 << 20
_AT_ONCE = 1_024
_GOLDEN_SECTION = 0.618034
_BYTES = 6_000
_UNSAMPLED = 0.28
"""O200k tokens per byte of code, where a language has no file to sample."""

_PER_CHARACTER = 0.3
"""O200k tokens per character of a row of an answer."""

_MOST_SAMPLED = 64
"""Sets of roots whose samples are kept."""

_FRAME = 60
"""O200k tokens of the frame around the rows of an answer."""


class Price(NamedTuple):
    """What a call would send at most, in tokens of the model; and as it was estimated, before correction and limit."""

    tokens: int
    estimate: int = 0


class Prices:
    """Prices in tokens of the configured model."""

    def __init__(self, index: Index, profile: Profile, calibration: Calibration) -> None:
        self._index = index
        self._profile = profile
        self._calibration = calibration
        self._ratios: dict[str, float] = {}
        self._lock = threading.Lock()
        self._sampled = RecentlyUsed[frozenset[str], dict[str, float]](_MOST_SAMPLED)

    def of(self, index: Index, calibration: Calibration) -> Prices:
        """Return the prices of another index, which are sampled from it alone, once for all with the same roots."""
        own = Prices(index, self._profile, calibration)
        roots = frozenset(index.root_names)
        with self._lock:
            sampled = self._sampled.get(roots)
            if sampled is None:
                self._sampled.put(roots, own._ratios)
            else:
                own._ratios = sampled
        return own

    def reading_cost(self, size: int, language: str) -> int:
        """Return the tokens of ``size`` bytes of a language."""
        tokens = self._profile.price(self.reading_tokens(size, language), TextKind.Code)
        return self._calibration.correct("read_file", tokens) if tokens else 0

    def reading_tokens(self, size: int, language: str) -> int:
        """Return the same in tokens as they are counted."""
        return 0 if language == BINARY else round(size * self._ratio(language))

    def files(self, paths: Iterable[str]) -> int:
        """Return the tokens, as they are counted, of files read whole."""
        return sum(self.reading_tokens(file.size, language_name(file.path)) for file in files_at(self._index, paths))

    def about(self, tool: str, item: Item) -> Size:
        """Return how large the answer of a tool about an item is."""
        return about(self._index.opened, tool, item)

    def answer(self, tokens: int, kind: TextKind) -> int:
        """Return what an answer with rows of so many tokens, as they are counted, costs."""
        return self._profile.price(tokens + self._scale(_FRAME), kind)

    def call(self, call: Call, most: int) -> int:
        """Return what a call would send, at most ``most``."""
        return self.price_call(call, most).tokens

    def price_call(self, call: Call, most: int) -> Price:
        """Return the price of a call, at most ``most``; where nothing is known of its answer, that."""
        return Price(most) if call.size == Size() else self.correct(call.tool, self._estimate_call(call.size), most)

    def correct(self, tool: str, estimate: int, most: int) -> Price:
        """Return the price of a call of a tool, of which an estimate is known, at most ``most``."""
        return Price(min(most, self._calibration.correct(tool, estimate)), estimate)

    def _estimate_call(self, size: Size) -> int:
        rows = round(size.rows * max(1, size.width) * _PER_CHARACTER)
        read = self.reading_tokens(size.bytes, size.language) if size.bytes else 0
        return self._profile.price(read + self._scale(rows + _FRAME), TextKind.Code)

    def _scale(self, o200k: int) -> int:
        return self._profile.tokenizer.scale(o200k)

    def _ratio(self, language: str) -> float:
        with self._lock:
            if language not in self._ratios:
                self._ratios[language] = self._sample_ratio(language)
            return self._ratios[language]

    def _sample_ratio(self, language: str) -> float:
        """Return tokens per byte over the beginnings of files spread evenly over the tree."""
        tokens = size = 0
        with self._index.tree.reading() as reader:
            for path in reader.ahead(self._samples.files_of(language)):
                source = self._index.try_read(path)
                if source is not None:
                    text = source.content[:_BYTES].decode("utf-8", "ignore")
                    tokens += self._profile.tokenizer.count(text)
                    size += len(text.encode())
        return tokens / size if size else _UNSAMPLED * self._profile.tokenizer.per_o200k

    @once
    def _samples(self) -> _Samples:
        return _Samples(self._index.opened)


class _Samples:
    """Files by language, a few of each spread evenly over the tree: searched for lazily, once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._rest = _spread(index.files.paths)
        self._found: dict[str, list[str]] = {}

    def files_of(self, language: str) -> Sequence[str]:
        """Return files of a language."""
        found = self._found.setdefault(language, [])
        while len(found) < _FILES and (paths := [*islice(self._rest, _AT_ONCE)]):
            for path, name in zip(paths, language_names(paths), strict=True):
                known = self._found.setdefault(name, [])
                if len(known) < _FILES and 0 < self._index.files.size(path) < _LARGEST:
                    known.append(path)
        return found


def _spread(paths: Sequence[str]) -> Iterator[str]:
    """Yield all paths in such an order that those that come first are spread evenly, however many are taken.

    Steps of the golden section do that (Kronecker's sequence).
    """
    step = round(len(paths) * _GOLDEN_SECTION)
    while step > 1 and gcd(step, len(paths)) > 1:
        step -= 1
    for number in range(len(paths)):
        yield paths[number * step % len(paths)]
