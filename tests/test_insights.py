"""An answer tells in a line or two what its whole shows, where that is paid for."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, late_facts, write
from leadline_server.call import Request
from leadline_tools.index.facts import file_facts
from leadline_tools.patience import Patience


def told(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(("of all ", "of the "))]


def test_uses_are_counted_by_role(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_facts, "_PATIENCE", 60.0)  # a busy machine is no reason to find less
    arguments = {"symbol": "pkg.core.Widget", "detail": "lean", "max_tokens": 8_000}
    lines = told(ask.session.call(Request("find_references", arguments, patience=Patience(60))).text)
    assert lines == ["of all 602: 600 are in app/", "of all 602: call 480, import 121, definition 1"]


def test_uses_of_which_there_may_be_more_are_not_all(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = {f"app/use_{number}.py": "from thing import Thing\n\nThing()\n" for number in range(30)}
    ask = opened(write(tmp_path, {"thing.py": "class Thing: pass\n", **users}))
    late_facts(monkeypatch, lambda path: path.endswith("7.py"))
    text = ask("find_references", symbol="Thing", max_tokens=8_000)
    assert "not examined: 6 in 3 files, ask again for more" in text
    lines = told(text)
    assert lines
    assert all(line.startswith("of the ") and " found: " in line for line in lines)


def test_a_largest_member_stands_out(ask: Asking) -> None:
    assert not told(ask("type_members", symbol="pkg.core.Widget", max_tokens=4_000))


def test_a_folder_that_holds_most_is_named(ask: Asking) -> None:
    lines = told(ask("list_files", pattern="module_*.py", recursive=True, limit=100, max_tokens=4_000))
    assert not lines  # they are spread evenly
    lines = told(ask("search_text", query="member_1", path="pkg", max_tokens=4_000))
    assert not lines  # all are in one file


def test_what_is_told_is_dropped_before_anything_else(ask: Asking) -> None:
    short = ask("find_references", symbol="pkg.core.Widget", max_tokens=185)
    assert "next: " in short
    assert not told(short)
