"""Files as a list of them is counted, shown and kept: an object is made only for those that are looked at."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import overload

from leadline_tools.index.files import Listing
from leadline_tools.index.integers import packed_integers, unpacked_integers
from leadline_tools.languages import language_name, language_names
from leadline_tools.model import FileCount, FileEntry
from leadline_tools.once import once

BINARY = "binary"
"""What stands for the language of a file that holds no text."""

_LEVEL = 1

_BETWEEN = "\0"
"""What stands between paths that are dumped: no path holds it."""

_LENGTHS = struct.Struct("<4Q")
"""What a dump begins with: how many bytes the paths, sizes, numbers of lines and marks of binary files take."""


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
        paths = _BETWEEN.join(self.paths).encode("utf-8", "surrogatepass")
        columns = paths, packed_integers("q", self.sizes), packed_integers("q", self.lines), bytes(self._binary)
        return zlib.compress(b"".join((_LENGTHS.pack(*map(len, columns)), *columns)), _LEVEL)

    @classmethod
    def loaded(cls, dumped: bytes) -> Listed:
        """Return what was dumped; raises ValueError or zlib.error for what is damaged, or kept by another version."""
        whole = zlib.decompress(dumped)
        lengths = _LENGTHS.unpack_from(whole) if len(whole) >= _LENGTHS.size else ()
        ends = [*accumulate(lengths, initial=_LENGTHS.size)]
        if not lengths or ends[-1] != len(whole):
            raise ValueError("damaged list of files")
        joined, sizes, lines, binary = (whole[start:end] for start, end in pairwise(ends))
        paths = joined.decode("utf-8", "surrogatepass").split(_BETWEEN) if binary else []
        listed = cls(paths, unpacked_integers("q", sizes), unpacked_integers("q", lines), [*map(bool, binary)])
        if not len(paths) == len(listed.sizes) == len(listed.lines) == len(binary):
            raise ValueError("damaged list of files")
        return listed
