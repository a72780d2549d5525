"""Files as a list of them is counted, shown and kept: an object is made only for those that are looked at."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from leadline_tools.index.files import Listing
from leadline_tools.languages import language_name, language_names
from leadline_tools.model import FileCount, FileEntry
from leadline_tools.once import once

BINARY = "binary"
"""What stands for the language of a file that holds no text."""

_LEVEL = 1

_BETWEEN = "\0"
"""What stands between paths that are dumped: no path holds it, and one text is dumped sooner than thousands."""


class Listed(Sequence[FileEntry]):
    """Files in the order of their paths, by column."""

    def __init__(
        self, paths: Sequence[str], sizes: Sequence[int], lines: Sequence[int], binary: Sequence[bool]
    ) -> None:
        """Take for each file its path, bytes, lines (0 until it was read) and whether it holds no text."""
        self.paths, self.sizes, self.lines = paths, sizes, lines
        self._binary = binary

    @classmethod
    def of(cls, files: Iterable[Listing]) -> Listed:
        """Return files of the index."""
        paths, sizes, lines, binary = list[str](), list[int](), list[int](), list[bool]()
        for some in files:
            paths += some.paths
            sizes += some.sizes
            lines += some.lines
            binary += some.binary
        return cls(paths, sizes, lines, binary)

    def __len__(self) -> int:
        """Return how many files there are."""
        return len(self.paths)

    def __iter__(self) -> Iterator[FileEntry]:
        """Yield all files."""
        return map(FileEntry, self.paths, self.sizes, self.lines, self.languages)

    @overload
    def __getitem__(self, index: int) -> FileEntry: ...
    @overload
    def __getitem__(self, index: slice) -> Listed: ...
    def __getitem__(self, index: int | slice) -> FileEntry | Listed:
        """Return a file, or a run of them."""
        if isinstance(index, slice):
            return Listed(self.paths[index], self.sizes[index], self.lines[index], self._binary[index])
        path = self.paths[index]
        language = BINARY if self._binary[index] else language_name(path)
        return FileEntry(path, self.sizes[index], self.lines[index], language)

    @once
    def languages(self) -> Sequence[str]:
        """Return the name of the language of each file; ``binary`` where it holds no text."""
        names = zip(language_names(self.paths), self._binary, strict=True)
        return [BINARY if binary else name for name, binary in names]

    def counted(self, group: str, rows: Sequence[int] | None = None) -> FileCount:
        """Return the totals of the files, or of those in some places of the list."""
        chosen = range(len(self)) if rows is None else rows
        names, sizes = self.languages, self.sizes
        languages: dict[str, int] = {}
        for row in chosen:
            name = names[row]
            languages[name] = languages.get(name, 0) + sizes[row]
        lines = sum(map(self.lines.__getitem__, chosen))
        return FileCount(group, len(chosen), lines, sum(languages.values()), tuple(sorted(languages.items())))

    def dumped(self) -> bytes:
        """Return them as bytes that ``loaded`` takes."""
        binary = "".join("01"[flag] for flag in self._binary)
        columns = [_BETWEEN.join(self.paths), self.sizes, self.lines, binary]
        return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), _LEVEL)

    @classmethod
    def loaded(cls, dumped: bytes) -> Listed:
        """Return what was dumped; raises ValueError or zlib.error for what is damaged."""
        joined, sizes, lines, binary = json.loads(zlib.decompress(dumped))
        if not isinstance(joined, str):
            raise ValueError("a list of files as another version keeps it")
        paths = joined.split(_BETWEEN) if binary else []
        if len(set(map(len, (paths, sizes, lines, binary)))) != 1:
            raise ValueError("damaged list of files")
        return cls(paths, sizes, lines, [flag == "1" for flag in binary])
