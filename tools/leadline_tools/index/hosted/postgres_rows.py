"""The rows of one ref at one commit, in PostgreSQL.

A *number* is the place of a file in the manifest, from 1: it stands for the id of a row. Equal contents have one blob,
so what is found of a blob is found of each of its numbers.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from leadline_tools.index.hosted.hosted_reader import LONGEST_WORD, HostedReader, Kind, VocabularyRow
from leadline_tools.index.store.packed_vocabulary import unpacked_part
from leadline_tools.index.store.rows import Blob, Clause, Words
from leadline_tools.index.store.vocabulary import LazyPart, Vocabulary
from leadline_tools.index.store.words import WordPart, tokens

_BESIDE = 64
"""Files of which packed bytes are read together: who asks for one mostly asks for those beside it."""

_AT_ONCE = 1_000
"""Files of which the symbols are read by one statement."""

_MOST_RUNS = 256
"""Runs of so many files that are kept."""

_MOST_SINGLE = 64
"""Files whose packed bytes are kept beside these runs, of each ref."""


class PostgresRows:
    """The rows of a ref; see ``RowReader``. All methods raise DatabaseError, which callers are told of as it is."""

    def __init__(
        self,
        reader: HostedReader,
        repository: int,
        blobs: Sequence[int],
        digests: Sequence[bytes],
        done: Sequence[int],
        vocabulary: Sequence[VocabularyRow],
        note_found: Callable[[Sequence[int]], None] = lambda _numbers: None,
    ) -> None:
        """Take what reads the database, the id of the repository, and of each file its blob, digest and state.

        ``note_found`` is called with the numbers of files that were found together.
        """
        self._note_found = note_found
        self._reader = reader
        self._repository = repository
        self._blobs = blobs
        self._digests = digests
        self._done = done
        self._numbers: defaultdict[int, list[int]] = defaultdict(list)
        for number, blob in enumerate(blobs, 1):
            if blob:
                self._numbers[blob].append(number)
        parts = (LazyPart(row.length, partial(unpacked_part, *row)) for row in vocabulary)
        self._vocabulary = Vocabulary(parts)
        self._runs: OrderedDict[tuple[Blob, int], dict[int, bytes]] = OrderedDict()
        self._single: OrderedDict[tuple[Blob, int], bytes | None] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def generation(self) -> int:
        """Return 0: what is known of a content is never recreated under the same blob."""
        return 0

    def blob(self, kind: Blob, file: int) -> bytes | None:
        """Return packed bytes of a file; None where it has none."""
        with self._lock:
            if (kind, file) in self._single:
                return self._single[kind, file]
        key = kind, (file - 1) // _BESIDE
        with self._lock:
            run = self._runs.get(key)
            if run is not None:
                self._runs.move_to_end(key)
        if run is None:
            first = key[1] * _BESIDE
            run = self._reader.packed(kind, self._blobs[first : first + _BESIDE])
            with self._lock:
                self._runs[key] = run
                if len(self._runs) > _MOST_RUNS:
                    self._runs.popitem(last=False)
        return run.get(self._blobs[file - 1])

    def keep_packed(self, kind: Blob, file: int, packed: bytes | None) -> None:
        """Keep packed bytes of a file, which were read with those of others; None where it has none."""
        with self._lock:
            self._single[kind, file] = packed
            if len(self._single) > _MOST_SINGLE:
                self._single.popitem(last=False)

    def symbols(self, files: Iterable[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield the packed symbols of some files, or of all, with their numbers."""
        wanted = range(1, len(self._blobs) + 1) if files is None else sorted(files)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            packed = self._reader.packed(Blob.Symbols, [self._blobs[number - 1] for number in some])
            for number in some:
                if (symbols := packed.get(self._blobs[number - 1])) is not None:
                    yield number, symbols

    def facts(self, files: Iterable[int]) -> dict[int, bytes]:
        """Return the packed facts of some files, empty for one that has none; those that are not known are left out."""
        blobs = {number: self._blobs[number - 1] for number in files}
        kept = self._reader.facts([*blobs.values()])
        return {number: kept[blob] for number, blob in blobs.items() if blob in kept}

    def symbols_of(self, file: int, done: int) -> tuple[bytes, bytes] | None:
        """Return the packed symbols of a file and the digest of its content; None where it has none."""
        symbols = self.blob(Blob.Symbols, file)
        if symbols is None:
            return None
        return symbols, self._digests[file - 1] if self._done[file - 1] & done else b""

    def holding(self, where: Words, words: Iterable[str], most: int = -1, beginning: str = "") -> list[int]:
        """Return the numbers of the files that hold all of some words, and one that begins with ``beginning``."""
        found = self._found(self._holding_all(where, words, beginning))
        return found if most < 0 else found[:most]

    def holding_each(self, where: Words, clauses: Iterable[Clause]) -> list[int]:
        """Return the numbers of the files that hold something of each clause."""
        each = [frozenset().union(*(self._holding_all(where, *held) for held in clause)) for clause in clauses]
        return self._found(frozenset.intersection(*each))

    def holding_part(self, parts: Sequence[WordPart], most_words: int) -> list[int] | None:
        """Return the numbers of the files that may hold a word of texts with any of some parts; None for too many."""
        found = self._reader.postings_of_parts(self._repository, parts, most_words)
        return None if len(found) > most_words else self._found(frozenset().union(*found))

    def holding_any(self, where: Words, words: Iterable[str]) -> list[int]:
        """Return the numbers of the files that hold any of some words."""
        cut = [tokens(word) for word in words]
        single = [word for one in cut if len(one) == 1 for word in one]
        found = self._reader.postings(self._repository, Kind.of(where), single)
        several = (self._holding_all(where, one) for one in cut if len(one) > 1)
        return self._found(frozenset().union(*found.values(), *several))

    def holding_among(self, where: Words, words: Iterable[str], files: Sequence[int]) -> list[int]:
        """Return those of some files, by their numbers, that hold all of some words."""
        wanted = frozenset(files)
        return [number for number in self.holding(where, words) if number in wanted] if wanted else []

    def count(self, where: Words, words: Iterable[str]) -> int:
        """Return how many files hold all of some words."""
        return len(self._found(self._holding_all(where, words)))

    def vocabulary(self) -> Vocabulary:
        """Return the names of all symbols."""
        return self._vocabulary

    def numbers_of(self, blobs: Iterable[int]) -> list[int]:
        """Return the numbers of the files of this ref that have some blobs, in order."""
        there = (self._numbers[blob] for blob in blobs if blob in self._numbers)
        return sorted(number for numbers in there for number in numbers)

    def count_of(self, blobs: Iterable[int]) -> int:
        """Return how many files of this ref have some blobs."""
        numbers = self._numbers
        return sum([len(numbers[blob]) for blob in blobs if blob in numbers])

    def blob_of(self, number: int) -> int:
        """Return the blob of a file."""
        return self._blobs[number - 1]

    def _found(self, blobs: Iterable[int]) -> list[int]:
        """Return the numbers of files that were found together, which are probably read next."""
        found = self.numbers_of(blobs)
        self._note_found(found)
        return found

    def _holding_all(self, where: Words, words: Iterable[str], beginning: str = "") -> frozenset[int]:
        """Return the blobs that hold all of some words, and one that begins with ``beginning``, of any ref."""
        wanted = [token for word in words for token in tokens(word)]
        kind = Kind.of(where)
        each = self._reader.postings(self._repository, kind, wanted) if wanted else {}
        sets = [frozenset(each.get(word[:LONGEST_WORD], ())) for word in dict.fromkeys(wanted)]
        if beginning:
            *before, last = tokens(beginning) or [""]
            sets += [self._holding_all(where, before)] if before else []
            found = self._reader.postings_beginning(self._repository, kind, last) if last else []
            sets.append(frozenset().union(*found))
        return frozenset.intersection(*sets) if sets else frozenset()
