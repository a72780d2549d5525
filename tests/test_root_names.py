"""Roots whose names have slashes: a path goes to the root that it begins with, or means all below a folder of roots."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, write
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.workspace import Workspace

SHOP, MAIL, TOOLS = "example.org/acme/shop", "example.org/acme/mail@next", "example.net/tools"


@pytest.fixture
def ask(tmp_path: Path, sessions: list[Session]) -> Asking:
    """A code base of three repositories."""
    trees = {
        SHOP: {"src/cart.py": "class Cart:\n    pass\n", "src/sale.py": "from cart import Cart\n\nsold = Cart()\n"},
        MAIL: {"src/cart.py": "class Cart:\n    pass\n", "post.py": "def post():\n    pass\n"},
        TOOLS: {"run.sh": "echo run\n"},
    }
    parts = []
    for number, (name, files) in enumerate(trees.items()):
        parts.append(Index(write(tmp_path / str(number), files), None, 1, name=name))
    session = Session(Config(tmp_path, None, "openai"), Workspace(parts))
    sessions.append(session)
    session.index.start()
    assert session.index.wait(60)
    return Asking(session)


def test_files_are_read_and_names_resolved_in_the_root_that_a_path_begins_with(ask: Asking) -> None:
    assert "class Cart" in ask("read_file", path=f"{SHOP}/src/cart.py")
    found = ask("find_references", symbol=f"{SHOP}/src/cart.py:Cart")
    assert f"{SHOP}/src/sale.py" in found
    assert f"{MAIL}/src" not in found
    assert f"{MAIL}/src/cart.py" in ask("symbol_search", query="Cart")


def test_a_folder_of_roots_is_a_folder(ask: Asking) -> None:
    listed = ask("list_files", path="example.org", recursive=True, limit=50)
    assert "[Files 1-4 of 4]" in listed
    assert "run.sh" not in listed
    assert "[Files 1-5 of 5]" in ask("list_files", recursive=True, limit=50)
    roots = ask("list_files")
    assert all(name in roots for name in (SHOP, MAIL, TOOLS))


def test_a_root_a_folder_and_a_file_are_asked_for_by_the_names_that_answers_show(
    tmp_path: Path, sessions: list[Session]
) -> None:
    odd = write(
        tmp_path / "1", {"plain.py": "def needle():\n    pass\n", "b\u202ed/c\u202ef.py": "def other():\n    pass\n"}
    )
    parts = [Index(odd, None, 1, name="x\u202ey"), Index(write(tmp_path / "2", {"a.py": ""}), None, 1, name="z")]
    session = Session(Config(tmp_path, None, "openai"), Workspace(parts))
    sessions.append(session)
    session.index.start()
    assert session.index.wait(60)
    ask = Asking(session)
    shown = ask("symbol_search", query="needle")
    assert "x\\u202ey/plain.py" in shown
    assert "def needle" in ask("read_file", path="x\\u202ey/plain.py")
    assert "plain.py" in ask("list_files", path="x\\u202ey")
    assert "needle" in ask("go_to_definition", symbol="x\\u202ey/plain.py:needle")
    assert "def other" in ask("read_file", path="x\\u202ey/b\\u202ed/c\\u202ef.py")
    assert "c\\u202ef.py" in ask("list_files", path="x\\u202ey/b\\u202ed/")


def test_a_glob_may_range_over_roots(ask: Asking) -> None:
    listed = ask("list_files", path="example.org/acme/*/src/*.py", recursive=True, limit=50)
    assert "[Files 1-3 of 3]" in listed


def test_a_path_of_no_root_is_refused_with_the_nearest_one(ask: Asking) -> None:
    assert f'Call read_file(path="{SHOP}/src/cart.py")' in ask.error(
        "read_file", path="example.org/acme/sho/src/cart.py"
    )
    assert "is a folder" in ask.error("read_file", path="example.org/acme")


@pytest.mark.parametrize(
    ("path", "names"),
    [
        (f"{SHOP}/src", {SHOP}),
        (SHOP, {SHOP}),
        (f"{SHOP}er", set()),
        ("example.org/acme", {SHOP, MAIL}),
        ("example.org/acme/*/src", {SHOP, MAIL}),
        (f"{SHOP}/**/*.py", {SHOP}),
        ("example.*/tools", {SHOP, MAIL, TOOLS}),
        ("", {SHOP, MAIL, TOOLS}),
        ("elsewhere/x", set()),
    ],
)
def test_a_path_is_about_the_roots_that_it_begins_with_or_that_lie_below_it(path: str, names: set[str]) -> None:
    assert RootNames([SHOP, MAIL, TOOLS]).about(path) == names
