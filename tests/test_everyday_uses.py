"""Uses that everyday code makes without a plain call by name: operators, macros, symbols, labels, packages."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import Open, write
from leadline_tools.index.indexing import indexer, texts

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
    assert "decide: signs use it, and only by this name: + src/app/Use.kt:3" in ask(
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


def test_a_rename_of_an_attribute_of_ruby_tells_of_the_variable_that_it_reads(tmp_path: Path, opened: Open) -> None:
    source = "class Item\n  attr_reader :name\n  def initialize(name)\n    @name = name\n  end\nend\n"
    shown = opened(write(tmp_path, {"a.rb": source}))("rename_symbol", symbol="Item.name", new_name="title")
    assert "decide: it reads a variable of its name, which keeps the old one: @name a.rb:4" in shown


BY_ANOTHER_BASE = [
    (
        {
            "a.php": "<?php\ninterface Engine { function run(); }\ntrait Motor { function run() {} }\n"
            "class Car implements Engine { use Motor; }\nfunction go(Engine $e) { $e->run(); }\n"
        },
        "run",
    ),
    (
        {
            "A.java": "interface Engine { void run(); }\nclass Motor { public void run() {} }\n"
            "class Car extends Motor implements Engine {}\nclass Use { void go(Engine e) { e.run(); } }\n"
        },
        "run",
    ),
    (
        {
            "a.py": "class Engine:\n    def run(self): ...\nclass Motor:\n    def run(self): ...\n"
            "class Car(Motor, Engine): ...\ndef go(e: Engine): e.run()\n"
        },
        "run",
    ),
]


@pytest.mark.parametrize(("files", "name"), BY_ANOTHER_BASE)
def test_a_type_overrides_a_member_of_one_base_by_that_of_another(
    files: dict[str, str], name: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, files))
    assert "Motor" in ask("find_implementations", symbol=f"Engine.{name}")
    for symbol, other in (("Engine", "Motor"), ("Motor", "Engine")):
        shown = ask("rename_symbol", symbol=f"{symbol}.{name}", new_name="begin")
        assert f"renamed together, since a call may mean any of them: {other}.{name}" in shown


def test_of_two_interfaces_that_a_type_implements_neither_implements_the_other(tmp_path: Path, opened: Open) -> None:
    source = (
        "interface One { void run(); }\ninterface Two { void run(); }\nabstract class Both implements One, Two {}\n"
    )
    shown = opened(write(tmp_path, {"A.java": source}))("find_implementations", symbol="Two.run")
    assert "no certain overriding members, lambdas not listed" in shown


def test_a_method_of_a_trait_is_renamed_where_a_class_gives_it_another_name(tmp_path: Path, opened: Open) -> None:
    source = (
        "<?php\ntrait Mails { function send() {} }\ntrait Posts { function send() {} }\nclass Job {\n"
        "    use Mails, Posts { Posts::send insteadof Mails; Mails::send as mail; }\n"
        "    function run() { $this->send(); $this->mail(); }\n}\n"
    )
    ask = opened(write(tmp_path, {"a.php": source}))
    posts = ask("rename_symbol", symbol="Posts.send", new_name="post")
    assert "Posts::post insteadof Mails; Mails::send as mail;" in posts
    assert "$this->post(); $this->mail();" in posts
    mails = ask("rename_symbol", symbol="Mails.send", new_name="put")
    assert "Posts::send insteadof Mails; Mails::put as mail;" in mails
    assert "+    function run()" not in mails


LOMBOK = {
    "Car.java": "package p;\nimport lombok.Getter;\n@Getter\nclass Car {\n    private String engine;\n}\n",
    "Use.java": "package p;\nclass Use { Object f(Car car, Other o) { return car.engine() + o.engine(); } }\n",
    "Other.java": "package p;\nclass Other { private int engine; int engine() { return engine; } }\n",
}


def test_a_call_of_an_accessor_that_is_generated_is_a_use_of_the_field(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LOMBOK))
    shown = ask("find_references", symbol="Car.engine")
    assert "account: exact 2, another symbol 4" in shown
    assert "Use.java" in shown


def test_a_field_without_generated_accessors_is_not_meant_by_a_call(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LOMBOK))
    assert "Use.java" not in ask("find_references", symbol="Other.java:2:27")


def test_a_store_of_svelte_is_renamed_behind_its_dollar(tmp_path: Path, opened: Open) -> None:
    files = {
        "store.js": "export const total = make();\n",
        "A.svelte": "<script>\n  import { total } from './store';\n  $total = 3;\n</script>\n<p>{$total}</p>\n",
    }
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="total", new_name="sum")
    assert "+  $sum = 3;" in shown
    assert "+<p>{$sum}</p>" in shown


def test_a_variable_that_read_fills_is_renamed(tmp_path: Path, opened: Open) -> None:
    files = {"a.sh": "#!/bin/bash\nread -r -p 'line? ' line\necho \"$line\"\n"}
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="line", new_name="row")
    assert "+read -r -p 'line? ' row" in shown
    assert '+echo "$row"' in shown


def test_an_end_marker_is_renamed_with_what_it_ends(tmp_path: Path, opened: Open) -> None:
    files = {"a.scala": "object tools:\n  def x = 1\nend tools\n"}
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="tools", new_name="kit")
    assert "+end kit" in shown


def test_no_callers_is_not_said_where_an_extension_may_call_a_static_method(tmp_path: Path, opened: Open) -> None:
    files = {
        "Ext.java": "package p;\nclass Ext { static String shout(Object o) { return null; } }\n",
        "Use.java": "package p;\n@ExtensionMethod(Ext.class)\nclass Use { void f(Object o) { o.shout(); } }\n",
    }
    shown = opened(write(tmp_path, files))("call_hierarchy", symbol="Ext.shout")
    assert "no certain callers, 1 undecided" in shown


def test_files_of_swift_beside_each_other_at_the_root_are_one_module(tmp_path: Path, opened: Open) -> None:
    files = {"one.swift": "func main() {\n    let my: Kind = Kind()\n}\n", "two.swift": "class Kind {\n}\n"}
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="one.swift:2:20", new_name="Sort")
    assert "+    let my: Sort = Sort()" in shown
    assert "+class Sort {" in shown


def test_the_line_that_says_what_runs_a_script_documents_nothing(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.sh": "#!/bin/bash\nfirst() { :; }\n"}))
    assert "/bin/bash" not in ask("document_symbols", path="a.sh")


HIDDEN = {
    "models.py": "class Book: ...\n",
    "other.py": "class Book: ...\n",
    "tests.py": (
        "try:\n    from models import Book\nexcept ImportError:\n    Book = None\n\n\n"
        "def imported():\n    from other import Book\n\n    return Book\n\n\n"
        "def local():\n    class Book: ...\n\n    return Book\n\n\n"
        "def outer():\n    return Book\n"
    ),
    "models.js": "export class Book {}\n",
    "tests.js": (
        "import { Book } from './models.js';\n"
        "function local() {\n  class Book {}\n  return Book;\n}\n"
        "export const own = Book;\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "lines"), [("models.py:1", [1, 2, 20]), ("other.py:1", [1, 8, 10]), ("models.js:1", [1, 1, 6])]
)
def test_what_an_inner_scope_binds_hides_an_import(tmp_path: Path, opened: Open, symbol: str, lines: list[int]) -> None:
    answer = opened(write(tmp_path, HIDDEN))("find_references", symbol=symbol)
    assert [*map(int, re.findall(r"^(\d+): ", answer, re.MULTILINE))] == lines


PARTS = {
    "First.cs": "namespace N;\npartial class P : System.IDisposable {\n    public void Dispose() { }\n}\n",
    "Second.cs": (
        "namespace N;\npublic partial class P {\n    public P(int a) { }\n    public P(string a) { }\n"
        "    public void Append(object x) { }\n}\n"
    ),
    "Polyfill.cs": "namespace System.Diagnostics;\nclass Own { }\n",
    "Use.cs": (
        "namespace N;\nclass Use {\n    P made;\n    void F(System.Text.StringBuilder text) => text.Append('x');\n"
        "    void G() => new System.Text.StringBuilder().Append('x');\n    void H() => made.Append('x');\n"
        "    object I(dynamic pair) => pair.P;\n}\n"
    ),
}


def test_a_use_of_a_type_in_parts_leads_to_all_of_them_the_longest_first(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PARTS))
    assert re.findall(r"^Class N.P (.*)$", ask("go_to_definition", symbol="Use.cs:3:5"), re.MULTILINE) == [
        "Second.cs:2",
        "First.cs:2",
    ]
    assert "Class in First.cs:2\n" in ask("go_to_definition", symbol="First.cs:2")


def test_a_member_of_a_type_from_outside_whose_namespace_has_own_files_is_another(tmp_path: Path, opened: Open) -> None:
    answer = opened(write(tmp_path, PARTS))("find_references", symbol="P.Append")
    assert "account: exact 2, another symbol 2\n" in answer
    assert "6: void H() => made.Append('x');" in answer


def test_a_member_that_is_read_is_no_likely_call_of_a_constructor_of_its_name(tmp_path: Path, opened: Open) -> None:
    answer = opened(write(tmp_path, PARTS))("find_references", symbol="Second.cs:3")
    assert "undecided: Use.cs\n7: object I(dynamic pair) => pair.P;" in answer


def test_what_spells_a_namespace_of_php_as_its_declaration_does_is_undecided(tmp_path: Path, opened: Open) -> None:
    files = {
        "Item.php": "<?php\nnamespace Shop\\Model;\nclass Item { }\n",
        "use.php": "<?php\nuse Shop\\Model\\Item;\n// Shop\\Model\n$item = new \\Shop\\Model\\Item();\n",
    }
    answer = opened(write(tmp_path, files))("find_references", symbol="Item.php:2")
    assert answer.splitlines()[0].startswith("find_references Shop.Model: 1 reference, 2 undecided |")
    assert "2: namespace Shop\\Model;  [definition]" in answer
    assert "undecided: use.php\n2: use Shop\\Model\\Item;\n4: $item = new \\Shop\\Model\\Item();" in answer


PHP = {
    "Item.php": "<?php\nnamespace Shop\\Model;\nclass Item { }\n",
    "use.php": "<?php\nuse Shop\\Model\\Item;\n// Shop\\Model\n$item = new \\Shop\\Model\\Item();\n",
    "notes.md": "Shop\\Model has the items.\n",
}


def test_a_namespace_of_php_has_its_tokens_in_comments_and_prose_in_the_account(tmp_path: Path, opened: Open) -> None:
    answer = opened(write(tmp_path, PHP))("find_references", symbol="Item.php:2")
    assert "account: exact 1, undecided 2, text 2\n" in answer


def test_files_that_are_too_large_for_the_index_are_counted_where_a_namespace_is_spelled_in_them(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = f"<?php\nuse Shop\\Model\\Item;\n{'// x' * 40}\n"
    for module in (texts, indexer):
        monkeypatch.setattr(module, "LARGEST_TEXT", 100)
    answer = opened(write(tmp_path, {**PHP, "large.php": large}))("find_references", symbol="Item.php:2")
    assert "complete" not in answer.splitlines()[0]
    assert "not examined: 1 in large.php, too large for the index: search_text lists them" in answer


def test_a_file_that_cannot_be_read_any_more_is_counted_where_a_namespace_is_spelled_in_it(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, PHP))
    really = os.open

    def refuse(path: str, flags: int, *more: Any, **others: Any) -> int:
        if str(path).endswith("use.php"):
            raise PermissionError(errno.EACCES, "permission denied", path)
        return really(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    answer = ask("find_references", symbol="Item.php:2")
    assert "complete" not in answer.splitlines()[0]
    assert "not examined: 1 in use.php, which cannot be read" in answer


UNQUALIFIED = {
    "a.php": "<?php\nnamespace App\\Use;\nuse Throwable;\nuse function strlen;\nclass A {\n"
    "  function f(?Throwable $t): int { return strlen('a') + count([]) + helper() + E_ALL + OWN + own(); }\n}\n"
    "function own() { return 1; }\n",
    "b.php": "<?php\nfunction helper() { return trim(' '); }\ndefine('OWN', 3);\nclass Bag { function count() {} }\n",
}


def test_an_unqualified_name_of_php_that_no_namespace_has_is_from_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, UNQUALIFIED))
    line = UNQUALIFIED["a.php"].split("\n")[5]
    for place in ("a.php:3:5", "a.php:4:14", "b.php:2:28", *(f"a.php:6:{line.index(one) + 1}" for one in _OF_PHP)):
        assert "comes from outside of the code base" in ask.error("go_to_definition", symbol=place), place
    for name in ("helper", "OWN", "own"):
        assert f"{name}: lines 1-1" in ask("go_to_definition", symbol=f"a.php:6:{line.index(name) + 1}")


_OF_PHP = ("Throwable", "strlen", "count", "E_ALL")


def test_an_alias_of_a_class_leaves_functions_of_php_alone(tmp_path: Path, opened: Open) -> None:
    alias = "<?php\nnamespace App;\nclass_alias($old, $new);\n$a = new Thing(trim(' '));\n"
    ask = opened(write(tmp_path, {"a.php": alias}))
    assert "comes from outside" in ask.error("go_to_definition", symbol="a.php:4:16")
    assert "definition was not found" in ask.error("go_to_definition", symbol="a.php:4:10")


WRITTEN_ALIASES = {
    "'Vendor\\Old'": {"new Thing": True, "new Old": False, "\\Closure": True, "\\Vendor\\Old": False},
    "Old::class": {"new Thing": True, "new Old": False, "\\count": True},
    "$name": {"new Thing": False, "new Old": False, "\\Closure": False},
    "'Old', false); array_map('class_alias', $a, $b": {"new Thing": False, "\\Closure": False},
}


@pytest.mark.parametrize(("given", "places"), WRITTEN_ALIASES.items(), ids=WRITTEN_ALIASES)
def test_an_alias_of_a_class_may_be_what_it_is_called_and_nothing_else(
    given: str, places: dict[str, bool], tmp_path: Path, opened: Open
) -> None:
    line = " ".join(f"{one}(1);" for one in places)
    alias = f"<?php\nnamespace App;\nclass_alias(Mine::class, {given});\n{line}\nclass Mine {{}}\n"
    ask = opened(write(tmp_path, {"a.php": alias}))
    for place, is_outside in places.items():
        column = line.index(place) + len(place)
        error = ask.error("go_to_definition", symbol=f"a.php:4:{column}")
        assert ("comes from outside" in error) is is_outside, place


def test_a_method_is_not_what_a_function_of_its_name_means(tmp_path: Path, opened: Open) -> None:
    code = "<?php\nnamespace App;\nclass Text {\n  static function substr($a) {\n    return substr($a, 1);\n  }\n}\n"
    ask = opened(write(tmp_path, {"a.php": code}))
    assert "comes from outside" in ask.error("go_to_definition", symbol="a.php:5:12")


def test_the_names_of_php_for_the_class_around_are_not_from_outside(tmp_path: Path, opened: Open) -> None:
    line = "  function f() { return [fn () => new self(), new static(), fn (self $a) => self::class]; }"
    ask = opened(write(tmp_path, {"a.php": f"<?php\nnamespace App;\nclass A {{\n{line}\n}}\n"}))
    for place in re.finditer(r"self|static", line):
        response = ask.response("go_to_definition", symbol=f"a.php:4:{place.start() + 1}")
        assert "comes from outside" not in response.text, place


def test_a_constant_that_is_defined_under_a_computed_name_may_be_any(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {**UNQUALIFIED, "c.php": "<?php\ndefine($prefix . '_ALL', 1);\n"}))
    line = UNQUALIFIED["a.php"].split("\n")[5]
    assert "definition was not found" in ask.error("go_to_definition", symbol=f"a.php:6:{line.index('E_ALL') + 1}")


def test_a_type_in_quotes_in_an_alias_of_python_is_a_use(tmp_path: Path, opened: Open) -> None:
    source = (
        'from typing import TypeAlias\nLabels: TypeAlias = list["Label"]\nMaybe: TypeAlias = "Label | None"\n'
        'ByName = dict[str, "Label"]\nclass Held(dict[str, "Label"]): ...\nclass Label: ...\n'
        'def f(dict):\n    return dict["Label"], {"a": "Label"}\n'
    )
    shown = opened(write(tmp_path, {"labels.py": source}))("find_references", symbol="labels.py:6")
    assert "account: exact 5, text 2" in shown
    assert '5: class Held(dict[str, "Label"])' in shown


PAGE = {
    "src/lib/store.ts": (
        'import { writable } from "svelte/store";\nexport const size = writable(1);\n'
        "export function sides(n: number) { return { width: n, height: n }; }\n"
    ),
    "src/routes/+page.svelte": (
        '<script>\n  import { size, sides } from "$lib/store";\n  let seen = 0;\n  $: double = $size * 2;\n'
        "  $: ({ width, height } = sides(double));\n  $: seen = seen + double;\n"
        "</script>\n<p>{double} {width} {height} {seen}</p>\n"
    ),
}


def test_a_reactive_statement_of_svelte_declares_what_nothing_else_does(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PAGE))
    page = "src/routes/+page.svelte"
    assert "account: exact 4" in ask("find_references", symbol=f"{page}:8:5")
    assert "4: $: double = $size * 2;  [definition]" in ask("find_references", symbol=f"{page}:8:5")
    assert "5: $: ({ width, height } = sides(double));  [definition]" in ask("find_references", symbol=f"{page}:8:14")
    assert "3: let seen = 0;  [definition]" in ask("find_references", symbol=f"{page}:8:31")


def test_the_library_of_a_program_of_sveltekit_is_found_by_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PAGE))
    assert "5: $: ({ width, height } = sides(double));" in ask("find_references", symbol="sides")
    assert "4: $: double = $size * 2;" in ask("find_references", symbol="size")


OUTSIDE = {
    "store.py": (
        "import outside\nfrom collections import namedtuple\n\nMessage = namedtuple('Message', ('id', 'payload'))\n\n\n"
        "class Row(outside.Model):\n    key = 1\n\n\n"
        "class Store:\n    def delete(self): ...\n    def payload(self): ...\n    def tune(self): ...\n\n"
        "    def rows(self):\n        return Row.select()\n\n"
        "    def message(self):\n        return Message(1, 2)\n\n"
        "    def use(self, given, copied):\n        Row.delete()\n        query = self.rows().where(1)\n"
        "        query = query.delete()\n        message = self.message()\n        print(message.payload)\n"
        "        given.tune()\n        outside.copy(Store).tune()\n"
        "        def local(): ...\n        given.local\n"
    )
}


@pytest.mark.parametrize(
    ("member", "account"),
    [
        ("Store.delete", "exact 1, undecided 2"),
        ("Store.payload", "exact 1, undecided 1, text 1"),
        ("Store.tune", "exact 1, likely 1, undecided 1"),
    ],
)
def test_a_member_of_an_object_from_outside_is_no_likely_use(
    tmp_path: Path, opened: Open, member: str, account: str
) -> None:
    assert account in opened(write(tmp_path, OUTSIDE))("find_references", symbol=member)


def test_a_parameter_that_pytest_gives_a_fixture_may_be_a_use_of_it(tmp_path: Path, opened: Open) -> None:
    files = {
        "tests/conftest.py": (
            "import pytest\n\n\n@pytest.fixture\ndef cart():\n    cart = 1\n    return cart\n\n\n"
            "@pytest.fixture\ndef full(\n    cart,\n):\n    return cart\n"
        ),
        "tests/test_cart.py": "def test_cart(cart, full):\n    assert cart\n\n\ndef helper(cart):\n    return cart\n",
        "other/test_other.py": "def test_other(cart):\n    assert cart\n",
    }
    ask = opened(write(tmp_path, files))
    shown = ask("find_references", symbol="tests/conftest.py:5")
    assert "account: exact 1, undecided 2, another symbol 8\n" in shown
    assert "1: def test_cart(cart, full):" in shown
    renamed = ask("rename_symbol", symbol="tests/conftest.py:5", new_name="basket")
    assert "2 uses of the name may mean it or not" in renamed
