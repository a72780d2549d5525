"""Who calls what: both directions see the same calls, cycles end, what is cut is cut by depth and then by breadth."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from conftest import Asking, Open, chain, fan, write
from leadline_server.call import Request
from leadline_tools.errors import BadArgument
from leadline_tools.model import CallNode, Stop
from leadline_tools.navigation.call_hierarchy import call_hierarchy
from leadline_tools.patience import Patience
from leadline_tools.result import Result

FILES = {
    "app/__init__.py": "",
    "app/chain.py": chain(25),
    "app/fan.py": fan(3, 4),
    "app/loops.py": """\
def down(n):
    return down(n - 1) if n else 0


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def top():
    even(4)
    even(5)
    middle()


def middle():
    return even(6)
""",
    "app/shapes.py": """\
from functools import partial

from app.loops import down


def checked(function):
    def inside(*values):
        return function(down(len(values)))

    return inside


def counted():
    def one():
        return down(1)

    return one() + one()


class Shape:
    sides = down(3)

    def __init__(self):
        self.clear()

    @checked
    def clear(self):
        return partial(down, 2)


class Square(Shape):
    def __init__(self):
        super().__init__()
        self.corner = corner()


def corner():
    return Shape()


Square()
LIMIT = 5
""",
    "web/paint.ts": """\
export const draw = (n: number): number => stroke(n);
export function stroke(n: number): number { return n; }
export class Canvas {
  constructor() { this.clear(); }
  clear() { return [1].map((n) => draw(n)); }
}
export function open() { return new Canvas(); }
open();
""",
    "src/Till.java": """\
class Till {
    Till(int cents) { count(cents); }
    static int count(int cents) { return cents; }
    static Till open() { return new Till(1); }
}
""",
    "src/given.go": """\
package src

func given[T any](of T) T { return of }

func gives() (int, *int) { return given[int](3), given[*int](nil) }
""",
}


@pytest.fixture(scope="module")
def code(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return opened(write(tmp_path_factory.mktemp("calls"), FILES))


def hierarchy(code: Asking, symbol: str, direction: str = "incoming", depth: int = 1) -> Result:
    result = call_hierarchy(code.session.index, symbol, direction, depth)
    assert isinstance(result, Result)
    return result


def tree(code: Asking, symbol: str, depth: int = 1, direction: str = "incoming") -> list[str]:
    """Return the tree as lines: indentation, dotted name, lines of the calls, and why nothing stands below."""
    shown = []
    for item in hierarchy(code, symbol, direction, depth).items:
        assert isinstance(item, CallNode)
        name = ".".join(filter(None, (item.symbol.container, item.symbol.name)))
        lines = ",".join(str(line) for line, _ in item.sites)
        shown.append(f"{'  ' * (item.depth - 1)}{name} {lines}{f' {item.stop}' if item.stop else ''}")
    return shown


def notes(code: Asking, symbol: str, direction: str = "incoming") -> tuple[str, ...]:
    return hierarchy(code, symbol, direction).notes


# What calls, what is called


def test_callers_are_grouped_by_the_function_around_the_call(code: Asking) -> None:
    assert tree(code, "even") == ["odd 10", "top 14,15", "middle 20"]


def test_callees_stand_in_the_order_of_the_source(code: Asking) -> None:
    assert tree(code, "top", direction="outgoing") == ["even 14,15", "middle 16"]


def test_code_outside_of_functions_belongs_to_its_file(code: Asking) -> None:
    assert tree(code, "Square") == ["shapes.py 41"]
    assert tree(code, "paint.open") == ["paint.ts 8"]


def test_the_body_of_a_class_calls_and_is_not_called(code: Asking) -> None:
    assert tree(code, "down", 3) == [
        "down 2 cycle",
        "checked.inside 8",
        "counted.one 15",
        "  counted 17,17",
        "Shape 21",
    ]


def test_what_passes_a_function_along_is_no_call_and_is_counted(code: Asking) -> None:
    assert "read or passed along, not called: down 1" in notes(code, "down")


def test_a_function_in_a_function_is_followed_once(code: Asking) -> None:
    assert tree(code, "counted", 2, "outgoing") == ["counted.one 17,17", "  down 15"]
    assert tree(code, "checked", 1, "outgoing") == ["down 8"]


def test_a_decorator_is_called_where_it_stands(code: Asking) -> None:
    assert tree(code, "checked") == ["Shape 26"]


def test_a_type_is_called_where_it_is_made_and_calls_what_its_constructor_calls(code: Asking) -> None:
    assert tree(code, "Shape") == ["corner 38"]
    assert tree(code, "Shape", 1, "outgoing") == ["Shape.clear 24"]
    assert tree(code, "Canvas") == ["open 7"]
    assert tree(code, "Canvas", 1, "outgoing") == ["Canvas.clear 4"]
    assert tree(code, "src/Till.java:1", 1, "outgoing") == ["Till.count 2"]


def test_a_constructor_is_called_by_what_makes_an_object_and_by_constructors_of_subtypes(code: Asking) -> None:
    assert tree(code, "Shape.__init__") == ["Square.__init__ 33", "corner 38"]
    assert tree(code, "Canvas.constructor") == ["open 7"]
    assert tree(code, "src/Till.java:2") == ["Till.open 4"]


def test_a_function_is_called_with_type_arguments(code: Asking) -> None:
    assert tree(code, "given") == ["gives 5,5"]


def test_a_function_without_a_name_belongs_to_the_symbol_that_holds_it(code: Asking) -> None:
    assert tree(code, "stroke", 2) == ["draw 1", "  Canvas.clear 5"]
    assert tree(code, "draw", 1, "outgoing") == ["stroke 1"]


def test_names_that_are_not_in_the_code_are_told(code: Asking) -> None:
    assert "from outside of this code base: partial" in notes(code, "Shape.clear", direction="outgoing")
    told = notes(code, "checked", direction="outgoing")
    assert "not resolved: function" in told
    assert "from outside of this code base: len" in told


# Depth and cycles


@pytest.mark.parametrize("direction", ["incoming", "outgoing"])
def test_a_chain_of_25_is_followed_to_depth_20(code: Asking, direction: str) -> None:
    symbol, step = ("link_25", -1) if direction == "incoming" else ("link_1", 1)
    first = int(symbol.partition("_")[2])
    names = [line.split()[0] for line in tree(code, symbol, 20, direction)]
    assert names == [f"link_{first + step * (i + 1)}" for i in range(20)]


def test_recursion_is_marked_and_not_followed(code: Asking) -> None:
    assert tree(code, "down", 20, "outgoing") == ["down 2 cycle"]


def test_mutual_recursion_is_marked_where_it_closes(code: Asking) -> None:
    assert tree(code, "odd", 20, "outgoing") == ["even 10", "  odd 6 cycle"]


def test_what_is_met_twice_is_followed_where_it_is_nearest(code: Asking) -> None:
    assert tree(code, "top", 20, "outgoing") == [
        "even 14,15",
        "  odd 6",
        "    even 10 cycle",
        "middle 16",
        f"  even 20 {Stop.Above}",
    ]


# Budgets


def test_a_tree_is_cut_by_depth_and_then_by_breadth(code: Asking) -> None:
    whole = tree(code, "app.fan.fan", 3)
    levels = [sum(1 for line in whole if len(line) - len(line.lstrip()) == 2 * depth) for depth in range(3)]
    assert levels == [4, 16, 64]
    for tokens in range(60, 1_500, 20):
        text = code("call_hierarchy", symbol="app.fan.fan", depth=3, max_tokens=tokens)
        shown = [len(line) - len(line.lstrip()) for line in text.splitlines() if re.search(r"fan(_\d)+", line)]
        counts = [shown.count(depth) for depth in range(3)]
        for depth in (1, 2):
            assert not counts[depth] or counts[depth - 1] == levels[depth - 1], (tokens, counts)


def test_a_line_without_a_path_is_in_the_file_of_the_line_above(opened: Open, tmp_path: Path) -> None:
    files = {f"pkg/part_{i % 3}.py": "" for i in range(3)}
    files["pkg/base.py"] = "def base():\n    pass\n\n\ndef near():\n    base()\n\n\ndef also():\n    near()\n"
    for i in range(3):
        head = "from pkg.base import base, near\n\n\n"
        files[f"pkg/part_{i}.py"] = head + "".join(
            f"def user_{i}_{j}():\n    {'base' if j % 2 else 'near'}()\n\n\n" for j in range(5)
        )
    wide = opened(write(tmp_path, files))
    uri = wide.session.call(Request("call_hierarchy", {"symbol": "base", "depth": 2}, store=True)).uri
    items = {(item["name"], item["depth"]): item["path"] for item in json.loads(wide.session.read_all(uri, 0))["items"]}
    texts = [wide("call_hierarchy", symbol="base", depth=2, max_tokens=tokens) for tokens in range(60, 700, 30)]
    texts += [wide("read_result", uri=uri, offset=offset, max_tokens=90) for offset in range(len(items))]
    for text in texts:
        path = ""
        for line in text.splitlines()[1:]:
            match = re.match(r"( *)(?:(\S+):)?[\d,]+ ([\w.]+)(?:$|  )", line)
            if match is not None:
                path = match[2] or path
                assert items[match[3], len(match[1]) + 1] == path, text


def test_pages_of_a_tree_go_on_one_after_the_other(code: Asking) -> None:
    uri = code.session.call(Request("call_hierarchy", {"symbol": "app.fan.fan", "depth": 3}, store=True)).uri
    text = code("read_result", uri=uri, max_tokens=200)
    first = re.search(r": 1-(\d+) of 84 callers", text)
    assert first is not None, text
    assert f"offset={first[1]}" in text


# What cannot be asked


@pytest.mark.parametrize("depth", [0, 21, -1])
def test_a_depth_beyond_the_limits_is_refused(code: Asking, depth: int) -> None:
    with pytest.raises(BadArgument, match="is not from 1 to 20"):
        hierarchy(code, "even", depth=depth)


def test_what_is_not_called_says_what_to_ask_instead(code: Asking) -> None:
    for direction in ("incoming", "outgoing"):
        text = code("call_hierarchy", symbol="LIMIT", direction=direction)
        assert "Constant, which is not called: find_references" in text


def test_an_unknown_symbol_names_what_was_probably_meant(code: Asking) -> None:
    assert 'call_hierarchy(symbol="middle")' in code.error("call_hierarchy", symbol="midle")


def test_each_meaning_of_a_name_has_its_tree_and_the_call_for_it_alone(code: Asking) -> None:
    text = code("call_hierarchy", symbol="open", direction="outgoing", depth=2)
    assert text.splitlines()[0].startswith("call_hierarchy open (2 symbols): 4 callees in 2 files, complete")
    assert "Till.open src/Till.java:4: 2 callees\nopen web/paint.ts:7: 2 callees\n" in text
    assert "Till.open\nsrc/Till.java:1 Till (at 4)" in text
    assert "open\nweb/paint.ts:3 Canvas (at 7)" in text
    assert 'next: call_hierarchy(symbol="src/Till.java:4", direction="outgoing", depth=2)' in text
    assert 'next: call_hierarchy(symbol="web/paint.ts:7", direction="outgoing", depth=2)' in text


def test_what_there_was_no_time_for_is_said_and_found_later(opened: Open, tmp_path: Path) -> None:
    code = opened(write(tmp_path, FILES))
    asks = {"symbol": "top", "direction": "outgoing", "depth": 3}
    text = code.session.call(Request("call_hierarchy", asks, patience=Patience(0))).text
    late = Patience(0).run(lambda: hierarchy(code, "top", "outgoing", 3))
    assert ": no certain callees, 1 not examined |" in text.splitlines()[0]
    assert late.partial
    assert any(note.startswith("not examined in time: ") for note in late.notes)
    assert not hierarchy(code, "top", "outgoing", 3).partial
    assert "5 callees, complete" in code("call_hierarchy", symbol="top", direction="outgoing", depth=3)


def test_a_call_with_type_arguments_that_is_awaited_is_a_call(tmp_path: Path, opened: Open) -> None:
    source = (
        "export class Client {\n  async get<T>(path: string): Promise<T> { return JSON.parse(path) as T }\n}\n"
        'export async function load(c: Client) {\n  const a = await c.get<string>("a")\n'
        "  return a.length\n}\n"
    )
    shown = opened(write(tmp_path, {"client.ts": source}))("call_hierarchy", symbol="Client.get")
    assert "1 caller, complete" in shown
    assert "client.ts:5 load" in shown


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (
            "A.java",
            "interface State { void add(int item); }\n"
            "class Basket implements State {\n"
            "    private final Service service = new Service();\n"
            "    public void add(int item) { service.update(item); }\n"
            "}\n"
            "class Service { void update(int item) { } }\n"
            "class Chat { State state; void say() { state.add(1); } }\n",
        ),
        (
            "a.py",
            "class State:\n    def add(self, item): raise NotImplementedError\n\n"
            "class Basket(State):\n    def add(self, item): Service().update(item)\n\n"
            "class Service:\n    def update(self, item): pass\n\n"
            "def say(state: State): state.add(1)\n",
        ),
    ],
)
def test_a_caller_that_overrides_a_member_may_be_called_through_it(
    tmp_path: Path, opened: Open, path: str, code: str
) -> None:
    ask = opened(write(tmp_path, {path: code}))
    deep = ask("call_hierarchy", symbol="Service.update", depth=2)
    assert f"its callers override, not counted: State.add {path}:" in deep
    assert f'next: call_hierarchy(symbol="{path}:' in deep
    assert "override" not in ask("call_hierarchy", symbol="Service.update")
