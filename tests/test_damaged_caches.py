"""A cache that somebody else has written to, or that cannot be written, costs time only, over stdio and over HTTP."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sys
import zlib
from collections.abc import Callable, Mapping
from functools import cache as cached
from pathlib import Path
from typing import Any

import apsw
import pytest

from conftest import write
from torture.wire import PATIENCE, Client, Lines, connect, process_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

TRANSPORTS = ("stdio", "http")
PRECIOUS = b"precious\n"


@cached
def bomb() -> bytes:
    """Return a megabyte that unpacks to a gigabyte of zeros."""
    packer = zlib.compressobj(9)
    first, again = (packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    checksum = ((1 << 30) % 65_521 << 16 | 1).to_bytes(4)
    return first + again * 1_023 + packer.flush()[:-4] + checksum


def execute(path: Path, *statements: str) -> None:
    """Run statements on a database; a question mark in one stands for a bomb."""
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        for statement in statements:
            connection.execute(statement, (bomb(),) if "?" in statement else ())


def _told(*statements: str) -> Callable[[Path], None]:
    return lambda path: execute(path, *statements)


def _noise(path: Path) -> None:
    """Leave nothing of a database but its header."""
    content = path.read_bytes()
    path.write_bytes(content[:100] + random.Random(7).randbytes(len(content) - 100))


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _link(path: Path) -> None:
    """Let another file of the user, which lies beside the caches, stand for a database."""
    path.unlink()
    path.symlink_to(path.parents[2] / "precious.txt")


FIRST = "where id = (select min(id) from file)"
COLUMNS = "path, size, changed_ns, lines, digest, done, error"
ELSEWHERE = ("'/etc/passwd'", "'../precious.txt'", "'.env'")
INDEXES: Mapping[str, Callable[[Path], None]] = {
    "a path that leads out": _told(f"update file set path = cast('../precious.txt' as blob) {FIRST}"),
    "rows of files that are not there": _told(
        *(
            f"insert into file({COLUMNS}) select cast({path} as blob), size, changed_ns, lines, digest, done, error"
            f" from file {FIRST}"
            for path in ELSEWHERE
        )
    ),
    "a trigger that deletes": _told("create trigger gone after update on file begin delete from file; end"),
    "a view for a table": _told("alter table symbols rename to hidden", "create view symbols as select * from hidden"),
    "a trigger that doubles": _told(
        "create trigger twice after update on file begin insert or ignore into file(path, size, changed_ns)"
        " select path || x'32', size, changed_ns from file; end"
    ),
    "noise for symbols": _told("update symbols set blob = randomblob(400)"),
    "noise for all": _noise,
    "a column that loads a library": _told(
        "pragma writable_schema = on",
        "update sqlite_master set sql = replace(sql, 'error text', 'x text as (load_extension(''x'')), error text')"
        " where name = 'file'",
    ),
    "a link": _link,
    "a pipe": _pipe,
    "too many lines": _told("update file set lines = 2147483648"),
    "an impossible state": _told("update file set done = 256"),
    "a negative state": _told("update file set done = -1"),
    "a size in words": _told("update file set size = 'abc'"),
    "a broken size": _told("update file set size = 1.5"),
    "a path that is a text": _told(f"update file set path = 'a.py2' {FIRST}"),
    "a path with a NUL": _told(f"update file set path = x'780079' {FIRST}"),
    "a huge id": _told(f"update file set id = 1099511627776 {FIRST}"),
    "the largest id": _told(f"update file set id = 9000000000000000000 {FIRST}"),
    "a number for a digest": _told("update file set digest = 5"),
    "a number for symbols": _told("update symbols set blob = 4611686018427387904"),
    "a text for symbols": _told("update symbols set blob = 'text'"),
    "changes that overflow": _told(
        "insert or replace into renamed select file, 9223372036854775807, blob from symbols"
    ),
    "changes in words": _told("insert or replace into renamed select file, 'x', blob from symbols"),
    "names in words": _told("insert into run values(7, 1)", "insert into part values(7, 6, 0, 'x', x'00')"),
    "another table of runs": _told("drop table run", "create table run(id)"),
    "symbols that unpack to a gigabyte": _told("update symbols set blob = ?"),
    "relations that unpack to a gigabyte": _told("update related set blob = ?"),
    "names that unpack to a gigabyte": _told(
        "insert into run values(7, 1)", "insert into part values(7, 6, 0, ?, x'00')"
    ),
}
FACTS: Mapping[str, Callable[[Path], None]] = {
    "facts that unpack to a gigabyte": _told("update facts set blob = ?"),
    "facts in words": _told("update facts set blob = 'x'"),
    "sizes in words": _told("update fact_key set size = 'x'"),
    "huge sizes": _told("update fact_key set size = 9223372036854775807"),
    "times that are bytes": _told("update fact_key set used = x'ff'"),
    "another table of facts": _told("drop table facts", "create table facts(id)"),
}


def _files(number: int) -> dict[str, str]:
    return {
        "a.py": f"def inside_{number}():\n    return 1\n",
        "use.py": f"from a import inside_{number}\n\ninside_{number}()\n",
    }


def _assert_right(client: Lines | Client, root: str, number: int) -> None:
    """Assert that a server answers right about the files of a root, and of nothing outside of it."""
    path, prefix = (root, f"{root}/") if root else (".", "")
    name = f"inside_{number}"
    found = client.call("symbol_search", query=name, path=path).text
    assert f"{prefix}a.py" in found, f"{root}: {found[:200]}"
    assert f"1: def {name}" in client.call("read_file", path=f"{prefix}a.py").text
    uses = client.call("find_references", symbol=f"{prefix}a.py:{name}").text
    assert "2 in code" in uses or uses.count("use.py") >= 1, f"{root}: {uses[:200]}"
    listed = client.call("list_files", path=path).text
    assert "passwd" not in listed
    assert "precious" not in found + uses + listed


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Path]:
    """Return trees, one for each damage, and a cache with their indexes and facts."""
    base = tmp_path_factory.mktemp("indexed")
    (base / "precious.txt").write_bytes(PRECIOUS)
    roots = [write(base / f"r{number}", _files(number)) for number in range(len(INDEXES) + len(FACTS))]
    with Lines(*_started(roots, base / "cache")) as server:
        for number, root in enumerate(roots):
            _assert_right(server, root.name, number)
        server.end(5)
    return roots, base / "cache"


def _started(roots: list[Path], cache: Path) -> tuple[Any, ...]:
    """Return how a server is started on roots that have the names of their folders."""
    first, *others = (f"{root.name}={root}" for root in roots)
    patience = ("--patience", str(round(60 * PATIENCE)))
    return (Path(first), cache, *patience, *(part for root in others for part in ("--root", root)))


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_index_with_foreign_rows_is_made_anew(
    indexed: tuple[list[Path], Path], tmp_path: Path, transport: str
) -> None:
    roots, kept = indexed
    cache, precious = tmp_path / "cache", tmp_path / "precious.txt"
    precious.write_bytes(PRECIOUS)
    shutil.copytree(kept, cache)
    folders = ["index"] * len(INDEXES) + ["facts"] * len(FACTS)
    for root, folder, damage in zip(roots, folders, (*INDEXES.values(), *FACTS.values()), strict=True):
        (database,) = (cache / folder).glob(f"{root.name}-*.db")
        damage(database)
    with connect(transport, *_started(roots, cache)) as client:
        for number, root in enumerate(roots):
            _assert_right(client, root.name, number)
        assert process_of(client).megabytes < 600
    assert precious.read_bytes() == PRECIOUS


# Results, prices, and folders that can be no cache

NTH_ANSWER = "where id = (select id from answer order by id limit 1 offset %d)"
RESULTS: Mapping[str, tuple[tuple[str, ...], Callable[[Path], None]]] = {
    "rows": (
        (
            "update answer set question = 'x' " + NTH_ANSWER % 0,
            "update answer set items = 4611686018427387904 " + NTH_ANSWER % 1,
            "update answer set created = 'x', used = 'y' " + NTH_ANSWER % 2,
            "update answer set question = cast(x'ff' as text) " + NTH_ANSWER % 3,
            "update answer set items = ? " + NTH_ANSWER % 4,
            "update answer set result = '[' || '[', kind = 5 " + NTH_ANSWER % 5,
            "insert or replace into preview values('x', '[' || '[', 9e18)",
        ),
        _told(
            "update call set offered = 100, came = 100",
            "update call set offered = 'x', came = 'y' where rowid % 4 = 1",
            "update call set came = x'ff' where rowid % 4 = 2",
            "update call set offered = 9223372036854775807, came = 1e300 where rowid % 4 = 3",
        ),
    ),
    "tables": (("drop table answer", "create table answer(id)"), _noise),
    "a key": (
        ("update meta set value = 4611686018427387904",),
        _told("update call set offered = 100, came = 100", "update session set family = x'ff'"),
    ),
    "triggers and views": (
        (
            "create trigger refuses before insert on answer begin select raise(abort, 'no'); end",
            "alter table preview rename to hidden",
            "create view preview as select * from hidden",
        ),
        _told("alter table call rename to hidden", "create view call as select * from hidden"),
    ),
}
MANY = {
    f"m{number}.py": "".join(f"def inside_{number}_{row}():\n    return 1\n" for row in range(60))
    for number in range(7)
}


def _answers(client: Lines | Client) -> dict[str, list[str]]:
    """Return the first symbols that a server lists of each file."""
    texts = {path: client.call("document_symbols", path=path, max_tokens=200).text.splitlines() for path in MANY}
    return {path: [line for line in lines if "inside_" in line][:5] for path, lines in texts.items()}


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[str]], list[str]]:
    """Return a tree beside its cache, what a server says of its files, and where that is kept."""
    base = tmp_path_factory.mktemp("answered")
    with Lines(write(base / "root", MANY), base / "cache") as server:
        before = _answers(server)
        texts = [server.call("document_symbols", path=path, max_tokens=200).text for path in MANY]
        server.end(5)
    uris = [line.split()[1] for text in texts for line in text.splitlines() if line.startswith("all: ")]
    assert len(uris) == len(MANY)
    return base, before, uris


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("damage", RESULTS)
def test_results_and_prices_that_another_program_has_written_change_no_answer(
    answered: tuple[Path, dict[str, list[str]], list[str]], tmp_path: Path, damage: str, transport: str
) -> None:
    (base, before, uris), cache = answered, tmp_path / "cache"
    shutil.copytree(base / "cache", cache)
    statements, of_ledger = RESULTS[damage]
    execute(cache / "results.db", *statements)
    of_ledger(cache / "ledger.db")
    with connect(transport, base / "root", cache) as client:
        assert _answers(client) == before
        for uri in uris:
            kept = client.call("read_result", uri=uri)
            assert kept.is_error or "inside_" in kept.text
            assert "internal error" not in kept.text
        assert not client.call("budget").is_error
        assert process_of(client).megabytes < 600


def _pipes(cache: Path) -> None:
    cache.mkdir()
    for name in ("index", "facts", "results.db", "ledger.db"):
        os.mkfifo(cache / name)


def _odd_link(cache: Path) -> None:
    """Let a folder with an odd name, which belongs to somebody else and which all may write to, be the cache."""
    folder = cache.with_name("a\nb?c#d%2e\u202e mode=memory&x")
    folder.mkdir()
    folder.chmod(0o777)
    if os.geteuid() == 0:
        os.chown(folder, 65_534, 65_534)
    cache.symlink_to(folder)


PLACES: Mapping[str, Callable[[Path], object]] = {
    "pipes in it": _pipes,
    "a pipe": os.mkfifo,
    "a file": lambda cache: cache.write_bytes(PRECIOUS),
    "descriptors": lambda cache: cache.symlink_to("/proc/self/fd"),
    "a link to an odd folder": _odd_link,
}


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("place", PLACES)
def test_without_a_usable_cache_folder_answers_are_right(tmp_path: Path, place: str, transport: str) -> None:
    root, cache = write(tmp_path / "root", _files(1)), tmp_path / "cache"
    PLACES[place](cache)
    nonsense: dict[str, Any] = {"HOME": "/nothing/here", "XDG_CACHE_HOME": "?", "XDG_RUNTIME_DIR": str(root / "a.py")}
    with connect(transport, root, cache, **nonsense) as client:
        _assert_right(client, "", 1)
        assert client.call("read_file", path="a.py").seconds < 5 * PATIENCE
        assert not client.call("budget").is_error
    assert sorted(path.name for path in root.iterdir()) == ["a.py", "use.py"]
    assert not cache.is_file() or cache.read_bytes() == PRECIOUS
