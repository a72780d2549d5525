"""One question about several symbols: an answer for each, as if each were asked alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Asking, Open, late_facts, start_configured, write
from leadline_server.call import Request, Session
from leadline_server.config import Config

CODE = {
    "shop.py": (
        "class Shelf:\n    def add(self, item):\n        self.item = item\n\n"
        "    def take(self):\n        return self.item\n\n\n"
        "class Low(Shelf):\n    def take(self):\n        return 0\n\n\n"
        "def fill(shelf: Shelf):\n    shelf.add(1)\n    return shelf.take()\n"
    ),
    "use.py": "from shop import Shelf, fill\n\n\ndef main(one):\n    total = fill(Shelf())\n    one.add(total)\n",
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, CODE))


def answer(ask: Asking, tool: str, symbol: str) -> dict[str, Any]:
    response = ask.session.call(Request(tool, {"symbol": symbol}, as_json=True))
    assert not response.is_error, response.text
    found: dict[str, Any] = json.loads(response.text)
    return found


def items(ask: Asking, tool: str, symbol: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer(ask, tool, symbol)["items"]
    return [{name: value for name, value in item.items() if name != "about"} for item in found]


@pytest.mark.parametrize(
    ("tool", "one", "other"),
    [
        ("find_references", "Shelf.take", "fill"),
        ("call_hierarchy", "Shelf.add", "fill"),
        ("go_to_definition", "Shelf.add", "fill"),
        ("find_implementations", "Shelf", "Shelf.take"),
        ("type_members", "Shelf", "Low"),
    ],
)
def test_each_symbol_is_answered_as_if_it_were_asked_alone(shop: Asking, tool: str, one: str, other: str) -> None:
    apart = [items(shop, tool, one), items(shop, tool, other)]
    assert all(apart)
    assert items(shop, tool, f"{one}, {other}") == [*apart[0], *apart[1]]
    assert items(shop, tool, f"{one}\n{other}") == [*apart[0], *apart[1]]


def test_each_symbol_has_its_own_account_and_the_answer_that_of_all(shop: Asking) -> None:
    text = shop("find_references", symbol="Shelf.add, fill")
    assert "shop.Shelf.add: 2 references, 1 undecided; account: exact 2, undecided 1" in text
    assert "shop.fill: 3 references, complete; account: exact 3" in text
    assert "5 references in 2 files, 1 undecided" in text
    account = answer(shop, "find_references", "Shelf.add, fill")["account"]
    assert (account["exact"], account["undecided"]) == (5, 1)


def test_tokens_of_one_name_are_not_counted_twice(shop: Asking) -> None:
    assert "account" not in answer(shop, "find_references", "Shelf.take, Low.take")


def test_a_symbol_that_does_not_exist_costs_the_others_nothing_and_is_named(shop: Asking) -> None:
    text = shop("find_references", symbol="fill, nowhere")
    assert "not answered, nowhere: There is no symbol 'nowhere'." in text
    assert "def fill(shelf: Shelf):" in text
    assert "complete" not in text.splitlines()[0]


def test_undecided_uses_of_one_symbol_do_not_hide_that_its_files_were_not_all_examined(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = "from shop import Shelf\n\n\ndef more():\n    Shelf().add(2)\n"
    ask = opened(write(tmp_path, {**CODE, "more.py": more}))
    late_facts(monkeypatch, lambda path: path == "more.py")
    assert ">=2 references" in ask("find_references", symbol="Shelf.add").splitlines()[0]
    text = ask("find_references", symbol="Shelf.add, fill")
    assert ">=5 references" in text.splitlines()[0]
    assert "shop.Shelf.add: >=2 references, 1 undecided" in text


def test_where_none_of_the_symbols_exists_the_error_is_that_of_the_first(shop: Asking) -> None:
    assert "There is no symbol 'nowhere'." in shop.error("find_references", symbol="nowhere, elsewhere")


def test_a_local_variable_is_one_of_the_symbols(shop: Asking) -> None:
    text = shop("find_references", symbol="use.py:5:5, fill")
    assert "one.add(total)" in text
    assert "def fill" in text


def test_too_many_symbols_are_refused_with_the_number_that_works(shop: Asking) -> None:
    asked = ", ".join(f"name_{number}" for number in range(9))
    assert "it names 9 symbols. Ask for at most 8 at once." in shop.error("find_references", symbol=asked)


def test_a_rename_is_for_one_symbol_at_a_time(shop: Asking) -> None:
    refused = shop.error("rename_symbol", symbol="Shelf.add, fill", new_name="put")
    assert "it names 2 symbols. Call rename_symbol for one at a time." in refused


@pytest.mark.parametrize(
    ("path", "code", "symbol", "line"),
    [
        ("Map.java", "class Map<K, V> {\n  V get(K key) { return null; }\n}\n", "Map<K, V>.get", "V get(K key)"),
        ("a.cpp", "struct A {\n  A operator,(int b);\n};\n", "A::operator,", "A operator,(int b);"),
        ("a,b.py", "def load(): ...\n", "a,b.py:1", "def load()"),
    ],
)
def test_a_comma_that_belongs_to_an_address_separates_nothing(
    tmp_path: Path, opened: Open, path: str, code: str, symbol: str, line: str
) -> None:
    assert line in opened(write(tmp_path, {path: code}))("go_to_definition", symbol=symbol)


def test_long_definitions_leave_room_for_one_another_and_say_what_reads_the_rest(tmp_path: Path, opened: Open) -> None:
    long = "".join(f"def {name}():\n" + "    x = 1\n" * 200 + "\n\n" for name in ("one", "two"))
    text = opened(write(tmp_path, {"a.py": long}))("go_to_definition", symbol="one, two", max_tokens=4000)
    assert "a.one: 201 lines" in text
    assert "def two():" in text
    assert 'read_file(path="a.py", start_line=81, num_lines=121)' in text


def test_symbols_of_several_roots_are_answered_together(tmp_path: Path, sessions: list[Session]) -> None:
    roots = {name: write(tmp_path / name, {"a.py": f"def {name}_run(): ...\n"}) for name in ("one", "two")}
    ask = start_configured(Config(roots["one"], None, "openai", roots=roots), sessions)
    text = ask("go_to_definition", symbol="one/a.py:1, two/a.py:1")
    assert "def one_run()" in text
    assert "def two_run()" in text
