"""Kotlin for several targets: what is expected and what is actual are one symbol."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

COMMON = "lib/src/commonMain/kotlin/Store.kt"
JVM = "lib/src/jvmMain/kotlin/Store.jvm.kt"
JVM_TEST = "lib/src/jvmTest/kotlin/StoreTest.kt"
COMMON_TEST = "lib/src/commonTest/kotlin/Common.kt"
JS = "lib/src/jsMain/kotlin/Store.js.kt"
TREE = {
    COMMON: (
        "package shop\n\n"
        "expect abstract class Store() {\n    fun load(key: String): String\n}\n\n"
        "expect fun open(): Store\n\n"
        'fun first() = open().load("a")\n'
    ),
    JVM: (
        "package shop\n\n"
        "actual abstract class Store actual constructor() {\n"
        "    actual fun load(key: String) = key\n    fun close() {}\n}\n\n"
        "actual fun open(): Store = FileStore()\n\n"
        "class FileStore : Store()\n"
    ),
    JS: (
        "package shop\n\n"
        "actual abstract class Store actual constructor() {\n"
        "    actual fun load(key: String) = key\n    fun close() {}\n}\n\n"
        "actual fun open(): Store = PageStore()\n\n"
        "class PageStore : Store()\n"
    ),
    JVM_TEST: 'package shop\n\nfun test(store: Store) {\n    store.load("b")\n    store.close()\n}\n',
    COMMON_TEST: 'package shop\n\nfun common(store: Store) {\n    store.load("c")\n}\n',
}
OTHER = {
    "other/src/commonMain/kotlin/Own.kt": "package shop\n\nexpect fun open(): Int\n\nfun other() = open()\n",
    "other/src/jvmMain/kotlin/Own.kt": "package shop\n\nactual fun open(): Int = 1\n",
}


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, TREE))


@pytest.mark.parametrize("declaration", [f"{COMMON}:4", f"{JVM}:4", f"{JS}:4", "Store.load"])
def test_a_member_that_is_expected_has_the_uses_of_every_target(declaration: str, ask: Asking) -> None:
    text = ask("find_references", symbol=declaration)
    assert "complete" in text.partition("\n")[0]
    assert all(
        line in text for line in ('9: fun first() = open().load("a")', '4: store.load("b")', '4: store.load("c")')
    )


def test_a_member_of_one_target_alone_is_another_symbol_than_that_of_another_target(ask: Asking) -> None:
    assert "5: store.close()" in ask("find_references", symbol=f"{JVM}:5")
    assert "store.close" not in ask("find_references", symbol=f"{JS}:5")


@pytest.mark.parametrize(
    ("place", "first"),
    [("lib/src/jvmTest/kotlin/StoreTest.kt:4:11", JVM), ("lib/src/commonTest/kotlin/Common.kt:4:11", COMMON)],
)
def test_a_use_leads_to_the_declaration_for_its_target_and_to_the_others(place: str, first: str, ask: Asking) -> None:
    text = ask("go_to_definition", symbol=place)
    assert all(f"{path}:4" in text for path in (COMMON, JVM, JS))
    assert text.index(f"{first}:4") == min(text.index(f"{path}:4") for path in (COMMON, JVM, JS))


def test_the_subtypes_of_an_expected_class_are_those_of_every_target(ask: Asking) -> None:
    for declaration in (f"{COMMON}:3", f"{JVM}:3", f"{JS}:3"):
        text = ask("find_implementations", symbol=declaration)
        assert "2 subtypes, complete" in text
        assert "class FileStore" in text
        assert "class PageStore" in text


def test_an_expected_function_is_renamed_with_its_actual_ones(ask: Asking) -> None:
    text = ask("rename_symbol", symbol=f"{COMMON}:7", new_name="opened")
    assert all(path in text for path in (COMMON, JVM, JS))
    assert "5 " in text.partition("\n")[0] or "4 " in text.partition("\n")[0]


def test_modules_with_one_package_have_symbols_of_their_own(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {**TREE, **OTHER}))
    text = ask("find_references", symbol="other/src/commonMain/kotlin/Own.kt:3")
    assert "5: fun other() = open()" in text
    assert "fun first()" not in text


def test_a_parameter_of_an_expected_class_is_a_local_name(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/commonMain/kotlin/Path.kt": "package shop\n\nexpect class Path internal constructor(bytes: String)\n",
        "src/jvmMain/kotlin/Path.kt": (
            "package shop\n\nactual class Path internal actual constructor(internal val bytes: String)\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="src/commonMain/kotlin/Path.kt:3:40")
    assert "1 reference, complete" in text
    assert "local to Path" in text
