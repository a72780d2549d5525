"""Overloads of Java and C#: a call leads to those that its arguments allow, by their number and their types."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

JAVA = (
    "package p;\npublic class A {\n    public void m(int a) {}\n    public void m(String s) {}\n"
    "    public void m(int a, int b) {}\n    public void v(String... all) {}\n    public void v(int a) {}\n"
    '    void use(String t) {\n        m(1);\n        m("x");\n        m(1, 2);\n        m(t);\n'
    "        new A().m(3, 4);\n        m(null);\n        v();\n        v(1);\n    }\n}\n"
)
CSHARP = (
    "class A {\n    public void M(int a) {}\n    public void M(string s) {}\n    public void M(int a, int b = 2) {}\n"
    '    public void M(bool a, params int[] all) {}\n    void Use(string t) {\n        M(1, 2);\n        M("x");\n'
    "        M(1);\n        M(b: 1, a: 2);\n        M(true, 1, 2, 3);\n        M(t);\n    }\n}\n"
)


@pytest.mark.parametrize(
    ("path", "line", "lines"),
    [
        ("A.java", 9, {3}),
        ("A.java", 10, {4}),
        ("A.java", 11, {5}),
        ("A.java", 12, {4}),
        ("A.java", 14, {4}),
        ("A.java", 15, {6}),
        ("A.java", 16, {7}),
        ("A.cs", 7, {4}),
        ("A.cs", 8, {3}),
        ("A.cs", 9, {2}),
        ("A.cs", 10, {4}),
        ("A.cs", 11, {5}),
        ("A.cs", 12, {3}),
    ],
)
def test_a_call_leads_to_the_overloads_that_its_arguments_allow(
    path: str, line: int, lines: set[int], tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"A.java": JAVA, "A.cs": CSHARP}))
    shown = ask("go_to_definition", symbol=f"{path}:{line}:9").split("\nnext:")[0]
    heads = [text.partition(":")[0] for text in shown.split("\n")]
    assert {int(one) for one in heads if one.isdigit()} == lines


def test_a_call_with_another_receiver_leads_to_its_overload(tmp_path: Path, opened: Open) -> None:
    assert "A.java:5" in opened(write(tmp_path, {"A.java": JAVA}))("go_to_definition", symbol="A.java:13:17")


JOINED = {
    "a.kt": ("fun p(n: Long) {}\nfun p(n: Int) {}\nfun use() { p(1) }\n", "p"),
    "a.scala": ("object A {\n  def p(n: Long): Unit = ()\n  def p(n: Int): Unit = ()\n}\n", "a.scala:2:7"),
    "a.cpp": ("void p(long n);\nvoid p(int n);\nvoid p(int n) {}\nvoid use() { p(1); }\n", "p"),
    "A.java": ("class A {\n  void p(long n) {}\n  void p(int n) {}\n}\n", "A.p"),
    "A.cs": ("class A {\n  void P(long n) {}\n  void P(int n) {}\n}\n", "A.P"),
}


@pytest.mark.parametrize("path", JOINED)
def test_overloads_that_are_one_symbol_are_said_to_be_listed_and_renamed_together(
    path: str, tmp_path: Path, opened: Open
) -> None:
    source, symbol = JOINED[path]
    ask = opened(write(tmp_path, {path: source}))
    assert "2 overloads, whose uses are listed together" in ask("find_references", symbol=symbol)
    assert "2 overloads, which are renamed together" in ask("rename_symbol", symbol=symbol, new_name="other")


def test_declarations_of_one_function_are_no_overloads(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.cpp": "void p(int n);\nvoid p(int n) {}\n",
        "a.ts": "export function p(a: string): void;\nexport function p(a: any) {}\n",
    }
    ask = opened(write(tmp_path, files))
    for symbol in ("a.cpp:1:6", "a.ts:1:17"):
        assert "overloads" not in ask("find_references", symbol=symbol)


APART = {
    "a.hpp": "#include <string>\nclass Doc {\npublic:\n  void set(int v);\n  void set(const std::string& v);\n"
    "  void add(int a, int b = 1);\n  void add(const Doc& d);\n};\n",
    "a.cpp": '#include "a.hpp"\nvoid Doc::set(int v) { add(v, 2); }\nvoid Doc::set(const std::string& s) { set(1); }\n'
    "void Doc::add(int a, int b) {}\nvoid Doc::add(const Doc& d) {}\n",
    "use.cpp": '#include "a.hpp"\nvoid use(Doc d, Doc* p) {\n  d.set(2);\n  p->set("a");\n  d.set(d);\n'
    "  d.add(1);\n  d.set(true);\n}\n",
    "A.java": "class A {\n  void put(int n) {}\n  void put(String s) {}\n  void put(int n, int m) {}\n"
    '  void use(Object o) {\n    put(1);\n    put("a");\n    put(1, 2);\n    put(o.hashCode());\n'
    '    "".chars().forEach(this::put);\n  }\n}\n',
}


@pytest.mark.parametrize(
    ("symbol", "exact", "likely"),
    [
        ("a.hpp:4:8", {"a.hpp:4", "a.cpp:2", "a.cpp:3", "use.cpp:3", "use.cpp:7"}, {"use.cpp:5"}),
        ("a.cpp:3:11", {"a.cpp:3", "a.hpp:5", "use.cpp:4"}, {"use.cpp:5"}),
        ("a.cpp:4:11", {"a.cpp:4", "a.hpp:6", "a.cpp:2"}, {"use.cpp:6"}),
        ("A.java:2:8", {"A.java:2", "A.java:6"}, {"A.java:9", "A.java:10"}),
        ("A.java:4:8", {"A.java:4", "A.java:8"}, {"A.java:10"}),
    ],
)
def test_an_overload_asked_for_where_it_stands_has_the_calls_that_may_mean_it(
    tmp_path: Path, opened: Open, symbol: str, exact: set[str], likely: set[str]
) -> None:
    shown = opened(write(tmp_path, APART))("find_references", symbol=symbol)
    found: dict[bool, set[str]] = {True: set(), False: set()}
    path = ""
    for line in shown.split("\nnext:")[0].splitlines()[2:]:
        number, colon, _ = line.partition(":")
        path = line if line in APART else path
        if colon and number.isdigit():
            found["[likely]" in line].add(f"{path}:{number}")
    assert (found[False], found[True]) == (exact, likely)


@pytest.mark.parametrize(
    ("place", "leads"),
    [
        ("use.cpp:3:5", {"a.cpp:2", "a.hpp:4"}),
        ("use.cpp:4:6", {"a.cpp:3", "a.hpp:5"}),
        ("a.cpp:2:24", {"a.cpp:4", "a.hpp:6"}),
    ],
)
def test_a_call_of_cpp_leads_to_the_declarations_of_the_overload_that_takes_its_arguments(
    tmp_path: Path, opened: Open, place: str, leads: set[str]
) -> None:
    shown = opened(write(tmp_path, APART))("go_to_definition", symbol=place)
    assert {word for word in shown.split("\nnext:")[0].split()[2:] if word[:2] == "a."} == leads


ARRAYS = (
    "class A {\n    static void m(int[] a, int v) {}\n    static void m(float[] a, float v) {}\n"
    "    static void m(Object a, Object b) {}\n"
    "    void use(float[] f, long[] l) {\n        m(f, 0);\n        m(f, l);\n    }\n}\n"
)


@pytest.mark.parametrize("line", [6, 7])
def test_arguments_of_unknown_types_exclude_no_overload(line: int, tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"A.java": ARRAYS}))("go_to_definition", symbol=f"A.java:{line}:9")
    assert "static void m(Object a, Object b)" in shown
    assert "static void m(float[] a, float v)" in shown
