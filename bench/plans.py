"""Whether what questions ask of PostgreSQL stays cheap: plans over 1,000 and 10,000 repositories.

    python bench/plans.py postgresql://USER@HOST/EMPTY_DATABASE FOLDER... [--repositories 1000 10000]

Each folder is a git repository; small ones suffice. They are indexed, and questions are asked, each of which a server
could get: about one repository, and about all. The statements that these send are kept. Then the tables are multiplied
in SQL, and each statement is planned and run again by ``explain (analyze, buffers, format json)``: as it is sent, and
as PostgreSQL plans what it has prepared for any values. It must read no table of more than 16 pages from one end to
the other, and in 10,000 repositories at most 1.3 times the pages that it read in 1,000 where it is about one of them.

Copies have the words, names and contents of the originals, but for a line of their own. So what all hold is held by all
copies, more than among real repositories, and their trigrams are fewer: docs/scale.md says what follows from that. The
database is not to be one that is used. Exit code 1: a statement failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, LiteralString, NamedTuple
from unittest import mock

import psycopg

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.replicas.areas import areas
from leadline_server.repositories.indexing import SourceRef, hosted_index, repository_indexer
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import migrate
from leadline_tools.database.pool import connected, unlimited
from leadline_tools.index.hosted.catalogue import EVERYONE
from leadline_tools.index.text.secret_files import SecretPolicy

Question = tuple[str, Mapping[str, object]]
Connection = psycopg.Connection[tuple[Any, ...]]

MOST_GROWTH = 1.3
"""How many times the pages a statement about one repository may read where there are ten times as many."""

_SMALL_TABLE = 16
"""Pages of a table that is read from one end to the other as fast as by an index: 128 kB."""

_FEW_PAGES = 24
"""Pages by which a statement may read more whatever their share: an index may be a page deeper for each lookup."""

_COPIED: tuple[LiteralString, ...] = (
    "insert into repository(id, name, url) overriding system value"
    " select id + {r}, name || '-' || {n}, url from repository where id <= %(r)s",
    "insert into repository_team(repository, team) select repository + {r}, team from repository_team"
    " where repository <= %(r)s",
    "insert into ref(id, repository, name, slot, commit, indexed_at, moves, rules, manifest, files)"
    " overriding system value"
    " select id + {f}, repository + {r}, name, slot, commit, indexed_at, moves, rules, manifest, files from ref"
    " where id <= %(f)s",
    "insert into blob(id, git, form, rules, kind, digest, size, lines, done, error) overriding system value"
    " select id + {b}, substr(git, 1, 12) || int4send({n}), form, rules, kind, digest, size, lines, done, error"
    " from blob where id <= %(b)s",
    "insert into holder(repository, blob, refs) select repository + {r}, blob + {b}, refs from holder"
    " where repository <= %(r)s",
    "insert into outline(blob, packed, names) select blob + {b}, packed, names from outline where blob <= %(b)s",
    "insert into included(blob, packed) select blob + {b}, packed from included where blob <= %(b)s",
    "insert into related(blob, packed) select blob + {b}, packed from related where blob <= %(b)s",
    "insert into facts(blob, packed) select blob + {b}, packed from facts where blob <= %(b)s",
    "insert into content(blob, body) select blob + {b}, body || convert_to(format(e'\\n# copy_%%s\\n', {n}), 'utf8')"
    " from content where blob <= %(b)s",
    "insert into posting(repository, kind, word, blobs)"
    " select repository + {r}, kind, word, array(select one + {b} from unnest(blobs) as one) from posting"
    " where repository <= %(r)s",
    "insert into vocabulary(ref, length, spelling, names, counts)"
    " select ref + {f}, length, spelling, names, counts from vocabulary where ref <= %(f)s",
)
"""Makes the rows of copies of those of the originals; {r}, {f} and {b} are the distances of ids, {n} the number."""


class Statement(NamedTuple):
    """A statement that a question has sent, with the values."""

    query: str
    given: Sequence[object]


class Plan(NamedTuple):
    """How a statement was run.

    Args:
        pages: The pages that it read, in memory or not.
        rows: The rows that it returned.
        scanned: The tables that it read from one end to the other.
        nodes: The kinds of its nodes.

    """

    pages: int
    rows: int
    scanned: frozenset[str]
    nodes: frozenset[str]


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """Give a list to which the statements go that are sent meanwhile and read rows."""
    found: list[Statement] = []
    execute: Any = psycopg.Cursor.execute

    def noted(cursor: Any, query: Any, params: Any = None, **options: Any) -> Any:
        if isinstance(query, str) and query.lstrip().startswith(("select", "with")) and " from " in query:
            found.append(Statement(query, tuple(params or ())))
        return execute(cursor, query, params, **options)

    with mock.patch.object(psycopg.Cursor, "execute", noted):
        yield found


class Multiplied:
    """A database whose repositories are multiplied, as its owner sees it."""

    def __init__(self, connection: Connection) -> None:
        """Take a connection to a database in which the originals are indexed, and nothing else was."""
        self._connection = connection
        connection.execute("set leadline.writes = on")
        self._last = {name: self._max(name) for name in ("repository", "ref", "blob")}
        connection.execute("reset leadline.writes")
        self._originals = self._ids()
        self._copies = 0

    def _max(self, table: LiteralString) -> int:
        [(last,)] = self._connection.execute(f"select max(id) from {table}")
        return int(last)

    def _ids(self) -> list[int]:
        return [one for (one,) in self._connection.execute("select distinct repository from holder order by 1")]

    def grow(self, repositories: int) -> None:
        """Copy the originals until there are so many repositories."""
        wanted = -(-repositories // len(self._originals)) - 1
        last = {key[0] if key != "ref" else "f": value for key, value in self._last.items()}
        distances = {"r": "copy * %(r)s", "f": "copy * %(f)s", "b": "copy * %(b)s", "n": "copy"}
        self._connection.execute("set leadline.writes = on")
        for query in _COPIED:
            columns, _, source = query.partition(" select ")
            head, _, where = source.partition(" where ")
            copies = "generate_series(%(first)s::integer, %(last)s::integer) as copy"
            text = f"{columns} select {head} cross join {copies} where {where}"
            numbers = {**last, "first": self._copies + 1, "last": wanted}
            self._connection.execute(text.format(**distances).encode(), numbers)
            table = columns.removeprefix("insert into ").partition("(")[0]
            self._connection.execute(f"analyze {table}".encode())  # else foreign keys are looked up in all of it
        self._copies = max(self._copies, wanted)
        self._connection.execute("reset leadline.writes")
        self._connection.execute("vacuum analyze")

    def names_all(self, statement: Statement) -> bool:
        """Return whether a statement is about all repositories, also where a question about one has sent it."""
        return self._originals in statement.given

    def plan(self, statement: Statement, *, prepared: bool, scans: bool = True) -> Plan:
        """Run a statement; ``prepared`` as one that was planned for any values, without ``scans`` by indexes alone."""
        everywhere = self._ids()
        given = [everywhere if one == self._originals else one for one in statement.given]
        with self._connection.transaction(), psycopg.ClientCursor(self._connection) as cursor:
            cursor.execute("select set_config('leadline.teams', %s, true)", [EVERYONE])
            if prepared:
                numbers = iter(range(1, len(given) + 1))
                query = re.sub("%s", lambda _: f"${next(numbers)}", statement.query).replace("%%", "%")
                cursor.execute(f"prepare one as {query}".encode())
                values = cursor.mogrify(f"({', '.join(['%s'] * len(given))})".encode(), given) if given else ""
                run = f"execute one{values}"
            else:
                run = cursor.mogrify(statement.query.encode(), given)
            cursor.execute("set plan_cache_mode = force_generic_plan")
            cursor.execute(f"set enable_seqscan = {'on' if scans else 'off'}".encode())
            [(found,)] = cursor.execute(f"explain (analyze, buffers, format json) {run}".encode())
            if prepared:
                cursor.execute("deallocate one")
        return _read(found[0]["Plan"], self._pages())

    def _pages(self) -> Mapping[str, int]:
        return dict(self._connection.execute("select relname, relpages from pg_class"))


def _read(plan: Mapping[str, Any], sizes: Mapping[str, int]) -> Plan:
    nodes = [*_nodes(plan)]
    scanned = (node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan")
    return Plan(
        plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
        plan["Actual Rows"],
        frozenset(name for name in scanned if sizes.get(name, 0) > _SMALL_TABLE),
        frozenset(node["Node Type"] for node in nodes),
    )


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _nodes(inner)


def questions(root: str, path: str, symbol: str, word: str) -> tuple[Sequence[Question], Sequence[Question]]:
    """Return questions about a repository with a file, a symbol and a word, and questions about all repositories."""
    part = word[1:-1]
    searches: list[Question] = [
        ("symbol_search", {"query": symbol, "match": "exact"}),
        ("symbol_search", {"query": symbol[:3], "match": "prefix"}),
        ("symbol_search", {"query": symbol[1:-1], "match": "substring"}),
        ("search_text", {"query": word, "word": True}),
        ("search_text", {"query": part}),
        ("search_text", {"query": rf"{part}\w", "regex": True}),
        ("find_code", {"query": f"{word} {symbol}"}),
    ]
    one: list[Question] = [
        *((tool, {**given, "path": root}) for tool, given in searches),
        ("find_references", {"symbol": f"{root}/{path}:{symbol}"}),
        ("go_to_definition", {"symbol": f"{root}/{path}:{symbol}"}),
        ("list_files", {"path": root}),
        ("read_file", {"path": f"{root}/{path}"}),
        ("document_symbols", {"path": f"{root}/{path}"}),
        ("repo_map", {"path": root}),
    ]
    return one, searches


def sent(ask: Callable[[Question], object], asked: Sequence[Question]) -> dict[Statement, Question]:
    """Return the statements of questions, each with the first question that has sent it."""
    found: dict[str, tuple[Statement, Question]] = {}
    for question in asked:
        with recorded() as statements:
            ask(question)
        for one in statements:
            found.setdefault(f"{one.query} {one.given}", (one, question))
    return {Statement(one.query, _Hashed(one.given)): question for one, question in found.values()}


class _Hashed(tuple[object, ...]):
    """Values that may be lists, as a part of a key."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(repr(tuple(self)))


def failures(
    database: Multiplied,
    sizes: Sequence[int],
    about_one: Mapping[Statement, Question],
    others: Sequence[Statement],
    note: Callable[[str], object] = lambda _line: None,
) -> Iterator[str]:
    """Grow a database to some sizes, and yield what is wrong with the plans of statements there, and how they grow.

    ``note`` is called with the pages of those about all repositories, whose growth has no limit.
    """
    before: dict[tuple[Statement, bool], int] = {}
    for size in sizes:
        database.grow(size)
        for statement in (*about_one, *others):
            for prepared in (False, True):
                plan = database.plan(statement, prepared=prepared)
                if plan.scanned:
                    yield f"{size:,}: all of {', '.join(sorted(plan.scanned))} is read by\n  {_short(statement)}"
                if (statement, prepared) not in before:  # in small tables no index may be used yet
                    before[statement, prepared] = database.plan(statement, prepared=prepared, scans=False).pages
                least = before[statement, prepared]
                limited = statement in about_one and not database.names_all(statement)
                if not limited and not prepared:
                    note(f"{size:,}: {plan.pages:,} pages, {plan.rows:,} rows with {_short(statement)}")
                if limited and plan.pages > max(MOST_GROWTH * least, least + _FEW_PAGES):
                    yield f"{size:,}: {least:,} pages became {plan.pages:,} with\n  {_short(statement)}"


def _short(statement: Statement) -> str:
    return f"{' '.join(statement.query.split())[:150]} {str(tuple(statement.given))[:60]}"


def main() -> None:
    """Check the plans over multiplied repositories."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--repositories", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--mirrors", type=Path, default=Path("mirrors"))
    arguments = parser.parse_args()
    address = DatabaseAddress.parse(arguments.database)
    migrate(address, areas())
    policy = SecretPolicy()
    with repository_indexer(address, arguments.mirrors, policy, ()) as indexer:
        for folder in arguments.folders:
            print(*indexer.index(SourceRef(f"example.org/one/{folder.name}", str(folder), "")))
    with ExitStack() as closing_all:
        index = hosted_index(address, policy, ())
        session = closing_all.enter_context(closing(Session(Config(Path("/"), None, "openai"), index)))
        root = f"example.org/one/{arguments.folders[0].name}"
        path, symbol = _a_function(arguments.folders[0])
        one, every = questions(root, path, symbol, symbol)

        def ask(question: Question) -> object:
            return session.call(Request(*question))

        ask(("list_files", {}))  # reads what there is to see, as the first question after a push does
        about_one, others = sent(ask, one), sent(ask, every)
    with connected(address) as connection, unlimited(connection):
        database = Multiplied(connection)
        about_all = [one for one in others if one not in about_one]
        wrong = [*failures(database, arguments.repositories, about_one, about_all, print)]
    print(f"{len(about_one)} statements about one repository, {len(about_all)} about all")
    sys.exit("\n".join(wrong) or 0)


def _a_function(folder: Path) -> tuple[str, str]:
    """Return the path of a file of Python and a name that it defines, of at least six letters."""
    listed = subprocess.run(["git", "-C", folder, "ls-files", "*.py"], check=True, capture_output=True, text=True)
    for path in listed.stdout.splitlines():
        found = re.search(r"^def ([a-z]{6,})\(", (folder / path).read_text(errors="replace"), re.MULTILINE)
        if found is not None:
            return path, found[1]
    raise SystemExit(f"no function is found in {folder}")


if __name__ == "__main__":
    main()
