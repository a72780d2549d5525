"""Every token that spells the name of a symbol is counted in one class, and what is not proved is shown or counted.

The tests count the tokens of a tree on their own, as ``rg -w`` does, and compare that with the account of an answer.
"""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client

from conftest import INDEXING_SECONDS, Asking, Open, late_facts, write
from leadline_estimators import count
from leadline_server.app import build
from leadline_server.call import Request
from leadline_tools.index.facts.file_facts import Fetched, FileFacts
from leadline_tools.patience import Patience
from leadline_tools.resolve.hierarchy import macro_implementations

Files = Mapping[str, str]


def tokens(files: Files, name: str) -> int:
    """Return how often a name occurs in some files as a word of its own."""
    return sum(len(re.findall(rf"(?<!\w){name}(?!\w)", text)) for text in files.values())


def parsed(ask: Asking, tool: str, patience: Patience | None = None, **arguments: object) -> dict[str, Any]:
    """Return an answer as JSON."""
    response = ask.session.call(Request(tool, arguments, as_json=True, patience=patience))
    assert not response.is_error, response.text
    answer: dict[str, Any] = json.loads(response.text)
    return answer


def account_of(ask: Asking, symbol: str) -> dict[str, Any]:
    account: dict[str, Any] = parsed(ask, "find_references", symbol=symbol)["account"]
    return account


def total(account: Mapping[str, Any]) -> int:
    """Return how many tokens an account is about."""
    classes = sum(account[name] for name in ("exact", "likely", "other", "undecided", "text"))
    return int(classes + sum(account["not_examined"].values()))


# Sums


@dataclass(frozen=True)
class Tree:
    """A tree, the symbol that is asked about with its name, and what the tokens of that name are.

    ``account`` has the exact tokens, those of other symbols, the undecided ones, those in text, and the aliased uses.
    """

    symbol: str
    name: str
    account: tuple[int, int, int, int, int]
    files: Files


TREES = {
    "python": Tree(
        "shelf.py:2",
        "add",
        (2, 6, 4, 7, 0),
        {
            "shelf.py": (
                "class Shelf:\n    def add(self):  # add one\n        return 'add'\n\n\n"
                "class Crate:\n    def add(self):\n        pass\n"
            ),
            "user.py": "from shelf import Crate, Shelf\n\nShelf().add()\nCrate().add()\n",
            "far.py": (
                "def stow(board):\n    board.add()\n\n\n"
                "def spare(board):\n    keep = board.add\n    add = 1\n    return keep, add\n"
            ),
            "other.js": "const add = 1;\n// add\nexport const more = add + 1;\n",
            "README.md": "Call `add` to add.\n",
            "data.json": '{"add": ["add"]}\n',
            "rules.weird": "add to add, not addition, and neither éadd nor add_on\n",
        },
    ),
    "aliases": Tree(
        "lib.py:1",
        "make",
        (3, 4, 2, 0, 3),
        {
            "lib.py": "def make():\n    return 1\n",
            "a.py": "from lib import make as build\n\nbuild()\nbuild()\n",
            "b.py": "import lib\n\nlib.make()\nmake = 2\nprint(make)\n",
            "c.py": "from elsewhere import make\n\nmake()\n",
            "Makefile": "make:\n\tmake all\n",
        },
    ),
    "c": Tree(
        "a.c:1",
        "helper",
        (2, 5, 2, 2, 0),
        {
            "a.c": (
                "static int helper(void)\n{\n\treturn 1; /* helper */\n}\n\nint run(void)\n{\n\treturn helper();\n}\n"
            ),
            "b.c": "static int helper(void)\n{\n\treturn 2;\n}\n\nint go(void)\n{\n\treturn helper();\n}\n",
            "c.c": "extern int helper(void);\n\nint far(void)\n{\n\treturn helper();\n}\n",
            "m.h": "#define USE helper()\n",
            "b.py": "def helper():\n    return helper\n",
            "notes.txt": "helper helps\n",
        },
    ),
    "go": Tree(
        "a/a.go:3",
        "hide",
        (3, 4, 0, 2, 0),
        {
            "a/a.go": "package a\n\nfunc hide() int { return 1 }\n\nvar One = hide()\n",
            "a/b.go": 'package a\n\n// hide it\nvar Two = hide() + len("hide")\n',
            "b/c.go": "package b\n\nfunc hide() int { return 2 }\n\nvar Three = hide()\n",
            "b/d.go": "package b\n\nfunc Four(x interface{ hide() int }) int { return x.hide() }\n",
            "go.mod": "module m\n",
        },
    ),
    "java": Tree(
        "p/A.java:4",
        "count",
        (2, 5, 0, 5, 0),
        {
            "p/A.java": (
                "package p;\n\nclass A {\n    private int count() { return 1; }\n    int all() { return count(); }\n}\n"
            ),
            "p/B.java": (
                "package p;\n\nclass B {\n    int count() { return 2; }\n"
                "    int all(A a, Object it) { return count() + a.count() + it.count(); }\n}\n"
            ),
            "q/C.java": 'package q;\n\nclass C {\n    String count = "count"; // count\n}\n',
            "pom.xml": "<count>count</count>\n",
        },
    ),
    "typescript": Tree(
        "lib.ts:1",
        "format",
        (5, 5, 2, 3, 2),
        {
            "lib.ts": "export function format(x: number): string { return `format ${x}`; }\n",
            "use.ts": "import { format } from './lib';\n\nexport const text = format(1);\n",
            "alias.ts": "import { format as shown } from './lib';\n\nexport const more = shown(2);\n",
            "other.ts": (
                "export function any(x: any) { return x.format(); }\n"
                "const format = 1; // format\nexport const f = format;\n"
            ),
            "page.vue": (
                "<template><p>{{ format(1) }}</p></template>\n<script>\nimport { format } from './lib'\n</script>\n"
            ),
            "x.html": "<p>format</p>\n",
            "tool.sh": "format() { echo format; }\nformat\n",
        },
    ),
    "rust": Tree(
        "src/lib.rs:1",
        "open",
        (4, 2, 1, 2, 0),
        {
            "src/lib.rs": (
                "pub fn open() -> u8 { 1 }\n\nmod inner;\n\npub fn two() -> u8 { open() + crate::open() }\n"
            ),
            "src/inner.rs": (
                "fn open() -> u8 { 2 }\n\n/// open\n"
                "pub fn three(x: &dyn Any) -> u8 { open() + x.open() + super::open() }\n"
            ),
            "Cargo.toml": '[package]\nname = "open"\n',
        },
    ),
}
"""Files of several languages, with comments, strings, prose, data, files of unknown kind and of other languages."""


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_each_token_is_counted_in_the_class_that_it_belongs_to(tree: Tree, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, dict(tree.files)))
    exact, other, undecided, text, aliased = tree.account
    account = account_of(ask, tree.symbol)
    assert total(account) == tokens(tree.files, tree.name)
    assert sum(account.pop("other_symbols", {}).values()) <= other
    assert account == {
        "exact": exact,
        "likely": 0,
        "other": other,
        "undecided": undecided,
        "text": text,
        "not_examined": {},
        "aliased": aliased,
    }


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_callers_have_the_account_of_the_references(tree: Tree, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, dict(tree.files)))
    calls = parsed(ask, "call_hierarchy", symbol=tree.symbol)
    assert calls["account"] == account_of(ask, tree.symbol)
    assert calls["complete"] is not bool(calls["account"]["undecided"])


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_undecided_uses_stand_behind_the_others_with_the_symbol_around_them(
    tree: Tree, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, dict(tree.files)))
    items = parsed(ask, "find_references", symbol=tree.symbol, tier="name", detail="full")["items"]
    lines = ask("find_references", symbol=tree.symbol).splitlines()
    headings = [number for number, line in enumerate(lines) if line.startswith("undecided: ")]
    assert sum(1 + len(item.get("again", ())) for item in items) == tree.account[2]
    assert {lines[number].removeprefix("undecided: ") for number in headings} == {item["path"] for item in items}
    for item in items:
        inside = f"  (in {item['container']})" if item["container"] else ""
        heading = lines.index(f"undecided: {item['path']}")
        shown = [line.partition("  [receiver at ")[0] for line in lines[heading:]]
        assert f"{item['line']}: {item['text']}{inside}" in shown


def test_undecided_uses_in_code_come_before_those_in_files_without_rules(tmp_path: Path, opened: Open) -> None:
    files = {"b.py": "def put(): ...\n", "a.tcl": "put 1\n", "c.py": "def broken(:\n    put(\n"}
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="b.put")
    assert text.index("undecided: c.py") < text.index("undecided: a.tcl")


NAME = "stow"
USES = {
    "py": (
        f"from lib import {NAME}",
        f"import lib; lib.{NAME}()",
        f"from lib import {NAME} as put; put()",
        f"from elsewhere import {NAME}",
        f"def f(x): x.{NAME}(); x.{NAME} = 1",
        f"class A:\n    def {NAME}(self): self.{NAME}()",
        f"{NAME} = '{NAME}'  # {NAME}",
        f"f({NAME}=1, more={NAME})",
        f"def {NAME}({NAME}): return {NAME}",
        f"__all__ = ['{NAME}']",
        f"'''{NAME} {NAME}ed'''",
        f"def broken(:\n    {NAME}(",
    ),
    "js": (
        f"const {NAME} = 1;",
        f"// {NAME}",
        f"export function {NAME}() {{ return `{NAME} ${{{NAME}}}`; }}",
        "x = 1;",
    ),
    "c": (f"int {NAME}(void);", f"#define A {NAME}()", f"int f(void) {{ return {NAME}(); }}", f"/* {NAME} */"),
    "md": (f"`{NAME}` {NAME}", f"un{NAME}"),
    "json": (f'{{"{NAME}": "{NAME}"}}',),
    "weird": (f"{NAME} {NAME}_2 {NAME}", f"-{NAME}-"),
    "html": (f"<p class='{NAME}'>{NAME}</p><script>{NAME}()</script>",),
}


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """Return a small tree with a function that has the name, and files that spell it in some way."""
    files = {"lib.py": f"def {NAME}():\n    return 1  # {NAME}\n"}
    for number in range(draw(st.integers(1, 5))):
        ending = draw(st.sampled_from(sorted(USES)))
        lines = draw(st.lists(st.sampled_from(USES[ending]), min_size=1, max_size=4))
        folder = draw(st.sampled_from(("", "sub/", "tests/")))
        files[f"{folder}f_{number}.{ending}"] = "\n".join((*lines, ""))
    return files


@given(files=trees())
@settings(max_examples=40, deadline=None)
def test_the_account_of_any_tree_adds_up_to_the_tokens_that_spell_the_name(opened: Open, files: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ask = opened(write(Path(folder), files))
        answer = parsed(ask, "find_references", symbol="lib.py:1")
        account = answer["account"]
        places = [
            (item["path"], item["line"], column)
            for item in answer["items"]
            for column in (item["column"], *item.get("again", ()))
        ]
        ask.session.close()
    assert total(account) == tokens(files, NAME)
    assert len(places) == len(set(places)) == account["exact"] + account["likely"] + account["aliased"]
    assert not account["not_examined"]


# What complete means

SHELF = "class Shelf:\n    def add(self):\n        pass\n"
USER = "from shelf import Shelf\n\n\ndef use():\n    Shelf().add()\n"


def test_an_answer_is_complete_only_where_every_file_was_examined(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {"shelf.py": SHELF, "user.py": USER, "more.py": USER}))
    late_facts(monkeypatch, lambda path: path == "more.py")
    text = ask("find_references", symbol="Shelf.add")
    assert ">=2 references" in text.splitlines()[0]
    assert "complete" not in text.splitlines()[0]
    assert "not examined: 1 in more.py, ask again for more" in text
    answer = parsed(ask, "find_references", symbol="Shelf.add")
    assert (answer["complete"], answer["account"]["not_examined"]) == (False, {"late": 1})
    monkeypatch.undo()
    assert "3 references in 3 files, complete" in ask("find_references", symbol="Shelf.add")
    assert parsed(ask, "find_references", symbol="Shelf.add")["complete"]


def unparsable(monkeypatch: pytest.MonkeyPatch, paths: Iterable[str]) -> None:
    """Have some files not be parsed."""
    ask, broken = FileFacts.fetch, frozenset(paths)

    def fetch(facts: FileFacts, wanted: Iterable[str], until: float = 0.0, name: str = "") -> Fetched:
        asked = list(wanted)
        fetched = ask(facts, [path for path in asked if path not in broken], until, name)
        return fetched._replace(facts={**fetched.facts, **{path: None for path in asked if path in broken}})

    monkeypatch.setattr(FileFacts, "fetch", fetch)


def test_what_could_not_be_parsed_counts_only_tokens_of_the_name(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.py": "class Shelf:\n    def __init__(self): ...\n", "odd.py": "from a import Shelf\nShelf()\n"}
    ask = opened(write(tmp_path, files))
    unparsable(monkeypatch, ["odd.py"])
    answer = parsed(ask, "find_references", symbol="Shelf.__init__")
    assert (answer["complete"], answer["account"]["not_examined"]) == (False, {"unparsed": 0})
    assert total(answer["account"]) == 1


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy"])
def test_a_file_that_cannot_be_parsed_keeps_an_answer_from_being_complete(
    tool: str, tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {"shelf.py": SHELF, "user.py": USER, "odd.py": f"{USER}# add\n"}))
    unparsable(monkeypatch, ["odd.py"])
    text = ask(tool, symbol="Shelf.add")
    assert "complete" not in text.splitlines()[0]
    assert "not examined: 2 in odd.py, which could not be parsed" in text
    answer = parsed(ask, tool, symbol="Shelf.add")
    assert (answer["complete"], answer["account"]["not_examined"]) == (False, {"unparsed": 2})
    assert total(answer["account"]) == 4


NEVER = re.compile(r": no (?:references|callers)\b")


@pytest.mark.parametrize("tokens_of_budget", [60, 100, 300, 2_000])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("find_references", {"include_declaration": False}),
        ("find_references", {"role": "import"}),
        ("find_references", {"include_declaration": False, "tier": "exact"}),
        ("call_hierarchy", {}),
        ("call_hierarchy", {"depth": 3}),
    ],
)
def test_that_there_is_nothing_is_not_said_while_something_is_undecided(
    tool: str, arguments: dict[str, object], tokens_of_budget: int, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"lib.py": "def gone():\n    pass\n", "far.py": "def f(x):\n    x.gone()\n"}))
    text = ask(tool, symbol="lib.gone", max_tokens=tokens_of_budget, **arguments)
    assert NEVER.search(text) is None
    assert re.search(r": no certain (?:references|callers), 1 undecided \|", text)


def test_that_there_is_nothing_is_said_where_everything_else_is_proved_to_mean_something_else(
    tmp_path: Path, opened: Open
) -> None:
    files = {"lib.py": "def gone():\n    pass\n", "far.py": "def gone():\n    pass\n\n\ngone()\n", "a.md": "gone\n"}
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="lib.gone", include_declaration=False)
    assert ": no references |" in text
    assert "account: exact 1, another symbol 2, text 1" in text
    assert ": no callers |" in ask("call_hierarchy", symbol="lib.gone")


def test_the_first_name_of_a_package_of_java_means_no_symbol_of_that_name(tmp_path: Path, opened: Open) -> None:
    files = {
        "java/util/Names.java": (
            "package java.util;\n"
            "import java.io.File;\n"
            "import static java.lang.Math.abs;\n"
            "public class Names { Object java; }\n"
        ),
        "java/B.java": "@Deprecated package java;\nclass B { }\n",
    }
    ask = opened(write(tmp_path, files))
    found = ask("find_references", symbol="Names.java").splitlines()
    assert "complete" in found[0]
    assert found[1] == "account: exact 1, another symbol 4"
    assert "comes from outside" in ask.response("go_to_definition", symbol="java/util/Names.java:1:9").text


def test_the_tier_of_names_lists_undecided_uses_alone(tmp_path: Path, opened: Open) -> None:
    tree = TREES["python"]
    ask = opened(write(tmp_path, dict(tree.files)))
    text = ask("find_references", symbol=tree.symbol, tier="name")
    assert "3 undecided uses in 2 files, complete" in text.splitlines()[0]
    assert "4 uses on 3 lines" in text
    assert "def add" not in text
    assert text.count("undecided: ") == 0


# Budgets


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    """A function with one use, and a hundred calls of which nothing can be proved, in five folders."""
    calls = {f"part_{i % 5}/m_{i}.py": f"def f_{i}(x):\n    return x.far({i})\n" for i in range(100)}
    files = {"lib.py": "def far():\n    pass\n", "use.py": "import lib\n\nlib.far()\n", **calls}
    return opened(write(tmp_path_factory.mktemp("wide"), files))


SIZES = [*range(60, 200, 7), 250, 300, 400, 600, 1_000, 1_500, 2_000]


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy"])
def test_undecided_uses_never_cost_an_answer_its_budget_or_its_items(tool: str, wide: Asking) -> None:
    number = {"find_references": 2, "call_hierarchy": 1}[tool]
    for size in SIZES:
        text = wide(tool, symbol="lib.far", max_tokens=size)
        assert count(text) <= size, text
        assert re.search(rf": {number} \w+(?: in 2 files)?, 100 undecided \|", text), text
        assert "\naccount: exact 2, " in text, text


def test_undecided_uses_that_are_not_all_shown_are_counted_by_folder_with_the_call_that_lists_them(
    wide: Asking,
) -> None:
    text = wide("find_references", symbol="lib.far", max_tokens=300)
    assert "undecided, 100 in all: part_0/* 20, part_1/* 20, part_2/* 20, part_3/* 20, part_4/* 20" in text
    assert 'next: find_references(symbol="lib.far", tier="name")' in text
    assert 0 < text.count("(in f_") < 100
    listed = parsed(wide, "find_references", symbol="lib.far", tier="name")
    assert listed["total"] == 100
    assert "100 undecided uses" in wide("find_references", symbol="lib.far", tier="name").splitlines()[0]


def test_a_short_answer_has_the_number_of_undecided_uses_where_there_is_room(wide: Asking) -> None:
    assert "account: exact 2, undecided 100" in wide("find_references", symbol="lib.py:1", max_tokens=100)


def test_undecided_uses_that_are_all_shown_are_not_counted_once_more(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"lib.py": "def far():\n    pass\n", "use.py": "def f(x):\n    x.far(x.far())\n"}))
    text = ask("find_references", symbol="lib.far")
    assert "account: exact 1, undecided 2" in text
    assert "in all" not in text
    assert "tier=" not in text


# Several meanings


def test_what_is_undecided_for_one_of_several_meanings_is_undecided(tmp_path: Path, opened: Open) -> None:
    files = {
        "a/lib.py": "def make():\n    pass\n",
        "b/other.py": "def make():\n    pass\n",
        "c.py": "from x.a.lib import make\n\nmake()\n",
        "d.py": "def f(x):\n    x.make()\n",
        "e.py": "from b.other import make\n\nmake()\n",
    }
    ask = opened(write(tmp_path, files))
    assert account_of(ask, "b/other.py:1")["undecided"] == 1
    text = ask("find_references", symbol="make")
    assert "make (2 symbols): 4 references in 3 files, 3 undecided" in text.splitlines()[0]
    assert "account: exact 4, undecided 3" in text
    unknown = "undecided: d.py\n2: x.make()  (in f)  [receiver at 1: def f(x):]\n"
    assert f"undecided: c.py\n1: from x.a.lib import make\n3: make()\n{unknown}" in text
    assert total(account_of(ask, "make")) == tokens(files, "make")
    callers = ask("call_hierarchy", symbol="make")
    assert f"undecided: c.py\n3: make()\n{unknown}" in callers


def test_the_account_of_several_meanings_is_one_of_all_their_tokens(tmp_path: Path, opened: Open) -> None:
    files = {
        "base.py": "class Base:\n    def run(self):\n        pass\n",
        "low.py": "from base import Base\n\n\nclass Low(Base):\n    def run(self):\n        super().run()\n",
        "apart.py": "class Apart:\n    def run(self):\n        self.run()\n",
        "use.py": "from low import Low\n\n\ndef use(a_low, low: Low):\n    low.run()\n    a_low.run()\n",
        "name.py": "def name():\n    run = 'run'  # run\n    return run\n",
        "a.js": "run();\n",
    }
    ask = opened(write(tmp_path, files))
    answer = parsed(ask, "find_references", symbol="run")
    places = {(i["path"], i["line"], c) for i in answer["items"] for c in (i["column"], *i.get("again", ()))}
    account = answer["account"]
    assert len(places) == account["exact"] + account["likely"] == 7
    assert total(account) == tokens(files, "run")
    text = ask("find_references", symbol="run")
    assert "run (2 symbols): 7 references" in text.splitlines()[0]
    assert re.search(r"^Base\.run base\.py:2: \d references, with 1 that override it$", text, re.MULTILINE)
    assert re.search(r"^Apart\.run apart\.py:2: 2 references$", text, re.MULTILINE)


def test_a_line_that_defines_two_names_has_the_account_of_both(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": "p, q = 1, 2\n", "b.py": "import a\n\na.p\na.q\n\n\ndef f(x):\n    return x.p, x.q\n"}
    account = account_of(opened(write(tmp_path, files)), "a.py:1")
    assert (account["exact"], account["undecided"]) == (4, 2)
    assert total(account) == tokens(files, "p") + tokens(files, "q")


def test_strings_that_spell_another_name_of_a_symbol_are_no_tokens_of_its_own(tmp_path: Path, opened: Open) -> None:
    files = {
        "page.py": "class Page:\n    def __init__(self):\n        pass\n",
        "use.py": "from page import Page\n\n\nPage()\n",
        "text.py": "from page import *\n\nTITLE = 'Page of Page'\n",
    }
    account = account_of(opened(write(tmp_path, files)), "page.py:2")
    assert total(account) == tokens(files, "__init__") == 1
    assert account["aliased"] == 1


@pytest.mark.parametrize("size", SIZES)
def test_answers_about_several_meanings_keep_their_budget(shop: Asking, size: int) -> None:
    for tool in ("find_references", "call_hierarchy", "find_implementations", "type_members", "go_to_definition"):
        text = shop(tool, symbol="Till" if tool == "type_members" else "total", max_tokens=size)
        assert count(text) <= size, text


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    part = "class Till:\n    def total(self):\n        return 1\n\n    def all(self, x):\n        return x.total()\n"
    files = {f"p{i}/till.py": part for i in range(4)}
    return opened(write(tmp_path_factory.mktemp("shop"), files))


def test_a_name_of_several_types_is_answered_with_the_members_of_each(shop: Asking) -> None:
    text = shop("type_members", symbol="Till")
    assert "Till (4 symbols): 8 members" in text.splitlines()[0]
    assert text.count("members") >= 5
    assert "candidates" not in text


def test_the_account_of_several_types_counts_what_is_listed_for_them(shop: Asking) -> None:
    answer = parsed(shop, "type_members", symbol="Till")
    assert (answer["account"]["exact"], total(answer["account"])) == (8, 8)


def test_types_that_may_inherit_from_one_of_several_are_listed(tmp_path: Path, opened: Open) -> None:
    files = {
        "a/till.py": "class Till:\n    pass\n",
        "b/till.py": "class Till:\n    pass\n",
        "low.py": "from a.till import Till\n\n\nclass Low(Till):\n    pass\n",
        "far.py": "from x.a.till import Till\n\n\nclass Far(Till):\n    pass\n",
    }
    ask = opened(write(tmp_path, files))
    one = parsed(ask, "find_implementations", symbol="a/till.py:1")["account"]
    both = parsed(ask, "find_implementations", symbol="Till")["account"]
    assert (one["exact"], one["undecided"]) == (both["exact"], both["undecided"]) == (1, 1)
    text = ask("find_implementations", symbol="Till")
    assert "Till (2 symbols): 1 subtype" in text.splitlines()[0]
    assert text.count("undecided: far.py\n4: class Far(Till):") == 1


# Patience


@pytest.fixture
def many(tmp_path: Path, opened: Open) -> Asking:
    users = {f"user_{number}.py": f"from lib import f\n\nf()  # f {number}\n" for number in range(40)}
    return opened(write(tmp_path, {"lib.py": "def f():\n    pass\n", **users, "notes.md": "f\n"}))


def found_in(answer: Mapping[str, Any]) -> set[tuple[str, int]]:
    return {(item["path"], item["line"]) for item in answer["items"]}


def test_a_later_answer_contains_the_earlier_one(many: Asking) -> None:
    found = [
        parsed(many, "find_references", patience=Patience(seconds), symbol="lib.f", max_tokens=20_000)
        for seconds in (0, 0, 0.02, 0.05, 60)
    ]
    first, last = found[0], found[-1]
    assert not first["complete"]
    assert first["account"]["not_examined"]["late"] > 0
    assert last["complete"]
    assert len(found_in(last)) == 81
    for earlier, later in pairwise(found):
        assert found_in(earlier) <= found_in(later)
    assert {total(one["account"]) for one in found} == {40 * 3 + 2}


ODD_PATIENCE: tuple[object, ...] = ("soon", -1, True, None, [], {})


@pytest.mark.anyio
@pytest.mark.parametrize("odd", ODD_PATIENCE)
async def test_a_client_gives_a_request_its_patience_over_the_wire(many: Asking, odd: object) -> None:
    texts: list[str] = []
    async with Client(build(many.session), cache=None) as client:
        for patience in (0, odd):
            meta: Any = {"leadline/patience": patience}
            answer = await client.call_tool("find_references", {"symbol": "lib.f"}, meta=meta)
            texts.append(str(getattr(answer.content[0], "text", "")))
    assert ": no certain references, 122 not examined |" in texts[0]
    assert "81 references in 41 files, complete" in texts[1]


def test_the_configured_patience_is_that_of_a_request_that_has_none(tmp_path: Path, opened: Open) -> None:
    files = {"lib.py": "def f():\n    pass\n", "use.py": "from lib import f\n\nf()\n"}
    ask = opened(write(tmp_path, files), patience=0.0)
    assert ": no certain references, 3 not examined |" in ask("find_references", symbol="lib.f")
    request = Request("find_references", {"symbol": "lib.f"}, patience=Patience(60))
    assert "3 references in 2 files, complete" in ask.session.call(request).text


# What a first user met


FIELDS = {
    "uv.h": "#define FIELDS int a; int b;\n"
    "typedef struct loop_s loop_t;\nstruct loop_s {\n  void* data;\n  FIELDS\n};\n"
    "typedef struct bare_s bare_t;\nstruct bare_s {\n  FIELDS\n};\n",
}


def test_another_name_for_a_type_has_the_members_of_the_type(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, FIELDS))("type_members", symbol="loop_t")
    assert "another name for loop_s" in text
    assert "4 data" in text or "4 void* data" in text


def test_a_body_with_a_macro_is_not_said_to_have_no_members(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, FIELDS))("type_members", symbol="bare_t")
    assert "no certain members, 1 macro may declare some" in text.splitlines()[0]
    assert "macros may declare more: FIELDS" in text


ACCESSORS = """macro_rules! getters { ($($n:ident),*) => { $(pub fn $n(&self) -> u8 { 0 })* } }
pub struct Plain;
impl Plain {
    getters! { red, green }
}
pub struct Mixed;
impl Mixed {
    pub fn blue(&self) {}
    getters! { red }
}
pub struct Wrapped<T>(T);
macro_rules! adding { ($($t:ty)*) => { $(impl Add for Wrapped<$t> { fn add(self, other: Self) {} })* } }
pub struct Whole;
impl Whole {
    pub fn one(&self) { getters!(); }
}
"""


@pytest.mark.parametrize(
    ("symbol", "header", "macro"),
    [
        ("Plain", "no certain members, 1 macro may declare some", "getters"),
        ("Mixed", "of >=1 members", "getters"),
        ("Wrapped", "no certain members, 1 macro may declare some", "adding"),
    ],
)
def test_members_that_a_macro_may_declare_are_not_said_to_be_none(
    tmp_path: Path, opened: Open, symbol: str, header: str, macro: str
) -> None:
    asking = opened(write(tmp_path, {"src/lib.rs": ACCESSORS}))
    text = asking("type_members", symbol=symbol)
    assert header in text.splitlines()[0]
    assert f"macros may declare more: {macro}" in text
    assert "Whole: 1 member, complete" in asking("type_members", symbol="Whole")


def test_members_that_a_macro_of_another_file_may_declare_keep_a_type_from_being_complete(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "src/lib.rs": "mod kinds;\nmod made;\nmod said;\n",
        "src/kinds.rs": "pub struct Given;\npub struct Named;\npub struct Told;\n",
        "src/made.rs": "macro_rules! imp { ($($t:ty),*) => { $(impl Add for $t { fn add(self) {} })* } }\n"
        "imp!(u8, Given);\nmacro_rules! named { () => { impl Add for Named { fn add(self) {} } } }\n",
        "src/said.rs": "macro_rules! say { ($t:expr) => { $t } }\nfn say_it() { say!(Told); }\n",
    }
    asking = opened(write(tmp_path, files))
    for symbol, macro in (("Given", "imp"), ("Named", "named")):
        assert f"macros may declare more: {macro}" in asking("type_members", symbol=symbol)
    assert "may declare" not in asking("type_members", symbol="Told")


def test_members_of_a_type_in_too_many_files_to_search_for_macros_are_not_said_to_be_complete(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    uses = {f"src/use{number}.rs": "fn f(_: crate::kinds::Given) {}\n" for number in range(3)}
    files = {"src/lib.rs": "mod kinds;\n", "src/kinds.rs": "pub struct Given { pub id: u8 }\n", **uses}
    asking = opened(write(tmp_path, files))
    assert "Given: 1 member, complete" in asking("type_members", symbol="Given")
    monkeypatch.setattr(macro_implementations, "_MOST_FILES", 2)
    text = asking("type_members", symbol="src/kinds.rs:1")
    assert "complete" not in text.splitlines()[0]
    assert "not examined: >=2 in 2 files, since no more are searched for macros" in text


def test_each_definition_that_is_compiled_somewhere_has_its_callees(tmp_path: Path, opened: Open) -> None:
    files = {
        "uv.h": "int run(int n);\nint common(int n);\n",
        "unix.c": '#include "uv.h"\nint run(int n) {\n  return common(n);\n}\n',
        "win.c": '#include "uv.h"\nint wait_for(int n) { return n; }\nint run(int n) {\n  return wait_for(n);\n}\n',
    }
    text = opened(write(tmp_path, files))("call_hierarchy", symbol="run", direction="outgoing")
    assert "run (2 symbols): 2 callees" in text.splitlines()[0]
    assert "common" in text
    assert "wait_for" in text


def test_a_use_that_another_module_may_pass_on_is_not_proved_to_be_another(tmp_path: Path, opened: Open) -> None:
    files = {
        "core/src/text.rs": "pub fn parse() {}\n",
        "std/src/user.rs": "use core::text::parse;\n\npub fn f() { parse(); }\n",
    }
    ask = opened(write(tmp_path, files))
    account = account_of(ask, "core/src/text.rs:1")
    assert account["exact"] + account["likely"] + account["undecided"] == 3
    assert account["other"] == 0


def test_an_undecided_use_whose_role_is_unknown_is_shown_whatever_role_is_asked_for(
    tmp_path: Path, opened: Open
) -> None:
    files = {"a.py": "def make():\n    pass\n", "view.hbs": "<p>{{ make() }}</p>\n"}
    text = opened(write(tmp_path, files))("find_references", symbol="make", role="call")
    assert "no certain references, 1 undecided" in text.splitlines()[0]
    assert "undecided: view.hbs\n1: <p>{{ make() }}</p>\n" in text


# What merely has the name


def test_candidates_that_merely_have_the_name_are_of_the_tier_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(
        write(tmp_path, {"shop.py": "def add(): ...\n", "notes.py": "# how to add one\n", "use.py": "given.add()\n"})
    )
    in_a_comment = parsed(ask, "go_to_definition", symbol="notes.py:1:10")["items"]
    assert [(item["path"], item["tier"]) for item in in_a_comment] == [("shop.py", "name")]
    of_something_unknown = parsed(ask, "go_to_definition", symbol="use.py:1:7")["items"]
    assert [(item["path"], item["tier"]) for item in of_something_unknown] == [("shop.py", "name")]


def test_candidates_of_an_ambiguous_name_are_each_meant(tmp_path: Path, opened: Open) -> None:
    files = {f"shop{number}.py": "def add(): ...\n" for number in range(9)}
    ask = opened(write(tmp_path, files))
    items = parsed(ask, "go_to_definition", symbol="add")["items"]
    assert len(items) == len(files)
    assert not any("tier" in item for item in items)


# What cannot be read any more


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("locked.py", "from shop import add\nadd()\n"),
        ("locked.rb", "add()\n"),
        ("locked.unknown", "add\n"),
        ("locked.txt", "add\n"),
    ],
)
def test_a_file_that_became_unreadable_is_not_examined(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    ask = opened(write(tmp_path, {"shop.py": "def add(): ...\nadd()\n", name: text}))
    really = os.open

    def refuse(path: str, flags: int, *more: Any, **others: Any) -> int:
        if str(path).endswith(name):
            raise PermissionError(errno.EACCES, "permission denied", path)
        return really(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    text = ask("find_references", symbol="shop.add")
    assert "complete" not in text.splitlines()[0]
    assert f"not examined: 1 in {name}, which cannot be read" in text
    assert account_of(ask, "shop.add")["not_examined"] == {"unreadable": 1}
    found = ask("search_text", query="add", word=True)
    assert "complete" not in found.splitlines()[0]
    assert f"not read: {name}" in found


# The JSON form


def test_json_lists_undecided_uses_beside_the_items_within_the_budget(tmp_path: Path, opened: Open) -> None:
    uses = "".join(f"def f{number}(given):\n    given.add()\n" for number in range(60))
    other = "class Other:\n    def add(self): ...\n\n\nclass More:\n    def add(self): ...\n"
    ask = opened(
        write(tmp_path, {"shop.py": "class Shop:\n    def add(self): ...\n", "use.py": uses, "other.py": other})
    )
    counts = []
    for budget in (300, 1_000, 20_000):
        response = ask.session.call(
            Request("find_references", {"symbol": "Shop.add", "max_tokens": budget}, as_json=True)
        )
        assert count(response.text) <= budget
        answer = json.loads(response.text)
        undecided = answer["besides"]["undecided"]
        assert undecided["total"] == answer["account"]["undecided"] == 60
        assert all(item["path"] == "use.py" and item["tier"] == "name" for item in undecided["items"])
        counts.append(len(undecided["items"]))
    assert counts == sorted(counts)
    assert (counts[0] < counts[1], counts[-1]) == (True, 60)


def test_json_says_where_the_same_question_finds_more(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_facts(monkeypatch, lambda path: path == "use.py")
    ask = opened(write(tmp_path, {"shop.py": "def add(): ...\n", "use.py": "from shop import add\nadd()\n"}))
    answer = parsed(ask, "find_references", symbol="shop.add")
    assert (answer["complete"], answer.get("ask_again")) == (False, True)
    assert "next" not in answer


def test_json_of_a_complete_answer_says_nothing_of_more(tmp_path: Path, opened: Open) -> None:
    answer = parsed(
        opened(write(tmp_path, {"shop.py": "def add(): ...\nadd()\n"})), "find_references", symbol="shop.add"
    )
    assert answer["complete"] is True
    assert not {"ask_again", "next", "besides"} & answer.keys()


def test_the_header_counts_the_files_of_all_uses_however_many_there_are(tmp_path: Path, opened: Open) -> None:
    uses = "".join(f"def use_{number}(wind):\n    return sail(wind)\n" for number in range(510))
    files = {f"pkg/m{number}.py": f"from pkg.sails import sail\n{uses}" for number in range(41)}
    ask = opened(write(tmp_path, {**files, "pkg/sails.py": "def sail(wind):\n    return wind\n"}))
    assert ask.session.index.wait(INDEXING_SECONDS)
    header = ask("find_references", symbol="pkg/sails.py:1:5", max_tokens=1_000).partition("\n")[0]
    assert "of 20,952 references in 42 files" in header


@pytest.mark.parametrize(
    ("text", "undecided", "prose"),
    [
        ("// put\n/* put\nput */\nrun() // put\n", 0, 4),
        ("include '**/*.java'\nput()\nexclude '**/*.kt'\n", 1, 0),
        ("/* see // there */ put()\n", 1, 0),
        ('run("//", put)\n', 1, 0),
    ],
)
def test_what_may_be_in_a_string_is_no_comment_of_a_language_without_rules(
    tmp_path: Path, opened: Open, text: str, undecided: int, prose: int
) -> None:
    asking = opened(write(tmp_path, {"b.py": "def put(): ...\n", "a.gradle": text}))
    account = account_of(asking, "b.put")
    assert (account["undecided"], account["text"]) == (undecided, prose)


@pytest.mark.parametrize("name", ["run.1", "run.3pm", "run.8.in"])
def test_a_manual_page_is_prose(name: str, tmp_path: Path, opened: Open) -> None:
    files = {"a.py": "def run():\n    pass\n", f"doc/{name}": ".TH RUN\n.SH NAME\nrun \\- do it\n"}
    account = account_of(opened(write(tmp_path, files)), "a.py:1")
    assert (account["undecided"], account["text"]) == (0, 1)


@pytest.mark.parametrize("name", ["run.4gl", "run.4th"])
def test_code_whose_ending_begins_with_a_number_is_no_manual_page(name: str, tmp_path: Path, opened: Open) -> None:
    account = account_of(opened(write(tmp_path, {"a.py": "def run():\n    pass\n", name: "run\n"})), "a.py:1")
    assert (account["undecided"], account["text"]) == (1, 0)


def test_an_undecided_use_says_where_its_receiver_is_declared(tmp_path: Path, opened: Open) -> None:
    files = {
        "shop.py": "class Shop:\n    def close(self): ...\n\n\nclass Gate:\n    def close(self): ...\n",
        "door.py": (
            "from outside import connect\n\n\nclass Door:\n    def __init__(self):\n        self.inner = connect()\n"
        ),
        "use.py": (
            "from door import Door\nfrom outside import connect\n\n\ndef run(door: Door):\n    one = connect()\n"
            "    one.close()\n    one.close()\n    door.inner.close()\n    connect().close()\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    shown = (
        "undecided: use.py\n7: one.close()  (in run)  [receiver at 6: one = connect()]\n8: one.close()  (same)\n"
        "9: door.inner.close()  (same)  [receiver at door.py:6: self.inner = connect()]\n"
        "10: connect().close()  (same)\n"
    )
    assert shown in ask("find_references", symbol="Shop.close")
    items = parsed(ask, "find_references", symbol="Shop.close", tier="name", detail="full")["items"]
    assert items[0]["receiver"] == {"path": "use.py", "line": 6, "text": "one = connect()"}


def test_the_account_names_what_the_other_tokens_mean(tmp_path: Path, opened: Open) -> None:
    files = {
        "shop.py": "class Shop:\n    def close(self): ...\n\n\nclass Gate:\n    def close(self): ...\n",
        "use.py": (
            "from io import StringIO\nfrom shop import Gate, Shop\n\n\ndef run(text: StringIO, close: bool):\n"
            "    Gate().close()\n    Gate().close()\n    text.close()\n    Shop().close()\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="Shop.close")
    assert "account: exact 2, another symbol 5\nanother symbol: Gate.close 3, local names 1, from outside 1\n" in text
    account = account_of(ask, "Shop.close")
    assert account["other_symbols"] == {"Gate.close": 3, "local names": 1, "from outside": 1}


def test_members_that_override_nothing_are_named_beside_those_that_do(tmp_path: Path, opened: Open) -> None:
    files = {
        "base.py": "class Base:\n    def run(self): ...\n\n\nclass Low(Base):\n    def run(self): ...\n",
        "more.py": "class Runner:\n    def run(self): ...\n",
    }
    text = opened(write(tmp_path, files))("find_implementations", symbol="Base.run")
    assert "other members of the name, which do not override it: Runner.run more.py:2\n" in text


def test_an_overriding_member_is_shown_with_its_type_whatever_its_parameters_are_called(
    tmp_path: Path, opened: Open
) -> None:
    code = (
        "class Base:\n    def run(self, one): ...\n\n\nclass Column(Base):\n    def run(self, one: 'ColumnList'): ...\n"
    )
    text = opened(write(tmp_path, {"base.py": code}))("find_implementations", symbol="Base.run")
    assert "6 Column: def run(self, one: 'ColumnList')\n" in text


TYPED = (
    "from typing import Optional\nfrom io import StringIO\n\n\ndef run(text: Optional[StringIO]):\n    text.close()\n"
)


@pytest.mark.parametrize(
    ("folder", "other", "undecided"), [("test/typing/__init__.py", 1, 0), ("library/typing/__init__.py", 0, 1)]
)
def test_an_import_of_the_standard_library_leads_nowhere_unless_the_tree_is_that_library(
    folder: str, other: int, undecided: int, tmp_path: Path, opened: Open
) -> None:
    files = {
        "shop.py": "class Shop:\n    def close(self): ...\n",
        "test/__init__.py": "",
        folder: "",
        "test/use.py": TYPED,
    }
    account = account_of(opened(write(tmp_path, files)), "Shop.close")
    assert (account["other"], account["undecided"]) == (other, undecided)


@pytest.mark.parametrize("name", ["a.xlf", "a.har", "a.scss", ".gitignore", "a.eml"])
def test_translations_recordings_styles_and_patterns_of_paths_hold_no_code(
    name: str, tmp_path: Path, opened: Open
) -> None:
    account = account_of(
        opened(write(tmp_path, {"a.py": "def title():\n    pass\n", f"x/{name}": "title\n"})), "a.py:1"
    )
    assert (account["undecided"], account["text"]) == (0, 1)
