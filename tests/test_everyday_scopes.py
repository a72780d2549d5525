"""Everyday code in which the order of declarations, or where a name is read, decides what the name means."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import Open, write


class Case(NamedTuple):
    """A small tree, the accounts of symbols in it, and where places lead to."""

    files: dict[str, str]
    accounts: Mapping[str, str]
    definitions: Mapping[str, str] = {}


CASES = {
    "a local of Lua is seen after its declaration": Case(
        {
            "a.lua": "local y = 1\nlocal function f(p)\n  local y = p + y\n  do local y = y + 1; print(y) end\n"
            "  for y = 1, y do print(y) end\n  repeat local q = f(y) until q\n  return y\nend\n"
        },
        {"a.lua:1": "exact 2, another symbol 9", "a.lua:3:9": "exact 5", "a.lua:6:16": "exact 2"},
        {"a.lua:3:17": "a.lua:1", "a.lua:4:16": "a.lua:3", "a.lua:5:14": "a.lua:3", "a.lua:6:31": "a.lua:6"},
    ),
    "what a local of Lua hides at the top is not the local": Case(
        {"a.lua": "local unpack = unpack or table.unpack\nprint(unpack({}))\n"},
        {"unpack": "exact 2, undecided 2"},
    ),
    "a loop of Kotlin reads what it goes through before its variable exists": Case(
        {"A.kt": "fun outer(value: Int) {\n    for (value in 0..value) println(value)\n}\n"},
        {"A.kt:1:11": "exact 2", "A.kt:2:10": "exact 2"},
        {"A.kt:2:22": "A.kt:1"},
    ),
    "a loop of Java reads what it goes through before its variable exists": Case(
        {"A.java": "class A {\n  String[] all;\n  void f() { for (String all : all) all.trim(); }\n}\n"},
        {"A.java:2": "exact 2", "A.java:3:26": "exact 2"},
        {"A.java:3:32": "A.java:2", "A.java:3:37": "A.java:3"},
    ),
    "a loop of C# reads what it goes through before its variable exists": Case(
        {
            "A.cs": "class A {\n  B[] all;\n  void F() { foreach (var all in all) all.Run(); }\n}\n"
            "class B { void Run() {} }\n"
        },
        {"A.cs:2": "exact 2", "A.cs:5:16": "exact 2"},
        {"A.cs:3:34": "A.cs:2", "A.cs:3:39": "A.cs:3"},
    ),
    "a generator of Scala reads what it goes through before its name exists": Case(
        {
            "A.scala": "class B { def run = 1 }\nclass A(val all: List[B]) {\n"
            "  def f = for (all <- all) yield all.run\n}\n"
        },
        {"A.scala:2:13": "exact 2", "A.scala:1:15": "exact 2"},
        {"A.scala:3:23": "A.scala:2"},
    ),
    "a parameter of Go that is called like a package leaves the types of that": Case(
        {
            "go.mod": "module m\n",
            "st/st.go": "package st\n\ntype Item struct{ N int }\n\nfunc (i Item) Run() {}\n",
            "a.go": 'package m\n\nimport "m/st"\n\n'
            "func f(st st.Item, all []st.Item) (st.Item, error) { st.Run(); return st, nil }\n"
            "\nvar g = func(st *st.Item) int { return st.N }\n",
        },
        {"st/st.go:3:6": "exact 6", "st/st.go:5:15": "exact 2", "st/st.go:3:19": "exact 2", "a.go:5:8": "exact 3"},
    ),
    "the name of its package hides no function of Kotlin": Case(
        {"a.kt": "package html\n\nfun html(): Int = 1\n", "b.kt": "package html\n\nfun page() = html()\n"},
        {"a.kt:3:5": "exact 2"},
        {"b.kt:3:14": "a.kt:3"},
    ),
    "a local name of Scala hides the package that is called so": Case(
        {
            "a.scala": "package json\n\ndef show: Int = 1\n"
            "class A { def f(x: Int) = { val json = other(x); json.show } }\n"
        },
        {"a.scala:3:5": "exact 1, undecided 1"},
    ),
    "a member of a built-in type of C# is none that using static brings": Case(
        {
            "A.cs": "using static N.C;\nnamespace N {\n"
            "  public static class C { public static int Parse(string s) => 1; }\n"
            '  class U { int F() => int.Parse("1") + Parse("2"); }\n}\n'
        },
        {"A.cs:3:45": "exact 2, another symbol 1"},
    ),
    "an extension in a function of Kotlin is seen in that alone": Case(
        {
            "a.kt": "class A\nfun f(a: A) {\n    fun A.run() = 1\n    a.run()\n}\nfun g(a: A) = a.run()\n",
        },
        {"a.kt:3:11": "exact 2, undecided 1"},
    ),
    "a call without arguments means the component of a record of Java beside methods that take something": Case(
        {
            "P.java": "record P(int a) {\n  P a(int a) { return new P(a); }\n}\n"
            "class U { int f(P p) { return p.a() + p.a(2).a(); } }\n"
        },
        {"P.java:1:14": "exact 3", "P.java:2:5": "exact 2"},
        {"P.java:4:33": "P.java:1", "P.java:4:41": "P.java:2"},
    ),
    "the default of a parameter of Swift means no other parameter": Case(
        {"A.swift": "let value = 1\nfunc outer(_ value: Int, label other: Int = value) -> Int { value + other }\n"},
        {"A.swift:1": "exact 2", "A.swift:2:14": "exact 2"},
        {"A.swift:2:45": "A.swift:1"},
    ),
    "global names the variable of the module whatever a function around has": Case(
        {
            "a.py": "total = 0\n\n\ndef scan(total):\n    def inner():\n        global total\n        total += 1\n"
            "        return total\n\n    return inner, total\n"
        },
        {"a.py:1": "exact 4", "a.py:4:10": "exact 2"},
        {"a.py:8:16": "a.py:1"},
    ),
    "of two imports by a star the last one counts": Case(
        {
            "x.py": "def clash(): ...\ndef one(): ...\n",
            "y.py": "def clash(): ...\n",
            "a.py": "from x import *\nfrom y import *\n",
            "use.py": "from a import *\nimport a\nclash()\na.clash()\none()\n",
            "first.py": "try:\n    from x import *\nexcept ImportError:\n    from y import *\nclash()\n",
        },
        {"y.py:1": "exact 3", "x.py:1": "exact 2"},
        {"use.py:3:1": "y.py:1", "use.py:4:3": "y.py:1", "use.py:5:1": "x.py:2", "first.py:5:1": "x.py:1"},
    ),
    "a constant of Ruby is looked for in the modules around before the bases": Case(
        {
            "a.rb": "module A\n  V = 1\n  class Base; V = 2; end\n  class Child < Base\n    def run = V\n"
            "    module H; def self.c = V; end\n    def up = self.class::V\n  end\nend\nclass Far < A::Base\n"
            "  def run = V\nend\n"
        },
        {"A.V": "exact 3"},
        {"a.rb:5:15": "a.rb:2", "a.rb:6:28": "a.rb:2", "a.rb:11:13": "a.rb:3"},
    ),
    "a call of Bash never means a variable": Case(
        {
            "a.sh": "log() { :; }\nbuild() {\n  local log=file\n  log error\n  echo $log\n}\n"
            "declare -f log\nunset -f log\n"
        },
        {"a.sh:1": "exact 4", "a.sh:3:9": "exact 2"},
        {"a.sh:4:3": "a.sh:1", "a.sh:5:9": "a.sh:3"},
    ),
    "a variable of Bash is that of the files that are sourced": Case(
        {
            "lib.sh": "RETRIES=3\nshow() { echo $RETRIES; }\n",
            "main.sh": "source ./lib.sh\nRETRIES=5\necho ${RETRIES}\n",
            "other.sh": "RETRIES=1\n",
        },
        {"lib.sh:1": "exact 4, another symbol 1", "other.sh:1": "exact 1, another symbol 4"},
    ),
    "a variable of Bash may be the index of an array": Case(
        {"a.sh": 'f() {\n  local i=0\n  echo "${files[i]}"\n}\n'}, {"a.sh:2:9": "exact 2"}
    ),
    "a namespace of TypeScript sees what its other declarations have": Case(
        {
            "a.ts": "namespace Geo {\n  export class Line { go() {} }\n}\nnamespace Geo {\n"
            "  export const make = () => new Line();\n  make().go();\n}\n"
        },
        {"Geo.Line": "exact 2", "Geo.Line.go": "exact 2"},
        {"a.ts:5:33": "a.ts:2"},
    ),
    "a constant and a type of one name are distinguished by their place": Case(
        {
            "a.ts": "export const Level = { Low: 1 } as const;\n"
            "export type Level = (typeof Level)[keyof typeof Level];\n"
            "export const f = (l: Level) => l === Level.Low;\n"
        },
        {"a.ts:1": "exact 4", "a.ts:2": "exact 2"},
        {"a.ts:3:22": "a.ts:2", "a.ts:3:38": "a.ts:1"},
    ),
    "a project of C# may name a namespace for all its files": Case(
        {
            "A.cs": "namespace Acme.Other { public class Thing { public static int Count; } }\n",
            "Globals.cs": "global using Oth = Acme.Other;\n",
            "Use.cs": "namespace App { class Use { int F() => Oth.Thing.Count; } }\n",
        },
        {"Thing": "exact 2", "Thing.Count": "exact 2"},
        {"Use.cs:1:44": "A.cs:1"},
    ),
    "functions of C# see inherited members before parameters of their type": Case(
        {
            "A.cs": "class Base { protected int count; }\nclass Child(int count, int label) : Base {\n"
            "  int Total() => count + label;\n  int start = count;\n}\n"
        },
        {"Base.count": "exact 2"},
        {"A.cs:3:18": "A.cs:1", "A.cs:3:26": "A.cs:2", "A.cs:4:15": "A.cs:2"},
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_name_means_what_its_place_says(case: Case, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, case.files))
    for symbol, account in case.accounts.items():
        assert f"account: {account}" in ask("find_references", symbol=symbol), symbol
    for place, target in case.definitions.items():
        assert f" in {target}" in ask("go_to_definition", symbol=place).replace(":\n", "\n"), place


def test_a_key_that_a_file_of_lua_returns_is_renamed_with_its_value(tmp_path: Path, opened: Open) -> None:
    files = {
        "base.lua": "local Base = {}\nfunction Base.new() end\nreturn { Base = Base, make = Base.new }\n",
        "use.lua": 'local lib = require "base"\nprint(lib.Base.new())\n',
    }
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="base.lua:1:7", new_name="Root")
    assert "+return { Root = Root, make = Root.new }" in shown
    assert "+print(lib.Root.new())" in shown


def test_a_variable_of_a_php_script_is_renamed_with_or_without_its_dollar(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": "<?php\n$result = 1;\necho $result;\n$x = compact('result');\n"}))
    for name in ("total", "$total"):
        shown = ask("rename_symbol", symbol="a.php:2:2", new_name=name)
        assert "+$total = 1;\n+echo $total;" in shown
        assert "mentioned, not changed: a.php\n4: $x = compact('result');  [string]" in shown


def test_the_head_of_a_record_of_java_sees_what_its_body_declares(tmp_path: Path, opened: Open) -> None:
    files = {
        "A.java": "record Body(String text, Type type) {\n  enum Type { JSON }\n}\n"
        "class Plain extends Type { class Type {} }\nclass Type {}\n"
        "class Use { Object f(Body b) { return b.type().JSON; } }\n"
    }
    ask = opened(write(tmp_path, files))
    assert "account: exact 2, another symbol 3" in ask("find_references", symbol="Body.Type")
    assert "A.java:2" in ask("go_to_definition", symbol="A.java:1:26")
    assert "A.java:5" in ask("go_to_definition", symbol="A.java:4:21")


def test_the_blank_identifier_of_go_is_no_variable(tmp_path: Path, opened: Open) -> None:
    files = {
        "go.mod": "module a\n",
        "a.go": "package a\n\nfunc f() {\n\tx, _ := g()\n\ty, _ := g()\n\t_, _ = x, y\n}\n",
    }
    refused = opened(write(tmp_path, files)).error("rename_symbol", symbol="a.go:4:5", new_name="rest")
    assert "_ takes values that are not used" in refused
