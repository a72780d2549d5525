"""Names of TypeScript and JavaScript from outside, of which the tree has namesakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FOLDER = {"src/tools/index.ts": "export const own = 1;\n", "src/other.ts": "export const test = 1;\n"}
IMPORT = 'import { test } from "tools";\ntest();\n'
MANIFEST = '{"name": "tree", "devDependencies": {"tools": "^1.0.0"}}'
TYPES = '{"name": "tree", "devDependencies": {"@types/tools": "^1.0.0"}}'


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": MANIFEST, "src/a.ts": IMPORT},
        {"package.json": MANIFEST, "src/a.js": IMPORT},
        {"package.json": TYPES, "src/a.ts": IMPORT},
        {"tsconfig.json": "{}", "src/a.ts": IMPORT},
    ],
    ids=["a dependency", "a dependency of javascript", "a dependency with its types alone", "a configuration"],
)
def test_a_package_is_from_outside_although_a_folder_is_called_so(
    files: dict[str, str], tmp_path: Path, opened: Open
) -> None:
    path = next(path for path in files if path.startswith("src/"))
    shown = _ask(opened(write(tmp_path, FOLDER | files)), f"{path}:1:10")
    assert "comes from outside" in shown


@pytest.mark.parametrize(
    "files",
    [
        {"src/a.ts": IMPORT},
        {"tsconfig.json": "{}", "src/a.js": IMPORT},
        {"tsconfig.json": '{"extends": "elsewhere/tsconfig.json"}', "src/a.ts": IMPORT},
    ],
    ids=["no manifest", "a configuration beside javascript", "a configuration that is known in part"],
)
def test_a_package_may_be_a_folder_of_the_tree_where_nothing_says_that_it_is_none(
    files: dict[str, str], tmp_path: Path, opened: Open
) -> None:
    path = next(path for path in files if path.startswith("src/"))
    shown = _ask(opened(write(tmp_path, FOLDER | files)), f"{path}:1:10")
    assert "was not found" in shown


def test_a_path_of_the_configuration_goes_before_a_dependency(tmp_path: Path, opened: Open) -> None:
    mapped = '{"compilerOptions": {"paths": {"tools": ["./src/tools/index.ts"]}}}'
    files = {"package.json": MANIFEST, "tsconfig.json": mapped, "src/a.ts": 'import { own } from "tools";\nown;\n'}
    assert "src/tools/index.ts" in _ask(opened(write(tmp_path, FOLDER | files)), "src/a.ts:2:1")


def test_a_member_of_the_global_object_is_from_outside_although_another_name_differs_in_case(
    tmp_path: Path, opened: Open
) -> None:
    files = {"a.ts": "export class A { request = 1; }\nexport const made = globalThis.Request;\n"}
    shown = _ask(opened(write(tmp_path, files)), "a.ts:2:32")
    assert "comes from outside" in shown


def test_a_global_variable_of_a_script_is_a_member_of_the_global_object(tmp_path: Path, opened: Open) -> None:
    files = {"a.js": "var Request = 1;\n", "b.ts": "export const made = globalThis.Request;\n"}
    assert "comes from outside" not in _ask(opened(write(tmp_path, files)), "b.ts:1:32")


OUTSIDE = 'import { load, db, Subject } from "elsewhere";\ninterface User { label: string }\n'


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("const user = load<User>(); user.label;", 33),
        ('const user = await db.query<User>("x"); user.label;', 46),
        ("const user = await db.sql<User>`x`; user.label;", 42),
        ("const user = flag ? db.sql<User>`x` : db.sql<User>`y`; user.label;", 61),
    ],
)
def test_what_something_from_outside_makes_of_a_type_of_the_tree_may_have_its_members(
    source: str, column: int, tmp_path: Path, opened: Open
) -> None:
    shown = _ask(opened(write(tmp_path, {"a.ts": f"{OUTSIDE}{source}\n"})), f"a.ts:3:{column}")
    assert "comes from outside" not in shown
    assert "a.ts:2" in shown


def test_a_member_that_no_type_argument_has_is_from_outside(tmp_path: Path, opened: Open) -> None:
    source = f"{OUTSIDE}const made = new Subject<User>(); made.next;\n"
    shown = _ask(opened(write(tmp_path, {"a.ts": source})), "a.ts:3:40")
    assert "comes from outside" in shown


def _ask(asking: Asking, place: str) -> str:
    """Return what go_to_definition says of a place, an error too."""
    return asking.response("go_to_definition", symbol=place).text


def test_a_function_from_outside_may_give_the_collection_that_its_type_argument_is(
    tmp_path: Path, opened: Open
) -> None:
    source = (
        'import { state } from "runes";\nexport class Todo {\n  done = false;\n}\n'
        "const todos = state<Todo[]>([]);\ntodos.filter((t) => !t.done);\nfor (const one of todos) one.done;\n"
    )
    shown = opened(write(tmp_path, {"todos.ts": source}))("find_references", symbol="todos.ts:3:3")
    assert "6: todos.filter((t) => !t.done);" in shown
    assert "7: for (const one of todos) one.done;" in shown
