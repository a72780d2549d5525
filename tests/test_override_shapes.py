"""Overloads and overriding: a method that takes another number of arguments overrides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SOURCES = {
    "A.java": (
        "interface Runner { void run(int x); }\n"
        "class A implements Runner {\n"
        "    public void run(int x) { }\n"
        "    public void run(String a, int b) { run(b); }\n"
        "    void use(Runner r) { r.run(1); }\n"
        "}\n"
        "class Only implements Walker { void run() { } }\n"
        "abstract class Walker implements Runner { }\n"
    ),
    "A.cs": (
        "interface IRunner { void Run(int x); }\n"
        "class A : IRunner {\n"
        "    public void Run(int x) { }\n"
        "    public void Run(string a, int b) { Run(b); }\n"
        "    void Use(IRunner r) { r.Run(1); }\n"
        "}\n"
        "class Only : Walker { void Run() { } }\n"
        "abstract class Walker : IRunner { public abstract void Run(int x); }\n"
    ),
    "a.cpp": (
        "struct Runner { virtual void run(int x) = 0; };\n"
        "struct A : Runner {\n"
        "    void run(int x) override { }\n"
        "    void run(const char* a, int b) { run(b); }\n"
        "    void use(Runner& r) { r.run(1); }\n"
        "};\n"
        "struct Only : Walker { void run() { } };\n"
    ),
}
BASE = {"A.java": "A.java:1:25", "A.cs": "A.cs:1:26", "a.cpp": "a.cpp:1:30"}
OTHER = {"A.java": "A.java:4:17", "A.cs": "A.cs:4:17", "a.cpp": "a.cpp:4:10"}


@pytest.fixture(params=list(SOURCES))
def path(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(path: str, tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {path: SOURCES[path]}))


def test_an_overload_that_takes_another_number_of_arguments_overrides_nothing(path: str, ask: Asking) -> None:
    found = ask("find_implementations", symbol=BASE[path])
    assert "\n3 A: " in found
    assert "\n4 A: " not in found
    assert "\n7 Only: " not in found
    overridden = ask("find_references", symbol=BASE[path]).partition("overridden, not counted: ")[2].splitlines()[0]
    assert f"{path}:3" in overridden
    assert f"{path}:4" not in overridden
    assert f"{path}:7" not in overridden


def test_nothing_is_overridden_by_such_an_overload(path: str, ask: Asking) -> None:
    assert "overrides, not counted" not in ask("find_references", symbol=OTHER[path])
    assert "no overridden members" in ask("find_implementations", symbol=OTHER[path], direction="up")


TYPED = (
    "import java.util.*;\n"
    "abstract class Style<T> {\n"
    "    void append(StringBuffer to, char value) { }\n"
    "    void append(StringBuffer to, char[] value) { }\n"
    "    void append(java.lang.StringBuffer to, Collection<?> value) { }\n"
    "    void put(T value) { }\n"
    "    <K> void get(K key) { }\n"
    "}\n"
    "class Json extends Style<String> {\n"
    "    @Override void append(final StringBuffer to, final char value) { }\n"
    "    @Override void append(StringBuffer to, Collection<?> value) { }\n"
    "    @Override void append(StringBuffer to, char... value) { }\n"
    "    @Override void put(String value) { }\n"
    "    @Override void get(Object key) { }\n"
    "}\n"
    "class Make {\n"
    "    Style<String> make() { return new Style<>() { @Override void append(StringBuffer to, char value) { } }; }\n"
    "}\n"
)


@pytest.mark.parametrize(
    ("place", "lines", "nameless"),
    [("3:10", [10], [17]), ("4:10", [12], []), ("5:10", [11], []), ("6:10", [13], []), ("7:14", [14], [])],
)
def test_a_method_of_java_overrides_what_takes_the_same_types(
    tmp_path: Path, opened: Open, place: str, lines: list[int], nameless: list[int]
) -> None:
    found = opened(write(tmp_path, {"A.java": TYPED}))("find_implementations", symbol=f"A.java:{place}")
    assert [line for line in range(9, 16) if f"\n{line} Json: " in found] == lines
    assert [line for line in range(16, 19) if f"\n{line}: " in found] == nameless


def test_a_type_parameter_of_a_type_around_may_stand_for_any_type(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Outer<Item> {\n"
        "    class Inner { void put(Item[] value) { } }\n"
        "}\n"
        "class Leaf extends Outer<String>.Inner { void put(String[] value) { } }\n"
        "class Other extends Outer.Inner { void put(String[] value) { }\n    void put(int value) { } }\n"
    )
    found = opened(write(tmp_path, {"A.java": code}))("find_implementations", symbol="Outer.Inner.put")
    assert "\n5 Other" in found
    assert "put(int value)" not in found


def test_a_method_of_kotlin_overrides_what_takes_as_many_arguments(tmp_path: Path, opened: Open) -> None:
    code = (
        "interface Source { fun read(to: Buffer, count: Long): Long }\n"
        "class Buffer : Source {\n"
        "    override fun read(to: Buffer, count: Long): Long = 0\n"
        "    fun read(to: ByteArray): Int = 0\n"
        "}\n"
    )
    ask = opened(write(tmp_path, {"a.kt": code}))
    found = ask("find_implementations", symbol="Source.read")
    assert "\n3 override fun read" in found.replace("Buffer: ", "")
    assert "\n4 " not in found
    assert "no overridden members" in ask("find_implementations", symbol="a.kt:4:9", direction="up")


@pytest.mark.parametrize("name", ["toString", "hashCode", "equals"])
def test_a_rename_says_that_the_language_calls_a_method_by_its_name(tmp_path: Path, opened: Open, name: str) -> None:
    code = (
        'class B {\n    public String toString() { return ""; }\n    public int hashCode() { return 1; }\n'
        "    public boolean equals(Object o) { return true; }\n    int plain() { return 1; }\n}\n"
    )
    ask = opened(write(tmp_path, {"B.java": code}))
    said = "decide: the language or its library may call it, and only by this name"
    assert said in ask("rename_symbol", symbol=f"B.{name}", new_name="other")
    assert said not in ask("rename_symbol", symbol="B.plain", new_name="other")
