"""The files of the tree as the index knows them, in memory: paths, sizes, times and how far each is indexed."""

from __future__ import annotations

import bisect
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import islice, starmap
from operator import xor
from typing import NamedTuple
from zlib import crc32

from leadline_tools.index.text.source_text import Known
from leadline_tools.index.tree.walk import Found
from leadline_tools.languages import language_by_name, telling_name, telling_names

TEXT = 1
"""The bit of ``File.done`` that says that the words of the file are indexed."""

SYMBOLS = 2
"""The bit that says that its symbols are, or that there are none to index."""

DONE = TEXT | SYMBOLS

TEXTUAL = 4
"""The bit that says that its symbols are left to its words: it defines macros and hardly anything else."""

_ALL = DONE | TEXTUAL

_BEFORE = 3
"""How far these bits are shifted in ``File.done`` once the file is touched, and not looked into since."""


class File(NamedTuple):
    """One file: its row in the database, 0 before it has one, and its state on disk when it was seen."""

    id: int
    path: str
    size: int
    changed_ns: int
    lines: int
    digest: bytes
    done: int
    error: str

    @property
    def binary(self) -> bool:
        """Tell whether the file was looked into and is no text."""
        return _is_binary(self.size, self.done, self.digest)

    @property
    def textual(self) -> bool:
        """Tell whether the symbols of the file are found by its words alone."""
        return bool(self.done & TEXTUAL)

    @property
    def done_before(self) -> int:
        """Return what was done of the content that ``digest`` is of, before the file was touched."""
        return self.done >> _BEFORE

    def touched(self, size: int, changed_ns: int, undone: int) -> File:
        """Return the file as one that nobody has looked into; what was done counts again if the content is the same."""
        before = (self.done | self.done_before) & _ALL if self.digest and size == self.size else 0
        return self._replace(size=size, changed_ns=changed_ns, done=undone | before << _BEFORE, error="")

    def found(self, lines: int, digest: bytes, undone: int) -> File:
        """Return the file with its content; what was done of another content does not count."""
        done = self.done & _ALL
        if digest == self.digest:
            done |= self.done_before
        elif digest and self.digest:
            done = undone
        return self._replace(lines=lines, digest=digest, done=done)


class Columns(NamedTuple):
    """What is known of many files, an attribute of ``File`` each: what an object for each takes is saved."""

    ids: Sequence[int]
    paths: Sequence[str]
    sizes: Sequence[int]
    changes_ns: Sequence[int]
    lines: Sequence[int]
    digests: Sequence[bytes]
    done: Sequence[int]
    errors: Sequence[str]

    def files(self) -> Iterator[File]:
        """Yield the files."""
        return starmap(File, zip(*self, strict=True))


class Listing(NamedTuple):
    """What a list tells of many files, an attribute of ``File`` each."""

    paths: Sequence[str]
    sizes: Sequence[int]
    lines: Sequence[int]
    binary: Sequence[bool]


def _is_binary(size: int, done: int, digest: bytes) -> bool:
    """Tell whether a file was looked into and is no text; without a digest as a file has none, or its row."""
    return done & TEXT > 0 and size > 0 and digest in (b"", _NO_DIGEST)


class Unindexed(NamedTuple):
    """Files of which something is left to index.

    Args:
        texts: Those whose words are not indexed.
        symbols: Those whose symbols are not.
        touched: Those whose symbols were indexed before they were touched: whether they have others is not known.

    """

    texts: list[str]
    symbols: list[str]
    touched: list[str]


class Changes(NamedTuple):
    """What a walk found different from the table."""

    added: list[Found]
    changed: list[Found]
    removed: list[str]


_ROW = struct.Struct("<qqqiB16s")
_SEEN = struct.Struct("<qq")
_LISTED = struct.Struct("<q16xiB16s")
"""A file as bytes; what they begin with, its size and its time; and what is told of it in a list."""

_TIME_AT, _ID_AT, _DONE_AT = 8, 16, 28
"""Where a file as bytes has its time, its row, and what is done of it."""

_NO_DIGEST = bytes(16)

_FACTS, _NO_FACTS = 1, 2
"""What is known of a file once its facts were looked for: they are kept, or it has none."""

AT_ONCE = 4_096
"""Files of which columns are made together."""


def below(paths: Sequence[str], folder: str) -> Sequence[str]:
    """Return those of sorted paths that are below a folder; all, the very same, for the empty one."""
    if not folder:
        return paths
    return paths[bisect.bisect_left(paths, f"{folder}/") : bisect.bisect_left(paths, f"{folder}0")]


@lru_cache(4_096)
def has_facts(name: str) -> bool:
    """Return whether a file can have facts, by the part of its name that decides its language."""
    language = language_by_name(name)
    return language is not None and language.scoping is not None


def _id(row: bytes) -> int:
    return int.from_bytes(row[_ID_AT : _ID_AT + 8], "little", signed=True)


def _packed(file: File) -> bytes:
    return _ROW.pack(file.size, file.changed_ns, file.id, file.lines, file.done, file.digest or _NO_DIGEST)


class Files:
    """The table of files, in the order of their paths. Readers take snapshots; who writes waits for others who do.

    A file is kept as its path and 45 bytes, a fourth of what an object with its numbers takes.
    """

    def __init__(self, largest: int = sys.maxsize) -> None:
        """``largest`` is how many bytes the largest file has whose words are indexed."""
        self._largest = largest
        self._writing = threading.RLock()
        self._rows: dict[str, bytes] = {}
        self._errors: dict[str, str] = {}
        self._by_id: list[str | None] = []
        self._last_move = object()
        self._sorted: tuple[object, Sequence[str]] = (self._last_move, ())
        self._state = 0
        self._texts = self._symbols = 0
        self._large: set[str] = set()
        self._textual: set[str] = set()
        self._fact_states = bytearray()  # by the rows of the database
        self._with_facts = self._factual = 0

    def fill(self, files: Columns) -> None:
        """Take in files of which none is known yet; a start on a large tree takes in tens of thousands."""
        with self._writing:
            self._fill(files)

    def _fill(self, files: Columns) -> None:
        ids, paths, sizes, changes_ns, lines, digests, done, errors = files
        if not paths:
            return
        packed = map(_ROW.pack, sizes, changes_ns, ids, lines, done, [digest or _NO_DIGEST for digest in digests])
        self._rows.update(zip(paths, packed, strict=True))
        self._last_move = object()
        self._state ^= _fingerprint(paths, sizes, changes_ns)
        states = Counter(done)
        self._texts += sum(many for one, many in states.items() if one & TEXT)
        self._symbols += sum(many for one, many in states.items() if one & SYMBOLS)
        names = Counter(telling_names(paths))
        self._factual += sum(many for name, many in names.items() if has_facts(name))
        if any(one & TEXTUAL for one in states):
            self._textual.update(path for path, one in zip(paths, done, strict=True) if one & TEXTUAL)
        if max(sizes) > self._largest:
            self._large.update(path for path, size in zip(paths, sizes, strict=True) if size > self._largest)
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

    @property
    def texts(self) -> int:
        """Return of how many files the words are indexed."""
        return self._texts

    @property
    def symbols(self) -> int:
        """Return of how many files the symbols are indexed."""
        return self._symbols

    @property
    def textual(self) -> int:
        """Return of how many files the symbols are left to the words."""
        return len(self._textual)

    @property
    def factual(self) -> int:
        """Return how many files can have facts."""
        return self._factual

    @property
    def with_facts(self) -> int:
        """Return of how many files the facts are kept."""
        return self._with_facts

    def lacks_facts(self, path: str) -> bool:
        """Tell whether it is not known of a file, which can have facts, that they are kept."""
        row = self._rows.get(path)
        return row is not None and has_facts(telling_name(path)) and not self._fact_state(_id(row))

    def note_facts(self, path: str, digest: bytes, *, some: bool) -> None:
        """Note that the facts of a content of a file are kept, ``some`` or none; nothing where it has another one."""
        with self._writing:
            file = self.get(path)
            if file is not None and file.id and file.digest == digest and not self._fact_state(file.id):
                self._fact_states.extend(bytes(max(0, file.id + 1 - len(self._fact_states))))
                self._fact_states[file.id] = _FACTS if some else _NO_FACTS
                self._with_facts += some
                self._factual -= not some

    def forget_facts(self) -> None:
        """Forget of which files the facts are kept."""
        with self._writing:
            for number in range(len(self._fact_states)):
                self._lose_facts(number)

    def _lose_facts(self, number: int) -> None:
        """Note that the facts of the file of a row are not known to be kept any more."""
        state = self._fact_state(number)
        if state:
            self._fact_states[number] = 0
            self._with_facts -= state == _FACTS
            self._factual += state == _NO_FACTS

    def _fact_state(self, number: int) -> int:
        return self._fact_states[number] if number < len(self._fact_states) else 0

    def _count(self, path: str, size: int, done: int, sign: int) -> None:
        self._texts += sign * (done & TEXT)
        self._symbols += sign * ((done & SYMBOLS) // SYMBOLS)
        if done & TEXTUAL:
            (self._textual.add if sign > 0 else self._textual.discard)(path)
        if size > self._largest:
            (self._large.add if sign > 0 else self._large.discard)(path)

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
        size, changed_ns, number, lines, done, digest = _ROW.unpack(row)
        known = b"" if digest == _NO_DIGEST else digest
        return File(number, path, size, changed_ns, lines, known, done, self._errors.get(path, ""))

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
                sizes, lines, done, digests = zip(*_LISTED.iter_unpack(packed), strict=True)
                yield Listing(there, sizes, lines, list(map(_is_binary, sizes, done, digests)))

    def textual_ids(self) -> list[int]:
        """Return the rows of the files whose symbols are left to the words, in the order of their paths."""
        return [file.id for path in sorted(self._textual) if (file := self.get(path)) is not None]

    def wordless(self) -> list[str]:
        """Return the files whose words are not indexed yet, in the order of their paths."""
        rows = self._rows
        if self._texts == len(rows):
            return []
        new = [path for path in self.paths() if (row := rows.get(path)) is not None and not row[_DONE_AT] & TEXT]
        return [path for path in new if path not in self._large]

    def incomplete(self) -> list[str]:
        """Return the files of which something is left to index, in the order of their paths."""
        rows = self._rows
        if self._texts == self._symbols == len(rows):
            return []
        return [path for path in self.paths() if (row := rows.get(path)) is not None and row[_DONE_AT] & DONE != DONE]

    def unindexed(self, paths: Iterable[str]) -> Unindexed:
        """Return what is left to index of the files at some paths; a path without a file is left out."""
        rows, left = self._rows, Unindexed([], [], [])
        for path in paths:
            row = rows.get(path)
            if row is None:
                continue
            done = row[_DONE_AT]
            if not done & TEXT:
                left.texts.append(path)
            if not done & SYMBOLS:
                (left.touched if done >> _BEFORE & SYMBOLS else left.symbols).append(path)
        return left

    def large(self) -> list[str]:
        """Return the files that are too large for their words to be indexed, in the order of their paths."""
        return sorted(self._large)

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
        return int.from_bytes(row[:_TIME_AT], "little") if row is not None else 0

    def time(self, path: str) -> int:
        """Return when the file at a path was changed, in nanoseconds; 0 where there is none."""
        row = self._rows.get(path)
        return int.from_bytes(row[_TIME_AT:_ID_AT], "little", signed=True) if row is not None else 0

    def undecided(self, paths: Iterable[str]) -> list[str]:
        """Return those of some files whose symbols are not indexed, or are left to the words."""
        rows = self._rows
        found = ((path, rows.get(path)) for path in paths)
        return [path for path, row in found if row is not None and row[_DONE_AT] & (SYMBOLS | TEXTUAL) != SYMBOLS]

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
            self._count(path, before.size, before.done, -1)
            if before[2:4] != file[2:4] or before.digest != file.digest or before.id != file.id:
                self._lose_facts(before.id)
            if before[2:4] != file[2:4]:
                for size, changed_ns in (before[2:4], file[2:4]):
                    self._state ^= _fingerprint([path], [size], [changed_ns])
            if before.id != file.id:
                self._name(before.id, None)
        if file.error:
            self._errors[path] = file.error
        else:
            self._errors.pop(path, None)
        self._rows[path] = _packed(file)
        self._name(file.id, path)
        if before is None:
            self._move(path, file.size, file.changed_ns, file.done, 1)
        else:
            self._count(path, file.size, file.done, 1)

    def remove(self, path: str) -> None:
        """Forget a file."""
        with self._writing:
            before = self.get(path)
            if before is not None:
                del self._rows[path]
                self._errors.pop(path, None)
                self._lose_facts(before.id)
                self._name(before.id, None)
                self._move(path, before.size, before.changed_ns, before.done, -1)

    def _move(self, path: str, size: int, changed_ns: int, done: int, sign: int) -> None:
        """Note that a file has come, or with the other sign gone."""
        self._state ^= _fingerprint([path], [size], [changed_ns])
        self._last_move = object()
        self._factual += sign * has_facts(telling_name(path))
        self._count(path, size, done, sign)

    def _name(self, number: int, path: str | None) -> None:
        """Note which file has a row, or that none has it any more; 0 is no row."""
        if number:
            self._by_id += [None] * (number + 1 - len(self._by_id))
            self._by_id[number] = path

    def compare(self, found: Sequence[Found]) -> Changes:
        """Return how a walk differs from the table."""
        known, seen_as = self._rows, _SEEN.pack
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
