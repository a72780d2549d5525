"""Definitions are found by name as if each had been looked at, however many there are, and counted truly."""

from __future__ import annotations

import json
import random
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from conftest import INDEXING_SECONDS, Open, write
from leadline_server.call import Request
from leadline_tools.errors import NoSuchSymbol
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_symbols import pack
from leadline_tools.index.questions import names as names_module
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.questions.names import MOST_FILES
from leadline_tools.index.store import vocabulary as vocabulary_module
from leadline_tools.index.store import vocabulary_runs as runs_module
from leadline_tools.index.store.sqlite_rows import SqliteRows
from leadline_tools.index.store.vocabulary import LazyPart, Vocabulary, folded, humps, parts_of
from leadline_tools.index.store.vocabulary_runs import VocabularyRuns
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Symbol, SymbolKind
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS
from untimed import without_limits_of_time

Opening = Callable[..., Index]

SEGMENTS = ("get", "set", "name", "dev", "http", "x", "i", "probe", "größe", "naïve", "Ελλάς", "v4", "2", "read")
KINDS = {"def": SymbolKind.Function, "class": SymbolKind.Class}


class Made(NamedTuple):
    """A definition that was written into a file."""

    path: str
    line: int
    name: str
    kind: SymbolKind


def spelled(draw: random.Random) -> str:
    """Return a name in one of the styles in which people write them."""
    parts = [draw.choice(SEGMENTS) for _ in range(draw.randint(1, 4))]
    styles: tuple[Callable[[], str], ...] = (
        lambda: "_".join(parts),
        lambda: "_".join(parts).upper(),
        lambda: "".join(map(str.capitalize, parts)),
        lambda: parts[0] + "".join(map(str.capitalize, parts[1:])),
        lambda: "_" * draw.randint(1, 3) + "_".join(parts),
    )
    name = draw.choice(styles)()
    return name if name.isidentifier() else f"n{name}"


def made(seed: int, files: int, folder: str = "part") -> tuple[dict[str, str], list[Made]]:
    """Return files that define names, and what they define."""
    draw = random.Random(seed)
    texts: dict[str, str] = {}
    definitions: list[Made] = []
    for number in range(files):
        path = f"{folder}_{number % 3}/m_{number}.py"
        chosen = [(draw.choice(tuple(KINDS)), spelled(draw)) for _ in range(8)]
        texts[path] = "".join(f"{keyword} {name}(): pass\n" for keyword, name in chosen)
        definitions.extend(Made(path, i + 1, name, KINDS[keyword]) for i, (keyword, name) in enumerate(chosen))
    return texts, definitions


def without_case(text: str) -> str:
    return text.lower().replace("\u03c2", "\u03c3")


def way_of(query: str, name: str) -> Match | None:
    """Return how a name matches, from what the ways mean."""
    wanted, given_name = without_case(query), without_case(name)
    if wanted == given_name:
        return Match.Exact
    if given_name.startswith(wanted):
        return Match.Prefix
    if wanted in given_name:
        return Match.Substring
    parts = humps(query)
    bare = name[2:] if name.startswith("__") else name.removeprefix("_")
    begins = without_case(bare).startswith(without_case(parts[0])) if parts else False
    return Match.Camel if len(parts) > 1 and begins and in_order(parts, humps(bare)) else None


def in_order(wanted: list[str], parts: list[str]) -> bool:
    """Return whether each wanted part begins one of the parts, in order."""
    if not wanted:
        return True
    fitting = (i for i, part in enumerate(parts) if without_case(part).startswith(without_case(wanted[0])))
    return any(in_order(wanted[1:], parts[i + 1 :]) for i in fitting)


def asked(index: Index, **arguments: object) -> Result:
    result = TOOLS["symbol_search"].run(index, **arguments)
    assert isinstance(result, Result)
    return result


def found(result: Result) -> set[tuple[str, int, str]]:
    return {(item.path, item.line, item.name) for item in result.items if isinstance(item, Symbol)}


def total(result: Result) -> int:
    return result.whole or len(result.items)


def settle(index: Index) -> None:
    """Wait until every file is indexed and the runs hold what they are going to hold."""
    until = time.monotonic() + INDEXING_SECONDS
    while not (index.coverage().complete and in_runs(index)):
        assert time.monotonic() < until
        index.wait(0.05)


def in_runs(index: Index) -> bool:
    changed = index.kept.database.connection().execute("select count(*) from renamed").fetchall()[0][0]
    return int(str(changed)) < runs_module.FEW


@pytest.fixture
def opening() -> Iterator[Opening]:
    """Open indexes that are complete, and close them at the end."""
    with ExitStack() as stack:

        def start(root: Path, cache: Path | None = None) -> Index:
            index = Index(root, cache, 1)
            stack.callback(index.close)
            index.start()
            settle(index)
            return index

        yield start


TEXTS, DEFINITIONS = made(1, 90)
NAMES = sorted({definition.name for definition in DEFINITIONS})


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index whose names are in a run, but for those of some files that have changed since."""
    root = write(tmp_path_factory.mktemp("many"), dict.fromkeys(list(TEXTS)[:20], "def before(): pass\n" * 3))
    write(root, dict(list(TEXTS.items())[20:]))
    index = Index(root, tmp_path_factory.mktemp("cache"), 1)
    index.start()
    settle(index)
    write(root, TEXTS)
    index.refresh()
    settle(index)
    yield index
    index.close()


@st.composite
def queries(draw: st.DrawFn) -> str:
    """Draw whole names, parts of names, beginnings of humps, in any case."""
    name = draw(st.sampled_from(NAMES))
    form = draw(st.sampled_from(("whole", "part", "humps")))
    if form == "part":
        start = draw(st.integers(0, len(name) - 1))
        name = name[start : start + draw(st.integers(1, 8))]
    if form == "humps":
        parts = draw(st.lists(st.sampled_from(humps(name) or [name]), min_size=1, max_size=3))
        name = "".join(part[: draw(st.integers(1, 4))].capitalize() for part in parts)
    return draw(st.sampled_from((name, name.lower(), name.upper())))


@given(
    query=queries(),
    kind=st.sampled_from(("", "Class")),
    path=st.sampled_from((".", "part_1")),
    most=st.sampled_from((100, 4)),
)
@settings(max_examples=300, deadline=None)
def test_what_matches_is_what_looking_at_every_definition_finds(
    many: Index, query: str, kind: str, path: str, most: int
) -> None:
    ways = {
        (d.path, d.line, d.name): way
        for d in DEFINITIONS
        if (not kind or d.kind is SymbolKind.Class)
        and (path == "." or d.path.startswith(path))
        and (way := way_of(query, d.name)) is not None
    }
    with patch.object(names_module, "MOST_FILES", most), without_limits_of_time():
        result = asked(many, query=query, kind=kind, path=path)
    if not ways:
        assert result.noun == "similar symbols" or not result.items
        return
    assert (total(result), result.at_least) == (len(ways), False)
    assert found(result) <= set(ways)
    assert found(result) == set(ways) or len({place[0] for place in found(result)}) == most
    order = [list(Match).index(ways[place]) for place in map(placed, result.items)]
    assert order == sorted(order)
    left = [way for place, way in ways.items() if place not in found(result)]
    assert all(list(Match).index(way) >= max(order) for way in left)


def placed(item: object) -> tuple[str, int, str]:
    assert isinstance(item, Symbol)
    return item.path, item.line, item.name


@given(query=queries(), match=st.sampled_from((Match.Exact, Match.Prefix, Match.Substring)))
@settings(max_examples=100, deadline=None)
def test_a_way_to_match_finds_what_matches_so_or_closer(many: Index, query: str, match: Match) -> None:
    wanted = {Match.Exact: 1, Match.Prefix: 2, Match.Substring: 3}[match]
    closer = list(Match)[:wanted]
    expected = {(d.path, d.line, d.name) for d in DEFINITIONS if way_of(query, d.name) in closer}
    with patch.object(names_module, "MOST_FILES", 100), without_limits_of_time():
        assert found(asked(many, query=query, match=str(match))) == expected


def definition(name: str) -> Definition:
    return Definition(name, SymbolKind.Function, 1, 1, 1, 1, "", -1, (0, 0), (0, 0), None)


class Shared(RuleBasedStateMachine):
    """Two processes that share the runs of one database."""

    cache: Path

    @initialize()
    def begin(self) -> None:
        self.path = self.cache / f"{time.monotonic_ns()}.db"
        self.databases = [SqliteRows(self.path).database for _ in range(2)]
        self.runs = [VocabularyRuns(database) for database in self.databases]
        self.files: dict[int, list[str]] = {}

    @rule(file=st.integers(1, 12), names=st.lists(st.sampled_from(NAMES[:40]), min_size=1, max_size=6))
    def change(self, file: int, names: list[str]) -> None:
        self.files[file] = names
        with self.databases[0].writing() as connection:
            blob = pack([definition(name) for name in names])
            connection.execute("insert or replace into symbols values(?, ?)", (file, blob))

    @rule(file=st.integers(1, 12))
    def remove(self, file: int) -> None:
        self.files.pop(file, None)
        with self.databases[0].writing() as connection:
            connection.execute("delete from symbols where file=?", (file,))

    @rule(which=st.integers(0, 1))
    def settle(self, which: int) -> None:
        self.runs[which].settle(lambda: False)

    @rule(which=st.integers(0, 1))
    def write(self, which: int) -> None:
        self.runs[which].write()

    @invariant()
    def every_name_has_as_many_definitions_as_the_files_say(self) -> None:
        expected = Counter(name for names in self.files.values() for name in names)
        for runs in self.runs:
            vocabulary = runs.vocabulary()
            assert {name: vocabulary.definitions(name) for name in NAMES[:40]} == {n: expected[n] for n in NAMES[:40]}
            assert vocabulary.inside("e").definitions == sum(
                count
                for name, count in expected.items()
                if "e" in folded(name)[1:] and not folded(name).startswith("e")
            )

    def teardown(self) -> None:
        for database in self.databases:
            database.close()


@pytest.mark.parametrize("many", [127, 128, 32_767, 32_768, 1 << 20])
def test_any_number_of_definitions_of_a_name_is_counted(many: int) -> None:
    added, taken = parts_of({b"common": many, b"single": 1}), parts_of({b"common": 1 - many})
    assert Vocabulary(map(LazyPart.of, added)).definitions("common") == many
    assert Vocabulary(map(LazyPart.of, added + taken)).definitions("common") == 1


def test_runs_hold_what_the_files_hold_whatever_changes_and_whoever_writes_them(tmp_path: Path) -> None:
    class Machine(Shared):
        cache = tmp_path / "cache" / "index"

    with patch.multiple(runs_module, FEW=2, MANY=5, MOST_NAMES=3):
        run_state_machine_as_test(Machine, settings=settings(max_examples=25, stateful_step_count=20, deadline=None))


def test_runs_are_brought_together_while_facts_wait_to_be_written(tmp_path: Path) -> None:
    index = Index(write(tmp_path / "tree", {"a.py": "def probe(): pass\n"}), tmp_path / "cache")
    stopped: list[bool] = []

    def settling(_runs: VocabularyRuns, stop: Callable[[], bool]) -> None:
        assert index.facts.fetch(["a.py"]).facts["a.py"] is not None  # which are kept with what is written next
        stopped.append(stop())

    with closing(index), patch.object(VocabularyRuns, "settle", settling):
        index.start()
        assert index.settle(INDEXING_SECONDS)
    assert stopped
    assert not any(stopped)


def test_a_common_name_is_counted_in_full_and_listed_in_part(tmp_path: Path, opened: Open) -> None:
    files = {f"{folder}/m_{i}.py": "def probe(): pass\n" for folder in ("src", "tests") for i in range(20)}
    ask = opened(write(tmp_path, files))
    with patch.object(names_module, "MOST_FILES", 15):
        text = ask("symbol_search", query="probe", max_tokens=2_000)
    assert text.splitlines()[0].startswith("symbol_search probe: 1-15 of 40 symbols")
    assert "the closest 15 are listed" in text
    assert "tests/" not in text


def test_a_name_that_is_too_common_to_list_gives_candidates_and_their_number(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {f"m_{i}.py": "def probe(): pass\n" for i in range(40)}))
    with patch.object(names_module, "MOST_FILES", 15):
        for tool in ("go_to_definition", "find_references"):
            text = ask(tool, symbol="probe", max_tokens=2_000)
            assert f"{tool} probe: 1-15 of 40 candidates" in text
            assert "the likeliest 15 are listed" in text


def test_what_is_asked_for_besides_the_name_is_not_applied_to_a_part_of_what_matches(
    tmp_path: Path, opening: Opening
) -> None:
    files = {f"a/m_{i}.py": "def probe(): pass\n" for i in range(30)}
    index = opening(write(tmp_path, {**files, "z/deep/last.py": "class Probe:\n    def probe(self): pass\n"}))
    with patch.object(names_module, "MOST_FILES", 3):
        assert found(asked(index, query="probe", path="z")) == {
            ("z/deep/last.py", 1, "Probe"),
            ("z/deep/last.py", 2, "probe"),
        }
        assert found(asked(index, query="probe", kind="Class")) == {("z/deep/last.py", 1, "Probe")}
        assert found(asked(index, query="Probe.probe")) == {("z/deep/last.py", 2, "probe")}
        target = TOOLS["go_to_definition"].run(index, symbol="Probe.probe")
        assert isinstance(target, Result)
        assert target.notes == ("Method in z/deep/last.py:2",)


def test_what_one_server_has_written_the_other_finds_by_any_part_of_its_name(tmp_path: Path, opening: Opening) -> None:
    texts, _ = made(2, 80)
    root = write(tmp_path / "tree", texts)
    first, second = opening(root, tmp_path / "cache"), opening(root, tmp_path / "cache")
    assert not found(asked(second, query="something_else_entirely", match="substring"))
    write(root, {"part_0/new.py": "def made_something_else_entirely(): pass\n"})
    for index in (first, second):
        index.refresh()
        settle(index)
        assert found(asked(index, query="something_else_entirely")) == {
            ("part_0/new.py", 1, "made_something_else_entirely")
        }


def test_a_definition_that_has_gone_since_is_neither_listed_nor_counted(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path, {"a.py": "def probe_a(): pass\n", "b.py": "def probe_b(): pass\n"})
    index = opening(root)
    (root / "b.py").write_text("\n\ndef other(): pass\n")
    result = asked(index, query="probe")
    assert (found(result), total(result)) == ({("a.py", 1, "probe_a")}, 1)
    with pytest.raises(NoSuchSymbol):
        TOOLS["go_to_definition"].run(index, symbol="probe_b")


def test_similar_names_are_the_most_like_first_and_no_longer_those_that_are_gone(
    tmp_path: Path, opening: Opening
) -> None:
    root = write(tmp_path, {"a.py": "def read_registers(): pass\ndef read_register(): pass\n", "b.py": "x = 1\n"})
    index = opening(root)
    names = [item.name for item in asked(index, query="read_registr").items if isinstance(item, Symbol)]
    assert names == ["read_register", "read_registers"]
    (root / "a.py").write_text("def read_registers(): pass\n")
    index.refresh()
    settle(index)
    assert [item.name for item in asked(index, query="read_registr").items if isinstance(item, Symbol)] == [
        "read_registers"
    ]


def test_a_name_that_is_gone_leaves_no_similar_one_out(tmp_path: Path, opening: Opening) -> None:
    others = {f"m_{i}.py": f"def fetch_{i}(): pass\n" for i in range(runs_module.FEW)}
    files = {**others, "a.py": "def load_config(): pass\n", "b.py": "def load_configuration(): pass\n"}
    root = write(tmp_path, files)
    index = opening(root)
    assert index.settle(INDEXING_SECONDS)  # from now on a few changes are kept beside the names as they were
    (root / "a.py").write_text("def other(): pass\n")
    index.refresh()
    settle(index)
    similar = asked(index, query="load_config", match="fuzzy").items
    assert [one.name for one in similar if isinstance(one, Symbol)] == ["load_configuration"]


def test_names_much_less_like_the_query_than_the_most_similar_one_are_left_out(
    tmp_path: Path, opening: Opening
) -> None:
    process, short, register, bare = "mtk_mdp_vpu_process", "mdp_vpu_process", "mtk_mdp_vpu_register", "mtk_mdp_vpu"
    index = opening(write(tmp_path, {f"{name}.c": f"int {name};\n" for name in (process, short, register, bare)}))

    def similar(query: str) -> list[str]:
        return [one.name for one in asked(index, query=query, match="fuzzy").items if isinstance(one, Symbol)]

    assert similar("mtk_mdp_vpu_prcess") == [process, short]  # 97 and 85 percent; the others have 79 and 76
    assert similar("mdp_vpu_proc") == [short, process]  # 89 and 77
    assert similar("mtk_vpu_rgster") == [register]


def test_operators_are_found_though_no_word_says_where_they_are(tmp_path: Path, opening: Opening) -> None:
    index = opening(
        write(tmp_path, {"a.rb": "class Money\n  def ==(other)\n    true\n  end\nend\n", "b.rb": "x = 1\n"})
    )
    assert found(asked(index, query="==")) == {("a.rb", 2, "==")}


@pytest.mark.parametrize(
    ("column", "damage"),
    [("names", b"\0"), *(("counts", zlib.compress(counts)) for counts in (b"", b"u1234", b"i12345"))],
)
def test_names_that_are_damaged_on_the_disk_are_found_anew(
    tmp_path: Path, opened: Open, column: str, damage: bytes
) -> None:
    texts, definitions = made(3, 80)
    ask = opened(write(tmp_path / "tree", texts), cache=tmp_path / "cache")
    settle(ask.session.index)
    with ask.session.index.kept.database.writing() as connection:
        connection.execute(f"update part set {column} = ?", (damage,))
    name = definitions[0].name
    assert name in ask("symbol_search", query=name)


def test_macros_that_are_words_alone_are_found_whole_and_the_answer_says_so(tmp_path: Path, opened: Open) -> None:
    registers = "".join(f"#define REG_{i} 0x{i:x}\n" for i in range(400))
    ask = opened(write(tmp_path, {"regs.h": registers, "a.c": "int REG_7_users(void)\n{\n\treturn REG_7;\n}\n"}))
    whole = ask("symbol_search", query="REG_7", match="exact")
    assert whole.splitlines()[0].startswith("symbol_search REG_7: 1 symbol, complete")
    part = ask("symbol_search", query="REG_7", max_tokens=1_000)
    assert "REG_7_users" in part
    assert part.splitlines()[0].startswith("symbol_search REG_7: 1-2 of >=2 symbols")
    assert "only whole names are looked for in 1 file of macros; search_text finds parts" in part


def test_a_part_of_very_many_names_is_counted_as_far_as_is_of_use(many: Index) -> None:
    expected = sum(way_of("e", d.name) is Match.Substring for d in DEFINITIONS)
    with patch.object(vocabulary_module, "_MOST_SCANNED", 1), patch.object(vocabulary_module, "_ENOUGH", 5):
        result = asked(many, query="e", match="substring")
    assert result.at_least
    assert 5 < total(result) < expected


def test_what_may_be_more_is_never_called_complete(tmp_path: Path, opened: Open) -> None:
    registers = "".join(f"#define REGISTER_{i}\t\t0x{i:04x}\n" for i in range(150))
    root = write(tmp_path / "tree", {"regs.h": registers, "use.c": "int register_used;\n"})
    ask = opened(root, cache=tmp_path / "cache")
    answer = ask("symbol_search", query="register")
    assert ">=1" in answer.splitlines()[0]
    assert "complete" not in answer.splitlines()[0]
    page = json.loads(ask.session.call(Request("symbol_search", {"query": "register"}, as_json=True)).text)
    assert (page["at_least"], page["complete"], page["returned"]) == (True, False, page["total"])


def test_a_search_that_the_time_was_too_short_for_is_not_called_complete_and_is_made_again(
    tmp_path: Path, opened: Open
) -> None:
    root = write(tmp_path / "tree", {f"m_{i}.py": "def shared(): pass\n" for i in range(3)})
    ask = opened(root, cache=tmp_path / "cache")

    def page() -> dict[str, object]:
        found: dict[str, object] = json.loads(
            ask.session.call(Request("symbol_search", {"query": "shared"}, as_json=True)).text
        )
        return found

    with patch.object(names_module, "_SECONDS", -1.0):
        assert "none found in time" in ask("symbol_search", query="shared").splitlines()[0]
        short = page()
    assert (short["complete"], short["ask_again"], short["returned"]) == (False, True, 0)
    whole = page()
    assert (whole["complete"], whole["returned"]) == (True, 3)


def test_what_rests_on_names_that_were_not_looked_up_in_time_is_not_called_complete_and_is_found_later(
    tmp_path: Path, opened: Open
) -> None:
    sources = {"base.py": "class Base:\n    def run(self): pass\n", "use.py": "import base\n\nbase.Base().run()\n"}
    ask = opened(write(tmp_path / "tree", sources), cache=tmp_path / "cache")
    asked = (("find_references", "Base.run"), ("go_to_definition", "Base"), ("type_members", "base.py:Base"))
    with patch.object(names_module, "_SECONDS", -1.0), patch.object(names_module, "_PATIENCE_SHARE", -1.0):
        for tool, symbol in asked[:2]:
            assert "The time ran out while names were looked up" in ask.error(tool, symbol=symbol)
        told = ask("find_implementations", symbol="base.py:Base")
        assert "complete" not in told.splitlines()[0]
    for tool, symbol in asked:
        assert "complete" in ask(tool, symbol=symbol).splitlines()[0]


def test_humps_that_nearly_match_take_no_time(tmp_path: Path, opening: Opening) -> None:
    names = [*("aA" * (50 + i) for i in range(100)), "A" * 2_000]
    index = opening(write(tmp_path, {"a.py": "".join(f"def {name}(): pass\n" for name in names)}))
    for query in ("A" * 25 + "B", "aA" * 13 + "B", "Aa" * 14 + "Bc"):
        started = time.monotonic()
        assert not found(asked(index, query=query))
        assert time.monotonic() - started < 2.0


def test_a_name_that_is_not_found_yet_is_not_said_to_be_missing(tmp_path: Path) -> None:
    files = {f"m_{i}.py": "def other(): return DataFrame()\n" for i in range(20)}
    root = write(tmp_path, {**files, "z/deep/data_frame.py": "class DataFrame: pass\n"})
    with closing(Index(root, None, 1)) as index, patch.object(names_module, "_MOST_PARSED", 3):
        index.refresh()  # the files are known, and none of them is indexed
        with pytest.raises(NoSuchSymbol, match="indexed so far; 21 files are not yet: ask again"):
            TOOLS["go_to_definition"].run(index, symbol="Nowhere")
        # Of the few that are looked into, one that is called like the symbol is the first.
        with without_limits_of_time():
            target = TOOLS["go_to_definition"].run(index, symbol="DataFrame")
    assert isinstance(target, Result)
    assert target.notes == ("Class in z/deep/data_frame.py:1",)


@pytest.mark.parametrize(
    ("path", "code", "told"),
    [
        ("A.cs", "class A { [X(1)] [Y] /* 1 */ public int found(int a) { return a; } }", "public int found(int a)"),
        ("A.java", 'class A { @X("1") @Y public int found(int a) { return a; } }', "public int found(int a)"),
        ("a.kt", "class A { @X(1) @Y fun found(a: Int): Int = a }", "fun found(a: Int): Int"),
        ("a.php", "<?php class A { #[X(1)] public function found($a) { } }", "public function found($a)"),
        ("a.swift", "class A { @X(1) public func found(a: Int) { } }", "public func found(a: Int)"),
        ("a.scala", "class A { @X(1) def found(a: Int) = a }", "def found(a: Int)"),
        ("a.ts", "class A { @X(1) public found(a: number) { } }", "public found(a: number)"),
        ("b.ts", "@X({a: 1})\nclass found { }", "class found"),
        ("a.py", "@x(1)\ndef found(a):\n    pass\n", "def found(a)"),
        ("a.rs", "#[x(1)]\npub fn found(a: i32) { }", "pub fn found(a: i32)"),
    ],
)
def test_a_signature_is_shown_without_what_decorates_it(
    path: str, code: str, told: str, tmp_path: Path, opened: Open
) -> None:
    answer = opened(write(tmp_path, {path: code}))("symbol_search", query="found")
    assert re.search(rf"^\d+ (A: )?{re.escape(told)}$", answer, re.MULTILINE), answer


def test_namespaces_that_many_files_open_stand_behind_what_is_in_them(tmp_path: Path, opened: Open) -> None:
    files = {f"{name}.cs": f"namespace Big.Shop {{ class {name} {{ }} }}" for name in "ABC"}
    files["deep/down/Other.cs"] = "class Other { class Inner { int TheShop; } }"
    answer = opened(write(tmp_path, files))("symbol_search", query="Shop")
    assert answer.index("int TheShop") < answer.index("namespace Big.Shop")


def test_a_namespace_is_listed_once_and_takes_no_place_of_others(tmp_path: Path, opened: Open) -> None:
    files = {f"a/F{number}.cs": "namespace Big.Shop { class A { } }" for number in range(MOST_FILES + 9)}
    files["deep/down/Other.cs"] = "namespace Big { class Other { int TheShop; } }"
    answer = opened(write(tmp_path, files))("symbol_search", query="Shop")
    assert answer.startswith("symbol_search Shop: 2 symbols, complete"), answer
    assert "each namespace is listed once, however often opened" in answer
    assert answer.count("namespace Big.Shop") == 1
    assert "int TheShop" in answer
    everywhere = opened(tmp_path)("go_to_definition", symbol="Big.Shop")
    assert f"lines of 8 of {MOST_FILES + 9} definitions" in everywhere, everywhere
    assert "complete" not in everywhere.partition("\n")[0]
    assert opened(tmp_path)("go_to_definition", symbol="Big.Shop.A").startswith(
        "go_to_definition Big.Shop.A: 1-48 of 57"
    )
