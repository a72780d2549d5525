"""The ledger tells what was sent and what it stands for; whatever is wrong with it, no answer fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from mcp import Client

from conftest import Asking, Open, write
from leadline_estimators import TextKind, count
from leadline_server.ledger import Entry, LocalLedger
from leadline_server.ledger_file import Serving
from leadline_server.listing import listing
from leadline_server.running import server_of

FILES = {f"part_{i}.py": f"def work_{i}():\n    return {i}\n" for i in range(5)} | {
    "main.py": "".join(f"from part_{i} import work_{i}\n" for i in range(5)) + "\nwork_0()" * 30 + "\n"
}
CALL = Entry("find_references", 100, 100, 400, 1_000, 170, "a client", "references")
OLD = """
create table call(
    at real not null, session text not null, principal text not null, tool text not null,
    estimated integer not null, sent integer not null, whole integer not null);
insert into call values(1.0, 's', 'local', 'read_file', 1, 2, 3);
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "ledger.db"


def ledger(file: Path | None, session: str = "s") -> LocalLedger:
    return LocalLedger(file, Serving(session, "claude", "claude", 3.0))


def rows(file: Path) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(file))
    try:
        return [tuple(row) for row in connection.execute("select tool, sent, whole, files from call order by rowid")]
    finally:
        connection.close()


@pytest.fixture
def locked(file: Path) -> Iterator[apsw.Connection]:
    """Keep the ledger locked, as a program does that is in the middle of writing."""
    ledger(file).close()
    first = ledger(file)
    first.add("local", CALL)
    first.close()
    connection = apsw.Connection(str(file))
    connection.execute("begin exclusive")
    yield connection
    connection.close()


@pytest.fixture
def ask(opened: Open, tmp_path: Path, file: Path) -> Asking:
    return opened(write(tmp_path / "code", FILES), cache=file.parent)


# What is noted


def test_a_call_is_noted_with_what_the_alternatives_would_have_cost(ask: Asking) -> None:
    sent = count(ask("find_references", symbol="work_0", max_tokens=60))
    (spent,) = ask.session.ledger.session("local")
    assert (spent.name, spent.calls, spent.estimated, spent.sent) == ("find_references", 1, sent, sent)
    assert spent.whole > sent
    assert spent.files > 0
    assert spent.instead == sent


def test_what_was_charged_is_in_tokens_of_the_model(opened: Open, tmp_path: Path) -> None:
    ask = opened(write(tmp_path, FILES), model="claude")
    profile = ask.session.config.profile
    sent = profile.tokenizer.count(ask("read_file", path="main.py"))
    (spent,) = ask.session.ledger.session("local")
    assert spent.sent == sent
    assert spent.charged == profile.price(sent, TextKind.Code) > sent


def test_a_list_of_files_stands_for_no_file_that_would_be_read(ask: Asking) -> None:
    ask("list_files", recursive=True)
    assert ask.session.ledger.session("local")[0].files == 0


def test_a_page_of_a_stored_result_saves_nothing_that_its_answer_saved_already(ask: Asking) -> None:
    uri = ask("find_references", symbol="work_0", max_tokens=60).rsplit("all: ", 1)[1].strip()
    ask("read_result", uri=uri, max_tokens=60)
    spent = {spending.name: spending for spending in ask.session.ledger.session("local")}
    assert spent["read_result"].whole == spent["read_result"].sent
    assert spent["read_result"].files == 0


def test_an_error_is_noted_with_what_it_cost(ask: Asking) -> None:
    text = ask.error("read_file", path="nothing.py")
    (spent,) = ask.session.ledger.session("local")
    assert (spent.calls, spent.errors, spent.sent, spent.whole) == (1, 1, count(text), count(text))


def test_a_tool_that_there_is_not_is_noted_without_its_name(ask: Asking, file: Path) -> None:
    ask.error("drop table call")
    ask.session.ledger.flush()
    assert rows(file)[0][0] == "unknown"


@pytest.mark.anyio
async def test_the_client_and_the_price_of_the_list_of_tools_are_noted(ask: Asking, file: Path) -> None:
    async with Client(server_of(ask.session), cache=None) as client:
        await client.call_tool("count_files", {})
    ask.session.ledger.flush()
    connection = apsw.Connection(str(file))
    told = connection.execute("select client, model, schema from call join session on session = id").fetchall()
    connection.close()
    assert told == [("mcp", "openai", listing(ask.session.tools).total)]


def test_calls_are_written_together_before_long(file: Path) -> None:
    own = ledger(file)
    for _ in range(3):
        own.add("local", CALL)
    for timer in [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]:
        timer.join()
    assert len(rows(file)) == 3
    own.close()


def test_two_sessions_write_into_one_file(file: Path) -> None:
    first, second = ledger(file, "first"), ledger(file, "second")
    for _ in range(20):
        first.add("local", CALL)
        second.add("local", CALL)
    first.close()
    second.close()
    assert len(rows(file)) == 40


def test_servers_that_begin_and_write_at_once_lose_nothing(file: Path) -> None:
    def write(session: str) -> None:
        own = ledger(file, session)
        for _ in range(50):
            own.add("local", CALL)
        own.close()
        assert own.troubles == ()

    with ThreadPoolExecutor(8) as servers:
        list(servers.map(write, (f"s{i}" for i in range(8))))
    assert len(rows(file)) == 8 * 50


def test_one_principal_does_not_see_the_calls_of_another(file: Path) -> None:
    both = ledger(file)
    both.add("one", CALL)
    assert both.session("other") == []
    assert both.recent("other") == []
    assert len(both.recent("one")) == 1


# What is wrong with the file


def test_a_ledger_that_is_locked_costs_no_answer_and_is_written_later(file: Path, locked: apsw.Connection) -> None:
    waiting = ledger(file)
    waiting.add("local", CALL)
    assert waiting.troubles == ("ledger: not written: another program keeps it locked; 1 calls wait in memory",)
    assert waiting.session("local")[0].calls == 1
    locked.execute("commit")
    waiting.close()
    assert len(rows(file)) == 2


def test_answers_come_while_the_ledger_is_locked_and_the_budget_tool_says_so(
    opened: Open, tmp_path: Path, file: Path, locked: apsw.Connection
) -> None:
    ask = opened(write(tmp_path / "code", FILES), cache=file.parent)
    assert "main.py" in ask("list_files")
    assert "ledger: not written: another program keeps it locked; 1 calls wait" in ask("budget")
    assert locked.in_transaction


def test_a_writer_that_is_killed_in_the_middle_leaves_a_ledger_that_can_be_written(file: Path) -> None:
    ledger(file).close()
    program = (
        "import apsw, os, sys; c = apsw.Connection(sys.argv[1]); c.execute('begin immediate');"
        "c.execute(\"insert into call(at,session,principal,tool,estimated,sent,whole) values(1,'k','k','k',1,1,1)\");"
        "os.kill(os.getpid(), 9)"
    )
    begun = ledger(file)
    begun.add("local", CALL)
    begun.flush()
    killed = subprocess.run([sys.executable, "-c", program, str(file)], check=False)
    assert killed.returncode == -9
    begun.add("local", CALL)
    begun.close()
    assert begun.troubles == ()
    assert [row[0] for row in rows(file)] == ["find_references"] * 2


@pytest.mark.parametrize("content", [b"this is no database, whatever its name says" * 100, b"SQLite format 3\0" * 90])
def test_a_damaged_ledger_is_put_aside_and_begun_anew(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    begun = ledger(file)
    begun.add("local", CALL)
    begun.close()
    assert begun.troubles == ("ledger: it was damaged and replaced; the old file is ledger.damaged.db",)
    assert file.with_name("ledger.damaged.db").read_bytes() == content
    assert len(rows(file)) == 1


def test_a_ledger_that_is_damaged_while_it_is_open_is_begun_anew(file: Path) -> None:
    begun = ledger(file)
    begun.add("local", CALL)
    begun.close()
    with file.open("r+b") as raw:
        raw.seek(100)
        raw.write(os.urandom(4_000))
    again = ledger(file)
    again.add("local", CALL)
    again.close()
    assert "damaged" in again.troubles[0]
    assert rows(file) == [("find_references", 100, 400, 1_000)]


def test_a_folder_in_its_place_costs_no_answer(opened: Open, tmp_path: Path, file: Path) -> None:
    file.mkdir(parents=True)
    ask = opened(write(tmp_path / "code", FILES), cache=file.parent)
    assert "main.py" in ask("list_files")
    assert "ledger: not written: it cannot be opened for writing; 1 calls wait" in ask("budget")


def test_a_full_disk_costs_no_answer_and_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = ledger(file)
    full.add("local", CALL)
    full.flush()

    def refuse(_self: object) -> None:
        raise apsw.FullError("FullError: database or disk is full")

    with monkeypatch.context() as disk:
        disk.setattr("leadline_server.ledger_file.LedgerFile._write_waiting", refuse)
        full.add("local", CALL)
        assert full.troubles == ("ledger: not written: the disk is full; 1 calls wait in memory",)
    full.close()
    assert len(rows(file)) == 2


def test_a_ledger_of_the_first_version_gets_the_columns_that_it_lacks(file: Path) -> None:
    file.parent.mkdir()
    connection = apsw.Connection(str(file))
    connection.execute(OLD)
    connection.close()
    newer = ledger(file)
    newer.add("local", CALL)
    newer.close()
    assert newer.troubles == ()
    assert rows(file) == [("read_file", 2, 3, 0), ("find_references", 100, 400, 1_000)]


def test_a_clock_that_is_set_back_forgets_nothing_and_is_told(file: Path) -> None:
    times = iter([5_000_000_000.0, 1_000.0, 1_001.0])
    jumping = LocalLedger(file, Serving("s"), lambda: next(times))
    for _ in range(3):
        jumping.add("local", CALL)
    assert jumping.troubles == ("ledger: the clock was set back by 4,999,999,000 s: days in the ledger may be wrong",)
    jumping.close()
    ledger(file).close()
    assert len(rows(file)) == 3


def test_without_a_cache_the_session_is_counted_all_the_same() -> None:
    memory = ledger(None)
    memory.add("local", CALL)
    assert memory.session("local")[0].sent == 100
    assert memory.troubles == ()
    memory.close()


# budget


def test_the_budget_tool_tells_the_session_by_tool_and_how_far_estimates_were_off(ask: Asking) -> None:
    ask("find_references", symbol="work_0")
    ask("read_file", path="main.py")
    text = ask("budget")
    assert "2 calls," in text.splitlines()[0]
    assert "estimates off by 0.0% in all, for one answer by up to 0.0%" in text
    assert "to read whole" in text
    assert "read_file: 1 call, estimated " in text


def test_what_headers_add_up_to_is_told_where_it_is_more_than_was_counted(tmp_path: Path, opened: Open) -> None:
    root = write(tmp_path, {"main.py": "print(1)\n" * 50})
    ask = opened(root, model="claude")
    header = ask("read_file", path="main.py").splitlines()[0]
    charged = re.search(r"~([\d,]+) of", header)
    assert charged is not None
    assert f"charged an upper bound for this model: {charged[1]};" in ask("budget")
    exact = opened(root, model="openai")
    exact("read_file", path="main.py")
    assert "upper bound" not in exact("budget")


def test_a_reset_begins_to_count_anew_and_keeps_the_file(ask: Asking, file: Path) -> None:
    ask("read_file", path="main.py")
    assert "reset, so far: 1 call," in ask("budget", reset=True)
    assert "read_file" not in ask("budget")
    assert rows(file)[0][0] == "read_file"
