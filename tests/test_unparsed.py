"""Lines that do not parse: an outline or a list of members that may lack something says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request

BROKEN = {
    "a.py": "class Box:\n    def weigh(self:\n        return 1\n\n    def tilt(self):\n        pass\n",
    "b.kt": "package b\n\nclass Whole {\n    fun weigh() = 1\n}\n",
    "body.ts": "class Page {\n  show() {\n    let of = = 1;\n  }\n}\n",
    "calls.c": 'module_init(start)\nMODULE_LICENSE("GPL")\nint main(void) { return 0; }\n',
}


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, BROKEN))


def test_an_outline_says_which_lines_did_not_parse_and_is_not_complete(ask: Asking) -> None:
    text = ask("document_symbols", path="a.py")
    assert "complete" not in text.partition("\n")[0]
    assert "line 2 did not parse: symbols there may be missing" in text
    page = ask.session.call(Request("document_symbols", {"path": "a.py"}, as_json=True)).text
    assert json.loads(page)["complete"] is False


def test_the_members_of_a_type_whose_body_does_not_parse_are_not_complete(ask: Asking) -> None:
    text = ask("type_members", symbol="a.py:1")
    assert "complete" not in text.partition("\n")[0]
    assert "did not parse" in text


@pytest.mark.parametrize("path", ["b.kt", "body.ts", "calls.c"])
def test_what_hides_no_symbol_leaves_an_outline_complete(path: str, ask: Asking) -> None:
    text = ask("document_symbols", path=path)
    assert "complete" in text.partition("\n")[0]
    assert "did not parse" not in text


LOST = {
    "V.kt": (
        "class V : Base() {\n    fun first() {\n        go()\n    }\n    val x = when {\n    fun show(x: Int) {\n"
        "        go()\n    }\n    fun other() { a { }\n}\n"
    ),
    "S.kt": "fun screen(v: V) {\n    v.first()\n}\n",
}


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy"])
def test_uses_of_what_is_in_lines_that_did_not_parse_are_not_complete(tool: str, tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, LOST))(tool, symbol="V.kt:2")
    assert "complete" not in text.partition("\n")[0]
    assert "did not parse" in text
