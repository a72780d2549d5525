"""Names that collide in everyday code: a tag and a variable, a field and a method, methods of classes and objects."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Asking, Open, write


def _lines(ask: Asking, symbol: str, path: str) -> list[int]:
    """Return the lines of a file on which a symbol is certainly used or defined."""
    items = re.split(r"(?m)^(\S+\.\w+)\n", ask("find_references", symbol=symbol))
    text = dict(zip(items[1::2], items[2::2], strict=True)).get(path, "")
    return [int(one) for one in re.findall(r"(?m)^(\d+): ", text.partition("\nundecided")[0])]


TAG = {
    "port.c": (
        "struct state { int open; };\nstatic struct state state;\n"
        "static int check(const struct state *one) { return one->open; }\n"
        "int is_open(void) { return state.open + check(&state) + (int)sizeof(struct state); }\n"
    ),
}


def test_a_tag_of_c_is_another_symbol_than_the_variable_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TAG))
    assert _lines(ask, "port.c:1:8", "port.c") == [1, 2, 3, 4]
    assert _lines(ask, "port.c:2:21", "port.c") == [2, 4]
    assert "2: static struct state state;" in ask("go_to_definition", symbol="port.c:4:28")
    assert "struct state {" in ask("go_to_definition", symbol="port.c:3:31")
    assert "struct port_state {" in ask("rename_symbol", symbol="port.c:1:8", new_name="port_state")
    assert "struct port_state {" not in ask("rename_symbol", symbol="port.c:2:21", new_name="port_state")


CLASSES = {
    "log.rb": (
        "class Log\n  attr_reader :name\n  def to_s\n    name\n  end\n  def use\n"
        "    self.class.name + Log.to_s + Log.new.to_s\n  end\nend\n"
    ),
    "tool.rb": "module Tool\n  extend self\n  def name\n    1\n  end\nend\nTool.name\n",
}


def test_what_every_class_of_ruby_has_is_no_method_of_its_objects(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CLASSES))
    assert _lines(ask, "log.rb:2:16", "log.rb") == [2, 4]
    assert "account: exact 2, another symbol 1" in ask("find_references", symbol="log.rb:3:7")
    assert _lines(ask, "tool.rb:3:7", "tool.rb") == [3, 7]


GETTER = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/lib.rs": (
        "use std::collections::HashMap;\npub struct Item { name: String, tags: Vec<String>, seen: Option<u8> }\n"
        "impl Item {\n    pub fn new(name: String, seen: Option<u8>) -> Self {\n"
        "        Item { name, tags: Vec::new(), seen }\n    }\n    pub fn name(&self) -> &str { &self.name }\n"
        "    pub fn len(&self) -> usize { self.tags.len() + self.seen.iter().len() }\n"
        "    pub fn insert(&mut self, tag: &str) { self.tags.insert(0, tag.to_string()); }\n"
        "    pub fn shout(&self) -> String { self.name.shout() }\n}\n"
        "pub trait Shout { fn shout(&self) -> String; }\n"
        "impl Shout for str { fn shout(&self) -> String { self.into() } }\n"
        "pub fn run(item: &Item, all: &[Item], by: HashMap<u8, Vec<Item>>) -> usize {\n"
        "    item.len() + all[0].len() + by[&1].len() + item.name().len() + vec![1].iter().len()\n}\n"
    ),
}


def test_a_member_of_a_standard_type_of_rust_is_none_of_a_type_of_the_tree(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GETTER))
    found = ask("find_references", symbol="src/lib.rs:8:12")
    assert _lines(ask, "src/lib.rs:8:12", "src/lib.rs") == [8, 15]
    assert "2 uses" not in found
    assert "15: item.len() + all[0].len() + by[&1].len() + item.name().len() + vec![1].iter().len()  [2 times]" in found
    assert "undecided 2" in found
    assert _lines(ask, "src/lib.rs:9:12", "src/lib.rs") == [9]


def test_a_trait_for_str_may_give_a_string_of_rust_a_method(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GETTER))
    assert "undecided 1" in ask("find_references", symbol="src/lib.rs:10:12")


def test_the_name_of_a_field_alone_means_no_method_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GETTER))
    assert _lines(ask, "src/lib.rs:7:12", "src/lib.rs") == [7, 15]


PHP = {
    "composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/"}}}\n',
    "src/Request.php": (
        "<?php\nnamespace App;\nclass Request {\n"
        "    public function __construct(private array $query = [], public ?int $id = null) {}\n"
        "    public function query(string $key) { return $this->query[$key]; }\n"
        "    public static function make(int $id) { return new self(query: [], id: $id); }\n}\n"
    ),
    "src/Loggable.php": (
        "<?php\nnamespace App;\ntrait Loggable {\n    private array $log = [];\n"
        "    public function log(string $text) { $this->log[] = $text; }\n}\n"
        "trait Timed {\n    public function log() {}\n}\n"
        "class Post {\n    use Loggable, Timed {\n        Loggable::log insteadof Timed;\n    }\n}\n"
    ),
    "main.php": "<?php\nuse App\\Request;\n$request = new Request(query: ['a' => 1]);\necho $request->query('a');\n",
}


def test_a_named_argument_of_php_means_the_promoted_property_and_no_method_of_its_name(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, PHP))
    assert _lines(ask, "src/Request.php:4:47", "src/Request.php") == [4, 5, 6]
    assert _lines(ask, "src/Request.php:4:47", "main.php") == [3]
    assert _lines(ask, "src/Request.php:5:21", "main.php") == [4]
    assert _lines(ask, "src/Request.php:4:72", "src/Request.php") == [4, 6]


def test_what_a_class_of_php_takes_of_a_trait_is_a_method_and_no_property(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PHP))
    assert _lines(ask, "src/Loggable.php:5:21", "src/Loggable.php") == [5, 12]
    assert _lines(ask, "src/Loggable.php:4:20", "src/Loggable.php") == [4, 5]


PATHS = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/main.rs": (
        "mod price;\nmod shape;\nuse crate::price::price;\nuse crate::shape::Shape;\n"
        "fn main() {\n    use Shape::*;\n    let shape = Shape::Round(price(1));\n"
        "    match shape { Round(size) => drop(size), Flat { size } => drop(Box::new(size)) }\n}\n"
    ),
    "src/price.rs": "pub fn price(cents: i64) -> i64 { cents }\n",
    "src/shape.rs": (
        "pub enum Shape { Round(i64), Flat { size: i64 } }\npub struct Grid;\n"
        "impl Grid { pub fn new() -> Self { Grid } }\n"
    ),
}


def test_a_module_of_rust_on_a_path_is_not_what_is_called_like_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PATHS))
    found = ask("find_references", symbol="src/price.rs:1:8")
    assert "account: exact 3, another symbol 2" in found
    assert "Module in src/price.rs" in ask("go_to_definition", symbol="src/main.rs:3:12")


def test_all_names_of_an_imported_enum_of_rust_are_seen_in_a_function(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PATHS))
    assert _lines(ask, "src/shape.rs:1:18", "src/main.rs") == [7, 8]
    assert _lines(ask, "src/shape.rs:1:38", "src/main.rs") == [8]


def test_a_constructor_of_a_type_of_the_standard_library_is_from_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PATHS))
    assert "account: exact 1, another symbol 1" in ask("find_references", symbol="src/shape.rs:3:20")


BANK = {
    "bank.hpp": (
        "#pragma once\nnamespace bank {\nstruct Money { int cents; };\nvoid print(const Money& money);\n}\n"
        "namespace ledger {\nstruct Entry { bank::Money amount; };\nvoid print(const Entry& entry);\n"
        "void print_all(const Entry& entry, int times);\n}\n"
    ),
    "main.cpp": (
        '#include "bank.hpp"\nnamespace bank {\nvoid print(const Money& money) {}\n}\nnamespace ledger {\n'
        "void print(const Entry& entry) { print(entry.amount); }\n"
        "void print_all(const Entry& entry, int times) { print(entry); }\n}\n"
        "int main() {\n  ledger::Entry entry;\n  bank::Money money;\n  print(entry);\n  print(money);\n"
        "  print(entry.amount);\n  print(unknown());\n}\n"
    ),
}


def test_a_call_of_cpp_finds_functions_in_the_namespaces_of_its_arguments(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BANK))
    assert _lines(ask, "bank.hpp:4:6", "main.cpp") == [3, 6, 13, 14]
    assert _lines(ask, "bank.hpp:8:6", "main.cpp") == [6, 7, 12]
    assert "undecided 1" in ask("find_references", symbol="bank.hpp:4:6")


CLOSURES = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/main.rs": (
        "mod item;\nstruct Item { size: u8 }\nfn check(all: &[Item], size: u8) {\n"
        "    assert!(all.iter().any(|one| one.size > size));\n"
        '    assert!(all.iter().map(|size| size.size).max() > Some(size), "{}", all.len() | 1);\n'
        '    println!("{:?}", all.first().map(|item| &item.size));\n}\nfn main() {}\n'
    ),
    "src/item.rs": "pub fn run() {}\n",
}


def test_parameters_of_closures_of_rust_are_bound_among_the_tokens_of_macros(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CLOSURES))
    found = ask("find_references", symbol="src/main.rs:3:25")
    assert "3 references" in found
    assert "5: assert!(all.iter().map(|size| size.size).max() > Some(size)" in found
    assert "exact 3" in found
    assert "exact 2" in ask("find_references", symbol="src/main.rs:5:29")
    assert "exact 2" in ask("find_references", symbol="src/main.rs:6:39")


SIGNS = {
    "store.rb": (
        "class Store\n  def initialize(size, name: nil)\n    @size = size\n    @name = name\n  end\n"
        "  def width(size)\n    size > 1 ? size : add(size: 1, other: :size)\n  end\n"
        "  def add(size:, other:)\n    [size, other, @size]\n  end\n"
        "  def make\n    @width ||= add(size: 2, other: 1)\n  end\nend\n"
    ),
}


def test_a_local_variable_of_ruby_is_no_variable_of_an_object_no_symbol_and_no_key(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, SIGNS))
    assert "2 references, complete" in ask("find_references", symbol="store.rb:2:18")
    assert _lines(ask, "store.rb:6:13", "store.rb") == [6, 7]
    assert "undecided" not in ask("find_references", symbol="store.rb:6:13").partition("\n")[0]
    assert sorted(_lines(ask, "store.rb:9:11", "store.rb")) == [7, 9, 10, 13]
    assert "2 references, complete" in ask("find_references", symbol="store.rb:2:24")
    assert "1 reference, complete" in ask("find_references", symbol="store.rb:6:7")


MACROS = {
    "limits.h": "#define LIMIT 1\n#define BOTH (LIMIT + 1)\n",
    "main.c": (
        '#include "limits.h"\n#define LATER (LIMIT + 2)\nstatic int first(void) { return LIMIT; }\n'
        "#undef LIMIT\n#define LIMIT 2\nstatic int second(void) { return LIMIT + BOTH + LATER + first(); }\n"
        "int main(void) { return second(); }\n"
    ),
}


def test_a_macro_of_c_is_the_included_one_before_the_file_defines_its_own(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, MACROS))
    assert "1: #define LIMIT 1" in ask("go_to_definition", symbol="main.c:3:33")
    assert "5: #define LIMIT 2" in ask("go_to_definition", symbol="main.c:6:34")
    assert _lines(ask, "limits.h:1:9", "main.c") == [3]
    assert 3 not in _lines(ask, "main.c:5:9", "main.c")
