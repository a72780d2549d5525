"""The contract of results, turns, ledger and limits: what holds for a single server and for replicas on PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import psycopg.conninfo
import pytest
from click.testing import CliRunner

from leadline_server.account import account
from leadline_server.cli import main
from leadline_server.config import TURN_TOKENS, Config
from leadline_server.errors import Busy, NoSuchResult
from leadline_server.ledger import Entry
from leadline_server.load import BURST, MOST_OF_ONE, Load
from leadline_server.packed_result import TTL_SECONDS
from leadline_server.replicas.areas import areas
from leadline_server.replicas.results import SharedResults
from leadline_server.replicas.shared_account import shared_account
from leadline_server.replicas.state import shared_state
from leadline_server.replicas.turns import SharedTurns
from leadline_server.state import LEDGER, State, local_state
from leadline_tools.database import errors
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import check, migrate
from leadline_tools.database.pool import DatabasePool
from leadline_tools.database.session_settings import LOCK_SECONDS
from leadline_tools.index.index import Index
from leadline_tools.model import SourceLine
from leadline_tools.result import Call, Result
from postgres import PostgresServer

QUESTION = Call.of("search_text", query="x")
ANSWER = Result("x", "lines", (SourceLine("a.py", 1, "x = 1"), SourceLine("b.py", 20, "y\u2028\x00\udcff = x")))
BUDGET = 1_000
FLOOR = 60
PATIENT = 10.0
"""Seconds that a busy machine may take longer."""

Opening = Callable[..., State]
"""Opens a state; each time the same one, as a second replica or after a restart."""


@pytest.fixture
def migrated(database: str) -> DatabaseAddress:
    """The address of a database that has all tables."""
    address = DatabaseAddress.parse(database)
    migrate(address, areas())
    return address


@pytest.fixture(params=["single", "replicas"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opening]:
    """Open states of a single server, and of replicas."""
    opened: list[State] = []
    root = tmp_path / "root"
    root.mkdir()
    index = Index(root, None)
    where = request.getfixturevalue("migrated") if request.param == "replicas" else None

    def start(turn_tokens: int = BUDGET) -> State:
        config = Config(root, tmp_path / "cache", "openai", turn_tokens=turn_tokens, long_ids=True)
        opened.append(local_state(config, index) if where is None else shared_state(config, where, index))
        return opened[-1]

    yield start
    for state in opened:
        state.close()
    index.close()


@pytest.fixture
def state(opening: Opening) -> State:
    return opening()


# Results


def test_a_result_is_read_as_it_was_put(state: State) -> None:
    uri = state.results.uri("me", QUESTION, "1")
    assert state.results.find(uri, "me") is None
    state.results.put(uri, QUESTION, ANSWER, "me")
    call, result = state.results.get(uri, "me")
    assert (call, tuple(result.items), result.subject) == (QUESTION, tuple(ANSWER.items), "x")
    assert state.results.find(uri, "me") == (call, result)


def test_the_uri_depends_on_client_question_and_state(state: State) -> None:
    results = state.results
    uris = {
        results.uri("me", QUESTION, "1"),
        results.uri("you", QUESTION, "1"),
        results.uri("me", QUESTION, "2"),
        results.uri("me", Call.of("search_text", query="y"), "1"),
    }
    assert len(uris) == 4
    assert results.uri("me", QUESTION, "1") in uris
    assert all(len(uri.removeprefix("leadline://result/")) == 26 for uri in uris)


def test_a_result_is_only_its_owners(state: State) -> None:
    uri = state.results.uri("me", QUESTION, "1")
    state.results.put(uri, QUESTION, ANSWER, "me")
    with pytest.raises(NoSuchResult):
        state.results.get(uri, "you")
    assert state.results.find(uri, "you") is None


def test_a_result_that_is_kept_stays_as_it_is(state: State) -> None:
    uri = state.results.uri("me", QUESTION, "1")
    state.results.put(uri, QUESTION, ANSWER, "me")
    state.results.put(uri, QUESTION, replace(ANSWER, subject="other"), "me")
    assert state.results.get(uri, "me")[1].subject == "x"


def test_results_outlive_the_server_and_others_see_them(opening: Opening) -> None:
    first, second = opening(), opening()
    uri = first.results.uri("me", QUESTION, "1")
    assert second.results.uri("me", QUESTION, "1") == uri
    first.results.put(uri, QUESTION, ANSWER, "me")
    assert second.results.get(uri, "me")[0] == QUESTION
    many = replace(ANSWER, items=tuple(ANSWER.items) * 5_000)
    first.results.put(first.results.uri("me", QUESTION, "2"), QUESTION, many, "me")
    first.results.close()
    assert len(second.results.get(second.results.uri("me", QUESTION, "2"), "me")[1].items) == 10_000


@pytest.mark.parametrize(
    "uri", ["", "leadline://result/x", "leadline://result/\0", "x" * 5_000, "'; drop table answer"]
)
def test_what_is_no_uri_of_a_result_is_not_kept(state: State, uri: str) -> None:
    with pytest.raises(NoSuchResult):
        state.results.get(uri, "me")


def test_previews_are_remembered(state: State) -> None:
    assert state.results.recall_preview("q") is None
    state.results.remember_preview("q", {"a.py": "1", "b\udcff.py": "2"})
    assert state.results.recall_preview("q") == {"a.py": "1", "b\udcff.py": "2"}
    state.results.remember_preview("q", {})
    assert state.results.recall_preview("q") == {}


# Turns


def test_a_call_gets_at_most_half_of_the_rest(state: State) -> None:
    with state.turns.call("me", "", 10_000, FLOOR) as first:
        assert (first.tokens, first.counts) == (500, True)
        with state.turns.call("me", "", 10_000, FLOOR) as second:
            assert second.tokens == 250
            second.spend(10)
        first.spend(100)
    turn = state.turns.state("me")
    assert turn is not None
    assert (turn.budget, turn.spent, turn.left, turn.calls, turn.floored) == (BUDGET, 110, 890, 2, 0)


def test_a_call_that_reports_nothing_used_all_and_one_that_fails_used_nothing(state: State) -> None:
    with state.turns.call("me", "", 100, FLOOR):
        pass
    with pytest.raises(ValueError, match="failed"), state.turns.call("me", "", 100, FLOOR):
        raise ValueError("failed")
    turn = state.turns.state("me")
    assert turn is not None
    assert (turn.spent, turn.calls) == (100, 2)


def test_a_turn_that_is_spent_gives_the_floor_free(state: State) -> None:
    floored = False
    for _ in range(20):
        with state.turns.call("me", "", 10_000, FLOOR) as grant:
            floored = floored or not grant.counts
            assert grant.tokens >= FLOOR
    turn = state.turns.state("me")
    assert turn is not None
    assert floored
    assert BUDGET - 2 * FLOOR <= turn.spent <= BUDGET
    assert turn.floored > 10


def test_another_name_begins_another_turn(state: State) -> None:
    for name in ("one", "one", "two"):
        with state.turns.call("me", name, 100, FLOOR):
            pass
    turn = state.turns.state("me")
    assert turn is not None
    assert (turn.spent, turn.calls) == (100, 1)


def test_a_call_that_ends_in_the_next_turn_gives_nothing_back_to_it(state: State) -> None:
    with state.turns.call("me", "one", 400, FLOOR) as late:
        with state.turns.call("me", "two", 100, FLOOR):
            pass
        late.spend(1)
    turn = state.turns.state("me")
    assert turn is not None
    assert turn.spent == 100
    with state.turns.call("me", "two", 400, FLOOR) as late:
        state.turns.reset("me")
        with state.turns.call("me", "two", 100, FLOOR):
            pass
        late.spend(1)
    assert state.turns.state("me") == replace(turn, calls=1)


def test_turns_are_those_of_one_client(state: State) -> None:
    with state.turns.call("me", "one", 100, FLOOR):
        pass
    turn = state.turns.state("you")
    assert turn is not None
    assert turn.spent == 0


def test_a_turn_without_limit_has_no_state_but_one_with_a_name_has(opening: Opening) -> None:
    turns = opening(turn_tokens=0).turns
    with turns.call("me", "", 5_000, FLOOR) as grant:
        assert (grant.tokens, grant.counts) == (5_000, True)
    assert turns.state("me") is None
    with turns.call("me", "one\0\udcff" + "x" * 500, 5_000, FLOOR) as grant:
        assert grant.tokens == 5_000
    turn = turns.state("me")
    assert turn is not None
    assert (turn.budget, turn.spent) == (TURN_TOKENS, 5_000)
    turns.reset("me")
    assert turns.state("me") is None


def test_an_answer_is_seen_once_it_was_given_as_much_in_a_turn_with_a_name(state: State) -> None:
    turns = state.turns
    assert not turns.has_seen("me", "", "uri", 10)
    assert not turns.has_seen("me", "", "uri", 10)
    for name, tokens, seen in (("a", 10, False), ("a", 10, True), ("a", 20, False), ("a", 15, True), ("b", 5, False)):
        with turns.call("me", name, 10, 1):
            assert turns.has_seen("me", name, "uri", tokens) is seen
    assert not turns.has_seen("you", "b", "uri", 5)


def test_calls_at_once_never_spend_more_than_the_turn_has(opening: Opening) -> None:
    states = [opening(), opening()] if opening().results.__class__ is SharedResults else [opening()] * 2
    spent: list[int] = []

    def run(state: State) -> None:
        for _ in range(25):
            with state.turns.call("me", "one", 300, FLOOR) as grant:
                if grant.counts:
                    spent.append(grant.tokens)

    threads = [threading.Thread(target=run, args=(states[number % 2],)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert BUDGET - 2 * FLOOR <= sum(spent) <= BUDGET
    turn = states[0].turns.state("me")
    assert turn is not None
    assert (turn.spent, turn.calls) == (sum(spent), 200)


# Ledger


def entry(tool: str = "read_file", sent: int = 10, **fields: object) -> Entry:
    return Entry(tool, 12, sent, 40, client="cl\0ient\udcff", **fields)  # type: ignore[arg-type]


def test_the_ledger_adds_up_the_calls_of_a_client(state: State) -> None:
    ledger = state.ledger
    ledger.note_listing(lambda: 1_800)
    for spent in (entry(), entry("list_files", 30, files=100), entry(error=True, charged=7)):
        ledger.add("me", spent)
    ledger.add("you", entry())
    first, second = ledger.session("me")
    assert (first.name, first.calls, first.sent, first.files, first.instead) == ("list_files", 1, 30, 100, 30)
    assert (second.calls, second.sent, second.whole, second.errors, second.charged) == (2, 20, 80, 1, 7)
    assert (second.off, second.worst) == (4, 0.2)
    assert [len(ledger.recent(who)) for who in ("me", "you", "nobody", None)] == [3, 1, 0, 4]
    assert [noted.entry.tool for noted in ledger.recent("me")] == ["read_file", "list_files", "read_file"]
    assert ledger.troubles == ()


def test_a_count_restarts_for_one_client(state: State) -> None:
    for who in ("me", "you"):
        state.ledger.add(who, entry())
    state.ledger.reset("me")
    assert (len(state.ledger.session("me")), len(state.ledger.session("you"))) == (0, 1)
    state.ledger.add("me", entry())
    assert state.ledger.session("me")[0].calls == 1


def test_offers_are_learned_from_all_that_count_alike(opening: Opening) -> None:
    first, second = opening().ledger, opening().ledger
    first.add("me", entry(offered=100, came=150))
    first.add("me", entry())
    first.flush()
    assert second.offers() == {"read_file": [1.5]}


# Limits


def test_a_client_has_a_limit_of_calls_at_once(state: State) -> None:
    running = [state.limits.call("me") for _ in range(MOST_OF_ONE)]
    for call in running:
        call.__enter__()
    assert state.limits.running == MOST_OF_ONE
    with pytest.raises(Busy), state.limits.call("me"):
        pass
    with state.limits.call("you"):
        pass
    for call in running:
        call.__exit__(None, None, None)
    assert (state.limits.running, state.limits.refused) == (0, 1)


def test_each_of_several_replicas_allows_its_share() -> None:
    limits = Load(lambda: 0.0, lambda: 4)
    for _ in range(BURST // 4):
        with limits.call("me"):
            pass
    with pytest.raises(Busy), limits.call("me"):
        pass


# What only replicas do


def test_replicas_count_together_and_each_other(migrated: DatabaseAddress, tmp_path: Path) -> None:
    config = Config(tmp_path, None, "openai", turn_tokens=BUDGET)
    index = Index(tmp_path, None)
    first, second = (shared_state(config, migrated, index) for _ in range(2))
    first.ledger.add("me", entry())
    first.ledger.flush()
    second.ledger.add("me", entry())
    assert second.ledger.session("me")[0].calls == 2
    with psycopg.connect(migrated.url) as connection:
        assert connection.execute("select count(*) from leadline.replica").fetchone() == (2,)
    first.close()
    second.close()
    with psycopg.connect(migrated.url) as connection:
        assert connection.execute("select count(*) from leadline.replica").fetchone() == (0,)
    index.close()


def test_what_a_dead_replica_held_is_spent_until_the_turn_ends(migrated: DatabaseAddress) -> None:
    pool = DatabasePool(migrated)
    dead, alive = SharedTurns(pool, BUDGET), SharedTurns(pool, BUDGET)
    holding = dead.call("me", "one", 400, FLOOR)
    assert holding.__enter__().tokens == 400
    with alive.call("me", "one", 10_000, FLOOR) as grant:
        assert grant.tokens == 300
    impatient = SharedTurns(pool, BUDGET, idle=-1.0)
    with impatient.call("me", "one", 10_000, FLOOR) as grant:
        assert grant.tokens == 500
    pool.close()


def test_a_table_that_is_locked_keeps_no_call_waiting_for_long(migrated: DatabaseAddress) -> None:
    pool = DatabasePool(migrated)
    turns, results = SharedTurns(pool, BUDGET), SharedResults(pool, long_ids=True)
    with psycopg.connect(migrated.url) as other:
        other.execute("lock table leadline.turn, leadline.answer, leadline.seen in access exclusive mode")
        began = time.monotonic()
        with turns.call("me", "one", 500, FLOOR) as grant:
            assert (grant.tokens, grant.counts) == (FLOOR, False)
        assert not turns.has_seen("me", "one", "uri", 10)
        results.put(results.uri("me", QUESTION, "1"), QUESTION, ANSWER, "me")
        assert time.monotonic() - began < 3 * LOCK_SECONDS + PATIENT
    assert results.find(results.uri("me", QUESTION, "1"), "me") is None
    pool.close()


def test_results_expire_and_the_least_used_make_room(migrated: DatabaseAddress) -> None:
    pool = DatabasePool(migrated)
    results = SharedResults(pool, long_ids=True)
    uris = [results.uri("me", QUESTION, str(number)) for number in range(4)]
    for uri in uris:
        results.put(uri, QUESTION, ANSWER, "me")
    with pool.connection() as connection:
        connection.execute("update answer set created = now() - interval '25 hours' where id = %s", (uris[0],))
        connection.execute("update answer set used = now() - interval '1 hour' where id = %s", (uris[1],))
        size = connection.execute("select max(size) from answer").fetchone()
    assert size is not None
    with pytest.raises(NoSuchResult, match="expired") as expired:
        results.get(uris[0], "me")
    assert "search_text" in expired.value.hint
    results.expire(int(size[0]) * 2)
    assert [results.find(uri, "me") is not None for uri in uris] == [False, False, True, True]
    results.put(uris[0], QUESTION, ANSWER, "me")
    assert results.find(uris[0], "me") is not None
    with pool.connection() as connection:
        connection.execute("update answer set created = now() - make_interval(days => 31), items = null")
    results.expire()
    with pool.connection() as connection:
        assert connection.execute("select count(*) from answer").fetchone() == (0,)
    pool.close()
    assert TTL_SECONDS == 24 * 3600


def test_the_owner_of_a_database_needs_no_other_rights(postgres: PostgresServer) -> None:
    with postgres.owned() as url:
        address = DatabaseAddress.parse(url)
        assert len(migrate(address, areas())) == sum(one.number for one in check(address, areas()))


def test_a_replica_does_not_start_on_tables_of_another_version(database: str, tmp_path: Path) -> None:
    index = Index(tmp_path, None)
    with pytest.raises(errors.SchemaMissing, match="no tables of Leadline for state"):
        shared_state(Config(tmp_path, None, "openai"), DatabaseAddress.parse(database), index)
    index.close()


def test_the_account_of_replicas_is_that_of_a_single_server_with_the_same_calls(
    tmp_path: Path, migrated: DatabaseAddress
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    index = Index(root, None)
    config = Config(root, tmp_path / "cache", "openai")
    states = local_state(config, index), shared_state(config, migrated, index), shared_state(config, migrated, index)
    calls = [
        Entry("find_references", 102, 100, 400, 1_000, 100, "a client", "references"),
        Entry("list_files", 50, 50, 5_000, 0, 50, "", "paths"),
        Entry("read_file", 90, 90, 90, offered=120, came=100),
        Entry("unknown", 20, 20, 20, 0, 20, "a client", error=True),
    ]
    for number, call in enumerate(calls):
        states[0].ledger.add("me", call)
        states[1 + number % 2].ledger.add("me", call)
    for state in states:
        state.ledger.close()
        state.close()
    index.close()
    expected, found = account(tmp_path / "cache" / LEDGER, 7), shared_account(migrated, 7)
    assert expected.total.calls == 4
    assert replace(found, sessions=0) == replace(expected, sessions=0)
    printed = CliRunner().invoke(main, ["stats", "--database", migrated.url])
    assert "in 4 calls, 1 of which failed" in printed.output
