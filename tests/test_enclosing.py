"""Where a line stands: a search and a file that is read name the symbols around it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request

CODE = """class Shelf:
    def add(self, book):
        # find me
        self.books.append(book)
        return "find me"

    def take(self):
        if self.books:
            return "find me"


print("find me")


def find_me(): ...
"""
MACROS = """int go(int);
#define ONE go(1)
#define TWO \\
  do { go(2); \\
  } while (0)
#define NUMBER 1
int main(void) { ONE; return go(3); }
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(
        write(tmp_path_factory.mktemp("enclosing"), {"shelf.py": CODE, "macros.c": MACROS, "a.txt": "find me\n"})
    )


def test_a_search_names_the_symbol_around_a_match_once_for_each_run_of_matches(tree: Asking) -> None:
    lines = tree("search_text", query="find me").splitlines()
    assert lines[1:8] == [
        "shelf.py",
        '5: return "find me"  (in Shelf.add)',
        '9: return "find me"  (in Shelf.take)',
        '12: print("find me")  (top level)',
        "3: # find me  (in Shelf.add)",
        "a.txt",
        "1: find me",
    ]


def test_a_search_names_the_symbols_around_matches_in_a_large_file_too(tmp_path: Path, opened: Open) -> None:
    code = "".join(f"int long_name_of_function_{i}(int a)\n{{\n    return a + {i};\n}}\n" for i in range(5_000))
    lines = opened(write(tmp_path, {"large.c": code}))("search_text", query="return a + 499").splitlines()
    assert lines[2:13] == [
        f"{4 * i + 3}: return a + {i};  (in long_name_of_function_{i})" for i in (499, *range(4_990, 5_000))
    ]


def test_a_definition_that_matches_stands_in_what_it_is_a_member_of(tree: Asking) -> None:
    assert "2: def add(self, book):  (in Shelf)" in tree("search_text", query="def add")


def test_uses_in_one_symbol_name_it_once_and_say_that_the_others_are_in_the_same(tmp_path: Path, opened: Open) -> None:
    code = "def run(): ...\n\n\ndef main():\n    run()\n    run()\n\n\nrun()\n"
    lines = opened(write(tmp_path, {"a.py": code}))("find_references", symbol="run").splitlines()
    assert lines[4:7] == ["5: run()  (in main)", "6: run()  (same)", "9: run()  (top level)"]


def test_a_search_gives_the_symbol_around_as_json(tree: Asking) -> None:
    response = tree.session.call(Request("search_text", {"query": "find me"}, as_json=True))
    items = json.loads(response.text)["items"]
    assert [one.get("container") for one in items] == [None, "Shelf.add", "Shelf.add", "Shelf.take", None]


def test_a_small_budget_shows_all_matches_before_what_they_are_in(tree: Asking) -> None:
    answers = [tree("search_text", query="find me", max_tokens=size) for size in range(60, 120)]
    assert any("complete" in text and "in Shelf" not in text for text in answers)
    assert all("12: print" in text and "1: find me" in text for text in answers if "in Shelf" in text)


def test_a_file_that_is_read_from_the_middle_names_what_its_first_line_is_in(tree: Asking) -> None:
    assert "\nin Shelf (1-9) > add (2-5)\n4: " in tree("read_file", path="shelf.py", start_line=4)
    assert "\nin Shelf (1-9)\n2: " in tree("read_file", path="shelf.py", start_line=2)
    assert "\nin " not in tree("read_file", path="shelf.py")
    assert "\nin " not in tree("read_file", path="shelf.py", start_line=12)


def test_a_use_in_a_macro_is_in_the_macro(tree: Asking) -> None:
    text = tree("find_references", symbol="macros.c:1", detail="full")
    assert "2: #define ONE go(1)  (in ONE)" in text
    assert "4: do { go(2); \\  (in TWO)" in text
    assert "(in main)" in text


def test_a_file_that_changed_since_it_was_indexed_is_searched_as_it_is(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"shelf.py": CODE}))
    (tmp_path / "shelf.py").write_text("def other():\n    pass\n    # find me\n")
    assert "3: # find me  (in other)" in ask("search_text", query="find me")
