"""Limits on what is looked at: what lies beyond is searched all the same, or the answer is not complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write
from leadline_tools.index.questions import names
from leadline_tools.resolve.lookup import global_declarations
from leadline_tools.resolve.project import subtype_names
from leadline_tools.resolve.references import pasted_names
from leadline_tools.resolve.rename import mentions
from leadline_tools.resolve.types import arities, declarations
from leadline_tools.resolve.types import type as types

MANY = 14
TYPES = [f"C{number}" for number in range(MANY)]
UNIONS = {
    "a.ts": (
        "".join(f"export class {name} {{ run() {{ }} }}\n" for name in TYPES)
        + f"export function go(x: {' | '.join(TYPES)}) {{ x.run(); }}\n"
        + f"const all = [{', '.join(f'new {name}()' for name in TYPES)}];\nfor (const one of all) {{ one.run(); }}\n"
    ),
    "b.py": (
        "".join(f"class {name}:\n    def run(self): ...\n" for name in TYPES)
        + f"def go(x: {' | '.join(TYPES)}):\n    x.run()\n"
        + "def make(k):\n"
        + "".join(f"    if k == {number}:\n        return {name}()\n" for number, name in enumerate(TYPES))
        + "make(1).run()\n"
    ),
    "c.py": (
        "".join(f"class D{number}:\n    def stop(self): ...\nz = D{number}()\n" for number in range(70))
        + "def use():\n    z.stop()\n"
    ),
}


def head(answer: str) -> str:
    return answer.splitlines()[0]


@pytest.mark.parametrize(
    ("symbol", "exact"),
    [("a.C0.run", 3), ("a.C13.run", 3), ("b.C0.run", 3), ("b.C13.run", 3), ("c.D0.stop", 2), ("c.D69.stop", 2)],
)
def test_a_member_is_that_of_each_type_of_a_large_union(tmp_path: Path, opened: Open, symbol: str, exact: int) -> None:
    answer = opened(write(tmp_path, UNIONS))("find_references", symbol=symbol)
    assert f"account: exact {exact}, another symbol" in answer


@pytest.mark.parametrize("symbol", ["b.C0.run", "b.C13.run"])
def test_a_member_of_too_many_types_is_undecided_for_each_of_them(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, symbol: str
) -> None:
    monkeypatch.setattr(types, "MOST_TYPES", 4)
    answer = opened(write(tmp_path, {"b.py": UNIONS["b.py"]}))("find_references", symbol=symbol)
    assert "complete" not in head(answer)
    assert "account: exact 1, undecided 2, another symbol 13" in answer


EXTENDED = {
    "Item.swift": "struct Item { func own() { } }\n",
    **{f"a{number}.swift": "func f(i: Item) { i.own() }\n" for number in range(2)},
    "z.swift": "protocol Sold { }\nextension Item { func late() { } }\nextension Item: Sold { }\n",
    "use.swift": "func g(i: Item) { i.late() }\n",
}


def test_what_a_type_has_in_many_files_is_found_in_all_of_them(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declarations, "_FEW_SCATTERED", 1)
    ask = opened(write(tmp_path, EXTENDED))
    assert "late" in ask("type_members", symbol="Item")
    assert "account: exact 2\n" in ask("find_references", symbol="Item.late")
    assert "Sold" in ask("find_implementations", symbol="Item", direction="up")


def test_a_class_that_many_files_may_declare_is_not_said_to_be_that_of_the_first(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{name}/item.php": "<?php\nclass Item { }\n" for name in ("a", "b")}
    ask = opened(write(tmp_path, {**files, "use.php": "<?php\n$item = new Item();\n"}))
    monkeypatch.setattr(global_declarations, "_MOST_DECLARING", 1)
    for name in ("a", "b"):
        answer = ask("find_references", symbol=f"{name}/item.php:2")
        assert "complete" not in head(answer)
        assert "undecided: use.php" in answer


def test_an_extension_is_found_however_many_files_declare_members_of_its_name(tmp_path: Path, opened: Open) -> None:
    others = {f"a{number}.kt": f"class A{number} {{ fun shout() {{ }} }}\n" for number in range(201)}
    added = {"z.kt": "class Own\nfun Own.shout() { }\n", "use.kt": "fun f(own: Own) { own.shout() }\n"}
    answer = opened(write(tmp_path, {**others, **added}))("find_references", symbol="z.kt:2")
    assert "account: exact 2, another symbol 201\n" in answer


ARITIES = {
    "A.cs": "namespace Shop;\npublic class Item { public void One() { } }\n",
    "B.cs": "namespace Shop;\npublic class Item<T, U, V, W> { public void Four() { } }\n",
    "Use.cs": (
        "namespace Shop;\nclass Use {\n  void F(Item<\n    int,\n    int,\n    int,\n    int\n  > item) {"
        " item.Four(); }\n}\n"
    ),
}


@pytest.mark.parametrize("few", [0, 40])
def test_a_type_is_told_by_its_type_arguments_on_however_many_lines_and_in_however_many_files(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(arities, "_FEW", few)
    ask = opened(write(tmp_path, ARITIES))
    assert "account: exact 2" in ask("find_references", symbol="B.cs:2:14")
    assert "account: exact 1, another symbol" in ask("find_references", symbol="A.cs:2:14")
    assert "account: exact 2\n" in ask("find_references", symbol="Four")


PASTED = {
    "user.c": "int get_user(void) { return 1; }\n",
    **{f"a{number}.c": f"int user, get_, a{number};\n" for number in range(3)},
    "z.h": "#define CALL(op) op##user()\n",
    "z.c": '#include "z.h"\nint k(void) { return CALL(get_); }\n',
}


def test_macros_that_put_a_name_together_are_looked_for_in_files_with_a_common_part_of_it(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pasted_names, "_MOST_FILES", 1)
    answer = opened(write(tmp_path, PASTED))("find_references", symbol="get_user")
    assert "hidden uses: macros may put the name together: CALL z.h:1" in answer
    assert "complete" not in head(answer)


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy", "rename_symbol"])
def test_files_that_there_is_no_time_to_search_for_macros_are_counted(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    monkeypatch.setattr(pasted_names, "_MOST_FILES", 1)
    monkeypatch.setattr(pasted_names, "_SHARE", -1.0)
    named = {"new_name": "get_owner"} if tool == "rename_symbol" else {}
    answer = opened(write(tmp_path, PASTED))(tool, symbol="get_user", **named)
    assert "files not searched for macros that put the name together" in answer
    assert "complete" not in head(answer)


def test_a_rename_of_a_local_name_is_not_complete_where_mentions_are_left_out(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {"a.py": "def f(size):\n    # size\n    # size\n    return size\n"}))
    assert "complete" in head(ask("rename_symbol", symbol="a.py:1:7", new_name="width"))
    monkeypatch.setattr(mentions, "MOST", 1)
    assert "complete" not in head(ask("rename_symbol", symbol="./a.py:1:7", new_name="width"))


def test_a_type_that_is_imported_under_too_many_names_may_have_further_subtypes(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.py": "class Base: ...\n", "b.py": "from a import Base as Root\nclass One(Root): ...\n"}
    ask = opened(write(tmp_path, files))
    assert "complete" in head(ask("find_implementations", symbol="Base"))
    monkeypatch.setattr(subtype_names, "_MOST_NAMES", 1)
    answer = ask("find_implementations", symbol="a.Base")
    assert "complete" not in head(answer)


REOPENED = {
    **{f"{name}.rb": f"module Shop\n  class {name.upper()}\n  end\nend\n" for name in ("a", "b", "c")},
    "use.rb": "Shop::A.new\nShop::C.new\n",
}


@pytest.mark.parametrize("most", [1, 48])
@pytest.mark.parametrize("name", ["a", "c"])
def test_a_module_that_many_files_open_again_is_one_in_all_of_them(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, most: int, name: str
) -> None:
    monkeypatch.setattr(names, "MOST_FILES", most)
    answer = opened(write(tmp_path, REOPENED))("find_references", symbol=f"{name}.rb:1")
    assert "account: exact 5\n" in answer


def test_what_a_name_may_mean_is_not_said_to_be_all_where_more_is_called_so(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{name}.py": "class Item:\n    def run(self): ...\n" for name in ("a", "b", "c")}
    ask = opened(write(tmp_path, {**files, "use.py": "def f(x):\n    x.run()\n"}))
    assert "3 candidates" in head(ask("go_to_definition", symbol="use.py:2:7"))
    monkeypatch.setattr(names, "MOST_FILES", 1)
    assert "complete" not in head(ask("go_to_definition", symbol="./use.py:2:7"))


def test_a_module_of_many_files_is_not_complete_with_the_first_of_them(tmp_path: Path, opened: Open) -> None:
    package = {f"shop/f{number}.go": f"package shop\n\nfunc F{number}() {{}}\n" for number in range(9)}
    use = 'package main\n\nimport "example.com/m/shop"\n\nfunc main() { shop.F1() }\n'
    ask = opened(write(tmp_path, {"go.mod": "module example.com/m\n", "main.go": use, **package}))
    answer = ask("go_to_definition", symbol="main.go:3:25")
    assert "lines of 8 of 9 files" in head(answer)
    assert "complete" not in head(answer)


BOXES = {
    "Box.swift": "struct Box<Element> {\n  var one: Element\n}\nextension Box {\n  func near() -> Element { one }\n}\n",
    "More.swift": "extension Box {\n  func far() -> Element { one }\n}\n",
    "Element.swift": "struct Element { }\nfunc use(e: Element) { }\n",
}


@pytest.mark.parametrize("symbol", ["Box.swift:2:12", "Box.swift:5:18", "More.swift:2:17"])
def test_an_extension_of_swift_sees_the_type_parameters_of_the_type(tmp_path: Path, opened: Open, symbol: str) -> None:
    ask = opened(write(tmp_path, BOXES))
    assert "Box.swift:1:12" in ask("go_to_definition", symbol=symbol)
    assert "account: exact 2, another symbol 4\n" in ask("find_references", symbol="Element.swift:1")
