"""Members of classes and prototypes in JavaScript: ``A.prototype = { ... }``, static members, ``constructor``."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

PROTOTYPE = (
    "export function Bounds (a) { this.min = a; this.extend(a) }\n"
    "Bounds.prototype = {\n"
    "  extend: function (p) { return this.min },\n"
    "  contains (p) { return this.extend(p) },\n"
    "  get size () { return 1 }\n"
    "}\n"
)
USES = "import { Bounds } from './a'\nconst r = new Bounds(1)\nr.contains(2)\nr.extend(3)\nr.min\nr.size\n"


def test_an_object_that_is_a_prototype_declares_the_members_of_objects(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.js": PROTOTYPE, "b.js": USES}))
    for line, defined in ((3, 4), (4, 3), (6, 5)):
        shown = ask("go_to_definition", symbol=f"b.js:{line}:3")
        assert f"in a.js:{defined}" in shown
    shown = ask("find_references", symbol="a.js:3:3")
    for use in ("1: export function", "4: contains", "4: r.extend(3)"):
        assert use in shown
    assert "likely" not in shown


def test_a_member_of_an_unknown_prototype_is_not_said_to_be_outside(tmp_path: Path, opened: Open) -> None:
    source = "function A () {}\nA.prototype = mixin({ foo () {} })\nnew A().foo()\nclass C { foo () {} }\n"
    shown = opened(write(tmp_path, {"a.js": source}))("go_to_definition", symbol="a.js:3:9")
    assert "the definition was not found" in shown


STATIC = (
    "class A {\n"
    "  static description = 'x'\n"
    "  static help () { return 1 }\n"
    "  get description () { return this.constructor.description }\n"
    "  constructor () { this.constructor.help() }\n"
    "}\n"
)


@pytest.mark.parametrize("suffix", ["js", "ts"])
def test_a_static_field_and_a_getter_of_one_name_are_both_listed(suffix: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {f"a.{suffix}": STATIC}))
    outline = ask("document_symbols", path=f"a.{suffix}")
    assert "2 static description = 'x'" in outline
    assert "4 get description ()" in outline
    assert f"Property in a.{suffix}:4" in ask("go_to_definition", symbol=f"a.{suffix}:4:8")


@pytest.mark.parametrize("suffix", ["js", "ts"])
def test_the_constructor_of_an_object_is_its_class_and_no_method(suffix: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {f"a.{suffix}": STATIC}))
    assert "candidate" in ask("go_to_definition", symbol=f"a.{suffix}:5:26")
    assert f"in a.{suffix}:3" in ask("go_to_definition", symbol=f"a.{suffix}:5:37")


def test_a_variable_that_holds_the_exports_of_a_module_gives_it_exports(tmp_path: Path, opened: Open) -> None:
    files = {
        "e.js": "var E = module.exports\nE.put = function (m) { return m }\n",
        "f.js": "var E = require('./e')\nE.put(1)\nvar put = E.put\nput(2)\n",
    }
    ask = opened(write(tmp_path, files))
    assert "Method in e.js:2" in ask("go_to_definition", symbol="f.js:2:3")
    assert "Method in e.js:2" in ask("go_to_definition", symbol="f.js:4:1")


EXPORTS = {
    "n.js": "class Literal {}\nclass Pos {}\nmodule.exports = {\n  Literal: Literal,\n  Pos, // a comment\n"
    "  run: function () {}\n};\n",
    "u.js": "const n = require('./n')\nnew n.Literal()\nnew n.Pos()\nn.run()\n",
    "m.js": "class A {}\nmodule.exports = { A }\n",
    "v.js": "const m = require('./m')\nnew m.A()\n",
}


@pytest.mark.parametrize(
    ("place", "places"),
    [
        ("u.js:2:7", {"n.js:1", "n.js:4"}),
        ("u.js:3:7", {"n.js:2", "n.js:5"}),
        ("u.js:4:3", {"n.js:6"}),
        ("n.js:4:3", {"n.js:1", "n.js:4"}),
        ("v.js:2:7", {"m.js:1"}),
    ],
)
def test_a_key_that_a_module_exports_is_named_beside_what_it_gives_away(
    place: str, places: set[str], tmp_path: Path, opened: Open
) -> None:
    shown = opened(write(tmp_path, EXPORTS))("go_to_definition", symbol=place).split("\nnext:")[0]
    assert {one for one in ("n.js:1", "n.js:2", "n.js:4", "n.js:5", "n.js:6", "m.js:1") if one in shown} - {
        place.rpartition(":")[0]
    } == places - {place.rpartition(":")[0]}


def test_a_variable_that_holds_the_empty_exports_leads_to_the_module(tmp_path: Path, opened: Open) -> None:
    files = {
        "lib.js": "var x = 1\nvar own = module.exports = {}\nown.has = function () {}\n",
        "w.js": "const lib = require('./lib')\nlib.has()\n",
    }
    ask = opened(write(tmp_path, files))
    assert "Module in lib.js" in ask("go_to_definition", symbol="w.js:2:1")
    assert "Method in lib.js:3" in ask("go_to_definition", symbol="w.js:2:5")


LOADED = {
    "decl.d.ts": 'declare module "@web/ast" {\n  export function typed(a: number): void;\n}\n',
    "a.js": 'const t = require("@web/ast");\nt.typed(1);\n',
    "x.mjs": "export function f () {}\n",
    "y.mjs": 'const ns = await import("./x.mjs");\nns.f();\n',
    "b.js": "var etag = require('etag')\nexports.etag = make({ weak: false })\nfunction make (o) { return etag(o) }\n",
    "c.js": "var b = require('./b')\nb.etag()\n(function (e) { }(typeof exports === 'object' && exports || this))\n",
    "d.js": "'use strict'\nvar app = exports = module.exports = {};\napp.x = 1\n",
}


@pytest.mark.parametrize(
    ("place", "leads"),
    [
        ("a.js:2:3", "Function in decl.d.ts:2"),
        ("y.mjs:1:7", "in y.mjs:1:7"),
        ("y.mjs:2:1", "in y.mjs:1:7"),
        ("y.mjs:2:4", "Function in x.mjs:1"),
        ("c.js:2:3", "Variable in b.js:2"),
        ("c.js:3:26", "Module in c.js"),
        ("d.js:2:28", "Module in d.js"),
    ],
)
def test_what_is_loaded_leads_to_where_it_is_declared(place: str, leads: str, tmp_path: Path, opened: Open) -> None:
    assert leads in opened(write(tmp_path, LOADED))("go_to_definition", symbol=place)
