"""Keywords of calls: of variables that hold a function, of overloads, of parameters that an inner function rebinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

TREE = {
    "impl.py": "def create(debug=False):\n    return debug\n\n\ndef other(debug=True):\n    return debug\n",
    "use.py": """import impl
from impl import create

make = impl.create
make(debug=False)


class Page:
    def __init__(self, page=1):
        pass

    def opened(self, page):
        return page

    @classmethod
    def build(cls):
        return cls(page=3)


class Sub(Page):
    @classmethod
    def of(cls):
        return cls(page=4)


def run(page: Page, callback, fast):
    handler = page.opened
    handler(page="z")
    callback(page=3)
    impl.other(debug=1)
    either = impl.create
    if fast:
        either = impl.other
    either(debug=2)
""",
    "shadow.py": """def shadow(limit, name="x"):
    def name():
        return limit

    return name


shadow(limit=2, name="y")
""",
    "overloads.py": """from typing import overload


@overload
def parse(text: str, *, strict: bool) -> int: ...
@overload
def parse(text: bytes, *, strict: bool) -> str: ...
def parse(text, *, strict=False):
    return text


parse("x", strict=True)
""",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("tree"), TREE))


@pytest.mark.parametrize(
    ("parameter", "keyword", "line"),
    [
        ("impl.py:1:12", "use.py:5:6", "5: make(debug=False)"),
        ("use.py:9:24", "use.py:17:20", "17: return cls(page=3)"),
        ("use.py:9:24", "use.py:23:20", "23: return cls(page=4)"),
        ("use.py:12:22", "use.py:28:13", '28: handler(page="z")'),
    ],
)
def test_a_keyword_names_the_parameter_of_the_function_that_a_variable_holds(
    tree: Asking, parameter: str, keyword: str, line: str
) -> None:
    assert line in tree("find_references", symbol=parameter)
    assert line in tree("find_references", symbol=keyword)
    assert f"Parameter in {parameter}" in tree("go_to_definition", symbol=keyword)


def test_a_keyword_of_a_variable_that_holds_one_of_two_functions_is_likely(tree: Asking) -> None:
    assert "34: either(debug=2)  [likely]" in tree("find_references", symbol="impl.py:1:12")


def test_a_keyword_of_an_unknown_function_is_undecided_where_the_function_is_handed_on(tree: Asking) -> None:
    shown = tree("find_references", symbol="use.py:12:22", max_tokens=1_000)
    assert "1 undecided" in shown
    assert "29: callback(page=3)" in tree("find_references", symbol="use.py:12:22", tier="name")
    never_handed_on = tree("find_references", symbol="impl.py:5:11")
    assert "5: make" not in never_handed_on


def test_a_parameter_and_an_inner_function_of_its_name_are_one_variable_that_keywords_name(tree: Asking) -> None:
    for place in ("shadow.py:1:19", "shadow.py:2:9"):
        assert '8: shadow(limit=2, name="y")' in tree("find_references", symbol=place)
        assert '+shadow(limit=2, other="y")' in tree("rename_symbol", symbol=place, new_name="other")
    assert "Parameter in shadow.py:1:19" in tree("go_to_definition", symbol="shadow.py:8:17")


@pytest.mark.parametrize("place", ["overloads.py:5:25", "overloads.py:7:27", "overloads.py:8:20"])
def test_a_parameter_is_renamed_in_all_overloads_of_its_function(tree: Asking, place: str) -> None:
    shown = tree("rename_symbol", symbol=place, new_name="exact")
    assert shown.count("exact") >= 4
    assert '+parse("x", exact=True)' in shown


CALLED_VALUES = {
    "a.py": """class Button:
    def __init__(self, on_click):
        self.on_click = on_click

    def press(self):
        self.on_click(event=1)


def handler(event):
    print(event)


Button(handler).press()


def make():
    def add(step):
        return step

    return add, 1


add, size = make()


class Signup:
    def __call__(self, email):
        return email


def build() -> Signup:
    return Signup()


signup = build()
signup(email="a")
build()(email="c")
""",
    "b.py": """import a

HANDLERS = {"click": a.handler}
a.add(step=2)
a.signup(email="z")


def dispatch(kind, signup: a.Signup):
    signup(email="d")
    HANDLERS[kind](event=3)
""",
}


def test_keywords_of_calls_of_attributes_and_of_what_has_no_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CALLED_VALUES))
    assert "exact 2, undecided 2" in ask("find_references", symbol="a.py:9:13")
    assert "exact 3" in ask("find_references", symbol="a.py:17:13")
    assert "+a.add(by=2)" in ask("rename_symbol", symbol="a.py:17:13", new_name="by")


def test_keywords_of_calls_of_an_object(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CALLED_VALUES))
    assert "exact 5, undecided 1" in ask("find_references", symbol="a.py:27:24")
    assert "a.py:27:24" in ask("go_to_definition", symbol="b.py:9:12")
