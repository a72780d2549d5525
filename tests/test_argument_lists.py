"""Brackets and commas count in code alone: not in comments, strings and type arguments, as each language has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write


def uses(ask: Asking, symbol: str) -> str:
    return ask("find_references", symbol=symbol).partition("next: ")[0]


KOTLIN_CALLS = {
    "a bracket as a character": "Box('(', 1)",
    "a quote as a character": "Box('\"', 1)",
    "a list in a string": 'Box("${listOf(1, 2)}", 1)',
    "a bracket in a comment": "Box(/* ( /* , */ */ 0, 1)",
    "type arguments": "Box(Pair<Int, Int>(1, 2), 1)",
}


@pytest.mark.parametrize("call", KOTLIN_CALLS.values(), ids=KOTLIN_CALLS.keys())
def test_a_call_of_kotlin_gives_as_many_arguments_as_stand_in_its_code(tmp_path: Path, opened: Open, call: str) -> None:
    code = (
        "class Box(val one: Any, val two: Int) {\n    constructor(one: Any) : this(one, 0)\n"
        f"    constructor(a: Any, b: Any, c: Any) : this(a, 0)\n}}\nfun make() = {call}\n"
    )
    ask = opened(write(tmp_path, {"Box.kt": code}))
    assert "make" in uses(ask, "Box.kt:1:7")
    assert not any("make" in uses(ask, f"Box.kt:{line}:5") for line in (2, 3))


def test_type_arguments_of_a_parameter_are_no_parameters(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Box(val one: Map<String, Int>) {\n    constructor(one: Int, two: Int) : this(mapOf())\n}\n"
        "fun make(given: Map<String, Int>) = Box(given)\n"
    )
    ask = opened(write(tmp_path, {"Box.kt": code}))
    assert "make" in uses(ask, "Box.kt:1:7")
    assert "make" not in uses(ask, "Box.kt:2:5")


JAVA_CALLS = {"a text block": '"""\n  "(,\n  """', "a character": "'('", "a comment": "/* ( */ 'x'"}


@pytest.mark.parametrize("argument", JAVA_CALLS.values(), ids=JAVA_CALLS.keys())
def test_a_call_of_java_gives_as_many_arguments_as_stand_in_its_code(
    tmp_path: Path, opened: Open, argument: str
) -> None:
    code = (
        "class Box {\n  Box(Object one) { }\n  Box(Object one, int two) { }\n"
        f"  static Box make() {{\n    return new Box({argument}, 1);\n  }}\n}}\n"
    )
    ask = opened(write(tmp_path, {"Box.java": code}))
    assert "5: " in uses(ask, "Box.java:3:3")
    assert "5: " not in uses(ask, "Box.java:2:3")


@pytest.mark.parametrize("first", ['")"', "')'", '"""\n)"""', '# )\n    "x"', 'f"{one[0]})"', "r'\\)'"])
def test_a_bracket_in_a_string_ends_no_call_from_outside(tmp_path: Path, opened: Open, first: str) -> None:
    code = (
        "from library import run\n\none = ['a']\n\n\ndef hook(mode):\n    return mode\n\n\n"
        f"run({first},\n    hook,\n    mode=1,\n)\nrun({first},\n    mode=2,\n)\n"
    )
    ask = opened(write(tmp_path, {"a.py": code}))
    lines = code.split("\n")
    taken, free = (f"a.py:{lines.index(f'    mode={number},') + 1}:5" for number in (1, 2))
    assert "comes from outside" not in ask.response("go_to_definition", symbol=taken).text
    assert "'mode' comes from outside of the code base" in ask.error("go_to_definition", symbol=free)
