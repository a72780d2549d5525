"""Keys of the objects that functions return: members of a declared type where one says it, else of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

TYPES = "export interface Node { kind: string }\nexport interface Maker { make: () => Node }\n"
HEAD = 'import { Node, Maker } from "./types";\n'


def destination(opened: Open, folder: Path, line: str) -> str:
    """Return where the first ``kind`` on the last line of a file leads."""
    write(folder, {"types.ts": TYPES, "use.ts": f"{HEAD}{line}\n"})
    return opened(folder)("go_to_definition", symbol=f"use.ts:2:{line.index('kind') + 1}")


@pytest.mark.parametrize(
    "line",
    [
        "export const a = { make: () => ({ kind: 'x' }) };",
        "export function f() { return { make: () => ({ kind: 'x' }) }; }",
        "export const a = () => () => ({ kind: 'x' });",
        "export class A { make = () => ({ kind: 'x' }); }",
        "export default () => ({ kind: 'x' });",
        "export const a = " + "[{ b: " * 7 + "[{ kind: 1 }]" + " }]" * 7 + ";",
    ],
)
def test_a_key_declares_a_member_where_nothing_says_a_type(opened: Open, tmp_path: Path, line: str) -> None:
    said = destination(opened, tmp_path, line)
    assert "use.ts:2" in said
    assert "types.ts" not in said


@pytest.mark.parametrize(
    "line",
    [
        "export const a: Maker = { make: () => ({ kind: 'x' }) };",
        "export function f(): Maker { return { make: () => ({ kind: 'x' }) }; }",
        "export const a = (): (() => Node) => () => ({ kind: 'x' });",
        "export class A { make: () => Node = () => ({ kind: 'x' }); }",
        "function take(one: Maker) {} take({ make: () => ({ kind: 'x' }) });",
    ],
)
def test_a_key_is_a_member_of_the_type_that_is_wanted(opened: Open, tmp_path: Path, line: str) -> None:
    assert "types.Node.kind" in destination(opened, tmp_path, line)


def test_the_member_of_what_such_a_function_returns_is_found(opened: Open, tmp_path: Path) -> None:
    text = "const maker = { make: () => ({ kind: 'x' }) };\nmaker.make().kind;\n"
    write(tmp_path, {"types.ts": TYPES, "use.ts": text})
    assert "use.ts:1:" in opened(tmp_path)("go_to_definition", symbol="use.ts:2:14")
