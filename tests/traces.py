"""What calls leave behind: lines in the log of a server, and bytes in its cache."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from torture.wire import Client, Lines

MARK = "CALLERQ"


def assert_log_has_no_text_of_calls(client: Lines | Client, log: Path) -> None:
    """Ask with a mark in every place of a request; assert that the calls are in the log, and the mark is not."""
    before = log.stat().st_size
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("read_file", {"path": f"{MARK}/x.py"}),
        ("search_text", {"query": MARK}),
        ("go_to_definition", {"symbol": f"{MARK}\nforged"}),
        ("read_result", {"uri": f"leadline://result/{MARK}"}),
        ("list_files", {MARK: MARK}),
        (MARK, {}),
    )
    for tool, arguments in calls:
        client.call(tool, **arguments)
    client.request("resources/read", {"uri": f"leadline://[{MARK}"})
    client.request("prompts/get", {"name": MARK, "arguments": {MARK: MARK}})
    client.request(MARK, {})
    said = log.read_bytes()
    assert b"read_file" in said[before:]
    assert MARK.encode() not in said
    assert b"forged" not in said


def assert_key_is_not_kept(cache: Path, key: str) -> None:
    """Assert that no file of a cache has a part of a key, neither as it is nor packed."""
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert any(path.suffix == ".db" for path in files)
    for path in files:
        assert_lacks(path, key[4:24].encode())


def assert_lacks(path: Path, part: bytes) -> None:
    """Assert that a file lacks some bytes, and that no value of it does have them packed if it is a database."""
    assert part not in path.read_bytes(), path
    if path.suffix == ".db":
        assert not any(part in value for value in _values(path)), path


def _values(path: Path) -> Iterator[bytes]:
    """Yield all values of a database as bytes, and unpacked where they are packed."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        tables = [name.decode() for (name,) in connection.execute("select name from sqlite_master where type='table'")]
        for table in tables:
            with suppress(sqlite3.Error):  # a virtual table without content
                for value in (value for row in connection.execute(f'select * from "{table}"') for value in row):
                    if isinstance(value, bytes):
                        yield value
                        with suppress(zlib.error):
                            yield zlib.decompress(value)
