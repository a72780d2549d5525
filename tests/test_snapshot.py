"""One answer is computed on one snapshot of the index, whatever is indexed or edited meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, Asking, Open, write
from leadline_server import tool_runs
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.indexing.batch import Batch
from leadline_tools.index.packing.definition_query import DefinitionQuery
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.store.rows import RowWriter
from leadline_tools.index.text.source_text import Source
from leadline_tools.tool import TOOLS

CHECKED = {
    "pkg/__init__.py": "",
    "pkg/gate.py": "def check(value):\n    return value\n",
    "pkg/door.py": "class Door:\n    def check(self):\n        return 1\n",
    **{f"use_{number}.py": f"from pkg.gate import check\n\ncheck({number})\n" for number in range(4)},
}
PLACE = "pkg/gate.py:1:5"


@pytest.fixture
def unindexed(tmp_path: Path, sessions: list[Session]) -> Asking:
    """A session whose files are known, and none of which is indexed."""
    root = write(tmp_path / "tree", CHECKED)
    index = Index(root, tmp_path / "cache", 1)
    session = Session(Config(root, tmp_path / "cache", "openai"), index)
    sessions.append(session)
    index.refresh(0)
    return Asking(session)


def build(index: Index) -> None:
    index.start()
    assert index.wait(INDEXING_SECONDS)


def replace_run(monkeypatch: pytest.MonkeyPatch, tool: str, run: Callable[..., object]) -> None:
    monkeypatch.setitem(TOOLS, tool, replace(TOOLS[tool], run=run))


@pytest.mark.parametrize("tool", ["find_references", "go_to_definition", "call_hierarchy"])
def test_a_definition_is_found_by_its_place_though_its_file_becomes_indexed_meanwhile(
    tool: str, unindexed: Asking, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_runs, "_SNAPSHOT_SECONDS", INDEXING_SECONDS)
    ask = SymbolIndex.query

    def ask_and_build(symbols: SymbolIndex, source: Source, asked: DefinitionQuery[object]) -> object:
        answer = ask(symbols, source, asked)
        monkeypatch.setattr(SymbolIndex, "query", ask)
        build(unindexed.session.index)
        return answer

    monkeypatch.setattr(SymbolIndex, "query", ask_and_build)
    answer = unindexed(tool, symbol=PLACE)
    assert answer == opened(unindexed.session.config.root)(tool, symbol=PLACE)


@pytest.mark.parametrize("fails", [False, True])
def test_an_answer_is_computed_again_when_the_index_moves_under_it(
    fails: bool, unindexed: Asking, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_runs, "_SNAPSHOT_SECONDS", INDEXING_SECONDS)
    run = TOOLS["find_references"].run

    def run_and_build(index: Index, **arguments: object) -> object:
        answer = run(index, **arguments)
        if not index.coverage().complete:
            build(index)
            if fails:
                raise IndexError
        return answer

    replace_run(monkeypatch, "find_references", run_and_build)
    answer = unindexed("find_references", symbol="pkg.gate.check")
    assert answer == opened(unindexed.session.config.root)("find_references", symbol="pkg.gate.check")


def test_an_answer_that_the_tree_overtakes_each_time_says_so_and_is_not_complete(
    unindexed: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = TOOLS["find_references"].run
    root = unindexed.session.config.root

    def run_and_edit(index: Index, **arguments: object) -> object:
        answer = run(index, **arguments)
        write(root, {"use_0.py": "from pkg.gate import check\n\n\ncheck(7)\n"})
        index.refresh(0)
        return answer

    build(unindexed.session.index)
    monkeypatch.setattr(tool_runs, "_SNAPSHOT_SECONDS", -1)
    replace_run(monkeypatch, "find_references", run_and_edit)
    header, *lines = unindexed("find_references", symbol=PLACE).splitlines()
    assert ">=9 references" in header
    assert "complete" not in header
    assert any("the index changed while this was computed" in line for line in lines)


def test_nothing_is_committed_while_an_answer_is_computed(unindexed: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    index, gathered = unindexed.session.index, threading.Event()
    write_rows = Batch.write

    def note(batch: Batch, rows: RowWriter) -> None:
        write_rows(batch, rows)
        gathered.set()

    monkeypatch.setattr(Batch, "write", note)
    with index.answering():
        snapshot = index.snapshot
        index.start()
        assert gathered.wait(INDEXING_SECONDS)
        assert index.snapshot == snapshot
    assert index.wait(INDEXING_SECONDS)
    assert index.coverage().complete


def test_who_waits_for_the_index_while_it_answers_holds_no_commit_back(unindexed: Asking) -> None:
    index = unindexed.session.index
    with index.answering():
        build(index)
        assert index.coverage().complete


def test_an_answer_about_a_name_is_not_complete_before_all_files_are_indexed(unindexed: Asking) -> None:
    before = unindexed("find_references", symbol="pkg.gate.check")
    assert "complete" not in before.splitlines()[0]
    assert "still indexing" in before
    build(unindexed.session.index)
    assert "9 references in 5 files, complete" in unindexed("find_references", symbol="pkg.gate.check")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("find_code", {"query": "check a value at the gate"}),
        ("repo_map", {}),
        ("symbol_search", {"query": "check"}),
        ("find_references", {"symbol": "pkg.gate.check"}),
    ],
)
def test_the_first_question_waits_for_an_index_that_is_soon_complete(
    unindexed: Asking, tool: str, arguments: Mapping[str, str]
) -> None:
    unindexed.session.index.start()
    first = unindexed(tool, **arguments)
    assert "still" not in first
    assert unindexed.session.index.coverage().complete
    assert unindexed(tool, **arguments) == first


def test_a_question_does_not_wait_for_an_index_that_makes_no_progress(unindexed: Asking) -> None:
    assert "still indexing" in unindexed("repo_map")
