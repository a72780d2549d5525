"""``leadline index`` says what it did: to a person, to a program, and to who watches."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import write
from leadline_server.cli import main

REPOSITORY = Path(__file__).parents[1]
SOURCES = os.pathsep.join(str(REPOSITORY / part) for part in ("server", "tools", "estimators"))

LARGE = 5 << 20
"""Bytes of a file that is too large to be parsed."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of code, one of them too large, two of text, and one that is no text."""
    files = {
        "a.py": "class First:\n    def second(self):\n        pass\n\n\nTHIRD = 3\n",
        "notes.txt": "words\n",
        "more.txt": "words\n",
    }
    root = write(tmp_path_factory.mktemp("tree"), {**files, "large.py": "value = 1\n" * (LARGE // 10)})
    (root / "picture.png").write_bytes(b"\x89PNG\0\0")
    return root


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def index(root: Path, cache: Path, *options: str) -> Result:
    result = CliRunner().invoke(main, ["index", "--root", str(root), "--cache-dir", str(cache), *options])
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def first(tree: Path, cache: Path) -> str:
    """What the first index is summed up as."""
    return index(tree, cache).stdout


def test_a_person_is_told_what_was_indexed_and_where_it_is(first: str, cache: Path) -> None:
    files, symbols, place = first.splitlines()[:3]
    assert re.fullmatch(r"5 files in [\d.]+ s \([\d,]+ a second\): 2 of code, 2 text only, 1 binary", files)
    assert re.fullmatch(r"3 symbols; text searchable after [\d.]+ s", symbols)
    where = re.fullmatch(r"([\d.]+) MB in (\S+)", place)
    assert where
    assert Path(where[2]).parent == cache / "index"
    assert f"{Path(where[2]).stat().st_size / 1e6:,.1f}" == where[1]


def test_a_person_is_told_of_how_many_files_the_facts_are_kept(first: str) -> None:
    assert re.fullmatch(r"facts of 1 of 1 files in [\d.]+ s more, [\d.]+ MB", first.splitlines()[3])


def test_facts_can_be_left_out_and_are_computed_by_the_next_run(tree: Path, tmp_path: Path) -> None:
    assert "facts of" not in index(tree, tmp_path, "--no-facts").stdout
    assert json.loads(index(tree, tmp_path, "--no-facts", "--json").stdout)["facts"] is None
    facts = json.loads(index(tree, tmp_path, "--json").stdout)["facts"]
    assert (facts["files"], facts["of"], facts["limit"]) == (1, 1, 500_000_000)


def test_a_person_is_told_where_there_is_no_room_for_all_facts(tree: Path, tmp_path: Path) -> None:
    told = index(tree, tmp_path, "--facts-size", "0").stdout.splitlines()[3]
    assert told.startswith("facts of 0 of ")
    assert told.endswith("--facts-size allows 0 MB")


def test_what_failed_is_named_with_its_reason(first: str) -> None:
    assert first.splitlines()[4:] == ["1 file was not fully indexed:", "  large.py: too large to parse"]


def test_a_program_is_told_the_same(first: str, tree: Path, cache: Path) -> None:
    told: dict[str, Any] = json.loads(index(tree, cache, "--json").stdout)
    assert first
    assert {name: told[name] for name in ("files", "words", "symbols")} == {"files": 5, "words": 5, "symbols": 5}
    assert (told["code"], told["text_only"], told["binary"], told["definitions"]) == (2, 2, 1, 3)
    assert told["failed"] == [{"path": "large.py", "error": "too large to parse"}]
    assert told["bytes"] == Path(told["index"]).stat().st_size
    assert 0 < told["words_seconds"] <= told["seconds"]


def test_of_an_empty_folder_there_is_little_to_tell(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    lines = index(tmp_path / "tree", tmp_path / "cache").stdout.splitlines()
    assert lines[0].startswith("0 files in ")
    assert lines[0].endswith(": 0 of code, 0 text only, 0 binary")


def test_an_index_that_cannot_be_kept_is_said_to_be_in_no_file(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("mine")
    told = CliRunner().invoke(main, ["index", "--root", str(tree), "--cache-dir", str(tmp_path / "cache")])
    assert told.exit_code == 1
    assert "the index cannot be stored on the disk" in told.stdout.splitlines()[2]
    assert "in memory until the next start" in told.stdout.splitlines()[2]


def test_a_program_that_reads_the_error_stream_finds_nothing_there(tree: Path, cache: Path) -> None:
    assert index(tree, cache).stderr == ""


def test_who_watches_sees_words_symbols_and_facts_come_forward(tree: Path, tmp_path: Path) -> None:
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "leadline_server", "index", "--root", str(tree), "--cache-dir", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": SOURCES, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=environment) as process:
        os.close(terminal)
        seen = b""
        while chunk := _read(reader):
            seen += chunk
        told, _ = process.communicate(timeout=60)
    os.close(reader)
    assert process.returncode == 0
    assert b"words" in seen
    assert b"symbols" in seen
    assert b"facts" in seen
    assert b"5/5" in seen
    assert told.startswith(b"5 files in ")


def _read(descriptor: int) -> bytes:
    """Return what is written to a terminal; nothing once nobody can write to it any more."""
    try:
        return os.read(descriptor, 4_096)
    except OSError:
        return b""
