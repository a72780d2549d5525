"""Members of one name in spaces of their own: methods, properties and constants of PHP, functions elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Open, write

PAGE = (
    "<?php\n"
    "class Page {\n"
    "    const kind = 1;\n"
    "    public static $kind = 2;\n"
    "    public static function kind() { return 3; }\n"
    "    public $book;\n"
    "    public function book() { return 4; }\n"
    "    public function method() { return 5; }\n"
    "    const constant = 6;\n"
    "    public static $static = 7;\n"
    "}\n"
    "function use1(Page $page) {\n"
    "    Page::kind;\n"
    "    Page::$kind;\n"
    "    Page::kind();\n"
    "    $page::kind;\n"
    "    $page::$kind;\n"
    "    $page->book;\n"
    "    $page?->book();\n"
    "    // a comment\n"
    "    ($page->book)();\n"
    "    $page->method;\n"
    "    Page::method;\n"
    "    $page->constant;\n"
    "    Page::constant();\n"
    "    Page::static;\n"
    "    Page::static();\n"
    "}\n"
)


def column(line: int, name: str) -> int:
    """Return the 1-based column of the last name on a line."""
    return PAGE.split("\n")[line - 1].rindex(name) + 1


@pytest.mark.parametrize(
    ("line", "name", "declared"),
    [
        *((13, "kind", 3), (14, "kind", 4), (15, "kind", 5), (16, "kind", 3), (17, "kind", 4)),
        *((18, "book", 6), (19, "book", 7), (21, "book", 6), (4, "kind", 4)),
    ],
)
def test_a_use_leads_to_the_member_of_its_space(
    line: int, name: str, declared: int, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"a.php": PAGE}))
    assert f" in a.php:{declared}\n" in ask("go_to_definition", symbol=f"a.php:{line}:{column(line, name)}")


@pytest.mark.parametrize(
    ("line", "name"),
    [(22, "method"), (23, "method"), (24, "constant"), (25, "constant"), (26, "static"), (27, "static")],
)
def test_a_member_of_another_space_is_no_definite_place(line: int, name: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": PAGE}))
    assert "1 candidate" in ask("go_to_definition", symbol=f"a.php:{line}:{column(line, name)}")


@pytest.mark.parametrize(
    ("line", "name", "lines"),
    [
        (3, "kind", {3, 13, 16}),
        (4, "kind", {4, 14, 17}),
        (5, "kind", {5, 15}),
        (6, "book", {6, 18, 21}),
        (7, "book", {7, 19}),
    ],
)
def test_references_are_those_of_one_space(line: int, name: str, lines: set[int], tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": PAGE}))
    symbol = f"a.php:{line}:{PAGE.split(chr(10))[line - 1].index(name) + 1}"
    answer = ask("find_references", symbol=symbol)
    assert {int(one) for one in re.findall(r"^(\d+):", answer, re.MULTILINE)} == lines
    assert ", complete |" in answer
    assert f"{len(lines)} edits" in ask("rename_symbol", symbol=symbol, new_name="other")


def test_a_property_that_no_class_declares_may_run_a_method_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": PAGE}))
    _, _, undecided = ask("find_references", symbol="a.php:8:21").partition("undecided: ")
    assert "22: $page->method;" in undecided
    assert "23:" not in undecided


def test_a_method_of_a_trait_is_no_constant(tmp_path: Path, opened: Open) -> None:
    code = (
        "<?php\n"
        "trait A { function run() {} }\n"
        "trait B { function run() {} }\n"
        "class C { use A, B { A::run insteadof B; B::run as walk; } }\n"
    )
    ask = opened(write(tmp_path, {"a.php": code}))
    assert " in a.php:2:" in ask("go_to_definition", symbol="a.php:4:25")
    assert " in a.php:3:" in ask("go_to_definition", symbol="a.php:4:45")


BESIDE = {
    "A.java": (
        "class A {\n    int book;\n    int book() { return 1; }\n    void use(A a) {\n"
        "        take(a.book);\n        a.book();\n        take(a::book);\n    }\n}\n",
        {2: {2, 5}, 3: {3, 6, 7}},
    ),
    "a.rs": (
        "struct A {\n    book: i32 }\nimpl A { fn book(&self) -> i32 { 1 }\nfn go(a: A) {\n"
        "    a.book;\n    a.book();\n    let f = A::book;\n} }\n",
        {2: {2, 5}, 3: {3, 6, 7}},
    ),
    "a.kt": (
        "class A {\n    val book = 1\n    fun book() = 2\n    fun use(a: A) {\n"
        "        a.book\n        a.book()\n        book()\n        take(book)\n    }\n}\n",
        {2: {2, 5, 8}, 3: {3, 6, 7}},
    ),
}


@pytest.mark.parametrize("path", BESIDE)
def test_a_method_and_a_field_of_one_name_have_uses_of_their_own(path: str, tmp_path: Path, opened: Open) -> None:
    code, expected = BESIDE[path]
    ask, lines = opened(write(tmp_path, {path: code})), code.split("\n")
    for declared, used in expected.items():
        symbol = f"{path}:{declared}:{lines[declared - 1].rindex('book') + 1}"
        answer = ask("find_references", symbol=symbol)
        assert {int(one) for one in re.findall(r"^(\d+):", answer, re.MULTILINE)} == used
        for line in used - {declared}:
            definition = ask("go_to_definition", symbol=f"{path}:{line}:{lines[line - 1].rindex('book') + 1}")
            assert f" in {path}:{declared}" in definition


def test_a_call_of_a_property_that_holds_a_function_leads_to_it(tmp_path: Path, opened: Open) -> None:
    code = "class A {\n    val run: () -> Int = { 1 }\n    fun use(a: A) = a.run()\n}\n"
    assert " in a.kt:2" in opened(write(tmp_path, {"a.kt": code}))("go_to_definition", symbol="a.kt:3:23")


def test_a_reference_to_what_may_be_a_function_or_a_property_leads_to_both(tmp_path: Path, opened: Open) -> None:
    code = "class A {\n    val book = 1\n    fun book() = 2\n    fun use(a: A) = take(a::book)\n}\n"
    answer = opened(write(tmp_path, {"a.kt": code}))("go_to_definition", symbol="a.kt:4:29")
    assert "2 definitions" in answer


TYPES = {
    "A.java": 'class A {\n  String item = "a";\n  String item() { return item; }\n'
    "  static class item { static int n = 1; }\n"
    "  item made = new item();\n"
    "  Object use(A a) {\n    a.item();\n    return new A.item().n + item.class.getName() + a.item;\n"
    "  }\n}\n",
    "a.php": "<?php\nfunction item() { return 1; }\nclass item { const N = 2; }\n"
    "function go($x) {\n  $y = new item();\n  item();\n  return item::N + ($x instanceof item);\n}\n",
}


@pytest.mark.parametrize(
    ("symbol", "lines", "others"),
    [
        ("A.java:2:10", ("3: String item()", "8: return new"), ("4: static", "5: item", "7: a.item")),
        ("A.java:3:10", ("3: String item()", "7: a.item"), ("2: String", "4: static", "5: item", "8: return")),
        ("A.java:4:16", ("4: static", "5: item", "8: return"), ("2: String", "3: String", "7: a.item")),
        ("a.php:2:10", ("2: function", "6: item()"), ("3: class", "5: $y", "7: return")),
        ("a.php:3:7", ("3: class", "5: $y", "7: return"), ("2: function", "6: item")),
    ],
)
def test_a_type_a_method_and_a_field_of_one_name_have_uses_of_their_own(
    tmp_path: Path, opened: Open, symbol: str, lines: tuple[str, ...], others: tuple[str, ...]
) -> None:
    shown = opened(write(tmp_path, TYPES))("find_references", symbol=symbol)
    assert "complete" in shown
    assert all(line in shown for line in lines)
    assert not any(line in shown for line in others)


@pytest.mark.parametrize(
    ("place", "declared"),
    [
        ("A.java:8:56", "A.java:2"),
        ("A.java:7:7", "A.java:3"),
        ("A.java:8:18", "A.java:4"),
        ("a.php:6:3", "a.php:2"),
        ("a.php:5:12", "a.php:3"),
    ],
)
def test_what_stands_around_a_name_says_whether_it_is_a_type_a_method_or_a_field(
    tmp_path: Path, opened: Open, place: str, declared: str
) -> None:
    assert f"in {declared}" in opened(write(tmp_path, TYPES))("go_to_definition", symbol=place)
