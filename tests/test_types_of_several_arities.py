"""Types of C# that share a name in one file: the number of type parameters tells them, and their members, apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Open, write

FILES = {
    "A.cs": (
        "namespace N;\n"
        "public partial class A {\n"
        "    public int Value;\n"
        "    public void Go() { Value = 1; }\n"
        "    public class Inner { public void Deep() {} }\n"
        "}\n"
        "public partial class A<T> {\n"
        "    public T Value;\n"
        "    public void Go() { Value = default; }\n"
        "    public class Inner { public void Deep() {} }\n"
        "}\n"
    ),
    "Use.cs": (
        "namespace N;\n"
        "class Use {\n"
        "    void Run(A a, A<int> b) {\n"
        "        a.Go();\n"
        "        b.Go();\n"
        "        a.Value = 2;\n"
        "        b.Value = 3;\n"
        "        new A().Go();\n"
        "        new A<string>().Go();\n"
        "        new A.Inner().Deep();\n"
        "        new A<int>.Inner().Deep();\n"
        "    }\n"
        "}\n"
        "class Heir : A { void T() { Go(); } }\n"
        "class Other : A<int> { void T() { Go(); } }\n"
    ),
    "Part.cs": (
        "namespace N;\n"
        "public partial class A<T> { void More() { Go(); } }\n"
        "public partial class A { void More() { Go(); } }\n"
    ),
}


def lines_of(answer: str) -> set[str]:
    """Return the lines of an answer, each with its file."""
    found: set[str] = set()
    path = ""
    for text in answer.split("\n"):
        path = text if re.fullmatch(r"\w+\.cs", text) else path
        number = re.match(r"(\d+): ", text)
        found |= {f"{path}:{number[1]}"} if number is not None else set()
    return found


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("A.cs:3:16", {"A.cs:3", "A.cs:4", "Use.cs:6"}),
        ("A.cs:8:14", {"A.cs:8", "A.cs:9", "Use.cs:7"}),
        ("A.cs:4:17", {"A.cs:4", "Use.cs:4", "Use.cs:8", "Use.cs:14", "Part.cs:3"}),
        ("A.cs:9:17", {"A.cs:9", "Use.cs:5", "Use.cs:9", "Use.cs:15", "Part.cs:2"}),
        ("A.cs:5:38", {"A.cs:5", "Use.cs:10"}),
        ("A.cs:10:38", {"A.cs:10", "Use.cs:11"}),
        ("Part.cs:2:22", {"A.cs:7", "Part.cs:2", "Use.cs:3", "Use.cs:9", "Use.cs:11", "Use.cs:15"}),
    ],
)
def test_members_of_namesakes_have_uses_of_their_own(
    symbol: str, lines: set[str], tmp_path: Path, opened: Open
) -> None:
    assert lines_of(opened(write(tmp_path, FILES))("find_references", symbol=symbol)) == lines


def test_a_use_leads_to_the_member_of_the_type_that_is_meant(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, FILES))
    assert "in A.cs:4" in ask("go_to_definition", symbol="Use.cs:4:11")
    assert "in A.cs:9" in ask("go_to_definition", symbol="Use.cs:5:11")


@pytest.mark.parametrize("name", ["Go", "A.Go", "N.A.Go", "A.cs:A.Go"])
def test_the_name_of_a_member_means_those_of_all_namesakes(name: str, tmp_path: Path, opened: Open) -> None:
    answer = opened(write(tmp_path, FILES))("find_references", symbol=name)
    assert "(2 symbols)" in answer
    assert "(1)" not in answer


def test_a_type_is_made_where_a_member_is_called_like_it(tmp_path: Path, opened: Open) -> None:
    code = "class Made<T> {}\nclass P { Made<int> Made; void M() { Made = new Made<int>(); } }\n"
    assert "in A.cs:1" in opened(write(tmp_path, {"A.cs": code}))("go_to_definition", symbol="A.cs:2:49")


OVERLOADS = (
    "class A {\n"
    "    static void Open(int size, int stop) {}\n"
    "    static void Open(int size, int stop, string reset) {}\n"
    "    static void Open(int size, string stop, string reset) {}\n"
    "    void Use() {\n"
    "        Open(size: 1, stop: 2);\n"
    '        Open(1, reset: "", stop: 2);\n'
    "    }\n"
    "}\n"
)


def test_a_named_argument_is_one_of_the_overload_that_its_call_means(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"A.cs": OVERLOADS}))
    assert lines_of(ask("go_to_definition", symbol="A.cs:6:23")) == {":2"}
    assert lines_of(ask("go_to_definition", symbol="A.cs:7:28")) == {":3"}
    assert "7:" not in ask("find_references", symbol="A.cs:2:36")
    for line, called in ((3, True), (4, False)):
        symbol = f"A.cs:{line}:{OVERLOADS.split(chr(10))[line - 1].index('stop') + 1}"
        answer = ask("find_references", symbol=symbol)
        assert "6:" not in answer
        assert ('7: Open(1, reset: "", stop: 2);' in answer) == called


def test_a_call_may_mean_what_a_namesake_hands_down(tmp_path: Path, opened: Open) -> None:
    code = (
        "interface I { void Run(string context); void Stop(); }\n"
        "interface I<T> : I { void Run(T instance); }\n"
        "class C { void M(I<int> i, string c) {\n"
        "    i.Run(c);\n"
        "    i.Stop();\n"
        "} }\n"
    )
    ask = opened(write(tmp_path, {"A.cs": code}))
    assert "2 definitions" in ask("go_to_definition", symbol="A.cs:4:7")
    assert "4: i.Run(c);  [likely]" in ask("find_references", symbol="A.cs:1:20")
    assert "4: i.Run(c);  [likely]" in ask("find_references", symbol="A.cs:2:27")
    assert "in A.cs:1" in ask("go_to_definition", symbol="A.cs:5:7")


def test_static_members_are_used_from_the_type_with_as_many_parameters(tmp_path: Path, opened: Open) -> None:
    files = {
        "A.cs": (
            "namespace N {\n"
            "    public struct Box<T> { public int Size; public static int Two() => 2; }\n"
            "    public static class Box { public static int One(int fallback) => 1; public static int Two() => 1; }\n"
            "}\n"
        ),
        "B.cs": "using static N.Box;\nclass B { int a = One(fallback: 2) + Two(); }\n",
        "C.cs": "using static N.Box<int>;\nclass C { int a = Two(); }\n",
    }
    ask = opened(write(tmp_path, files))
    assert "in A.cs:3" in ask("go_to_definition", symbol="B.cs:2:19")
    assert "Parameter in A.cs:3" in ask("go_to_definition", symbol="B.cs:2:23")
    assert "in A.cs:3" in ask("go_to_definition", symbol="B.cs:2:38")
    assert "in A.cs:2" in ask("go_to_definition", symbol="C.cs:2:19")
