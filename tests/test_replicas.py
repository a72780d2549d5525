"""Several servers on one database behind a proxy answer as one; what goes wrong with the database is said."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest

import serving
from conftest import write
from leadline_server.config import TURN_TOKENS
from leadline_server.replicas.areas import areas
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import migrate
from postgres import PASSWORD, PostgresServer
from round_robin import round_robin
from test_gate import connected, text_of

CLIENTS = range(8)
ROUNDS = 6
TOKENS = tuple(f"a-token-of-client-number-{number}" for number in CLIENTS)
SHARED = "a-token-that-all-clients-share"
LARGEST = 1_000
"""Tokens of an answer in the turn that all share."""

METRICS_TOKEN = "a-token-of-the-metrics"
MODES = ("auto", "legacy")
FUNCTIONS = 40
FLOOR = 90
"""Tokens of an answer that is free because its turn has nothing left."""

PATIENT = 15.0
"""Seconds within which whatever needs the database has given up, on a busy machine."""

FULL_FUNCTION = b"""
create function leadline.full() returns trigger language plpgsql as $$ begin raise disk_full; end $$
"""
FULL = "create trigger full_{table} before insert or update on leadline.{table} execute function leadline.full()"

SPENT = re.compile(r"\| (?:(\d[\d,]*) of (\d[\d,]*) tokens|(\d+)/(\d+))")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for each client, whose functions have its number in their names."""
    files = {
        f"client_{i}.py": "\n".join(f"def client_{i}_function_{j}(a, b):\n    return a\n" for j in range(FUNCTIONS))
        for i in range(len(TOKENS))
    }
    return write(tmp_path_factory.mktemp("tree"), files)


@dataclass
class Replicas:
    """Servers that run, their ports, and the port of the proxy before them."""

    ports: list[int] = field(default_factory=list[int])
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])
    proxy: int = 0
    taken: list[int] = field(default_factory=list[int])


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, **variables}


def prepare(url: str) -> None:
    migrate(DatabaseAddress.parse(url), areas())


@contextmanager
def replicas(
    tree: Path, folder: Path, url: str, *options: str, number: int = 2, log: Path | None = None
) -> Iterator[Replicas]:
    """Run servers with caches of their own, as on several machines, behind a proxy."""
    tokens, metrics = folder / "tokens", folder / "metrics"
    tokens.write_text("\n".join((*TOKENS, SHARED)))
    metrics.write_text(METRICS_TOKEN)
    running = Replicas(proxy=serving.free_port())
    with ExitStack() as stack:
        for replica in range(number):
            port = serving.free_port()
            where = ["--root", str(tree), "--cache-dir", str(folder / f"cache_{replica}"), "--token-file", str(tokens)]
            names = ["--allow-host", f"127.0.0.1:{running.proxy}", "--metrics-token-file", str(metrics)]
            command = [sys.executable, "-m", "leadline_server", "serve", *where, "--http", f"127.0.0.1:{port}", *names]
            variables = environment(LEADLINE_DATABASE=url)
            started = serving.process([*command, "--model", "openai", *options], port, variables, log)
            running.processes.append(stack.enter_context(started))
            running.ports.append(port)
        for port in running.ports:
            wait_for_index(port)
        running.taken = stack.enter_context(round_robin(running.ports, running.proxy))
        yield running


def get(port: int, path: str, token: str = "") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def metric(port: int, name: str, token: str = METRICS_TOKEN) -> float:
    """Return the sum of a metric over its labels."""
    status, text = get(port, "/metrics", token)
    assert status == 200, text
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE))


def wait_for_index(port: int) -> None:
    """Wait until a server has indexed everything: until then its answers are of another state."""
    until = time.monotonic() + serving.DEADLINE
    while metric(port, "leadline_index_files_indexed") < len(TOKENS):
        assert time.monotonic() < until


def call(port: int, token: str, mode: str, tool: str, turn: str = "", **arguments: object) -> tuple[str, bool]:
    """Make one call in a session of its own, and again as long as the server that took it dies; its text, is_error."""

    async def run() -> tuple[str, bool]:
        async with connected(port, token, mode) as client:
            meta: Any = {"leadline/turn": turn} if turn else None
            result = await client.call_tool(tool, dict(arguments), meta=meta)
            return text_of(result), result.is_error

    for attempt in range(5):
        try:
            return anyio.run(run)
        except Exception:
            if attempt == 4:
                raise
    raise AssertionError


def names_in(text: str) -> set[str]:
    return set(re.findall(r"client_\d+_function_\d+", text))


def names_of(client: int) -> list[str]:
    return [f"client_{client}_function_{number}" for number in range(FUNCTIONS)]


def read_names(port: int, token: str, mode: str, uri: str) -> list[str]:
    """Return the names of all symbols of a result, page by page."""
    found: list[str] = []
    while True:
        text, is_error = call(port, token, mode, "read_result", uri=uri, offset=len(found), format="json")
        assert not is_error, text
        page = json.loads(text)
        found += [item["name"] for item in page["items"]]
        if page["complete"] or not page["items"]:
            return found


# Two replicas as one


@pytest.mark.parametrize("mode", MODES)
def test_replicas_answer_as_one_server(tree: Path, tmp_path: Path, database: str, mode: str) -> None:
    prepare(database)
    with replicas(tree, tmp_path, database) as running:
        asked: Any = {"path": "client_0.py", "max_tokens": 200}
        texts = [call(port, TOKENS[0], mode, "document_symbols", **asked)[0] for port in running.ports]
        assert texts[0] == texts[1]
        uri = re.findall(r"^all: (\S+)$", texts[0], re.MULTILINE)[0]
        assert read_names(running.proxy, TOKENS[0], mode, uri) == names_of(0)
        assert set(running.taken) == set(running.ports)
        for port in running.ports:
            text, is_error = call(port, TOKENS[1], mode, "read_result", uri=uri)
            assert is_error
            assert not names_in(text)


@pytest.mark.parametrize("mode", MODES)
def test_a_turn_has_one_budget_and_knows_what_any_replica_has_sent(
    tree: Path, tmp_path: Path, database: str, mode: str
) -> None:
    prepare(database)
    with replicas(tree, tmp_path, database, "--turn-tokens", "3000") as running:
        asked: Any = {"turn": "one", "path": "client_0.py", "max_tokens": 800}
        first, again = (call(port, TOKENS[0], mode, "read_file", **asked)[0] for port in running.ports)
        assert names_in(first)
        assert "already answered in this turn" in again
        call(running.ports[0], TOKENS[0], mode, "budget")  # which writes what this replica has not written yet
        for port in running.ports[::-1]:
            text, _ = call(port, TOKENS[0], mode, "budget")
            assert "read_file: 2 calls" in text
            assert re.search(r"this turn ([89]\d\d|1,\d+) of 3,000 spent", text)


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_lost_or_foreign_and_no_turn_overspent_when_a_replica_is_killed(
    tree: Path, tmp_path: Path, database: str, mode: str
) -> None:
    prepare(database)
    load = Load(tmp_path, database, mode, tree)
    load.run()
    assert load.failures == []
    assert load.rounds == len(CLIENTS) * ROUNDS
    assert load.went_to[-1] == load.survivor
    assert TURN_TOKENS - 2 * FLOOR - LARGEST <= sum(load.spent) <= TURN_TOKENS
    with psycopg.connect(database) as connection:
        row = connection.execute("select max(spent) from leadline.turn").fetchone()
    assert row is not None
    assert sum(load.spent) <= row[0] <= TURN_TOKENS


class Load:
    """Clients at once, each with questions of its own and of a turn that all share; one replica is killed half way."""

    def __init__(self, folder: Path, url: str, mode: str, tree: Path) -> None:
        self._folder, self._url, self._mode, self._tree = folder, url, mode, tree
        self._lock = threading.Lock()
        self._half = threading.Event()
        self.rounds = self.survivor = 0
        self.spent: list[int] = []
        self.failures: list[BaseException] = []
        self.went_to: list[int] = []

    def run(self) -> None:
        with replicas(self._tree, self._folder, self._url) as running:
            threads = [threading.Thread(target=self._client, args=(running.proxy, number)) for number in CLIENTS]
            for thread in threads:
                thread.start()
            assert self._half.wait(300)
            running.processes[0].send_signal(signal.SIGKILL)
            for thread in threads:
                thread.join()
            self.survivor, self.went_to = running.ports[1], running.taken

    def _client(self, port: int, number: int) -> None:
        try:
            for turn in range(ROUNDS):
                self._read_own(port, number)
                self._spend_shared(port, number, turn)
                with self._lock:
                    self.rounds += 1
                    if self.rounds >= len(CLIENTS) * ROUNDS // 2:
                        self._half.set()
        except BaseException as error:
            self.failures.append(error)
            self._half.set()

    def _read_own(self, port: int, number: int) -> None:
        """Read a file to its end, over all pages; nobody else can read them."""
        path = f"client_{number}.py"
        text, is_error = call(port, TOKENS[number], self._mode, "document_symbols", path=path, max_tokens=200)
        assert not is_error, text
        (uri,) = re.findall(r"^all: (\S+)$", text, re.MULTILINE)
        assert read_names(port, TOKENS[number], self._mode, uri) == names_of(number)
        foreign, is_error = call(port, TOKENS[number - 1], self._mode, "read_result", uri=uri)
        assert is_error, foreign

    def _spend_shared(self, port: int, number: int, turn: int) -> None:
        """Ask for something that nobody has asked for in the turn of all."""
        asked: Any = {"path": f"client_{number}.py", "start_line": turn + 1, "max_tokens": LARGEST}
        text, is_error = call(port, SHARED, self._mode, "read_file", "all", **asked)
        assert not is_error, text
        used, limit = (int(part.replace(",", "")) for part in SPENT.findall(text)[0] if part)
        with self._lock:
            self.spent += [used] if limit > FLOOR else []


# What can go wrong with the database


@pytest.fixture
def serving_one(tree: Path, tmp_path: Path, database: str) -> Iterator[Replicas]:
    prepare(database)
    with replicas(tree, tmp_path, database, number=1) as running:
        yield running


def refused(folder: Path, tree: Path, url: str, *options: str, code: int = 1) -> str:
    """Return why a server does not start."""
    where = ["--root", str(tree), "--cache-dir", str(folder / "cache"), "--http", f"127.0.0.1:{serving.free_port()}"]
    command = [sys.executable, "-m", "leadline_server", "serve", *(options or where)]
    ran = subprocess.run(
        command, env=environment(LEADLINE_DATABASE=url), capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (code, "", 1), ran.stderr
    return ran.stderr


def test_a_server_starts_on_tables_of_its_version_only(tmp_path: Path, tree: Path, database: str) -> None:
    assert "no tables of Leadline for state. Run leadline database migrate." in refused(tmp_path, tree, database)
    prepare(database)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("insert into leadline.migration(area, number, name, digest) values ('state', 99, 'x', 'y')")
        assert "newer than this Leadline: migration 99" in refused(tmp_path, tree, database)
        connection.execute("delete from leadline.migration")
        connection.execute("insert into leadline.migration(area, number, name, digest) values ('state', 1, 'x', 'y')")
        assert "was not made by this program" in refused(tmp_path, tree, database)
        connection.execute("drop table leadline.migration")
        assert "no record of migrations. Use a database of its own" in refused(tmp_path, tree, database)


def test_a_server_without_its_database_does_not_start(tmp_path: Path, tree: Path, postgres: PostgresServer) -> None:
    url = postgres.url(user="guarded:wr0ng-passw0rd")
    told = refused(tmp_path, tree, url)
    assert 'password authentication failed for user "guarded". Correct the user, the password' in told
    assert "wr0ng" not in told
    assert "cannot be reached" in refused(tmp_path, tree, "postgresql://user:s3cret@/name?host=/nowhere")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        told = refused(tmp_path, tree, f"postgresql://user:s3cret@127.0.0.1:{silent.getsockname()[1]}/name")
    assert time.monotonic() - began < PATIENT
    assert "cannot be reached: connection timeout expired" in told
    assert "s3cret" not in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--root", "."), "--database is for --http HOST:PORT: over stdio there is one client"),
        (("--http", "127.0.0.1:1", "--allow-edits"), "--allow-edits cannot be used with --database"),
        (("--database", "postgresql://user:s3@cret@host/name"), "must be percent-encoded. Use postgresql://USER@HOST"),
        (("--database", "mysql://user:s3cret@host/name"), "does not start with postgresql://"),
    ],
)
def test_what_does_not_go_together_with_a_database_is_refused(
    tmp_path: Path, tree: Path, options: tuple[str, ...], told: str
) -> None:
    text = refused(tmp_path, tree, "postgresql://user:s3cret@host/name", *options, code=2)
    assert told in text
    assert "cret" not in text


def test_calls_are_errors_while_the_database_is_gone_and_work_again_after_it(
    serving_one: Replicas, postgres: PostgresServer
) -> None:
    (port,) = serving_one.ports
    asked: Any = {"path": "client_0.py", "max_tokens": 200}
    before, _ = call(port, TOKENS[0], "auto", "document_symbols", "one", **asked)
    (uri,) = re.findall(r"^all: (\S+)$", before, re.MULTILINE)
    assert get(port, "/ready") == (200, "ok")
    postgres.stop()
    try:
        for tool, arguments in (("document_symbols", asked), ("read_result", {"uri": uri}), ("budget", {})):
            began = time.monotonic()
            text, is_error = call(port, TOKENS[0], "auto", tool, **arguments)
            assert is_error, text
            assert "The database of this server cannot be reached" in text
            assert "Try again in a few seconds." in text
            assert time.monotonic() - began < PATIENT
        assert get(port, "/ready") == (503, "The database cannot be reached.")
        assert get(port, "/health") == (200, "ok")
        assert metric(port, "leadline_ready") == 0
    finally:
        postgres.start()
    answers = (call(port, TOKENS[0], "auto", "document_symbols", "two", **asked) for _ in range(20))
    assert next(text for text, is_error in answers if not is_error) == before
    assert read_names(port, TOKENS[0], "auto", uri) == names_of(0)
    assert any(get(port, "/ready") == (200, "ok") for _ in range(2_000))  # what it was a second ago counts so long
    assert metric(port, "leadline_calls_total") > 3


def test_calls_under_way_while_the_database_restarts_are_right_or_clear_errors(
    tree: Path, tmp_path: Path, postgres: PostgresServer, database: str
) -> None:
    prepare(database)
    answers: list[tuple[int, str, bool]] = []
    restarted = threading.Event()

    def work(port: int, number: int) -> None:
        last = False
        while not last:
            last = restarted.is_set() and bool(answers) and not answers[-1][2]
            asked: Any = {"path": f"client_{number}.py", "max_tokens": 200}
            answers.append((number, *call(port, TOKENS[number], "auto", "document_symbols", "one", **asked)))

    with replicas(tree, tmp_path, database) as running:
        threads = [threading.Thread(target=work, args=(running.proxy, number)) for number in CLIENTS]
        for thread in threads:
            thread.start()
        while len(answers) < len(CLIENTS):
            threads[0].join(0.05)
        postgres.stop()
        while not answers[-1][2]:
            threads[0].join(0.05)
        postgres.start()
        restarted.set()
        for thread in threads:
            thread.join()
    for number, text, is_error in answers:
        assert not names_in(text) - set(names_of(number))
        assert is_error is ("The database of this server cannot be reached" in text), text
    assert {is_error for _, _, is_error in answers} == {True, False}
    assert not answers[-1][2]


def test_a_database_that_is_full_costs_stored_pages_and_budgets_but_no_answer(
    serving_one: Replicas, database: str
) -> None:
    (port,) = serving_one.ports
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(FULL_FUNCTION)
        for table in ("answer", "turn", "seen", "call"):
            connection.execute(FULL.format(table=table).encode())
        text, is_error = call(port, TOKENS[0], "auto", "document_symbols", path="client_0.py", max_tokens=200)
        assert not is_error, text
        (uri,) = re.findall(r"^all: (\S+)$", text, re.MULTILINE)
        text, is_error = call(port, TOKENS[0], "auto", "read_result", uri=uri)
        assert is_error
        assert "does not exist." in text
        assert "Call the tool again that returned it." in text
        floored, is_error = call(port, TOKENS[0], "auto", "document_symbols", "one", path="client_0.py", max_tokens=200)
        assert not is_error, floored
        assert SPENT.findall(floored)[0][3] == str(FLOOR)
        spent, _ = call(port, TOKENS[0], "auto", "budget")
        assert "ledger: not written: The database has no room" in spent
        for table in ("answer", "turn", "seen", "call"):
            connection.execute(f"drop trigger full_{table} on leadline.{table}".encode())
    text, _ = call(port, TOKENS[0], "auto", "document_symbols", path="client_0.py", max_tokens=200)
    assert read_names(port, TOKENS[0], "auto", uri) == names_of(0)


# Monitoring


def test_only_the_token_of_the_metrics_reads_them_and_it_reads_nothing_else(serving_one: Replicas) -> None:
    (port,) = serving_one.ports
    call(port, TOKENS[0], "auto", "document_symbols", path="client_0.py", max_tokens=200)
    call(port, TOKENS[1], "auto", "document_symbols", path="nowhere.py")
    for token in ("", TOKENS[0], METRICS_TOKEN[:-1]):
        assert get(port, "/metrics", token)[0] == 401
    for path in ("/", "/mcp", "/page/ledger"):
        assert get(port, path, METRICS_TOKEN)[0] == 401
    status, text = get(port, "/metrics", METRICS_TOKEN)
    assert status == 200
    assert 'leadline_calls_total{outcome="answer",tool="document_symbols"} 1.0' in text
    assert 'leadline_calls_total{outcome="error",tool="document_symbols"} 1.0' in text
    assert re.search(r'leadline_tokens_saved_total{tool="document_symbols"} [1-9]\d\d', text)
    assert "leadline_index_age_seconds 0.0" in text
    assert "client_0" not in text
    assert not [token for token in TOKENS if token in text]


def test_a_server_that_ends_reports_it_and_has_written_all_calls(tree: Path, tmp_path: Path, database: str) -> None:
    prepare(database)
    with replicas(tree, tmp_path, database, number=1) as running:
        call(running.ports[0], TOKENS[0], "auto", "document_symbols", path="client_0.py")
    with psycopg.connect(database) as connection:
        assert connection.execute("select count(*) from leadline.replica").fetchone() == (0,)
        assert connection.execute("select count(*) from leadline.call").fetchone() == (1,)
    assert [process.returncode for process in running.processes] == [0]


def test_the_password_is_in_no_output_and_no_child_of_a_server(
    tree: Path, tmp_path: Path, postgres: PostgresServer, database: str
) -> None:
    prepare(database)
    secret = PASSWORD.replace(" ", "%20")
    url = database.replace("postgres@", f"guarded:{secret}@")
    log = tmp_path / "log"
    with replicas(tree, tmp_path, url, "--log-level", "debug", number=1, log=log) as running:
        call(running.ports[0], TOKENS[0], "auto", "document_symbols", path="client_0.py")
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"PPid:\t{running.processes[0].pid}\n" in (process / "status").read_text():
                    assert secret.encode() not in (process / "environ").read_bytes()
        postgres.stop()
        try:
            call(running.ports[0], TOKENS[0], "auto", "document_symbols", path="client_0.py")
        finally:
            postgres.start()
    text = log.read_text()
    assert text
    assert PASSWORD not in text
    assert secret not in text
