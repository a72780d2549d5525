"""The meanings of an ambiguous name: what overrides a member belongs to it, and what is one symbol is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write
from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import MOST_FILES
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.ambiguity.meanings import Meaning, group_meanings
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

SHELF = "class Shelf:\n    def add(self): ...\n\n\nclass Low(Shelf):\n    def add(self): ...\n"
BOX = "from shelf import Low\n\n\nclass Box(Low):\n    def add(self): ...\n"
BASKET = "class Basket:\n    def add(self): ...\n"
USER = "from basket import Basket\n\nBasket().add()\n"


def meanings(index: Index, address: str) -> list[Meaning]:
    return list(group_meanings(index, resolve_address(index, address)))


def names(symbols: tuple[DefinedSymbol, ...]) -> list[str]:
    return [f"{one.path}:{one.name}" for one in symbols]


def test_a_member_and_what_overrides_it_are_one_meaning_with_the_base_first(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.py": BOX, "shelf.py": SHELF, "basket.py": BASKET}))
    found = meanings(ask.session.index, "add")
    assert [one.base.qualified_name for one in found] == ["shelf.Shelf.add", "basket.Basket.add"]
    assert names(found[0].overriding) == ["shelf.py:Low.add", "a.py:Box.add"]
    assert names(found[1].members) == ["basket.py:Basket.add"]


def test_the_meaning_that_is_used_most_is_first_and_those_of_tests_are_last(tmp_path: Path, opened: Open) -> None:
    users = {f"user_{i}.py": USER for i in range(3)}
    tested = {f"tests/test_{i}.py": "class Tested:\n    def add(self): ...\n" for i in range(5)}
    ask = opened(write(tmp_path, {"shelf.py": SHELF, "basket.py": BASKET, **users, **tested}))
    found = meanings(ask.session.index, "add")
    assert [one.base.name for one in found] == ["Basket.add", "Shelf.add", *["Tested.add"] * 5]
    assert found[0].files > found[1].files


def test_members_that_override_one_that_the_address_does_not_mean_are_one_meaning(tmp_path: Path, opened: Open) -> None:
    base = "class Base:\n    def run(self): ...\n"
    tools = "from base import Base\n\n\nclass Tool(Base):\n    def run(self): ...\n"
    ask = opened(write(tmp_path, {"base.py": base, "a.py": tools, "b.py": tools}))
    assert [names(one.members) for one in meanings(ask.session.index, "Tool.run")] == [
        ["a.py:Tool.run", "b.py:Tool.run"]
    ]


@pytest.mark.parametrize("symbol", ["start", "Clock.stop"])
def test_a_declaration_and_its_definition_are_one_symbol(tmp_path: Path, opened: Open, symbol: str) -> None:
    header = "struct Clock {\n  void stop();\n};\nint start(int);\n"
    code = '#include "clock.hpp"\nvoid Clock::stop() {\n  start(1);\n}\nint start(int at) {\n  return at;\n}\n'
    other = "static int start(void) {\n  return 2;\n}\nstruct Other { struct Clock { void stop() {} }; };\n"
    ask = opened(write(tmp_path, {"clock.hpp": header, "clock.cpp": code, "other.cpp": other}))
    found = meanings(ask.session.index, symbol)
    assert [names(one.members) for one in found if "clock.hpp" in str(names(one.members))] == [
        [f"clock.cpp:{symbol}", f"clock.hpp:{symbol}"]
    ]
    assert len(found) == 2
    assert names(found[0].declarations or found[1].declarations) == [f"clock.hpp:{symbol}"]


def test_a_meaning_without_uses_in_the_path_offers_no_call_and_does_not_count_those_of_the_others(
    tmp_path: Path, opened: Open
) -> None:
    use = "from one import run\n\nrun()\nrun()\nrun()\n"
    ask = opened(write(tmp_path, {"one.py": "def run(): ...\n", "two.py": "def run(): ...\n", "src/a.py": use}))
    text = ask("find_references", symbol="run", path="src")
    assert "two.run: 0 references" in text or "two.run two.py:1: 0 references" in text
    assert "another symbol" not in text
    assert 'find_references(symbol="one.py:1", path="src")' in text
    assert 'find_references(symbol="two.py:1"' not in text


def test_a_namespace_that_is_opened_in_several_files_is_one_meaning(tmp_path: Path, opened: Open) -> None:
    files = {f"{name}.cpp": f"namespace tools {{ int {name}; }}\n" for name in "ab"}
    ask = opened(write(tmp_path, files))
    assert len(meanings(ask.session.index, "tools")) == 1


def test_a_method_and_a_field_of_one_type_are_two_meanings(tmp_path: Path, opened: Open) -> None:
    deck = "class Deck {\n  int size;\n  int size() { return size; }\n}\n"
    text = f"{deck}class Low extends Deck {{\n  int size() {{ return 1; }}\n}}\n"
    ask = opened(write(tmp_path, {"Deck.java": text}))
    found = meanings(ask.session.index, "size")
    assert sorted(len(one.members) for one in found) == [1, 2]


FILE = "package file\n\ntype File struct{}\n\nfunc (f *File) Close() error { return nil }\n"
GO_FILES = {
    "go.mod": "module example.org/m\n",
    "shut/shut.go": "package shut\n\ntype Closer interface {\n\tClose() error\n}\n",
    "file/file_a.go": f"//go:build linux\n\n{FILE}",
    "file/file_b.go": f"//go:build windows\n\n{FILE}",
    "door/door.go": "package door\n\ntype Door struct{}\n\nfunc (d Door) Close(slowly bool) {}\n",
}


def test_methods_that_fit_an_interface_are_of_its_meaning_and_variants_for_platforms_are_one(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, GO_FILES))
    found = meanings(ask.session.index, "Close")
    assert [(one.base.name, names(one.overriding)) for one in found] == [
        ("Closer.Close", ["file/file_a.go:File.Close"]),
        ("Door.Close", []),
    ]


def test_a_base_that_is_not_among_the_symbols_listed_is_found(tmp_path: Path, opened: Open) -> None:
    base = {"far/down/below/base.py": "class Base:\n    def run(self): ...\n"}
    users = {
        f"tool_{i}.py": f"from far.down.below.base import Base\n\n\nclass Tool{i}(Base):\n    def run(self): ...\n"
        for i in range(MOST_FILES + 2)
    }
    ask = opened(write(tmp_path, {**base, **users}))
    (meaning,) = meanings(ask.session.index, "run")
    assert meaning.base.name == "Base.run"
    assert len(meaning.overriding) == MOST_FILES


@pytest.mark.parametrize("tool", ["type_members", "find_implementations", "find_references", "go_to_definition"])
def test_candidates_beyond_those_listed_are_counted_by_every_tool(tmp_path: Path, opened: Open, tool: str) -> None:
    ask = opened(write(tmp_path, {f"part{number}/box.py": "class Box:\n    size = 1\n" for number in range(60)}))
    assert ": 1-" in (said := ask(tool, symbol="Box", max_tokens=20_000).splitlines()[0])
    assert " of 60 candidates" in said
