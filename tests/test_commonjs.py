"""Where names of modules of CommonJS lead: what is exported, modules that pass another on, functions of variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

MODULES = {
    "parts.js": (
        "// Parts.\n'use strict'\nclass Part {\n  constructor() {\n    this.size = 1\n"
        "    this.paint = this._paint.bind(this)\n"
        "  }\n}\nPart.prototype._paint = function () {}\n"
        "class Wheel extends Part {\n  constructor() {\n    super()\n    this.size = 2\n  }\n"
        "  turn() {\n    this.paint()\n    return this.size\n  }\n}\n"
        "function build() {}\nconst tint = {}\ntint.red = function () {}\n"
        "exports.Part = Part\nexports.build = build\nexports.count = 3\nexports.tint = tint\nexports.Wheel = Wheel\n"
        "exports.count + 1\n"
    ),
    "whole.js": "// Whole.\n'use strict'\nfunction whole() {}\nmodule.exports = whole\nmodule.exports.more = 1\n",
    "passing.js": "'use strict'\n\nmodule.exports = require('./whole')\n",
    "use.js": (
        "const parts = require('./parts')\nconst { Part, build, count,\n  Wheel } = parts\n"
        "const { tint } = require('./parts')\n"
        "new Part()\nbuild()\ncount\nWheel\nconst red = tint.red\nred()\nconst again = build\nagain()\n"
        "const passed = require('./passing')\npassed()\npassed.more\ntint.red()\nagain\n"
    ),
}


def _leads(tmp_path: Path, opened: Open, symbol: str) -> str:
    return _answer(tmp_path, opened, MODULES, symbol)


def _answer(tmp_path: Path, opened: Open, files: dict[str, str], symbol: str) -> str:
    return opened(write(tmp_path, files))("go_to_definition", symbol=symbol)


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        ("parts.js:23:1", "Class in parts.js:3"),
        ("parts.js:24:1", "Function in parts.js:20"),
        ("parts.js:25:1", "Variable in parts.js:25"),
        ("parts.js:28:1", "Module in parts.js:2"),
        ("whole.js:4:1", "Function in whole.js:3"),
        ("whole.js:4:8", "Function in whole.js:3"),
        ("whole.js:5:8", "Module in whole.js:2"),
    ],
)
def test_exports_leads_to_what_it_gives_away_or_to_the_module(
    tmp_path: Path, opened: Open, symbol: str, where: str
) -> None:
    assert where in _leads(tmp_path, opened, symbol)


@pytest.mark.parametrize("symbol", ["use.js:13:7", "use.js:14:1", "use.js:15:1"])
def test_a_name_of_a_module_that_passes_another_on_leads_to_where_it_does(
    tmp_path: Path, opened: Open, symbol: str
) -> None:
    assert "Module in passing.js:3" in _leads(tmp_path, opened, symbol)


def test_a_member_of_a_module_that_passes_another_on_is_that_of_the_other(tmp_path: Path, opened: Open) -> None:
    assert "whole.js:5" in _leads(tmp_path, opened, "use.js:15:8")


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        ("use.js:5:5", "Constructor in parts.js:4"),
        ("use.js:6:1", "Function in parts.js:20"),
        ("use.js:7:1", "Local name in use.js:2:22"),
        ("use.js:8:1", "Local name in use.js:3:3"),
        ("use.js:2:9", "Class in parts.js:3"),
        ("use.js:16:1", "in parts.js:21"),
    ],
)
def test_a_name_taken_of_a_module_through_a_variable_leads_to_what_runs_or_to_itself(
    tmp_path: Path, opened: Open, symbol: str, where: str
) -> None:
    assert where in _leads(tmp_path, opened, symbol)


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        ("use.js:12:1", "Function in parts.js:20"),
        ("use.js:17:1", "Constant in use.js:11"),
        ("use.js:16:6", "in parts.js:22"),
        ("parts.js:16:10", "Method in parts.js:9"),
    ],
)
def test_the_call_of_a_variable_leads_to_the_function_that_it_holds(
    tmp_path: Path, opened: Open, symbol: str, where: str
) -> None:
    assert where in _leads(tmp_path, opened, symbol)


@pytest.mark.parametrize(("symbol", "line"), [("parts.js:5:10", 5), ("parts.js:13:10", 13), ("parts.js:17:17", 13)])
def test_an_attribute_leads_to_where_the_nearest_class_gives_it_a_value(
    tmp_path: Path, opened: Open, symbol: str, line: int
) -> None:
    assert f"Field in parts.js:{line}" in _leads(tmp_path, opened, symbol)


BOUND = {
    "store.js": (
        "class Store {}\nstores.Shelf = class {\n  #common = null\n  fill() {\n    this.#common = new Map()\n"
        "    this.#common.set(1, 2)\n  }\n}\n"
    ),
    "run.js": (
        "function run(f) { return f }\n"
        "const nested = run(run.bind(null))\nnested()\n"
        "const bound = run.bind(null, run.bind(run))\nbound()\n"
    ),
    "built.js": '"use strict";\nexports.make = exports.tell = void 0;\nexports.make = make;\nfunction make() {}\n',
}


def test_a_private_member_of_a_class_that_has_no_symbol_is_no_class_without_a_name(
    tmp_path: Path, opened: Open
) -> None:
    assert "in store.js:3" in _answer(tmp_path, opened, BOUND, "store.js:6:10")


def test_a_function_bound_in_an_argument_is_not_what_the_call_runs(tmp_path: Path, opened: Open) -> None:
    assert "in run.js:2" in _answer(tmp_path, opened, BOUND, "run.js:3:1")
    assert "Function in run.js:1" in _answer(tmp_path, opened, BOUND, "run.js:5:1")


@pytest.mark.parametrize("column", [1, 16])
def test_exports_leads_to_the_module_where_a_compiler_only_reserves_a_name(
    tmp_path: Path, opened: Open, column: int
) -> None:
    assert "Module in built.js" in _answer(tmp_path, opened, BOUND, f"built.js:2:{column}")
    assert "Function in built.js:4" in _answer(tmp_path, opened, BOUND, "built.js:3:1")


OVERRIDDEN = {
    "base.js": "class Base {\n  constructor() {\n    this.size = 1\n    this.tint = 2\n  }\n}\nmodule.exports = Base\n",
    "part.js": (
        "const Base = require('./base')\nclass Part extends Base {\n"
        "  constructor() {\n    super()\n    this.size = 3\n  }\n"
        "  paint() {\n    this.tint = 4\n    this.tint.toString()\n    this.size.toString()\n  }\n}\n"
    ),
}


@pytest.mark.parametrize(("use", "field"), [("part.js:9:10", "base.js:4"), ("part.js:10:10", "part.js:5")])
def test_only_constructors_override_the_attribute_of_a_base(tmp_path: Path, opened: Open, use: str, field: str) -> None:
    assert f"Field in {field}" in _answer(tmp_path, opened, OVERRIDDEN, use)


DEFAULTS = {
    "effect.js": "globalThis.loaded = true\n",
    "arrow.js": "import './effect'\n\nexport default (a) => a\n",
    "table.js": "export default { row: 1 }\n",
    "use.js": (
        "import plus from './arrow'\nimport table from './table'\nplus(1)\ntable.row\n"
        "const f = function inner(n) { return inner(n - 1) }\nrequire('x')\n"
    ),
    "loader.js": "class Loader {\n  require() {}\n}\nexport { Loader }\n",
    "script.js": "require('x')\n",
}


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        ("use.js:1:8", "Declaration in arrow.js:3"),
        ("use.js:3:1", "Declaration in arrow.js:3"),
        ("use.js:4:1", "Declaration in table.js:1"),
        ("use.js:4:7", "in table.js:1"),
        ("arrow.js:1:10", "Module in effect.js"),
        ("use.js:5:20", "Local name in use.js:5:20"),
        ("use.js:5:38", "Local name in use.js:5:20"),
        ("use.js:5:26", "Parameter in use.js:5:26"),
    ],
)
def test_defaults_without_a_name_imports_without_names_and_functions_that_call_themselves_lead_somewhere(
    tmp_path: Path, opened: Open, symbol: str, where: str
) -> None:
    ask = opened(write(tmp_path, DEFAULTS))
    assert where in ask("go_to_definition", symbol=symbol)


def test_require_is_what_each_module_has_and_may_be_something_else_in_a_script(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DEFAULTS))
    assert "'require' comes from outside" in ask.error("go_to_definition", symbol="use.js:6:1")


BROKEN = {
    "helper.ts": "export function helper(count: number) {}\nexport interface Shape { size: number }\n",
    "broken.ts": (
        "import { helper, Shape } from './helper' with type: 'x'\n@@@ (( const lost = 1\n"
        "helper(1)\nlost + 1\nconst one: Shape = nothing\n"
    ),
}


@pytest.mark.parametrize("symbol", ["broken.ts:3:1", "broken.ts:5:12"])
def test_a_name_of_an_import_that_did_not_parse_is_undecided(tmp_path: Path, opened: Open, symbol: str) -> None:
    ask = opened(write(tmp_path, BROKEN))
    assert "the definition was not found" in ask("go_to_definition", symbol=symbol)


def test_a_name_whose_declaration_did_not_parse_is_not_said_to_be_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BROKEN))
    assert "its definition was not found" in ask.error("go_to_definition", symbol="broken.ts:4:1")
    assert "'nothing' comes from outside" in ask.error("go_to_definition", symbol="broken.ts:5:20")


def test_a_name_that_a_pattern_imports_is_renamed_with_its_uses(tmp_path: Path, opened: Open) -> None:
    uses = 'const { make, keep } = require("./lib");\nmake();\nconst { make: other } = require("./lib");\n'
    files = {"lib.js": "module.exports = {\n  make() {\n    return 1;\n  },\n  keep: 3,\n};\n", "use.js": uses}
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="lib.js:2:3", new_name="build")
    assert '+const { build, keep } = require("./lib");' in shown
    assert "+build();" in shown
    assert '+const { build: other } = require("./lib");' in shown


@pytest.mark.parametrize("exported", ["module.exports = { open, SIZE }", "module.exports = {\n  open,\n  SIZE,\n};"])
def test_what_an_exported_object_names_is_renamed_with_those_who_require_it(
    tmp_path: Path, opened: Open, exported: str
) -> None:
    files = {
        "a.js": f"const SIZE = 5\nfunction open() {{}}\n{exported}\n",
        "b.js": 'const { open, SIZE } = require("./a")\nopen(SIZE)\nconst kept = { open }\n',
    }
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="a.js:2:10", new_name="unlock")
    assert "open: unlock, SIZE" not in shown
    assert '+const { unlock, SIZE } = require("./a")' in shown
    assert "unlock, SIZE }" in shown or "+  unlock," in shown
    assert "exported by a.js" in shown
