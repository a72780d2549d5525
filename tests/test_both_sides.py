"""A use is found from its definition exactly where the definition is found from the use: kinds of members and names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Open, write

_RUST = """\
pub trait Maker { type Item; fn make() -> Self::Item; }
pub struct One;
pub struct Two<T>(T);
impl Maker for One { type Item = u8; fn make() -> Self::Item { 1 } }
impl<T: Maker> Maker for Two<T> { type Item = T::Item; fn make() -> Self::Item { T::make() } }
pub mod inner { pub type Item = u8; }
"""
_SCALA = "trait Box { type Item }\nclass IntBox extends Box { type Item = Int }\n"
_SWIFT = (
    "protocol Box { associatedtype Item }\nstruct IntBox: Box { typealias Item = Int }\n"
    "struct Nest: Box { struct Item {} }\nclass Own { class Item {} }\nclass Part: Own.Item {}\n"
)


@pytest.mark.parametrize(
    ("file", "code", "place", "lines"),
    [
        ("a.rs", _RUST, "a.rs:1:24", ["4", "5"]),
        ("a.scala", _SCALA, "a.scala:1:18", ["2"]),
        ("a.swift", _SWIFT, "a.swift:1:31", ["2", "3"]),
    ],
)
def test_a_type_that_implementing_types_declare_is_overridden_by_theirs(
    file: str, code: str, place: str, lines: list[str], tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {file: code}))
    text = ask("find_implementations", symbol=place)
    assert "overriding member" in text.partition("\n")[0]
    assert re.findall(r"^(\d+) \w+: ", text, re.MULTILINE) == lines


def test_the_type_that_a_member_implements_is_above_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.rs": _RUST}))
    text = ask("find_implementations", symbol="a.rs:4:27", direction="up")
    assert "1 overridden member" in text
    assert "\n1 Maker: type Item" in text


def test_a_type_in_a_module_or_a_class_in_a_class_has_subtypes_of_its_own(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.rs": _RUST, "a.swift": _SWIFT}))
    assert "no subtypes" in ask("find_implementations", symbol="a.rs:6:26")
    assert "1 subtype," in ask("find_implementations", symbol="a.swift:4:19")


def test_a_bound_in_the_head_of_an_implementation_leaves_nothing_undecided(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.rs": _RUST}))
    assert "2 subtypes, complete" in ask("find_implementations", symbol="a.rs:1:11")


def test_a_bound_in_the_tokens_of_a_macro_is_undecided_as_its_implementation_is(tmp_path: Path, opened: Open) -> None:
    macro = "macro_rules! all { ($t:ty) => { impl<T: Maker> Maker for $t {} } }\n"
    ask = opened(write(tmp_path, {"a.rs": f"{_RUST}{macro}"}))
    assert "2 subtypes, 1 undecided" in ask("find_implementations", symbol="a.rs:1:11")


def test_a_call_of_an_object_runs_its_method_and_not_the_constructor_of_the_type(tmp_path: Path, opened: Open) -> None:
    code = (
        'class Item(val name: String) { def this() = this("a") }\n'
        'object Item { def apply(): Item = new Item("x") }\n'
        'class Bare(val name: String) { def this() = this("a") }\n'
        "object Use {\n  val made = new Item()\n  val called = Item()\n  val bare = Bare()\n}\n"
    )
    ask = opened(write(tmp_path, {"a.scala": code}))
    constructor, applied = (ask("find_references", symbol=place) for place in ("a.scala:1:36", "a.scala:2:19"))
    assert "\n5: " in constructor
    assert "\n6: " not in constructor
    assert "\n6: " in applied
    assert "\n7: " in ask("find_references", symbol="a.scala:3:36")


def test_new_of_a_class_of_ruby_is_its_own_method_or_else_the_constructor_or_of_the_language(
    tmp_path: Path, opened: Open
) -> None:
    code = (
        "module Made; def new(*a); super; end; end\nclass Mixed; extend Made; end\n"
        "class Opened; class << self; include Made; end; end\nclass Plain; end\n"
        "class Pool; def self.new(*a); end; end\nclass Built < Plain; def initialize; end; end\n"
        "class Far < Elsewhere; end\n"
        "Mixed.new\nOpened.new\nPlain.new\nPool.new\nBuilt.new\nFar.new\n"
    )
    ask = opened(write(tmp_path, {"a.rb": code}))
    made, pool, built = (ask("find_references", symbol=place) for place in ("a.rb:1:18", "a.rb:5:22", "a.rb:6:27"))
    assert re.findall(r"^(\d+): .*?(\[likely\]|$)", made, re.MULTILINE)[:3] == [("1", ""), ("8", ""), ("9", "")]
    assert re.findall(r"^(\d+): .*?(\[likely\]|$)", pool, re.MULTILINE)[:2] == [("5", ""), ("11", "")]
    assert not re.search(r"^(8|9|10|12): ", pool, re.MULTILINE)
    assert "account: exact 1, aliased 1\n" in built


def test_a_table_that_a_file_of_lua_returns_has_the_uses_of_every_variable_that_requires_it(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "lib/shapes/init.lua": "local M = {}\nfunction M.draw() end\nreturn setmetatable(M, {})\n",
        "main.lua": 'local shapes = require("lib.shapes")\nshapes.draw()\n',
        "late.lua": "local function go()\n  local late = require 'lib.shapes'\n  late.draw()\nend\n",
        "far.lua": "local far = require('socket.core')\nfar.draw()\n",
    }
    ask = opened(write(tmp_path, files))
    assert "account: exact 3, aliased 4\n" in ask("find_references", symbol="lib/shapes/init.lua:1:7")
    assert ask("find_references", symbol="late.lua:3:3") == ask("find_references", symbol="main.lua:1:7")


def test_a_variable_of_lua_that_has_no_value_yet_has_uses(tmp_path: Path, opened: Open) -> None:
    code = "local forward\nlocal function go() forward() end\nforward()\n"
    ask = opened(write(tmp_path, {"a.lua": code, "b.lua": "forward = 1\n"}))
    assert "account: exact 3, another symbol 1\n" in ask("find_references", symbol="a.lua:1:7")
    assert "a.lua:1:7" in ask("go_to_definition", symbol="a.lua:3:1")


@pytest.mark.parametrize(
    ("file", "declared"),
    [
        ("a.kt", "public class Week private constructor(val year: Int)"),
        ("a.kt", "class Week @Inject private constructor(val year: Int)"),
        ("a.kt", "class Week\nprivate constructor(val year: Int)"),
        ("a.scala", "class Week private (val year: Int)"),
    ],
)
def test_a_private_constructor_hides_no_class(file: str, declared: str, tmp_path: Path, opened: Open) -> None:
    other = {"a.kt": "b.kt", "a.scala": "b.scala"}[file]
    ask = opened(
        write(tmp_path, {file: f"package p\n{declared}\n", other: "package p\nclass Use { val week: Week? = null }\n"})
    )
    assert f"{other}\n2: " in ask("find_references", symbol="Week")


@pytest.mark.parametrize("declared", ["private class pri(val year: Int)", "private fun pri(year: Int) = 1"])
def test_what_is_private_in_kotlin_is_seen_in_its_file_alone(declared: str, tmp_path: Path, opened: Open) -> None:
    files = {"a.kt": f"package p\n{declared}\n", "b.kt": "package p\nfun use() { val week = pri(1) }\n"}
    assert "another symbol 1\n" in opened(write(tmp_path, files))("find_references", symbol="a.kt:2")


def test_an_argument_in_another_file_names_the_private_property_of_the_head(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.kt": "package p\nclass Cut(val of: Int, private val all: Boolean) { fun keep() = all }\n",
        "b.kt": "package p\nfun make(by: Any) { Cut(1, all = true); by.all }\n",
    }
    ask = opened(write(tmp_path, files))
    assert "account: exact 3, another symbol 1\n" in ask("find_references", symbol="a.kt:2:36")
    assert "a.kt:2" in ask("go_to_definition", symbol="b.kt:2:28")


PARTLY_UNKNOWN = {
    "a.py": (
        "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n"
        "def f(x, z):\n    a = A() or z\n    a.go()\n"
    ),
    "a.rb": "class A\n  def go; end\nend\nclass B\n  def go; end\nend\ndef f(x, z)\n  a = x ? A.new : z\n  a.go\nend\n",
    "a.php": (
        "<?php\nclass A { function go() {} }\nclass B { function go() {} }\n"
        "function f($x, $z) {\n  $a = $z ?? new A();\n  $a->go();\n}\n"
    ),
    "a.ts": (
        "class A { go() {} }\nclass B { go() {} }\nfunction f(z: any) {\n  const a = z ?? new A();\n  a.go();\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "known", "other"), [("a.py", 2, 4), ("a.rb", 2, 5), ("a.php", "2:20", "3:20"), ("a.ts", "1:11", "2:11")]
)
def test_a_member_of_what_may_be_something_unknown_is_likely_for_one_type_and_undecided_for_others(
    path: str, known: object, other: object, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {path: PARTLY_UNKNOWN[path]}))
    assert "[likely]" in ask("find_references", symbol=f"{path}:{known}")
    header = ask("find_references", symbol=f"{path}:{other}").partition("\n")[0]
    assert "1 reference, 1 undecided" in header
    assert "complete" not in header
