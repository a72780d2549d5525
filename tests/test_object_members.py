"""Members of objects in TypeScript and JavaScript: keys of literals, types that are compared by members, functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

OBSERVERS = {
    "lib.ts": (
        "export interface Observer<T> {\n  next: (value: T) => void;\n  complete(): void;\n}\n"
        "export function subscribe<T>(observer?: Partial<Observer<T>>): void;\n"
        "export function subscribe<T>(next: (value: T) => void): void;\n"
        "export function subscribe(given?: unknown): void {}\n"
        "export function pipe<O extends Observer<string>>(label: string, observer: O): O { return observer }\n"
        "export interface Closer {\n  close(): void;\n  note?: string;\n}\n"
        "declare const Marker: unique symbol\nexport interface Marked {\n  [Marker]?: void\n}\n"
    ),
    "use.ts": (
        "import { Observer, pipe, subscribe } from './lib'\n"
        "subscribe<number>({\n  next: (x) => console.log(x),\n  complete() { helper() },\n})\n"
        "function helper() {}\n"
        "export const typed: Observer<string> = {\n  next(value) { helper() },\n  complete: () => helper(),\n}\n"
        "typed.next('a')\n"
        "pipe('a', {\n  next(value) {},\n  complete() {},\n})\n"
        "subscribe(<Observer<number>>{\n  next(value) {},\n})\n"
        "test.each([[{ slots: 1 }]])\n"
    ),
    "free.ts": (
        "export const fits = {\n  close() {},\n}\nfits.close()\n"
        "export const lacks = { note: 'a' }\n"
        "export const partly = {\n  next(value: string) {},\n}\n"
    ),
}


@pytest.fixture(scope="module")
def observers(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("observers"), OBSERVERS))


@pytest.mark.parametrize("key", ["use.ts:3:3", "use.ts:8:3", "use.ts:17:3", "typed.next"])
def test_a_key_and_the_member_that_its_place_wants_are_one_symbol(observers: Asking, key: str) -> None:
    assert "Property in lib.ts:2" in observers("go_to_definition", symbol=key)
    for symbol in (key, "lib.ts:2:3"):
        text = observers("find_references", symbol=symbol)
        assert "account: exact 5, undecided 2, another symbol 1\n" in text
        assert all(f"\n{line}: " in text for line in (2, 3, 8, 11, 13, 17))
    assert "5 edits in 2 files" in observers("rename_symbol", symbol=key, new_name="emit")


def test_what_a_function_in_a_literal_calls_is_what_it_calls_itself(observers: Asking) -> None:
    assert "use.ts:6 helper" in observers("call_hierarchy", symbol="use.ts:8:3", direction="outgoing")
    assert "lib.Observer.next: " in observers("call_hierarchy", symbol="use.ts:8:3")


def test_what_stands_in_a_computed_name_means_what_it_names(observers: Asking) -> None:
    assert "Constant in lib.ts:13" in observers("go_to_definition", symbol="lib.ts:15:4")
    assert "Property in lib.ts:15" in observers("go_to_definition", symbol="lib.ts:15:3")
    assert "15: [Marker]?: void" in observers("find_references", symbol="lib.ts:13:15")


def test_a_key_that_no_type_asks_for_is_the_first_of_its_references(observers: Asking) -> None:
    assert "Key in use.ts:19:15" in observers("go_to_definition", symbol="use.ts:19:15")
    assert "account: exact 1\n" in observers("find_references", symbol="use.ts:19:15")
    observers.error("rename_symbol", symbol="use.ts:19:15", new_name="places")


def test_a_literal_with_all_members_of_a_type_may_be_of_that_type(observers: Asking) -> None:
    text = observers("find_references", symbol="lib.ts:10:3")
    assert "account: exact 1, undecided 2\n" in text
    assert "undecided: free.ts\n2: close() {}," in text
    assert "account: exact 2, undecided 1\n" in observers("find_references", symbol="free.ts:2:3")
    assert "account: exact 1, another symbol 1\n" in observers("find_references", symbol="lib.ts:11:3")


def test_a_literal_with_some_members_may_be_of_a_type_that_is_taken_in_part(observers: Asking) -> None:
    assert "undecided: free.ts\n7: next(value: string) {}," in observers("find_references", symbol="lib.ts:2:3")


AUGMENTED = {
    "global.ts": (
        "declare global {\n  interface Window { flavor: string }\n  interface Shared { own: string }\n}\n"
        "declare module 'vue' {\n  export interface Props { bar: string }\n}\nexport {}\n"
    ),
    "adds.ts": (
        "declare module './local' {\n  interface Local { extra: string }\n}\n"
        "window.flavor\nconst w: Window = window\nexport {}\n"
    ),
    "local.ts": "export interface Local { own: number }\nexport function f(l: Local) { return l.own }\n",
    "lib.d.ts": "interface Array<T> { last(): T }\n",
}


@pytest.fixture(scope="module")
def augmented(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("augmented"), AUGMENTED))


@pytest.mark.parametrize(
    ("symbol", "reason"),
    [
        ("global.ts:2:13", "global.ts:2: it extends the Window of the language or its host"),
        ("global.ts:6:20", 'it extends a type of the module "vue"'),
        ("lib.d.ts:1:11", "it extends the Array of the language or its host"),
        ("adds.ts:2:13", 'it extends a type of the module "./local"'),
        ("local.ts:1:18", "adds.ts:2: a declaration there extends Local"),
    ],
)
def test_what_adds_to_a_type_of_others_keeps_its_name(augmented: Asking, symbol: str, reason: str) -> None:
    assert reason in augmented.error("rename_symbol", symbol=symbol, new_name="Other")


def test_a_rename_warns_of_what_is_declared_for_all_files(augmented: Asking) -> None:
    text = augmented("rename_symbol", symbol="global.ts:3:13", new_name="Common")
    assert "decide: it is declared for all files, and a library may declare it too: global.ts:3" in text


def test_what_a_declaration_adds_to_a_type_from_outside_is_found_of_such_an_object(augmented: Asking) -> None:
    assert "account: exact 1, likely 1\n" in augmented("find_references", symbol="global.ts:2:22")
    assert "global.ts:2" in augmented("go_to_definition", symbol="adds.ts:4:8")
    assert "account: exact 1, undecided 1\n" in augmented("find_references", symbol="global.ts:2:13")
    assert "account: exact 3\n" in augmented("find_references", symbol="local.ts:1:18")


APART = {
    "a.test.ts": (
        "it('one', () => {\n  class User { name: string }\n  function make() { return new User() }\n"
        "  make().name\n})\n"
        "it('two', async function () {\n  class User { name: string; id: number }\n"
        "  function make() { return new User() }\n"
        "  make().name\n})\n"
        "class User { top = 1 }\nnew User().top\n"
    )
}


def test_classes_of_one_name_in_functions_without_name_are_apart(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, APART))
    assert "Field in a.test.ts:2" in ask("go_to_definition", symbol="a.test.ts:4:10")
    assert "Field in a.test.ts:7" in ask("go_to_definition", symbol="a.test.ts:9:10")
    for line, uses in ((2, 2), (7, 2), (11, 2)):
        assert f"account: exact {uses}, another symbol 4\n" in ask("find_references", symbol=f"a.test.ts:{line}")
    text = ask("rename_symbol", symbol="a.test.ts:7:9", new_name="Person")
    assert "2 edits in 1 file" in text
    assert "+  class Person { name: string; id: number }" in text
    assert "-  class User { name: string }" not in text
    assert "a.test.ts:8 make" in ask("call_hierarchy", symbol="a.test.ts:7:9")
    assert "(in make)" in ask("find_references", symbol="a.test.ts:7:9")


OUTSIDE = {
    "a.js": (
        "'a'.repeat(3).trim()\nconst parts = `a b`.split(' ')\nparts.foo()\nnew URL(import.meta.url).port\n"
        "String.prototype.shout = function () {}\n'a'.shout()\n"
        "function f(given) { given.fetchAll() }\nfunction g(given) { given.kept() }\nconst o = { kept: 1 }\n"
        "let later = ''\nlater = f()\nlater.trim()\nexport const port = 1, trim = 2\n"
    ),
}


@pytest.mark.parametrize("symbol", ["a.js:1:15", "a.js:3:7", "a.js:4:26", "a.js:7:27"])
def test_members_of_strings_and_members_that_nothing_declares_are_from_outside(
    tmp_path: Path, opened: Open, symbol: str
) -> None:
    ask = opened(write(tmp_path, OUTSIDE))
    assert "comes from outside of the code base" in ask.error("go_to_definition", symbol=symbol)


@pytest.mark.parametrize("symbol", ["a.js:6:5", "a.js:12:7"])
def test_a_member_that_something_may_declare_is_undecided(tmp_path: Path, opened: Open, symbol: str) -> None:
    ask = opened(write(tmp_path, OUTSIDE))
    assert "the definition was not found" in ask("go_to_definition", symbol=symbol)
    assert "its definition was not found" in ask.error("go_to_definition", symbol="a.js:8:27")


SCRIPT = {
    "a.js": (
        "function Err(message, code) {\n  this.message = message\n  code && (this.code = code)\n}\n"
        "new Err('a', 1).code\n"
        "const Kinds = Object.freeze({ First: 1 })\nKinds.First\n"
        "/**\n * @param {{from: string}} options\n */\nfunction parse(options) {}\nparse({ from: 'x' })\n"
        "/**\n * @param {object} options\n */\nfunction open(options) {}\nopen({ from: 'x' })\n"
    ),
    "b.ts": (
        "export interface Type<T> { new (...given: unknown[]): T }\n"
        "export function create<T>(type: Type<T>): T { return new type() }\n"
        "class Service { run() {} }\ncreate(Service).run()\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        ("a.js:5:17", "Attribute in a.js:3:17"),
        ("a.js:7:7", "Attribute in a.js:6:31"),
        ("a.js:17:8", "Key in a.js:17:8"),
        ("b.ts:4:17", "Method in b.ts:3"),
    ],
)
def test_members_of_objects_are_found(tmp_path: Path, opened: Open, symbol: str, where: str) -> None:
    ask = opened(write(tmp_path, SCRIPT))
    assert where in ask("go_to_definition", symbol=symbol)


def test_a_key_is_undecided_where_a_comment_says_the_type_of_the_parameter(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SCRIPT))
    assert "is a member here that" in ask.error("go_to_definition", symbol="a.js:12:9")


def test_what_a_function_takes_may_be_no_object(tmp_path: Path, opened: Open) -> None:
    code = (
        "export function pick<T>(given: { inner: T }): T { return given.inner }\n"
        "class Part { run() {} }\nconst part = new Part()\npick('a').run()\npick([part]).run()\n"
        "pick({ inner: part }).run()\n"
    )
    ask = opened(write(tmp_path, {"a.ts": code}))
    assert "Method in a.ts:2" in ask("go_to_definition", symbol="a.ts:6:24")
    assert "account: exact 2, likely 2\n" in ask("find_references", symbol="a.ts:2:14")


ALIASES = {
    "a.ts": (
        "import http, { request } from 'node:http'\nimport * as path from 'node:path'\nimport lib from './lib'\n"
        "export function f(path: string) { return http.get(path, { http }) }\n"
        "const type: http.Agent = path.join('a')\nexport { path as joined, http }\nlib.a\n"
    ),
    "lib.ts": "export default { a: 1 }\n",
    "b.js": "const fs = require('fs')\nfs.readFile('a', () => ({ fs }))\n",
}


@pytest.fixture(scope="module")
def aliases(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("aliases"), ALIASES))


def test_a_name_that_an_import_gives_a_module_is_renamed_in_its_file(aliases: Asking) -> None:
    text = aliases("rename_symbol", symbol="a.ts:2:13", new_name="paths")
    assert "3 edits in 1 file" in text
    assert "+import * as paths from 'node:path'" in text
    assert "+export { paths as joined, http }" in text
    assert "+lib.a" not in text
    assert "+module.a" in aliases("rename_symbol", symbol="a.ts:7:1", new_name="module")
    assert "+files.readFile('a', () => ({ fs: files }))" in aliases(
        "rename_symbol", symbol="b.js:1:7", new_name="files"
    )


@pytest.mark.parametrize(
    ("symbol", "new", "reason"),
    [
        ("a.ts:1:8", "web", "a.ts:1: the file exports it by that name"),
        ("a.ts:3:8", "request", "a.ts:1: request is bound there"),
        ("a.ts:1:16", "ask", "comes from outside of the code base"),
    ],
)
def test_a_name_of_an_import_that_others_see_is_kept(aliases: Asking, symbol: str, new: str, reason: str) -> None:
    assert reason in aliases.error("rename_symbol", symbol=symbol, new_name=new)


def test_what_a_promise_has_is_no_member_of_what_it_promises(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Res { body: string }\nasync function load(): Promise<Res> { return new Res() }\n"
        "load().then((r) => r.body).catch(() => {})\nexport const own = { then: 1, catch: 2 }\n"
    )
    ask = opened(write(tmp_path, {"a.ts": code}))
    for symbol in ("a.ts:3:8", "a.ts:3:28"):
        assert "comes from outside of the code base" in ask.error("go_to_definition", symbol=symbol)
    assert "Field in a.ts:1" in ask("go_to_definition", symbol="a.ts:3:22")


def test_what_typeof_tells_holds_where_it_is_tested(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Res { body: string; trim() {} }\nexport function f(x: Res | string) {\n"
        "  if (typeof x === 'string') { x.trim() } else x.trim()\n}\n"
    )
    ask = opened(write(tmp_path, {"a.ts": code}))
    assert "comes from outside of the code base" in ask.error("go_to_definition", symbol="a.ts:3:34")
    assert "Method in a.ts:1" in ask("go_to_definition", symbol="a.ts:3:50")


DESCRIPTORS = {
    "a.js": (
        "class Part {}\n"
        "Object.defineProperties(Part.prototype, {\n  size: { enumerable: true, value: 1 },\n"
        "  [Symbol.toStringTag]: { value: 'Part' },\n})\n"
        "Object.create(Part, { width: { get: function () {} } })\n"
    ),
}


@pytest.mark.parametrize("key", ["a.js:3:11", "a.js:3:29", "a.js:4:27", "a.js:6:32"])
def test_keys_of_property_descriptors_are_those_of_the_language(tmp_path: Path, opened: Open, key: str) -> None:
    assert "comes from outside" in opened(write(tmp_path, DESCRIPTORS)).error("go_to_definition", symbol=key)


def test_the_name_that_a_descriptor_is_for_is_declared_by_its_key(tmp_path: Path, opened: Open) -> None:
    assert "Key in a.js:3:3" in opened(write(tmp_path, DESCRIPTORS))("go_to_definition", symbol="a.js:3:3")


VECTORS = {
    "vec.ts": "export class Vec {\n  length(): number { return 1; }\n}\n",
    "extra.ts": 'import { Vec } from "./vec";\ndeclare module "./vec" {\n  interface Vec {\n    scale(): Vec;\n  }\n}\n'
    "Vec.prototype.scale = function () { return this; };\n",
    "use.ts": 'import { Vec } from "./vec";\nimport "./extra";\nnew Vec().scale();\n',
}


def test_a_member_that_is_declared_for_a_type_may_be_the_one_that_its_prototype_is_given(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, VECTORS))
    declared = ask("find_references", symbol="extra.ts:4:5")
    assert "undecided: extra.ts\n7: Vec.prototype.scale" in declared
    assert "undecided: extra.ts\n4: scale(): Vec;" in ask("find_references", symbol="extra.ts:7:15")


def test_members_that_another_module_declares_for_a_type_are_listed_with_its_own(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, VECTORS))("type_members", symbol="vec.Vec")
    assert "4 scale" in shown
    assert "2 length" in shown
