"""Many roots on one server: a question about one of them costs and waits as if there were no others."""

from __future__ import annotations

import json
import re
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from math import inf
from pathlib import Path

import anyio
import apsw
import pytest

from conftest import INDEXING_SECONDS, Asking, start_configured, write
from consoles import Console
from leadline_server import running
from leadline_server.app import build
from leadline_server.call import Request, Session
from leadline_server.completion import complete
from leadline_server.config import Config
from leadline_server.monitoring import monitoring_routes
from leadline_server.prompts import write_prompt
from leadline_tools import cancellation
from leadline_tools.cancellation import Deadline
from leadline_tools.index import index as index_module
from leadline_tools.index import open_roots
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.file_graph import graph_builder, graphs
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import first_scan
from leadline_tools.index.questions.names import Names
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.sqlite_rows import SqliteRows
from leadline_tools.index.workspace import Workspace
from leadline_tools.navigation import search_text
from leadline_tools.repo_map import map as repo_map
from leadline_tools.resolve.addresses.focus import Focus
from leadline_tools.search_text import root_turns
from leadline_tools.tool import Takes
from serving import listening, status

Opening = Callable[..., Asking]


@pytest.fixture
def opening(sessions: list[Session], tmp_path: Path) -> Opening:
    """Open a session on so many roots: ``r000`` has a.py that defines ``own_0`` and ``shared``, and so on."""

    def start(number: int, cache: Path | None = None) -> Asking:
        roots = {
            f"r{n:03}": write(tmp_path / f"r{n:03}", {"a.py": f"def own_{n}(): pass\n\n\ndef shared(): pass\n"})
            for n in range(number)
        }
        config = Config(roots["r000"], cache, "openai", roots=roots)
        return start_configured(config, sessions)

    return start


def test_the_instructions_name_few_roots_and_only_count_many(opening: Opening) -> None:
    few = build(opening(20).session).instructions or ""
    assert "r000, r001" in few
    assert "r019" in few
    many = build(opening(21).session).instructions or ""
    assert "r000" not in many
    assert "21 roots: list_files lists them" in many


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("count_files", {"path": "r001"}),
        ("list_files", {"path": "r001/a.py,!r002"}),
        ("search_text", {"query": "shared", "path": "r001/*.py"}),
        ("symbol_search", {"query": "shared", "path": "r001/a.py, r001"}),
        ("read_file", {"path": "r001/a.py"}),
        ("document_symbols", {"path": "r001/a.py"}),
    ],
)
def test_a_question_about_one_root_looks_at_no_other(
    opening: Opening, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, object]
) -> None:
    asking = opening(3)
    looked: list[str] = []
    refresh = Index.refresh

    def noted(index: Index, patience: float = 0.5) -> None:
        looked.append(index.tree.name)
        refresh(index, patience)

    monkeypatch.setattr(Index, "refresh", noted)
    assert "r001" in asking(tool, **arguments)
    assert looked == ["r001"]
    looked.clear()
    asking("search_text", query="shared", path="r001,r002")
    assert looked == ["r001", "r002"]
    looked.clear()
    asking("search_text", query="shared", path="*.py")
    assert looked == ["r000", "r001", "r002"]


def test_a_search_of_many_roots_needs_hardly_more_memory_than_one_of_few(opening: Opening) -> None:
    asking = opening(40)
    asking("search_text", query="shared", path="r000,r001")
    tracemalloc.start()
    try:
        asking("search_text", query="shared")
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_a_root_that_is_still_looked_at_keeps_only_questions_about_it_waiting(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opening(3)
    monkeypatch.setattr(first_scan, "LOOK_SECONDS", 0.01)
    slow = asking.session.index.of("r002/a.py").scan
    slow._done.clear()
    slow._paths_known.clear()
    assert "1 symbol, complete" in asking("symbol_search", query="own_0", match="exact", path="r000")
    waiting = asking.error("symbol_search", query="own_0", path="r002")
    assert "first scan of the tree is not finished" in waiting
    partial = asking("symbol_search", query="own_0", match="exact")
    assert ">=1 symbols" in partial
    assert "without r002: the first scan is not finished, call again" in partial
    slow.end()
    assert "1 symbol, complete" in asking("symbol_search", query="own_0", match="exact")


def test_a_change_in_one_root_leaves_stored_answers_about_others_as_they_are(opening: Opening, tmp_path: Path) -> None:
    asking = opening(3)

    def uri(**arguments: object) -> str:
        return asking.session.call(Request("symbol_search", {"query": "shared", **arguments}, store=True)).uri

    before = {path: uri(path=path) for path in ("r000", "r001", ".")}
    (tmp_path / "r001" / "a.py").write_text("def shared(): pass\n\n\ndef another_shared(): pass\n")
    after = {path: uri(path=path) for path in before}
    assert [before[path] == after[path] for path in before] == [True, False, False]
    assert "another_shared" in asking("symbol_search", query="shared", path="r001")


# Several servers behind one address


@pytest.mark.parametrize(("stateless", "expected"), [(True, 200), (False, 400)])
def test_a_stateless_server_answers_older_clients_that_another_one_initialized(
    opening: Opening, stateless: bool, expected: int
) -> None:
    arguments = {"name": "count_files", "arguments": {"path": "r000"}}
    call = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": arguments}).encode()
    with listening(build(opening(1).session), stateless=stateless) as port:
        assert status(port, "POST", "/mcp", {"MCP-Protocol-Version": "2025-06-18"}, call) == expected


def test_sessions_can_only_be_left_out_over_http(console: Console) -> None:
    ran = console("serve", "--stateless")
    assert ran.code == 2
    assert "--stateless is for --http" in ran.err


# Roots that are opened when a call is about them


def open_names(asking: Asking) -> list[str]:
    index = asking.session.index
    assert isinstance(index, Workspace)
    return [part.tree.name for part in index._roots.opened(index.root_names)]


def close_unused(asking: Asking) -> int:
    index = asking.session.index
    assert isinstance(index, Workspace)
    return index._roots.close_unused()


@pytest.fixture
def lazily(opening: Opening, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """Open a session on roots of which two are open at most when none is used."""
    monkeypatch.setattr(running, "MOST_OPEN", 2)
    monkeypatch.setattr(open_roots, "MOST_OPEN", 2)
    monkeypatch.setattr(open_roots, "_UNUSED_SECONDS", 0.0)
    return opening


def settle(asking: Asking) -> None:
    assert asking.session.index.wait(INDEXING_SECONDS)
    assert asking.session.index.settle(INDEXING_SECONDS)
    assert asking.session.index.facts.wait(INDEXING_SECONDS)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("count_files", {"path": "r003"}),
        ("search_text", {"query": "shared", "path": "r003/*.py"}),
        ("symbol_search", {"query": "shared", "path": "r003"}),
        ("read_file", {"path": "r003/a.py"}),
        ("document_symbols", {"path": "r003/a.py"}),
        ("repo_map", {"path": "r003"}),
        ("apply_code_fix", {"path": "r003"}),
        ("find_code", {"query": "shared things", "path": "r003"}),
    ],
)
def test_a_call_opens_the_roots_that_it_is_about(lazily: Opening, tool: str, arguments: dict[str, object]) -> None:
    asking = lazily(5)
    assert open_names(asking) == []
    assert "r003" in asking(tool, **arguments)
    assert open_names(asking) == ["r003"]


def test_a_path_in_no_root_is_an_error_that_opens_no_root(lazily: Opening) -> None:
    asking = lazily(5)
    asking("count_files", path="r004")
    assert 'read_file(path="r003/a.py")' in asking.error("read_file", path="rr003/a.py")
    assert 'read_file(path="r004/a.py")' in asking.error("read_file", path="lib/a.py")
    assert "There is no file or folder 'src'" in asking.error("search_text", query="shared", path="src")
    assert open_names(asking) == ["r004"]


def test_a_call_about_all_roots_opens_all_and_those_unused_longest_are_closed(lazily: Opening) -> None:
    asking = lazily(5)
    asking("symbol_search", query="shared", match="exact")
    settle(asking)
    assert "5 symbols, complete" in asking("symbol_search", query="shared", match="exact")
    asking("count_files", path="r001")
    asking("count_files", path="r003")
    assert close_unused(asking) == 3
    assert open_names(asking) == ["r001", "r003"]
    assert "5 lines in 5 files, complete" in asking("search_text", query="def shared")
    assert "5 symbols, complete" in asking("symbol_search", query="shared", match="exact")


def test_what_changed_while_a_root_was_closed_is_found_when_it_is_opened_again(lazily: Opening, tmp_path: Path) -> None:
    asking = lazily(3, tmp_path / "cache")
    asking("symbol_search", query="shared")
    settle(asking)
    asking("count_files", path="r001,r002")
    assert close_unused(asking) == 1
    assert open_names(asking) == ["r001", "r002"]
    (tmp_path / "r000" / "a.py").write_text("def another_shared(): pass\n")
    (tmp_path / "r000" / "b.py").write_text("def late_comer(): pass\n")
    assert "b.py" in asking("list_files", path="r000")
    assert "r000/b.py" in asking("symbol_search", query="late_comer", match="exact")
    assert "another_shared" in asking("symbol_search", query="shared", path="r000")


def test_a_closed_root_keeps_its_stored_answers(lazily: Opening, tmp_path: Path) -> None:
    asking = lazily(3, tmp_path / "cache")

    def stored(path: str) -> str:
        return asking.session.call(Request("search_text", {"query": "shared", "path": path}, store=True)).uri

    asking("symbol_search", query="shared")
    settle(asking)
    before = stored("r000")
    asking("count_files", path="r001,r002")
    assert close_unused(asking) == 1
    assert "def shared" in asking("read_result", uri=before)
    assert close_unused(asking) <= 1
    assert stored("r000") == before


def test_an_answer_keeps_open_what_it_has_obtained(lazily: Opening) -> None:
    asking = lazily(4)
    asking("symbol_search", query="shared")
    settle(asking)
    with asking.session.index.limited_to(["r000", "r001", "r002", "r003"]).answering():
        assert close_unused(asking) == 0
        assert "1 symbol" in asking("symbol_search", query="own_2", match="exact")
    assert close_unused(asking) == 2


def test_a_root_stays_open_while_it_is_indexed_or_something_that_depends_on_it_is_in_use(
    lazily: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = lazily(4)
    asking("symbol_search", query="shared")
    settle(asking)
    ended: list[str] = []
    first, second = (asking.session.index.of(f"{name}/a.py") for name in ("r000", "r001"))
    first.dependents.add(lambda: ended.append("r000"), lambda: True)
    second.dependents.add(lambda: ended.append("r001"))
    asking("count_files", path="r002,r003")
    monkeypatch.setattr(second._indexer, "settle", lambda _seconds: False)
    assert close_unused(asking) == 0
    asking("count_files", path="r002,r003")
    monkeypatch.setattr(second._indexer, "settle", lambda _seconds: True)
    assert close_unused(asking) == 1
    assert (open_names(asking), ended) == (["r000", "r002", "r003"], ["r001"])


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors are counted in /proc")
def test_closed_roots_give_back_their_descriptors_their_threads_and_their_memory(
    lazily: Opening, tmp_path: Path
) -> None:
    asking = lazily(8, tmp_path / "cache")
    index = asking.session.index

    def held() -> tuple[int, int]:
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        return descriptors, sum(thread.name.startswith("leadline") for thread in threading.enumerate())

    asking("count_files", path="r006,r007")
    asking("find_references", symbol="r006/a.py:own_6")
    asking("find_references", symbol="r000/a.py:own_0")
    asking("repo_map")
    asking("find_code", query="shared things")
    asking("search_text", query="shared")
    asking("symbol_search", query="shard")
    asking("apply_code_fix")
    settle(asking)
    gone = [event for number in range(6) for event in ends_of_parts(index.of(f"r00{number}/a.py"))]
    many = held()
    asking("count_files", path="r006,r007")
    assert close_unused(asking) == 6
    few = held()
    assert many[0] - few[0] >= 6 * 5
    assert few[1] <= many[1]  # writers that rest have no thread before either
    assert all(event.wait(INDEXING_SECONDS) for event in gone)


def ends_of_parts(index: Index) -> list[threading.Event]:
    """Return what is set once an index is gone, its names, and its tree: a thread may hold one for a moment longer."""
    parts: tuple[object, ...] = (index, index.rows.vocabulary(), index.tree)
    events = [threading.Event() for _ in parts]
    for part, event in zip(parts, events, strict=True):
        weakref.finalize(part, event.set)
    return events


def test_a_root_that_is_closed_while_its_names_are_unpacked_gives_back_its_memory(
    lazily: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = lazily(3, tmp_path / "cache")
    unpacking, collected = threading.Event(), threading.Event()

    def load(names: Names) -> None:
        timer = threading.current_thread()
        if isinstance(timer, threading.Timer) and names._index.tree.name == "r000":
            unpacking.set()
            timer.finished.wait(INDEXING_SECONDS)  # until the root is being closed
            collected.wait(0.5)

    monkeypatch.setattr(Names, "load", load)
    monkeypatch.setattr(index_module, "_UNHURRIED_SECONDS", 0.0)
    asking("count_files", path="r000")
    assert unpacking.wait(INDEXING_SECONDS)
    settle(asking)
    opened = weakref.ref(asking.session.index.of("r000/a.py"))
    asking("count_files", path="r001,r002")
    assert close_unused(asking) == 1
    collected.set()
    assert opened() is None


def test_a_call_about_all_roots_says_which_are_not_open_in_time(
    lazily: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = lazily(5)
    asking("count_files", path="r000,r001,r002")
    monkeypatch.setattr(first_scan, "LOOK_SECONDS", 0.5)
    index = asking.session.index
    assert isinstance(index, Workspace)
    gate = threading.Event()
    for name in ("r003", "r004"):
        entry = index._roots._entries[name]
        entry.root = gated(entry.root, gate)
    partial = asking("search_text", query="def shared")
    assert "of >=3 lines" in partial
    assert "without r003 and 1 more roots: the first scan is not finished, call again" in partial
    assert "first scan of the tree is not finished" in asking.error("symbol_search", query="own_4", path="r004")
    gate.set()
    monkeypatch.setattr(first_scan, "LOOK_SECONDS", 60.0)
    assert "5 lines in 5 files, complete" in asking("search_text", query="def shared")


def gated(root: open_roots.Root, gate: threading.Event) -> open_roots.Root:
    """Return a root that is opened once a gate is open."""

    def open_index() -> Index:
        assert gate.wait(INDEXING_SECONDS)
        return root.open_index()

    return open_roots.Root(root.tree, open_index)


# Answers about all roots that take long


class Clock:
    """A clock that has passed every deadline at each look but the first few."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def monotonic(self) -> float:
        self.looks -= 1
        return inf if self.looks < 0 else -inf


def test_a_map_of_many_roots_keeps_what_it_knows_of_each_until_that_changes(
    opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = 33
    for number in range(many):
        folder = tmp_path / f"r{number:03}"
        uses = "".join(f"def use_{n}(): return other_{n}()\n" for n in range(12))
        write(
            folder, {"b.py": f"from a import own_{number}\n\nown_{number}()\n{uses}", "README.md": "Says what it is.\n"}
        )
    asking = opening(many)
    index = asking.session.index
    asking("symbol_search", query="shared")
    settle(asking)
    kept = [repo_map.draw_map(index, None, Focus()) for _ in range(2)]
    monkeypatch.setattr(repo_map, "_KEPT_SYMBOLS", 0)  # nothing is kept
    fresh = repo_map.draw_map(index, None, Focus())
    assert [[*drawn.symbols] for drawn in kept] == [[*fresh.symbols]] * 2
    assert [[*drawn.parts] for drawn in kept] == [[*fresh.parts]] * 2
    assert len(fresh.parts) == 12
    monkeypatch.undo()
    (tmp_path / "r007" / "a.py").write_text("class Newcomer:\n    def stay(self): pass\n")
    index.refresh()
    settle(asking)
    names = [one.symbol.name for one in repo_map.draw_map(index, None, Focus()).symbols]
    assert "Newcomer" in names
    assert "own_7" not in names


def test_a_map_of_many_roots_is_drawn_again_without_their_graphs(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opening(33)
    index = asking.session.index
    asking("symbol_search", query="shared")
    settle(asking)
    first = repo_map.draw_map(index, None, Focus())
    assert first.symbols
    monkeypatch.setattr(graphs, "_KEPT_GRAPHS", {})  # none is kept, and there is none to be had
    again = repo_map.draw_map(index, None, Focus())
    assert [*again.symbols] == [*first.symbols]
    assert [*again.extents] == [*first.extents]


def test_the_last_root_of_a_map_ends_with_the_time_of_the_others(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opening(2)
    monkeypatch.setattr(graph_builder, "_LEAST_READ", 0)
    [first, second] = asking.session.index.parts
    assert first.graphs.around((), until=0.0).late
    assert not second.graphs.around(()).late
    assert not first.graphs.around(()).late


def end_after(files: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the time of a text search end when it has looked into so many files."""
    left = files

    class Counted(Deadline):
        @property
        def cancelled(self) -> bool:
            nonlocal left
            if cancellation.current() is self:
                return False  # inside of a file
            left -= 1
            return left < 0

    monkeypatch.setattr(search_text, "_CHECKED_EVERY", 1)
    monkeypatch.setattr(search_text, "Deadline", Counted)


def test_a_text_search_takes_turns_among_roots_and_the_same_call_continues_it(
    sessions: list[Session], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"r000": 5, "r001": 2, "r002": 3}
    roots = {
        name: write(tmp_path / name, {f"{number}.txt": "the needle\n" for number in range(size)})
        for name, size in sizes.items()
    }
    asking = start_configured(Config(roots["r000"], None, "openai", roots=roots), sessions)
    monkeypatch.setattr(root_turns, "FILES_OF_A_TURN", 2)

    def search(looks: int) -> str:
        end_after(looks, monkeypatch)
        return asking("search_text", query="needle")

    first = search(5)
    assert "of >=5 lines" in first
    assert "stopped after 5 of 10 files (1 of 3 roots are searched whole, not r002, r000); call it again" in first
    assert [f"{path}\n" in first for path in ("r000/1.txt", "r001/1.txt", "r002/0.txt", "r000/2.txt")] == [
        True,
        True,
        True,
        False,
    ]
    second = search(3)
    assert "of >=8 lines" in second
    assert "stopped after 8 of 10 files (1 of 3 roots are searched whole, not r002, r000)" in second
    assert "10 lines in 10 files, complete" in search(9)
    assert "10 lines in 10 files, complete" in search(99)


def test_a_text_that_no_root_holds_has_no_lines(opening: Opening) -> None:
    assert "no lines" in opening(3)("search_text", query="zzq_absent", word=True)


def test_a_text_search_begins_anew_where_the_tree_has_changed(
    sessions: list[Session], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots = {name: write(tmp_path / name, {"a.txt": "needle\n", "b.txt": "needle\n"}) for name in ("r000", "r001")}
    asking = start_configured(Config(roots["r000"], None, "openai", roots=roots), sessions)
    end_after(3, monkeypatch)
    assert "of >=3 lines" in asking("search_text", query="needle")
    write(tmp_path / "r000", {"a.txt": "no more\n"})
    end_after(99, monkeypatch)
    assert "3 lines in 3 files, complete" in asking("search_text", query="needle")


def test_a_map_of_many_roots_says_which_are_not_mapped_and_continues(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opening(3)
    monkeypatch.setattr(repo_map, "time", Clock(1))
    partial = asking("repo_map")
    assert "not mapped: r002, since time ran out; call it again to continue, or give a path" in partial
    assert "r001/a.py" in partial
    monkeypatch.setattr(repo_map, "time", Clock(99))
    assert "not mapped" not in asking("repo_map")


def test_completion_opens_no_root_but_the_one_that_is_typed(lazily: Opening) -> None:
    asking = lazily(5)
    index = asking.session.index
    assert complete(index, Takes.File, "r00").values == ("r000/", "r001/", "r002/", "r003/", "r004/")
    assert open_names(asking) == []
    asking("count_files", path="r001")
    settle(asking)
    assert complete(index, Takes.File, "r001/").values == ("r001/a.py",)
    assert complete(index, Takes.Symbol, "own").values == ("own_1",)
    assert open_names(asking) == ["r001"]


def test_metrics_open_no_root(lazily: Opening) -> None:
    asking = lazily(5)
    asking("count_files", path="r003")
    _, metrics = monitoring_routes(asking.session)
    assert "leadline_index_files 1.0" in anyio.run(metrics.endpoint, None).body.decode()
    assert open_names(asking) == ["r003"]


def test_a_prompt_is_about_all_roots(lazily: Opening) -> None:
    asking = lazily(5)
    asking("count_files", path="r001")
    assert "5" in write_prompt(asking.session, "explore", {})
    assert len(open_names(asking)) == 5


def test_a_single_call_of_the_console_waits_for_the_index_of_its_root(lazily: Opening) -> None:
    asking = lazily(5)
    response = running.answer_console(asking.session, Request("symbol_search", {"query": "own_3", "path": "r003"}))
    assert "1 symbol, complete" in response.text
    assert open_names(asking) == ["r003"]


def test_a_text_that_no_root_has_is_found_in_none(opening: Opening) -> None:
    assert "no lines" in opening(2)("search_text", query="xylophone_of_nobody").partition("\n")[0]


@pytest.mark.usefixtures("lazily")
def test_an_edit_is_undone_in_a_root_that_was_closed_meanwhile(tmp_path: Path, sessions: list[Session]) -> None:
    roots = {name: write(tmp_path / name, {"a.py": "value = 1\n"}) for name in ("r000", "r001", "r002")}
    config = Config(roots["r000"], tmp_path / "cache", "openai", roots=roots, allow_edits=True)
    asking = start_configured(config, sessions)
    edited = {"path": "r000", "pattern": "value = 1", "rewrite": "value = 2", "fix": "all"}
    asking("apply_code_fix", **edited)
    applied = asking("apply_code_fix", **edited, apply=True)
    assert (roots["r000"] / "a.py").read_text() == "value = 2\n"
    assert open_names(asking) == ["r000"]
    asking("search_text", query="value", path="r001,r002")
    settle(asking)
    assert close_unused(asking) == 1
    undo = re.search(r'undo="([^"]+)"', applied)
    assert undo is not None
    asking("apply_code_fix", undo=undo[1], apply=True)
    assert (roots["r000"] / "a.py").read_text() == "value = 1\n"
    assert "value = 1" in asking("search_text", query="value", path="r000")


@pytest.mark.parametrize("tool", ["find_references", "go_to_definition", "call_hierarchy", "find_implementations"])
def test_the_candidates_of_a_name_of_many_roots_need_no_facts(
    opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    for number in range(9):
        write(tmp_path / f"r{number:03}", {"box.py": "class Box:\n    def get(self): pass\n"})
    write(tmp_path / "r000", {"empty.py": "from box import Box\n\n\nclass Empty(Box):\n    get = None\n"})
    asking = opening(9)
    fetched: list[str] = []
    monkeypatch.setattr(FileFacts, "fetch", lambda _facts, path, *_rest: fetched.append(path))
    assert f"{tool} get: 10 candidates, complete" in asking(tool, symbol="get")
    assert fetched == []


def test_the_index_of_a_root_takes_little_memory_of_sqlite(tmp_path: Path) -> None:
    before = apsw.memory_used()
    every = [SqliteRows(tmp_path / str(number) / "index.db") for number in range(10)]
    assert all(rows.lead() for rows in every)
    for rows in every:
        rows.settle_vocabulary(lambda: False)
    assert apsw.memory_used() - before < 10 * 250_000
    for rows in every:
        rows.database.close()


# A symbol that is named by its file


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("go_to_definition", {"symbol": "r003/a.py:own_3"}),
        ("go_to_definition", {"symbol": "r003/a.py:4", "path": "r003"}),
        ("find_references", {"symbol": "r003/a.py:4", "path": "r003"}),
        ("find_implementations", {"symbol": "r003/a.py:own_3", "path": "r003"}),
    ],
)
def test_what_a_symbol_of_a_file_is_takes_no_other_root(
    lazily: Opening, tool: str, arguments: dict[str, object]
) -> None:
    asking = lazily(5)
    assert "r003" in asking(tool, **arguments)
    assert open_names(asking) == ["r003"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("find_references", {"symbol": "r003/a.py:4"}, "not examined: 1 in 1 file of "),
        ("find_references", {"symbol": "r003/a.py:4", "path": "r003,r004"}, "not examined: 1 in 1 file of "),
        ("go_to_definition", {"symbol": "r003/a.py:shared", "path": "r004"}, "not defined in r004, but elsewhere"),
        ("go_to_definition", {"symbol": "shared"}, "5 definitions"),
    ],
)
def test_what_other_roots_have_of_a_name_is_looked_for_where_the_answer_tells_it(
    lazily: Opening, tool: str, arguments: dict[str, object], told: str
) -> None:
    asking = lazily(5)
    assert told in asking(tool, **arguments)
    assert len(open_names(asking)) == 5


def test_a_symbol_that_its_file_does_not_have_is_looked_for_in_all_roots(lazily: Opening) -> None:
    asking = lazily(5)
    assert "There is no symbol 'r003/a.py:own_4'" in asking.error("go_to_definition", symbol="r003/a.py:own_4")
    assert len(open_names(asking)) == 5


def test_a_name_of_unknown_meaning_has_candidates_in_all_roots(lazily: Opening, tmp_path: Path) -> None:
    asking = lazily(5)
    (tmp_path / "r003" / "b.py").write_text("def run(one):\n    one.own_1()\n")
    assert "1 candidate" in (told := asking("go_to_definition", symbol="r003/b.py:2:9"))
    assert "r001/a.py" in told


def test_the_facts_that_a_call_has_requested_are_computed_in_its_root_alone(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opening(3)
    settle(asking)
    computed: list[str] = []
    compute = FileFacts.compute_requested

    def noted(facts: FileFacts) -> None:
        computed.append(facts._tree.name)
        compute(facts)

    monkeypatch.setattr(FileFacts, "compute_requested", noted)
    asking("find_references", symbol="r001/a.py:4", path="r001")
    assert computed == ["r001"]


def test_the_size_of_an_answer_about_a_symbol_is_that_of_its_root(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opening(3)
    counted: list[str] = []
    count = WordIndex.count_files_with

    def noted(words: WordIndex, word: str) -> int:
        counted.append(words._tree.name)
        return count(words, word)

    monkeypatch.setattr(WordIndex, "count_files_with", noted)
    assert "next: find_references" in asking("symbol_search", query="own_1", match="exact")
    assert counted == ["r001"]


def test_threads_that_answer_one_after_the_other_share_a_connection_to_a_root(opening: Opening) -> None:
    asking = opening(3)
    settle(asking)
    ended = threading.Event()

    def answer(number: int, answered: threading.Event) -> None:
        asking("symbol_search", query=f"own_{number}", path="r001")
        answered.set()
        ended.wait()  # a thread that ends would close its connection

    threads: list[threading.Thread] = []
    opened: list[int] = []
    database = asking.session.index.of("r001/a.py").kept.database
    for number in range(4):
        answered = threading.Event()
        threads.append(threading.Thread(target=answer, args=(number, answered), daemon=True))
        threads[-1].start()
        assert answered.wait(INDEXING_SECONDS)
        opened.append(len(database._opened))
    assert opened[-1] <= opened[0]
    ended.set()
    for thread in threads:
        thread.join()
