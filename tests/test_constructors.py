"""A constructor is used where an object is made: by its type's name or a keyword, and overloads are distinguished."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

JAVA = {
    "p/Shape.java": (
        "package p;\n"
        "public class Shape {\n"
        "  public Shape(int sides) { check(); }\n"
        "  public Shape(String name) { this(name, 1); }\n"
        "  protected Shape(String name, int... sizes) { }\n"
        "  Shape(Square other) { }\n"
        "  void check() { }\n"
        "}\n"
    ),
    "p/Square.java": (
        "package p;\n"
        "import java.util.function.IntFunction;\n"
        "class Square extends Shape {\n"
        '  Square() { super("square"); }\n'
        "  void make(String name, int sides, Square other) {\n"
        "    new Shape(name);\n"
        "    new Shape(sides) { };\n"
        "    new Shape(other);\n"
        "    new p.Shape(name, sides, 2);\n"
        "    IntFunction<Shape> maker = Shape::new;\n"
        "    Shape unrelated = null;\n"
        "  }\n"
        "}\n"
    ),
}
CSHARP = {
    "Shape.cs": (
        "namespace N {\n"
        "  public class Shape {\n"
        "    public Shape(int sides, int size = 0) { }\n"
        "    public Shape(string name) : this(1) { }\n"
        "  }\n"
        "  class Square : Shape {\n"
        "    Shape inner = new(1);\n"
        '    Square() : base("square") { }\n'
        '    Shape Make() => new("made");\n'
        "    void Use(Shape shape) { Use(new(2)); shape = new Shape(sides: 4); }\n"
        "  }\n"
        "}\n"
    ),
}


@pytest.fixture
def java(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, JAVA))


@pytest.fixture
def csharp(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, CSHARP))


def uses(ask: Asking, symbol: str, tier: str = "exact") -> set[str]:
    """Return the places of the uses of a symbol that are of a tier."""
    path = ""
    found: set[str] = set()
    for line in ask("find_references", symbol=symbol).splitlines():
        number, colon, text = line.partition(": ")
        if line.endswith((".java", ".cs")) and " " not in line:
            path = line
        elif colon and number.isdigit() and ("[likely]" in text) is (tier == "likely"):
            found.add(f"{path}:{number}")
    return found


@pytest.mark.parametrize(
    ("place", "exact"),
    [
        ("p/Shape.java:3:10", {"p/Shape.java:3", "p/Square.java:7"}),
        ("p/Shape.java:4:10", {"p/Shape.java:4", "p/Square.java:4", "p/Square.java:6"}),
        ("p/Shape.java:5:13", {"p/Shape.java:5", "p/Shape.java:4", "p/Square.java:9"}),
        ("p/Shape.java:6:3", {"p/Shape.java:6", "p/Square.java:8"}),
    ],
)
def test_a_constructor_of_java_has_the_uses_that_its_parameters_take(java: Asking, place: str, exact: set[str]) -> None:
    assert uses(java, place) == exact
    assert uses(java, place, "likely") == {"p/Square.java:10"}


@pytest.mark.parametrize(("place", "lines"), [("Shape.cs:3:12", {3, 4, 7, 10}), ("Shape.cs:4:12", {4, 8, 9})])
def test_a_constructor_of_csharp_has_the_uses_that_its_parameters_take(
    csharp: Asking, place: str, lines: set[int]
) -> None:
    assert uses(csharp, place) == {f"Shape.cs:{line}" for line in lines}


def test_callers_of_a_constructor_are_those_that_run_that_overload(java: Asking) -> None:
    text = java("call_hierarchy", symbol="p/Shape.java:4:10")
    assert "Square.Square" in text
    assert "Square.make" in text
    assert "p/Shape.java:3" not in text


def test_callees_of_a_constructor_are_those_of_that_overload(java: Asking) -> None:
    assert "Shape.check" in java("call_hierarchy", symbol="p/Shape.java:3:10", direction="outgoing")
    assert "Shape.check" not in java("call_hierarchy", symbol="p/Shape.java:6:3", direction="outgoing")


def test_the_keyword_that_runs_a_constructor_leads_to_it(java: Asking, csharp: Asking) -> None:
    assert "p/Shape.java" in java("go_to_definition", symbol="p/Square.java:4:14")
    assert "Shape.cs" in csharp("go_to_definition", symbol="Shape.cs:8:16")


LIBRARY = {
    "java/lang/Object.java": "package java.lang;\npublic class Object { }\n",
    "java/lang/CharSequence.java": "package java.lang;\npublic interface CharSequence { }\n",
    "java/lang/String.java": "package java.lang;\npublic final class String implements CharSequence { }\n",
    "java/lang/Number.java": "package java.lang;\npublic abstract class Number { }\n",
    "java/lang/Integer.java": "package java.lang;\npublic final class Integer extends Number { }\n",
    "java/lang/Long.java": "package java.lang;\npublic final class Long extends Number { }\n",
    "p/Tag.java": (
        "package p;\n"
        "public class Tag {\n"
        "  public Tag(String name, String text) { this(name, text, null); }\n"
        "  public Tag(String name, String text, Object place) { }\n"
        "  public Tag(CharSequence text) { }\n"
        "  public Tag(Number number) { }\n"
        "  public Tag(Long number, int size) { }\n"
        "  public Tag(int number, Integer size) { }\n"
        "  public Tag(Tag other) { }\n"
        "  Tag copy() { return this; }\n"
        "  String name(Integer size, int[] sizes, String names[]) {\n"
        '    new Tag("text");\n'
        "    new Tag(1);\n"
        "    new Tag(size, 1);\n"
        '    new Tag(new Tag("x").name(1, null, null));\n'
        "    new Tag((Tag) copy().copy());\n"
        '    new Tag((Integer) size + "x");\n'
        "  }\n"
        "}\n"
    ),
}


@pytest.mark.parametrize(
    ("line", "exact", "likely"),
    [
        (3, {3}, set[int]()),
        (4, {3, 4}, set()),
        (5, {5, 12, 15, 17}, set()),
        (6, {6, 13}, set()),
        (7, {7}, set()),
        (8, {8, 14}, set()),
        (9, {9, 16}, set()),
    ],
)
def test_constructors_are_told_apart_where_the_tree_declares_the_types_of_texts_and_numbers(
    tmp_path: Path, opened: Open, line: int, exact: set[int], likely: set[int]
) -> None:
    ask = opened(write(tmp_path, LIBRARY))
    assert uses(ask, f"p/Tag.java:{line}:10") == {f"p/Tag.java:{one}" for one in exact}
    assert uses(ask, f"p/Tag.java:{line}:10", "likely") == {f"p/Tag.java:{one}" for one in likely}


def test_a_member_for_one_interface_alone_is_apart_from_the_public_one(tmp_path: Path, opened: Open) -> None:
    code = (
        "public interface IRun { void Run(); }\n"
        "public class Both : IRun {\n  void IRun.Run() { }\n  public void Run() { }\n"
        "  static void Use(Both both, IRun run) { both.Run(); run.Run(); }\n}\n"
    )
    ask = opened(write(tmp_path, {"a.cs": code}))
    assert uses(ask, "a.cs:4:15") == {"a.cs:4", "a.cs:5"}
    assert "no certain callers, overrides IRun.Run" in ask("call_hierarchy", symbol="a.cs:3:13")
    assert "3 void IRun.Run()" in ask("find_implementations", symbol="IRun.Run").replace("3 Both.IRun:", "3")
    assert "+public interface IRun { void Go(); }" in ask("rename_symbol", symbol="a.cs:3:13", new_name="Go")


def test_a_call_means_the_inherited_method_that_takes_as_many_arguments(tmp_path: Path, opened: Open) -> None:
    code = (
        "class A { void put() { } void put(int a, int... b) { } }\n"
        "class B extends A { void put(String s) { } }\n"
        'class C { void f(B b) {\n  b.put();\n  b.put("x");\n  b.put(1, 2);\n} }\n'
    )
    ask = opened(write(tmp_path, {"A.java": code}))
    assert uses(ask, "A.java:1:16") == {"A.java:1", "A.java:4"}
    assert uses(ask, "A.put") == {"A.java:1", "A.java:4", "A.java:6"}
    assert uses(ask, "A.java:2:26") == {"A.java:2", "A.java:5"}
    assert "A.java:1" in ask("go_to_definition", symbol="A.java:4:5")
    assert "B.put" not in ask("call_hierarchy", symbol="A.java:1:16").splitlines()[0]


def test_a_type_of_the_package_goes_before_what_is_imported_on_demand(tmp_path: Path, opened: Open) -> None:
    files = {
        "p/Record.java": "package p;\nclass Record { static int size() { return 1; } }\n",
        "p/Use.java": "package p;\nimport q.*;\nclass Use { int n = Record.size(); }\n",
        "q/Record.java": "package q;\npublic class Record { public static int size() { return 2; } }\n",
    }
    ask = opened(write(tmp_path, files))
    assert uses(ask, "p/Record.java:2:27") == {"p/Record.java:2", "p/Use.java:3"}
    assert uses(ask, "q/Record.java:2:41") == {"q/Record.java:2"}


def test_a_type_that_is_given_to_the_call_of_a_template_may_be_made_there(tmp_path: Path, opened: Open) -> None:
    source = (
        "template<class T, class... A> T* make(A... a) { return new T(a...); }\n"
        "template<class T> struct Held {};\n"
        "struct C {\n  C(int a);\n};\n"
        "void f() { make<C>(4); Held<C> held; }\n"
    )
    answer = opened(write(tmp_path, {"a.cpp": source}))("find_references", symbol="a.cpp:4:3")
    assert "1 reference, 1 undecided" in answer.splitlines()[0]
    assert "6: void f() { make<C>(4); Held<C> held; }" in answer.partition("undecided: a.cpp")[2]


def test_the_uses_of_overloads_are_said_to_be_listed_together(tmp_path: Path, opened: Open) -> None:
    files = {
        "A.java": "class A {\n  void go(int a) {}\n  void go(String a, int b) {}\n  void all() { go(1); }\n}\n",
        "B.cs": "partial class B {\n  partial void Go();\n  partial void Go() {}\n}\n",
    }
    ask = opened(write(tmp_path, files))
    assert "2 overloads, whose uses are listed together" in ask("find_references", symbol="A.go")
    assert "overloads" not in ask("find_references", symbol="B.Go")
