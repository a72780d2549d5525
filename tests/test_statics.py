"""Members of a type itself and those of its objects, where both may have one name: no use and no rename joins them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

KEEPS = {
    "js": (
        "a.js",
        "class A { load() {} }\nclass B extends A { static load() {} }\n"
        "new B().load();\nB.load();\nclass C extends B { static load() { super.load(); } }\n",
        (1, 3),
        (2, 4, 5),
    ),
    "typescript": (
        "a.ts",
        "class A { load(): void {} }\nclass B extends A { static load(): void {} }\n"
        "new B().load();\nB.load();\nclass C extends B { static load(): void { super.load(); } }\n",
        (1, 3),
        (2, 4, 5),
    ),
    "ruby": (
        "a.rb",
        "class A; def load; end; end\nclass B < A; def self.load; end; end\n"
        "B.new.load\nB.load\nclass C < B; def self.load; self.class; end; end\n",
        (1, 3),
        (2, 4, 5),
    ),
    "swift": (
        "a.swift",
        "class A { func load() {} }\nclass B: A { class func load() {} }\n"
        "func f() { B().load()\nB.load() }\nclass C: B { override class func load() {} }\n",
        (1, 3),
        (2, 4, 5),
    ),
}


@pytest.mark.parametrize("language", KEEPS)
def test_a_member_of_a_type_itself_neither_overrides_nor_is_one_of_objects(
    language: str, tmp_path: Path, opened: Open
) -> None:
    path, code, of_objects, of_type = KEEPS[language]
    root = write(tmp_path / "root", {path: code})
    ask = opened(root, cache=tmp_path / "cache", allow_edits=True)
    assert "overrid" not in ask("find_references", symbol="A.load")
    assert "overrides" not in ask("find_references", symbol="B.load")
    ask("rename_symbol", symbol="A.load", new_name="fetch", apply=True)
    ask("rename_symbol", symbol="B.load", new_name="start", apply=True)
    lines = code.split("\n")
    renamed = [
        line.replace("load", "fetch" if number in of_objects else "start")
        if number in (*of_objects, *of_type)
        else line
        for number, line in enumerate(lines, 1)
    ]
    assert (root / path).read_text(encoding="utf-8").split("\n") == renamed


def test_no_member_of_a_type_itself_is_likely_to_be_that_of_an_object(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Reply extends Response { static json() {} }\nconst reply = new Reply();\nreply.json();\nReply.json();\n"
    )
    text = opened(write(tmp_path, {"a.js": code}))("find_references", symbol="Reply.json")
    assert "exact 2, undecided 1" in text


def test_a_property_of_a_type_and_one_of_its_instances_are_both_listed(tmp_path: Path, opened: Open) -> None:
    code = "class A {\n    static var count = 1\n    var count = 2\n}\n"
    text = opened(write(tmp_path, {"a.swift": code}))("document_symbols", path="a.swift")
    assert text.count("count") == 2


def test_a_key_that_nothing_checks_against_a_type_from_outside_is_undecided(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.js": (
            '/** @typedef {import("outside").Options} Options */\n'
            "/** @param {Options} options */\nfunction run(options) {}\nrun({ level: 1 });\n"
        ),
        "b.js": "class A { constructor() { this.level = 1; } }\nclass B { constructor() { this.level = 2; } }\n",
    }
    text = opened(write(tmp_path, files))("go_to_definition", symbol="a.js:4:7")
    assert "outside" not in text
