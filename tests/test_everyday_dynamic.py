"""Everyday code of Python, TypeScript and JavaScript: what is given, called back, declared elsewhere."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

PLUGINS = {
    "base.py": (
        "class Plugin:\n    def __init_subclass__(cls, *, scheme: str, **rest: object) -> None:\n"
        "        cls.key = scheme\n\n\nclass Quiet(Plugin, scheme='quiet'):\n"
        "    def __init_subclass__(cls, *, level: int = 0) -> None:\n        super().__init_subclass__(scheme='x')\n"
        "        cls.level = level\n"
    ),
    "mail.py": (
        "from base import Plugin, Quiet\n\n\nclass Mail(Plugin, scheme='mailto'):\n    pass\n\n\n"
        "class Queue(Mail, scheme='queue'):\n    pass\n\n\nclass Silent(Quiet, level=2):\n    pass\n"
    ),
}


def test_the_head_of_a_class_names_parameters_of_what_initializes_its_subclasses(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PLUGINS))
    shown = ask("find_references", symbol="base.py:2:35")
    assert "exact 6" in shown
    assert "complete" in shown
    for line in (
        "6: class Quiet(Plugin, scheme='quiet'):",
        "4: class Mail(Plugin, scheme='mailto'):",
        "8: class Queue(Mail, scheme='queue'):",
    ):
        assert line in shown
    assert "base.py:2:35" in ask("go_to_definition", symbol="mail.py:8:19")
    assert "base.py:7:35" in ask("go_to_definition", symbol="mail.py:12:21")
    renamed = ask("rename_symbol", symbol="base.py:7:35", new_name="depth")
    assert "+class Silent(Quiet, depth=2):" in renamed


SPRITES = {
    "sprite.js": (
        "export class Sprite {\n  speed = 1;\n  static count = 0;\n  update() {\n    return this.speed;\n  }\n}\n"
    ),
    "ball.js": (
        'import { Sprite } from "./sprite.js";\n\nexport class Ball extends Sprite {\n  update() {\n'
        "    this.speed = this.speed + 1;\n    this.count = 2;\n  }\n  bounce() {\n    this.speed = -this.speed;\n"
        "    return this.count;\n  }\n}\n"
    ),
}


def test_a_value_that_a_method_gives_its_object_declares_no_member_that_objects_inherit(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, SPRITES))
    for place in ("sprite.js:2:3", "ball.js:5:10", "ball.js:9:10"):
        shown = ask("find_references", symbol=place)
        assert "sprite.Sprite.speed" in shown
        assert "exact 6" in shown
    for place in ("ball.js:6:10", "ball.js:10:17"):  # a member of the class itself is another
        shown = ask("find_references", symbol=place)
        assert "ball.Ball.count" in shown
        assert "exact 2" in shown


REQUESTS = {
    "types.d.ts": (
        "export {};\ndeclare global {\n  namespace Express {\n    interface Request {\n      tenant: string;\n    }\n"
        "  }\n}\n"
    ),
    "use.ts": (
        'import type { Request } from "express";\n\nexport function name(req: Request): string {\n'
        "  return req.tenant + req.path;\n}\n"
    ),
}


def test_what_a_namespace_of_all_files_declares_may_be_a_member_of_a_type_from_outside(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, REQUESTS))
    shown = ask("go_to_definition", symbol="use.ts:4:14")
    assert "comes from outside" not in shown
    assert "5 Express.Request: tenant: string" in shown
    assert "comes from outside" in ask.response("go_to_definition", symbol="use.ts:4:27").text
