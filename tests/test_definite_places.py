"""Definite places of TypeScript and JavaScript, and names that have none although a namesake is near."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

GENERIC = (
    "interface Base { kind: string }\n"
    "declare function one<T extends Base>(x: T): T;\n"
    "declare function many<T extends Base>(x: Base, y: T[]): T;\n"
    "declare function told<T extends Base>(x: Holder<T>, y: T): T;\n"
    "declare function plain(x: Base): void;\n"
    "interface Holder<T> { held: T }\n"
    "declare const held: Holder<Base>;\n"
    'one({ kind: "a" });\n'
    'many(held.held, [{ kind: "a" }]);\n'
    'told(held, { kind: "a" });\n'
    'plain({ kind: "a" });\n'
    'one<Base>({ kind: "a" });\n'
)


@pytest.mark.parametrize("place", ["8:7", "9:20", "10:14"])
def test_a_key_that_a_constraint_asks_for_is_not_surely_the_member_of_that(
    place: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"a.ts": GENERIC}))
    assert "was not found" in _ask(ask, f"a.ts:{place}")


@pytest.mark.parametrize("place", ["11:9", "12:13"])
def test_a_key_is_the_member_of_the_type_that_a_parameter_has(place: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.ts": GENERIC}))
    assert "a.ts:1:18" in ask("go_to_definition", symbol=f"a.ts:{place}")


STORE = (
    'import { reactive, shallowReactive, type Outer } from "vue";\n'
    "interface Inner { pending: boolean }\n"
    "const own = reactive<Inner>({ pending: false });\n"
    "own.pending;\n"
    "const frozen = Object.freeze<Inner>({ pending: true });\n"
    "frozen.pending;\n"
    "const outer = shallowReactive<Outer>({ pending: false });\n"
    "outer.pending;\n"
    "const free = reactive({ pending: false });\n"
    "free.pending;\n"
)


@pytest.mark.parametrize("place", ["3:31", "4:5", "5:39", "6:8"])
def test_the_type_argument_of_a_call_that_gives_back_what_it_takes_declares_the_members(
    place: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"a.ts": STORE}))
    assert "a.ts:2:19" in ask("go_to_definition", symbol=f"a.ts:{place}")


@pytest.mark.parametrize(("place", "said"), [("7:40", "comes from outside"), ("8:7", "comes from outside")])
def test_a_member_of_a_type_argument_from_outside_is_no_key_of_the_argument(
    place: str, said: str, tmp_path: Path, opened: Open
) -> None:
    assert said in _ask(opened(write(tmp_path, {"a.ts": STORE})), f"a.ts:{place}")


OUTER = (
    'import { expect, type Outer } from "elsewhere";\n'
    "const direct: Outer = { pending: 1 };\n"
    "const list: Outer[] = [{ pending: 1 }];\n"
    "list.push({ pending: 1 });\n"
    "function give(): Outer { return { pending: 1 }; }\n"
    "function take(given: Outer) {}\n"
    "take({ pending: 1 });\n"
    "const by: Record<string, Outer> = { first: { pending: 1 } };\n"
    "new Map<string, Outer>().set('a', { pending: 1 });\n"
    "const checked = { pending: 1 } satisfies Outer;\n"
    "expect(1).toEqual({ pending: 1 });\n"
)


@pytest.mark.parametrize("place", ["2:25", "3:26", "4:13", "5:35", "7:8", "8:46", "9:37", "10:19"])
def test_a_key_of_a_literal_that_the_code_base_gives_a_type_from_outside_is_from_there(
    place: str, tmp_path: Path, opened: Open
) -> None:
    assert "comes from outside" in _ask(opened(write(tmp_path, {"a.ts": OUTER})), f"a.ts:{place}")


def test_a_key_is_not_surely_from_outside_where_a_type_from_there_has_type_arguments(
    tmp_path: Path, opened: Open
) -> None:
    source = (
        'import type { MaybeRef } from "elsewhere";\n'
        "function take<T extends Record<string, unknown>>(given: MaybeRef<T>) {}\n"
        'take({ first: "a" });\n'
    )
    assert "comes from outside" not in _ask(opened(write(tmp_path, {"a.ts": source})), "a.ts:3:8")


def test_a_key_of_what_a_function_from_outside_takes_declares_itself(tmp_path: Path, opened: Open) -> None:
    assert "Key in a.ts:11:21" in _ask(opened(write(tmp_path, {"a.ts": OUTER})), "a.ts:11:21")


def test_without_type_arguments_such_a_call_gives_the_members_of_the_literal(tmp_path: Path, opened: Open) -> None:
    assert "a.ts:9:25" in opened(write(tmp_path, {"a.ts": STORE}))("go_to_definition", symbol="a.ts:10:6")


LOADED = {
    "b.ts": "export function load() {}\nexport function other() {}\n",
    "a.ts": (
        "async function run() {\n"
        '  const { load, other: renamed } = await import("./b");\n'
        '  const { Clock: Custom } = await import("elsewhere");\n'
        "  load();\n"
        "  renamed();\n"
        "  new Custom();\n"
        "}\n"
    ),
}


@pytest.mark.parametrize(("place", "line"), [("4:3", 2), ("5:3", 2), ("6:7", 3)])
def test_a_name_taken_from_a_module_loaded_as_a_value_is_a_variable(
    place: str, line: int, tmp_path: Path, opened: Open
) -> None:
    shown = _ask(opened(write(tmp_path, LOADED)), f"a.ts:{place}")
    assert f"a.ts:{line}" in shown
    assert "b.ts" not in shown


@pytest.mark.parametrize(("place", "line"), [("2:11", 1), ("2:17", 2)])
def test_a_key_that_is_taken_from_such_a_module_is_what_the_module_exports(
    place: str, line: int, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, LOADED))
    assert f"Function in b.ts:{line}" in ask("go_to_definition", symbol=f"a.ts:{place}")


def test_a_rename_of_an_export_keeps_the_variable_that_takes_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LOADED))
    shown = ask("rename_symbol", symbol="b.ts:load", new_name="fetch_all")
    assert "fetch_all: load" in shown


VARIANCE = (
    "interface Pair<in out Left extends object, out Right, in Third = string> {\n"
    "  left: Left; right: Right; third: Third;\n"
    "}\n"
    "class Sink<in\n  Taken> { put(taken: Taken) {} }\n"
    'const text = "type A<in B, out C>";\n'
)


@pytest.mark.parametrize(("place", "declared"), [("2:9", "1:23"), ("2:22", "1:48"), ("2:36", "1:58"), ("5:23", "5:3")])
def test_a_type_parameter_with_a_variance_annotation_is_declared_by_its_name(
    place: str, declared: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"a.ts": VARIANCE}))
    assert f"a.ts:{declared}" in _ask(ask, f"a.ts:{place}")


@pytest.mark.parametrize("place", ["1:16", "1:19", "1:44", "4:12"])
def test_a_variance_annotation_is_no_name(place: str, tmp_path: Path, opened: Open) -> None:
    shown = _ask(opened(write(tmp_path, {"a.ts": VARIANCE})), f"a.ts:{place}")
    assert "No symbol is defined or used" in shown


PREDICATES = (
    "type Named = { kind: string; match: number };\n"
    "interface Options {\n"
    "  test?: (value: unknown) => value is Function & { kind?: unknown };\n"
    "  check: (given: unknown) => asserts given;\n"
    "}\n"
    "declare function isNamed(value: unknown): value is Named;\n"
    "function run(options: Options, value: unknown, joined: Named | { kind: 1 }) {\n"
    "  const { test = isNamed } = options;\n"
    "  if (test(value)) value.kind;\n"
    "  joined.kind;\n"
    "}\n"
)


@pytest.mark.parametrize(("place", "line"), [("3:30", 3), ("4:38", 4)])
def test_a_predicate_in_the_type_of_a_property_is_about_the_parameter(
    place: str, line: int, tmp_path: Path, opened: Open
) -> None:
    shown = _ask(opened(write(tmp_path, {"a.ts": PREDICATES})), f"a.ts:{place}")
    assert f"a.ts:{line}:11" in shown


@pytest.mark.parametrize(("place", "unnamed"), [("9:26", "a.ts:3"), ("10:10", "a.ts:7")])
def test_a_member_of_two_types_of_which_one_has_no_name_leads_to_both(
    place: str, unnamed: str, tmp_path: Path, opened: Open
) -> None:
    shown = _ask(opened(write(tmp_path, {"a.ts": PREDICATES})), f"a.ts:{place}")
    assert "a.ts:1" in shown
    assert unnamed in shown


def _ask(asking: Asking, place: str) -> str:
    """Return what go_to_definition says of a place, an error too."""
    return asking.response("go_to_definition", symbol=place).text


ACCESSORS = {
    "render.js": (
        "export class Render {\n  constructor(config) {\n    this.config = config\n    ;[this.mode] = [1]\n"
        "    this.late = 2\n  }\n"
        "  get config() { return this._config }\n  set config(to) { this._config = to }\n"
        "  set mode(to) {}\n  static get late() { return 1 }\n  show() { return [this.config, this.late] }\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("place", "leads"),
    [
        ("render.js:3:10", "render.js:7"),
        ("render.js:11:25", "render.js:7"),
        ("render.js:4:12", "render.js:9"),
    ],
)
def test_an_assignment_that_a_class_has_a_setter_for_declares_no_member(
    tmp_path: Path, opened: Open, place: str, leads: str
) -> None:
    assert f"Property in {leads}\n" in opened(write(tmp_path, ACCESSORS))("go_to_definition", symbol=place)


def test_a_static_accessor_leaves_the_members_of_objects_to_assignments(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, ACCESSORS))("go_to_definition", symbol="render.js:11:38")
    assert "render.js:5" in text


FILE_PRIVATE = {
    "kotlin": {
        "a.kt": (
            "package p\n\nprivate fun String.shout() = this\nprivate fun helper() = 1\nprivate class Hidden\n"
            "internal fun shared() = helper()\n"
        ),
        "b.kt": "package p\n\nfun String.other() {\n    shout()\n    helper()\n    Hidden()\n    shared()\n}\n",
    },
    "swift": {
        "a.swift": (
            "@MainActor private func helper() -> Int { 1 }\nfileprivate struct Hidden {}\n"
            "public private(set) var shared = helper()\n"
        ),
        "b.swift": "func other() {\n    helper()\n    Hidden()\n    shared\n}\n",
    },
}


@pytest.mark.parametrize(
    ("language", "hidden", "seen"),
    [
        ("kotlin", ["b.kt:4:5", "b.kt:5:5", "b.kt:6:5"], "b.kt:7:5"),
        ("swift", ["b.swift:2:5", "b.swift:3:5"], "b.swift:4:5"),
    ],
)
def test_a_name_of_another_file_is_not_what_only_that_file_sees(
    language: str, hidden: list[str], seen: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, FILE_PRIVATE[language]))
    for symbol in hidden:
        assert "the definition was not found; these have the name" in ask("go_to_definition", symbol=symbol)
    assert "shared" in ask("go_to_definition", symbol=seen).partition("\n")[0]
    own = "a.kt:6:25" if language == "kotlin" else "a.swift:3:35"
    assert "helper" in ask("go_to_definition", symbol=own).partition("\n")[0]


def test_many_annotations_before_a_declaration_cost_nothing(tmp_path: Path, opened: Open) -> None:
    annotations = " ".join(f"@{'a' * 40}{number}" for number in range(12))
    ask = opened(
        write(tmp_path, {"a.swift": f"{annotations} func shared() {{}}\n", "b.swift": "func f() { shared() }\n"})
    )
    assert "a.shared" in ask("go_to_definition", symbol="b.swift:1:13")
