"""Uses that everyday code makes without a plain call by name: operators, macros, symbols, labels, packages."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

KOTLIN = {
    "src/Model.kt": "package com.shop\nclass Order(val id: Int) {\n    operator fun plus(o: Order) = this\n}\n",
    "src/app/Use.kt": "package com.shop.app\nimport com.shop.Order\nfun use(a: Order, b: Order) { a + b; a.plus(b) }\n",
}


def test_a_symbol_of_kotlin_is_addressed_by_the_package_that_its_file_says(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, KOTLIN))
    assert "src/app/Use.kt" in ask("find_references", symbol="com.shop.Order")
    assert "class Order" in ask("symbol_search", query="com.shop.Order")


def test_a_rename_tells_which_operators_would_call_nothing(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, KOTLIN))
    assert "decide: operators call it, and none would call it by another name: + src/app/Use.kt:3" in ask(
        "rename_symbol", symbol="Order.plus", new_name="add"
    )


def test_what_uses_an_operator_calls_its_function(tmp_path: Path, opened: Open) -> None:
    uses = {"src/app/Use.kt": "import com.shop.Order\nfun twice(a: Order) = a + a\n"}
    shown = opened(write(tmp_path, {**KOTLIN, **uses}))("call_hierarchy", symbol="Order.plus")
    assert "1 caller" in shown
    assert "twice" in shown


def test_a_companion_object_is_no_subtype_of_what_its_class_inherits_from(tmp_path: Path, opened: Open) -> None:
    source = "package p\ntrait Animal\nclass Cat extends Animal\nobject Cat\nclass Dog\nobject Dog extends Animal\n"
    shown = opened(write(tmp_path, {"A.scala": source}))("find_implementations", symbol="Animal")
    assert "3 class Cat extends Animal" in shown
    assert "object Cat" not in shown
    assert "6 object Dog extends Animal" in shown
    assert "5 class Dog" not in shown


SWIFT = (
    "struct Point {\n    var x: Int\n    init(x: Int) { self.x = x }\n    init() { self.init(x: 0) }\n"
    "    func move(to p: Int) {}\n    func move(by p: Int) {}\n}\nlet p = Point(x: 1)\nlet q = Point()\n"
    "func f() { p.move(to: 1); p.move(by: 2) }\n"
)


def test_labels_tell_the_initializers_of_swift_apart(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"P.swift": SWIFT}))
    by_label = ask("find_references", symbol="P.swift:3:5")
    assert "8: let p = Point(x: 1)" in by_label
    assert "9: let q = Point()" not in by_label
    plain = ask("find_references", symbol="P.swift:4:5")
    assert "9: let q = Point()" in plain
    assert "8: let p" not in plain


def test_a_method_of_swift_is_renamed_with_the_calls_of_its_labels_alone(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"P.swift": SWIFT}))("rename_symbol", symbol="P.swift:5:10", new_name="go")
    assert "+func f() { p.go(to: 1); p.move(by: 2) }" in shown
    assert "2 edits in 1 file" in shown


RUBY = {
    "a.rb": "class Widget\n  attr_accessor :name\n  def draw; helper; end\nend\n",
    "b.rb": "require_relative 'a'\nclass Widget\n  def helper; 1; end\nend\nWidget.new.name\n",
}


def test_a_class_that_is_opened_again_is_one_symbol(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, RUBY))
    for address in ("Widget", "a.rb:1:7", "b.rb:2:7"):
        shown = ask("find_references", symbol=address)
        assert "1: class Widget" in shown
        assert "2: class Widget" in shown
    members = ask("type_members", symbol="Widget")
    assert "def draw" in members
    assert "def helper" in members


def test_a_name_alone_that_is_no_variable_is_a_call_in_ruby(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, RUBY))("call_hierarchy", symbol="Widget.helper")
    assert "1 caller" in shown
    assert "Widget.draw" in shown


def test_an_attribute_of_ruby_is_renamed_where_it_is_defined(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, RUBY))("rename_symbol", symbol="Widget.name", new_name="title")
    assert "+  attr_accessor :title" in shown
    assert "+Widget.new.title" in shown


RUST = {
    "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": (
        "pub fn total(x: &[u32]) -> u32 { x.iter().sum() }\n"
        '#[cfg(unix)]\n#[path = "unix.rs"]\nmod imp;\n#[cfg(windows)]\n#[path = "windows.rs"]\nmod imp;\n'
        'pub fn show() { println!("{}", total(&[1])); imp::open(); }\n'
    ),
    "src/unix.rs": "pub fn open() {}\n",
    "src/windows.rs": "pub fn open() {}\n",
}


def test_a_call_in_the_tokens_of_a_macro_is_a_call(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, RUST))("call_hierarchy", symbol="total")
    assert "1 caller" in shown
    assert "show" in shown


def test_modules_of_which_one_is_compiled_are_all_meant(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, RUST))
    for path in ("src/unix.rs", "src/windows.rs"):
        assert "imp::open();" in ask("find_references", symbol=f"{path}:1:8")
    renamed = ask("rename_symbol", symbol="src/unix.rs:1:8", new_name="start")
    assert "edits by file" in renamed
    assert "src/windows.rs" in renamed


def test_functions_that_a_trap_is_given_are_renamed_with_it(tmp_path: Path, opened: Open) -> None:
    script = "cleanup() { :; }\ntrap cleanup EXIT\ntrap 'cleanup; exit 1' INT\ncommand cleanup\n"
    shown = opened(write(tmp_path, {"a.sh": script}))("rename_symbol", symbol="cleanup", new_name="tidy")
    assert "+trap tidy EXIT" in shown
    assert "+trap 'tidy; exit 1' INT" in shown
    assert "+command tidy" not in shown


def test_a_function_of_a_shell_is_found_by_a_name_with_colons(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"b.sh": "mylib::log() { :; }\nmylib::log\n"}))
    assert "2: mylib::log" in ask("find_references", symbol="mylib::log")


def test_new_runs_the_constructor_of_php_that_a_class_inherits(tmp_path: Path, opened: Open) -> None:
    source = (
        "<?php\nclass A {\n    public function __construct($x) {}\n"
        "    static function of() { return new static(1); }\n}\nclass B extends A {}\n$b = new B(2);\n"
    )
    shown = opened(write(tmp_path, {"a.php": source}))("find_references", symbol="A.__construct")
    assert "4: static function of() { return new static(1); }" in shown
    assert "7: $b = new B(2);" in shown
