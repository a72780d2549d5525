"""Ruby: ``a.()`` calls ``call`` of an object."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

NOTIFY = {
    "notify.rb": (
        "class Notify\n  def self.call(text)\n    text\n  end\nend\n\nclass Job\n  def call(one)\n    one\n  end\nend\n"
    ),
    "use.rb": (
        'class Use\n  def run(other)\n    Notify.("a")\n    Notify::("b")\n    Job.new.(1)\n    job = Job.new\n'
        "    job&.(2)\n    other.(3)\n    Notify.call(4)\n    ->(x) { x }\n  end\nend\n"
    ),
}


@pytest.fixture
def notify(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, NOTIFY))


@pytest.mark.parametrize(("place", "line"), [("3:11", 2), ("4:11", 2), ("5:12", 8), ("7:8", 8)], ids=str)
def test_a_call_without_a_name_leads_to_the_method_call(notify: Asking, place: str, line: int) -> None:
    assert f"in notify.rb:{line}" in notify("go_to_definition", symbol=f"use.rb:{place}")


@pytest.mark.parametrize(("symbol", "lines"), [("Notify.call", "349"), ("Job.call", "57")])
def test_calls_without_a_name_are_uses(notify: Asking, symbol: str, lines: str) -> None:
    text = notify("find_references", symbol=symbol)
    found = text.partition("use.rb\n")[2].partition("undecided:")[0]
    assert [line.partition(":")[0] for line in found.splitlines() if line[:1].isdigit()] == list(lines)
    assert "1 undecided" in text
    assert "8: other.(3)" in text.partition("undecided:")[2]


def test_a_new_name_is_said_to_leave_such_calls(notify: Asking) -> None:
    assert ".( use.rb:5, &.( use.rb:7, .( use.rb:8" in notify("rename_symbol", symbol="Job.call", new_name="perform")
