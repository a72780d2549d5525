"""Namespaces that several files open: one symbol with the uses and members of all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

CPP = {
    "a.h": "#pragma once\nnamespace shop {\nstruct Item { int price; };\nnamespace detail { int one(); }\n}\n",
    "b.h": (
        '#include "a.h"\nnamespace shop {\ninline int total(Item i) { return i.price + detail::one(); }\n}\n'
        "namespace shop::detail { int two(); }\n"
    ),
    "m.cpp": '#include "b.h"\nusing namespace shop;\nint main() { return shop::total(shop::Item{1}); }\n',
}
CSHARP = {
    "a.cs": "namespace Shop\n{\n    class Item { }\n}\n",
    "b.cs": "namespace Shop\n{\n    class Other { Shop.Item item; }\n}\n",
    "c.cs": "using Shop;\nusing Shop.Models;\nclass Main { Item a; Shop.Other b; }\n",
    "d.cs": "namespace Shop.Models\n{\n    class Cart { }\n}\n",
    "e.cs": "namespace App\n{\n    using Shop;\n    class Page { }\n}\n",
}


@pytest.mark.parametrize("symbol", ["a.h:2:11", "b.h:2:11", "shop"])
def test_a_namespace_of_cpp_has_the_uses_of_all_files_that_open_it(tmp_path: Path, opened: Open, symbol: str) -> None:
    text = opened(write(tmp_path, CPP))("find_references", symbol=symbol)
    assert "account: exact 6\n" in text
    assert "complete" in text.partition("\n")[0]
    assert "5: namespace shop::detail" in text


@pytest.mark.parametrize("symbol", ["a.cs:1:11", "b.cs:1:11"])
def test_a_namespace_of_csharp_has_the_uses_of_all_files_that_open_it(
    tmp_path: Path, opened: Open, symbol: str
) -> None:
    text = opened(write(tmp_path, CSHARP))("find_references", symbol=symbol)
    assert "account: exact 7, likely 1\n" in text
    assert all(line in text for line in ("1: using Shop;", "2: using Shop.Models;", "1: namespace Shop.Models"))


@pytest.mark.parametrize(
    ("tree", "symbol", "members"),
    [(CPP, "a.h:2:11", ["struct Item", "namespace detail", "int total"]), (CSHARP, "a.cs:1:11", ["Item", "Other"])],
)
def test_the_members_of_a_namespace_are_those_of_all_files_that_open_it(
    tmp_path: Path, opened: Open, tree: dict[str, str], symbol: str, members: list[str]
) -> None:
    text = opened(write(tmp_path, tree))("type_members", symbol=symbol)
    assert f"{len(members)} members, complete" in text
    assert all(member in text for member in members)


def test_a_namespace_of_the_same_name_inside_of_another_is_another(tmp_path: Path, opened: Open) -> None:
    tree = {"a.h": "namespace shop { int one(); }\n", "b.h": "namespace app { namespace shop { int two(); } }\n"}
    ask = opened(write(tmp_path, tree))
    assert "account: exact 1, another symbol 1" in ask("find_references", symbol="a.h:1:11")
    assert "1 member, complete" in ask("type_members", symbol="a.h:1:11")
