"""The map: its parts, entry points, the public interface and what is used most, around a focus if there is one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.index.file_graph import graph_builder, graphs
from leadline_tools.index.index import Index
from leadline_tools.index.text.code_words import CodeWords, spoken
from leadline_tools.model import MapPart, RankedSymbol
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS

CAR = """from engine.core import Engine


def drive_{0}():
    Engine().ignite({0})


def setup():
    pass
"""

FILES = {
    "engine/core.py": '''class Engine:
    """What drives everything."""

    def ignite(self, spark):
        return spark


def helper(value):
    return value
''',
    "engine/parts.py": """from engine.core import Engine


class Piston:
    owner = Engine()


def setup():
    pass
""",
    "engine/wheels.py": """from engine.parts import Piston


def roll():
    return Piston()


def setup():
    pass
""",
    "notes.md": "# Piston\n\nThe Piston is what a Piston is.\n",
    "lonely/island.py": "TREES = 3\n\n\ndef first():\n    def inner():\n        pass\n\n\nclass Hut:\n    pass\n",
    **{f"cars/model_{i}.py": CAR.format(i) for i in range(16)},
    "web/engine.ts": "export class Engine {}\nexport class Sail {}\n",
    "web/boat.ts": 'import { Sail } from "./engine";\n\nexport const boat = new Sail();\n',
}


@pytest.fixture(scope="module")
def cars(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return opened(write(tmp_path_factory.mktemp("cars"), FILES))


def answered(asking: Asking, **arguments: object) -> Result:
    result = TOOLS["repo_map"].run(asking.session.index, **arguments)
    assert isinstance(result, Result)
    return result


def ranked(result: Result) -> Iterator[RankedSymbol]:
    yield from (item for item in result.items if isinstance(item, RankedSymbol))


def best(result: Result) -> list[str]:
    """Return symbols by their rank, best first."""
    order = sorted(ranked(result), key=lambda item: -item.rank)
    return [f"{item.symbol.path}:{item.symbol.name}" for item in order]


def parts(result: Result) -> dict[str, MapPart]:
    return {item.mark or item.folders[0]: item for item in result.items if isinstance(item, MapPart)}


def named(result: Result) -> list[str]:
    return [f"{item.symbol.path}:{item.symbol.name}" for item in ranked(result)]


@pytest.fixture
def again(cars: Asking, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Ask without the graphs that are kept."""
    monkeypatch.setattr(cars.session.index, "graphs", graphs.Graphs(cars.session.index, cars.session.index.imports))
    return cars


def test_what_most_files_use_comes_first(cars: Asking) -> None:
    assert best(answered(cars))[:2] == ["engine/core.py:Engine", "engine/core.py:ignite"]
    assert best(answered(cars, path="engine/parts.py"))[0] == "engine/parts.py:Piston"


def test_files_stand_together_and_members_behind_their_type(cars: Asking) -> None:
    items = list(ranked(answered(cars)))
    paths = [item.symbol.path for item in items]
    assert len(set(paths)) == sum(paths[i] != paths[i - 1] for i in range(len(paths)))
    assert [item.label for item in items if item.symbol.path == "engine/core.py"] == ["Engine", ".ignite", "helper"]


def test_a_name_that_very_many_files_define_says_nothing(cars: Asking) -> None:
    values = {item.rank for item in ranked(answered(cars)) if item.symbol.name == "setup"}
    assert max(values) < min(item.rank for item in ranked(answered(cars)) if item.symbol.name in ("Engine", "Piston"))


def test_a_name_is_not_taken_for_that_of_another_language(cars: Asking) -> None:
    assert best(answered(cars, path="web"))[0] == "web/engine.ts:Sail"
    values = {item.symbol.path: item.rank for item in ranked(answered(cars)) if item.symbol.name == "Engine"}
    assert values["engine/core.py"] > 2 * values["web/engine.ts"]


def test_what_is_inside_a_function_is_not_on_the_map(cars: Asking) -> None:
    names = ["lonely/island.py:Hut", "lonely/island.py:TREES", "lonely/island.py:first"]
    assert sorted(named(answered(cars, path="lonely"))) == names


def test_a_long_signature_is_cut_but_never_its_name(opened: Open, tmp_path: Path) -> None:
    table = "Map<String, List<Map<String, List<Map<String, Optional<Integer>>>>>>"
    early, late = f"void warm({table} first, int second)", f"public static final {table} cool()"
    uses = {f"Use{n}.java": f"class Use{n} {{ void go(Far f) {{ f.warm(); f.cool(); }} }}" for n in range(60)}
    asking = opened(write(tmp_path, {"Far.java": f"class Far {{ {early} {{}} {late} {{}} }}", **uses}))
    answers = "".join(asking("repo_map", path="Far.java", max_tokens=tokens) for tokens in range(90, 200, 2))
    assert f"1 Far: {early[:80]}...\n" in answers
    assert "1 Far: ...{}...\n".format(late.removesuffix("()")[-80:].strip()) in answers


def test_a_path_narrows_what_is_shown_not_what_is_counted(cars: Asking) -> None:
    whole = {item.symbol.qualified_name: item.rank for item in ranked(answered(cars))}
    narrow = answered(cars, path="engine/parts.py")
    assert {item.symbol.path for item in ranked(narrow)} == {"engine/parts.py"}
    assert all(item.rank == whole[item.symbol.qualified_name] for item in ranked(narrow))
    assert narrow.subject == "1 file, 3 symbols in engine/parts.py"


@pytest.mark.parametrize("focus", ["Piston", "engine/parts.py", "parts.py", "engine/par*", "the piston", "PISTON"])
def test_what_is_in_the_focus_comes_first(cars: Asking, focus: str) -> None:
    assert best(answered(cars, focus=focus))[0] == "engine/parts.py:Piston"


def test_what_is_in_the_focus_rests_on_comes_next(cars: Asking) -> None:
    assert best(answered(cars, focus="roll"))[0] == "engine/wheels.py:roll"
    [around] = [item.rank for item in ranked(answered(cars, focus="roll")) if item.symbol.name == "Piston"]
    [anywhere] = [item.rank for item in ranked(answered(cars)) if item.symbol.name == "Piston"]
    assert around > anywhere


def test_a_focus_on_nothing_is_told(cars: Asking) -> None:
    result = answered(cars, focus="zeppelin")
    assert any("'zeppelin'" in note for note in result.notes)
    assert named(result) == named(answered(cars))
    assert named(answered(cars, focus=" .,;")) == named(answered(cars))


def test_the_header_tells_how_many_files_and_symbols_there_are_and_the_note_what_the_ranking_rests_on(
    cars: Asking,
) -> None:
    header, note, *_ = cars("repo_map").splitlines()
    assert "repo_map 22 files, 46 symbols: " in header
    assert note == "ranked by entry points, exports and uses in 22 files of code, imports resolved"


def test_next_calls_look_closer_at_the_first_symbol(cars: Asking) -> None:
    assert [str(call) for call in answered(cars).calls] == [
        'document_symbols(path="engine/core.py")',
        'find_references(symbol="engine/core.py:1")',
        'repo_map(focus="Engine")',
    ]
    for call in answered(cars).calls:
        cars(call.tool, **dict(call.arguments))


def test_json_has_the_symbol_with_its_rank(cars: Asking) -> None:
    response = cars.session.call(Request("repo_map", {}, as_json=True))
    items = json.loads(response.text)["items"]
    first = next(item for item in items if "rank" in item)
    assert (first["qualified_name"], first["kind"], first["line"]) == ("engine.core.Engine", "Class", 1)
    assert first["rank"] > 0
    assert items[0] == {
        "folders": ["cars/"],
        "files": 16,
        "bytes": 1532,
        "text": "drive_0, drive_1, drive_10, drive_11",
    }


def test_of_a_large_tree_a_sample_is_read_and_what_it_uses_is_found(
    again: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(graphs, "_SAMPLED_BYTES", 900)
    monkeypatch.setattr(graph_builder, "_LEAST_USED", 2)
    result = answered(again)
    assert best(result)[0] == "engine/core.py:Engine"
    assert result.subject == "22 files"
    assert result.ranked
    assert "a sample of 8 of 22 files" in result.notes[0]
    assert not result.partial


def test_a_sample_for_which_there_was_little_time_is_kept_and_says_so(
    again: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(graph_builder, "_SAMPLED_SECONDS", 0.0)
    monkeypatch.setattr(graph_builder, "_LEAST_READ", 2)
    result = answered(again)
    assert "a sample of 2 of 22 files" in result.notes[0]
    assert "time ran out" in result.notes[0]
    kept = again.session.index.graphs
    assert kept.around(()) is kept.around(())


def test_of_a_large_tree_what_is_in_the_focus_is_read_first(again: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(graphs, "_SAMPLED_BYTES", 500)
    monkeypatch.setattr(graph_builder, "_LEAST_USED", 1)
    assert best(answered(again, focus="roll"))[0] == "engine/wheels.py:roll"


def test_where_there_is_no_time_the_answer_says_so_and_the_next_one_goes_on(
    again: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(graph_builder, "_SECONDS", -1.0)
        patch.setattr(graph_builder, "_LEAST_READ", 3)
        late = answered(again)
    assert late.partial
    assert "3 of 22 files" in late.notes[0]
    assert late.subject == "22 files, 46 symbols"
    read: list[str] = []

    def note(path: str, content: bytes) -> CodeWords:
        read.append(path)
        return spoken(path, content)

    monkeypatch.setattr(graph_builder, "spoken", note)
    whole = answered(again)
    assert not whole.partial
    assert len(read) == 19  # what was read before is not read again


def test_before_anything_is_indexed_the_answer_says_so(tmp_path: Path) -> None:
    index = Index(write(tmp_path, FILES), None, processes=1)
    try:
        index.refresh(0)
        result = TOOLS["repo_map"].run(index)
        assert isinstance(result, Result)
        assert result.items == []
        assert result.partial
        assert not result.complete
        assert any("still indexing" in note for note in result.notes)
    finally:
        index.close()


def test_an_empty_tree_has_an_empty_map(opened: Open, tmp_path: Path) -> None:
    assert "no entries" in opened(tmp_path)("repo_map")


def test_the_graph_is_kept_as_long_as_nothing_changes(opened: Open, tmp_path: Path) -> None:
    asking = opened(write(tmp_path, {"a.py": "class Old: ...\n", "b.py": "from a import Old\n\n\ndef f(): Old()\n"}))
    index = asking.session.index
    assert index.graphs.around(()) is index.graphs.around(())
    assert "class Old" in asking("repo_map")
    write(tmp_path, {"a.py": "class Renewed: ...\n", "b.py": "from a import Renewed\n\n\ndef f(): Renewed()\n"})
    index.refresh(10)
    assert "class Renewed" in asking("repo_map")


def test_comments_keywords_and_short_words_are_no_uses() -> None:
    words = spoken("a.py", b'# gone\nfrom pkg import name as nm  # gone\nnm.attr(other, \'path/to\', """prose""")\n')
    assert words.code == {b"pkg", b"name", b"attr", b"other"}
    assert words.dotted == {b"attr"}
    assert words.strings == {b"path", b"prose"}
    assert spoken("a.cc", b'#include "dir/file.h"\n// gone\nns::Type *p = q->field;').strings == {b"dir", b"file"}
    assert spoken("data.bin", b"words of nothing").code == set()


def test_names_that_comments_mark_and_whole_strings_are_known_apart_from_prose_and_paths() -> None:
    words = spoken(
        "a.py", b'"""See :class:`~pkg.Spider` and `crawl`, not Crawler."""\nget("DELAY", "pkg.mod.Job", "a path/x")\n'
    )
    assert words.referred == {b"Spider", b"crawl"}
    assert words.named == {b"DELAY", b"Job"}
    assert spoken("A.java", b"/** {@link Gson#toJson(Object) writes} <code>Reader</code> */").referred == {
        b"toJson",
        b"Reader",
    }
    assert spoken("a.rs", b"/// Like [`Book::iter`], or close().\nfn f() {}").referred == {b"iter", b"close"}
    assert spoken("a.go", b"// Dial is like [grpc.NewClient], see notes[1].\n").referred == {b"NewClient"}


def test_keywords_are_those_of_the_language() -> None:
    assert b"interface" in spoken("a.py", b"interface = 1").code
    assert b"interface" not in spoken("a.ts", b"interface A {}").code


# What a new colleague should read first


LICENCE = "MIT License\n\nCopyright (c) 2020 {}\n\nPermission is hereby granted, free of charge, ...\n"

PROJECT = {
    "LICENSE": LICENCE.format("Jane Doe"),
    "README.md": "# Mill\n\nGrinds grain into flour. It is fast.\n\nBegin with `Sieve` in `mill/sieve.py`.\n",
    "pyproject.toml": '[project]\nname = "mill"\n[project.scripts]\nmill = "mill.console:run"\n',
    "mill/__init__.py": '"""Grain goes in, flour comes out."""\n\nfrom mill.stones import Stones\n',
    "mill/stones.py": "class Stones:\n    def grind(self): ...\n\n\nclass Mortar:\n    def pound(self): ...\n",
    "mill/sieve.py": "class Sieve: ...\n\n\nclass Cloth: ...\n",
    "mill/console.py": "from mill.stones import Stones\n\n\ndef run():\n    Stones().grind()\n\n\ndef walk(): ...\n",
    "mill/web.py": 'from web import app\n\n\n@app.get("/flour")\ndef flour(): ...\n\n\ndef bran(): ...\n',
    "mill/schema_pb2.py": "class Grain: ...\n",
    "tests/test_stones.py": "from mill.stones import Stones\n\n\ndef test_it():\n    Stones().grind()\n",
    "t/basic.py": "from mill.stones import Stones\n\n\ndef check():\n    Stones()\n",
    "examples/bread.py": "from mill import Stones\n\n\ndef bake():\n    Stones()\n",
    "deps/wheel/wheel.py": "class Wheel: ...\n",
    "inner/cart/LICENSE": LICENCE.format("Somebody Else"),
    "inner/cart/cart.py": "class Cart: ...\n",
    "inner/barrow/LICENSE": LICENCE.format("Somebody Else"),
    "inner/barrow/barrow.py": "from mill.stones import Stones\n\n\nclass Barrow(Stones): ...\n",
}


@pytest.fixture(scope="module")
def mill(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return opened(write(tmp_path_factory.mktemp("mill"), PROJECT))


def rank_of(result: Result, name: str) -> float:
    return next(item.rank for item in ranked(result) if item.symbol.name == name)


def test_tests_examples_copies_and_generated_code_are_told_as_parts_and_never_ranked(mill: Asking) -> None:
    result = answered(mill)
    assert not {"test_it", "check", "bake", "Wheel", "Cart", "Grain"} & {item.symbol.name for item in ranked(result)}
    described = parts(result)
    assert described["tests"].folders == ("tests/", "t/")
    assert (described["tests"].files, described["tests"].bytes) == (
        2,
        sum(len(PROJECT[p]) for p in PROJECT if p[:2] in ("te", "t/")),
    )
    assert described["examples"].folders == ("examples/",)
    assert described["generated"].files == 1
    assert "not ranked: tests, 2 files, 1 kB: tests/, t/\n" in mill("repo_map")


def test_a_folder_with_the_licence_of_another_holder_is_a_copy_unless_it_uses_the_project(mill: Asking) -> None:
    assert parts(answered(mill))["copies"].folders == ("inner/cart/", "deps/")
    assert rank_of(answered(mill), "Barrow") > 0


def test_a_folder_that_is_asked_for_is_ranked_whatever_it_holds(mill: Asking) -> None:
    assert best(answered(mill, path="tests")) == ["tests/test_stones.py:test_it"]
    assert best(answered(mill, focus="Wheel"))[0] == "deps/wheel/wheel.py:Wheel"


def test_a_script_that_a_manifest_names_is_an_entry_point(mill: Asking) -> None:
    reasons = {item.symbol.name: item.reason for item in ranked(answered(mill))}
    assert (reasons["run"], reasons["walk"]) == ("script mill", "")
    assert rank_of(answered(mill), "run") > 3 * rank_of(answered(mill), "walk")
    assert "4 def run()  [script mill]\n" in mill("repo_map")


def test_a_function_that_answers_requests_is_a_route(mill: Asking) -> None:
    reasons = {item.symbol.name: item.reason for item in ranked(answered(mill))}
    assert (reasons["flour"], reasons["bran"]) == ("route", "")


def test_what_a_package_exports_comes_before_what_it_does_not(mill: Asking) -> None:
    assert rank_of(answered(mill), "Stones") > rank_of(answered(mill), "Mortar")


def test_what_the_documentation_names_comes_before_what_it_does_not(mill: Asking) -> None:
    assert rank_of(answered(mill), "Sieve") > rank_of(answered(mill), "Cloth")


def test_a_part_has_one_line_from_its_readme_or_its_documentation_else_its_names(mill: Asking) -> None:
    described = parts(answered(mill))
    assert described["mill/"].text == "Grain goes in, flour comes out"
    assert described["inner/barrow/"].text == "Barrow"


def test_main_functions_are_entry_points_and_exported_names_of_go_come_before_others(
    opened: Open, tmp_path: Path
) -> None:
    files = {
        "go.mod": "module example.com/tool\n",
        "main.go": 'package main\n\nimport "example.com/tool/store"\n\nfunc main() { store.Open() }\n',
        "store/doc.go": "// Package store keeps what must not be lost.\npackage store\n",
        "store/store.go": "package store\n\nfunc Open() {}\n\nfunc shut() {}\n",
    }
    result = answered(opened(write(tmp_path, files)))
    assert {item.symbol.name: item.reason for item in ranked(result)}["main"] == "main"
    assert rank_of(result, "Open") > rank_of(result, "shut")
    assert parts(result)["store/"].text == "keeps what must not be lost"


def test_a_type_is_not_left_out_before_its_members(mill: Asking) -> None:
    for tokens in range(60, 400, 10):
        labels = re.findall(r"[:,] (\.?\w+)", mill("repo_map", max_tokens=tokens).split("next:")[0].partition("\n")[2])
        for member in (".grind", ".pound"):
            if member in labels:
                assert labels[labels.index(member) - 1] in ("Stones", "Mortar")


def test_the_best_of_more_are_not_complete(opened: Open, tmp_path: Path) -> None:
    files = {f"part_{i}/m.py": "".join(f"def f_{i}_{j}(): ...\n" for j in range(50)) for i in range(9)}
    asking = opened(write(tmp_path, files))
    header = asking("repo_map", max_tokens=9_000).splitlines()[0]
    assert re.search(r"450 symbols: \d+ best entries of more \|", header)
    page = json.loads(asking.session.call(Request("repo_map", {"max_tokens": 9_000}, as_json=True)).text)
    while "next" in page:
        assert page["complete"] is False
        uri, _, offset = page["next"].partition("?offset=")
        page = json.loads(asking("read_result", uri=uri, offset=int(offset), format="json", max_tokens=20_000))
    assert page["complete"] is False
    assert page["best_of_more"] is True
    assert page["offset"] + page["returned"] == page["total"]


@pytest.mark.parametrize("line", ["#", "# a\n\n", "//", "//!", "/**", "'''", "copyright ", "name = ", "a.", "[", "`"])
def test_files_made_to_be_slow_to_read_are_not(opened: Open, tmp_path: Path, line: str) -> None:
    text = line * (60_000 // len(line))
    names = ("README.md", "__init__.py", "doc.go", "lib.rs", "LICENSE", "inner/LICENSE", "setup.py", "package.json")
    asking = opened(write(tmp_path, {**dict.fromkeys(names, text), "m.py": "def f(): ...\n"}))
    begun = time.monotonic()
    assert "f" in {item.symbol.name for item in ranked(answered(asking))}
    assert time.monotonic() - begun < 5


PEERS = {name: f"def {name}(text):\n    return text\n" for name in ("first", "other", "third")}


def _of_peers(asking: Asking) -> list[str]:
    """Return the functions of ``PEERS`` in the order of the map, as ranked."""
    result = TOOLS["repo_map"].run(asking.session.index)
    assert isinstance(result, Result)
    symbols = [one for one in result.items if isinstance(one, RankedSymbol) and one.symbol.name in PEERS]
    return [one.symbol.name for one in sorted(symbols, key=lambda one: -one.rank)]


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"app/use.py": '"""Reads as `third` does."""\n'}, id="a comment refers to it"),
        pytest.param({"app/use.py": 'KNOWN = ["third"]\n'}, id="a string is its name"),
        pytest.param({"tests/test_it.py": "from app.third import third\n\n\nthird(1)\n"}, id="a test uses it"),
    ],
)
def test_names_in_comments_strings_and_tests_come_first(told: dict[str, str], opened: Open, tmp_path: Path) -> None:
    files = {f"app/{name}.py": text for name, text in PEERS.items()}
    assert _of_peers(opened(write(tmp_path / "plain", files)))[0] == "first"
    assert _of_peers(opened(write(tmp_path / "told", files | told)))[0] == "third"


def test_a_name_that_many_tests_define_for_themselves_still_counts_where_they_use_it(
    opened: Open, tmp_path: Path
) -> None:
    files = {f"app/{name}.py": text for name, text in PEERS.items()}
    own = {f"tests/test_{n}.py": "class Fake:\n    def third(self):\n        self.third()\n" for n in range(14)}
    assert _of_peers(opened(write(tmp_path, files | own)))[0] == "third"


def test_the_package_in_the_folder_of_a_module_of_go_is_its_public_interface(opened: Open, tmp_path: Path) -> None:
    files = {
        "go.mod": "module example.com/mill\n",
        "zmill.go": "package mill\n\nfunc Zgrind() {}\n",
        "inner/inner.go": "package inner\n\nfunc Agrind() {}\n",
    }
    shown = opened(write(tmp_path, files))("repo_map")
    assert shown.index("Zgrind") < shown.index("Agrind")
