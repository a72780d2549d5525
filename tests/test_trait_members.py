"""Members of Rust by the trait in whose ``impl`` they stand: fields, inherent methods, other traits are none of it."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

FIELD = (
    "pub trait Named { fn label(&self) -> &str; }\npub struct User { label: String }\n"
    "impl Named for User { fn label(&self) -> &str { &self.label } }\n"
    "pub fn make(label: String) -> User { User { label } }\npub fn show(n: &dyn Named) -> &str { n.label() }\n"
)


def test_a_field_is_renamed_without_the_trait_whose_method_is_called_so(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": FIELD}))
    shown = ask("rename_symbol", symbol="src/lib.rs:2:19", new_name="text")
    assert "3 edits in 1 file" in shown
    assert "+impl Named for User { fn label(&self) -> &str { &self.text } }" in shown
    assert "+pub fn make(label: String) -> User { User { text: label } }" in shown
    assert "renamed together" not in shown


def test_the_method_of_a_trait_is_renamed_without_the_field(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": FIELD}))
    for place in ("1:22", "3:26"):
        shown = ask("rename_symbol", symbol=f"src/lib.rs:{place}", new_name="text")
        assert "3 edits in 1 file" in shown
        assert "+impl Named for User { fn text(&self) -> &str { &self.label } }" in shown
        assert "n.text()" in shown


TRAITS = (
    "pub trait Named { fn name(&self) -> String; fn id(&self) -> u32 { 0 } }\n"
    "pub struct User { pub name: String, pub id: u32 }\n"
    "impl Named for User { fn name(&self) -> String { self.name.clone() } }\n"
    "pub trait Other { fn name(&self) -> u8; fn open() -> u8 { 1 } fn size(&self) -> u8 { 2 } }\n"
    "impl Other for User { fn name(&self) -> u8 { 1 } fn size(&self) -> u8 { 3 } }\n"
    "impl User { pub fn size(&self) -> usize { 1 } pub fn open(&self) {} }\n"
    "pub fn run(u: &User) {\n"
    "    let f = User::id;\n"
    "    Named::name(u);\n"
    "    <User as Other>::name(u);\n"
    "    u.size();\n"
    "    <User as Other>::size(u);\n"
    "    <User as Other>::open();\n"
    "    u.id;\n"
    "}\n"
)


def test_implementations_of_a_trait_method_stand_in_an_impl_of_the_trait(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAITS}))
    named = ask("find_implementations", symbol="Named.name")
    assert "1 overriding member" in named
    assert "3 User: fn name" in named
    assert "5 User: fn name" in ask("find_implementations", symbol="Other.name")
    assert "no overriding members" in ask("find_implementations", symbol="Named.id")
    assert "no overriding members" in ask("find_implementations", symbol="Other.open")
    size = ask("find_implementations", symbol="Other.size")
    assert "5 User: fn size" in size
    assert "6 User:" not in size


def test_only_the_trait_of_its_impl_is_above_a_method(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAITS}))
    for place in ("2:23", "2:41", "6:54"):
        assert "no overridden members" in ask("find_implementations", symbol=f"src/lib.rs:{place}", direction="up")


def test_implementations_in_another_file_than_the_type_are_found(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/lib.rs": "pub mod user;\npub mod named;\n",
        "src/user.rs": "pub struct User { pub label: u8 }\nimpl User { pub fn size(&self) {} }\n",
        "src/named.rs": (
            "use crate::user::User;\ntype Alias = User;\n"
            "pub trait Named { fn label(&self) -> u8; fn size(&self) {} fn kind(&self) {} }\n"
            "impl Named for User { fn label(&self) -> u8 { self.label } }\n"
            "pub trait Second { fn size(&self); }\nimpl Second for Alias { fn size(&self) {} }\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    label = ask("find_implementations", symbol="Named.label")
    assert "1 overriding member" in label
    assert "src/named.rs\n4 " in label
    assert "no overriding members" in ask("find_implementations", symbol="Named.size")
    assert "src/named.rs\n6 " in ask("find_implementations", symbol="Second.size")


def test_a_path_names_no_field(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAITS}))
    assert "src/lib.rs:1:48" in ask("go_to_definition", symbol="src/lib.rs:8:19")
    assert "8: let f = User::id" in ask("find_references", symbol="Named.id")
    field = ask("find_references", symbol="src/lib.rs:2:41")
    assert "14: u.id;" in field
    assert "8: " not in field


def test_a_method_of_a_trait_is_called_beside_a_field_of_its_name(tmp_path: Path, opened: Open) -> None:
    called = f"{FIELD}pub fn run(u: &User) {{ u.label(); u.label.len(); }}\n"
    ask = opened(write(tmp_path, {"src/lib.rs": called}))
    shown = ask("find_references", symbol="Named.label")
    assert "account: exact 3, another symbol 6" in shown
    assert "6: pub fn run" in shown


def test_a_qualified_path_means_the_member_of_its_trait(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAITS}))
    assert "13: <User as Other>::open();" in ask("find_references", symbol="Other.open")
    assert "13: " not in ask("find_references", symbol="src/lib.rs:6:54")
    assert "12: <User as Other>::size(u);" in ask("find_references", symbol="Other.size")
    assert "10: " not in ask("find_references", symbol="Named.name")
    assert "10: <User as Other>::name(u);" in ask("find_references", symbol="Other.name")
    renamed = ask("rename_symbol", symbol="Other.name", new_name="text")
    assert "3 edits in 1 file" in renamed
    assert "+    <User as Other>::text(u);" in renamed


def test_a_path_that_names_trait_and_type_may_run_the_method_of_that_impl(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"src/lib.rs": TRAITS}))("find_references", symbol="src/lib.rs:5:53")
    assert "12: <User as Other>::size(u);  [likely]" in shown
    assert "11: " not in shown


def test_an_inherent_method_is_another_symbol_than_that_of_a_trait(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAITS}))
    shown = ask("find_references", symbol="src/lib.rs:6:20")
    assert "account: exact 2, another symbol 3" in shown
    assert "11: u.size();" in shown
    assert "no overridden members" in ask("find_implementations", symbol="src/lib.rs:6:20", direction="up")
    both = ask("find_references", symbol="User.size")
    assert "2 symbols" in both
    members = ask("type_members", symbol="User")
    assert "7 members" in members
    assert "5 size()" in members
    assert "6 size()" in members


SEVERAL = (
    "use std::fmt;\n"
    "pub trait Named { fn size(&self) -> u8 { 0 } const ID: u8 = 1; }\n"
    "pub trait Other { fn size(&self) -> u8; }\n"
    "pub struct User;\n"
    "impl Named for User { fn size(&self) -> u8 { 2 } const ID: u8 = 2; }\n"
    "impl Other for User { fn size(&self) -> u8 { 1 } }\n"
    "impl User { pub const ID: u8 = 3; }\n"
    "pub struct A;\npub struct B;\n"
    "impl From<A> for User { fn from(_: A) -> Self { User } }\n"
    "impl From<B> for User { fn from(_: B) -> Self { User } }\n"
    "impl fmt::Display for User { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) } }\n"
    "impl fmt::Debug for User { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) } }\n"
    "pub fn make() { User::from(A); User::ID; <User as Named>::ID; }\n"
    "pub mod one { use super::{Named, User};\n    pub fn f(u: &User) { u.size(); }\n}\n"
    "pub mod two { use super::{Other, User};\n    pub fn f(u: &User) { u.size(); }\n}\n"
)


def test_a_call_means_the_method_of_the_trait_that_is_in_scope(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": SEVERAL}))
    for place in ("2:22", "5:26"):
        shown = ask("find_references", symbol=f"src/lib.rs:{place}")
        assert "16: pub fn f(u: &User) { u.size(); }" in shown
        assert "19: " not in shown
    for place in ("3:22", "6:26"):
        shown = ask("find_references", symbol=f"src/lib.rs:{place}")
        assert "19: pub fn f(u: &User) { u.size(); }" in shown
        assert "16: " not in shown
    assert "Method in src/lib.rs:6\n" in ask("go_to_definition", symbol="src/lib.rs:19:28")


def test_the_trait_in_scope_may_be_implemented_in_another_file(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/lib.rs": "pub mod user;\npub mod other;\n",
        "src/user.rs": (
            "pub trait Named { fn size(&self); }\npub struct User;\nimpl Named for User { fn size(&self) {} }\n"
        ),
        "src/other.rs": (
            "use crate::user::User;\npub trait Other { fn size(&self); }\nimpl Other for User { fn size(&self) {} }\n"
            "pub fn run(u: &User) { u.size(); }\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    assert "4: pub fn run(u: &User) { u.size(); }" in ask("find_references", symbol="Other.size")
    assert "u.size()" not in ask("find_references", symbol="Named.size")


def test_members_for_several_traits_are_a_symbol_each(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": SEVERAL}))
    for place in ("12:33", "13:31"):
        assert "account: exact 1, another symbol" in ask("find_references", symbol=f"src/lib.rs:{place}")
    own = ask("find_references", symbol="src/lib.rs:7:23")
    assert "account: exact 2, another symbol 3" in own
    assert "find_references User.ID: 2 references" in own


def test_a_call_of_a_generic_trait_is_likely_for_each_of_its_implementations(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": SEVERAL}))
    for line in (10, 11):
        shown = ask("find_references", symbol=f"src/lib.rs:{line}:28")
        assert "account: exact 1, likely 1, another symbol 1" in shown
        assert "14: pub fn make() { User::from(A);" in shown


def test_several_meanings_do_not_list_one_another_as_other_members(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TRAITS}))
    shown = ask("find_implementations", symbol="src/lib.rs:name")
    assert "3 User: fn name" in shown
    assert "5 User: fn name" in shown
    assert "which do not override it" not in shown
    assert "User.name src/lib.rs:5" in ask("find_implementations", symbol="Named.name")
