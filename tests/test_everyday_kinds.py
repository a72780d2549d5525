"""Kinds of everyday code of which an answer left out uses and said that it was complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

NESTED_ARGUMENT = {
    "Java": {
        "p/Repo.java": "package p;\nabstract class Repo<T, K> {\n  T rows;\n"
        "  void where(T s) { rows.hashCode(); }\n}\n",
        "p/Users.java": "package p;\nclass Users extends Repo<Users.User, String> {\n  static class User {}\n"
        "  void check() { where(null); }\n}\n",
    },
    "Kotlin": {
        "Repo.kt": "package p\nabstract class Repo<T, K> {\n  var rows: T? = null\n"
        "  fun where(s: T) { rows.hashCode() }\n}\n",
        "Users.kt": "package p\nclass Users : Repo<Users.User, String>() {\n  class User\n"
        "  fun check() { where(User()) }\n}\n",
    },
    "C#": {
        "Repo.cs": "namespace P;\nabstract class Repo<T, K> {\n  protected T rows;\n"
        "  protected void Where(T s) { rows.GetHashCode(); }\n}\n",
        "Users.cs": "namespace P;\nclass Users : Repo<Users.User, string> {\n  public class User {}\n"
        "  void Check() { Where(null); }\n}\n",
    },
    "Swift": {
        "Repo.swift": "class Repo<T, K> {\n  var rows: T? = nil\n  func where2(_ s: T) { rows.hashValue }\n}\n",
        "Users.swift": "class Users: Repo<Users.User, String> {\n  class User {}\n"
        "  func check() { where2(User()) }\n}\n",
    },
}
METHODS = {"Java": "Repo.where", "Kotlin": "Repo.where", "C#": "Repo.Where", "Swift": "Repo.where2"}


@pytest.mark.parametrize("language", NESTED_ARGUMENT)
def test_a_base_that_names_a_type_of_its_heir_is_known_whatever_was_asked_before(
    language: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, NESTED_ARGUMENT[language]))
    method = METHODS[language]
    ask("rename_symbol", symbol="Repo.rows", new_name="lines")
    assert f"{method}: 2 references in 2 files, complete" in ask("find_references", symbol=method)


ANIMAL = "public class Animal {\n  var tag = 1\n  func speak() {}\n  class Tag { var t = 1 }\n}\n"


def test_an_extension_in_another_file_is_a_use_of_its_type_and_so_are_the_uses_in_it(
    tmp_path: Path, opened: Open
) -> None:
    extension = "extension Animal { func d() { Animal().speak(); Tag() } }\n"
    extension += "extension Animal.Tag { var s: Tag { Tag() } }\n"
    ask = opened(write(tmp_path, {"A.swift": ANIMAL, "B.swift": extension}))
    assert "Class in A.swift:1" in ask("go_to_definition", symbol="B.swift:1:11")
    shown = ask("find_references", symbol="A.swift:1:14")
    assert "account: exact 4" in shown
    assert "1: extension Animal { func d() { Animal().speak(); Tag() } }  [2 times]" in shown
    assert "account: exact 5" in ask("find_references", symbol="Animal.Tag")
    assert "5 edits in 2 files" in ask("rename_symbol", symbol="Animal.Tag", new_name="Mark")


BLOCKS = (
    "struct T {\n  func run() -> Int? { 1 }\n  func run(_ f: () -> Int) -> Int? { 1 }\n}\nfunc h(t: T, xs: [Int]) {\n"
    "  if let l = t.run() { print(l) }\n  while let x = t.run() { print(x) }\n"
    "  guard let y = t.run() else { return }\n  switch t.run() { default: break }\n"
    "  for q in xs where t.run() == nil { }\n"
    '  if xs.contains("{("), t.run() != nil\n  { }\n'
    "  let z = t.run() { 3 }\n  if (t.run() { 4 }) == nil { }\n  if xs.isEmpty { t.run { 5 } }\n}\n"
)


def test_the_block_of_a_statement_is_no_closure_of_the_call_in_its_condition(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"T.swift": BLOCKS}))
    plain = ask("find_references", symbol="T.swift:2:8")
    assert "account: exact 7" in plain
    assert all(f"\n{line}: " in plain for line in (6, 7, 8, 9, 10, 11))
    closure = ask("find_references", symbol="T.swift:3:8")
    assert "account: exact 4" in closure
    assert all(f"\n{line}: " in closure for line in (13, 14, 15))


def test_a_class_with_a_private_constructor_is_not_private_itself(tmp_path: Path, opened: Open) -> None:
    files = {
        "A.kt": "package net\nclass Client private constructor(val b: String)\nclass Open {\n  var port: Int = 0\n"
        "    private set\n}\n",
        "B.kt": "import net.Client\nimport net.Open\nval x: Client? = null\nfun f(o: Open) = o.port\n",
    }
    ask = opened(write(tmp_path, files))
    assert "Client: 3 references in 2 files, complete" in ask("find_references", symbol="Client")
    assert "Open.port: 2 references in 2 files, complete" in ask("find_references", symbol="Open.port")


ENUM = (
    "enum class Op(val sign: Char) {\n    PLUS('+') { override fun apply(a: Int, b: Int) = a + b },\n"
    "    MINUS('-') { override val wide: Int get() = 3 };\n    abstract fun apply(a: Int, b: Int): Int\n"
    "    val isPlus get() = this == PLUS\n}\n"
)


def test_constants_with_bodies_in_one_line_hide_no_enumeration(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"Op.kt": ENUM}))
    shown = ask("document_symbols", path="Op.kt")
    for symbol in ("enum class Op", "PLUS('+')", "override fun apply", "override val wide", "MINUS('-')", "val isPlus"):
        assert symbol in shown
    assert "Op.PLUS: 2 references, complete" in ask("find_references", symbol="Op.PLUS")


HELD = {
    "src/lib.rs": "use std::{future::Future, pin::Pin};\nuse actix_web::{web, Ref, MutexGuard};\n"
    "pub struct Entry { pub at: u64 }\n"
    "pub fn guarded(g: MutexGuard<'_, Entry>) -> u64 { g.at }\n"
    "pub fn data(d: web::Data<Entry>) -> u64 { d.at }\n"
    "pub fn borrowed(g: Ref<Entry>) -> u64 { g.at }\n"
    "type Fut<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;\n"
    "pub trait Store { fn load(&self) -> Fut<'_, Option<Entry>>; }\n"
    "pub async fn fetch(s: &dyn Store) -> Option<u64> { let e = s.load().await?; Some(e.at) }\n",
}


def test_a_type_from_outside_may_have_the_members_of_what_it_holds(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, HELD))("find_references", symbol="Entry.at")
    assert "1 reference, 4 undecided" in shown
    assert all(f"\n{line}: " in shown for line in (4, 5, 6, 9))


def test_a_mapped_type_from_outside_may_have_the_members_of_its_argument(tmp_path: Path, opened: Open) -> None:
    source = 'import { DeepPartial } from "lib";\nexport class E { at = 1; }\n'
    source += "export const f = (e: DeepPartial<E>) => e.at;\n"
    shown = opened(write(tmp_path, {"a.ts": source}))("find_references", symbol="E.at")
    assert "1 undecided" in shown
    assert "3: export const f" in shown


def test_an_alias_from_outside_may_have_the_members_of_its_argument(tmp_path: Path, opened: Open) -> None:
    source = "from lib import Injected\nclass E:\n    at: int\ndef f(e: Injected[E]): return e.at\n"
    shown = opened(write(tmp_path, {"a.py": source}))("find_references", symbol="E.at")
    assert "1 undecided" in shown


TURBOFISH = (
    "pub trait Named { fn name(&self) -> u8; fn create() -> Self; }\npub struct Dog { pub at: u8 }\n"
    "impl Named for Dog { fn name(&self) -> u8 { 1 } fn create() -> Self { Dog { at: 1 } } }\n"
    "fn make<A: Named>() -> Box<A> { Box::new(A::create()) }\n"
    "fn a() -> u8 { let d = make::<Dog>(); d.name() + d.at }\n"
    "fn b(s: &str) -> u8 { serde_json::from_str::<Dog>(s).unwrap().at }\n"
)


def test_the_type_arguments_of_a_call_say_what_it_gives(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": TURBOFISH}))
    assert "5: fn a() -> u8" in ask("find_references", symbol="Dog.name")
    shown = ask("find_references", symbol="Dog.at")
    assert "account: exact 3" in shown
    assert "5: fn a() -> u8" in shown
    assert "6: fn b(s: &str) -> u8" in shown


GEO = {
    "geo.hpp": "namespace geo::inline v1 {\nstruct Vec { double x; };\ndouble norm(const Vec& v);\n}\n",
    "main.cpp": '#include "geo.hpp"\nnamespace g = geo;\nusing geo::Vec;\n'
    "double f() { Vec a{1}; return geo::norm(a) + a.x; }\ndouble h(const g::Vec& v) { return g::norm(v); }\n",
}


def test_what_an_inline_namespace_holds_is_named_without_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GEO))
    assert "account: exact 5" in ask("find_references", symbol="geo.Vec")
    shown = ask("find_references", symbol="geo.norm")
    assert "4: double f()" in shown
    assert "5: double h" in shown


PACKAGE = {
    "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n',
    "build.rs": "mod gen;\nfn main() { gen::go() }\n",
    "gen.rs": "pub fn go() {}\n",
    "src/lib.rs": "mod build;\n#[cfg(test)]\nmod tests;\npub use build::*;\npub struct Req { pub url: u8 }\n",
    "src/build.rs": "use super::Req;\nmod deep;\npub struct Builder { req: Req }\nfn f() { deep::found() }\n",
    "src/build/deep.rs": "use crate::Req;\npub fn found() { let r: Req; }\n",
    "src/tests/mod.rs": "mod one;\nfn helper() {}\n",
    "src/tests/one.rs": "use crate::Req;\nuse super::helper;\nfn t() { helper(); let r: Req; }\n",
    "tests/it.rs": "use x::Req;\nmod common;\nfn t(r: Req) { common::set() }\n",
    "tests/common/mod.rs": "pub fn set() {}\n",
}


def test_a_module_that_is_called_like_a_build_script_or_a_folder_of_tests_is_no_crate(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, PACKAGE))
    for symbol, count in (("Req", "9"), ("helper", "3"), ("found", "2"), ("go", "2"), ("set", "2")):
        assert f"account: exact {count}\n" in ask("find_references", symbol=symbol)


DEFAULT = (
    "#[derive(Default)]\npub struct S { pub n: u8 }\npub struct D { pub m: u8 }\n"
    "impl Default for D { fn default() -> Self { D { m: 1 } } }\n"
    "fn f() -> u8 { let s = S::default(); s.n + D::default().m }\n"
)


def test_the_default_of_a_type_is_of_that_type_whether_or_not_it_is_derived(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": DEFAULT}))
    assert "account: exact 2\n" in ask("find_references", symbol="S.n")
    assert "5: fn f() -> u8" in ask("find_references", symbol="D.m")
