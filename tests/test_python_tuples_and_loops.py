"""What the parts of named tuples are, and which value a variable has after ``a = b = c`` and in a loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

TYPES = "class A:\n    def go(self): ...\n\n\nclass B:\n    def go(self): ...\n\n\n"
PAIR = "class Pair(NamedTuple):\n    first: A\n    second: 'B'\n\n\n"
HEAD = f"from typing import NamedTuple\n\n\n{TYPES}{PAIR}"


def meant(opened: Open, folder: Path, body: str, head: str = "use(p: Pair, ps: list[Pair], c: bool)") -> dict[str, str]:
    """Return what the uses of ``go`` in a function mean, by the comments behind them: letters of classes."""
    source = f"{HEAD}def {head}:\n{body}"
    write(folder, {"use.py": source})
    ask = opened(folder)
    found: dict[str, str] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if "# " in line:
            said = ask("go_to_definition", symbol=f"use.py:{number}:{line.index('.go(') + 2}")
            decided = "" if "not found" in said else said
            found[line.partition("# ")[2]] = "".join(one for one in "AB" if f"use.{one}.go" in decided)
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    p[0].go()  # first\n    p[1].go()  # second\n", {"first": "A", "second": "B"}),
        ("    a, b = p\n    a.go()  # first\n    b.go()  # second\n", {"first": "A", "second": "B"}),
        ("    for a, b in ps:\n        a.go()  # first\n        b.go()  # second\n", {"first": "A", "second": "B"}),
        ("    for each in p:\n        each.go()  # any\n", {"any": "AB"}),
        ("    class Sub(Pair): ...\n    Sub(A(), B())[1].go()  # second\n", {"second": "B"}),
        ("    p.second.go()  # second\n", {"second": "B"}),
    ],
)
def test_a_named_tuple_has_the_parts_that_its_fields_say(
    opened: Open, tmp_path: Path, body: str, expected: dict[str, str]
) -> None:
    assert meant(opened, tmp_path, body) == expected


def test_the_parts_are_no_base_that_an_answer_names(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"use.py": HEAD})
    said = opened(tmp_path)("type_members", symbol="Pair")
    assert "NamedTuple" in said
    assert "()<" not in said


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    y = A()\n    y = y = A()\n    x = y = B()\n    y.go()  # after\n", {"after": "B"}),
        ("    y = A()\n    x = z = B()\n    y.go()  # another\n", {"another": "A"}),
        ("    x = y = None\n    if c:\n        x = y = A()\n        y.go()  # inside\n", {"inside": "A"}),
        ("    x = y = A()\n    if c:\n        x = y = B()\n    y.go()  # either\n", {"either": "AB"}),
        (
            "    y = A()\n    for y in [B()]:\n        y.go()  # inside\n    y.go()  # after\n",
            {"inside": "B", "after": "AB"},
        ),
        (
            "    y = A()\n    for y in [B()]:\n        y.go()  # in\n        y = A()\n        y.go()  # last\n",
            {"in": "B", "last": "A"},
        ),
        ("    for y in [A()]:\n        def f(): y.go()  # later\n    for y in [B()]:\n        f()\n", {"later": "AB"}),
    ],
)
def test_a_variable_has_the_value_that_reaches_its_use(
    opened: Open, tmp_path: Path, body: str, expected: dict[str, str]
) -> None:
    assert meant(opened, tmp_path, body) == expected
