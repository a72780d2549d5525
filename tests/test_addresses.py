"""Addresses of symbols: every usual spelling of a name and of a place works, or the error names the one that does."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "shop/cart.py": "from shop.base import Base\n\n\nclass Cart(Base):\n    def total(self):\n        count = 1\n"
    "        return count\n\n\ndef helper():\n    return Cart().total()\n",
    "shop/base.py": "class Base:\n    def save(self):\n        pass\n",
    "shop/__init__.py": "from shop.cart import Cart\n",
    "tests/test_cart.py": "class TestCart:\n    def test_total(self, given):\n        # a Cart is filled\n"
    "        given.total(later)\n        given.unknown()\n",
    "src/adlist.h": "typedef struct listNode {\n    struct listNode *next;\n} listNode;\n",
    "src/adlist.c": '#include "adlist.h"\nstruct listNode *first(void) { return 0; }\n',
    "crates/a/src/lib.rs": "pub mod b;\n",
    "crates/a/src/b.rs": "pub struct Map<K> { k: K }\nimpl<K> Map<K> { pub fn get(&self) {} }\n"
    "impl<K> Drop for Map<K> { fn drop(&mut self) {} }\n",
    "pkg/file.go": "package pkg\n\ntype Client struct{}\n\nfunc (c *Client) Do() {}\n",
    "web/counter.js": "export class Counter {\n  #count = 1;\n  get() { return this.#count; }\n}\n",
    "php/User.php": "<?php\nnamespace App\\Models;\nclass User { function save() {} }\n",
    "ops.cpp": "struct Vector { void operator()(int at); };\n",
    "deep/one.py": "X = 1\n",
    "far/one.py": "Y = 1\n",
    "notes.txt": "Whatsoever stands in a text alone.\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    root = write(
        tmp_path_factory.mktemp("addresses"), {**FILES, ".gitignore": "made/\n", "made/gen.py": "def made(): ...\n"}
    )
    return opened(root)


def place_of(tree: Asking, symbol: str) -> str:
    """Return the place of the one symbol that is found."""
    text = tree("go_to_definition", symbol=symbol)
    assert "candidates" not in text, text
    return next(line for line in text.splitlines() if " in " in line).partition(" in ")[2].partition(" |")[0]


@pytest.mark.parametrize(
    ("symbol", "place"),
    [
        ("shop/cart.py:Cart.total", "shop/cart.py:5"),
        ("shop/cart.py::Cart::total", "shop/cart.py:5"),
        ("cart.py:Cart", "shop/cart.py:4"),
        ("shop/cart.py#Cart", "shop/cart.py:4"),
        ("./shop/cart.py:Cart", "shop/cart.py:4"),
        ("shop/cart.py.Cart", "shop/cart.py:4"),
        ("shop.cart.Cart.total", "shop/cart.py:5"),
        ("shop.Cart", "shop/cart.py:4"),
        ("shop.Cart.total", "shop/cart.py:5"),
        ("Cart.save", "shop/base.py:2"),
        ("shop/cart.py:Cart.save", "shop/base.py:2"),
        ("Cart().total()", "shop/cart.py:5"),
        ("Cart->total", "shop/cart.py:5"),
        ("Cart#total", "shop/cart.py:5"),
        ("self.total", "shop/cart.py:5"),
        ("super().total()", "shop/cart.py:5"),
        ("class Cart", "shop/cart.py:4"),
        ("cart.py:4", "shop/cart.py:4"),
        ("shop/cart.py:11", ""),
        ("tests/test_cart.py::TestCart::test_total[empty]", "tests/test_cart.py:2"),
        ("src/adlist.h:listNode.next", "src/adlist.h:2"),
        ("adlist.h::first", ""),
        ("crate::b::Map", "crates/a/src/b.rs:1"),
        ("a::b::Map::get", "crates/a/src/b.rs:2"),
        ("Map<K, V>.get()", "crates/a/src/b.rs:2"),
        ("::Map::get", "crates/a/src/b.rs:2"),
        ("<Map<K> as Drop>::drop", "crates/a/src/b.rs:3"),
        ("pkg/file.go#Client.Do", "pkg/file.go:5"),
        ("(*Client).Do", "pkg/file.go:5"),
        ("Counter.#count", "web/counter.js:2"),
        ("this.#count", "web/counter.js:2"),
        ("\\App\\Models\\User", "php/User.php:3"),
        ("User->save", "php/User.php:3:23"),
        ("php/User.php", "php/User.php:3"),
        ("User.php", "php/User.php:3"),
        ("Vector.operator()", "ops.cpp:1:22"),
        ("made/gen.py:made", "made/gen.py:1"),
        ("made/gen.py:1", "made/gen.py:1"),
    ],
)
def test_a_symbol_is_found_by_what_it_is_called_elsewhere(tree: Asking, symbol: str, place: str) -> None:
    if place:
        assert place_of(tree, symbol) == place
    else:
        assert tree.response("go_to_definition", symbol=symbol).text


@pytest.mark.parametrize(
    ("symbol", "message", "hint"),
    [
        ("Basket.total", "There is no symbol 'Basket.total'.", "Found: shop.cart.Cart.total shop/cart.py:5."),
        ("HELPER", "There is no symbol 'HELPER'.", 'Call go_to_definition(symbol="shop/cart.py:10").'),
        ("shop/base.py:Cart", "There is no symbol", "Found: shop.cart.Cart shop/cart.py:4"),
        ("shop/cart.py:count", "There is no symbol", "Found: shop/cart.py:6:9."),
        ("count", "There is", ""),
        (
            "Whatsoever",
            "There is no symbol 'Whatsoever'.",
            '1 file holds the word: call search_text(query="Whatsoever", word=true).',
        ),
        ("shop/crt.py:4", "There is no file or folder 'shop/crt.py'.", "Did you mean"),
        ("shop/crt.py:Nothing", "There is no file or folder 'shop/crt.py'.", "Did you mean"),
        ("one.py:1", "There is no symbol 'one.py:1'.", "Found: far/one.py:1, deep/one.py:1."),
        (
            "shop/cart.py",
            "'shop/cart.py' is a file, not a symbol.",
            'Call document_symbols(path="shop/cart.py"), or give',
        ),
        ("shop/cart.py:99", "No symbol is defined or used at", "The file has 11 lines."),
        ("x" * 1_001, "symbol: it has 1,001 characters, more than 1,000.", "Give a name or path:line."),
        ("a." * 100_000, "symbol: it has 200,000", "Give a name"),
        ("::", "symbol: it contains no name", "symbol_search"),
    ],
)
def test_an_address_that_means_nothing_names_what_does(tree: Asking, symbol: str, message: str, hint: str) -> None:
    response = tree.response("go_to_definition", symbol=symbol)
    assert message in response.text
    assert hint in response.text


def test_an_address_of_many_dots_takes_no_time(tree: Asking) -> None:
    began = time.process_time()
    tree.error("go_to_definition", symbol="a." * 490 + "b")
    tree.error("go_to_definition", symbol="a:" * 490 + "b")
    tree.error("go_to_definition", symbol="(<" * 490 + "b")
    assert time.process_time() - began < 2.0


def test_a_use_of_unknown_meaning_shows_what_has_the_name(tree: Asking) -> None:
    text = tree("go_to_definition", symbol="tests/test_cart.py:4:15")
    assert "the definition was not found; this is likely it" in text
    assert "shop/cart.py:5" in text
    assert "Cart(Base)" in tree("go_to_definition", symbol="tests/test_cart.py:3:13")
    error = tree.error("go_to_definition", symbol="tests/test_cart.py:5:15")
    assert "'unknown' is used here, but its definition was not found" in error


def test_a_use_of_unknown_meaning_is_never_renamed(tree: Asking) -> None:
    assert "its definition was not found" in tree.error("rename_symbol", symbol="tests/test_cart.py:4:15", new_name="x")


# Arguments that are misspelled


@pytest.mark.parametrize(
    ("tool", "given", "wrong", "right"),
    [
        ("find_references", {"sybmol": "Cart"}, "sybmol", "symbol"),
        ("find_references", {"symbol": "Cart", "pth": "src"}, "pth", "path"),
        ("find_references", {"name": "Cart"}, "name", "symbol"),
        ("search_text", {"qurey": "Cart"}, "qurey", "query"),
        ("rename_symbol", {"symbl": "Cart", "new_name": "Basket"}, "symbl", "symbol"),
        ("rename_symbol", {"symbol": "Cart", "newname": "Basket"}, "newname", "new_name"),
        ("read_file", {"path": "shop/cart.py", "max_token": 10}, "max_token", "max_tokens"),
    ],
)
def test_a_misspelled_argument_is_named_with_the_right_one(
    tree: Asking, tool: str, given: dict[str, object], wrong: str, right: str
) -> None:
    assert tree.error(tool, **given).startswith(f"error: {wrong}: {tool} has no such argument. Did you mean {right}?")


# Lines


@pytest.mark.parametrize(
    "symbol",
    ["shop/cart.py#L4", "shop/cart.py:L4", "cart.py#L4-L7", "shop/cart.py:4-7", "shop/cart.py#L4C7", "cart.py:4:7-5:2"],
)
def test_a_place_is_understood_as_people_and_web_pages_write_it(tree: Asking, symbol: str) -> None:
    assert place_of(tree, symbol) == "shop/cart.py:4"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("find_references", {"symbol": "shop/crat.py:2987"}),
        ("find_references", {"symbol": "shop/crat.py#L2987"}),
        ("find_references", {"symbol": "one.py:2987"}),
        ("read_file", {"path": "crat.py", "start_line": 2987}),
        ("read_file", {"path": "shop/cart.py:2987"}),
        ("read_file", {"path": "shop/cart.py#L2987"}),
        ("document_symbols", {"path": "shop/cart.py:2987"}),
    ],
)
def test_no_file_is_recommended_that_has_fewer_lines_than_the_one_that_was_meant(
    tree: Asking, tool: str, given: dict[str, object]
) -> None:
    error = tree.error(tool, **given)
    assert "Did you mean" not in error
    assert "There is no file or folder" in error or "none of the 2 files called one.py has a line 2,987" in error
    assert not any(f'"{path}' in error for path in FILES), error


def test_a_file_is_recommended_that_has_the_line(tree: Asking) -> None:
    assert "Did you mean 'shop/cart.py'?" in tree.error("find_references", symbol="shop/crat.py:4")
    assert 'read_file(path="shop/cart.py", start_line=4)' in tree.error("read_file", path="crat.py", start_line=4)
    assert "far/one.py:1, deep/one.py:1" in tree.error("find_references", symbol="one.py:1")


@pytest.mark.parametrize("column", [8, 11, 12])
def test_a_place_behind_a_name_means_the_name(tmp_path: Path, opened: Open, column: int) -> None:
    ask = opened(write(tmp_path, {"a.py": "def load(): pass\n\ndef run(one):\n    a = load(); one()\n"}))
    assert "a.py:1" in ask("go_to_definition", symbol=f"a.py:4:{column + 1}")
    local = ask("find_references", symbol="a.py:4:20")
    assert "local to run" in local
    assert "2 references" in local
