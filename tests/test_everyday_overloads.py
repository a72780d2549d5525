"""Everyday code in which a type, a union or a base decides which of several members of one name is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

PRINTER = {
    "P.java": "class Printer {\n  void print(int n) {}\n  void print(Object o) {}\n  void close(String s) {}\n}\n",
    "C.java": "class Child extends Printer {\n  void print(String s) {}\n  void print(double d) {}\n"
    '  void go(Runnable r) {\n    print(1);\n    print("a");\n    print(1.5);\n    print(r);\n'
    "    java.util.List.of(1).forEach(this::print);\n  }\n}\n",
}


def test_a_method_of_java_leaves_inherited_ones_that_take_something_else(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PRINTER))
    inherited = ask("go_to_definition", symbol="C.java:5:5")
    assert "P.java:2" in inherited
    assert "C.java:2" not in inherited
    for line, column in (("6", "5"), ("7", "5")):
        assert "Child.print" in ask("go_to_definition", symbol=f"C.java:{line}:{column}").splitlines()[0]
    for place in ("C.java:8:5", "C.java:9:40"):
        either = ask("go_to_definition", symbol=place)
        assert "P.java" in either
        assert "C.java" in either
    shown = ask("find_references", symbol="P.java:2")
    assert all(line in shown for line in ("5: print(1);", "8: print(r);", "9: java.util"))
    assert "6: print" not in shown


GENERIC = {
    "A.java": "abstract class Repo<T, K> { abstract T get(K key); }\nclass User {}\n"
    "class Users extends Repo<User, Long> { User get(Long key) { return null; } }\n"
    "class Use { void go(Users users, Long id) { users.get(id); } }\n",
}


def test_a_method_that_overrides_one_with_a_type_parameter_takes_its_place(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, GENERIC))("go_to_definition", symbol="A.java:4:51")
    assert "Users.get: lines 1-1" in shown


WRITER = {
    "A.cs": "class Writer { public void Write(string s) { } public void Write(int n) { } }\n"
    "class Child : Writer { public void Write(double d) { } }\n"
    'class Use { void Go(Child c) {\n    c.Write("a");\n    c.Write(1.5);\n    c.Write(1);\n} }\n',
}


def test_a_method_of_a_base_of_csharp_is_meant_where_none_of_the_type_can_be(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, WRITER))
    inherited = ask("go_to_definition", symbol="A.cs:4:7")
    assert "Write(string s)" in inherited
    assert "Child" not in inherited
    assert "Child.Write: lines" in ask("go_to_definition", symbol="A.cs:5:7")
    assert "4: c.Write" in ask("find_references", symbol="Writer.Write")


RECORDS = {
    "A.cs": "record Person(string Name, int Age);\n"
    "record Employee(string Name, int Age, decimal Pay) : Person(Name, Age) {\n"
    "  string Show() => Name + Age;\n}\n"
    'class Use { object F(Employee e) => e with { Name = "a" };\n  bool G(object o) => o is Employee { Age: 3 };\n'
    '  object H() => new Employee(Name: "b", Age: 1, Pay: 2);\n}\n',
}


def test_a_record_has_the_property_that_it_hands_on_to_its_base_from_there(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, RECORDS))
    assert "account: exact 3, another symbol 3" in ask("find_references", symbol="Person.Name")
    assert "account: exact 3, another symbol 3" in ask("find_references", symbol="Person.Age")
    assert "Parameter in A.cs:2" in ask("go_to_definition", symbol="A.cs:7:30")
    assert "1 string Name\n" in ask("document_symbols", path="A.cs")
    assert "2 string Name\n" not in ask("document_symbols", path="A.cs")


ANONYMOUS = {
    "A.java": "class A {\n  interface Visitor { void visit(int n); default void all() {} }\n  void go() {\n"
    "    var v = new Visitor() { public void visit(int n) { super.toString(); } void extra() {} };\n"
    "    v.extra(); v.visit(1); v.all();\n    new Visitor() { public void visit(int n) {} }.visit(2);\n"
    "    Visitor plain = new Visitor() { public void visit(int n) {} };\n    plain.visit(3);\n  }\n}\n",
}


def test_an_object_of_an_anonymous_class_of_java_has_the_members_of_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ANONYMOUS))
    assert "account: exact 2" in ask("find_references", symbol="A.java:4:81")
    for place, line in (("5:7", 4), ("5:18", 4), ("6:51", 6), ("8:11", 2), ("5:30", 2)):
        assert f"in A.java:{line}:" in ask("go_to_definition", symbol=f"A.java:{place}"), place


UNION = {
    "a.ts": 'interface Circle { kind: "circle"; r: number }\ninterface Square { kind: "square"; side: number }\n'
    'type Shape = Circle | Square | { kind: "line"; length: number };\n'
    'const all: Shape[] = [{ kind: "square", side: 1 }, { kind: "line", length: 2 }];\n'
    'function area(s: Shape) {\n  if (s.kind === "circle") return s.r;\n'
    '  if (s.kind === "line") return s.length;\n  return s.side;\n}\n',
}


@pytest.mark.parametrize(
    ("symbol", "lines"), [("Circle.kind", (1, 6)), ("Square.kind", (2, 4, 6, 7)), ("a.ts:3:34", (3, 4, 6, 7))]
)
def test_a_member_of_a_union_is_one_of_each_type_in_it(
    symbol: str, lines: tuple[int, ...], tmp_path: Path, opened: Open
) -> None:
    shown = opened(write(tmp_path, UNION))("find_references", symbol=symbol)
    assert [int(one.partition(":")[0]) for one in shown.splitlines() if one[:1].isdigit()] == list(lines)


TRAIT = (
    "pub trait Keyed { type Key; const SIZE: u32; fn key(&self) -> Self::Key; }\npub struct User { id: u32 }\n"
    "impl Keyed for User { type Key = u32; const SIZE: u32 = 1; fn key(&self) -> Self::Key { self.id } }\n"
    "impl From<u32> for User { fn from(id: u32) -> Self { User { id } } }\n"
    "impl std::ops::Add for User { type Output = u32; fn add(self, o: Self) -> u32 { self.id + o.id } }\n"
    "fn f<T: Keyed<Key = u32>>(t: T) -> T::Key { let _ = <T as Keyed>::Key::default(); t.key() }\n"
)


@pytest.mark.parametrize("place", ["1:24", "3:28"])
def test_an_associated_type_is_renamed_with_those_that_implement_it(place: str, tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"src/lib.rs": TRAIT}))("rename_symbol", symbol=f"src/lib.rs:{place}", new_name="Id")
    assert "+pub trait Keyed { type Id; const SIZE: u32; fn key(&self) -> Self::Id; }" in shown
    assert "+impl Keyed for User { type Id = u32; const SIZE: u32 = 1; fn key(&self) -> Self::Id { self.id } }" in shown


@pytest.mark.parametrize("name", ["from", "add", "Output"])
def test_what_implements_a_trait_from_outside_keeps_its_name(name: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAIT}))
    refused = ask.error("rename_symbol", symbol=f"User.{name}", new_name="other")
    assert "which is outside of this code base" in refused


def test_a_member_of_an_associated_type_is_not_the_type(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAIT}))
    column = TRAIT.splitlines()[5].index("default") + 1
    assert "comes from outside" in ask.error("go_to_definition", symbol=f"src/lib.rs:6:{column}")


PRINTER_OF_KOTLIN = (
    "open class Printer {\n    fun print(n: Int) {}\n    fun print(n: Int, then: () -> Unit) {}\n"
    "    open fun close() {}\n}\n"
    "class Child : Printer() {\n    fun print(s: String) {}\n    override fun close() { super.close() }\n}\n"
    'fun use(c: Child) {\n    c.print(1)\n    c.print("x")\n    c.print(1) { }\n    c.close()\n}\n'
)


def test_a_method_of_kotlin_leaves_inherited_ones_that_take_something_else(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"A.kt": PRINTER_OF_KOTLIN}))
    for line in (11, 13):
        inherited = ask("go_to_definition", symbol=f"A.kt:{line}:7")
        assert "s: String" not in inherited
        assert "n: Int" in inherited
    assert "Child.print: lines" in ask("go_to_definition", symbol="A.kt:12:7")
    assert "Child.close: lines" in ask("go_to_definition", symbol="A.kt:14:7")
    shown = ask("find_references", symbol="Printer.print")
    assert "11: c.print(1)" in shown
    assert '12: c.print("x")' not in shown


SIDES = {
    "a.rb": "class Pay\n  def self.call(order) = new(order).call\n  def call = 1\n  def other = 2\nend\nPay.call(1)\n",
    "a.ts": "class Cache {\n  static size = 0;\n  size = 1;\n  static go() {}\n}\nCache.size;\n",
    "a.swift": "struct Box {\n  static func make() -> Int { 1 }\n  func make() -> Int { 2 }\n}\n",
}


@pytest.mark.parametrize("symbol", ["Cache.size", "Box.make"])
def test_that_members_of_a_type_and_of_its_objects_are_listed_together_is_said(
    symbol: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, SIDES))
    assert "declared for the type and for its objects, whose uses are listed together" in ask(
        "find_references", symbol=symbol
    )
    assert "declared for the type" not in ask("find_references", symbol="Pay.other")
    assert "declared for the type" not in ask("find_references", symbol="Cache.go")


DELEGATES = (
    "using System;\nnamespace N {\npublic interface IStep { void Run(); }\npublic delegate void Work(int n);\n"
    "public class Builder {\n    public Builder Use(Func<int, int> step) { return this; }\n"
    "    public Builder Use(IStep step) { return this; }\n}\n"
    "public static class More { public static Builder Use(this Builder b) { return b; } }\n"
    "class Step : IStep {\n    public void Run() { }\n    int Twice(int n) { return n; }\n"
    "    void All(Builder b, Step other) {\n        b.Use(n => n);\n        b.Use(Twice);\n"
    "        b.Use(other.Twice);\n        b.Use(this);\n        b.Use(other);\n        b.Use();\n    }\n}\n}\n"
)


def test_functions_and_objects_choose_between_a_delegate_and_an_interface(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"A.cs": DELEGATES}))
    for line, definition in ((14, 6), (15, 6), (16, 6), (17, 7), (18, 7), (19, 9)):
        assert f"in A.cs:{definition}" in ask("go_to_definition", symbol=f"A.cs:{line}:11")
    assert "exact 4" in ask("find_references", symbol="A.cs:6:20")
    assert "exact 3" in ask("find_references", symbol="A.cs:7:20")


INHERITED = {
    "Bag.java": (
        "interface Bag<T> {\n    boolean add(T item, int times);\n"
        "    default boolean add(T item) { return add(item, 1); }\n}\n"
        "class HashBag<T> implements Bag<T> {\n    public boolean add(T item, int times) { return true; }\n"
        "    static void fill(HashBag<String> bag, String word) {\n        bag.add(word.trim());\n    }\n}\n"
    )
}


def test_an_inherited_overload_is_the_one_that_takes_as_many_arguments(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, INHERITED))
    assert "in Bag.java:3" in ask("go_to_definition", symbol="Bag.java:8:13")
    assert "exact 2" in ask("find_references", symbol="Bag.java:8:13")


VISITORS = {
    "v.hpp": (
        "#pragma once\nstruct Num { int n; };\nstruct Sum { int a, b; };\nclass Printer {\npublic:\n"
        "    void visit(const Num& node) { put(node.n); }\n    void visit(const Sum& node);\n    void put(int n);\n};\n"
        "class Counter {\npublic:\n    void visit(const Num& node);\n    void visit(const Sum& node);\n};\n"
    ),
    "v.cpp": (
        '#include "v.hpp"\nvoid Printer::visit(const Sum& node) { put(node.a); }\nvoid Printer::put(int n) {}\n'
        "void Counter::visit(const Num& node) {}\nvoid Counter::visit(const Sum& node) {}\n"
    ),
}


def test_a_declared_overload_leads_to_its_own_definition(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, VISITORS))
    for declared, defined, other in (("7:10", "v.cpp:2", "6:"), ("12:10", "v.cpp:4", "5:"), ("13:10", "v.cpp:5", "4:")):
        text = ask("go_to_definition", symbol=f"v.hpp:{declared}")
        assert defined in text
        assert f"\n{other}" not in text


def test_the_definition_of_an_overload_has_the_uses_of_that_alone(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, VISITORS))
    assert "2 references in 2 files, complete" in ask("find_references", symbol="v.cpp:2:15")
    assert "3 references in 2 files, complete" in ask("find_references", symbol="Printer::visit")


def test_a_factory_of_the_library_makes_what_it_is_called_like(tmp_path: Path, opened: Open) -> None:
    code = (
        "import java.util.*;\nclass A {\n    static int read(Map<String, String> all) { return 1; }\n"
        "    static int read(Properties all) { return 2; }\n"
        "    int a = read(Map.of()), b = read(new Properties());\n}\n"
    )
    ask = opened(write(tmp_path, {"A.java": code}))
    assert "in A.java:3" in ask("go_to_definition", symbol="A.java:5:13")
    assert "in A.java:4" in ask("go_to_definition", symbol="A.java:5:33")


def test_a_comparator_goes_on_to_compare_what_it_begins_with(tmp_path: Path, opened: Open) -> None:
    code = (
        "import java.util.*;\nclass A {\n    static class Job { int due; String name; int due() { return due; } }\n"
        "    Comparator<Job> a = Comparator.comparing(Job::due).thenComparing(job -> job.name);\n"
        "    Comparator<Job> b = Comparator.comparing((Job job) -> job.due).thenComparing(job -> job.name);\n}\n"
    )
    assert "exact 3" in opened(write(tmp_path, {"A.java": code}))("find_references", symbol="A.java:3:41")
