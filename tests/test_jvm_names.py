"""Java and Kotlin use each other's members under other names: accessors, facades of files, names of annotations."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SHOP = {
    "src/shop/Util.kt": (
        '@file:JvmName("Shop")\npackage shop\n\nfun plain(): Int = 1\n@JvmName("renamed") fun original(): Int = 2\n'
        'val count: Int = 3\nvar size: Int\n    @JvmName("howMany") get() = 1\n    set(value) {}\n'
    ),
    "src/shop/other.kt": (
        "package shop\n\nfun other(): Int = 1\nclass Basket(val total: Int, var open: Boolean) {\n"
        "    companion object {\n        @JvmStatic fun make(): Basket = Basket(1, true)\n    }\n"
        '    @get:JvmName("hasIt") val has: Boolean = true\n    @JvmName("plus2") fun plus1() {}\n}\n'
    ),
    "src/app/Use.java": (
        "package app;\n\nimport shop.Basket;\nimport shop.OtherKt;\nimport shop.Shop;\n"
        "import static shop.OtherKt.other;\n\nclass Use {\n    void run(Basket b) {\n"
        "        Shop.plain(); Shop.renamed();\n        Shop.getCount(); Shop.howMany(); Shop.setSize(3);\n"
        "        OtherKt.other(); other();\n        Basket.make(); Basket.Companion.make();\n"
        "        b.getTotal(); b.setOpen(true); b.hasIt(); b.plus2();\n    }\n"
        "    void unknown() { lost().getCount(); }\n}\n"
    ),
    "src/app/Bean.java": (
        "package app;\n\npublic class Bean {\n    private int total;\n    public int getTotal() { return total; }\n"
        '    public void setTotal(int value) { total = value; }\n    public String getURL() { return ""; }\n'
        "    public boolean isOk() { return true; }\n    public void setOk(boolean value) {}\n"
        "    public int getUsed(int value) { return value; }\n}\n"
    ),
    "src/app/UseBean.kt": (
        "package app\n\nfun use(b: Bean) {\n    b.total = 1\n    println(b.total)\n    println(b.url)\n"
        "    b.isOk = true\n    println(b.isOk)\n}\n"
    ),
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, SHOP))


@pytest.mark.parametrize(
    ("place", "definition"),
    [
        ("10:14", "src/shop/Util.kt:4"),
        ("10:28", "src/shop/Util.kt:5"),
        ("11:14", "src/shop/Util.kt:6"),
        ("11:31", "src/shop/Util.kt:7"),
        ("11:47", "src/shop/Util.kt:7"),
        ("12:17", "src/shop/other.kt:3"),
        ("12:26", "src/shop/other.kt:3"),
        ("13:16", "src/shop/other.kt:6"),
        ("13:41", "src/shop/other.kt:6"),
        ("14:11", "src/shop/other.kt:4:18"),
        ("14:25", "src/shop/other.kt:4:34"),
        ("14:42", "src/shop/other.kt:8"),
        ("14:53", "src/shop/other.kt:9"),
        ("4:13", "src/shop/other.kt"),
        ("5:13", "src/shop/Util.kt"),
    ],
)
def test_java_finds_what_kotlin_declares_under_its_name_for_java(shop: Asking, place: str, definition: str) -> None:
    assert f"in {definition}" in shop("go_to_definition", symbol=f"src/app/Use.java:{place}")


@pytest.mark.parametrize(("place", "line"), [("4:7", 6), ("5:15", 5), ("6:15", 7), ("7:7", 9), ("8:15", 8)], ids=str)
def test_a_property_of_kotlin_may_be_an_accessor_of_java(shop: Asking, place: str, line: int) -> None:
    assert f"in src/app/Bean.java:{line}" in shop("go_to_definition", symbol=f"src/app/UseBean.kt:{place}")


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        ("shop.other", "3 references in 2 files, complete"),
        ("shop.original", "2 references in 2 files, complete"),
        ("Basket.total", "2 references in 2 files, complete"),
        ("Basket.has", "2 references in 2 files, complete"),
        ("Bean.setTotal", "2 references in 2 files, complete"),
        ("Bean.getTotal", "2 references in 2 files, complete"),
        ("Bean.getUsed", "1 reference, complete"),
        ("Bean.total", "3 references, complete"),
    ],
)
def test_uses_under_another_name_are_listed(shop: Asking, symbol: str, said: str) -> None:
    assert said in shop("find_references", symbol=symbol)


def test_a_use_under_another_name_on_something_unknown_is_undecided(shop: Asking) -> None:
    assert "2 references in 2 files, 1 undecided" in shop("find_references", symbol="shop.count")


def test_a_new_name_is_said_to_leave_the_accessors_that_are_used(shop: Asking) -> None:
    text = shop("rename_symbol", symbol="Basket.total", new_name="sum")
    assert "getTotal src/app/Use.java:14" in text
