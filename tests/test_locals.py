"""A local variable or a parameter is found like a symbol, from any of its uses; and so is a module."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.resolve.references import local_references

FILES = {
    "shop/__init__.py": "",
    "shop/basket.py": (
        "import shop.prices\n"
        "\n"
        "\n"
        "def total(items, tax=0):\n"
        "    # the sum, without tax\n"
        "    sum_ = 0\n"
        "    for item in items:\n"
        "        sum_ += item + tax\n"
        "    return sum_\n"
        "\n"
        "\n"
        "def other(tax):\n"
        "    return tax\n"
    ),
    "shop/prices.py": "from shop.basket import total\n\nLIMIT = total([1], tax=2)\n",
    "page.ts": "export function draw(size: number) {\n  const twice = size * 2;\n  return () => twice + size;\n}\n",
    "Main.java": (
        "class A {\n  int add(int first, int second) {\n    int sum = first + second;\n    return sum;\n  }\n}\n"
    ),
    "a.go": "package a\n\nfunc Add(first int) int {\n\tsum := first\n\treturn sum + first\n}\n",
    "add.c": "int add(int first) {\n  int sum = first;\n  return sum;\n}\n",
    "page.php": "<?php\nfunction add($first) {\n  $sum = $first;\n  return $sum;\n}\n",
}


@pytest.fixture
def ask(opened: Open, tmp_path: Path) -> Asking:
    return opened(write(tmp_path, FILES))


def answered(ask: Asking, tool: str, **arguments: object) -> Any:
    """Return an answer as JSON."""
    response = ask.session.call(Request(tool, arguments, as_json=True))
    assert not response.is_error, response.text
    return json.loads(response.text)


LOCALS = {
    "variable": ("shop/basket.py:9:12", "shop/basket.py", [6, 8, 9]),
    "loop variable": ("shop/basket.py:8:17", "shop/basket.py", [7, 8]),
    "parameter": ("shop/basket.py:13:12", "shop/basket.py", [12, 13]),
    "closure": ("page.ts:3:16", "page.ts", [2, 3]),
    "parameter in TypeScript": ("page.ts:3:24", "page.ts", [1, 2, 3]),
    "variable in Java": ("Main.java:4:12", "Main.java", [3, 4]),
    "parameter in Java": ("Main.java:3:24", "Main.java", [2, 3]),
    "variable in Go": ("a.go:5:9", "a.go", [4, 5]),
    "variable in C": ("add.c:3:10", "add.c", [2, 3]),
    "variable in PHP": ("page.php:4:11", "page.php", [3, 4]),
}


@pytest.mark.parametrize(("symbol", "path", "lines"), LOCALS.values(), ids=list(LOCALS))
def test_the_uses_of_a_local_name_are_found_from_any_of_them(
    ask: Asking, symbol: str, path: str, lines: list[int]
) -> None:
    answer = answered(ask, "find_references", symbol=symbol)
    assert [(one["path"], one["line"]) for one in answer["items"]] == [(path, line) for line in lines]
    assert answer["complete"]


@pytest.mark.parametrize(("symbol", "path", "lines"), LOCALS.values(), ids=list(LOCALS))
def test_the_definition_of_a_local_name_is_where_it_is_bound_first(
    ask: Asking, symbol: str, path: str, lines: list[int]
) -> None:
    answer = answered(ask, "go_to_definition", symbol=symbol)
    assert (answer["items"][0]["path"], answer["items"][0]["line"]) == (path, lines[0])


def test_a_parameter_is_named_by_the_calls_in_other_files(ask: Asking) -> None:
    answer = answered(ask, "find_references", symbol="shop/basket.py:4:18")
    assert [(one["path"], one["line"]) for one in answer["items"]] == [
        ("shop/basket.py", 4),
        ("shop/basket.py", 8),
        ("shop/prices.py", 3),
    ]


def test_the_account_of_a_local_name_is_that_of_its_file(ask: Asking) -> None:
    account = answered(ask, "find_references", symbol="shop/basket.py:4:18")["account"]
    assert (account["exact"], account["other"], account["text"]) == (3, 2, 1)


def test_the_answer_says_what_a_local_name_is(ask: Asking) -> None:
    assert "Parameter in shop/basket.py:4:18" in ask("go_to_definition", symbol="shop/basket.py:8:24")
    assert "Local name in shop/basket.py:6:5" in ask("go_to_definition", symbol="shop/basket.py:9:12")


def test_a_path_and_a_role_leave_some_of_the_uses(ask: Asking) -> None:
    text = ask("find_references", symbol="shop/basket.py:4:18", path="shop/prices.py")
    assert "LIMIT" in text
    assert "def total" not in text
    text = ask("find_references", symbol="shop/basket.py:9:12", role="read")
    assert "sum_ = 0" not in text
    assert "return sum_" in text


MODULES = {
    "the last name of a path in Python": ("main.py:1:17", ["shop/prices.py"]),
    "the first name of a path in Python": ("main.py:1:8", ["shop/__init__.py"]),
    "a path in from": ("main.py:2:11", ["shop/basket.py"]),
    "a module that is used": ("main.py:3:12", ["shop/prices.py"]),
    "a file in TypeScript": ("main.ts:1:25", ["page.ts"]),
    "a file in JavaScript, in single quotes": ("main.js:1:25", ["page.ts"]),
    "a header": ("main.c:1:12", ["lib/add.h"]),
    "a package in Go": ("cmd/main.go:2:12", ["lib/a.go", "lib/b.go"]),
    "a script": ("main.sh:1:10", ["lib/all.sh"]),
    "a file in Ruby": ("main.rb:1:20", ["lib/item.rb"]),
    "a module in Rust": ("src/lib.rs:2:13", ["src/shop.rs"]),
}


@pytest.mark.parametrize(("symbol", "paths"), MODULES.values(), ids=list(MODULES))
def test_the_definition_of_a_module_is_the_beginning_of_its_files(
    opened: Open, tmp_path: Path, symbol: str, paths: list[str]
) -> None:
    modules = {
        "main.py": "import shop.prices\nfrom shop.basket import total\nprint(shop.prices.LIMIT)\n",
        "main.ts": 'import { draw } from "./page";\n',
        "main.js": "const page = require('./page')\n",
        "main.c": '#include "lib/add.h"\n',
        "lib/add.h": "int add(int first);\n",
        "go.mod": "module example.org/shop\n",
        "cmd/main.go": 'package main\nimport "example.org/shop/lib"\n',
        "lib/a.go": "package lib\n\nfunc A() {}\n",
        "lib/b.go": "package lib\n\nfunc B() {}\n",
        "main.sh": "source lib/all.sh\n",
        "lib/all.sh": "all() { :; }\n",
        "main.rb": "require_relative 'lib/item'\n",
        "lib/item.rb": "class Item\nend\n",
        "src/lib.rs": "mod shop;\nuse crate::shop::sell;\n",
        "src/shop.rs": "pub fn sell() {}\n",
    }
    ask = opened(write(tmp_path, {**FILES, **modules}))
    answer = answered(ask, "go_to_definition", symbol=symbol)
    assert list(dict.fromkeys(one["path"] for one in answer["items"])) == paths
    assert answer["items"][0]["line"] == 1


PROMOTED = """\
<?php
class Item {
    public function __construct(private float $price) { $this->price = $price * 2; }
    public function look() { return "{$this->price}"; }
}
new Item(price: 3);
function other(int $price) { return $price; }
"""


@pytest.mark.parametrize("column", [47, 48])
def test_a_parameter_that_declares_a_property_has_the_uses_of_both(column: int, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": PROMOTED}))
    text = ask("find_references", symbol=f"a.php:3:{column}")
    assert "Item.price: 5 references, complete" in text
    assert "account: exact 5, another symbol 2" in text


@pytest.mark.parametrize(("symbol", "new"), [("a.php:3:47", "cost"), ("a.php:3:48", "$cost"), ("Item.price", "cost")])
def test_a_parameter_that_declares_a_property_is_renamed_with_it(
    symbol: str, new: str, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, {"a.php": PROMOTED}))("rename_symbol", symbol=symbol, new_name=new)
    assert "+    public function __construct(private float $cost) { $this->cost = $cost * 2; }" in text
    assert '+    public function look() { return "{$this->cost}"; }' in text
    assert "+new Item(cost: 3);" in text
    assert "+function other" not in text


def test_a_new_name_that_another_variable_of_the_constructor_has_is_refused(tmp_path: Path, opened: Open) -> None:
    files = {"a.php": "<?php\nclass A { function __construct(public $one, $two) { $this->one = $one + $two; } }\n"}
    answer = opened(write(tmp_path, files)).response("rename_symbol", symbol="A.one", new_name="two")
    assert "$two is bound there, and is visible where $one is used" in answer.text


PRIMARY = {
    "A.kt": "class Vm(seed: Int) {\n    val x = seed + 1\n    fun f(seed: Int) = seed\n}\nfun make() = Vm(seed = 1)\n",
    "A.cs": "class Vm(int seed)\n{\n    int F() => seed + 1;\n}\nclass U { Vm Make() => new Vm(seed: 1); }\n",
    "A.scala": "class Vm(seed: Int) {\n  def f = seed + 1\n}\nobject U { def make = new Vm(seed = 1) }\n",
}
"""A type with a primary constructor: its parameter is used in its body, and named by a call."""


@pytest.mark.parametrize("path", PRIMARY)
def test_a_parameter_of_a_primary_constructor_is_found_and_renamed(path: str, tmp_path: Path, opened: Open) -> None:
    text = PRIMARY[path]
    ask = opened(write(tmp_path, {path: text}))
    symbol = f"{path}:1:{text.index('seed') + 1}"
    found = ask("find_references", symbol=symbol)
    assert "Vm.seed: 3 references, complete" in found
    renamed = ask("rename_symbol", symbol=symbol, new_name="cost")
    assert "3 edits in 1 file" in renamed
    assert "decide" not in renamed


SEVERAL = "open class Vm(seed: Int) {\n    constructor(text: String) : this(seed = 1)\n    val x = seed\n}\n"


def test_a_parameter_of_one_of_several_constructors_is_named_where_that_one_runs(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"A.kt": f"{SEVERAL}fun make() = Vm(seed = 2)\n"}))
    assert "4 references, complete" in ask("find_references", symbol="A.kt:1:15")
    assert "decide" not in ask("rename_symbol", symbol="A.kt:1:15", new_name="cost")


def test_what_may_name_a_parameter_as_a_member_of_the_object_is_undecided(tmp_path: Path, opened: Open) -> None:
    text = "class Vm(seed: Int) {\n  def f = this.seed\n  def this(text: String) = this(seed = 1)\n  def g = seed\n}\n"
    ask = opened(write(tmp_path, {"A.scala": text}))
    assert "another symbol" not in ask("find_references", symbol="A.scala:1:10")
    assert "decide: 2 uses of the name may mean it or not" in ask(
        "rename_symbol", symbol="A.scala:1:10", new_name="cost"
    )


def test_a_parameter_that_another_part_of_its_type_may_use_is_no_local_name(tmp_path: Path, opened: Open) -> None:
    files = {"A.cs": "partial class Vm(int seed) { }\n", "B.cs": "partial class Vm { int F() => seed; }\n"}
    answer = opened(write(tmp_path, files)).response("find_references", symbol="A.cs:1:22")
    assert answer.is_error


def test_an_attribute_that_is_called_like_an_imported_module_is_not_that_module(opened: Open, tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/_stock.py": "def load(): ...\n",
        "shop/basket.py": "from ._stock import load\n\n\ndef show(self):\n    return self._stock\n",
    }
    ask = opened(write(tmp_path, files))
    response = ask.response("go_to_definition", symbol="shop/basket.py:5:18")
    assert "Module in" not in response.text
    assert "Module in shop/_stock.py" in ask("go_to_definition", symbol="shop/basket.py:1:8")


def test_a_key_that_is_a_name_at_once_is_one_use(opened: Open, tmp_path: Path) -> None:
    ask = opened(write(tmp_path, {"a.ts": "export const hook = ({ found }) => { found.push({ found }) }\n"}))
    answer = answered(ask, "find_references", symbol="a.ts:1:24")
    assert answer["account"]["exact"] == 3


def test_files_that_cannot_name_a_local_name_are_counted_alone_where_their_tokens_are_too_many(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_references, "_COUNTED_BYTES", 0)
    ask = opened(write(tmp_path, {"a.py": "def f():\n    n = 1\n    return n\n", "b.py": "n = 2\nprint(n)\n"}))
    text = ask("find_references", symbol="a.py:2:5")
    assert "2 references, complete" in text
    assert "account: exact 2, and all in up to 1 file that cannot name it (another symbol, not counted)" in text
    account = answered(ask, "find_references", symbol="a.py:2:5")["account"]
    assert (account["exact"], account["other"], account["uncounted_files"]) == (2, 0, 1)


TYPE_PARAMETERS = {
    "box.hpp": "template <typename Item>\nstruct Box {\n  Item held;\n  Item get();\n};\n",
    "make.cpp": "template <class Item>\nvoid make(Item a) {\n  Item other = a;\n  static_assert(sizeof(Item));\n}\n",
    "Box.cs": "class Box<Item>\n{\n    Item held;\n    Item Get() { return held; }\n}\n",
    "Box.kt": "class Box<Item>(\n    val held: Item,\n) {\n    fun get(): Item = held\n}\n",
    "Box.java": "class Box<Item> {\n\n  Item held;\n  Item get() { return held; }\n}\n",
    "box.ts": "class Box<Item> {\n\n  held!: Item;\n  get(): Item { return this.held; }\n}\n",
}


@pytest.mark.parametrize("path", TYPE_PARAMETERS)
def test_a_parameter_of_a_type_has_its_uses_and_is_renamed(path: str, tmp_path: Path, opened: Open) -> None:
    text = TYPE_PARAMETERS[path]
    ask = opened(write(tmp_path, {path: text, f"other/{path}": text}))
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "Item" in line]
    line = text.splitlines()[lines[-1] - 1]
    symbol = f"{path}:{lines[-1]}:{line.index('Item') + 1}"
    assert f"Type parameter in {path}:1:" in ask("go_to_definition", symbol=symbol)
    answer = ask("find_references", symbol=symbol)
    assert [*map(int, re.findall(r"^(\d+): ", answer, re.MULTILINE))] == lines
    renamed = ask("rename_symbol", symbol=symbol, new_name="Element")
    assert f"{len(lines)} edits in 1 file" in renamed
    assert "decide" not in renamed


CLOSURES = """<?php
function f(array $items) {
    $count = 0;
    $each = function ($item) use (&$count, $items) {
        $count = $count + 1;
        $items = [];
        return function () use (&$count) { $count = 2; };
    };
    return $count;
}
function g() {
    $h = function () use (&$late) { $late = 1; };
    return $late;
}
$late = 1;
$top = 1;
$h = function () use (&$top) { $top = 2; };
"""


@pytest.mark.parametrize(
    ("symbol", "first", "account"),
    [
        ("a.php:3:5", "Local name in a.php:3:5, bound again on lines 5, 7", "exact 7"),
        ("a.php:4:36", "Local name in a.php:3:5, bound again on lines 5, 7", "exact 7"),
        ("a.php:5:9", "Local name in a.php:3:5, bound again on lines 5, 7", "exact 7"),
        ("a.php:7:45", "Local name in a.php:3:5, bound again on lines 5, 7", "exact 7"),
        ("a.php:6:9", "Parameter in a.php:2:18, bound again on line 6", "exact 3"),
        ("a.php:12:37", "Local name in a.php:12:37", "exact 3, another symbol 1"),
        ("a.php:13:12", "Local name in a.php:12:37", "exact 3, another symbol 1"),
        ("a.php:17:32", "Variable in a.php:16", "exact 3"),
    ],
)
def test_a_variable_that_a_closure_of_php_takes_is_that_of_the_code_around_it(
    tmp_path: Path, opened: Open, symbol: str, first: str, account: str
) -> None:
    ask = opened(write(tmp_path, {"a.php": CLOSURES}))
    assert ask("go_to_definition", symbol=symbol).splitlines()[1] == first
    assert f"account: {account}\n" in ask("find_references", symbol=symbol)


def test_a_variable_that_a_closure_of_php_takes_is_renamed_in_and_around_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": CLOSURES}))
    diff = ask("rename_symbol", symbol="a.php:3:5", new_name="sum")
    assert "+    $each = function ($item) use (&$sum, $items) {" in diff
    assert "+        $sum = $sum + 1;" in diff
    assert "+        return function () use (&$sum) { $sum = 2; };" in diff
    assert "+    return $sum;" in diff
