"""The writing of the hosted index: no other module inserts, updates or deletes anything of it but ``repository_teams``.

Blobs are added a batch at a time, each in one transaction with their postings: nobody sees them before a ref holds
them, and a writer that is killed goes on after the last batch. A ref moves in one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import LiteralString, NamedTuple

from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import DatabasePool, unlimited
from leadline_tools.database.session_settings import Connection
from leadline_tools.index.hosted.hosted_reader import LONGEST_WORD, Kind
from leadline_tools.index.hosted.writing.repository_teams import admit_everyone, replace_teams, unrestricted
from leadline_tools.index.store.packed_vocabulary import PackedPart

CHANNEL: LiteralString = "leadline_refs"
"""The channel on which the id of a ref is sent once it has moved."""

_LOCK_CLASS = 0x4C45
"""The first number of the advisory lock of a repository; the second is its id."""

_MOST_REFS = 63
"""Refs of a repository: a bit each in ``holder.refs``."""

_INSERT_BLOB: LiteralString = """
insert into blob(git, form, rules, kind, digest, size, lines, done, error)
values(%s, %s, %s, %s, %s, %s, %s, %s, %s)
on conflict(git, form, rules) do update set error = excluded.error returning id"""

_MERGE_POSTINGS: LiteralString = """
insert into posting(repository, kind, word, blobs) select %s, kind, word, blobs from new_posting
on conflict(repository, kind, word) do update set blobs = posting.blobs || excluded.blobs"""

_CLEAR_BITS: LiteralString = """
update holder set refs = refs & ~%s::bigint, unused_since = case when refs & ~%s::bigint = 0 then now() end
where repository = %s and refs & %s::bigint <> 0"""


class RefTaken(DatabaseError):  # noqa: N818  as in ``leadline_tools.errors``
    """Another indexer works on the repository."""

    hint = "Try again once it has finished."

    def __init__(self, repository: str) -> None:
        super().__init__(f"Another indexer is working on {repository}.")


class TooManyRefs(DatabaseError):  # noqa: N818  as in ``leadline_tools.errors``
    """A repository has as many refs as a number has bits."""

    hint = "Remove one first."

    def __init__(self, repository: str) -> None:
        super().__init__(f"{repository} has {_MOST_REFS} refs already, which is the limit.")


class BlobKey(NamedTuple):
    """What identifies a content: its id in git, and the form in which it is read."""

    git: bytes
    form: str


class NewBlob(NamedTuple):
    """A content that was read and parsed.

    Args:
        key: What identifies it.
        kind: A ``ContentKind``.
        digest: What names its text; empty for none.
        size: Its bytes.
        lines: Its lines.
        done: The bits of ``File.done``.
        error: Why it could not be parsed; empty where it could.
        body: Its bytes as they are kept; None for what is no text.
        words: The words of its text.
        names: The words by which it is found besides, one a line, deflated; see ``Reply``.
        symbols: Its symbols, packed; empty for none.
        included: What it includes, packed; empty for nothing.
        related: What it says of other files, packed; empty for nothing.
        facts: Its facts, packed, empty where it has none; None where they are not known.

    """

    key: BlobKey
    kind: int
    digest: bytes
    size: int
    lines: int
    done: int
    error: str
    body: bytes | None = None
    words: Collection[str] = ()
    names: bytes = b""
    symbols: bytes = b""
    included: bytes = b""
    related: bytes = b""
    facts: bytes | None = None


class BlobWords(NamedTuple):
    """A blob that a repository has not had yet, and the words by which it is found there."""

    blob: int
    text: Collection[str]
    names: Collection[str]


class RefMove(NamedTuple):
    """The next state of a ref.

    Args:
        ref: Its id.
        commit: The commit, in hexadecimal.
        rules: The rules of its blobs.
        manifest: The manifest, packed.
        blobs: The blobs of its files.
        vocabulary: The parts of its vocabulary that are others now, by length and case; one without counts is gone.
        anew: Whether these are all parts, so that what was kept of the ref goes.
        files: How many files there are.

    """

    ref: int
    commit: str
    rules: str
    manifest: bytes
    blobs: Collection[int]
    vocabulary: Mapping[tuple[int, int], PackedPart]
    anew: bool
    files: int = 0


class RefRow(NamedTuple):
    """A ref as the writer finds it; ``commit`` is empty for one that was never indexed."""

    id: int
    repository: int
    commit: str
    rules: str


class RepositoryWriter:
    """Writes one repository; others wait for their turn, see ``writing``. All methods raise DatabaseError."""

    def __init__(self, connection: Connection, repository: int, name: str) -> None:
        self._connection = connection
        self._repository = repository
        self._name = name

    def ref(self, name: str) -> RefRow:
        """Return a ref of the repository, made where there is none; raises TooManyRefs."""
        with self._connection.transaction():
            found = self._connection.execute(
                "select id, repository, commit, rules from ref where repository = %s and name = %s",
                (self._repository, name),
            ).fetchone()
            if found is not None:
                return RefRow(*found)
            taken = {
                slot
                for (slot,) in self._connection.execute(
                    "select slot from ref where repository = %s", (self._repository,)
                )
            }
            slot = next((slot for slot in range(_MOST_REFS) if slot not in taken), None)
            if slot is None:
                raise TooManyRefs(self._name)
            [made] = self._connection.execute(
                "insert into ref(repository, name, slot, commit, moves, rules, manifest)"
                " values(%s, %s, %s, '', 0, '', '') returning id",
                (self._repository, name, slot),
            )
        return RefRow(made[0], self._repository, "", "")

    def keep_refs(self, names: Collection[str]) -> Sequence[str]:
        """Delete all refs but those of some names; return the names of the deleted ones.

        Answers that are about them can be completed: what the refs had is kept for a day.
        """
        with self._connection.transaction():
            deleted = self._connection.execute(
                "delete from ref where repository = %s and not name = any(%s) returning id, name, slot",
                (self._repository, [*names]),
            ).fetchall()
            if deleted:
                bits = sum(1 << slot for _, _, slot in deleted)
                self._connection.execute(_CLEAR_BITS, (bits, bits, self._repository, bits))
            for ref, _, _ in deleted:
                self._connection.execute("select pg_notify(%s, %s)", (CHANNEL, str(ref)))
        return sorted(name for _, name, _ in deleted)

    def note_look(self) -> None:
        """Note that all refs of the repository are what they are where it comes from."""
        self._connection.execute(
            "insert into repository_look(repository) values(%s)"
            " on conflict (repository) do update set looked_at = now()",
            (self._repository,),
        )

    def known(self, keys: Sequence[BlobKey], rules: str) -> dict[BlobKey, int]:
        """Return the ids of those of some contents that any repository has, or had: they are kept for another day."""
        self._connection.execute(
            "update blob set created_at = now() from unnest(%s::bytea[], %s::text[]) as wanted(git, form)"
            " where blob.git = wanted.git and blob.form = wanted.form and blob.rules = %s"
            " and not exists (select from holder where holder.blob = blob.id)",
            ([key.git for key in keys], [key.form for key in keys], rules),
        )
        rows = self._connection.execute(
            "select blob.git, blob.form, blob.id from unnest(%s::bytea[], %s::text[]) as wanted(git, form)"
            " join blob on blob.git = wanted.git and blob.form = wanted.form and blob.rules = %s",
            ([key.git for key in keys], [key.form for key in keys], rules),
            prepare=True,
        )
        return {BlobKey(git, form): blob for git, form, blob in rows}

    def held(self, blobs: Collection[int]) -> frozenset[int]:
        """Return those of some blobs that have their postings in this repository."""
        rows = self._connection.execute(
            "select blob from holder where repository = %s and blob = any(%s)",
            (self._repository, sorted(blobs)),
            prepare=True,
        )
        return frozenset(blob for (blob,) in rows)

    def names(self, blobs: Collection[int]) -> dict[int, bytes]:
        """Return the words by which some blobs are found besides those of their texts, deflated."""
        rows = self._connection.execute(
            "select blob, names from outline where blob = any(%s)", (sorted(blobs),), prepare=True
        )
        return {blob: names for blob, names in rows}  # noqa: C416  two columns of a row

    def symbols(self, blobs: Collection[int]) -> dict[int, bytes]:
        """Return the packed symbols of some blobs."""
        rows = self._connection.execute(
            "select blob, packed from outline where blob = any(%s) and packed <> ''", (sorted(blobs),), prepare=True
        )
        return {blob: packed for blob, packed in rows}  # noqa: C416  two columns of a row

    def manifest(self, ref: int) -> bytes:
        """Return the manifest of a ref; empty for one that was never indexed."""
        row = self._connection.execute("select manifest from ref where id = %s", (ref,)).fetchone()
        return row[0] if row is not None else b""

    def vocabulary(self, ref: int, keys: Collection[tuple[int, int]]) -> dict[tuple[int, int], PackedPart]:
        """Return some parts of the vocabulary of a ref, by length and case."""
        rows = self._connection.execute(
            "select length, spelling, names, counts from vocabulary"
            " join unnest(%s::integer[], %s::smallint[]) as wanted(length, spelling) using (length, spelling)"
            " where ref = %s",
            ([length for length, _ in keys], [spelling for _, spelling in keys], ref),
        )
        return {(length, spelling): PackedPart(names, counts) for length, spelling, names, counts in rows}

    def add(self, new: Sequence[NewBlob], rules: str) -> list[int]:
        """Add contents with all that is known of them, and with their postings here; return their ids."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany(_INSERT_BLOB, [(*one.key, rules, *one[1:7]) for one in new], returning=True)
            ids: list[int] = []
            while True:
                ids += (row[0] for row in cursor.fetchall())
                if not cursor.nextset():
                    break
            rows = list(zip(ids, new, strict=True))
            self._put(
                "outline",
                "(blob, packed, names)",
                ((blob, one.symbols, one.names) for blob, one in rows if one.names or one.symbols),
            )
            self._put("included", "(blob, packed)", ((blob, one.included) for blob, one in rows if one.included))
            self._put("related", "(blob, packed)", ((blob, one.related) for blob, one in rows if one.related))
            self._put("facts", "(blob, packed)", ((blob, one.facts) for blob, one in rows if one.facts is not None))
            self._put("content", "(blob, body)", ((blob, one.body) for blob, one in rows if one.body is not None))
        return ids

    def add_postings(self, blobs: Sequence[BlobWords]) -> None:
        """Add the postings of blobs that this repository has not had; no ref holds them yet."""
        found: defaultdict[tuple[Kind, str], list[int]] = defaultdict(list)
        for one in blobs:
            for kind, words in ((Kind.Text, one.text), (Kind.Names, one.names)):
                for word in {word[:LONGEST_WORD] for word in words}:
                    found[kind, word].append(one.blob)
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute(
                'create temporary table if not exists new_posting(kind "char", word text collate "C", blobs integer[])'
                " on commit delete rows"
            )
            with cursor.copy("copy new_posting from stdin") as copy:
                for (kind, word), ids in found.items():
                    copy.write_row((kind.value, word, ids))
            cursor.execute(_MERGE_POSTINGS, (self._repository,))
            cursor.executemany(
                "insert into holder(repository, blob) values(%s, %s)", [(self._repository, one.blob) for one in blobs]
            )

    def move(self, to: RefMove) -> None:
        """Replace the manifest of a ref, in one transaction with all that follows from it."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            [(slot,)] = cursor.execute(
                "update ref set commit = %s, rules = %s, manifest = %s, files = %s, moves = moves + 1,"
                " indexed_at = now() where id = %s returning slot",
                (to.commit, to.rules, to.manifest, to.files, to.ref),
            )
            bit, blobs = 1 << slot, sorted(to.blobs)
            cursor.execute(
                f"{_CLEAR_BITS} and not blob = any(%s)",
                (bit, bit, self._repository, bit, blobs),
            )
            cursor.execute(
                "update holder set refs = refs | %s::bigint, unused_since = null where repository = %s"
                " and refs & %s::bigint = 0 and blob = any(%s)",
                (bit, self._repository, bit, blobs),
            )
            if to.anew:
                cursor.execute("delete from vocabulary where ref = %s", (to.ref,))
            cursor.executemany(
                "delete from vocabulary where ref = %s and length = %s and spelling = %s",
                [(to.ref, *key) for key in to.vocabulary],
            )
            cursor.executemany(
                "insert into vocabulary(ref, length, spelling, names, counts) values(%s, %s, %s, %s, %s)",
                [(to.ref, *key, *part) for key, part in to.vocabulary.items() if part.counts],
            )
            cursor.execute("select pg_notify(%s, %s)", (CHANNEL, str(to.ref)))

    def _put(self, table: LiteralString, columns: LiteralString, rows: Iterator[Sequence[object]]) -> None:
        """Add rows of blobs by COPY; a blob that another indexer has added meanwhile keeps what it has."""
        found = list(rows)
        if not found:
            return
        with self._connection.cursor() as cursor:
            there = {
                blob
                for (blob,) in cursor.execute(
                    f"select blob from {table} where blob = any(%s)",  # noqa: S608  a constant
                    ([row[0] for row in found],),
                )
            }
            with cursor.copy(f"copy {table}{columns} from stdin with (format binary)") as copy:
                copy.set_types(["int4", *["bytea"] * (len(found[0]) - 1)])
                for row in found:
                    if row[0] not in there:
                        copy.write_row(row)


@contextmanager
def writing(
    pool: DatabasePool, name: str, url: str, teams: Collection[str] | None = None
) -> Iterator[RepositoryWriter]:
    """Give what writes a repository, made where there is none; raises RefTaken where another indexer writes it.

    ``teams`` are those that may see it. Without them they stay as they are, and a new one is seen by everyone, unless
    the database has one that is not: then by nobody.
    """
    with unrestricted(pool) as connection, unlimited(connection):
        repository = _repository(connection, name, url, teams)
        if not lock_repository(connection, repository):
            raise RefTaken(name)
        try:
            yield RepositoryWriter(connection, repository, name)
        finally:
            if not connection.closed:
                unlock_repository(connection, repository)


def _repository(connection: Connection, name: str, url: str, teams: Collection[str] | None) -> int:
    """Return the id of a repository, made where there is none: nobody sees it before its teams are known."""
    with connection.transaction():
        known = connection.execute("select id from repository where name = %s", (name,)).fetchone()
        [(repository,)] = connection.execute(
            "insert into repository(name, url) values(%s, %s)"
            " on conflict(name) do update set url = excluded.url returning id",
            (name, url),
        )
        if teams is not None:
            replace_teams(connection, {name: teams})
        elif known is None:
            admit_everyone(connection, repository)
    return int(repository)


def lock_repository(connection: Connection, repository: int) -> bool:
    """Keep all others from writing a repository; return whether nobody does."""
    [(locked,)] = connection.execute("select pg_try_advisory_lock(%s, %s)", (_LOCK_CLASS, repository))
    return bool(locked)


def unlock_repository(connection: Connection, repository: int) -> None:
    """Let others write a repository again."""
    connection.execute("select pg_advisory_unlock(%s, %s)", (_LOCK_CLASS, repository))
