"""The files of the tree as the index knows them, in memory: paths, sizes, times and how far each is indexed."""

from __future__ import annotations

import bisect
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import xor
from typing import NamedTuple
from zlib import crc32

from leadline_tools.index.files.fact_states import FactStates, has_facts
from leadline_tools.index.files.file import NO_DIGEST, Columns, File, Listing, is_binary
from leadline_tools.index.files.indexing_progress import IndexingProgress
from leadline_tools.index.files.packed_file import ID_AT, LISTED, ROW, SEEN, TIME_AT, pack, row_number
from leadline_tools.index.text.source_text import Known
from leadline_tools.index.tree.walked_files import ListedFile
from leadline_tools.languages import telling_name, telling_names

AT_ONCE = 4_096
"""Files of which columns are made together."""


class Changes(NamedTuple):
    """What a walk found different from the table."""

    added: list[ListedFile]
    changed: list[ListedFile]
    removed: list[str]


def below(paths: Sequence[str], folder: str) -> Sequence[str]:
    """Return those of sorted paths that are below a folder; all, the very same, for the empty one."""
    if not folder:
        return paths
    return paths[bisect.bisect_left(paths, f"{folder}/") : bisect.bisect_left(paths, f"{folder}0")]


class FileTable:
    """The table of files, in the order of their paths. Readers take snapshots; who writes waits for others who do.

    A file is kept as its path and 45 bytes, a fourth of what an object with its numbers takes.

    Attributes:
        progress: How far the files are indexed.
        facts: Of which of them the facts are kept.

    """

    def __init__(self, largest: int = sys.maxsize) -> None:
        """``largest`` is how many bytes the largest file has whose words are indexed."""
        self._writing = threading.RLock()
        self._rows: dict[str, bytes] = {}
        self._errors: dict[str, str] = {}
        self._by_id: list[str | None] = []
        self._last_move = object()
        self._sorted: tuple[object, Sequence[str]] = (self._last_move, ())
        self._state = 0
        self.progress = IndexingProgress(self._rows, self.paths, largest)
        self.facts = FactStates(self.get, self.row, self._writing)

    def fill(self, files: Columns) -> None:
        """Take in files of which none is known yet; a start on a large tree takes in tens of thousands."""
        with self._writing:
            self._fill(files)

    def _fill(self, files: Columns) -> None:
        ids, paths, sizes, changes_ns, lines, digests, done, errors = files
        if not paths:
            return
        packed = map(ROW.pack, sizes, changes_ns, ids, lines, done, [digest or NO_DIGEST for digest in digests])
        self._rows.update(zip(paths, packed, strict=True))
        self._last_move = object()
        self._state ^= _fingerprint(paths, sizes, changes_ns)
        names = Counter(telling_names(paths))
        self.facts.possible += sum(many for name, many in names.items() if has_facts(name))
        self.progress.fill(files)
        if any(errors):
            self._errors.update((path, error) for path, error in zip(paths, errors, strict=True) if error)
        if any(ids):
            self._by_id += [None] * (max(ids) + 1 - len(self._by_id))
            for number, path in zip(ids, paths, strict=True):
                self._name(number, path)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, path: str) -> bool:
        return path in self._rows

    def __iter__(self) -> Iterator[File]:
        return (file for path in self.paths() if (file := self.get(path)) is not None)

    @property
    def state(self) -> str:
        """Return what names this state of the tree: equal for equal paths, sizes and times."""
        return f"{self._state:016x}"

    def paths(self) -> Sequence[str]:
        """Return all paths, sorted; the very same as long as none comes or goes."""
        last, paths = self._sorted
        if last is not self._last_move:
            last = self._last_move  # looked at first: what comes while they are sorted has them sorted again
            paths = sorted(self._rows)
            self._sorted = last, paths
        return paths

    def below(self, folder: str) -> Sequence[str]:
        """Return the paths below a folder, sorted; all for the empty one."""
        return below(self.paths(), folder)

    def get(self, path: str) -> File | None:
        """Return the file at a path."""
        row = self._rows.get(path)
        if row is None:
            return None
        size, changed_ns, number, lines, done, digest = ROW.unpack(row)
        known = b"" if digest == NO_DIGEST else digest
        return File(number, path, size, changed_ns, lines, known, done, self._errors.get(path, ""))

    def row(self, path: str) -> int | None:
        """Return the row of the file at a path in the database."""
        packed = self._rows.get(path)
        return None if packed is None else row_number(packed)

    def known(self, path: str) -> Known | None:
        """Return what is known of the text of a file: mostly it is still that one."""
        file = self.get(path)
        return Known(file.digest, file.lines) if file is not None and file.digest else None

    def listing(self, paths: Iterable[str]) -> Iterator[Listing]:
        """Yield what a list tells of some files, many at a time; those that have gone are left out."""
        given = iter(paths)
        while some := list(islice(given, AT_ONCE)):
            rows = list(map(self._rows.get, some))
            there = [path for path, row in zip(some, rows, strict=True) if row is not None] if None in rows else some
            packed = b"".join(filter(None, rows))
            if there:
                sizes, lines, done, digests = zip(*LISTED.iter_unpack(packed), strict=True)
                yield Listing(there, sizes, lines, list(map(is_binary, sizes, done, digests)))

    def failed(self) -> list[File]:
        """Return the files of which something could not be indexed, in the order of their paths."""
        return [file for path in sorted(self._errors) if (file := self.get(path)) is not None]

    # What is asked of thousands of files is answered without an object for each.

    def paths_of(self, numbers: Iterable[int]) -> list[str]:
        """Return the paths of the files of some rows; those of none are left out."""
        by_id, most = self._by_id, len(self._by_id)
        return [path for number in numbers if number < most and (path := by_id[number]) is not None]

    def size(self, path: str) -> int:
        """Return the bytes of a file; 0 where there is none."""
        row = self._rows.get(path)
        return int.from_bytes(row[:TIME_AT], "little") if row is not None else 0

    def time(self, path: str) -> int:
        """Return when the file at a path was changed, in nanoseconds; 0 where there is none."""
        row = self._rows.get(path)
        return int.from_bytes(row[TIME_AT:ID_AT], "little", signed=True) if row is not None else 0

    def by_id(self, number: int) -> File | None:
        """Return the file of a row."""
        path = self._by_id[number] if number < len(self._by_id) else None
        return self.get(path) if path is not None else None

    def put(self, file: File) -> None:
        """Add a file, or replace what was known of it."""
        with self._writing:
            self._put(file, self.get(file.path))

    def change(self, path: str, changed: Callable[[File], File]) -> bool:
        """Replace a file by what ``changed`` makes of it; False where there is none, or none any more."""
        with self._writing:
            file = self.get(path)
            if file is not None:
                self._put(changed(file), file)
        return file is not None

    def _put(self, file: File, before: File | None) -> None:
        path = file.path
        if before is not None:
            self.progress.count(path, before.size, before.done, -1)
            if before[2:4] != file[2:4] or before.digest != file.digest or before.id != file.id:
                self.facts.lose(before.id)
            if before[2:4] != file[2:4]:
                for size, changed_ns in (before[2:4], file[2:4]):
                    self._state ^= _fingerprint([path], [size], [changed_ns])
            if before.id != file.id:
                self._name(before.id, None)
        if file.error:
            self._errors[path] = file.error
        else:
            self._errors.pop(path, None)
        self._rows[path] = pack(file)
        self._name(file.id, path)
        if before is None:
            self._move(path, file.size, file.changed_ns, file.done, 1)
        else:
            self.progress.count(path, file.size, file.done, 1)

    def remove(self, path: str) -> None:
        """Forget a file."""
        with self._writing:
            before = self.get(path)
            if before is not None:
                del self._rows[path]
                self._errors.pop(path, None)
                self.facts.lose(before.id)
                self._name(before.id, None)
                self._move(path, before.size, before.changed_ns, before.done, -1)

    def _move(self, path: str, size: int, changed_ns: int, done: int, sign: int) -> None:
        """Note that a file has come, or with the other sign gone."""
        self._state ^= _fingerprint([path], [size], [changed_ns])
        self._last_move = object()
        self.facts.possible += sign * has_facts(telling_name(path))
        self.progress.count(path, size, done, sign)

    def _name(self, number: int, path: str | None) -> None:
        """Note which file has a row, or that none has it any more; 0 is no row."""
        if number:
            self._by_id += [None] * (number + 1 - len(self._by_id))
            self._by_id[number] = path

    def compare(self, found: Sequence[ListedFile]) -> Changes:
        """Return how a walk differs from the table."""
        known, seen_as = self._rows, SEEN.pack
        if not known:
            return Changes(list(found), [], [])
        added, changed = [], []
        for file in found:
            path, size, changed_ns = file
            row = known.get(path)
            if row is None:
                added.append(file)
            elif not row.startswith(seen_as(size, changed_ns)):
                changed.append(file)
        if len(found) - len(added) == len(known):
            return Changes(added, changed, [])
        seen = {file[0] for file in found}
        return Changes(added, changed, [path for path in known if path not in seen])


def _fingerprint(paths: Sequence[str], sizes: Sequence[int], changes_ns: Sequence[int]) -> int:
    """Return a number for the state of files, the same in every process: the hash of numbers is not salted.

    That of several is the exclusive or of theirs.
    """
    encoded = "\0".join(paths).encode("utf-8", "surrogateescape").split(b"\0")
    each = map(hash, zip(map(crc32, encoded), map(len, paths), sizes, changes_ns, strict=True))
    return reduce(xor, each, 0) & 0xFFFFFFFFFFFFFFFF
