"""Kotlin: a function that is imported by its name goes before a type of the own package."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "ui/Search.kt": "package ui\n\nfun Search(state: Int, onSearch: (String) -> Unit) {}\n",
    "screens/Search.kt": (
        "package screens\n\nimport ui.Search\n\n"
        'class Search(val query: String = "") {\n'
        "    fun content() {\n"
        "        Search(\n            state = 1,\n            onSearch = { },\n        )\n"
        "        Search(1) { }\n"
        '        Search("again").content()\n'
        "        Search()\n"
        "    }\n"
        "    fun copy(): Search = this\n"
        "}\n"
    ),
}
FUNCTION = ["7:9", "11:9"]
CLASS = ["12:9", "13:9", "15:17"]


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, FILES))


@pytest.mark.parametrize("place", FUNCTION)
def test_a_call_that_fits_an_imported_function_means_it(ask: Asking, place: str) -> None:
    assert "ui/Search.kt:3" in ask("go_to_definition", symbol=f"screens/Search.kt:{place}")


@pytest.mark.parametrize("place", CLASS)
def test_any_other_use_means_the_type_of_the_package(ask: Asking, place: str) -> None:
    assert "screens/Search.kt:5" in ask("go_to_definition", symbol=f"screens/Search.kt:{place}")


def test_uses_are_those_of_one_of_the_two(ask: Asking) -> None:
    function = ask("find_references", symbol="ui/Search.kt:3:5")
    type_ = ask("find_references", symbol="screens/Search.kt:5:7")
    assert "4 references in 2 files, complete" in function
    assert "4 references, complete" in type_
    assert "likely" not in function + type_


TWO = {
    "a/A.kt": "package a\n\nfun load(x: Int): Int = x\n",
    "b/B.kt": "package b\n\nfun load(x: String): String = x\n",
    "c/C.kt": (
        "package c\n\nimport a.load\nimport b.load\n\n"
        'fun run(given: Unknown) {\n    load("x")\n    load(1)\n    load(given)\n}\n'
    ),
}


@pytest.mark.parametrize(("path", "own", "other"), [("a/A.kt", 8, 7), ("b/B.kt", 7, 8)])
def test_the_arguments_of_a_call_choose_between_imported_functions(
    tmp_path: Path, opened: Open, path: str, own: int, other: int
) -> None:
    text = opened(write(tmp_path, TWO))("find_references", symbol=f"{path}:3:5")
    lines = {line.partition(":")[0]: line for line in text.partition("c/C.kt\n")[2].splitlines()}
    assert "[likely]" not in lines[str(own)]
    assert str(other) not in lines
    assert "[likely]" in lines["9"]
