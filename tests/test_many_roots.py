"""Many roots on one server: a question about one of them costs and waits as if there were no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Asking, start_configured, write
from consoles import Console
from leadline_server.app import build
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import first_scan
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
