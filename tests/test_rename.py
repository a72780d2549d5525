"""A rename changes what is surely meant, names what is not, and refuses what would break."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from conftest import Asking, Open, late_facts, write
from expectations import FIXTURES
from leadline_server.call import Request
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages import LANGUAGES
from leadline_tools.resolve.rename.renaming import SECONDS
from test_edits import FailsAt

Start = Callable[..., Asking]

SHOP = {
    "shop/__init__.py": 'from shop.models import Basket\n\n__all__ = ["Basket"]\n',
    "shop/models.py": (
        "class Basket:\n"
        '    """A Basket of things."""\n\n'
        "    def add(self, thing):\n"
        "        total = thing\n"
        "        return total\n\n\n"
        "class Large(Basket):\n"
        "    def add(self, thing):\n"
        "        return super().add(thing)\n\n"
        "    def weigh(self):\n"
        "        return self.add(1)\n\n\n"
        "def fill(basket: Basket):\n"
        "    basket.add(2)\n"
        "    return basket\n"
    ),
    "app.py": (
        "import shop\nfrom shop.models import Basket as Bag, fill\n\n\n"
        "def run(unknown):\n"
        "    fill(Bag())\n"
        "    unknown.add(3)\n"
        "    return shop.Basket\n"
    ),
    "README.md": "# Shop\n\nA Basket has `Basket.add`.\n",
}


@pytest.fixture
def start(tmp_path: Path, opened: Open) -> Start:
    """Open a session that may write on a tree of some files."""

    def begin(files: Mapping[str, str] = SHOP, **options: object) -> Asking:
        root = write(tmp_path / "root", dict(files))
        return opened(root, cache=tmp_path / "cache", **{"allow_edits": True, **options})

    return begin


def text_of(asking: Asking, path: str) -> str:
    return (asking.session.index.root / path).read_text(encoding="utf-8")


def files_of(asking: Asking) -> dict[str, bytes]:
    root = asking.session.index.root
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def uri_in(answer: str) -> str:
    found = re.search(r"^all: (\S+)$", answer, re.MULTILINE)
    assert found is not None, answer
    return found[1]


# What takes long


def test_a_rename_waits_for_a_large_file_as_long_as_it_has_time(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    gather, patience = RootWorkers.gather, list[float]()

    def noted(
        workers: RootWorkers, operation: Operation, paths: Iterable[str], argument: str, until: float
    ) -> Mapping[str, Reply]:
        patience.extend([until - time.monotonic()] if operation is Operation.Facts else [])
        return gather(workers, operation, paths, argument, until)

    shop = start()
    monkeypatch.setattr(RootWorkers, "gather", noted)
    assert "5 edits in 1 file" in shop("rename_symbol", symbol="Basket.add", new_name="put")
    assert min(patience) > SECONDS / 2


# What is shown


def test_strings_that_begin_with_the_name_or_hold_it_in_full_are_told_before_other_mentions(start: Start) -> None:
    patched = (
        "from mock import patch\n\nprint('to fill it')\npatch('shop.models.fill')\npatch.object(x, 'fill')\n"
        "assert repr(y) == '<fill 1>'\nprint('filled', 'fill_all')\n"
    )
    answer = start({**SHOP, "a_test.py": patched})("rename_symbol", symbol="fill", new_name="load")
    told = "decide: strings that begin with its name or contain its full name, not changed"
    assert f"{told}: a_test.py:4, a_test.py:5, a_test.py:6\n" in answer
    assert answer.index("6: assert repr") < answer.index("3: print('to fill it')")


def test_a_preview_is_a_diff_by_file_with_what_is_left_to_decide_apart(start: Start) -> None:
    shop = start()
    before = files_of(shop)
    answer = shop("rename_symbol", symbol="Basket.add", new_name="put")
    assert "preview of shop.models.Basket.add to put" in answer
    assert "4 edits in 1 file; nothing is written yet: apply=true writes it" not in answer
    assert "5 edits in 1 file; nothing is written yet: apply=true writes it" in answer
    assert "-    def add(self, thing):\n+    def put(self, thing):" in answer
    assert "renamed together, since a call may mean any of them: Large.add shop/models.py:10" in answer
    assert "undecided, not changed: app.py\n7: unknown.add(3)  [name]" in answer
    assert "mentioned, not changed: README.md\n3: A Basket has `Basket.add`." in answer
    assert "apply=true) ~" in answer
    assert files_of(shop) == before


def test_a_name_that_is_exported_is_renamed_in_the_list_of_exports_and_an_alias_stays(start: Start) -> None:
    shop = start()
    shop("rename_symbol", symbol="shop.models.Basket", new_name="Cart", apply=True)
    assert text_of(shop, "shop/__init__.py") == 'from shop.models import Cart\n\n__all__ = ["Cart"]\n'
    assert "from shop.models import Cart as Bag, fill" in text_of(shop, "app.py")
    assert "    fill(Bag())\n" in text_of(shop, "app.py")
    assert "    return shop.Cart\n" in text_of(shop, "app.py")
    assert "def fill(basket: Cart):" in text_of(shop, "shop/models.py")
    assert '"""A Basket of things."""' in text_of(shop, "shop/models.py")


def test_the_whole_diff_is_under_its_uri_where_the_budget_cuts_it(start: Start) -> None:
    files = {f"use_{i}.py": f"from core import widget\n\n\ndef use():\n    return widget({i})\n" for i in range(30)}
    many = start({"core.py": "def widget(number):\n    return number\n", **files})
    answer = many("rename_symbol", symbol="core.widget", new_name="gadget", max_tokens=300)
    assert "61 edits in 31 files" in answer
    everything = json.loads(many.session.read_all(uri_in(answer), 0))
    assert everything["total"] == 61
    first = everything["items"][0]
    assert first == {
        "path": "core.py",
        "start_line": 1,
        "old": "def widget(number):\n",
        "new": "def gadget(number):\n",
    }


def test_what_is_left_to_decide_is_told_apart_in_json(start: Start) -> None:
    response = start().session.call(
        Request("rename_symbol", {"symbol": "Basket.add", "new_name": "put", "max_tokens": 9_000}, as_json=True)
    )
    items = json.loads(response.text)["items"]
    assert {item["path"] for item in items if item.get("undecided")} == {"app.py"}
    assert {item["mentioned_in"] for item in items if "mentioned_in" in item} == {"text"}


def test_several_symbols_of_a_name_are_candidates_and_nothing_is_written(start: Start) -> None:
    shop = start()
    before = files_of(shop)
    answer = shop("rename_symbol", symbol="add", new_name="put", apply=True)
    assert 'call rename_symbol(symbol="PATH:LINE")' in answer
    assert files_of(shop) == before


def test_how_an_edit_is_taken_back_is_what_its_answer_offers_first(start: Start) -> None:
    answer = start()("rename_symbol", symbol="Basket.add", new_name="put", apply=True)
    offered = [line for line in answer.splitlines() if line.startswith("next: ")]
    assert offered[0].startswith('next: rename_symbol(undo="leadline://result/')


# What is refused


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"symbol": "Basket.add"}, "both are required"),
        ({"symbol": "", "new_name": "x"}, "both are required"),
        ({"symbol": "Basket.add", "new_name": "class"}, "'class' is a keyword of python"),
        ({"symbol": "Basket.add", "new_name": "two words"}, "is not a name in python"),
        ({"symbol": "Basket.add", "new_name": "1st"}, "is not a name in python"),
        ({"symbol": "Basket.add", "new_name": "add"}, "already called add"),
        ({"symbol": "Basket.add", "new_name": "weigh"}, "Large.weigh is a member of the same family of types"),
        ({"symbol": "shop.models.fill", "new_name": "Large"}, "Large is defined there"),
        ({"symbol": "shop.models.Basket", "new_name": "fill"}, "fill is defined there"),
        ({"symbol": "shop.models.fill", "new_name": "shop"}, "app.py:1: shop is bound there"),
        ({"symbol": "shop.models.fill", "new_name": "run"}, "app.py:5: run is bound there"),
        ({"symbol": "shop.models.fill", "new_name": "__fill"}, "a meaning of its own"),
        ({"symbol": "nowhere", "new_name": "x"}, "There is no symbol 'nowhere'"),
        ({"symbol": "README.md:1", "new_name": "x"}, "No symbol is defined"),
    ],
)
def test_what_cannot_be_renamed_says_why_and_changes_nothing(
    start: Start, arguments: dict[str, object], says: str
) -> None:
    shop = start()
    before = files_of(shop)
    answer = shop.error("rename_symbol", apply=True, **arguments)
    assert says in answer
    assert files_of(shop) == before


CAPTURED = {
    "captures.py": "def size():\n    return 1\n\n\ndef use(values):\n    return len(values) + size()\n",
    "captured.py": "def size():\n    return 1\n\n\ndef use(width):\n    return width + size()\n",
    "python.py": "class Held:\n    def __enter__(self):\n        return self\n",
}


@pytest.mark.parametrize(
    ("symbol", "new", "says"),
    [
        ("captures.size", "len", "len is used there, and would mean what is called size now"),
        ("captured.size", "width", "width is bound there, and is visible where size is used"),
        ("Held.__enter__", "enter", "Python itself looks for __enter__"),
    ],
)
def test_a_name_that_would_change_what_another_means_is_refused(start: Start, symbol: str, new: str, says: str) -> None:
    assert says in start(CAPTURED).error("rename_symbol", symbol=symbol, new_name=new)


NAMESPACES = {
    "Box.java": (
        "class Box {\n"
        "    int width;\n"
        "    int height() { return width; }\n"
        "    int both(int other) { int local = width; return height() + other + local; }\n"
        "}\n"
    ),
    "Crate.java": "class Crate extends Box {\n    int depth;\n    int area() { return depth + height(); }\n}\n",
    "Pair.java": "record Pair(int first) {\n    int second() { return first(); }\n}\n",
    "box.php": (
        "<?php\nclass Box {\n    public $width = 1;\n    const SIZE = 2;\n"
        "    function height() { return $this->width; }\n}\n"
    ),
    "box.rs": (
        "struct Box {\n    width: u32,\n}\n\nimpl Box {\n    fn height(&self) -> u32 {\n        self.width\n    }\n}\n"
    ),
    "box.ts": "class Box {\n    width = 1;\n    height() { return this.width; }\n}\n",
}


@pytest.mark.parametrize(
    ("symbol", "new", "path", "line"),
    [
        ("Box.java:2:9", "height", "Box.java", "    int height() { return height; }"),
        ("Box.java:3:9", "width", "Box.java", "    int width() { return width; }"),
        ("Box.java:3:9", "depth", "Crate.java", "    int area() { return depth + depth(); }"),
        ("Box.java:2:9", "area", "Box.java", "    int height() { return area; }"),
        ("Crate.java:2:9", "height", "Crate.java", "    int area() { return height + height(); }"),
        ("Box.java:4:18", "height", "Box.java", "local = width; return height() + height + local; }"),
        ("Box.java:3:9", "local", "Box.java", "local = width; return local() + other + local; }"),
        ("box.php:3:13", "height", "box.php", "    function height() { return $this->height; }"),
        ("box.rs:2:5", "height", "box.rs", "        self.height"),
    ],
)
def test_a_field_and_a_method_may_have_one_name_where_the_language_tells_them_apart(
    start: Start, symbol: str, new: str, path: str, line: str
) -> None:
    asking = start(NAMESPACES)
    asking("rename_symbol", symbol=symbol, new_name=new, apply=True)
    assert line in text_of(asking, path)


@pytest.mark.parametrize(
    ("symbol", "new"),
    [
        ("Pair.java:2:9", "first"),
        ("Pair.java:1:17", "second"),
        ("Box.java:4:18", "local"),
        ("Box.java:4:31", "width"),
        ("Box.java:4:9", "height"),
        ("Crate.java:3:9", "height"),
        ("Crate.java:2:9", "width"),
        ("box.ts:2:5", "height"),
    ],
)
def test_a_name_that_the_same_namespace_has_is_refused(start: Start, symbol: str, new: str) -> None:
    asking = start(NAMESPACES)
    before = files_of(asking)
    asking.error("rename_symbol", symbol=symbol, new_name=new, apply=True)
    assert files_of(asking) == before


SHAPES = {
    "a.ts": (
        "export interface Clock {\n  begin(at: number): void;\n}\n"
        "export function delegates() {\n  const timeout = {\n    begin: (at: number) => {},\n  };\n"
        "  return { timeout };\n}\n"
        "function begin() {}\n"
    ),
    "b.ts": (
        'import { delegates, Clock } from "./a";\nconst clock: { held?: Clock } = {};\n'
        "clock.held = delegates().timeout;\n"
    ),
}


@pytest.mark.parametrize(("symbol", "kept"), [("a.ts:2:3", "a.ts:6"), ("a.ts:6:5", "a.ts:2")])
def test_a_member_that_another_type_may_want_is_left_to_decide_where_types_are_compared_by_their_members(
    start: Start, symbol: str, kept: str
) -> None:
    answer = start(SHAPES)("rename_symbol", symbol=symbol, new_name="start")
    assert f"decide: types are compared by their members, and other types keep one of the old name: {kept}\n" in answer


LIKE_FUNCTIONS = {
    "a.ts": (
        "export interface Operator {\n  call(source: number): void;\n  begin?(): void;\n}\n"
        "export type Named = {\n  name: string;\n};\n"
        "export interface Task {\n  call(): void;\n  end(): void;\n}\n"
        "export function lift(operator: Operator | Named | Task) {}\nlift(function () {});\n"
    )
}


@pytest.mark.parametrize(("symbol", "place"), [("a.ts:2:3", "a.ts:2"), ("a.ts:6:3", "a.ts:6")])
def test_a_member_of_a_type_that_every_function_fits_is_left_to_decide(start: Start, symbol: str, place: str) -> None:
    answer = start(LIKE_FUNCTIONS)("rename_symbol", symbol=symbol, new_name="start")
    told = "decide: every function has a member of the old name, and may be passed where this is expected"
    assert f"{told}: {place}\n" in answer


@pytest.mark.parametrize("symbol", ["a.ts:3:3", "a.ts:9:3"])
def test_a_member_of_a_type_that_no_function_fits_says_nothing_of_functions(start: Start, symbol: str) -> None:
    assert "every function" not in start(LIKE_FUNCTIONS)("rename_symbol", symbol=symbol, new_name="start")


def test_a_definition_that_stands_in_for_an_import_is_refused(start: Start) -> None:
    code = "try:\n    from fast import load\nexcept ImportError:\n\n    def load():\n        return 1\n\n\nload()\n"
    answer = start({"a.py": code}).error("rename_symbol", symbol="a.py:5:9", new_name="read")
    assert "a.py:2: load is imported there too, and a use may mean either" in answer


def test_while_a_file_that_holds_the_name_is_not_looked_into_nothing_is_renamed_and_later_it_is(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, fetch = start(), FileFacts.fetch
    late_facts(monkeypatch, lambda path: path == "shop/models.py")
    refused = shop.error("rename_symbol", symbol="Large.weigh", new_name="heft", apply=True)
    assert "1 file with the name not examined in time, ask again" in refused
    monkeypatch.setattr(FileFacts, "fetch", fetch)
    shop("rename_symbol", symbol="Large.weigh", new_name="heft", apply=True)
    assert "def heft(self):" in text_of(shop, "shop/models.py")


def test_a_use_that_may_mean_something_else_as_well_is_refused(start: Start) -> None:
    answer = start(
        {
            "a.py": (
                "class One:\n    def go(self): ...\n\n\nclass Two:\n    def go(self): ...\n\n\n"
                "def use(either: One | Two):\n    either.go()\n"
            )
        }
    ).error("rename_symbol", symbol="One.go", new_name="run")
    assert "a.py:10: it may mean Two.go of a.py as well" in answer


def test_a_use_that_may_mean_something_from_outside_as_well_is_left_to_decide(start: Start) -> None:
    code = (
        "from http.cookiejar import CookieJar\n\n\nclass Cookies:\n"
        "    def __init__(self, cookies: 'Cookies | CookieJar'):\n        self.jar = CookieJar()\n"
        "        if cookies:\n            self.jar = cookies\n\n"
        "    def clear(self):\n        self.jar.clear()\n\n\ndef use(all: Cookies):\n    all.clear()\n"
    )
    asking = start({"a.py": code})
    assert "decide: 1 use of the name" in asking("rename_symbol", symbol="Cookies.clear", new_name="wipe", apply=True)
    assert text_of(asking, "a.py") == code.replace("def clear", "def wipe").replace("all.clear", "all.wipe")


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("vendor/a.py", ""),
        ("a.py", "# Code generated by maker. DO NOT EDIT.\n"),
        ("a.py", "# Created by maker -defs - DO NOT EDIT\n"),
        ("a_pb2.py", ""),
    ],
)
def test_what_is_generated_or_copied_is_refused(start: Start, path: str, first: str) -> None:
    answer = start({path: f"{first}def size():\n    return 1\n"}).error("rename_symbol", symbol="size", new_name="x")
    assert "would be changed, and it is" in answer


def test_a_type_that_inherits_from_outside_is_a_question(start: Start) -> None:
    asking = start({"a.py": "import outside\n\n\nclass A(outside.Base):\n    def go(self):\n        return self.go\n"})
    assert "decide: its types inherit from outside of this code base (outside.Base)" in asking(
        "rename_symbol", symbol="A.go", new_name="run"
    )


# What may ask for a name at run time


def decisions(answer: str, about: str) -> list[str]:
    """Return what an answer leaves to decide about something."""
    return [line for line in answer.splitlines() if line.startswith(f"decide: {about}")]


@pytest.mark.parametrize(
    ("path", "code", "symbol", "told"),
    [
        ("a.py", "@register.tag(a=1)\n@cache\ndef lorem(): ...\n", "a.py:3", "register.tag a.py:1"),
        ("a.py", "@cache\n@property\ndef lorem(): ...\n", "a.py:3", ""),
        ("a.py", "@mark\ndef other(): ...\n\n\ndef lorem(): ...\n", "a.py:5", ""),
        ("a.ts", "class A {\n  @Input() lorem = 1;\n}\n", "A.lorem", "Input a.ts:2"),
        ("A.java", "class A {\n  @Deprecated void lorem() { }\n}\n", "A.lorem", ""),
    ],
)
def test_what_decorates_a_symbol_may_ask_for_its_name(
    start: Start, path: str, code: str, symbol: str, told: str
) -> None:
    answer = start({path: code})("rename_symbol", symbol=symbol, new_name="ipsum")
    expected = f"decide: its decorators may use its name: {told}"
    assert decisions(answer, "its decorators") == ([expected] if told else [])
    assert "1 edit in 1 file" in answer


LOOKED_UP = {
    "a variable": ("a.py", "class A:\n    def f(self, x): getattr(self, x)\n    def lorem(self): ...\n", "a.py:2"),
    "a name": ("a.py", "class A:\n    def f(self): getattr(self, 'name', 1)\n    def lorem(self): ...\n", ""),
    "its beginning": (
        "a.py",
        "class A:\n    def f(self, x): getattr(self, f'lo{x}')\n    def lorem(self): ...\n",
        "a.py:2",
    ),
    "another": ("a.py", "class A:\n    def f(self, x): getattr(self, 'do_' + x)\n    def lorem(self): ...\n", ""),
    "a base": (
        "a.py",
        "class B:\n    def f(self, x):\n        setattr(\n            self, x, 1)\n\n\n"
        "class A(B):\n    def lorem(self): ...\n",
        "a.py:3",
    ),
    "another object": ("a.py", "class A:\n    def f(self, x): getattr(x, x)\n    def lorem(self): ...\n", ""),
    "JavaScript": ("a.js", "class A {\n  f(x) { return this[x](); }\n  lorem() {}\n}\n", "a.js:2"),
    "TypeScript": ("a.ts", "class A {\n  f(x: string) { return this[`lo${x}`](); }\n  lorem() {}\n}\n", "a.ts:2"),
    "an index": ("a.js", "class A {\n  f(x) { return this[0] + this['b']; }\n  lorem() {}\n}\n", ""),
    "PHP": (
        "a.php",
        "<?php\nclass A {\n  function f($x) { $this->{'lo' . $x}(); }\n  function lorem() {}\n}\n",
        "a.php:3",
    ),
    "Ruby": ("a.rb", "class A\n  def f(x)\n    public_send(x)\n  end\n  def lorem\n  end\nend\n", "a.rb:3"),
    "a symbol": ("a.rb", "class A\n  def f(x)\n    send(:other, x)\n  end\n  def lorem\n  end\nend\n", ""),
}


@pytest.mark.parametrize("case", LOOKED_UP)
def test_a_member_that_may_be_looked_up_by_a_name_made_at_run_time_is_a_question(start: Start, case: str) -> None:
    path, code, told = LOOKED_UP[case]
    answer = start({path: code})("rename_symbol", symbol="A.lorem", new_name="ipsum")
    expected = f"decide: members are looked up there by names built at run time, which may be this one: {told}"
    assert decisions(answer, "members are looked up") == ([expected] if told else [])


# Shorthands


def test_of_a_key_that_is_a_value_at_once_only_one_is_renamed(start: Start) -> None:
    code = "export interface Point { x: number }\nexport function go({ x }: Point) {\n  return x;\n}\n"
    asking = start({"point.ts": code})
    asking("rename_symbol", symbol="Point.x", new_name="y", apply=True)
    assert text_of(asking, "point.ts") == code.replace("{ x:", "{ y:").replace("{ x }", "{ y: x }")


def test_a_key_and_a_value_that_become_equal_are_one_name_again(start: Start) -> None:
    code = "const size = 1;\nexport const all = { size, b: 2 };\nexport const { c: d = size } = all;\n"
    asking = start({"a.ts": code})
    asking("rename_symbol", symbol="size", new_name="width", apply=True)
    assert "{ size: width, b: 2 }" in text_of(asking, "a.ts")
    asking("rename_symbol", symbol="width", new_name="size", apply=True)
    assert text_of(asking, "a.ts") == code


def test_a_variable_in_an_object_keeps_its_key(start: Start) -> None:
    asking = start({"a.ts": "const size = 1;\nexport const all = { size, other: size };\n"})
    asking("rename_symbol", symbol="size", new_name="width", apply=True)
    assert text_of(asking, "a.ts") == "const width = 1;\nexport const all = { size: width, other: width };\n"


def test_a_getter_and_its_setter_are_renamed_together(start: Start) -> None:
    code = "class A {\n  get size() { return 1; }\n  set size(v) {}\n  go() { this.size = this.size; }\n}\n"
    asking = start({"a.ts": code})
    asking("rename_symbol", symbol="A.size", new_name="width", apply=True)
    assert text_of(asking, "a.ts") == code.replace("size", "width")


# What is written


def test_without_the_right_to_write_apply_says_how_it_is_given(start: Start) -> None:
    shop = start(allow_edits=False)
    before = files_of(shop)
    assert "starts the server with --allow-edits" in shop.error(
        "rename_symbol", symbol="Basket.add", new_name="put", apply=True
    )
    assert "this server was started without --allow-edits" in shop("rename_symbol", symbol="fill", new_name="load")
    assert files_of(shop) == before


def test_an_edit_is_taken_back_with_its_uri_once_and_only_if_it_is_allowed_to(start: Start) -> None:
    shop = start()
    before = files_of(shop)
    uri = uri_in(shop("rename_symbol", symbol="Basket.add", new_name="put", apply=True))
    after = files_of(shop)
    assert after != before
    assert "nothing is written yet" in shop("rename_symbol", undo=uri)
    assert files_of(shop) == after
    assert "written" in shop("rename_symbol", undo=uri, apply=True)
    assert files_of(shop) == before
    assert "applied already" in shop("rename_symbol", undo=uri, apply=True)
    assert files_of(shop) == before


def test_an_edit_is_taken_back_by_nobody_but_who_made_it(start: Start) -> None:
    asking = start({"a.py": "def old():\n    pass\n"})
    uri = uri_in(asking("rename_symbol", symbol="old", new_name="new", apply=True))
    request = Request("rename_symbol", {"undo": uri, "apply": True}, principal="somebody else")
    assert "error: " in asking.session.call(request).text
    assert text_of(asking, "a.py") == "def new():\n    pass\n"
    asking("rename_symbol", undo=uri, apply=True)
    assert text_of(asking, "a.py") == "def old():\n    pass\n"


def test_an_edit_is_not_taken_back_where_a_file_changed_since(start: Start) -> None:
    shop = start()
    uri = uri_in(shop("rename_symbol", symbol="Basket.add", new_name="put", apply=True))
    models = shop.session.index.root / "shop/models.py"
    models.write_text(models.read_text() + "\n# more\n")
    after = files_of(shop)
    assert "'shop/models.py' changed since that edit" in shop.error("rename_symbol", undo=uri, apply=True)
    assert files_of(shop) == after


@pytest.mark.parametrize("uri", ["leadline://result/unknown1", "", "../../etc/passwd", "leadline://result/%2e"])
def test_what_is_no_edit_is_not_undone(start: Start, uri: str) -> None:
    says = "No edit is stored" if uri else "both are required"
    assert says in start().error("rename_symbol", undo=uri, apply=True)


def test_a_file_that_changed_since_the_preview_is_looked_at_again_first(start: Start) -> None:
    shop = start()
    asked = {"symbol": "Basket.add", "new_name": "put"}
    shop("rename_symbol", **asked)
    models = shop.session.index.root / "shop/models.py"
    models.write_text("# mine\n" + models.read_text())
    before = files_of(shop)
    assert "'shop/models.py' changed since the preview" in shop.error("rename_symbol", **asked, apply=True)
    assert files_of(shop) == before
    shop("rename_symbol", **asked)
    assert "written" in shop("rename_symbol", **asked, apply=True)
    assert text_of(shop, "shop/models.py").startswith("# mine\n")


def test_the_same_call_again_says_that_it_was_done(start: Start) -> None:
    shop = start()
    asked = {"symbol": "Basket.add", "new_name": "put", "apply": True}
    uri = uri_in(shop("rename_symbol", **asked))
    after = files_of(shop)
    again = shop("rename_symbol", **asked)
    assert "applied already" in again
    assert uri_in(again) == uri
    assert files_of(shop) == after
    assert "5 edits in 1 file: written" in shop("rename_symbol", **asked, max_tokens=200) or "applied already" in again


def test_the_smallest_answer_says_whether_it_was_written_and_where(start: Start) -> None:
    shop = start()
    asked = {"symbol": "Basket.add", "new_name": "put", "max_tokens": 60}
    assert "preview" in shop("rename_symbol", **asked)
    applied = shop("rename_symbol", **asked, apply=True)
    assert "applied" in applied
    assert uri_in(applied)


def test_an_interrupted_edit_is_told_to_whoever_asks_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = start()
    before = files_of(shop)
    asked = {"symbol": "Basket.add", "new_name": "put", "apply": True}
    with monkeypatch.context() as full:
        full.setattr("os.replace", FailsAt(os.replace, 2))
        assert "not made: no space left" in shop.error("rename_symbol", **asked)
    assert files_of(shop) == before
    assert "an earlier attempt was interrupted: it changed nothing" in shop("rename_symbol", **asked)
    assert files_of(shop) != before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfdef old():\r\n    return old\r\n", b"\xef\xbb\xbfdef new():\r\n    return new\r\n"),
        (b"# caf\xe9\ndef old(): return 'caf\xe9', old\n", b"# caf\xe9\ndef new(): return 'caf\xe9', new\n"),
        ("s = '🙂'; old = s, '🙂', s\n".encode(), "s = '🙂'; new = s, '🙂', s\n".encode()),
    ],
    ids=["mark and CRLF", "latin-1", "characters of four bytes"],
)
def test_a_file_keeps_its_encoding_and_its_line_ends(tmp_path: Path, opened: Open, before: bytes, after: bytes) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_bytes(before)
    asking = opened(root, cache=tmp_path / "cache", allow_edits=True)
    asking("rename_symbol", symbol="old", new_name="new", apply=True)
    assert (root / "a.py").read_bytes() == after


# Every language

RESOLVED = sorted(name for name, language in LANGUAGES.items() if language.semantics is not None)

RENAMED: tuple[tuple[str, str, str], ...] = (
    ("bash", "lib/log.sh", "log"),
    ("c", "item.h", "item"),
    ("cpp", "include/shop/basket.h", "Basket"),
    ("csharp", "Shop/Core/Item.cs", "Item"),
    ("go", "store/store.go", "Server"),
    ("go", "store/host_linux.go", "pages"),
    ("java", "src/main/java/com/shop/model/Basket.java", "Basket"),
    ("javascript", "shapes.js", "Shape"),
    ("kotlin", "src/com/shop/models/Item.kt", "Item"),
    ("lua", "lib/shapes/init.lua", "area"),
    ("php", "src/Model/Item.php", "Item"),
    ("python", "shop/models.py", "Basket"),
    ("ruby", "lib/shop/item.rb", "Item"),
    ("rust", "shapes/src/model/mod.rs", "Item"),
    ("scala", "src/com/shop/models/Item.scala", "Item"),
    ("swift", "Sources/Shop/Item.swift", "Item"),
    ("typescript", "types.ts", "Point"),
)


@pytest.mark.parametrize("language", RESOLVED)
def test_a_language_knows_its_keywords_and_what_a_name_is(language: str) -> None:
    known = LANGUAGES[language]
    assert "if" in known.names.keywords
    assert known.names.identifier.fullmatch("aName_1")
    assert not any(known.names.identifier.fullmatch(one) for one in ("", "two words", "1st", "a\n", "a,b"))


@pytest.mark.parametrize(("language", "path", "name"), RENAMED, ids=lambda one: str(one).rpartition("/")[2])
def test_in_every_language_a_symbol_is_renamed_and_back_to_every_byte(
    tmp_path: Path, opened: Open, language: str, path: str, name: str
) -> None:
    root = tmp_path / "root"
    shutil.copytree(FIXTURES / language, root)
    asking = opened(root, cache=tmp_path / "cache", allow_edits=True)
    before = files_of(asking)
    source = asking.session.index.read(path)
    symbol = next(one for one in asking.session.index.symbols.definitions(source) if one.name == name)
    new, place = f"{name}Zq", f"{path}:{symbol.line}:{symbol.column}"
    assert "applied" in asking("rename_symbol", symbol=place, new_name=new, apply=True)
    after = files_of(asking)
    assert new.encode() in after[path]
    assert {path: raw.replace(new.encode(), name.encode()) for path, raw in after.items()} == before
    assert "applied" in asking("rename_symbol", symbol=place, new_name=name, apply=True)
    assert files_of(asking) == before


def test_every_language_is_renamed_in() -> None:
    assert {language for language, _, _ in RENAMED} | {"tsx"} == set(RESOLVED)


def test_a_destructor_goes_by_the_name_of_its_class(start: Start) -> None:
    code = "class Box {\n public:\n  Box();\n  ~Box();\n};\nBox::Box() {}\nBox::~Box() {}\n"
    asking = start({"box.cpp": code})
    asking("rename_symbol", symbol="box.cpp:1", new_name="Crate", apply=True)
    assert text_of(asking, "box.cpp") == code.replace("Box", "Crate")


def test_an_attribute_keeps_the_half_of_its_name_where_that_is_what_it_is_called_by(start: Start) -> None:
    code = "class MarksAttribute : System.Attribute { }\n[Marks] class A { [MarksAttribute] void F() { } }\n"
    asking = start({"a.cs": code})
    asking("rename_symbol", symbol="MarksAttribute", new_name="NotesAttribute", apply=True)
    assert text_of(asking, "a.cs") == code.replace("Marks", "Notes")


def test_a_handler_of_an_object_from_outside_keeps_its_name(start: Start) -> None:
    code = "export function open(socket: WebSocket) {\n  socket.onerror = () => 1;\n}\n"
    asking = start({"a.ts": code})
    assert "comes from outside" in asking.error("rename_symbol", symbol="a.ts:2:10", new_name="failed")


def test_a_member_that_something_unknown_is_given_keeps_its_name(start: Start) -> None:
    asking = start({"a.js": 'const thing = require("lib")\nthing.handler = function () {}\nthing.handler()\n'})
    assert "may be from outside" in asking.error("rename_symbol", symbol="a.js:2:7", new_name="failed")


FIELDS = {
    "a.py": (
        "from dataclasses import dataclass, replace\n\n\n@dataclass\nclass C:\n    size: int\n\n\n"
        "class D(C):\n    pass\n\n\nclass E(C):\n    def __init__(self, size):\n        pass\n\n\n"
        "one, two, three = C(size=1), D(size=2), 3\n"
        "copy = one.__replace__(size=4)\n"
        "again = replace(one, size=7)\n"
        "match one:\n    case C(size=5):\n        pass\n",
        {"C(size=1)", "D(size=2)", "__replace__(size=4)", "replace(one, size=7)", "C(size=5)"},
        {"E(size=6)"},
    ),
    "b.py": (
        "from typing import NamedTuple\n\n\nclass C(NamedTuple):\n    size: int\n\n\n"
        "one = C(size=1)\ntwo = one._replace(size=2)\n",
        {"C(size=1)", "_replace(size=2)"},
        set(),
    ),
    "a.kt": (
        "data class C(val size: Int)\nclass D(size: Int)\n"
        "fun f(): C {\n  val c = C(size = 1)\n  return c.copy(size = 2)\n}\n",
        {"C(size = 1)", "copy(size = 2)"},
        {"D(size = 3)"},
    ),
    "a.scala": (
        "case class C(size: Int)\nobject O {\n  val c = C(size = 1)\n  val d = c.copy(size = 2)\n}\n",
        {"C(size = 1)", "copy(size = 2)"},
        set(),
    ),
    "a.php": (
        "<?php\nclass C { function __construct(public int $size) {} }\nclass D extends C {}\n"
        "class E extends C { function __construct(int $size) {} }\nnew C(size: 1);\nnew D(size: 2);\n",
        {"C(size: 1)", "D(size: 2)"},
        {"new E(size: 3)"},
    ),
    "a.swift": ("struct C { var size: Int }\nlet c = C(size: 1)\n", {"C(size: 1)"}, set()),
    "a.cs": ("record C(int size);\nclass P { C F() { return new C(size: 1); } }\n", {"C(size: 1)"}, set()),
}
"""Files, what of them gets the new name of a field besides its declaration, and what stays where it is added."""


@pytest.mark.parametrize("path", FIELDS)
def test_an_argument_that_gives_a_field_its_value_gets_the_name_of_the_field(start: Start, path: str) -> None:
    code, changed, kept = FIELDS[path]
    ended = code + "".join(f"{one}\n" for one in sorted(kept)) if path != "a.kt" else f"{code}val d = D(size = 3)\n"
    asking = start({path: ended})
    asking("rename_symbol", symbol="C.size", new_name="fresh", apply=True)
    text = text_of(asking, path)
    assert [one for one in changed if one.replace("size", "fresh") not in text] == []
    assert [one for one in kept if one not in text] == []


def test_an_argument_of_a_function_that_copies_something_unknown_is_left_to_decide(start: Start) -> None:
    asking = start({"a.py": f"{FIELDS['a.py'][0]}def other(given):\n    return replace(given, size=7)\n"})
    assert "decide: 1 use of the name may mean it" in asking("rename_symbol", symbol="C.size", new_name="fresh")


TRAIT = """\
pub trait Turns { fn turn(&self) -> u8; fn twice(&self) -> u8 { self.turn() } }
pub struct Wheel;
impl Turns for Wheel { fn turn(&self) -> u8 { 1 } }
impl Turns for str { fn turn(&self) -> u8 { 2 } }
impl Turns for Vec<u8> { fn turn(&self) -> u8 { 2 } }
impl<T: Turns> Turns for &T { fn turn(&self) -> u8 { (**self).turn() } }
fn f(w: Wheel, t: &dyn Turns) { w.turn(); t.turn(); "a".turn(); Wheel::turn(&w); Turns::turn(&w); }
"""


@pytest.mark.parametrize("symbol", ["Turns.turn", "Wheel.turn", "str.turn", "lib.rs:7:35"])
def test_a_method_of_a_trait_is_renamed_wherever_it_is_implemented(start: Start, symbol: str) -> None:
    ask = start({"lib.rs": TRAIT})
    ask("rename_symbol", symbol=symbol, new_name="spin", apply=True)
    assert (ask.session.index.root / "lib.rs").read_text() == re.sub(r"\bturn\b", "spin", TRAIT)


def test_what_is_undecided_is_no_mention_as_well(start: Start) -> None:
    text = start({"a.py": "def weigh():\n    return 1  # weigh\n", "run.ninja": "build weigh: weigh\n"})(
        "rename_symbol", symbol="a.py:1", new_name="heave"
    )
    assert "4 places, 2 undecided" in text.splitlines()[0]
    assert "not changed: 1 mention" in text
    assert "mentioned, not changed: run.ninja" not in text
