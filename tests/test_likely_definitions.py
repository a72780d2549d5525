"""A name whose definition was not found leads to the symbol for which find_references lists it as a likely use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Open, write
from leadline_server.call import Request

LIKELY = "the definition was not found; this is likely it"
CART = "class Cart:\n    def add_item(self, item):\n        return item\n"


def test_a_likely_use_leads_to_the_source_of_the_only_member_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"cart.py": CART, "use.py": "def fill(given):\n    given.add_item(1)\n"}))
    assert "2: given.add_item(1)  [likely]" in ask("find_references", symbol="cart.py:2")
    answer = ask("go_to_definition", symbol="use.py:2:11")
    assert LIKELY in answer
    assert "Method in cart.py:2\n2:     def add_item(self, item):\n3:         return item" in answer


def test_json_has_the_tier_of_a_likely_definition(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"cart.py": CART, "use.py": "def fill(given):\n    given.add_item(1)\n"}))
    answer = ask.session.call(Request("go_to_definition", {"symbol": "use.py:2:11"}, as_json=True))
    items = json.loads(answer.text)["items"]
    assert [(one["line"], one["tier"]) for one in items] == [(2, "likely"), (3, "likely")]


def test_several_members_of_the_name_are_listed(tmp_path: Path, opened: Open) -> None:
    other = "class List:\n    def add_item(self, item): ...\n"
    use = "def fill(given):\n    given.add_item(1)\n"
    ask = opened(write(tmp_path, {"cart.py": CART, "list.py": other, "use.py": use}))
    answer = ask("go_to_definition", symbol="use.py:2:11")
    assert "2 candidates" in answer.partition("\n")[0]
    assert LIKELY not in answer


def test_of_several_members_the_one_is_shown_whose_type_the_receiver_is_called_like(
    tmp_path: Path, opened: Open
) -> None:
    other = "class List:\n    def add_item(self, item): ...\n"
    use = "from cart import Cart\n\ndef fill(cart):\n    cart.add_item(1)\n"
    ask = opened(write(tmp_path, {"cart.py": CART, "list.py": other, "use.py": use}))
    answer = ask("go_to_definition", symbol="use.py:4:10")
    assert LIKELY in answer
    assert "Method in cart.py:2" in answer


def test_beside_a_function_of_the_name_no_member_is_likely(tmp_path: Path, opened: Open) -> None:
    use = "def fill(given):\n    given.add_item(1)\n"
    ask = opened(write(tmp_path, {"cart.py": CART, "list.py": "def add_item(item): ...\n", "use.py": use}))
    answer = ask("go_to_definition", symbol="use.py:2:11")
    assert "2 candidates" in answer.partition("\n")[0]
    assert LIKELY not in answer


@pytest.mark.parametrize("name", ["get", "close"])
def test_a_member_that_types_from_outside_have_too_is_no_likely_definition(
    name: str, tmp_path: Path, opened: Open
) -> None:
    given = {"box.py": f"class Box:\n    def {name}(self): ...\n", "use.py": f"def use(given):\n    given.{name}()\n"}
    ask = opened(write(tmp_path, given))
    assert "[likely]" not in ask("find_references", symbol="box.py:2")
    answer = ask("go_to_definition", symbol="use.py:2:11")
    assert "1 candidate" in answer
    assert LIKELY not in answer
