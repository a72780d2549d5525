"""The vocabulary in the database: immutable sorted runs whose sum is the present state, as in a log-structured merge.

A trigger notes each file whose symbols change, with what it had before, whichever process changes them. A few such
files are counted anew whenever the vocabulary is asked for; many are written as a run of differences, and runs are
merged as they grow. So nothing is ever stale, a small change costs little, and no name is in memory as a string.
"""

from __future__ import annotations

import contextlib
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any, NamedTuple

import apsw

from leadline_tools.index.packing.packed_symbols import names_in
from leadline_tools.index.store.database import Database
from leadline_tools.index.store.packed_vocabulary import packed_part, unpacked_part
from leadline_tools.index.store.rows import RowsDamagedError
from leadline_tools.index.store.vocabulary import LazyPart, Part, Vocabulary, merged, parts_of

TABLES = ("run", "part", "renamed")

SCHEMA = """
create table run(id integer primary key, size integer not null);
create table part(run integer not null, length integer not null, spelling integer not null, names blob not null,
    counts blob not null);
create index part_run on part(run);
-- Files whose symbols are not what the runs hold: a number that is new with each change, and the symbols they had.
create table renamed(file integer primary key, change integer not null, blob blob);
create index renamed_change on renamed(change);
create trigger symbols_added before insert on symbols begin
    insert into renamed values(new.file, random() >> 16, (select blob from symbols where file = new.file))
        on conflict(file) do update set change = excluded.change;
end;
create trigger symbols_changed before update on symbols begin
    insert into renamed values(old.file, random() >> 16, old.blob)
        on conflict(file) do update set change = excluded.change;
end;
create trigger symbols_removed before delete on symbols begin
    insert into renamed values(old.file, random() >> 16, old.blob)
        on conflict(file) do update set change = excluded.change;
end;
"""

MANY = 4_000
"""Files that are written as a run while more are being indexed."""

MOST_NAMES = 100_000
"""Names of a run from which on it has no further file; so many take 30 MB for a moment."""

FEW = 64
"""Files that are left to be counted when they are asked for; it takes 5 ms."""

_MOST_COUNTED = 2_000
"""Files that are counted when they are asked for while a first index is built; it takes 150 ms."""

_GROWTH = 4
"""A run is merged with all smaller ones once it is less than so many times as large as they are together."""


class _Difference(NamedTuple):
    """How many definitions more, or fewer, each name has than the runs say, of some files: their ids and changes."""

    counts: Counter[bytes]
    files: list[tuple[int, int]]


class _State(NamedTuple):
    """What names a state of the vocabulary: its runs, and the sum of the changes since."""

    runs: frozenset[int]
    files: int
    changes: int


class VocabularyRuns:
    """The vocabulary of an index, as its database has it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._loaded: dict[int, list[LazyPart]] = {}
        self._present: tuple[_State, Vocabulary] | None = None

    def vocabulary(self) -> Vocabulary:
        """Return the names as they are now."""
        connection = self._database.connection()
        with self._lock:
            connection.execute("begin")
            try:
                state = _state(connection)
                if self._present is None or self._present[0] != state:
                    self._present = (state, self._assembled(connection, state))
            finally:
                connection.execute("commit")
            return self._present[1]

    def _assembled(self, connection: apsw.Connection, state: _State) -> Vocabulary:
        self._loaded = {run: self._loaded.get(run) or list(_lazy_parts(connection, run)) for run in state.runs}
        counts, files = _difference(connection, _MOST_COUNTED, sys.maxsize)
        recent = map(LazyPart.of, parts_of(counts))
        return Vocabulary(chain(*self._loaded.values(), recent), len(files) == state.files)

    def write(self, least: int = MANY) -> bool:
        """Write a run of files that have changed, if there are at least so many; return whether there were."""
        if _state(self._database.connection()).files < least:
            return False
        counts, files = _difference(self._database.connection(), MANY, MOST_NAMES)
        parts = parts_of(counts)
        with contextlib.suppress(_Overtaken), self._database.writing() as connection:
            _delete(connection, "renamed where file=? and change=?", files)
            _insert(connection, parts)
        return True

    def settle(self, stopped: Callable[[], bool]) -> None:
        """Bring what has changed into runs, and merge those that are worth it; ends early when it is ``stopped``."""
        while not stopped() and self.write(FEW):
            pass
        while not stopped() and (small := _mergeable(self._database.connection())):
            self._merge(small, stopped)

    def _merge(self, runs: Sequence[int], stopped: Callable[[], bool]) -> None:
        """Put one run in the place of several."""
        parts: list[Part] = []
        for group in _grouped(self._database.connection(), runs):
            if stopped():
                return
            parts.extend(merged(group))
        with contextlib.suppress(_Overtaken), self._database.writing() as connection:
            _delete(connection, "run where id=?", [(run,) for run in runs])
            connection.executemany("delete from part where run=?", [(run,) for run in runs])
            _insert(connection, parts)


class _Overtaken(Exception):  # noqa: N818  it is no error
    """Somebody else has changed what was about to be replaced."""


def _delete(connection: apsw.Connection, what: str, rows: Sequence[tuple[int, ...]]) -> None:
    """Delete rows, each of which must still be there; raises ``_Overtaken``."""
    before = connection.total_changes()
    connection.executemany(f"delete from {what}", rows)  # noqa: S608  constants
    if connection.total_changes() - before != len(rows):
        raise _Overtaken


def _rows(connection: apsw.Connection, sql: str) -> list[tuple[Any, ...]]:
    return list(connection.execute(sql))


def _state(connection: apsw.Connection) -> _State:
    runs = frozenset(run for (run,) in _rows(connection, "select id from run"))
    [(files, changes)] = _rows(connection, "select count(*), coalesce(sum(change), 0) from renamed")
    return _State(runs, files, changes)


def _difference(connection: apsw.Connection, most_files: int, most_names: int) -> _Difference:
    """Return how the symbols of changed files differ from what the runs hold; at so many names no file is added."""
    counts: Counter[bytes] = Counter()
    files: list[tuple[int, int]] = []
    rows = connection.execute(
        "select renamed.file, change, renamed.blob, symbols.blob"
        " from renamed left join symbols on symbols.file = renamed.file limit ?",
        (most_files,),
    )
    for file, change, before, now in rows:
        counts.update(_names(now))
        counts.subtract(_names(before))
        files.append((file, change))
        if len(counts) >= most_names:
            break
    return _Difference(counts, files)


def _names(blob: bytes | None) -> list[bytes]:
    try:
        return names_in(blob).split(b"\n") if blob is not None else []
    except ValueError as error:
        raise RowsDamagedError(f"the names of a file are damaged: {error}") from None


def _lazy_parts(connection: apsw.Connection, run: int) -> Iterator[LazyPart]:
    rows = connection.execute("select length, spelling, names, counts from part where run=?", (run,))
    return (LazyPart(row[0], partial(unpacked_part, *row)) for row in rows)


def _grouped(connection: apsw.Connection, runs: Sequence[int]) -> Iterator[list[Part]]:
    """Yield the parts of several runs that belong together."""
    wanted = ",".join(map(str, runs))
    kinds = connection.execute(
        f"select distinct length, spelling from part where run in ({wanted})"  # noqa: S608  numbers
    ).fetchall()
    for length, case in kinds:
        rows = connection.execute(
            f"select length, spelling, names, counts from part where run in ({wanted}) and length=? and spelling=?",  # noqa: S608
            (length, case),
        )
        yield [unpacked_part(*row) for row in rows]


def _insert(connection: apsw.Connection, parts: Sequence[Part]) -> None:
    """Insert a run under a random number: one that was loaded is never taken for another."""
    run = secrets.randbits(62)
    connection.execute("insert into run values(?, ?)", (run, sum(map(len, parts))))
    connection.executemany(
        "insert into part values(?, ?, ?, ?, ?)",
        ((run, part.length, part.case, *packed_part(part)) for part in parts),
    )


def _mergeable(connection: apsw.Connection) -> list[int]:
    """Return the runs that are worth merging now; none or at least two."""
    rows = _rows(connection, "select id, size from run order by size")
    sizes = [size for _, size in rows]
    smaller = [0, *accumulate(sizes)]
    wanted = [number for number in range(1, len(rows)) if smaller[number] * _GROWTH > sizes[number]]
    return [run for run, _ in rows[: wanted[-1] + 1]] if wanted else []
