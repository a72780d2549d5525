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
        "  console.log(user.name, admin.level, User.shape.name);\n}\n"
    ),
}


def test_a_type_that_something_outside_makes_of_a_variable_may_have_its_members(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SCHEMAS))
    assert "undecided 2" in ask("find_references", symbol="schema.ts:3:32")
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
