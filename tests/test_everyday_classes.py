"""Classes without a name, members of a class and of its objects, and tokens that are a name and a key at once."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

UNNAMED = {
    "base.ts": (
        "export default abstract class {\n  size = 1;\n  abstract render(depth: number): string;\n"
        "  show(): string { return this.render(1); }\n}\n"
    ),
    "panel.ts": (
        'import Component from "./base";\nexport class Panel extends Component {\n'
        '  render(depth: number): string { return "p"; }\n}\nfunction draw(one: Component) { one.render(2); }\n'
    ),
}


def test_a_member_of_a_class_without_a_name_has_what_overrides_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, UNNAMED))
    below = ask("find_implementations", symbol="base.ts:3:12")
    assert "1 overriding member, complete" in below
    assert "3 Panel: render(depth: number): string" in below
    above = ask("find_implementations", symbol="panel.ts:3:3", direction="up")
    assert "1 overridden member, complete" in above
    used = ask("find_references", symbol="base.ts:3:12")
    assert "exact 3" in used
    assert "overridden, not counted: Panel.render panel.ts:3" in used
    assert "overrides, not counted: render base.ts:3" in ask("find_references", symbol="panel.ts:3:3")


def test_a_class_inherits_the_members_of_a_class_without_a_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, UNNAMED))
    members = ask("type_members", symbol="Panel", inherited=True)
    assert "3 members, complete" in members
    assert "2 size = 1" in members
    above = ask("find_implementations", symbol="Panel", direction="up")
    assert "no certain supertypes" in above
    assert "1: export default abstract class {" in above


def test_a_member_of_a_class_without_a_name_is_renamed_with_what_overrides_it(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, UNNAMED))("rename_symbol", symbol="base.ts:3:12", new_name="paint")
    assert "+  abstract paint(depth: number): string;" in shown
    assert '+  paint(depth: number): string { return "p"; }' in shown
    assert "+function draw(one: Component) { one.paint(2); }" in shown


SIDES = {
    "both.ts": (
        "export class Degrees {\n  static parse(text: string) { return new Degrees(); }\n  parse() { return 1; }\n}\n"
        "class Sub extends Degrees {\n  static parse(text: string) { return super.parse(text); }\n}\n"
    )
}


def test_a_member_of_a_class_does_not_hide_one_of_its_objects(tmp_path: Path, opened: Open) -> None:
    members = opened(write(tmp_path, SIDES))("type_members", symbol="Sub", inherited=True)
    assert "6 static parse(text: string)" in members
    assert "3 parse()" in members
    assert "2 members, complete" in members


KEYS = {
    "hooks.ts": (
        "export function useItems(size: number) {\n  const items = [size];\n  return { items, size };\n}\n"
        "const { items } = useItems(1);\nconsole.log(useItems(2).size, items);\n"
    )
}


def test_a_key_that_is_a_local_name_at_once_has_uses_of_its_own(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, KEYS))
    both = ask("find_references", symbol="hooks.ts:3:12")
    assert "(2 symbols)" in both
    assert "2: const items = [size];  [definition]" in both
    assert "5: const { items } = useItems(1);" in both
    size = ask("find_references", symbol="hooks.ts:3:19")
    assert "6: console.log(useItems(2).size, items);" in size
    whole = ask("find_references", symbol="hooks.ts:5:9")
    assert "6: console.log(useItems(2).size, items);" in whole
    assert "also the key hooks.(unnamed type).items" in whole


def test_what_is_disposed_of_is_a_constant_of_its_block(tmp_path: Path, opened: Open) -> None:
    code = (
        "class File { close() {} }\nasync function main() {\n  await using file = new File();\n  file.close();\n"
        "  for (using one of [new File()]) one.close();\n}\n"
    )
    ask = opened(write(tmp_path, {"m.ts": code}))
    closed = ask("find_references", symbol="File.close")
    assert "exact 3" in closed
    assert "4: file.close();" in closed
    assert "5: for (using one of [new File()]) one.close();" in closed


BLOCKS = {
    "m.ts": (
        "function helper() { return 1; }\nenum Level { Low, High }\nnamespace Level {\n  const High = Level.High;\n"
        "  export const top = High;\n}\nnamespace Shape {\n  const scale = 2;\n  function helper() { return scale; }\n"
        "  export const unit = helper();\n}\nnamespace Shape {\n  const scale = 3;\n"
        "  export const big = unit * scale * helper();\n}\n"
    )
}


def test_what_a_namespace_does_not_export_belongs_to_its_block(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BLOCKS))
    first = ask("find_references", symbol="m.ts:8:9")
    assert "exact 2, another symbol 2" in first
    assert "9: function helper() { return scale; }" in first
    assert "14:" not in first
    outer = ask("find_references", symbol="m.ts:1:10")
    assert "14: export const big = unit * scale * helper();" in outer
    assert "10:" not in outer
    assert "14: export const big" in ask("find_references", symbol="Shape.unit")


def test_a_constant_of_a_namespace_is_no_member_of_the_enum_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BLOCKS))
    member = ask("find_references", symbol="m.ts:2:19")
    assert "exact 2, another symbol 2" in member
    assert "5: export const top = High;" not in member
    assert "5: export const top = High;" in ask("find_references", symbol="m.ts:4:9")


def test_an_ambient_namespace_exports_all_that_it_declares(tmp_path: Path, opened: Open) -> None:
    code = "declare namespace App {\n  const size: number;\n  export const name: string;\n}\nconsole.log(App.size);\n"
    ask = opened(write(tmp_path, {"m.ts": code}))
    assert "5: console.log(App.size);" in ask("find_references", symbol="App.size")


def test_a_declaration_that_adds_to_a_type_has_the_members_of_all(tmp_path: Path, opened: Open) -> None:
    ask = opened(
        write(
            tmp_path,
            {
                "vec.ts": "export class Vec {\n  length() { return 1; }\n}\n",
                "extra.ts": (
                    'import { Vec } from "./vec";\ndeclare module "./vec" {\n'
                    "  interface Vec { scale(by: number): Vec }\n}\n"
                ),
            },
        )
    )
    members = ask("type_members", symbol="extra.ts:3:13")
    assert "2 members, complete" in members
    assert "2 length()" in members
    assert "3 scale(by: number): Vec" in members


def test_a_key_of_something_unknown_that_is_a_name_at_once_is_told(tmp_path: Path, opened: Open) -> None:
    code = "function show(given) {\n  const { title } = given.pick();\n  return given.wrap({ title });\n}\n"
    ask = opened(write(tmp_path, {"m.js": code}))
    assert "also a key there of an object that is not known" in ask("find_references", symbol="m.js:2:11")


def test_object_literals_are_said_not_to_be_among_the_implementations_of_an_interface(
    tmp_path: Path, opened: Open
) -> None:
    code = (
        'interface Reader { read(): string }\nclass File implements Reader { read() { return "a"; } }\n'
        'const empty: Reader = { read: () => "" };\n'
    )
    ask = opened(write(tmp_path, {"m.ts": code}))
    below = ask("find_implementations", symbol="Reader.read")
    assert "2 File: read()" in below
    assert "object literals of the type are not listed" in below
    assert "object literals" not in ask("find_implementations", symbol="File")
    assert "3: const empty: Reader = { read" in ask("find_references", symbol="Reader.read")
