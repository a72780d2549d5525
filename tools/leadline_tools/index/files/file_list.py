"""Files as a list of them is counted, shown and kept: an object is made only for those that are looked at."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from typing import overload

from leadline_tools import deflated
from leadline_tools.index.files.file import Listing
from leadline_tools.index.packing.integers import packed_integers, unpacked_integers
from leadline_tools.languages import language_name, language_names
from leadline_tools.model import FileCount, FileEntry
from leadline_tools.once import once

BINARY = "binary"
"""What stands for the language of a file that holds no text."""

LOOKED_AT = 512
"""Files of which all is looked up at once when one is asked for; of more, that of each alone."""

_BETWEEN = "\0"
"""What stands between paths that are dumped: no path holds it."""

_LENGTHS = struct.Struct("<4Q")
"""What a dump begins with: how many bytes the paths, sizes, numbers of lines and marks of binary files take."""

_NOTHING = Listing([], [], [], [])
_UNTOLD = (0, 0, False)
"""The bytes, the lines and whether it is binary, of a file of which nothing is told."""


class FileList(Sequence[FileEntry]):
    """Files in the order of their paths, by column; what is told of them besides is looked up when it is asked for."""

    def __init__(self, paths: Sequence[str], look: Callable[[Sequence[str]], Iterable[Listing]]) -> None:
        """Take the paths, and what tells of files at some paths; of those that it leaves out nothing is told."""
        self.paths = paths
        self._look = look
        self._told: Listing | None = None

    @classmethod
    def of(cls, told: Listing) -> FileList:
        """Return files of which all is known."""
        listed = cls(told.paths, lambda _: ())
        listed._told = told
        return listed

    @property
    def sizes(self) -> Sequence[int]:
        """Return the bytes of each file."""
        return self._all.sizes

    @property
    def lines(self) -> Sequence[int]:
        """Return the lines of each file; 0 until it was read."""
        return self._all.lines

    @property
    def _all(self) -> Listing:
        told = self._told
        if told is None:
            told = self._told = self._of(self.paths)
        return told

    def _of(self, paths: Sequence[str]) -> Listing:
        """Return what is told of the files at some paths, in their order."""
        columns = [list(chain.from_iterable(column)) for column in zip(*self._look(paths), strict=True)]
        told = Listing(*columns) if columns else _NOTHING
        if told.paths == [*paths]:
            return told
        known = {path: row for path, *row in zip(*told, strict=True)}
        rows = [known.get(path, _UNTOLD) for path in paths]
        return Listing(paths, *([*column] for column in zip(*rows, strict=True)))

    def __len__(self) -> int:
        """Return how many files there are."""
        return len(self.paths)

    def __iter__(self) -> Iterator[FileEntry]:
        """Yield all files."""
        return map(FileEntry, self.paths, self.sizes, self.lines, self.languages)

    @overload
    def __getitem__(self, index: int) -> FileEntry: ...
    @overload
    def __getitem__(self, index: slice) -> FileList: ...
    def __getitem__(self, index: int | slice) -> FileEntry | FileList:
        """Return a file, or a run of them."""
        paths = self.paths
        told = self._all if len(paths) <= LOOKED_AT else self._told
        if isinstance(index, slice):
            if told is None:
                return FileList(paths[index], self._look)
            return FileList.of(Listing(paths[index], told.sizes[index], told.lines[index], told.binary[index]))
        path = paths[index]
        if told is None:
            told, index = self._of([path]), 0
        language = BINARY if told.binary[index] else language_name(path)
        return FileEntry(path, told.sizes[index], told.lines[index], language)

    @once
    def languages(self) -> Sequence[str]:
        """Return the name of the language of each file; ``binary`` where it holds no text."""
        names = zip(language_names(self.paths), self._all.binary, strict=True)
        return [BINARY if binary else name for name, binary in names]

    @property
    def characters(self) -> int:
        """Return about how many characters a list of all takes: a line for each name, and one for each folder."""
        folders = [path[: path.rfind("/") + 1] for path in self.paths]
        opened = sum(len(folder or "./") + 1 for folder, _ in groupby(folders))
        return sum(map(len, self.paths)) - sum(map(len, folders)) + len(folders) + opened

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
        columns = paths, packed_integers("q", self.sizes), packed_integers("q", self.lines), bytes(self._all.binary)
        return deflated.compress(b"".join((_LENGTHS.pack(*map(len, columns)), *columns)))

    @classmethod
    def loaded(cls, dumped: bytes) -> FileList:
        """Return what was dumped; raises ValueError for what is damaged, or kept by another version."""
        whole = deflated.decompress(dumped)
        lengths = _LENGTHS.unpack_from(whole) if len(whole) >= _LENGTHS.size else ()
        ends = [*accumulate(lengths, initial=_LENGTHS.size)]
        if not lengths or ends[-1] != len(whole):
            raise ValueError("damaged list of files")
        joined, sizes, lines, binary = (whole[start:end] for start, end in pairwise(ends))
        paths = joined.decode("utf-8", "surrogatepass").split(_BETWEEN) if binary else []
        told = Listing(paths, unpacked_integers("q", sizes), unpacked_integers("q", lines), [*map(bool, binary)])
        if len({*map(len, told)}) != 1:
            raise ValueError("damaged list of files")
        return cls.of(told)
