"""Names of arguments in C# and Kotlin: each leads to a parameter of the overload or constructor that its call runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

TREE = {
    "Log.cs": """namespace App;
public static class Log
{
    public static void Write(string text) { }
    public static void Write(string text, int level) { }
    public static void Write(string text, bool indent = false, string prefix = "") { }
    public static void Send(int id, string body) { }
    public static void Send(string body, int id) { }
}
public class Point
{
    public Point(int x) { }
    public Point(int x, int y) { }
    public void Move(int x) { }
    public virtual void Move(int x, int y) { }
}
public class Solid : Point
{
    public Solid(int x, int y, int z) : base(x: x, y: y) { }
    public Solid(string s) : this(x: 1, y: 2, z: 3) { }
    public void Move(int x, int y, int z) { }
    public override void Move(int x, int y) { }
}
public class Repo(string path, int size = 0)
{
    public Repo(int size) : this(path: "", size: size) { }
    public string Path => path;
}
""",
    "Use.cs": """namespace App;
public class Use : Repo
{
    public Use() : base(path: "x", size: 1) { }
    public Use(int k) : base(size: k) { }
    public void Run(Solid p)
    {
        Log.Write(text: "a");
        Log.Write(text: "a", level: 1);
        Log.Write(indent: true, text: "a");
        Log.Send(1, body: "x");
        Log.Send("x", id: 1);
        Point d = new(x: 1, y: 3);
        p.Move(x: 1);
        p.Move(x: 1, y: 2, z: 3);
        var r = new Repo(path: "a", size: 1);
    }
}
""",
    "money.kt": """package m
class Money(val cents: Long, val currency: String = "EUR") {
    constructor(currency: String) : this(cents = 0, currency = currency)
}
open class Shape(name: String, sides: Int) {
    constructor(sides: Int) : this(name = "", sides = sides)
}
fun retry(times: Int, delay: Long = 10, block: () -> Unit) {}
fun retry(delay: Long, block: () -> Unit) {}
""",
    "use.kt": """package m
class Circle : Shape {
    constructor(name: String, radius: Int) : super(name = name, sides = 0)
    constructor(k: Int) : super(sides = k)
}
val shape = object : Shape(name = "x", sides = 3) {}
fun use() {
    Money(cents = 1, currency = "USD")
    Money(currency = "USD")
    retry(times = 3) { }
    retry(delay = 3) { }
}
""",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    root = tmp_path_factory.mktemp("named")
    write(root, TREE)
    return opened(root)


def _place(path: str, line: int, name: str) -> str:
    return f"{path}:{line}:{TREE[path].splitlines()[line - 1].index(name) + 1}"


@pytest.mark.parametrize(
    ("path", "line", "name", "declared"),
    [
        ("Use.cs", 8, "text", "Log.cs:4:37"),
        ("Use.cs", 9, "text", "Log.cs:5:37"),
        ("Use.cs", 10, "text", "Log.cs:6:37"),
        ("Use.cs", 11, "body", "Log.cs:7:44"),
        ("Use.cs", 12, "id", "Log.cs:8:46"),
        ("Use.cs", 13, "x:", "Log.cs:13:22"),
        ("Use.cs", 14, "x:", "Log.cs:14:26"),
        ("Use.cs", 15, "x:", "Log.cs:21:26"),
        ("Use.cs", 16, "size", "Log.cs:24:36"),
        ("Use.cs", 4, "path", "Log.cs:24:26"),
        ("Use.cs", 5, "size", "Log.cs:26:21"),
        ("Log.cs", 19, "x: x", "Log.cs:13:22"),
        ("Log.cs", 20, "x:", "Log.cs:19:22"),
        ("Log.cs", 26, "path", "Log.cs:24:26"),
        ("use.kt", 3, "sides", "money.kt:5:32"),
        ("use.kt", 4, "sides", "money.kt:6:17"),
        ("use.kt", 6, "sides", "money.kt:5:32"),
        ("use.kt", 9, "currency", "money.kt:3:17"),
        ("use.kt", 11, "delay", "money.kt:9:11"),
    ],
)
def test_the_name_of_an_argument_leads_to_the_parameter_of_what_the_call_runs(
    tree: Asking, path: str, line: int, name: str, declared: str
) -> None:
    answer = tree("go_to_definition", symbol=_place(path, line, name))
    assert f" in {declared}\n" in answer
    assert answer.count("parameter") <= 1


@pytest.mark.parametrize(
    ("path", "line", "name", "declared"),
    [
        ("use.kt", 8, "currency", "money.kt:2:34"),
        ("money.kt", 3, "cents", "money.kt:2"),
    ],
)
def test_the_name_of_an_argument_leads_to_the_property_in_the_head_of_a_class(
    tree: Asking, path: str, line: int, name: str, declared: str
) -> None:
    assert declared in tree("go_to_definition", symbol=_place(path, line, name))


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("Log.cs:24:26", ["Log.cs 24", "Log.cs 26", "Log.cs 27", "Use.cs 4", "Use.cs 16"]),
        ("Log.cs:26:21", ["Log.cs 26", "Log.cs 26", "Use.cs 5"]),
        ("money.kt:5:32", ["money.kt 5", "money.kt 6", "use.kt 3", "use.kt 6"]),
    ],
)
def test_a_parameter_is_used_where_a_keyword_calls_its_constructor(tree: Asking, symbol: str, lines: list[str]) -> None:
    answer = tree("find_references", symbol=symbol, max_tokens=4_000)
    path, found = "", list[str]()
    for line in answer.splitlines()[2:]:
        number = line.partition(":")[0]
        path = line if line in TREE else path
        found += [f"{path} {number}"] if number.isdigit() else []
    assert sorted(found) == sorted(lines)
    assert "complete" in answer


def test_names_of_arguments_of_scala_choose_the_overload_that_has_them(tmp_path: Path, opened: Open) -> None:
    text = (
        "object A {\n  def f(a: Int = 1, c: Int): Int = a\n  def f(x: Int): Int = x\n  def g = f(c = 3) + f(x = 1)\n}\n"
    )
    tree = opened(write(tmp_path, {"a.scala": text}))
    assert " in a.scala:2:21\n" in tree("go_to_definition", symbol="a.scala:4:13")
    assert " in a.scala:3:9\n" in tree("go_to_definition", symbol="a.scala:4:24")


def test_a_parameter_of_an_overload_is_renamed_in_its_own_calls(tree: Asking) -> None:
    shown = tree("rename_symbol", symbol="Log.cs:4:37", new_name="line", max_tokens=1_000)
    assert "2 places, complete" in shown
    assert '+        Log.Write(line: "a");' in shown


def test_a_parameter_in_the_head_of_a_type_is_renamed_where_a_keyword_gives_it(tree: Asking) -> None:
    shown = tree("rename_symbol", symbol="Log.cs:24:26", new_name="folder", max_tokens=1_000)
    assert "decide" not in shown
    assert '+    public Repo(int size) : this(folder: "", size: size) { }' in shown
    assert '+    public Use() : base(folder: "x", size: 1) { }' in shown


def test_a_number_is_not_called_where_the_tree_calls_no_objects(tmp_path: Path, opened: Open) -> None:
    text = "fun size(of: Int) = of\n\nfun twice(size: Int) = size(size) + size\n"
    tree = opened(write(tmp_path, {"a.kt": text}))
    assert "1: fun size(of: Int) = of" in tree("go_to_definition", symbol="a.kt:3:24")
    assert "3 uses on 2 lines" in tree("find_references", symbol="a.kt:3:11")
    assert "2 references, complete" in tree("find_references", symbol="a.kt:1:5")
