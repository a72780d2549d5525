"""What cannot be seen is escaped: no invisible character of a tree reaches a client as it is."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import write
from leadline_server.outgoing import printable
from torture.wire import Client, Lines, connect

INVISIBLE = (
    *("\u061c", "\u00ad", "\u034f", "\U0010fffd", "\u115f", "\u1160", "\u17b4", "\u180b", "\u180e", "\U0001bca0"),
    *("\U0001d173", "\u200b", "\u200c", "\u200d", "\u202e", "\u2066", "\u206a", "\u206f", "\u3164", "\U000e0001"),
    *("\U000e0020", "\U000e0041", "\U000e007f", "\U000e0100", "\uf000", "\U000f0000", "\ufe00", "\ufe0f", "\uffa0"),
    *("\u2028", "\ufeff", "\ufff9", "\x1b", "\x07", "\u0378"),
)
NEEDED = ("می‌خواهم", "क्‍ष", "👩‍💻", "❤️", "1️⃣", "日本語", "naïve", "a\u00a0b", "\tx")
"""Words and signs that are others without what is not shown of them, and plain text."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = "".join(f"before{character}after = {number}\n" for number, character in enumerate(INVISIBLE))
    needed = "".join(f"# {text}\n" for text in NEEDED)
    files = {"a.txt": lines, "needed.txt": needed, "b.py": f'def x():\n    """Do{"".join(INVISIBLE[:9])}it."""\n'}
    return write(tmp_path_factory.mktemp("invisible"), {**files, "name\u061c\U000e0041.txt": "text\n"})


@pytest.fixture(scope="module", params=["stdio", "http"])
def client(
    request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lines | Client]:
    with connect(request.param, root, tmp_path_factory.mktemp("cache")) as connected:
        yield connected


def test_no_invisible_character_is_sent(client: Lines | Client) -> None:
    for text in (
        client.call("read_file", path="a.txt", max_tokens=9_000).text,
        client.call("search_text", query="after", path="a.txt", max_tokens=9_000).text,
        client.call("document_symbols", path="b.py", detail="full").text,
        client.call("list_files").text,
    ):
        assert not [character for character in INVISIBLE if character in text]
    shown = client.call("read_file", path="a.txt", max_tokens=9_000).text
    for character in ("\u061c", "\U000e0041"):
        code = ord(character)
        assert (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}") in shown


def test_json_has_them_as_json_writes_them(client: Lines | Client) -> None:
    asked = {"name": "read_file", "arguments": {"path": "a.txt"}, "_meta": {"leadline/format": "json"}}
    text = client.request("tools/call", asked)["result"]["content"][0]["text"]
    assert not [character for character in INVISIBLE if character in text]
    items = json.loads(text)["items"]
    assert [item["text"] for item in items if "\U000e0041" in item["text"]]


def test_what_a_word_needs_is_sent_as_it_is(client: Lines | Client) -> None:
    text = client.call("read_file", path="needed.txt").text
    assert not [needed for needed in NEEDED if needed not in text]


def test_a_name_is_asked_for_as_it_is_shown(client: Lines | Client) -> None:
    assert "name\\u061c\\U000e0041.txt" in client.call("list_files").text
    assert "1: text" in client.call("read_file", path="name\\u061c\\U000e0041.txt").text


def test_all_that_unicode_calls_invisible_is_escaped() -> None:
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Co", "Cn", "Cs"} and chr(code) != "\t":
            assert chr(code) not in printable(f"a{chr(code)}b")
