"""An answer tells in a line or two what its whole shows, where that is paid for."""

from __future__ import annotations

from conftest import Asking


def told(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("of all ")]


def test_uses_are_counted_by_role(ask: Asking) -> None:
    lines = told(ask("find_references", symbol="pkg.core.Widget", detail="lean", max_tokens=8_000))
    assert lines == ["of all 602: 600 are in app/", "of all 602: call 480, import 121, definition 1"]


def test_a_largest_member_stands_out(ask: Asking) -> None:
    assert not told(ask("type_members", symbol="pkg.core.Widget", max_tokens=4_000))


def test_a_folder_that_holds_most_is_named(ask: Asking) -> None:
    lines = told(ask("list_files", pattern="module_*.py", recursive=True, limit=100, max_tokens=4_000))
    assert not lines  # they are spread evenly
    lines = told(ask("search_text", query="member_1", path="pkg", max_tokens=4_000))
    assert not lines  # all are in one file


def test_what_is_told_is_dropped_before_anything_else(ask: Asking) -> None:
    short = ask("find_references", symbol="pkg.core.Widget", max_tokens=175)
    assert "next: " in short
    assert not told(short)
