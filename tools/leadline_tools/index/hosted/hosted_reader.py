"""The reader of the hosted index: no other module selects anything for questions.

A question reads in one transaction, so that it sees one state of the database however long it takes. Outside of one,
each statement is a transaction of its own. All statements are prepared, and take lists where there may be many.

What there is to see is read for teams: see ``catalogue``. Row security hides it from a transaction that names none. All
else is found by ids that only a manifest and a repository have.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from enum import StrEnum
from typing import Any, LiteralString, NamedTuple

from leadline_tools.database.errors import DatabaseError, Slow
from leadline_tools.database.pool import DatabasePool, translated_errors
from leadline_tools.database.session_settings import Connection
from leadline_tools.index.hosted.facts_use import FactsUse
from leadline_tools.index.store.rows import Blob, Words
from leadline_tools.index.store.words import WordPart

BEGIN: LiteralString = (
    "begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '65min'"
)
"""Begins what a question reads: between two statements it may compute for as long as the longest patience of a call."""

_VIEW: LiteralString = "select set_config('leadline.teams', %s, true)"
"""Says for whom the rest of a transaction reads, until it ends."""

_PACKED: Mapping[Blob, LiteralString] = {
    Blob.Symbols: "select blob, packed from outline where blob = any(%s) and packed <> ''",
    Blob.Includes: "select blob, packed from included where blob = any(%s)",
    Blob.Relations: "select blob, packed from related where blob = any(%s)",
}

_IN_PARALLEL: LiteralString = """
select set_config('statement_timeout', %s, true), set_config('parallel_setup_cost', '0', true),
    set_config('parallel_tuple_cost', '0', true), set_config('min_parallel_table_scan_size', '0', true)"""
"""Limits the time of a search of contents, and has the database make it with several processes.

It reads each candidate whole, which costs much more than the planner takes it for: their rows are small.
"""

_HAS: LiteralString = 'trigrams(body) collate "C" @> %s::text[]'
_LIKE: LiteralString = "lower(encode(body, 'escape') collate \"C\") like %s"
_CONTENTS_LIKE: LiteralString = """
select holder.repository, holder.blob from (
    select blob from content where octet_length(body) <= 1048576 and (%s)
    union all select blob from content where is_unclear(body)) as found
cross join lateral (
    select repository, blob from holder where holder.blob = found.blob and repository = any(%%s) offset 0) as holder
limit %%s"""
"""From contents to those who have them, one by one: ``offset 0`` keeps the planner from reading all holders."""

LONGEST_WORD = 400
"""Characters of a word that a posting is found by: longer ones count as their beginning, so blobs may be too many."""

_LAST = chr(0x10FFFF)
"""What comes after every word with a beginning."""


class Kind(StrEnum):
    """The kind of a posting, as its column has it."""

    Text = "t"
    Names = "n"

    @classmethod
    def of(cls, where: Words) -> Kind:
        """Return the kind of the postings of some words."""
        return cls.Text if where is Words.Text else cls.Names


class SearchedText(NamedTuple):
    """A text that contents are searched for.

    Args:
        trigrams: Those that the function ``trigrams`` returns for contents with it, among others.
        pattern: The pattern of ``like`` for such contents, as PostgreSQL writes bytes, in lower case.

    """

    trigrams: Sequence[str]
    pattern: str


class RefState(NamedTuple):
    """The state of a ref: the commit that is indexed, and how often that has changed."""

    id: int
    repository: str
    name: str
    commit: str
    indexed_at: datetime
    moves: int
    rules: str


class BlobRow(NamedTuple):
    """What is known of a content besides what is packed; see ``File``."""

    id: int
    kind: int
    digest: bytes
    size: int
    lines: int
    done: int
    error: str


class VocabularyRow(NamedTuple):
    """A part of the vocabulary of a ref, packed."""

    length: int
    spelling: int
    names: bytes
    counts: bytes


class _Transaction:
    """A transaction of one thread: it begins with the first statement, so that a question that reads nothing has none.

    Attributes:
        error: The first error that the database reported, which a question must not take for a file that is gone.
        repositories: Those that the question is about.
        asked: What was asked of one of them alone, as a key, and what was then read of all of them.

    """

    def __init__(self, pool: DatabasePool) -> None:
        self._pool = pool
        self._lent = ExitStack()
        self._connection: Connection | None = None
        self._viewing = ""
        self.error: DatabaseError | None = None
        self.repositories: set[int] = set()
        self.asked: dict[tuple[Kind, tuple[str, ...]], Mapping[int, dict[str, list[int]]] | None] = {}

    def all(self, query: LiteralString, given: Sequence[object], viewing: str = "") -> list[tuple[Any, ...]]:
        """Return the rows of a query; those of what there is to see for some teams, as row security has them."""
        try:
            with translated_errors():
                if viewing and viewing != self._viewing:
                    self._begun().execute(_VIEW, (viewing,), prepare=True)
                    self._viewing = viewing
                return self._begun().execute(query, given, prepare=True, binary=True).fetchall()
        except DatabaseError as error:
            self.error = self.error or error
            raise

    def all_in_time(
        self, query: LiteralString, given: Sequence[object], seconds: float
    ) -> list[tuple[Any, ...]] | None:
        """Return the rows of a query; None where it takes longer, which ends nothing but itself."""
        try:
            with translated_errors():
                connection = self._begun()
                # Rolling back to the savepoint gives back the settings.
                with connection.transaction(force_rollback=True):
                    connection.execute(_IN_PARALLEL, (f"{seconds * 1_000:.0f}ms",))
                    return connection.execute(query, given, binary=True).fetchall()
        except Slow:
            return None
        except DatabaseError as error:
            self.error = self.error or error
            raise

    def _begun(self) -> Connection:
        if self._connection is None:
            connection = self._lent.enter_context(self._pool.connection())
            connection.execute(BEGIN)
            self._lent.callback(connection.execute, "rollback")  # nothing was written
            self._connection = connection
        return self._connection

    def end(self) -> None:
        """Give the connection back."""
        self._lent.close()


class HostedReader:
    """The hosted index as questions read it; all methods raise DatabaseError."""

    def __init__(self, pool: DatabasePool) -> None:
        self._pool = pool
        self._facts_use = FactsUse(pool)
        self._own = threading.local()

    @contextmanager
    def transaction(self, *repositories: int) -> Iterator[None]:
        """Read what this thread reads in one transaction; one inside another only adds repositories that it is about.

        Raises DatabaseError at the end where the database failed meanwhile, whatever was made of it.
        """
        if self._current is not None:
            self._current.repositories.update(repositories)
            yield
            return
        self._own.transaction = transaction = _Transaction(self._pool)
        transaction.repositories.update(repositories)
        try:
            yield
        finally:
            self._own.transaction = None
            with suppress(DatabaseError):  # a connection that is lost has nothing to end
                transaction.end()
        if transaction.error is not None:
            raise transaction.error
        self._facts_use.flush()

    @property
    def _current(self) -> _Transaction | None:
        return getattr(self._own, "transaction", None)

    def _all(self, query: LiteralString, *given: object) -> list[tuple[Any, ...]]:
        current = self._current
        if current is not None:
            return current.all(query, given)
        with self._pool.connection() as connection:
            return connection.execute(query, given, prepare=True, binary=True).fetchall()

    def all_for(self, teams: Sequence[str], query: LiteralString, *given: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query about what some teams may see: no other statement finds any of it."""
        with self.transaction():
            if self._current is None:  # pragma: no cover  (there is one)
                raise TypeError(self._current)
            return self._current.all(query, given, "\n".join(teams))

    def change(self) -> int:
        """Return how often what there is to see has changed, for whomever."""
        return int(self._all("select number from index_change")[0][0])

    def has_repository(self, name: str) -> bool:
        """Return whether there is a repository of a name, visible to a caller or not: for webhooks alone."""
        if "\0" in name:  # PostgreSQL takes it for no text
            return False
        return bool(self._all("select has_repository(%s)", name)[0][0])

    def looks(self) -> tuple[int, float]:
        """Return how many repositories are followed, and how many seconds ago the last of them was looked at."""
        [(repositories, seconds)] = self._all("select repositories, oldest_seconds from leadline.looks()")
        return int(repositories), float(seconds or 0)

    def count_files(self, rules: str) -> tuple[int, int]:
        """Return how many refs were indexed under some rules, and their files, whoever may see them."""
        [(refs, files)] = self._all("select refs, files from count_files(%s)", rules)
        return int(refs), int(files)

    def blobs(self, blobs: Sequence[int]) -> dict[int, BlobRow]:
        """Return what is known of some blobs, by their ids."""
        rows = self._all(
            "select id, kind, digest, size, lines, done, error from blob where id = any(%s)", _unique(blobs)
        )
        return {row[0]: BlobRow(*row) for row in rows}

    def packed(self, kind: Blob, blobs: Sequence[int]) -> dict[int, bytes]:
        """Return packed bytes of some blobs, by their ids; those that have none are left out."""
        return dict(self._all(_PACKED[kind], _unique(blobs)))

    def facts(self, blobs: Sequence[int]) -> dict[int, bytes]:
        """Return the packed facts of some blobs, empty for one that has none; those that are not known are left out."""
        found = dict(self._all("select blob, packed from facts where blob = any(%s)", _unique(blobs)))
        self._facts_use.add(found)
        return found

    def contents(self, blobs: Sequence[int]) -> dict[int, bytes]:
        """Return the bytes of some blobs, by their ids; those that hold no text are left out."""
        return dict(self._all("select blob, body from content where blob = any(%s)", _unique(blobs)))

    def contents_like(
        self, required: Sequence[Sequence[SearchedText]], repositories: Sequence[int], most: int, seconds: float
    ) -> list[tuple[int, int]] | None:
        """Return the contents, each with a repository that has it, that may hold a text of each group.

        Those whose bytes do not show what they hold are among them. None where there are more than ``most``, or where
        it takes longer than some seconds.
        """
        conditions: list[LiteralString] = []
        given: list[object] = []
        for group in required:
            conditions.append(" or ".join(_HAS for _ in group))
            conditions.append(" or ".join(_LIKE for _ in group))
            given += [*([*text.trigrams] for text in group), *(text.pattern for text in group)]
        query: LiteralString = _CONTENTS_LIKE % ") and (".join(conditions)
        given += [list(repositories), most + 1]
        with self.transaction():
            found = self._current.all_in_time(query, given, seconds) if self._current is not None else None
        return None if found is None or len(found) > most else [(row[0], row[1]) for row in found]

    def unclear_contents(self, repositories: Sequence[int]) -> list[int]:
        """Return the contents of some repositories whose bytes do not show what they hold."""
        rows = self._all(
            "select blob from content where is_unclear(body) and exists"
            " (select from holder where holder.blob = content.blob and repository = any(%s))",
            list(repositories),
        )
        return [blob for (blob,) in rows]

    def postings(self, repository: int, kind: Kind, words: Sequence[str]) -> dict[str, list[int]]:
        """Return the blobs of a repository that hold each of some words, by word.

        What is asked of a second repository of a question is read of all of them.
        """
        wanted, current = tuple(sorted({word[:LONGEST_WORD] for word in words})), self._current
        if current is None or repository not in current.repositories:
            return self._postings([repository], kind, wanted).get(repository, {})
        key = kind, wanted
        if key not in current.asked:
            current.asked[key] = None
            return self._postings([repository], kind, wanted).get(repository, {})
        found = current.asked[key]
        if found is None:
            found = current.asked[key] = self._postings(sorted(current.repositories), kind, wanted)
        return found.get(repository, {})

    def postings_of(
        self, repositories: Collection[int], kind: Kind, words: Iterable[str]
    ) -> Mapping[int, Mapping[str, list[int]]]:
        """Return the blobs of each of some repositories that hold each of some words, by word."""
        wanted, current = tuple(sorted({word[:LONGEST_WORD] for word in words})), self._current
        if current is None or current.repositories != repositories:
            return self._postings(sorted(repositories), kind, wanted)
        found = current.asked.get((kind, wanted))
        if found is None:
            found = current.asked[kind, wanted] = self._postings(sorted(repositories), kind, wanted)
        return found

    def _postings(self, repositories: list[int], kind: Kind, words: Sequence[str]) -> dict[int, dict[str, list[int]]]:
        rows = self._all(
            "select repository, word, blobs from posting"
            ' where repository = any(%s) and kind = %s::"char" and word = any(%s)',
            *(repositories, kind, list(words)),
        )
        found: dict[int, dict[str, list[int]]] = {}
        for repository, word, blobs in rows:
            found.setdefault(repository, {})[word] = blobs
        return found

    def postings_beginning(self, repository: int, kind: Kind, beginning: str) -> list[list[int]]:
        """Return the blobs of a repository that hold each word that begins in one way."""
        first = beginning[:LONGEST_WORD]
        rows = self._all(
            'select blobs from posting where repository = %s and kind = %s::"char" and word >= %s and word < %s',
            *(repository, kind, first, first + _LAST),
        )
        return [blobs for (blobs,) in rows]

    def postings_of_parts(self, repository: int, parts: Sequence[WordPart], most: int) -> list[list[int]]:
        """Return the blobs of a repository that hold each word of a text with any of some parts; ``most`` + 1 words.

        A word that was cut may have any part.
        """
        rows = self._all(
            "select blobs from posting where repository = %s and kind = 't'"
            " and (word like any(%s) or length(word) = %s) limit %s",
            *(repository, [_pattern(part) for part in parts], LONGEST_WORD, most + 1),
        )
        return [blobs for (blobs,) in rows]


def holding(held: Mapping[str, Iterable[int]], words: Iterable[str]) -> frozenset[int]:
    """Return the blobs that hold all of some words, of which there is at least one, by the blobs that hold each."""
    return frozenset.intersection(*(frozenset(held.get(word[:LONGEST_WORD], ())) for word in words))


def _pattern(part: WordPart) -> str:
    """Return the pattern of ``like`` for words with a part."""
    escaped = re.sub(r"([\\%_])", r"\\\1", part.text)
    return f"%{escaped}" if part.ends else f"%{escaped}%"


def _unique(blobs: Sequence[int]) -> list[int]:
    return sorted(set(blobs))
