"""Keys of literals that JavaScript passes through a variable without a type, whose value another function assigns."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

CODE = (
    "/**\n"
    " * @typedef {object} Test\n"
    " * @property {string[]} valid\n"
    " */\n"
    "class Tester {\n"
    "    /** @param {Test} test */\n"
    "    run(test) {}\n"
    "}\n"
    "let tester;\n"
    "let first, second;\n"
    "/** @type {Tester} */\n"
    "let typed;\n"
    "let given = new Tester();\n"
    "function before() { tester = new Tester(); second = new Tester(); typed = new Tester(); given = new Tester(); }\n"
    "function other() {\n"
    "    tester.run({ valid: [] });\n"
    "    second.run({ valid: [] });\n"
    "    typed.run({ valid: [] });\n"
    "    given.run({ valid: [] });\n"
    "}\n"
    "function own() {\n"
    "    tester = new Tester();\n"
    "    tester.run({ valid: [] });\n"
    "}\n"
)


def test_a_key_has_no_type_where_another_function_assigns_the_variable(tmp_path: Path, opened: Open) -> None:
    ask, lines = opened(write(tmp_path, {"a.js": CODE})), CODE.split("\n")
    for line in (16, 17):
        assert "1 candidate" in ask("go_to_definition", symbol=f"a.js:{line}:{lines[line - 1].index('valid') + 1}")
    for line in (18, 19, 23):
        assert "a.js:3" in ask("go_to_definition", symbol=f"a.js:{line}:{lines[line - 1].index('valid') + 1}")
    answer = ask("find_references", symbol="a.js:3:25")
    certain, _, undecided = answer.partition("\nundecided:")
    assert "18: typed.run" in certain
    assert "16: tester.run" in undecided
    assert "17: second.run" in undecided
    assert "23: tester.run" in certain
