"""Where uses lead in Python that mean something from outside, what a function collects, or the nearest of several."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

LIBRARY = """
class Sink:
    def append(self, item): ...
    def getvalue(self): ...
    def date(self): ...


def run(command, *, check=False, **options):
    return command, check, options


def launch(
    command,
    # what is started with it
    **settings,
): ...


class Widget:
    def __init__(self, **properties):
        self.size = None

    def resize(self): ...


class Button(Widget):
    def press(self):
        self.size = 2
        return self.size


class Label(Widget):
    def draw(self):
        return self.size


class Factory:
    def __init__(self, width): ...
"""

MAIN = """
from __future__ import annotations

import argparse
import io
from collections import namedtuple
from datetime import datetime
from functools import partial
from types import SimpleNamespace

import library
from library import Factory, Widget, launch, run
from toolkit import make

Pair = namedtuple("Pair", "left right")


def outside(value, unknown):
    out = io.StringIO()
    out.getvalue()
    both = io.StringIO() if value else unknown()
    both.getvalue()
    rows = []
    rows.append(value)
    rows = list()
    if isinstance(value, datetime):
        value.date()
    parser = argparse.ArgumentParser(description="text")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--all", action="store_true")
    value.getvalue()
    unknown.undeclared()
    names = SimpleNamespace(append=1)
    names.append
    pair = Pair(1, 2)
    pair.left
    parser.written = 1
    parser.written


def keywords(value):
    run("ls", check=True, shell=False)
    launch("ls", priority=1)
    Widget(color="red")
    make(value, speed=2)
    make(Factory, width=2)
    partial(run, check=True)


class Outer:
    class Inner:
        name = 1
        again = name

    class Inner:
        name = 2
        again = name
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("outside"), {"library.py": LIBRARY, "main.py": MAIN}))


def _place(text: str, path: str, line: str, word: str) -> str:
    """Return the place of the last occurrence of a word in the only line of a text that is stripped to ``line``."""
    found = [(number, one) for number, one in enumerate(text.split("\n"), 1) if one.strip() == line]
    assert len(found) == 1, line
    return f"{path}:{found[0][0]}:{found[0][1].rindex(word) + 1}"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("from __future__ import annotations", "annotations"),
        ("out.getvalue()", "getvalue"),
        ("rows.append(value)", "append"),
        ("value.date()", "date"),
        ("group = parser.add_mutually_exclusive_group()", "add_mutually_exclusive_group"),
        ('group.add_argument("--all", action="store_true")', "add_argument"),
        ('group.add_argument("--all", action="store_true")', "action"),
        ('parser = argparse.ArgumentParser(description="text")', "description"),
        ("make(value, speed=2)", "speed"),
    ],
)
def test_what_something_from_outside_has_or_takes_is_from_outside(tree: Asking, line: str, word: str) -> None:
    message = tree.error("go_to_definition", symbol=_place(MAIN, "main.py", line, word))
    assert f"'{word}' comes from outside of the code base" in message


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("both.getvalue()", "getvalue"),
        ("value.getvalue()", "getvalue"),
        ("names.append", "append"),
    ],
)
def test_a_member_that_may_be_one_of_the_tree_leads_to_what_has_its_name(tree: Asking, line: str, word: str) -> None:
    answer = tree("go_to_definition", symbol=_place(MAIN, "main.py", line, word))
    assert "the definition was not found" in answer
    assert "library.py" in answer


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("unknown.undeclared()", "undeclared"),
        ("pair.left", "left"),
        ("parser.written", "written"),
        ("make(Factory, width=2)", "width"),
    ],
)
def test_what_may_be_made_in_the_tree_is_not_reported_as_from_outside(tree: Asking, line: str, word: str) -> None:
    message = tree.error("go_to_definition", symbol=_place(MAIN, "main.py", line, word))
    assert f"'{word}' is used here, but its definition was not found" in message


@pytest.mark.parametrize(
    ("line", "word", "note"),
    [
        ('run("ls", check=True, shell=False)', "check", "Parameter in library.py:8"),
        (
            'run("ls", check=True, shell=False)',
            "shell",
            "Function in library.py:8:5, no parameter has the name: options on line 8 collects it",
        ),
        (
            'launch("ls", priority=1)',
            "priority",
            "Function in library.py:12:5, no parameter has the name: settings on line 15 collects it",
        ),
        ('Widget(color="red")', "color", "no parameter has the name: properties on line 20 collects it"),
    ],
)
def test_an_argument_that_no_parameter_has_the_name_of_leads_to_the_function_that_collects_it(
    tree: Asking, line: str, word: str, note: str
) -> None:
    assert note in tree("go_to_definition", symbol=_place(MAIN, "main.py", line, word))


def test_the_uses_of_an_argument_that_is_collected_are_not_those_of_the_parameter_that_collects_it(
    tree: Asking,
) -> None:
    place = _place(MAIN, "main.py", 'run("ls", check=True, shell=False)', "shell")
    assert "options" not in tree.error("find_references", symbol=place)


@pytest.mark.parametrize(("line", "number"), [("return self.size  # in Button", 28), ("return self.size", 21)])
def test_an_attribute_leads_to_the_nearest_type_that_gives_it_a_value(tree: Asking, line: str, number: int) -> None:
    lines = LIBRARY.split("\n")
    uses = [at for at, one in enumerate(lines, 1) if one.strip() == "return self.size"]
    at = uses[0] if "Button" in line else uses[1]
    assert f"Field in library.py:{number}" in tree("go_to_definition", symbol=f"library.py:{at}:21")


def test_the_uses_of_an_attribute_are_those_through_all_types_that_share_it(tree: Asking) -> None:
    lines = [at for at, one in enumerate(LIBRARY.split("\n"), 1) if "self.size" in one]
    answer = tree("find_references", symbol="library.py:21")
    assert all(f"{line}:" in answer for line in lines[1:])


@pytest.mark.parametrize("number", [1, 2])
def test_a_name_in_the_body_of_a_class_leads_to_what_that_body_binds(tree: Asking, number: int) -> None:
    lines = MAIN.split("\n")
    bound = next(at for at, one in enumerate(lines, 1) if one.strip() == f"name = {number}")
    assert f"Field in main.py:{bound}" in tree("go_to_definition", symbol=f"main.py:{bound + 1}:17")


def test_a_variable_that_stands_in_for_an_import_from_outside_is_what_uses_mean(tmp_path: Path, opened: Open) -> None:
    code = "try:\n    import argon2\nexcept ImportError:\n    argon2 = None\n\n\ndef f():\n    return argon2\n"
    ask = opened(write(tmp_path, {"a.py": code}))
    assert "\n8: return argon2" in ask("find_references", symbol="a.py:4:5")
    assert "Variable in a.py:4\n" in ask("go_to_definition", symbol="a.py:8:12")
