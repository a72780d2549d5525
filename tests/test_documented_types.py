"""Keys of literals whose type a comment gives, what CommonJS exports as a whole, names that types infer."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

DOCUMENTED = {
    "types.ts": "export interface Point { x: number }\nexport interface Plugin { visit(): void }\n",
    "a.js": (
        "/** @type {import('./types').Point} */\nexport const point = {\n  x: 1\n}\n"
        "point.x\n"
        "/** @returns {import('./types').Point} */\nexport function make() {\n  return { x: 2 }\n}\n"
        "/** @type {import('./types').Plugin} */\nexport const plugin = () => {\n  return { visit() {} }\n}\n"
        "export const cast = /** @type {import('./types').Point} */ ({ x: 3 })\n"
        "/** @type {import('package').Point} */\nexport const outer = {\n  x: 4\n}\n"
        "/** @type {Record<string, import('./types').Point>} */\nexport const table = {\n  origin: { x: 0 }\n}\n"
        "/** A point. */\nexport const plain = {\n  x: 5\n}\n"
        "/**\n * @param {{\n *   x: number,\n * }} given\n */\nfunction taking(given) {}\ntaking({ x: 6 })\n"
    ),
    "b.js": "import { unknown } from './missing'\nunknown({ x: 1, visit() {} })\n",
}


@pytest.mark.parametrize("symbol", ["a.js:3:3", "a.js:5:7", "a.js:8:12", "a.js:14:63", "a.js:21:13"])
def test_a_key_means_the_member_of_the_type_that_a_comment_gives_its_literal(
    tmp_path: Path, opened: Open, symbol: str
) -> None:
    ask = opened(write(tmp_path, DOCUMENTED))
    assert "Property in types.ts:1" in ask("go_to_definition", symbol=symbol)


def test_a_key_is_undecided_where_its_literal_is_given_to_another_type_than_a_comment_says(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, DOCUMENTED))
    assert "the definition was not found" in ask("go_to_definition", symbol="a.js:12:12")


def test_a_member_that_a_comment_writes_out_has_no_symbol(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DOCUMENTED))
    assert "is a member here that" in ask.error("go_to_definition", symbol="a.js:33:10")


@pytest.mark.parametrize(("symbol", "line"), [("a.js:17:3", 17), ("a.js:21:3", 21), ("a.js:25:3", 25)])
def test_a_key_declares_a_member_where_the_comment_names_none(
    tmp_path: Path, opened: Open, symbol: str, line: int
) -> None:
    ask = opened(write(tmp_path, DOCUMENTED))
    assert f"in a.js:{line}" in ask("go_to_definition", symbol=symbol)


def test_a_key_with_a_documented_type_is_a_use_of_the_member(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DOCUMENTED))
    text = ask("find_references", symbol="types.ts:1:26")
    assert "account: exact 6, undecided 3" in text
    renamed = ask("rename_symbol", symbol="types.ts:1:26", new_name="left")
    assert "export const cast = /** @type {import('./types').Point} */ ({ left: 3 })" in renamed


def test_a_type_that_a_comment_declares_is_renamed_with_the_comments_that_name_it(tmp_path: Path, opened: Open) -> None:
    code = {
        "a.js": (
            "/**\n * @typedef {Object} Point A point.\n * @property {number} x\n */\n"
            "/** @param {Point[]} points */\nexport function draw(points) { return points[0].x }\n"
        ),
        "b.js": (
            "/** @import { Point } from './a.js' */\n"
            "/** @type {import('./a.js').Point} */\nexport const one = { x: 1 }\n"
        ),
    }
    ask = opened(write(tmp_path, code))
    text = ask("find_references", symbol="a.js:2:22")
    assert "account: exact 4\n" in text
    renamed = ask("rename_symbol", symbol="a.js:2:22", new_name="Place")
    for line in ("{Object} Place A point.", "{Place[]}", "{ Place }", ".Place}"):
        assert line in renamed


COMMON = {
    "package.json": '{"name": "own", "main": "lib/main.js"}',
    "lib/main.js": "// The main module.\n'use strict'\nmodule.exports = class Main {}\n",
    "whole.js": "// A comment.\n'use strict'\nconst part = 1\n\nmodule.exports = { part, run() {} }\n",
    "names.js": "/* A comment. */\n'use strict'\nconst part = 1\nmodule.exports = { part }\n",
    "typed.d.ts": "declare function typed(): void\nexport = typed\n",
    "test/use.js": (
        "const Main = require('..')\nconst whole = require('../whole')\nconst names = require('../names')\n"
        "const typed = require('../typed')\nnew Main()\nwhole.run()\nnames.part\ntyped()\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        ("test/use.js:5:5", "Class in lib/main.js:3"),
        ("test/use.js:6:1", "Module in whole.js:5, 5 lines"),
        ("test/use.js:7:1", "Module in names.js:2, 4 lines"),
        ("test/use.js:8:1", "Function in typed.d.ts:1"),
    ],
)
def test_what_a_module_exports_as_a_whole_is_found(tmp_path: Path, opened: Open, symbol: str, where: str) -> None:
    ask = opened(write(tmp_path, COMMON))
    assert where in ask("go_to_definition", symbol=symbol)


def test_references_of_the_class_that_a_manifest_names_list_those_by_its_folder(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, COMMON))
    text = ask("find_references", symbol="lib/main.js:3:24")
    assert "account: exact 3\n" in text
    assert "new Main()" in text


GLOBAL = {
    "run.js": "export default function run() {}\n",
    "setup.js": "import run from './run.js'\nglobalThis.run = run\n",
    "a.test.js": "import './x.js'\nrun({ input: 1 })\n",
}


def test_a_name_that_a_file_gives_the_global_object_is_not_from_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GLOBAL))
    assert "the definition was not found" in ask("go_to_definition", symbol="a.test.js:2:1")


INFERRED = {
    "a.ts": (
        "type First<T> = T extends [infer Head, ...infer Rest] ? [Head, Rest] : never\n"
        "type Call<F> = F extends (...given: infer Given) => infer Result ? [Given, Result] : never\n"
        "type Deep<T> = T extends { inner: { value: infer Value } } ? Value : never\n"
        "interface Pair<in out Left extends object, out Right> { left: Left; right: Right }\n"
    )
}


@pytest.mark.parametrize(
    ("symbol", "place"),
    [
        ("a.ts:1:58", "a.ts:1:34"),
        ("a.ts:1:64", "a.ts:1:49"),
        ("a.ts:2:69", "a.ts:2:43"),
        ("a.ts:2:76", "a.ts:2:59"),
        ("a.ts:3:62", "a.ts:3:50"),
        ("a.ts:4:63", "a.ts:4:23"),
        ("a.ts:4:76", "a.ts:4:48"),
    ],
)
def test_a_type_parameter_leads_to_where_it_is_declared(tmp_path: Path, opened: Open, symbol: str, place: str) -> None:
    ask = opened(write(tmp_path, INFERRED))
    assert place in ask("go_to_definition", symbol=symbol)


def test_a_name_that_a_conditional_type_infers_is_renamed_in_both_places(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, INFERRED))
    assert "...infer Tail] ? [Head, Tail]" in ask("rename_symbol", symbol="a.ts:1:49", new_name="Tail")
