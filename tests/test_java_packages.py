"""Java: a package lies below several roots, and what has no modifier is named in its package alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SHOP = {
    "src/main/java/com/shop/Cart.java": (
        "package com.shop;\n\n"
        "class Cart {\n    int size, limit;\n    public int total;\n    int count() { return size; }\n}\n"
    ),
    "src/main/java/com/shop/Sizes.java": "package com.shop;\n\ninterface Sizes { int MOST = 3; class Step {} }\n",
    "src/main/java/com/shop/Pair.java": "package com.shop;\n\npublic record Pair(int width) { static int made; }\n",
    "src/test/java/com/shop/CartTest.java": (
        "package com.shop;\n\nclass CartTest {\n    void test(Cart cart) { cart.size = cart.total; }\n}\n"
    ),
    "odd/Other.java": "package com.shop;\n\nclass Other {\n    int of(Cart cart) { return cart.size; }\n}\n",
    "src/main/java/com/till/Till.java": (
        "package com.till;\n\n"
        "public class Till {\n"
        "    int of() { var cart = Lib.get(); return cart.size + cart.total + cart.made + cart.width(); }\n"
        "    int most() { var sizes = Lib.get(); return sizes.MOST + sizes.count(); }\n}\n"
    ),
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, SHOP))


@pytest.mark.parametrize(("symbol", "exact"), [("Cart.size", 4), ("Cart.limit", 1), ("Cart", 3)])
def test_what_has_no_modifier_is_named_in_its_package_alone(shop: Asking, symbol: str, exact: int) -> None:
    text = shop("find_references", symbol=symbol)
    assert "complete" in text
    assert f"exact {exact}" in text
    assert "Till.java" not in text


@pytest.mark.parametrize("symbol", ["Cart.total", "Sizes.MOST", "Cart.count", "Pair.width"])
def test_what_other_packages_may_name_is_looked_for_in_all_files(shop: Asking, symbol: str) -> None:
    assert "com/till/Till.java" in shop("find_references", symbol=symbol)


def test_a_file_whose_folder_does_not_spell_its_package_says_nothing_of_other_files(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "a/Cart.java": "package com.shop;\n\nclass Cart { int size; }\n",
        "b/Use.java": "package com.till;\n\nclass Use { int of() { var cart = Lib.get(); return cart.size; } }\n",
    }
    assert "b/Use.java" in opened(write(tmp_path, files))("find_references", symbol="Cart.size")


@pytest.mark.parametrize("roots", [("java", "javatests"), ("src", "test"), ("a/src/main/java", "b/src/main/java")])
def test_a_package_is_seen_without_import_below_other_roots(
    tmp_path: Path, opened: Open, roots: tuple[str, str]
) -> None:
    first, second = roots
    files = {
        f"{first}/com/shop/Cart.java": "package com.shop;\n\npublic class Cart { int count() { return 1; } }\n",
        f"{second}/com/shop/CartTest.java": (
            "package com.shop;\n\nclass CartTest { int test(Cart cart) { return cart.count(); } }\n"
        ),
        f"{second}/com/till/shop/Other.java": "package com.till.shop;\n\nclass Other { Cart cart; }\n",
    }
    ask = opened(write(tmp_path, files))
    assert "exact 2" in ask("find_references", symbol="Cart.count")
    text = ask("find_references", symbol="Cart")
    assert "exact 2" in text
    assert "CartTest.java" in text
    assert "Cart.java:3" in ask("go_to_definition", symbol=f"{second}/com/shop/CartTest.java:3:27")


def test_the_own_folder_comes_before_other_folders_of_a_package(tmp_path: Path, opened: Open) -> None:
    files = {
        f"{root}/com/shop/{name}.java": f"package com.shop;\n\nclass {name} {{ Cart cart; }}\n"
        for root in ("a/src", "b/src")
        for name in ("Cart", "Till")
    }
    text = opened(write(tmp_path, files))("find_references", symbol="b/src/com/shop/Cart.java:Cart")
    assert "\na/src" not in text
    assert "exact 3" in text


def test_java_and_kotlin_see_the_names_of_their_package_in_each_other(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/main/java/com/shop/Cart.java": (
            "package com.shop;\n\npublic class Cart {\n    Price price;\n    int count() { return price.cents(); }\n}\n"
        ),
        "src/main/kotlin/com/shop/Price.kt": (
            "package com.shop\n\nclass Price(val cart: Cart) {\n    fun cents(): Int = cart.count()\n}\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    for symbol in ("Cart", "Cart.count", "Price", "Price.cents"):
        assert "2 references in 2 files, complete" in ask("find_references", symbol=symbol)


OBSCURED = {
    "src/com/acme/Tool.java": "package com.acme;\npublic class Tool { public static class In { } }\n",
    "src/p/Helper.java": "package p;\npublic class Helper { Helper acme; Helper Tool; Helper In; void run() {} }\n",
    "src/p/Base.java": "package p;\npublic class Base { protected Helper com; }\n",
    "src/p/Sub.java": (
        "package p;\npublic class Sub extends Base {\n    com.acme.Tool f;\n    com.acme.Tool.In i;\n"
        "    void m(Object o) {\n        Object x = new com.acme.Tool();\n        Object y = (com.acme.Tool) o;\n"
        "        Object c = com.acme.Tool.class;\n        com.acme.Tool.run();\n    }\n}\n"
    ),
}


@pytest.mark.parametrize("place", ["3:14", "4:14", "6:33", "7:30", "8:29"])
def test_a_field_obscures_no_package_where_a_type_stands(tmp_path: Path, opened: Open, place: str) -> None:
    ask = opened(write(tmp_path, OBSCURED))
    assert "in src/com/acme/Tool.java:2" in ask("go_to_definition", symbol=f"src/p/Sub.java:{place}")


@pytest.mark.parametrize("symbol", ["Helper.acme", "Helper.Tool", "Base.com"])
def test_a_field_obscures_a_package_where_a_value_may_stand(tmp_path: Path, opened: Open, symbol: str) -> None:
    text = opened(write(tmp_path, OBSCURED))("find_references", symbol=symbol)
    assert "2 references in 2 files" in text
    assert "9: com.acme.Tool.run();" in text.partition("undecided:")[0]
