"""Everyday code whose types decide what a name means."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from conftest import Open, write

BOXES = {
    "Box.cs": "namespace Y;\npublic class Box<T> { public T Value; public void Open() {} }\n",
    "Plain.cs": "namespace Y;\npublic class Box { public void Open() {} }\n"
    "public class Item { public void Use() {} }\n",
    "Use.cs": "using R = Y.Box<Y.Item>;\nusing Q = Y.Box;\nnamespace Z;\nclass U {\n"
    "  void F(R r) { r.Open(); var q = new R(); q.Open(); }\n"
    "  void G(Q r) { r.Open(); }\n  R Make() => new R();\n  void H() { Make().Open(); }\n}\n",
}


def test_an_alias_of_a_type_with_arguments_is_the_type_that_takes_as_many(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BOXES))
    generic = ask("find_references", symbol="Box.cs:2:51")
    assert "account: exact 4, another symbol 2" in generic
    assert "5: void F(R r) { r.Open(); var q = new R(); q.Open(); }  [2 times]" in generic
    plain = ask("find_references", symbol="Plain.cs:2:32")
    assert "account: exact 2, another symbol 4" in plain
    assert "6: void G(Q r) { r.Open(); }" in plain
    assert "Class in Box.cs:2" in ask("go_to_definition", symbol="Use.cs:5:10")
    assert "Class in Plain.cs:2" in ask("go_to_definition", symbol="Use.cs:6:10")


KEYWORDS = {
    "a.py": "import typing as t\n\nclass Base(t.TypedDict):\n    size: int\n\n"
    "class Opts(Base, total=False):\n    color: str\n\n"
    "class Pen:\n    def __init__(self, name: str, **kw: t.Unpack[Opts]) -> None:\n        pass\n\n"
    '    def move(self, x: int, **opts: "t.Unpack[Opts]") -> None:\n        pass\n\n'
    "def loose(**kw: str) -> None:\n    pass\n",
    "b.py": 'from a import Pen, loose\nPen("x", color="red", size=3).move(1, size=4)\nloose(color="x")\n',
}


def test_keywords_that_a_typed_dictionary_collects_are_its_fields(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, KEYWORDS))
    assert "account: exact 3" in ask("find_references", symbol="Base.size")
    assert "Field in a.py:7" in ask("go_to_definition", symbol="b.py:2:10")
    color = ask("find_references", symbol="Opts.color")
    assert "account: exact 2, undecided 1" in color
    assert "kw on line 16 collects it" in ask("go_to_definition", symbol="b.py:3:7")


EXTENSIONS = {
    "p/A.kt": 'package p\nclass Order(val id: Int)\nprivate fun Order.label(): String = "A$id"\n'
    "fun a(o: Order) = o.label()\nval Order.big get() = id > 9\n",
    "p/B.kt": "package p\nfun b(o: Order) = o.label() && o.big\n",
    "q/Q.kt": 'package q\nimport p.Order\nfun Order.label() = "q"\nval Order.big get() = id > 3\n',
    "r/R.kt": "package r\nimport p.*\nimport q.label\nfun r(o: Order) = o.label() + o.big\n",
}


def test_an_extension_is_seen_in_its_package_and_by_import_a_private_one_in_its_file(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, EXTENSIONS))
    assert "account: exact 2, another symbol 4" in ask("find_references", symbol="p/A.kt:3:19")
    assert "Function in q/Q.kt:3" in ask("go_to_definition", symbol="r/R.kt:4:21")
    assert "Property in p/A.kt:5" in ask("go_to_definition", symbol="r/R.kt:4:33")
    assert "Property in p/A.kt:5" in ask("go_to_definition", symbol="p/B.kt:2:34")
    assert "the definition was not found" in ask("go_to_definition", symbol="p/B.kt:2:21")
    assert "account: exact 3, undecided 1" in ask("find_references", symbol="q/Q.kt:3:11")


_MANY = [f"p{number}: Int = 0" for number in range(130)]


def test_the_labels_of_a_long_list_are_known_to_its_end(tmp_path: Path, opened: Open) -> None:
    head = ",\n".join(f"    {one}" for one in _MANY)
    swift = f"struct Form {{\n  func fill(\n{head}\n  ) {{}}\n  func fill(text: String) {{}}\n}}\n"
    swift += 'func g(f: Form) { f.fill(text: "a"); f.fill(p0: 1) }\n'
    ask = opened(write(tmp_path, {"F.swift": swift}))
    long_one = ask("find_references", symbol="F.swift:2:8")
    assert "account: exact 2, another symbol 2" in long_one
    assert "2: func fill(" in long_one


def test_a_part_of_a_type_that_cannot_be_read_is_said_not_left_out(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "Form.cs": "namespace Y;\npublic partial class Form { public void Show() {} }\n",
        "Form.Layout.cs": "namespace Y;\npublic partial class Form { public void Lay() {} }\n",
    }
    ask = opened(write(tmp_path, files))
    assert "2 members, complete" in ask("type_members", symbol="Form.cs:2")
    ask = opened(tmp_path)
    really = os.open

    def refuse(path: str, flags: int, *more: Any, **others: Any) -> int:
        if str(path).endswith("Layout.cs"):
            raise PermissionError(errno.EACCES, "permission denied", path)
        return really(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    shown = ask("type_members", symbol="Form.cs:2")
    assert "complete" not in shown.splitlines()[0]
    assert "not examined: >=1 in Form.Layout.cs, which cannot be read" in shown


MAILERS = {
    "src/A.php": "<?php\nnamespace App;\nclass Mailer { public function send() {} }\n",
    "src/B.php": "<?php\nnamespace App;\nclass Mailer { public function send() {} public function flush() {} }\n",
    "src/C.php": "<?php\nnamespace App;\nfunction f(Mailer $m) { $m->send(); $m->flush(); }\n",
}


def test_of_files_that_define_one_class_any_may_be_loaded_but_the_one_that_is_called_like_it(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path / "any", MAILERS))
    assert "2 definitions" in ask("go_to_definition", symbol="src/C.php:3:12")
    assert "account: exact 2, another symbol 1" in ask("find_references", symbol="src/B.php:3:32")
    named = {("src/Mailer.php" if path == "src/B.php" else path): text for path, text in MAILERS.items()}
    ask = opened(write(tmp_path / "named", named))
    assert "Class in src/Mailer.php:3" in ask("go_to_definition", symbol="src/C.php:3:12")
    assert "account: exact 1, another symbol 2" in ask("find_references", symbol="src/A.php:3:32")


DELEGATING = {
    "log/Log.kt": "package log\n\ninterface Log { fun write(text: String) }\n\n"
    "class FileLog : Log {\n    override fun write(text: String) = println(text)\n}\n\n"
    "class TimedLog(private val inner: Log) : Log by inner {\n    val limit by lazy { 10 }\n}\n",
    "app/App.kt": 'package app\n\nimport log.*\n\nfun start(t: TimedLog) {\n    repeat(t.limit) { t.write("b") }\n}\n',
}


def test_the_body_of_a_class_that_delegates_is_no_lambda(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DELEGATING))
    limit = ask("find_references", symbol="TimedLog.limit")
    assert "2 references in 2 files, complete" in limit
    assert "6: repeat(t.limit)" in limit
    assert "Method in log/Log.kt:3" in ask("go_to_definition", symbol="app/App.kt:6:25")


def test_what_is_called_like_its_package_is_not_the_package(tmp_path: Path, opened: Open) -> None:
    files = {
        "html/Tag.kt": "package html\n\nclass Tag\nfun html(): Tag = Tag()\n",
        "app/Page.kt": "package app\n\nimport html.html\n\nval page = html()\n",
    }
    ask = opened(write(tmp_path, files))
    shown = ask("find_references", symbol="html/Tag.kt:4:5")
    assert "account: exact 3, undecided 1" in shown
    assert "1: package html" not in shown
    assert "3: import html.html  [2 times]" not in shown
    assert "Function in html/Tag.kt:4" in ask("go_to_definition", symbol="app/Page.kt:3:13")
    assert "Package in html/Tag.kt:1" in ask("go_to_definition", symbol="html/Tag.kt:1:9")


PRELUDE = (
    "struct C;\nimpl C { fn new() -> C { C } fn open() {} }\ntrait Open { fn open(); }\n"
    "impl Open for String { fn open() {} }\nfn main() {\n    let a = vec![Box::new(C::new()), Box::new(C)];\n"
    "    let b = String::new();\n    String::open();\n}\n"
)


def test_a_function_of_a_type_of_the_prelude_is_none_of_another_type(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"main.rs": PRELUDE}))
    assert "account: exact 2, another symbol 3" in ask("find_references", symbol="C.new")
    opened_by = ask("find_references", symbol="C.open")
    assert "account: exact 1, undecided 1" in opened_by
    assert "8: String::open();  [likely]" not in opened_by


def test_types_of_one_name_with_other_type_parameters_keep_their_own_bases(tmp_path: Path, opened: Open) -> None:
    bases = "    class Base1 { public int Run() => 1; }\n    class Base2 { public int Run() => 2; }\n"
    plain = f"namespace N {{\n{bases}    partial class A : Base1 {{\n        int X() => Run();\n    }}\n}}\n"
    generic = "namespace N {\n    partial class A<T> : Base2 {\n        int Y() => Run();\n    }\n}\n"
    ask = opened(write(tmp_path, {"a.cs": plain, "b.cs": generic}))
    assert "int X() => Run();" in ask("find_references", symbol="Base1.Run")
    assert "int Y() => Run();" in ask("find_references", symbol="Base2.Run")


TOGETHER = {
    "Crate.cs": "namespace Shop {\n"
    "  public class Crate { public static Crate Of() => new Crate(); public int Size; }\n"
    "  public class Crate<T> : Crate { public void Fill() { } }\n"
    "}\n",
    "Use.cs": "namespace Shop.Use {\n"
    "  class User {\n"
    "    Crate plain = new Crate();\n"
    "    Crate<int> filled = new Crate<int>();\n"
    "    void Work() { Crate.Of(); filled.Fill(); plain.Size = filled.Size; }\n"
    "  }\n"
    "  class Plain : Crate { }\n"
    "  class Full : Crate<int> { }\n"
    "  class Open<T> : Crate<T> { }\n"
    "  class Last : Open<int> { }\n"
    "  class Open : Crate { }\n"
    "  class Lost : Open { }\n"
    "}\n",
}


def test_types_of_one_name_and_file_are_told_apart_by_their_parameters(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TOGETHER))
    assert "Class in Crate.cs:2\n" in ask("go_to_definition", symbol="Use.cs:3:5")
    assert "Class in Crate.cs:3\n" in ask("go_to_definition", symbol="Use.cs:4:5")
    assert "Class in Crate.cs:2\n" in ask("go_to_definition", symbol="Use.cs:5:19")
    plain = ask("find_references", symbol="Crate.cs:2")
    assert "account: exact 9, another symbol 5" in plain
    assert "Crate<int>" not in plain
    generic = ask("find_references", symbol="Crate.cs:3")
    assert "account: exact 5, another symbol 9" in generic
    assert "Crate (2 symbols)" in ask("find_references", symbol="Crate")


def test_members_of_types_of_one_name_and_file_are_told_apart(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TOGETHER))
    plain, generic = (ask("type_members", symbol=f"Crate.cs:{line}") for line in (2, 3))
    assert "2 members, complete" in plain
    assert "Fill" not in plain
    assert "1 member" in generic
    assert "Fill" in generic


def test_subtypes_of_types_of_one_name_and_file_are_told_apart(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TOGETHER))
    generic = ask("find_implementations", symbol="Crate.cs:3")
    assert "3 subtypes, complete" in generic
    assert all(f"class {one}" in generic for one in ("Full", "Open<T>", "Last"))
    assert "2 direct, 1 further away" in generic
    plain = ask("find_implementations", symbol="Crate.cs:2")
    assert "7 subtypes, complete" in plain
    assert "3 direct, 4 further away" in plain


NESTED = {
    "Helpers.cs": "namespace Shop.Helpers { public static class Outer { public class Case { public int Times; } } }\n",
    "Use.cs": "using Case = Shop.Helpers.Outer.Case;\nnamespace Shop.Use {\n"
    "  class U { int F(Case one) { var two = new Case { Times = 1 }; return one.Times + two.Times; } }\n}\n",
}


def test_an_alias_of_a_type_in_a_type_is_that_type(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, NESTED))
    assert "account: exact 4" in ask("find_references", symbol="Case.Times")
    assert "Class in Helpers.cs:1:67" in ask("go_to_definition", symbol="Use.cs:3:19")
    assert "Field in Helpers.cs:1:85" in ask("go_to_definition", symbol="Use.cs:3:52")


BESIDE = {
    "Till.cs": "using System;\nnamespace Shop {\n"
    "  public class Till { public int Send(int amount) => 1; public int One(string text) => 1;"
    " public int Pay(int amount, string note = null) => 1; }\n"
    "  public static class TillExtensions {\n"
    "    public static int Send(this Till till, int amount, int more) => 2;\n"
    "    public static int One(this Till till, int number) => 2;\n"
    "    public static int Pay(this Till till, int amount, Action<int> options) => 2;\n"
    "  }\n"
    "  class User { void Work(Till till) {\n"
    "    till.Send(1, 2); till.Send(1);\n"
    '    till.One(1); till.One("a");\n'
    "    till.Pay(1, x => { }); till.Pay(1);\n"
    "  } }\n}\n",
}


@pytest.mark.parametrize(("name", "line"), [("Send", 10), ("One", 11), ("Pay", 12)])
def test_an_extension_method_is_called_where_no_method_of_the_type_can_be(
    tmp_path: Path, opened: Open, name: str, line: int
) -> None:
    ask = opened(write(tmp_path, BESIDE))
    assert f"TillExtensions.{name}: lines 1-1" in ask("go_to_definition", symbol=f"Till.cs:{line}:10")
    for owner in ("Till", "TillExtensions"):
        answer = ask("find_references", symbol=f"{owner}.{name}")
        assert "account: exact 2, another symbol 2" in answer


TWO_BUILDERS = {
    "Builder.cs": "namespace Shop {\n  public class Builder { }\n  public class Builder<T> { }\n"
    "  public static class First { public static int Run(this Builder one, int times) => 1; }\n"
    "  public static class Second { public static int Run<T>(this Builder<T> one, int times) => 2; }\n"
    "  class User { void Work(Builder plain, Builder<int> full) {\n"
    "    plain.Run(times: 1);\n    full.Run(times: 2);\n  } }\n}\n",
}


def test_an_extension_method_is_one_of_the_type_with_as_many_parameters(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TWO_BUILDERS))
    assert "Method in Builder.cs:4:49" in ask("go_to_definition", symbol="Builder.cs:7:11")
    assert "Method in Builder.cs:5:50" in ask("go_to_definition", symbol="Builder.cs:8:10")


THROWING = {
    "test.cpp": '#include "doctest.h"\nnamespace lib { struct error { }; struct Box { int open(); }; }\n'
    'TEST_CASE("a") {\n  SECTION("b") {\n    lib::Box box;\n'
    "    CHECK_THROWS_AS(box.open(), const lib::error&);\n    box.open();\n  }\n"
    '  SECTION("c") {\n    lib::Box box;\n    CHECK_THROWS_WITH_AS(box.open(), "d", lib::error &);\n'
    "    box.open();\n  }\n}\n",
}


def test_a_type_that_a_macro_is_given_costs_a_file_of_tests_nothing(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, THROWING))
    assert "Local name in test.cpp:5:14" in ask("go_to_definition", symbol="test.cpp:7:5")
    assert "Local name in test.cpp:10:14" in ask("go_to_definition", symbol="test.cpp:12:5")
    assert "account: exact 5" in ask("find_references", symbol="Box.open")
    assert "account: exact 3" in ask("find_references", symbol="lib.error")


STANDARD = {
    "lib.hpp": "#pragma once\nnamespace std {\ntemplate <class C> class basic_ostream;\n"
    "typedef basic_ostream<char> ostream;\ntemplate <class T> struct hash;\n}\n"
    "namespace lib { struct Box { int a; }; }\n"
    "namespace std {\ntemplate <> struct hash<lib::Box> { int a; };\n"
    "inline void swap(lib::Box &a, lib::Box &b) { }\n}\n",
    "use.cpp": '#include "lib.hpp"\nstd::string text;\nstd::ostream &out = std::cout;\n'
    "void work(lib::Box &a) { std::swap(a, a); }\n",
}


def test_the_namespace_of_the_standard_library_is_from_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, STANDARD))
    for place in ("use.cpp:2:1", "use.cpp:2:6", "use.cpp:3:6", "use.cpp:3:27"):
        assert "comes from outside of the code base" in ask.error("go_to_definition", symbol=place), place
    assert "definition was not found" in ask("go_to_definition", symbol="use.cpp:4:31")
    assert "undecided 1" in ask("find_references", symbol="std.swap")


ENTERED = {
    "db.py": (
        "from contextlib import asynccontextmanager, contextmanager\n"
        "from collections.abc import AsyncIterator, Iterator\n"
        "class Connection:\n    def execute(self): ...\n    def close(self): ...\n"
        "class Transaction:\n    def __enter__(self) -> 'Transaction': return self\n    def __exit__(self, *of): ...\n"
        "    def insert(self): ...\n"
        "@contextmanager\ndef connect() -> Iterator[Connection]:\n    yield Connection()\n"
        "@asynccontextmanager\nasync def pooled() -> AsyncIterator[Connection]:\n    yield Connection()\n"
    ),
    "use.py": (
        "from contextlib import ExitStack\nfrom db import Transaction, connect, pooled\n"
        "def load():\n    with connect() as db, Transaction() as transaction:\n"
        "        db.execute()\n        transaction.insert()\n"
        "async def ping():\n    async with pooled() as replica:\n        replica.execute()\n"
        "def copy():\n    with ExitStack() as stack:\n"
        "        held = stack.enter_context(connect())\n        held.close()\n"
    ),
}


@pytest.mark.parametrize(
    ("member", "count"), [("Connection.execute", 3), ("Transaction.insert", 2), ("Connection.close", 2)]
)
def test_what_a_context_manager_enters_is_known(tmp_path: Path, opened: Open, member: str, count: int) -> None:
    shown = opened(write(tmp_path, ENTERED))("find_references", symbol=member)
    assert f"account: exact {count}\n" in shown


def test_the_type_that_is_declared_counts_where_something_from_outside_gives_the_value(
    tmp_path: Path, opened: Open
) -> None:
    source = (
        "from dataclasses import dataclass, field\n@dataclass\nclass Cache:\n    ttl: int = 1\n"
        "@dataclass\nclass Settings:\n    cache: Cache = field(default_factory=Cache)\n"
        "def expires(settings: Settings) -> int:\n    return settings.cache.ttl\n"
    )
    shown = opened(write(tmp_path, {"settings.py": source}))("find_references", symbol="Cache.ttl")
    assert "account: exact 2\n" in shown


def test_what_a_component_takes_says_the_types_in_its_attributes(tmp_path: Path, opened: Open) -> None:
    source = (
        "export interface Row { id: number; label: string }\n"
        "interface Props { rows: Row[]; onPick: (row: Row) => void }\n"
        "export function Table({ rows, onPick }: Props) { return <p onClick={() => onPick(rows[0])} /> }\n"
        'export const used = <Table rows={[{ id: 1, label: "x" }]} onPick={(row) => console.log(row.id)} />\n'
    )
    ask = opened(write(tmp_path, {"table.tsx": source}))
    assert "account: exact 3\n" in ask("find_references", symbol="Row.id")
    assert "account: exact 2\n" in ask("find_references", symbol="Row.label")


def test_a_lambda_that_is_given_by_name_takes_what_the_parameter_says(tmp_path: Path, opened: Open) -> None:
    source = (
        "from collections.abc import Callable\nclass Event:\n    at: int\n"
        "class Bus:\n    def on(self, topic: str, listener: Callable[[Event], None]) -> None: ...\n"
        "def wire(bus: Bus) -> None:\n    bus.on('a', listener=lambda event: print(event.at))\n"
        "    bus.on(listener=lambda event: print(event.at), topic='b')\n"
    )
    shown = opened(write(tmp_path, {"bus.py": source}))("find_references", symbol="Event.at")
    assert "account: exact 3\n" in shown
