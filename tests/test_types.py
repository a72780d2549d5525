"""What types hold, what inherits from them, and what overrides what, through the tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request

FILES = {
    "shop/base.py": '''class Base:
    """What everything is."""

    kind = "base"

    def __init__(self):
        self.made = []
        self._hidden = 1

    def run(self, how, *more):
        """Run it."""
        self.made = [how]

    def stop(self):
        pass

    def _secret(self):
        pass
''',
    "shop/more.py": """from outside import Foreign
from shop.base import Base as Root


class Middle(Root, Foreign):
    def run(self, how):
        self.last = how


class Deep(Middle):
    def stop(self):
        pass

    def run(self, how):
        pass


class Other:
    def run(self, how):
        pass
""",
    "shop/circle.py": "class A(B):\n    def one(self): ...\n\n\nclass B(A):\n    def two(self): ...\n",
    "go.mod": "module example.org/shop\n",
    "kinds/kinds.go": """package kinds

type Runner interface {
	Run(how string) int
	Halt()
}

type Both struct{ name string }

func (b *Both) Run(how string) int { return 0 }
""",
    "kinds/more.go": """package kinds

func (b *Both) Halt() {}

type Half struct{}

func (h Half) Run(how string) int { return 1 }
""",
}


@pytest.fixture(scope="module")
def shop(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return opened(write(tmp_path_factory.mktemp("types"), FILES))


def rows(ask: Asking, tool: str, **arguments: object) -> list[str]:
    """Return the lines of an answer between its header and the calls that it offers, notes included."""
    return [line for line in ask(tool, **arguments).splitlines()[1:] if not line.startswith(("next: ", "all: "))]


def test_a_type_holds_what_it_declares_and_what_its_methods_give_a_value(shop: Asking) -> None:
    assert rows(shop, "type_members", symbol="Base", detail="lean") == [
        "shop/base.py",
        "4 kind",
        "6 __init__",
        "7 made",
        "8 _hidden",
        "10 run",
        "14 stop",
        "17 _secret",
    ]


def test_private_members_can_be_left_out_and_are_counted(shop: Asking) -> None:
    shown = rows(shop, "type_members", symbol="Base", private=False, detail="lean")
    assert "2 private members are not listed (private=true lists them)" in shown
    assert not any("_secret" in line or "_hidden" in line for line in shown)


def test_inherited_members_name_their_origin_and_leave_out_what_is_overridden(shop: Asking) -> None:
    shown = rows(shop, "type_members", symbol="Deep", inherited=True, detail="lean")
    assert shown == [
        "inherits from shop.more.Middle, shop.base.Base",
        "inherits from outside of this code base too: Foreign",
        "shop/more.py",
        "11 stop",
        "14 run",
        "shop/more.py: from shop.more.Middle",
        "7 last",
        "shop/base.py: from shop.base.Base",
        "4 kind",
        "6 __init__",
        "7 made",
        "8 _hidden",
        "17 _secret",
    ]


def test_the_methods_of_a_go_type_are_found_in_all_files_of_its_package(shop: Asking) -> None:
    shown = rows(shop, "type_members", symbol="kinds.Both", detail="lean")
    assert shown == ["kinds/kinds.go", "8 name", "10 Run", "kinds/more.go", "3 Halt"]


def test_what_has_no_members_is_told_with_the_call_that_helps(shop: Asking) -> None:
    told = shop.error("type_members", symbol="Base.run")
    assert 'Call go_to_definition(symbol="shop/base.py:10")' in told


def test_subtypes_come_nearest_first_under_whatever_name_they_inherit(shop: Asking) -> None:
    shown = rows(shop, "find_implementations", symbol="Base", detail="lean")
    assert shown == ["1 direct, 1 further away, nearest first", "shop/more.py", "5 Middle", "10 Deep"]


def test_overriding_members_are_found_and_namesakes_are_not(shop: Asking) -> None:
    shown = rows(shop, "find_implementations", symbol="Base.run", detail="lean")
    namesake = "other members of the name, which do not override it: Other.run shop/more.py:19"
    assert shown == ["1 direct, 1 further away, nearest first", namesake, "shop/more.py", "6 run", "14 run"]


def test_supertypes_and_overridden_members_are_found_upwards(shop: Asking) -> None:
    up = rows(shop, "find_implementations", symbol="Deep", direction="up", detail="lean")
    assert up[1:] == ["outside of this code base: Foreign", "shop/more.py", "5 Middle", "shop/base.py", "1 Base"]
    overridden = rows(shop, "find_implementations", symbol="Deep.stop", direction="up", detail="lean")
    assert [line for line in overridden if line[:1].isdigit() and ":" not in line and "direct" not in line] == [
        "14 stop"
    ]


def test_a_circle_of_bases_ends(shop: Asking) -> None:
    assert "6 two" in rows(shop, "type_members", symbol="shop.circle.A", inherited=True, detail="lean")
    assert rows(shop, "find_implementations", symbol="shop.circle.A", detail="lean")[-1] == "5 B"


def test_a_go_type_with_every_method_of_an_interface_implements_it(shop: Asking) -> None:
    shown = rows(shop, "find_implementations", symbol="kinds.Runner", detail="lean")
    assert shown == [
        "types with all methods of the interface, by name and number of parameters and results"
        "; embedded types from outside of this code base give none",
        "kinds/kinds.go",
        "8 Both",
    ]


def test_a_go_type_is_below_the_interfaces_of_which_it_is_a_subtype(shop: Asking) -> None:
    assert rows(shop, "find_implementations", symbol="kinds.Both", direction="up", detail="lean") == [
        "interfaces whose methods it has, by name and number of parameters and results",
        "other interfaces from outside of this code base are not examined: a type fits them by its methods",
        "kinds/kinds.go",
        "3 Runner",
    ]
    assert rows(shop, "find_implementations", symbol="Both.Halt", direction="up", detail="lean")[-1] == "5 Halt"
    assert "no supertypes" in shop("find_implementations", symbol="kinds.Half", direction="up")


def test_overriding_members_are_told_apart_from_the_uses_of_what_they_override(shop: Asking) -> None:
    shown = rows(shop, "find_references", symbol="Base.run")
    assert "overridden, not counted: Middle.run shop/more.py:6, Deep.run shop/more.py:14" in shown
    assert [line for line in shown if line[:1].isdigit()] == ["10: def run(self, how, *more):  [definition]  (in Base)"]


OVERRIDING = {
    "python": (
        {
            "a.py": "class Base:\n    def run(self): ...\nclass Low(Base):\n    def run(self): ...\nBase().run()\n",
        },
        "a.py:4:9",
        "Base.run a.py:2",
    ),
    "typescript": (
        {
            "a.ts": "export interface Job { run(): void }\n",
            "b.ts": (
                "import { Job } from './a';\nexport class Mail implements Job {\n  run() {}\n}\n"
                "export function go(j: Job) { j.run(); }\n"
            ),
        },
        "b.ts:3:3",
        "Job.run a.ts:1",
    ),
    "c++": (
        {
            "a.cpp": (
                "struct Shape { virtual int area() { return 0; } };\n"
                "struct Box : Shape { int area() override { return 1; } };\nint go(Shape &s) { return s.area(); }\n"
            )
        },
        "a.cpp:2:26",
        "Shape.area a.cpp:1",
    ),
    "go": (
        {
            "go.mod": "module m\n",
            "a.go": (
                "package m\n\ntype Store interface{ Get() int }\n\ntype Memory struct{}\n\n"
                "func (m Memory) Get() int { return 1 }\n\nfunc Read(s Store) int { return s.Get() }\n"
            ),
        },
        "a.go:7:17",
        "Store.Get a.go:3",
    ),
}
"""By language: a member that is called through what it overrides alone, where it stands, and what it overrides."""


@pytest.mark.parametrize("language", OVERRIDING)
def test_a_member_that_overrides_another_is_never_without_callers(language: str, tmp_path: Path, opened: Open) -> None:
    files, symbol, overridden = OVERRIDING[language]
    ask = opened(write(tmp_path, files))
    callers = ask("call_hierarchy", symbol=symbol)
    assert ": no certain callers, " in callers
    assert f"overrides {overridden.partition(' ')[0]}" in callers.split("\n")[0]
    assert f"overrides, not counted: {overridden}" in callers
    assert f"overrides, not counted: {overridden}" in ask("find_references", symbol=symbol)
    uses = ask("find_references", symbol=symbol, role="call")
    assert ": no certain references, " in uses


def test_a_method_that_fits_an_interface_of_go_is_told_apart_from_the_uses_of_that(
    tmp_path: Path, opened: Open
) -> None:
    files, _, _ = OVERRIDING["go"]
    text = opened(write(tmp_path, files))("find_references", symbol="Store.Get")
    assert "overridden, not counted: Memory.Get a.go:7" in text


def test_what_overrides_nothing_has_no_callers(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.py": (
            "class Base:\n    def __init__(self): ...\n    def run(self): ...\n\n"
            "class Low(Base):\n    def __init__(self): ...\n    def stop(self): ...\n"
        )
    }
    ask = opened(write(tmp_path, files))
    assert ": no callers |" in ask("call_hierarchy", symbol="Low.stop")
    assert "overrides" not in ask("call_hierarchy", symbol="Low.__init__")


def test_an_attribute_is_found_under_the_half_of_its_name(tmp_path: Path, opened: Open) -> None:
    files = {
        "Marks.cs": "class MarksAttribute : System.Attribute { }\n",
        "Use.cs": "[Marks]\nclass A { [MarksAttribute] void F() { Marks(); } void Marks() { } }\n",
    }
    text = opened(write(tmp_path, files))("find_references", symbol="MarksAttribute")
    assert "3 references in 2 files, complete" in text


def test_an_extension_method_is_found_where_it_is_called_like_a_member(tmp_path: Path, opened: Open) -> None:
    files = {
        "Item.cs": "class Item { }\nclass Other { }\n",
        "Extensions.cs": "static class Extensions { public static int Half(this Item item) => 1; }\n",
        "Use.cs": "class Use { int F(Item item, Other other) => item.Half() + other.Half(); }\n",
    }
    text = opened(write(tmp_path, files))("find_references", symbol="Extensions.Half")
    assert "exact 2, likely 1" in text


PARTS = {
    "a/Item.First.cs": "namespace Shop;\npublic partial class Item : IDisposable { public void Dispose() { } }\n",
    "b/Item.cs": (
        "namespace Shop;\n"
        "public partial class Item {\n"
        "    public Item(int price) { }\n"
        "    public virtual int Price() => 1;\n"
        "    public int Price(int count) => 2;\n"
        "}\n"
    ),
    "Use.cs": (
        "namespace Shop;\n"
        "class Book : Item { public override int Price() => 3; }\n"
        "class Use { Item Make() => new Item(1); }\n"
    ),
}
"""A C# type in two parts, what inherits from it, and what makes one."""


@pytest.mark.parametrize("symbol", ["Item", "Shop.Item", "a/Item.First.cs:2", "b/Item.cs:2"])
def test_the_parts_of_a_partial_type_are_one_symbol(symbol: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PARTS))
    text = ask("find_references", symbol=symbol)
    assert "Shop.Item: 4 references in 3 files, complete" in text
    assert "5 uses on 4 lines" in text
    assert rows(ask, "find_implementations", symbol=symbol)[1:2] == ["2 Shop: class Book : Item"]
    members = ask("type_members", symbol=symbol)
    assert "Dispose" in members
    assert "Price" in members


def test_what_overrides_a_member_of_any_part_is_found(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PARTS))
    assert "2 Shop.Book: public override int Price()" in ask("find_implementations", symbol="b/Item.cs:4:24")
    assert "overridden, not counted: Shop.Book.Price Use.cs:2" in ask("find_references", symbol="b/Item.cs:4:24")


def test_every_definition_of_a_name_can_be_chosen_by_its_line(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PARTS))
    text = ask("go_to_definition", symbol="Item.Price")
    assert "2 lines of 2 definitions, complete" in text.splitlines()[0]
    assert "4:     public virtual int Price() => 1;" in text
    assert "5:     public int Price(int count) => 2;" in text
    assert 'next: go_to_definition(symbol="b/Item.cs:5")' in text
    assert "5:     public int Price(int count) => 2;" in ask("go_to_definition", symbol="b/Item.cs:5")
    assert "4:     public virtual int Price() => 1;" in ask("go_to_definition", symbol="b/Item.cs:4:24")


def test_a_type_is_meant_before_the_constructors_that_are_called_like_it(tmp_path: Path, opened: Open) -> None:
    files = {"Lamp.java": "class Lamp {\n    Lamp() { }\n    Lamp(int watts) { }\n}\n"}
    ask = opened(write(tmp_path, files))
    assert "Class in Lamp.java:1" in ask("go_to_definition", symbol="Lamp")
    assert "2 lines of 2 definitions, complete" in ask("go_to_definition", symbol="Lamp.Lamp")


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("find_references", {"path": "shop", "role": "call", "tier": "name"}),
        ("find_implementations", {"direction": "up"}),
        ("call_hierarchy", {"direction": "outgoing", "depth": 2}),
        ("rename_symbol", {"new_name": "walk"}),
    ],
)
def test_the_call_for_one_of_several_meanings_repeats_the_other_arguments(
    tool: str, asked: dict[str, str | int], shop: Asking
) -> None:
    text = shop(tool, symbol="run", **asked)
    assert ("candidates" if tool == "rename_symbol" else "run (2 symbols)") in text.splitlines()[0]
    offered = next(line for line in text.splitlines() if line.startswith(f"next: {tool}("))
    for name, value in asked.items():
        assert f"{name}={json.dumps(value)}" in offered


APART = {
    "shop/User.java": (
        "package shop;\n"
        "class User {\n"
        "    String name;\n"
        "    User(String name) { this.name = name; }\n"
        "    String name() { return name; }\n"
        "}\n"
    ),
    "shop/Use.java": (
        "package shop;\n"
        "class Use {\n"
        "    String all(User user) { return user.name() + user.name; }\n"
        "    Function<User, String> given = User::name;\n"
        "}\n"
    ),
    "item.rs": (
        "struct Item { size: u32 }\n"
        "impl Item {\n"
        "    fn size(&self) -> u32 { self.size }\n"
        "    fn more(&self, items: Vec<Item>) -> u32 { self.size() + items.iter().map(Item::size).sum() }\n"
        "}\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "places"),
    [
        ("shop/User.java:3:12", ["Use.java:3:55", "User.java:3:12", "User.java:4:30", "User.java:5:28"]),
        ("shop/User.java:5:12", ["Use.java:3:41", "Use.java:4:42", "User.java:5:12"]),
        ("shop/Use.java:3:41", ["Use.java:3:41", "Use.java:4:42", "User.java:5:12"]),
        ("item.rs:1:15", ["item.rs:1:15", "item.rs:3:34"]),
        ("item.rs:3:8", ["item.rs:3:8", "item.rs:4:52", "item.rs:4:84"]),
    ],
)
def test_a_field_and_a_method_of_one_name_are_two_symbols(
    symbol: str, places: list[str], tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, APART))
    response = ask.session.call(Request("find_references", {"symbol": symbol}, as_json=True))
    answer = json.loads(response.text)
    found = [
        f"{Path(item['path']).name}:{item['line']}:{column}"
        for item in answer["items"]
        for column in (item["column"], *item.get("again", ()))
    ]
    assert sorted(found) == places


def test_a_name_that_is_a_field_and_a_method_is_answered_for_each(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, APART))("find_references", symbol="User.name")
    assert "User.name (2 symbols): 7 references in 2 files, complete" in text.splitlines()[0]
    assert "User.name shop/User.java:3: 4 references\nshop.User.name shop/User.java:5: 3 references\n" in text
    assert "account: exact 7, another symbol 2" in text
    assert 'find_references(symbol="shop/User.java:5' in text


def test_an_inherited_member_is_found_by_the_type_that_inherits_it(tmp_path: Path, opened: Open) -> None:
    files = {
        "base.py": "class Base:\n    def send(self):\n        pass\n",
        "use.py": "from base import Base\n\nclass Client(Base):\n    pass\n",
    }
    ask = opened(write(tmp_path, files))
    assert "base.Base.send" in ask("go_to_definition", symbol="Client.send").splitlines()[0]
    assert ask.response("go_to_definition", symbol="Client.gone").is_error


def test_a_mistyped_member_is_looked_for_in_the_type_that_was_named(shop: Asking) -> None:
    assert 'Call go_to_definition(symbol="Deep.stop").' in shop.error("go_to_definition", symbol="Deep.stopp")
    assert 'Call go_to_definition(symbol="Deep._secret").' in shop.error("go_to_definition", symbol="Deep._secrt")


def test_a_mistyped_path_is_looked_for_in_the_folder_that_was_named(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"aa/text.py": "a = 1\n", "shop/text.py": "b = 1\n", "zz/texts.py": "c = 1\n"}))
    assert 'Call document_symbols(path="shop/text.py").' in ask.error("document_symbols", path="shop/txt.py")


def test_a_part_of_the_uses_is_offered_where_not_all_of_them_are_shown_in_full(tmp_path: Path, opened: Open) -> None:
    files = {f"use_{i}.py": "from base import Base\n" + "Base()\n" * 20 for i in range(3)}
    ask = opened(write(tmp_path, {"base.py": "class Base:\n    pass\n", **files}))
    assert 'next: find_references(symbol="Base", path="use_' in ask("find_references", symbol="Base", max_tokens=250)
    assert "next: find_references(" not in ask("find_references", symbol="Base")


def test_a_comment_inside_of_a_signature_is_no_part_of_it(tmp_path: Path, opened: Open) -> None:
    files = {
        "model.py": 'def dump(  # type: ignore\n    self,\n    mode="#1",  # how\n): ...\n',
        "Model.java": "class Model {\n    int dump(int a /* the first */, int b) { return a; }\n}\n",
    }
    text = opened(write(tmp_path, files))("symbol_search", query="dump", detail="full")
    assert '1 def dump(self, mode="#1")' in text
    assert "2 Model: int dump(int a, int b)" in text


def test_many_anonymous_subtypes_are_listed_by_their_lines_alone(tmp_path: Path, opened: Open) -> None:
    made = "    Object a() { return new Maker() { public void make() {} }; }\n"
    files = {"Maker.java": "interface Maker { void make(); }\n"}
    files |= {f"Use{name}.java": f"class Use{name} {{\n{made}{made}}}\n" for name in "AB"}
    text = opened(write(tmp_path, files))("find_implementations", symbol="Maker")
    assert "anonymous or external: UseA.java: 2,3\nUseB.java: 2,3\n" in text
