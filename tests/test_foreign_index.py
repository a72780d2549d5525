"""An index into which somebody else has written costs time only: it is rebuilt, and the answers are right."""

from __future__ import annotations

import zlib
from pathlib import Path

import apsw
import pytest

from conftest import write
from torture.wire import Lines

STATEMENTS = {
    "too many lines": "update file set lines = 2147483648",
    "an impossible state": "update file set done = 256",
    "a negative state": "update file set done = -1",
    "a size in words": "update file set size = 'abc'",
    "a broken size": "update file set size = 1.5",
    "a path that is a text": "update file set path = 'a.py2' where id = (select min(id) from file)",
    "a path with a NUL": "update file set path = x'780079' where id = (select min(id) from file)",
    "a huge id": "update file set id = 1099511627776 where id = (select min(id) from file)",
    "a number for a digest": "update file set digest = 5",
    "a number for symbols": "update symbols set blob = 4611686018427387904",
    "a text for symbols": "update symbols set blob = 'text'",
    "changes that overflow a sum": "insert or replace into renamed select file, 9223372036854775807, blob from symbols",
    "changes in words": "insert or replace into renamed select file, 'x', blob from symbols",
    "names in words": "update part set names = 'x'",
    "another table of runs": "drop table run; create table run(id)",
    "symbols that unpack to a gigabyte": "update symbols set blob = ?",
    "relations that unpack to a gigabyte": "update related set blob = ?",
}


def bomb() -> bytes:
    """Return a megabyte that unpacks to a gigabyte."""
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(1_024)), packer.flush()])


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_an_index_with_foreign_rows_is_made_anew(tmp_path: Path, statement: str) -> None:
    files = {f"m{number}.py": f"def function_{number}():\n    return 1\n" for number in range(8)}
    root, cache = write(tmp_path / "root", files), tmp_path / "cache"
    with Lines(root, cache) as server:
        assert "m3.py" in server.call("symbol_search", query="function_3").text
        server.end(5)
    (index,) = (cache / "index").glob("*.db")
    connection = apsw.Connection(str(index))
    connection.execute(statement, (bomb(),) if "?" in statement else ())
    connection.close()
    with Lines(root, cache) as server:
        for number in (3, 5):
            said = server.call("symbol_search", query=f"function_{number}", seconds=20)
            assert f"m{number}.py" in said.text
        assert "1: def function_3" in server.call("read_file", path="m3.py").text
        assert server.megabytes < 600


RESULTS = {
    "another table": "drop table answer; create table answer(id)",
    "a question that is none": "update answer set question = 'x'",
    "a number for the items": "update answer set items = 4611686018427387904",
    "times in words": "update answer set created = 'x', used = 'y'",
    "text that is no UTF-8": "update answer set question = cast(x'ff' as text)",
    "a number for the key": "update meta set value = 4611686018427387904",
    "previews of another kind": "insert or replace into preview values('x', '[' || '[', 9e18)",
}


@pytest.mark.parametrize("statement", RESULTS.values(), ids=RESULTS)
def test_results_that_another_program_has_written_are_not_used(tmp_path: Path, statement: str) -> None:
    files = {"m.py": "".join(f"def function_{number}():\n    return 1\n" for number in range(300))}
    root, cache = write(tmp_path / "root", files), tmp_path / "cache"
    with Lines(root, cache) as server:
        assert "all: leadline://result/" in server.call("document_symbols", path="m.py", max_tokens=200).text
        server.end(5)
    connection = apsw.Connection(str(cache / "results.db"))
    connection.execute(statement)
    connection.close()
    with Lines(root, cache) as server:
        assert "m.py" in server.call("document_symbols", path="m.py", max_tokens=200).text
        assert "1: def function_0" in server.call("read_file", path="m.py", num_lines=5).text
        assert server.megabytes < 600


LEDGERS = {
    "prices in words": "update call set offered = 'x', came = 'y'",
    "prices that are bytes": "update call set came = x'ff'",
    "huge prices": "update call set offered = 9223372036854775807, came = 1e300",
    "another family": "update session set family = x'ff'",
}


@pytest.mark.parametrize("statement", LEDGERS.values(), ids=LEDGERS)
def test_a_ledger_that_another_program_has_written_changes_no_answer(tmp_path: Path, statement: str) -> None:
    root, cache = write(tmp_path / "root", {"m.py": "def function():\n    return 1\n"}), tmp_path / "cache"
    with Lines(root, cache) as server:
        texts = [server.call("document_symbols", path="m.py").text for _ in range(3)]
        server.end(5)
    connection = apsw.Connection(str(cache / "ledger.db"))
    connection.execute("update call set offered = 100, came = 100")
    connection.execute(statement)
    connection.close()
    with Lines(root, cache) as server:
        said = server.call("document_symbols", path="m.py")
        assert not said.is_error
        assert said.text.splitlines()[1:2] == texts[-1].splitlines()[1:2]
        assert not server.call("budget").is_error


FACTS = {
    "sizes in words": "update fact_key set size = 'x'",
    "huge sizes": "update fact_key set size = 9223372036854775807",
    "times that are bytes": "update fact_key set used = x'ff'",
    "facts in words": "update facts set blob = 'x'",
    "another table": "drop table facts; create table facts(id)",
}


@pytest.mark.parametrize("statement", FACTS.values(), ids=FACTS)
def test_facts_that_another_program_has_written_are_computed_again(tmp_path: Path, statement: str) -> None:
    files = {"m.py": "def function():\n    return 1\n", "use.py": "from m import function\n\nfunction()\n"}
    root, cache = write(tmp_path / "root", files), tmp_path / "cache"
    with Lines(root, cache) as server:
        before = server.call("find_references", symbol="function").text
        server.end(5)
    (facts,) = (cache / "facts").glob("*.db")
    connection = apsw.Connection(str(facts))
    connection.execute(statement)
    connection.close()
    with Lines(root, cache) as server:
        after = server.call("find_references", symbol="function", seconds=20).text
        assert after.splitlines()[1:] == before.splitlines()[1:]
