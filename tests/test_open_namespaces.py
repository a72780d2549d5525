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


def test_each_part_of_a_using_leads_to_its_namespace(tmp_path: Path, opened: Open) -> None:
    tree = {**CSHARP, "g.cs": "global using Shop;\nglobal using Shop.Models;\n"}
    ask = opened(write(tmp_path, tree))
    for place, leads in (
        ("c.cs:1:7", "a.cs:1"),
        ("c.cs:2:7", "a.cs:1"),
        ("c.cs:2:12", "d.cs:1"),
        ("g.cs:1:14", "a.cs:1"),
        ("g.cs:2:14", "a.cs:1"),
    ):
        assert f"Namespace in {leads}" in ask("go_to_definition", symbol=place)


PHP = {
    "src/Client.php": (
        "<?php\nnamespace Shop;\nuse Shop\\Error\\Bad;\nuse Shop\\{Pool, Error\\Worse};\nuse function Shop\\helper;\n"
        "class Client { function f(): Bad { return new Bad(); } }\n"
    ),
    "src/Error/Bad.php": "<?php\nnamespace Shop\\Error;\nuse Shop\\Pool;\nclass Bad { }\n",
    "src/Error/Worse.php": "<?php\nnamespace Shop\\Error;\nclass Worse { }\n",
    "src/Pool.php": "<?php\nnamespace Shop;\nclass Pool { }\nfunction helper() { }\n",
    "src/Other.php": (
        "<?php\nnamespace Shop;\nuse Vendor\\Error\\Bad;\nuse Shop\\Rest\\Pool;\n"
        "class Other { function f(): Bad { return new Pool(); } }\n"
    ),
}


@pytest.mark.parametrize(
    "place", ["src/Client.php:3:5", "src/Client.php:4:5", "src/Client.php:5:14", "src/Error/Bad.php:3:5"]
)
def test_the_first_part_of_a_use_of_php_leads_to_its_namespace(tmp_path: Path, opened: Open, place: str) -> None:
    ask = opened(write(tmp_path, PHP))
    assert "go_to_definition Shop:" in (text := ask("go_to_definition", symbol=place))
    assert "Namespace in src/" in text
    assert "likely" not in ask("find_references", symbol="src/Pool.php:2").splitlines()[1]


def test_a_further_part_of_a_use_leads_to_the_files_that_open_the_namespace_up_to_it(
    tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, PHP))("go_to_definition", symbol="src/Client.php:3:10")
    assert "Module in src/Error/Bad.php" in text
    assert "Module in src/Error/Worse.php" in text
    assert "Client.php," not in text


@pytest.mark.parametrize("place", ["3:5", "3:12", "3:18", "4:10", "4:15", "5:29", "5:47"])
def test_what_no_file_of_a_namespace_declares_comes_from_outside(tmp_path: Path, opened: Open, place: str) -> None:
    error = opened(write(tmp_path, PHP)).error("go_to_definition", symbol=f"src/Other.php:{place}")
    assert "comes from outside of the code base" in error


def test_a_class_from_outside_that_is_called_like_one_of_the_tree_is_another(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PHP))
    assert "account: exact 4, another symbol 2\n" in ask("find_references", symbol="src/Error/Bad.php:4")
    assert "account: exact 3, another symbol 2\n" in ask("find_references", symbol="src/Pool.php:3")


def test_a_name_may_be_one_of_the_tree_where_classes_get_other_names_as_the_program_runs(
    tmp_path: Path, opened: Open
) -> None:
    aliased = {**PHP, "src/alias.php": "<?php\nclass_alias('Shop\\\\Error\\\\Bad', 'Vendor\\\\Error\\\\Bad');\n"}
    assert "undecided 2" in opened(write(tmp_path, aliased))("find_references", symbol="src/Error/Bad.php:4")


def test_a_using_inside_of_a_namespace_may_mean_one_inside_of_that(tmp_path: Path, opened: Open) -> None:
    tree = {**CSHARP, "f.cs": "namespace App.Shop\n{\n    class Own { }\n}\n"}
    text = opened(write(tmp_path, tree))("find_references", symbol="a.cs:1:11")
    assert "3: using Shop;  [likely]" in text
