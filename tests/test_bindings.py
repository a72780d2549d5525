"""Names that are no symbols of an outline: where they are bound, and where they are used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Asking, Open, write

PYTHON = {
    "pkg/__init__.py": "",
    "pkg/shapes.py": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int = 0\n\n\n"
        "class Circle:\n    def __init__(self, radius):\n        self.radius = radius\n        area = radius * 3\n"
        "        area = area * radius\n        self.area = area\n\n\ndef scale(circle: Circle, *, factor=1):\n"
        "    return circle.radius * factor\n"
    ),
    "main.py": (
        "import logging.handlers\nfrom pkg.shapes import Circle, Point, scale\n\n"
        "scale(Circle(radius=2), factor=3)\nPoint(x=1)\nCircle(1).area\n"
    ),
}

OTHERS = {
    "a.ts": (
        "export function f(first: number) {\n  const second = first + 1\n"
        "  return [second].map(third => third + second)\n}\n"
        "export type Take = (value: number) => void\nexport const one: { inner: number } = { inner: 1 }\n"
    ),
    "a.go": "package a\n\nfunc F(first int) int {\n\tsecond := first + 1\n\treturn second\n}\n",
    "A.java": "class A {\n  int f(int first) {\n    int second = first + 1;\n    return second;\n  }\n}\n",
    "a.c": "int f(int first) {\n  int second = first + 1;\n  return second;\n}\n",
    "a.rs": "fn f(first: i32) -> i32 {\n    let second = first + 1;\n    second\n}\n",
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("python"), PYTHON))


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("others"), OTHERS))


@pytest.mark.parametrize(
    ("symbol", "bound"),
    [
        ("pkg/shapes.py:11:25", "Parameter in pkg/shapes.py:10"),
        ("pkg/shapes.py:14:21", "Local name in pkg/shapes.py:12:9, bound again on line 13"),
        ("pkg/shapes.py:18:19", "Field in pkg/shapes.py:11"),
        ("main.py:6:11", "Field in pkg/shapes.py:14"),
        ("main.py:4:14", "Parameter in pkg/shapes.py:10"),
        ("main.py:4:25", "Parameter in pkg/shapes.py:17"),
        ("main.py:5:7", "Field in pkg/shapes.py:6"),
        ("main.py:2:6", "Module in pkg/__init__.py, 0 lines"),
        ("main.py:2:10", "Module in pkg/shapes.py, 18 lines"),
    ],
)
def test_a_name_that_is_no_symbol_leads_to_what_binds_it(python: Asking, symbol: str, bound: str) -> None:
    assert bound in python("go_to_definition", symbol=symbol)


def test_the_module_of_an_import_that_the_tree_does_not_have_comes_from_outside(python: Asking) -> None:
    assert "'logging' comes from outside of the code base" in python.error("go_to_definition", symbol="main.py:1:8")


@pytest.mark.parametrize(
    ("symbol", "bound"),
    [
        ("a.ts:2:18", "Parameter in a.ts:1"),
        ("a.ts:3:41", "Local name in a.ts:2"),
        ("a.ts:3:32", "Local name in a.ts:3"),
        ("a.ts:5:21", "Parameter in a.ts:5"),
        ("a.ts:6:21", "Attribute in a.ts:6"),
        ("a.go:4:12", "Parameter in a.go:3"),
        ("a.go:5:9", "Local name in a.go:4"),
        ("A.java:3:18", "Parameter in A.java:2"),
        ("A.java:4:12", "Local name in A.java:3"),
        ("a.c:2:16", "Parameter in a.c:1"),
        ("a.c:3:10", "Local name in a.c:2"),
        ("a.rs:2:18", "Parameter in a.rs:1"),
        ("a.rs:3:5", "Local name in a.rs:2"),
    ],
)
def test_a_local_name_leads_to_its_binding_in_every_language(others: Asking, symbol: str, bound: str) -> None:
    assert bound in others("go_to_definition", symbol=symbol)


@pytest.mark.parametrize("symbol", ["a.ts:2:9", "a.go:5:9", "A.java:4:12", "a.c:2:7", "a.rs:3:5"])
def test_the_uses_of_a_local_variable_are_those_in_its_function(others: Asking, symbol: str) -> None:
    text = others("find_references", symbol=symbol)
    path = symbol.partition(":")[0]
    assert f"local to {'A.f' if path == 'A.java' else 'F' if path == 'a.go' else 'f'}, bound in {path}:" in text
    assert f"account: exact {3 if path == 'a.ts' else 2}, another symbol " in text
    assert "[definition]" in text
    assert not [line for line in text.splitlines() if line in OTHERS and line != path]


def test_the_uses_of_a_parameter_are_found_from_an_argument_that_names_it_and_the_other_way_round(
    python: Asking,
) -> None:
    for symbol in ("pkg/shapes.py:10:24", "main.py:4:14"):
        text = python("find_references", symbol=symbol)
        assert "10: def __init__(self, radius):  [definition]" in text
        assert "4: scale(Circle(radius=2), factor=3)" in text
        assert "18: return" not in text


ATTRIBUTES = {
    "a.py": (
        "class A:\n    def __init__(self, p):\n        self.x = p\n\n    def use(self):\n        return self.x\n\n\n"
        "class B(A):\n    def __init__(self, p):\n        super().__init__(p)\n        self.x = 2 * p\n\n\n"
        "class C:\n    def __init__(self):\n        self.x = 1\n\n\n"
        "def g(a: A, b: B, c: C, d):\n    return a.x + b.x + c.x + d.x\n"
    ),
    "b.js": "class A {\n  constructor(p) {\n    this.x = p\n  }\n  use() {\n    return this.x\n  }\n}\n",
}


@pytest.mark.parametrize("symbol", ["a.py:3:14", "a.py:6:21", "a.py:12:14", "a.py:21:20"])
def test_the_uses_of_an_attribute_are_found_that_only_assignments_declare(
    symbol: str, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, ATTRIBUTES))("find_references", symbol=symbol)
    assert "find_references a.A.x: 4 references, 1 undecided" in text
    assert "account: exact 5, undecided 1, another symbol " in text


def test_an_attribute_that_only_assignments_declare_is_renamed(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ATTRIBUTES))
    text = ask("rename_symbol", symbol="a.py:6:21", new_name="width")
    assert "+        self.width = p" in text
    assert "+    return a.width + b.width + c.x + d.x" in text
    assert "+    return this.width" in ask("rename_symbol", symbol="b.js:3:10", new_name="width")


def test_a_member_of_a_literal_or_of_a_type_without_name_is_not_from_outside(tmp_path: Path, opened: Open) -> None:
    code = "export const one = { inner: 1 }\nexport function f(p: { value: number }, q: []) {\n  q.push(p.value)\n}\n"
    ask = opened(write(tmp_path, {"a.ts": code}))
    assert "account: exact 1" in ask("find_references", symbol="a.ts:1:22")
    assert "account: exact 2" in ask("find_references", symbol="a.ts:3:12")
    assert "'push' comes from outside of the code base" in ask.error("find_references", symbol="a.ts:3:5")


def test_what_a_local_variable_is_called_in_another_function_is_another_symbol(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.py": "def f():\n    x = 1\n    return x\n\n\ndef g(x):\n    return x  # x\n"}))
    assert "account: exact 2, another symbol 2, text 1" in ask("find_references", symbol="a.py:3:12")


KEYS = {
    "lib.ts": (
        "export interface Options {\n  depth: number\n}\n"
        "export function build(options: Options) {}\n"
        "export function pick(kind: string, options: Options): void\n"
        "export function pick(kind: number, options: { [name: string]: number }): void\n"
        "export function pick(kind: unknown, options: unknown): void {}\n"
        "export type Choice = { first: number } | { first: string }\n"
        "declare global {\n  interface Shared {}\n}\n"
    ),
    "keys.ts": (
        "import { expect } from 'checks'\nimport { build, pick } from './lib'\n"
        "const label = 'a'\n"
        "expect(1).toEqual({ depth: 1, at: { depth: 2 } })\n"
        "assert.same({ depth: 3 })\n"
        "build({ depth: 4 })\n"
        "pick('a', { depth: 5 })\n"
        "JSON.stringify({ depth: 6 })\n"
        "const sizes: { [name: string]: number } = { depth: 7 }\n"
        "expect(1).call(({ depth: taken }) => taken)\n"
        "export function f() {\n  const label = 'b'\n  return { in: { label } }\n}\n"
        "Object.defineProperty(sizes, 'a', { writable: true })\n"
        "let all: ArrayLike<number>\nlet shared: Shared\n"
        "useChecks<Options>({ depth: 8 })\n"
    ),
    "plain.js": (
        "const make = require('maker')()\n"
        "function take(options, done) {}\nfunction part({ depth }) {}\nfunction usual(options = { depth: 1 }) {}\n"
        "take({ depth: 1 })\npart({ depth: 2 })\nusual({ depth: 3 })\nmake({ depth: 4 })\n"
    ),
    "index.js": "module.exports = require('./inner')\n",
    "inner.js": "module.exports = start\nfunction start() {}\nmodule.exports.stop = function () {}\n",
    "main.js": "var begin = require('./')\nbegin()\nbegin.stop()\n",
}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("keys"), KEYS))


@pytest.mark.parametrize(
    "symbol", ["keys.ts:4:21", "keys.ts:4:37", "keys.ts:5:15", "keys.ts:9:45", "plain.js:5:8", "plain.js:8:8"]
)
def test_a_key_that_no_type_asks_for_leads_to_itself(keys: Asking, symbol: str) -> None:
    assert f"Key in {symbol}" in keys("go_to_definition", symbol=symbol)


def test_a_key_leads_to_the_member_of_the_type_that_is_wanted(keys: Asking) -> None:
    assert "Property in lib.ts:2" in keys("go_to_definition", symbol="keys.ts:6:9")


@pytest.mark.parametrize("symbol", ["keys.ts:7:13", "keys.ts:10:19", "keys.ts:18:22", "plain.js:6:8", "plain.js:7:9"])
def test_a_key_is_undecided_where_it_is_not_known_what_is_wanted(keys: Asking, symbol: str) -> None:
    assert "the definition was not found" in keys("go_to_definition", symbol=symbol)


def test_a_key_of_what_the_language_takes_whatever_it_is_declares_itself(keys: Asking) -> None:
    assert "Attribute in keys.ts:8:18" in keys("go_to_definition", symbol="keys.ts:8:18")
    assert "keys.ts\n8: JSON.stringify" in keys("find_references", symbol="keys.ts:8:18")


def test_what_is_a_key_and_a_name_at_once_leads_to_the_name(keys: Asking) -> None:
    assert "Local name in keys.ts:12" in keys("go_to_definition", symbol="keys.ts:13:18")


@pytest.mark.parametrize(("symbol", "name"), [("keys.ts:15:38", "writable"), ("keys.ts:16:10", "ArrayLike")])
def test_what_the_language_declares_is_from_outside(keys: Asking, symbol: str, name: str) -> None:
    assert f"'{name}' comes from outside of the code base" in keys.error("go_to_definition", symbol=symbol)


def test_a_name_that_a_module_may_declare_for_all_files_is_not_from_outside(keys: Asking) -> None:
    assert "lib.ts:10" in keys("go_to_definition", symbol="keys.ts:17:13")


def test_a_member_that_each_type_of_a_union_declares_leads_to_itself(tmp_path: Path, opened: Open) -> None:
    code = "export type Choice =\n  | { first: number }\n  | { first: string }\nconst one: Choice = { first: 1 }\n"
    ask = opened(write(tmp_path, {"a.ts": code}))
    assert "Field in a.ts:3:7, bound again on line 2" in ask("go_to_definition", symbol="a.ts:3:7")
    text = ask("go_to_definition", symbol="a.ts:4:23")
    assert "Field in a.ts:2:7" in text
    assert "Field in a.ts:3:7" in text


@pytest.mark.parametrize(("symbol", "place"), [("main.js:2:1", "index.js"), ("main.js:3:7", "inner.js:3")])
def test_a_module_that_exports_another_one_leads_to_itself_and_its_members_through(
    keys: Asking, symbol: str, place: str
) -> None:
    assert f" in {place}" in keys("go_to_definition", symbol=symbol)


def test_a_class_from_outside_that_a_file_of_php_imports_is_not_declared_by_the_import(
    opened: Open, tmp_path: Path
) -> None:
    ask = opened(
        write(tmp_path, {"a.php": "<?php\nnamespace A;\nuse Closure;\nfunction f(Closure $g) { return $g; }\n"})
    )
    response = ask.response("go_to_definition", symbol="a.php:3:5")
    assert "Declaration in" not in response.text


def test_a_name_that_an_import_from_outside_gives_a_variable_is_declared_nowhere(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.cjs": "const fail = require('http-errors')\nmodule.exports = () => fail(1)\n"}))
    for tool, symbol in (("go_to_definition", "a.cjs:1:7"), ("find_references", "a.cjs:1:7")):
        assert "'fail' comes from outside of the code base" in ask.error(tool, symbol=symbol)


ROWS = {
    "rows.ts": "const rows = [{ item: 1 }]\nfor (const { item } of rows) {\n  console.log(item)\n}\n",
    "Rows.vue": (
        "<script setup>\nconst rows = [{ item: 1 }]\n</script>\n<template>\n"
        '  <p v-for="({ item }, n) in rows" :key="n">{{ item }}</p>\n  <List #item="{ item }">{{ item }}</List>\n'
        "</template>\n"
    ),
}


@pytest.mark.parametrize(
    ("key", "member", "variable", "place"),
    [
        ("rows.ts:2:14", "rows.ts:1:17", "rows.ts:3:15", "rows.ts:2:14"),
        ("Rows.vue:5:16", "Rows.vue:2:17", "Rows.vue:5:48", "Rows.vue:5:16"),
        ("Rows.vue:6:18", "Rows.vue:6:18", "Rows.vue:6:29", "Rows.vue:6:18"),
    ],
)
def test_a_key_of_a_pattern_leads_to_the_member_and_its_variable_to_the_key(
    tmp_path: Path, opened: Open, key: str, member: str, variable: str, place: str
) -> None:
    ask = opened(write(tmp_path, ROWS))
    assert f" in {member}\n" in ask("go_to_definition", symbol=key)
    assert f"Local name in {place}" in ask("go_to_definition", symbol=variable)
    line = key.split(":")[1]
    assert f"\n{line}: " in ask("find_references", symbol="rows.ts:1:17" if "ts" in key else "Rows.vue:2:17")


def test_of_two_definitions_on_a_line_the_column_is_named(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.ts": "export const one = 1, two = 2\nexport const three = two\n"}))
    assert "in a.ts:1:23\n" in ask("go_to_definition", symbol="a.ts:2:22")


SHORTHANDS = {
    "post.ts": (
        "interface Config { body?: string }\nfunction send(config: Config) { return config.body }\n"
        "export function post(body: string) {\n  return send({ body })\n}\n"
        "const row: { item: number } = { item: 3 }\nexport const { item } = row\n"
    ),
    "point.rs": "pub struct Point { pub x: i32 }\npub fn at(x: i32) -> Point {\n    Point { x }\n}\n",
}


@pytest.mark.parametrize(
    ("token", "value", "member", "line"),
    [
        ("post.ts:4:17", "Parameter in post.ts:3:22", "Field in post.ts:1:20", 4),
        ("post.ts:7:16", "Constant post.item post.ts:7", "Field post.(unnamed type).item post.ts:6:14", 7),
        ("point.rs:3:13", "Parameter in point.rs:2:11", "Field in point.rs:1:24", 3),
    ],
)
def test_what_is_a_key_and_a_name_at_once_leads_to_both_and_is_a_use_of_both(
    tmp_path: Path, opened: Open, token: str, value: str, member: str, line: int
) -> None:
    ask = opened(write(tmp_path, SHORTHANDS))
    text = ask("go_to_definition", symbol=token)
    for meaning in (value, member):
        assert f"{meaning}\n" in text
        assert f"\n{line}: " in ask("find_references", symbol=meaning.rpartition(" ")[2])


def test_the_references_of_a_value_name_the_key_that_its_token_is_too(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SHORTHANDS))
    assert "also the key post.Config.body post.ts:1:20 there" in ask("find_references", symbol="post.ts:4:17")
    assert "also the key" not in ask("find_references", symbol="post.ts:3:22")


def test_an_argument_that_names_a_parameter_is_no_use_of_a_method_of_that_name(tmp_path: Path, opened: Open) -> None:
    code = "class Gate {\n    fun open(): Gate = this\n}\nfun gate(open: Boolean, by: Any) { by.open() }\n"
    ask = opened(write(tmp_path, {"a.kt": f"{code}fun go() {{ gate(open = true, by = 1) }}\n"}))
    text = ask("find_references", symbol="a.kt:2:9")
    assert "\n4: " in text
    assert "\n5: " not in text
    assert "another symbol 2" in text


def test_a_variable_at_the_top_of_a_file_of_ruby_is_local_to_the_file(tmp_path: Path, opened: Open) -> None:
    code = "rows = [1]\nrows.each { |one| puts one }\ndef f\n  rows = 2\n  rows\nend\nputs rows\n"
    ask = opened(write(tmp_path, {"a.rb": code, "b.rb": 'require_relative "a"\nrows = 3\nputs rows\n'}))
    assert "Local name in a.rb:1:1" in ask("go_to_definition", symbol="a.rb:7:6")
    text = ask("find_references", symbol="a.rb:7:6")
    assert "account: exact 3, another symbol 4\n" in text
    assert all(f"\n{line}: " in text for line in (1, 2, 7))


def test_the_name_of_a_destructor_leads_to_it_and_to_the_type_in_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(
        write(
            tmp_path,
            {"box.h": "class Box {\npublic:\n  ~Box();\n};\n", "box.cpp": '#include "box.h"\nBox::~Box() {}\n'},
        )
    )
    text = ask("go_to_definition", symbol="box.cpp:2:7")
    assert "Method Box.~Box box.cpp:2" in text
    assert "Class Box box.h:1" in text
    assert "Class Box" not in ask("go_to_definition", symbol="box.cpp:2:6")
    assert "box.cpp\n2: Box::~Box() {}  [2 times]" in ask("find_references", symbol="box.h:1")


_SWIFT = """\
final class Evaluator {
    private let host: Bool
    init(all: Bool = true, host: Bool = true) { self.host = host }
}
struct Plain { var host: Bool }
struct Other { var host: Bool }
extension Other { init(none: Int) { host = false } }
func go() { _ = (Evaluator(all: true, host: false), Plain(host: true), Other(host: true)) }
"""


def test_a_label_names_the_parameter_of_the_constructor_that_is_written(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.swift": _SWIFT}))
    assert "Parameter in a.swift:3:28" in ask("go_to_definition", symbol="a.swift:8:39")
    assert "account: exact 3, another symbol 7\n" in ask("find_references", symbol="a.swift:3:28")
    assert "account: exact 2, another symbol 8\n" in ask("find_references", symbol="a.swift:2:17")


@pytest.mark.parametrize(("field", "label"), [("a.swift:5:20", "a.swift:8:59"), ("a.swift:6:20", "a.swift:8:78")])
def test_a_label_names_the_field_that_the_added_initializer_takes(
    field: str, label: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"a.swift": _SWIFT}))
    assert f"Field in {field}" in ask("go_to_definition", symbol=label)
    text = ask("find_references", symbol=field)
    assert "\n8: " in text
    assert "likely" not in text
    assert "undecided" not in text


def test_a_named_argument_of_php_is_the_parameter_and_not_the_property_of_that_name(
    tmp_path: Path, opened: Open
) -> None:
    code = (
        "<?php\nclass Gate {\n  private $open;\n"
        "  function __construct($open, public $by = 1) { $this->open = $open; }\n}\n"
        "new Gate(open: true, by: 2);\n"
    )
    ask = opened(write(tmp_path, {"a.php": code}))
    assert "Parameter in a.php:4:24" in ask("go_to_definition", symbol="a.php:6:10")
    assert "\n6: " not in ask("find_references", symbol="a.php:3:12")
    assert "\n6: " in ask("find_references", symbol="a.php:4:40")


def test_a_brace_after_a_condition_is_no_argument(tmp_path: Path, opened: Open) -> None:
    code = (
        "struct S {\n    func make() -> Int? { nil }\n"
        "    func make(_ body: () -> Int) -> Int? { nil }\n    func go() {\n"
        "        if let x = make() { print(x) }\n"
        '        if let y = Int("1"),\n           let x = make() { print(x, y) }\n'
        "        make() { 2 }\n"
        "        if (make() { 3 }) != nil { }\n"
        "        go(for: self).map { _ in make() { 4 } }\n    }\n}\n"
    )
    ask = opened(write(tmp_path, {"a.swift": code}))
    plain, taking = (ask("find_references", symbol=f"a.swift:{line}:10") for line in (2, 3))
    assert re.findall(r"^(\d+): ", plain, re.MULTILINE) == ["2", "5", "7"]
    assert re.findall(r"^(\d+): ", taking, re.MULTILINE) == ["3", "8", "9", "10"]


_TRANSFORMED = {
    "model.py": (
        "from typing import dataclass_transform\n\n\n@dataclass_transform()\nclass Meta(type): ...\n\n\n"
        "class SubMeta(Meta): ...\n\n\nclass Model(metaclass=SubMeta):\n    def __init__(self, **data): ...\n"
    ),
    "use.py": "from model import Model\n\n\nclass Box(Model):\n    size: int\n\n\nbox = Box(size=1)\n",
    "plain.py": (
        "class A:\n    size: int = 0\n\n    def __init__(self, **kw): ...\n\n\nclass B:\n    size: int = 0\n\n\n"
        "A(size=1)\nB(size=1)\n"
    ),
}


def test_a_metaclass_may_mark_the_types_whose_constructors_take_their_fields(tmp_path: Path, opened: Open) -> None:
    """As https://peps.python.org/pep-0681/#applying-dataclass-transform has it."""
    ask = opened(write(tmp_path, {path: _TRANSFORMED[path] for path in ("model.py", "use.py")}))
    assert "Field in use.py:5" in ask("go_to_definition", symbol="use.py:8:11")
    assert "2 references, complete" in ask("find_references", symbol="use.py:5")


@pytest.mark.parametrize("line", [11, 12])
def test_a_keyword_is_no_field_of_a_class_whose_constructor_does_not_take_its_fields(
    line: int, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, _TRANSFORMED))("go_to_definition", symbol=f"plain.py:{line}:3")
    assert "Field in" not in text
    assert "no parameter has the name" in text or "the definition was not found" in text
