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


DEFAULT = {
    "A.cs": (
        "using System;\npublic interface IRun {\n    void Run(string s);\n"
        "    void Run(int i) => Run(i.ToString());\n}\n"
        "public interface IMore : IRun { }\npublic class A : IRun {\n    public void Run(string s) { }\n}\n"
        'class P {\n    void M(A a, A? maybe, IMore more) {\n        maybe?.Run("2");\n'
        "        Action<string> act = a.Run;\n        more.Run(3);\n    }\n}\n"
    )
}


def test_a_class_of_csharp_inherits_no_member_of_an_interface(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DEFAULT))
    of_interface = ask("find_references", symbol="IRun.Run")
    assert "14: more.Run(3);" in of_interface
    assert "12: maybe" not in of_interface
    assert "13: Action" not in of_interface
    assert "account: exact 3, another symbol 4" in ask("find_references", symbol="A.Run")


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


REFLECTING = {
    "Route.cs": (
        "namespace A.Configuration;\npublic class RouteAttribute : System.Attribute { public string Name; }\n"
        "public class Options { public string Configuration; }\n"
    ),
    "Use.cs": (
        "using A.Configuration;\nclass P {\n    string M() {\n"
        "        foreach (var one in typeof(P).GetMethods()) Use(one.Name);\n"
        '        return typeof(P).Name + typeof(P).GetMethod("Open")!.Name;\n'
        "    }\n}\n"
    ),
}


def test_what_describes_types_and_members_is_from_outside(tmp_path: Path, opened: Open) -> None:
    inside = REFLECTING["Use.cs"].replace("using A.Configuration;", "namespace A.Configuration;")
    shown = opened(write(tmp_path, {**REFLECTING, "Use.cs": inside}))("find_references", symbol="RouteAttribute.Name")
    assert "complete" in shown.splitlines()[0]
    assert "account: exact 1, another symbol 3" in shown


def test_a_part_of_a_using_is_no_member(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, REFLECTING))
    assert "account: exact 1, another symbol 2" in ask("find_references", symbol="Options.Configuration")
    assert "account: exact 2" in ask("find_references", symbol="A.Configuration")


BAG = {
    "Bag.cs": """using System.Collections;
public class Bag : IEnumerable
{
    public void Add(int x) { }
    public void Add(int x, string y) { }
    public int this[string key] { get => 1; set { } }
    public int Size { get; set; }
    public IEnumerator GetEnumerator() => null;
}
public class Holder { public Bag Items { get; } = new Bag(); }
public class Other : IEnumerable { public IEnumerator GetEnumerator() => null; }
public static class Additions { public static void Add(this Other of, string text) { } }
""",
    "Use.cs": """using System.Collections.Generic;
public class Use
{
    Bag kept = new() { 1, 2 };
    public void Run()
    {
        var one = new Bag { 1, 2 };
        var two = new Bag { { 1, "a" } };
        var set = new Bag { ["k"] = 3, Size = 2 };
        var held = new Holder { Items = { 1, 2 } };
        var other = new Other { "s" };
        var outside = new List<int> { 1 };
        int[] numbers = { 1, 2 };
    }
}
""",
}


def test_a_collection_initializer_calls_add(tmp_path: Path, opened: Open) -> None:
    tree = opened(write(tmp_path, BAG))
    answer = tree("find_references", symbol="Bag.Add", max_tokens=1_000)
    lines = [line.partition(":")[0] for line in answer.partition("Use.cs\n")[2].splitlines() if line[:1].isdigit()]
    assert lines == ["4", "7", "8", "10"]
    assert "11: var other" in tree("find_references", symbol="Additions.Add")
    assert "Bag.cs:4" in tree("go_to_definition", symbol="Use.cs:7:27")
    assert "decide: signs use it, and only by this name: { Use.cs:4" in tree(
        "rename_symbol", symbol="Bag.Add", new_name="Put"
    )
