"""The map: what is central comes first, around a focus if there is one, and what it rests on is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.index.index import Index
from leadline_tools.index.questions import graph
from leadline_tools.index.text.code_words import spoken
from leadline_tools.model import RankedSymbol
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
    for item in result.items:
        assert isinstance(item, RankedSymbol)
        yield item


def named(result: Result) -> list[str]:
    return [f"{item.symbol.path}:{item.symbol.name}" for item in ranked(result)]


@pytest.fixture
def anew(cars: Asking, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Ask without the graphs that are kept."""
    monkeypatch.setattr(cars.session.index, "graphs", graph.Graphs(cars.session.index))
    return cars


def test_what_most_files_use_comes_first(cars: Asking) -> None:
    assert named(answered(cars))[:3] == ["engine/core.py:Engine", "engine/core.py:ignite", "engine/parts.py:Piston"]


def test_files_stand_together_and_symbols_of_each_are_in_the_order_of_their_rank(cars: Asking) -> None:
    items = list(ranked(answered(cars)))
    paths = [item.symbol.path for item in items]
    assert len(set(paths)) == sum(paths[i] != paths[i - 1] for i in range(len(paths)))
    for path in set(paths):
        ranks = [item.rank for item in items if item.symbol.path == path]
        assert ranks == sorted(ranks, reverse=True)


def test_a_name_that_very_many_files_define_says_nothing(cars: Asking) -> None:
    assert all(item.rank == 0 for item in ranked(answered(cars)) if item.symbol.name == "setup")


def test_a_name_is_not_taken_for_that_of_another_language(cars: Asking) -> None:
    assert all(item.rank == 0 for item in ranked(answered(cars)) if item.symbol.path == "web/boat.ts")
    first = next(ranked(answered(cars, path="web")))
    assert first.symbol.name == "Sail"
    assert first.rank > 0


def test_a_file_that_nobody_uses_shows_its_first_symbols_and_none_that_are_inside_a_function(cars: Asking) -> None:
    assert named(answered(cars, path="lonely")) == ["lonely/island.py:first", "lonely/island.py:Hut"]


def test_a_long_signature_is_cut_but_never_its_name(opened: Open, tmp_path: Path) -> None:
    table = "Map<String, List<Map<String, List<Map<String, Optional<Integer>>>>>>"
    early, late = f"void warm({table} first, int second)", f"public static final {table} cool()"
    uses = {f"Use{n}.java": f"class Use{n} {{ void go(Far f) {{ f.warm(); f.cool(); }} }}" for n in range(60)}
    answer = opened(write(tmp_path, {"Far.java": f"class Far {{ {early} {{}} {late} {{}} }}", **uses}))(
        "repo_map", max_tokens=400
    )
    assert f"1 Far: {early[:80]}...\n" in answer
    assert "1 Far: ...{}...\n".format(late.removesuffix("()")[-80:].strip()) in answer


def test_a_path_narrows_what_is_shown_not_what_is_counted(cars: Asking) -> None:
    whole = {item.symbol.qualified_name: item.rank for item in ranked(answered(cars))}
    narrow = answered(cars, path="engine/parts.py")
    assert named(narrow) == ["engine/parts.py:Piston"]
    assert [item.rank for item in ranked(narrow)] == [whole["engine.parts.Piston"]]
    assert narrow.subject == "1 file, 3 symbols in engine/parts.py"


@pytest.mark.parametrize("focus", ["Piston", "engine/parts.py", "parts.py", "engine/par*", "the piston", "PISTON"])
def test_what_is_in_the_focus_comes_first(cars: Asking, focus: str) -> None:
    assert named(answered(cars, focus=focus))[0] == "engine/parts.py:Piston"


def test_what_is_in_the_focus_rests_on_comes_next(cars: Asking) -> None:
    assert named(answered(cars, focus="roll"))[:2] == ["engine/wheels.py:roll", "engine/parts.py:Piston"]


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
    assert note == "ranked by which of each other's names the 22 files of code have, not resolved"


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
    first = json.loads(response.text)["items"][0]
    assert (first["qualified_name"], first["kind"], first["line"]) == ("engine.core.Engine", "Class", 1)
    assert 0 < first["rank"] < 1


def test_of_a_large_tree_a_sample_is_read_and_what_it_uses_is_found(
    anew: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(graph, "_SAMPLED_BYTES", 900)
    monkeypatch.setattr(graph, "_LEAST_USED", 2)
    result = answered(anew)
    assert named(result)[0] == "engine/core.py:Engine"
    assert result.subject == "22 files"
    assert "a sample of 8 of 22 files" in result.notes[0]
    assert not result.partial


def test_a_sample_for_which_there_was_little_time_is_kept_and_says_so(
    anew: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(graph, "_SAMPLED_SECONDS", 0.0)
    monkeypatch.setattr(graph, "_LEAST_READ", 2)
    result = answered(anew)
    assert "a sample of 2 of 22 files" in result.notes[0]
    assert "time ran out" in result.notes[0]
    graphs = anew.session.index.graphs
    assert graphs.around(()) is graphs.around(())


def test_of_a_large_tree_what_is_in_the_focus_is_read_first(anew: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(graph, "_SAMPLED_BYTES", 500)
    monkeypatch.setattr(graph, "_LEAST_USED", 1)
    assert named(answered(anew, focus="roll"))[:2] == ["engine/wheels.py:roll", "engine/parts.py:Piston"]


def test_where_there_is_no_time_the_answer_says_so_and_is_not_kept(
    anew: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(graph, "_SECONDS", -1.0)
        patch.setattr(graph, "_LEAST_READ", 3)
        late = answered(anew)
    assert late.partial
    assert "the 3 of 22 files" in late.notes[0]
    assert late.subject == "22 files, 46 symbols"
    assert not answered(anew).partial


def test_before_anything_is_indexed_the_answer_says_so(tmp_path: Path) -> None:
    index = Index(write(tmp_path, FILES), None, processes=1)
    try:
        index.refresh(0)
        result = TOOLS["repo_map"].run(index)
        assert isinstance(result, Result)
        assert result.items == []
        assert result.partial
        assert any("still indexing" in note for note in result.notes)
    finally:
        index.close()


def test_an_empty_tree_has_an_empty_map(opened: Open, tmp_path: Path) -> None:
    assert "no central symbols" in opened(tmp_path)("repo_map")


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


def test_keywords_are_those_of_the_language() -> None:
    assert b"interface" in spoken("a.py", b"interface = 1").code
    assert b"interface" not in spoken("a.ts", b"interface A {}").code
