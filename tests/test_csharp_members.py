"""Members of C#: calls behind a question mark, members of interfaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

MAYBE = {
    "A.cs": (
        "class A {\n    public void Run() { }\n    public void Run(int n) { }\n    public A? Next;\n"
        "    public int Size;\n}\n"
    ),
    "P.cs": (
        "class P {\n    object M(A? a, A[]? all, object o) {\n        a?.Run();\n        (o as A)?.Run(1);\n"
        "        a?.Next?.Run();\n        a?.Next.Run(2);\n        all?[0].Run();\n        a!.Run();\n"
        "        Use(a?.Run);\n        return a?.Size;\n    }\n}\n"
    ),
}


def test_a_call_behind_a_question_mark_is_a_call(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, MAYBE))
    assert "P.cs:3,4,5,6,7,8 P.M" in ask("call_hierarchy", symbol="A.Run")
    assert "6 references" in ask("find_references", symbol="A.Run", role="call")
    assert "A.cs:2 A.Run (at 3" in ask("call_hierarchy", symbol="P.M", direction="outgoing")
    assert "9: Use(a?.Run);" in ask("find_references", symbol="A.Run", role="read")
    assert "no references" in ask("find_references", symbol="A.Size", role="call")


@pytest.mark.parametrize(("line", "uses"), [("2", (3, 5)), ("3", (4, 6))])
def test_arguments_choose_the_overload_behind_a_question_mark(
    line: str, uses: tuple[int, ...], tmp_path: Path, opened: Open
) -> None:
    shown = opened(write(tmp_path, MAYBE))("find_references", symbol=f"A.cs:{line}:17", role="call")
    listed = [int(one.partition(":")[0]) for one in shown.splitlines() if one[:1].isdigit() and "likely" not in one]
    assert set(uses) <= set(listed)
    assert not set(listed) & ({3, 4, 5, 6} - set(uses))


ELEMENTS = {
    "A.cs": (
        "using System.Collections.Generic;\nclass A { public void Run() { } }\nclass Z { public void Run() { } }\n"
        "class Box { public A this[int i] => null; }\nclass SubBox : Box { }\nclass AList : List<A> { }\n"
        "class P {\n    void M(A[] array, List<A>? list, Dictionary<string, A> map, SubBox box, AList own) {\n"
        '        array[0].Run();\n        list?[0].Run();\n        map["a"].Run();\n        box[1].Run();\n'
        "        own[0].Run();\n        new Box()[2].Run();\n    }\n}\n"
    )
}


def test_an_element_is_what_the_collection_holds_or_the_indexer_gives(tmp_path: Path, opened: Open) -> None:
    assert "account: exact 7, another symbol 1" in opened(write(tmp_path, ELEMENTS))("find_references", symbol="A.Run")
