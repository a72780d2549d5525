"""Types of Python that fit a protocol by their members alone: undecided, and never left out in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_tools.resolve.hierarchy import protocols

TREE = {
    "ports.py": (
        "from typing import Protocol\n\n\nclass Closer(Protocol):\n    name: str\n\n"
        "    def close(self) -> None: ...\n\n\ndef finish(one: Closer) -> None:\n    one.close()\n"
    ),
    "files.py": (
        "from library import Base\nfrom ports import Closer\n\n\n"
        "class File:\n    name = 'x'\n\n    def close(self): ...\n\n\n"
        "class Door:\n    def close(self): ...\n\n\n"
        "class Named(Closer):\n    def close(self): ...\n\n\n"
        "class Foreign(Base):\n    def close(self): ...\n\n\n"
        "class Above:\n    def __init__(self):\n        self.name = 'y'\n\n\n"
        "class Below(Above):\n    def close(self): ...\n"
    ),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("protocols"), TREE))


def test_types_that_may_fit_a_protocol_are_undecided_subtypes(tree: Asking) -> None:
    answer = tree("find_implementations", symbol="ports.Closer")
    assert "1 subtype" in answer
    assert "3 undecided" in answer
    assert all(f"class {name}" in answer for name in ("Named(Closer)", "File", "Foreign(Base)", "Below(Above)"))
    assert "class Door" not in answer
    assert "types that get all its members from outside of this code base are not listed" in answer


def test_methods_that_may_be_called_through_a_protocol_are_undecided(tree: Asking) -> None:
    answer = tree("find_implementations", symbol="ports.Closer.close")
    assert "3 undecided" in answer
    assert all(f"{line}:" in answer for line in (8, 16, 20, 29))


@pytest.mark.parametrize("owner", ["File", "Foreign", "Below"])
@pytest.mark.parametrize("tool", ["call_hierarchy", "find_references"])
def test_a_method_that_may_be_called_through_a_protocol_names_it(tree: Asking, tool: str, owner: str) -> None:
    answer = tree(tool, symbol=f"files.{owner}.close")
    assert "Closer.close ports.py:7" in answer
    assert "no callers" not in answer


@pytest.mark.parametrize("tool", ["call_hierarchy", "find_references"])
def test_a_method_whose_type_lacks_a_member_of_the_protocol_does_not_name_it(tree: Asking, tool: str) -> None:
    assert "ports.py" not in tree(tool, symbol="files.Door.close")


@pytest.mark.parametrize(("symbol", "kept"), [("files.File.close", "ports.py:7"), ("ports.Closer.close", "files.py:8")])
def test_a_rename_names_the_members_of_protocols_that_keep_the_old_name(tree: Asking, symbol: str, kept: str) -> None:
    answer = tree("rename_symbol", symbol=symbol, new_name="shut")
    assert kept in answer.partition("types are compared by their members")[2]


PARTS = {
    "ports.py": (
        "from typing import Protocol\n\n\nclass Rare(Protocol):\n"
        "    def seldom(self) -> None: ...\n\n    def usual(self) -> None: ...\n"
    ),
    "parts.py": (
        "from library import Outer\n\n\nclass Halved(Outer):\n    def usual(self): ...\n\n\n"
        "class One:\n    def seldom(self): ...\n\n\nclass Other:\n    def usual(self): ...\n\n\n"
        "class Joined(One, Other):\n    pass\n\n\nclass Heir(Joined):\n    pass\n"
    ),
    **{f"many{number}.py": "class Plain:\n    def usual(self): ...\n" for number in range(6)},
}


def test_a_base_from_outside_may_have_the_rarest_member_of_a_protocol(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "_MOST_COMPARED", 3)  # fewer than declare the usual member, most without a base
    answer = opened(write(tmp_path, PARTS))("find_implementations", symbol="ports.Rare")
    assert "class Halved(Outer)" in answer
    assert "too many" not in answer


def test_types_that_inherit_the_members_of_a_protocol_from_several_bases_are_undecided(
    tmp_path: Path, opened: Open
) -> None:
    answer = opened(write(tmp_path, PARTS))("find_implementations", symbol="ports.Rare")
    assert "3 undecided" in answer
    assert all(f"class {name}" in answer for name in ("Halved(Outer)", "Joined(One, Other)", "Heir(Joined)"))


def test_an_answer_is_not_complete_where_too_many_types_have_a_member_of_a_protocol(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "_MOST_COMPARED", 1)
    answer = opened(write(tmp_path, PARTS))("find_implementations", symbol="ports.Rare")
    assert "complete" not in answer
    assert "its members have too many definitions to compare all" in answer
