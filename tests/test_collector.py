"""The collector of the hosted index: what no ref has goes after a day, and no answer under way misses it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.errors import CodeHostFailed
from leadline_server.repositories.index_queue import IndexQueue
from leadline_server.repositories.indexing import repository_indexer
from leadline_server.repositories.indexing_service import IndexingService
from leadline_server.repositories.sources import GitHubSource, HostSource, RepositorySource, Sources
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.pool import DatabasePool
from leadline_tools.index.hosted import hosted_reader
from leadline_tools.index.hosted.catalogue import Catalogue
from leadline_tools.index.hosted.facts_use import FactsUse
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.writing.collector import Collector
from leadline_tools.index.hosted.writing.repository_teams import unrestricted
from leadline_tools.index.hosted.writing.repository_writer import writing
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.workers.worker_pool import WorkerPool
from repositories import commit, git
from test_hosted_index import COMMITS, FILES, NAME, Host, _kill_at, answer, hosted
from test_index_queue import end_worker, work_at

AT_ONCE = timedelta(0)
TABLES = (
    "blob",
    "content",
    "facts",
    "holder",
    "included",
    "outline",
    "posting",
    "ref",
    "related",
    "repository",
    "vocabulary",
)
OTHER = "example.org/acme/mail"
LATER = {path: content for path, content in FILES.items() if path != "lib/shop.c"} | {
    "src/new.py": b"def fresh(): ...\n"
}


@pytest.fixture
def host(database: str) -> Iterator[Host]:
    with closing(Host(database)) as host:
        yield host


def rows(pool: DatabasePool) -> dict[str, int]:
    """How many rows each table of the index has, and how many blobs the postings name."""
    with unrestricted(pool) as connection:
        counts = {
            table: connection.execute(f"select count(*) from {table}".encode()).fetchall()[0][0] for table in TABLES
        }
        named = connection.execute("select coalesce(sum(cardinality(blobs)), 0) from posting").fetchall()[0][0]
    return {**counts, "named": int(named)}


def refs(pool: DatabasePool) -> Sequence[tuple[str, str]]:
    return [(one.repository, one.name) for one in Catalogue(HostedReader(pool), ()).refs()]


def age(pool: DatabasePool, days: int = 2) -> None:
    """Let time pass."""
    with unrestricted(pool) as connection:
        connection.execute("update holder set unused_since = unused_since - make_interval(days => %s)", (days,))
        connection.execute("update blob set created_at = created_at - make_interval(days => %s)", (days,))
        connection.execute("update repository set listed_at = listed_at - make_interval(days => %s)", (days,))


def test_what_a_ref_has_lost_goes_after_a_day_and_leaves_an_index_as_if_it_had_never_been_there(
    host: Host,
) -> None:
    host.update(FILES, COMMITS[0])
    host.update(LATER, COMMITS[1])
    before = rows(host.pool)
    collector = Collector(host.pool)
    assert collector.collect() == (0, 0, 0, 0)
    assert rows(host.pool) == before
    age(host.pool)
    found = collector.collect()
    assert (found.holders, found.blobs) == (1, 1)
    after = rows(host.pool)
    with hosted(host) as session:
        assert "lib/shop.c" not in answer(session, "search_text", {"query": "SHOP_OPEN"}, as_json=False)
        assert "fresh" in answer(session, "symbol_search", {"query": "fresh"}, as_json=False)
    with unrestricted(host.pool) as connection:
        connection.execute("truncate leadline.repository, leadline.blob cascade")
    host.workers = WorkerPool(1)
    host.update(LATER, COMMITS[1])
    assert rows(host.pool) == after


def test_what_is_in_use_again_before_it_is_collected_is_found_as_ever(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    host.update(LATER, COMMITS[1])
    age(host.pool)
    host.update(FILES, COMMITS[2])
    assert Collector(host.pool).collect().holders == 0
    with hosted(host) as session:
        assert "lib/shop.c" in answer(session, "search_text", {"query": "open_shop"}, as_json=False)


def test_what_was_collected_is_indexed_again_where_it_comes_back(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    with hosted(host) as session:
        first = answer(session, "search_text", {"query": "open_shop"}, as_json=False)
        host.update(LATER, COMMITS[1])
        Collector(host.pool, AT_ONCE).collect()
        assert host.update(FILES, COMMITS[2]).parsed == 1
        again = answer(session, "search_text", {"query": "open_shop"}, as_json=False)
    assert again.replace("00000000", "") == first.replace("00000000", "")


def test_a_content_that_another_repository_holds_stays(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    host.update({"lib/shop.c": FILES["lib/shop.c"]}, COMMITS[0], name=OTHER)
    host.update(LATER, COMMITS[1])
    age(host.pool)
    found = Collector(host.pool).collect()
    assert (found.holders, found.blobs) == (1, 0)
    with hosted(host) as session:
        assert f"{OTHER}/lib/shop.c" in answer(session, "search_text", {"query": "open_shop"}, as_json=False)


def test_a_content_that_comes_to_another_repository_is_kept_for_another_day(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    host.update(LATER, COMMITS[1])
    age(host.pool)
    Collector(host.pool).collect()  # which deletes the holder; the blob may be known to another writer by now
    host.update(FILES, COMMITS[2], name=OTHER)
    age(host.pool)
    assert Collector(host.pool).collect().blobs == 0


def test_an_answer_under_way_reads_what_its_ref_had_though_the_ref_moves_and_all_is_collected(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.update(FILES, COMMITS[0])
    read = HostedReader.contents
    moved: list[int] = []

    def move_first(reader: HostedReader, blobs: Sequence[int]) -> dict[int, bytes]:
        if not moved:
            moved.append(1)
            age(host.pool)  # what the ref loses now has been there for days
            host.update({"a.py": b"x = 1\n"}, COMMITS[1])
            assert Collector(host.pool).collect().holders == 0
        return read(reader, blobs)

    question = "find_references", {"symbol": f"{NAME}/lib/shop.c:open_shop"}
    with hosted(host) as session:
        expected = answer(session, *question, as_json=False)
    host.workers = WorkerPool(1)  # the session has closed its own
    with hosted(host) as session:
        monkeypatch.setattr(hosted_reader.HostedReader, "contents", move_first)
        assert answer(session, *question, as_json=False) == expected
        assert moved
        assert "a.py" in answer(session, "list_files", {"recursive": True}, as_json=False)
    age(host.pool)
    assert Collector(host.pool).collect().holders == len(FILES) - 1


def test_a_repository_that_a_writer_has_is_left_for_the_next_time(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    host.update(LATER, COMMITS[1])
    age(host.pool)
    with writing(host.pool, NAME, ""):
        assert Collector(host.pool).collect().holders == 0
    assert Collector(host.pool).collect().holders == 1


def test_a_collector_that_is_killed_at_any_statement_leaves_a_complete_index(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [("search_text", {"query": "open_shop"}), ("symbol_search", {"query": "fresh"})]
    interrupted = 0
    for number in range(1, 40):
        host.update(FILES, COMMITS[0])
        host.update(LATER, COMMITS[1])
        with hosted(host) as session:
            before = [answer(session, *one, as_json=False) for one in questions]
        host.workers = WorkerPool(1)
        with monkeypatch.context() as patched:
            killed = _kill_at(patched, 2 * number)
            with contextlib.suppress(DatabaseError, psycopg.Error):
                Collector(host.pool, AT_ONCE).collect()
        interrupted += killed()
        with hosted(host) as session:
            assert [answer(session, *one, as_json=False) for one in questions] == before
        host.workers = WorkerPool(1)
        host.update(FILES, COMMITS[0])
        if not killed():
            break
    assert interrupted > 3


def test_the_facts_that_were_used_longest_ago_make_room(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    with unrestricted(host.pool) as connection:
        connection.execute("update facts set used = current_date - 3")
        blobs = [blob for (blob,) in connection.execute("select blob from facts order by blob")]
        use = FactsUse(host.pool)
        use.add(blobs[:1])
        use.flush()
        sizes = connection.execute("select octet_length(packed) from facts where blob = %s", (blobs[0],)).fetchall()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("leadline_tools.index.hosted.writing.collector._BLOBS_AT_ONCE", 1)
        found = Collector(host.pool, most_facts=int(sizes[0][0])).collect()
    assert found.facts == len(blobs) - 1
    with unrestricted(host.pool) as connection:
        assert connection.execute("select blob from facts").fetchall() == [(blobs[0],)]
    with hosted(host) as session:  # the workers compute what is gone
        assert "src/sale.py" in answer(
            session, "find_references", {"symbol": f"{NAME}/src/cart.py:Cart"}, as_json=False
        )


# From the sources


def service(
    indexing: object, *sources: RepositorySource, owners: Sequence[GitHubSource] = (), fails: bool = False
) -> IndexingService:
    def list_owner(owner: HostSource) -> Iterator[RepositorySource]:
        if fails:
            raise CodeHostFailed(owner.api, "it cannot be reached")
        yield from ()

    return IndexingService(Sources(repository=sources, github=owners), indexing, list_owner)  # type: ignore[arg-type]


def index_all(of: IndexingService) -> None:
    for name in of.repositories():
        for _ in of.index(name):
            pass
    of.collect()


def test_refs_and_repositories_that_are_gone_are_not_served_and_leave_nothing(
    host: Host, tmp_path: Path, database: str
) -> None:
    address = DatabaseAddress.parse(database)
    for name in ("shop", "mail"):
        commit(tmp_path / name, {f"{name}.py": f"def {name}(): ...\n"})
        git(tmp_path / name, "branch", "next")
    shop, mail = (
        RepositorySource(url=(tmp_path / name).as_uri(), name=f"example.org/acme/{name}", refs=["*"])
        for name in ("shop", "mail")
    )
    host.update(FILES, COMMITS[0], name="example.org/by/hand")
    with repository_indexer(address, tmp_path / "mirrors", SecretPolicy(), ()) as indexing:
        index_all(service(indexing, shop, mail))
        assert len(refs(host.pool)) == 5
        git(tmp_path / "shop", "branch", "-m", "next", "later")
        index_all(service(indexing, shop))
        assert ("example.org/acme/shop", "next") not in refs(host.pool)
        assert ("example.org/acme/shop", "later") in refs(host.pool)
        assert ("example.org/acme/mail", "next") in refs(host.pool)  # for a day
        age(host.pool)
        index_all(service(indexing, shop, owners=[GitHubSource(owner="acme")], fails=True))
        assert ("example.org/acme/mail", "next") in refs(host.pool)  # nobody knows what the host has
        index_all(service(indexing, shop))
        assert {repository for repository, _ in refs(host.pool)} == {"example.org/acme/shop", "example.org/by/hand"}
        age(host.pool)
        index_all(service(indexing, shop))
    with unrestricted(host.pool) as connection:
        names = [name for (name,) in connection.execute("select name from repository order by name")]
        words = connection.execute("select count(*) from posting where word = 'mail'").fetchall()
    assert names == ["example.org/acme/shop", "example.org/by/hand"]
    assert words == [(0,)]


def test_the_queue_collects_every_hour(
    host: Host, tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = DatabaseAddress.parse(database)
    commit(tmp_path / "shop", {"shop.py": "def shop(): ...\n"})
    shop = RepositorySource(url=(tmp_path / "shop").as_uri(), name="example.org/acme/shop")
    host.update(FILES, COMMITS[0])
    host.update(LATER, COMMITS[1])
    before = rows(host.pool)
    age(host.pool)
    queue = IndexQueue(address)
    queue.prepare()
    with repository_indexer(address, tmp_path / "mirrors", SecretPolicy(), ()) as indexing:
        of = service(indexing, shop)

        def collect() -> None:
            of.collect()
            end_worker()

        work_at(monkeypatch, queue, (10, 17), lambda name: name, lambda: [*of.repositories()], collect)
    after = rows(host.pool)
    assert (after["holder"], after["blob"]) == (before["holder"] - 1, before["blob"] - 1)
    with hosted(host) as session:
        assert "fresh" in answer(session, "symbol_search", {"query": "fresh"}, as_json=False)


def test_a_replica_whose_ref_is_deleted_answers_about_the_others(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    host.update({"b.py": b"def other(): ...\n"}, COMMITS[1], "next")
    with closing(Session(Config(Path("/"), None, "openai"), host.index())) as session:
        assert "@next/b.py" in session.call(Request("symbol_search", {"query": "other"})).text
        with writing(host.pool, NAME, "") as into:
            assert into.keep_refs(["main"]) == ["next"]
        assert "@next/b.py" not in session.call(Request("symbol_search", {"query": "other"})).text
        gone = session.call(Request("read_file", {"path": f"{NAME}@next/b.py"}))
    assert gone.is_error
    assert "b.py" in gone.text
