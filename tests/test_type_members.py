"""Types that are members of types, objects that are called like their type, and bounds are told apart."""

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
