"""Call hierarchies: an overload that calls another one of its name is no cycle."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

LOADS = {
    "A.java": (
        "class A {\n    int load(String a) { return load(a, 1); }\n"
        "    int load(String a, int b) { return load(a, b, true); }\n"
        "    int load(String a, int b, boolean c) { return work(a); }\n    int work(String a) { return 1; }\n"
        "    int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n"
        "    int both(int a) { return both(a, 1); }\n    int both(int a, int b) { return both(a); }\n"
        '    int use() { return load("x") + fact(1) + both(1); }\n}\n'
    ),
    "b.kt": 'fun load(a: String): Int = load(a, 1)\nfun load(a: String, b: Int): Int = 1\nfun start() = load("x")\n',
    "c.cs": "class C {\n    void Set(int a) { Set(a, 1); }\n    void Set(int a, int b) { }\n void Go() { Set(1); } }",
}


@pytest.fixture
def loads(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, LOADS))


@pytest.mark.parametrize(
    ("symbol", "marked"),
    [
        ("A.use", {"2 A.load (at 2,3)  [overload]", "6 A.fact (at 6)  [cycle]", "7 A.both (at 7,8)  [cycle]"}),
        ("b.kt:3", {"1 load (at 1)  [overload]"}),
        ("C.Go", {"2 C.Set (at 2)  [overload]"}),
    ],
)
def test_only_what_calls_itself_again_is_a_cycle(loads: Asking, symbol: str, marked: set[str]) -> None:
    text = loads("call_hierarchy", symbol=symbol, direction="outgoing", depth=4)
    assert {line.strip() for line in text.splitlines() if line.endswith("]")} == marked


def test_callers_that_are_overloads_are_no_cycle(loads: Asking) -> None:
    text = loads("call_hierarchy", symbol="A.work", direction="incoming", depth=4)
    assert "2,3 A.load  [overload]" in text
    assert "[cycle]" not in text
