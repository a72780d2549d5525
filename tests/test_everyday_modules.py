"""Names of everyday code that modules give away and take: objects that they export, and modules from outside."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

FROM_OUTSIDE = {
    "blog/__init__.py": "",
    "blog/models.py": "from django.db import models\n\n\nclass Post(models.Model):\n    pass\n",
    "blog/views.py": "from django.db import models as dm\nfrom . import models\nfrom .models import Post\n",
}


def test_a_name_taken_from_a_module_outside_is_no_module_of_the_tree(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, FROM_OUTSIDE))
    for place in ("blog/models.py:1:23", "blog/views.py:1:23"):
        assert "'models' comes from outside" in ask.error("go_to_definition", symbol=place)
    assert "Module in blog/models.py" in ask("go_to_definition", symbol="blog/views.py:2:15")


EXPORTED_OBJECT = {
    "db.js": (
        "const users = new Map();\n\nclass Users {\n  find(id) {\n    return users.get(id);\n  }\n}\n\n"
        "module.exports = {\n  users: new Users(),\n  Users,\n};\n"
    ),
    "main.js": (
        'const { users } = require("./db");\nconst db = require("./db");\n\nusers.find(1);\ndb.users.find(2);\n'
        "new db.Users().find(3);\n"
    ),
}


def test_a_member_of_the_exported_object_hides_a_variable_of_the_module(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, EXPORTED_OBJECT))
    assert "exact 4" in ask("find_references", symbol="db.js:4:3")
    assert "db.js:10:3" in ask("go_to_definition", symbol="main.js:5:4")
    assert "main.js" not in ask("find_references", symbol="db.js:1:7")
    assert "exact 4" in ask("find_references", symbol="db.js:10:3")
    assert "+db.people.find(2);" in ask("rename_symbol", symbol="db.js:10:3", new_name="people")
    assert "exact 4" in ask("find_references", symbol="db.js:3:7")


SCHEMAS = {
    "schema.ts": (
        'import { z } from "zod";\n\nexport const User = z.object({ name: z.string() });\n'
        "export type User = z.infer<typeof User>;\nexport const Admin = User.extend({ level: z.number() });\n"
        "export type Admin = z.infer<typeof Admin>;\n"
    ),
    "use.ts": (
        'import { Admin, User } from "./schema";\n\nexport function show(user: User, admin: Admin) {\n'
        '  console.log(user.name, admin.level, User.shape.name);\n}\nexport const one: User = { name: "x" };\n'
    ),
}


def test_a_type_that_something_outside_makes_of_a_variable_may_have_its_members(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SCHEMAS))
    assert "undecided 3" in ask("find_references", symbol="schema.ts:3:32")
    assert "its definition was not found" in ask.error("go_to_definition", symbol="use.ts:6:28")
    assert "undecided 1" in ask("find_references", symbol="schema.ts:5:36")
    assert "comes from outside" not in ask.response("go_to_definition", symbol="use.ts:4:32").text


SPACES = {
    "a.ts": (
        'export const Status = { open: "o", closed: "c" } as const;\n'
        "export type Status = (typeof Status)[keyof typeof Status];\n"
        'export const User = { empty: { name: "" } };\nexport type User = { name: string; age: number };\n'
    ),
    "b.ts": (
        'import { Status, User } from "./a";\n\nexport function show(user: User, status: Status) {\n'
        "  return user.name + user.age + User.empty.name + Status.open + status.length;\n}\n"
    ),
}


def test_a_variable_and_a_type_of_one_name_have_their_own_members(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SPACES))
    shown = ask("find_references", symbol="a.ts:4:22")
    assert "exact 2" in shown
    assert "undecided" not in shown
    assert "exact 2" in ask("find_references", symbol="a.ts:4:36")
    assert "exact 2" in ask("find_references", symbol="a.ts:3:23")
    assert "exact 2" in ask("find_references", symbol="a.ts:1:25")


ITERATED = {
    "cart.ts": (
        "export interface Line {\n  name: string;\n}\n\nexport class Cart {\n  lines: Line[] = [];\n"
        "  *[Symbol.iterator](): Iterator<Line> {\n    yield* this.lines;\n  }\n}\n\n"
        "export class Feed {\n  async *[Symbol.asyncIterator](): AsyncIterator<Line> {\n"
        '    yield { name: "" };\n  }\n}\n\n'
        "export class Counter {\n  [Symbol.iterator]() {\n    return this;\n  }\n}\n"
    ),
    "use.ts": (
        'import { Cart, Counter, Feed } from "./cart";\n\nexport async function show(cart: Cart, feed: Feed) {\n'
        "  for (const { name } of cart) console.log(name);\n"
        "  for await (const one of feed) console.log(one.name);\n"
        "  for (const one of new Counter()) console.log(one.name);\n}\n"
    ),
}


def test_a_loop_takes_what_the_iterator_of_an_object_gives(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ITERATED))
    assert "exact 4, likely 1" in ask("find_references", symbol="Line.name")
    assert "exact 2" in ask("find_references", symbol="Cart.lines")


CONTEXTUAL = {
    "actions.ts": (
        'export type Action = { type: "load"; id: number } | { type: "fail"; error: Error };\n\n'
        "export const actions = {\n"
        '  load: (id: number) => ({ type: "load", id }) as const,\n'
        '  fail(error: Error) {\n    return { type: "fail", error } as const;\n  },\n'
        "} satisfies Record<string, (...args: never[]) => Action>;\n\n"
        "export const plain = {\n  fail(error: Error) {\n    return { error };\n  },\n};\n"
        "export const handled = plain.fail(new Error()).error;\n"
    ),
}


def test_what_functions_of_an_object_return_has_the_type_that_it_satisfies(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CONTEXTUAL))
    for column in (38, 69):  # `id` and `error` of the union
        assert "exact 2" in ask("find_references", symbol=f"actions.ts:1:{column}")
    assert '+    return { type: "fail", reason: error } as const;' in ask(
        "rename_symbol", symbol="actions.ts:1:69", new_name="reason"
    )
    assert "exact 3" in ask("find_references", symbol="actions.ts:12:14")


KEYWORDS = {
    "model.ts": (
        "export interface Range {\n  type: string;\n  from: number;\n  of: string;\n  is: boolean;\n}\n\n"
        "export class Store {\n  #size = 0;\n  get size() {\n    return this.#size;\n  }\n}\n"
    ),
    "use.ts": (
        'import { type Range, Store } from "./model";\nimport type { Range as R } from "./model";\n\n'
        "type Pair = [R, Range];\n\nexport function isPair(value: unknown): value is Pair {\n  return !!value;\n}\n\n"
        "export function show(type: string, ranges: Range[]) {\n"
        "  for (const range of ranges) console.log(range.type, range.from, range.of, range.is, type);\n"
        "  return new Store().size;\n}\n"
    ),
}


def test_words_that_are_keywords_by_their_place_are_no_uses_of_members(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, KEYWORDS))
    for place in ("model.ts:2:3", "model.ts:3:3", "model.ts:4:3", "model.ts:5:3", "model.ts:10:7"):
        shown = ask("find_references", symbol=place)
        assert "2 references in 2 files, complete" in shown
    assert "2 references, complete" in ask("find_references", symbol="use.ts:10:22")
