"""Files that have a name in comments and strings alone are not looked into."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write
from leadline_tools.index.index import Index

SHELF = 'class Shelf:\n    def add(self):\n        pass\n\n\ndef stow():\n    pass\n\n\n__all__ = ["Shelf", "stow"]\n'


def unused(root: Path, files: dict[str, str], name: str) -> frozenset[str]:
    index = Index(write(root, files), None)
    try:
        index.start()
        assert index.wait(60)
        return index.facts.fetch(files, name=name).unused
    finally:
        index.close()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", '# add\n"""Add and add."""\nx = "add"\n'),
        ("a.go", 'package a\n\n// add\nvar x = "add" + `add`\n'),
        ("a.ts", "// add\nexport const x = 'add' + `add`; /* add */\n"),
        ("A.java", 'class A { String x = "add"; /* add */ }\n'),
        ("a.c", '/* add */\nconst char *x = "add"; // add\n'),
        ("a.rs", '// add\nconst X: &str = "add"; /* add /* add */ */\n'),
        ("a.cs", 'class A { string x = "add" + @"add"; } // add\n'),
    ],
)
def test_a_name_in_comments_and_strings_is_not_used(tmp_path: Path, path: str, text: str) -> None:
    assert unused(tmp_path, {path: text}, "add") == {path}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "# add\nadd()\n"),
        ("a.py", 'x = f"{y.add()}"\n'),
        ("a.ts", "export const x = `${add()}`;\n"),
        ("a.cs", 'class A { string x = $"{add}"; }\n'),
        ("a.c", "#define X add\n"),
        ("a.sh", 'x="$(add)"\n'),
        ("a.rb", 'x = "#{add}"\n'),
    ],
)
def test_a_name_in_code_is_used_and_so_is_one_in_code_inside_a_string(tmp_path: Path, path: str, text: str) -> None:
    assert not unused(tmp_path, {path: text}, "add")


def test_strings_name_a_member_where_a_dot_stands_before_it(tmp_path: Path) -> None:
    files = {"a.py": 'def f(x: "m.Shelf.add"): ...\n', "b.py": '"add"\n', "c.py": "add = 1\n"}
    assert unused(tmp_path, files, ".add") == {"b.py"}


def test_a_file_that_only_mentions_a_member_does_not_keep_an_answer_from_being_complete(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "shelf.py": SHELF,
        "user.py": "from shelf import Shelf\n\nShelf().add()\n",
        "notes.py": '# add\nx = "add"\n',
    }
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="Shelf.add")
    assert "2 references in 2 files, complete" in text
    assert "account: exact 2, text 2" in text


def test_a_string_that_exports_a_function_is_a_use(tmp_path: Path, opened: Open) -> None:
    files = {"shelf.py": SHELF, "more.py": 'from shelf import *\n\n__all__ = ["stow"]\n'}
    text = opened(write(tmp_path, files))("find_references", symbol="shelf.stow")
    assert '__all__ = ["stow"]' in text
