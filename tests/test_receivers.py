"""Lambdas of Kotlin whose type has a receiver: what they see bare are members of it, before those of what is around."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

TREE = {
    "kit/Module.kt": (
        "package kit\n\n"
        "class Module {\n"
        "    fun single(x: Int) {}\n"
        "    fun nested(block: Extra.() -> Unit) {}\n"
        "}\n"
        "class Extra {\n    fun factory(x: Int) {}\n}\n"
        "typealias Declaration = Module.() -> Unit\n"
        "fun single(x: Int) {}\n"
        "fun direct(block: Module.() -> Unit) = Module().apply(block)\n"
        "fun aliased(a: Int, block: Declaration) = Module().apply(block)\n"
        "fun plain(block: () -> Module) = block()\n"
        "fun <T> among(x: T, block: T.() -> Unit) = x.block()\n"
        "class Builder {\n    fun add(block: Module.() -> Unit) {}\n}\n"
    ),
    "app/Page.kt": (
        "package app\n\n"
        "import kit.*\n\n"
        "class Page {\n"
        "    fun single(x: Int) {}\n"
        "    fun render() {}\n"
        "    fun show(builder: Builder) {\n"
        "        direct { single(1); render() }\n"
        "        aliased(1) { single(2) }\n"
        "        builder.add { this.single(3) }\n"
        "        direct { nested { single(4); factory(5) } }\n"
        "        direct({ single(6) })\n"
        "        among(Extra()) { factory(7) }\n"
        "        plain { single(8); Module() }\n"
        "        direct { this@Page.single(9) }\n"
        "        listOf(1).forEach { single(10) }\n"
        "        this.single(11)\n"
        "        Module().apply { single(13) }\n"
        "    }\n"
        "}\n"
        "val made = direct { single(12) }\n"
    ),
}
USES = {
    "kit/Module.kt:4": [9, 10, 11, 12, 13, 19, 22],
    "app/Page.kt:6": [6, 15, 16, 17, 18],
    "kit/Module.kt:8": [12, 14],
    "app/Page.kt:7": [7, 9],
}


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, TREE))


@pytest.mark.parametrize("symbol", USES)
def test_a_name_in_a_lambda_is_a_member_of_its_receiver_if_that_has_it(symbol: str, ask: Asking) -> None:
    text = ask("find_references", symbol=symbol)
    assert "complete" in text.partition("\n")[0]
    shown = text.partition("app/Page.kt\n")[2].splitlines()
    assert [int(line.partition(":")[0]) for line in shown if line[:1].isdigit()] == USES[symbol]


@pytest.mark.parametrize(
    ("place", "meant"), [("9:18", "kit/Module.kt:4"), ("9:29", "app/Page.kt:7"), ("12:27", "kit/Module.kt:4")]
)
def test_a_name_in_a_lambda_leads_to_the_member_of_the_innermost_receiver_that_has_it(
    place: str, meant: str, ask: Asking
) -> None:
    assert meant in ask("go_to_definition", symbol=f"app/Page.kt:{place}")
