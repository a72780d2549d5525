"""The ``path`` of a question about a symbol: which of several symbols is meant, and where the answer looks."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

_TREE = {
    "net/handler.py": "class Handler:\n    pass\n\n\nclass Echo(Handler):\n    pass\n",
    "log/handler.py": "class Handler:\n    pass\n\n\nclass File(Handler):\n    pass\n",
    "tests/fakes.py": "from net.handler import Handler\n\n\nclass Fake(Handler):\n    pass\n",
}


def test_a_path_says_which_of_several_symbols_is_defined(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, _TREE))
    assert "2 definitions" in ask("go_to_definition", symbol="Handler").splitlines()[0]
    shown = ask("go_to_definition", symbol="Handler", path="log")
    assert "Class in log/handler.py:1" in shown
    assert "net/" not in shown


def test_a_definition_outside_of_the_path_is_shown_with_a_word_on_that(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, _TREE))("go_to_definition", symbol="Echo", path="log")
    assert shown.splitlines()[1] == "not defined in log, but elsewhere"
    assert "Class in net/handler.py:5" in shown


def test_a_position_means_what_is_there_whatever_the_path(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, _TREE))("go_to_definition", symbol="net/handler.py:5", path="log")
    assert "Class in net/handler.py:5" in shown
    assert "elsewhere" not in shown


def test_subtypes_are_listed_in_the_path_and_the_others_are_counted(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, _TREE))
    shown = ask("find_implementations", symbol="net/handler.py:Handler", path="tests")
    assert "1 subtype" in shown.splitlines()[0]
    assert "class Fake(Handler)" in shown
    assert "class Echo" not in shown
    assert "1 more outside of path" in shown


def test_a_path_says_of_which_type_the_subtypes_are(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, _TREE))("find_implementations", symbol="Handler", path="log")
    assert shown.splitlines()[0].startswith("find_implementations log.handler.Handler: 1 subtype, complete")
    assert "class File(Handler)" in shown


def test_a_search_that_an_error_suggests_keeps_the_path(tmp_path: Path, opened: Open) -> None:
    files = {**_TREE, "net/notes.py": "# the teapot is short\n"}
    ask = opened(write(tmp_path, files))
    assert 'call search_text(query="teapot", word=true, path="net").' in (
        ask.response("find_references", symbol="teapot", path="net").text
    )
    assert 'call search_text(query="teapot", word=true).' in (ask.response("find_references", symbol="teapot").text)


def test_a_type_and_a_value_of_one_name_are_listed_together(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/point.ts": "export interface Point { x: number }\nexport const Point = { zero: 0 };\n",
        "src/use.ts": "import { Point } from './point';\nconst p: Point = { x: Point.zero };\n",
    }
    shown = opened(write(tmp_path, files))("find_references", symbol="Point")
    assert "listed together: Interface src/point.ts:1 and Constant src/point.ts:2" in shown
    assert shown.count("src/use.ts\n") == 1
    assert "2: const p: Point = { x: Point.zero };  [2 times]" in shown


def test_sections_name_their_symbol_once(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, _TREE))("find_references", symbol="Handler")
    lines = shown.splitlines()
    assert lines.count("net.handler.Handler: net/handler.py") == 1
    assert "tests/fakes.py" in lines
    assert lines.count("log.handler.Handler: log/handler.py") == 1


def test_words_in_comments_of_a_language_without_rules_are_text(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/server.c": "void freeKeys(void) {}\n",
        "tests/unit.tcl": "# freeKeys is called here\nputs 1 ;# freeKeys again\nfreeKeys\n",
        "board.dts": '/* freeKeys\n * freeKeys */\nnode { url = "//freeKeys"; };\n',
    }
    shown = opened(write(tmp_path, files))("find_references", symbol="freeKeys")
    assert "undecided 2" in shown
    assert "text 4" in shown


def test_each_type_without_a_name_is_listed_at_its_own_line(tmp_path: Path, opened: Open) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "n"\n',
        "src/lib.rs": "pub trait Seen {}\nimpl Seen for char {}\nimpl<const N: usize> Seen for [char; N] {}\n"
        "impl<'a> Seen for &'a [char] {}\nimpl<'a> Seen for &'a str {}\nimpl<'a, 'b> Seen for &'a &'b str {}\n",
    }
    shown = opened(write(tmp_path, files))("find_implementations", symbol="Seen")
    assert "5 anonymous or external" in shown
    assert [line for line in shown.splitlines() if line.startswith(("2: ", "3: ", "4: ", "5: ", "6: "))] != []
    assert all(f"\n{number}: impl" in shown for number in range(2, 7))
