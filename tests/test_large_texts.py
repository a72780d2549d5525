"""A text of many megabytes costs what can be sent of it, whatever it holds."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from keys import KEYS
from leadline_server.call import Request
from leadline_server.render import LONGEST_LINE

SIZE = 12_000_000
UNITS = {
    "a word": "a",
    "escapes": "\\u003d\\x41",
    "invisible characters": "\u200b\u202e",
    "control characters": "\x1b\x07",
    "keys": f"{KEYS['amazon']} ",
    "wide characters": "\U0001d4b3é",
}


@pytest.fixture(params=UNITS)
def ask(request: pytest.FixtureRequest, opened: Open, tmp_path: Path) -> Asking:
    """Ask about a file of one line of twelve megabytes."""
    unit = UNITS[request.param]
    (tmp_path / "large.txt").write_text(unit * (SIZE // len(unit.encode())), encoding="utf-8")
    (tmp_path / "small.txt").write_text("small")
    asking = opened(tmp_path)
    asking("read_file", path="small.txt")
    return asking


@pytest.mark.parametrize("as_json", [False, True])
def test_a_line_of_many_megabytes_is_clipped_before_it_is_escaped_and_counted(ask: Asking, as_json: bool) -> None:
    started = time.process_time()
    answer = ask.session.call(Request("read_file", {"path": "large.txt", "max_tokens": 2_000}, as_json=as_json))
    assert time.process_time() - started < 5
    assert not answer.is_error
    assert len(answer.text) < LONGEST_LINE
    if as_json:
        assert json.loads(answer.text)["items"][0]["clipped"] is True
    started = time.process_time()
    assert not ask.session.call(Request("search_text", {"query": "zzz"}, as_json=as_json)).is_error
    assert time.process_time() - started < 5


_MINIFIED = f"var before=[{','.join(['1'] * 4_000)}];class Box{{weigh(){{}}}}class Lid{{weigh(){{}}}}" + (
    "function go(f){let b=f?new Box:new Lid;b.weigh()}"
)


@pytest.mark.parametrize("name", ["Box", "Lid"])
def test_of_a_very_long_line_that_part_is_shown_in_which_the_name_is_defined(
    name: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"min.js": _MINIFIED}))
    for symbol in (f"min.js:{name}", f"min.js:1:{_MINIFIED.index('b.weigh') + 3}"):
        text = ask("go_to_definition", symbol=symbol, max_tokens=2_000)
        assert "complete" in text.partition("\n")[0]
        assert f"class {name}{{weigh" in text
        assert f"of a line with {len(_MINIFIED):,} characters those around the name are shown" in text


def test_of_a_local_name_in_a_very_long_line_that_part_is_shown(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"min.js": _MINIFIED}))
    text = ask("go_to_definition", symbol=f"min.js:1:{_MINIFIED.index('b.weigh') + 1}")
    assert "let b=f?new Box:new Lid" in text


def test_of_a_use_far_inside_of_a_line_what_is_around_it_is_shown(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"min.js": _MINIFIED}))
    text = ask("find_references", symbol="min.js:Box")
    assert "...1,1,1" in text
    assert "function go(f){let b=f?new Box:new Lid;b.weigh()}" in text
