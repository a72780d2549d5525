"""References: what was found once is found at once when it is asked for again, and each use is told once."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, Asking, Open, late_facts, write
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve import question
from leadline_tools.resolve.imports import module_files
from leadline_tools.resolve.project import project, resolved_uses
from leadline_tools.resolve.project.project import IndexedProject
from leadline_tools.resolve.project.resolution import Resolution
from leadline_tools.resolve.project.resolved_uses import FileUses, Override, ResolvedUse, SearchKey, UseCache
from leadline_tools.resolve.resolver import Resolver
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type

SHELF = "class Shelf:\n    def add(self):\n        pass\n\n\nclass Low(Shelf):\n    def add(self):\n        pass\n"
USER = "from shelf import Shelf as Board\n\nBoard().add()\n"


@pytest.fixture
def shelf(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"shelf.py": SHELF, "user.py": USER, "other.py": "def add(x):\n    x.add()\n"}))


def _never(*_: object, **__: object) -> object:
    raise AssertionError("nothing is to be resolved again")


@pytest.mark.parametrize("symbol", ["Shelf", "Shelf.add"])
def test_what_is_asked_again_is_not_resolved_again(shelf: Asking, symbol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shelf("find_references", symbol=symbol)
    assert "user.py" in before
    monkeypatch.setattr(Resolver, "resolve", _never)
    assert shelf("find_references", symbol=symbol) == before


def test_a_file_that_has_changed_is_looked_into_again(shelf: Asking) -> None:
    assert "2 references" in shelf("find_references", symbol="Shelf.add")
    (shelf.session.index.root / "user.py").write_text(f"{USER}Board().add()\n")
    assert "3 references" in shelf("find_references", symbol="Shelf.add")


def test_what_was_asked_of_one_folder_is_found_in_the_others_too(tmp_path: Path, opened: Open) -> None:
    files = {f"{folder}/user.py": "from shelf import Shelf\n\nShelf().add()\n" for folder in "ab"}
    ask = opened(write(tmp_path, {"shelf.py": SHELF, **files}))
    assert "1 reference," in ask("find_references", symbol="Shelf.add", path="a")
    assert "3 references in 3 files" in ask("find_references", symbol="Shelf.add")
    assert "1 reference," in ask("find_references", symbol="Shelf.add", path="b")


def test_what_was_found_in_time_is_kept_where_the_rest_came_too_late(
    shelf: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    facts = IndexedProject.facts

    def noted(project: IndexedProject, path: str) -> Facts | None:
        asked.append(path)
        return facts(project, path)

    looks = iter(range(100))
    monkeypatch.setattr("leadline_tools.resolve.references.references._BATCH_FILES", 1)
    monkeypatch.setattr(IndexedProject, "late", property(lambda _project: next(looks) >= 2))
    assert ">=" in shelf("find_references", symbol="Shelf.add")
    monkeypatch.setattr(IndexedProject, "late", property(lambda _project: False))
    monkeypatch.setattr(IndexedProject, "facts", noted)
    assert "2 references" in shelf("find_references", symbol="Shelf.add")
    assert "user.py" in asked


def test_the_facts_of_a_tree_are_computed_after_its_first_question(shelf: Asking) -> None:
    index = shelf.session.index
    shelf("go_to_definition", symbol="user.py:3:9")
    shelf("find_references", symbol="Shelf")
    assert index.facts.wait(INDEXING_SECONDS)
    assert index.facts.known(index.files.paths) == {"other.py", "shelf.py", "user.py"}
    assert index.coverage().facts == 3


def test_a_file_whose_facts_came_too_late_is_not_resolved_and_next_time_it_is(
    shelf: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = FileFacts.fetch
    late_facts(monkeypatch, lambda path: path == "user.py")
    answer = shelf("find_references", symbol="Shelf.add")
    assert "complete" not in answer.splitlines()[0]
    assert "not examined: 1 in user.py, ask again for more" in answer
    monkeypatch.setattr(FileFacts, "fetch", fetch)
    assert "2 references in 2 files, 1 undecided" in shelf("find_references", symbol="Shelf.add")


def test_the_facts_of_a_large_question_are_gone_with_it(shelf: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "_MOST_KEPT", 0)
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(one, Facts) for one in gc.get_objects())
        assert "4 references" in shelf("find_references", symbol="Shelf")
        assert sum(isinstance(one, Facts) for one in gc.get_objects()) == before
    finally:
        gc.enable()


@pytest.mark.parametrize("symbol", ["Shelf", "Shelf.add"])
def test_facts_that_had_to_make_room_are_fetched_again(
    tmp_path: Path, opened: Open, symbol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"shelf.py": SHELF, "user.py": USER, "other.py": "def add(x):\n    x.add()\n"}
    expected = opened(write(tmp_path / "one", files))("find_references", symbol=symbol, tier="name")
    monkeypatch.setattr(project, "_MOST_HELD", 0)
    assert opened(write(tmp_path / "two", files))("find_references", symbol=symbol, tier="name") == expected


def test_overriding_members_are_told_again(shelf: Asking) -> None:
    for _ in range(2):
        assert "overridden, not counted: Low.add shelf.py:7" in shelf("find_references", symbol="Shelf.add")


def test_what_was_asked_about_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolved_uses, "_MOST_USES", 5)
    kept = UseCache()
    one = ResolvedUse("b.py", "f", Use(1, 1, 2, 0, Role.Call, "", -1), Tier.Exact, Reason.Scope, "")
    first, second, third = (SearchKey("a.py", name, frozenset(), name) for name in "fgh")
    for sought in (first, second):
        kept.put(sought, "b.py", FileUses((one,), frozenset(), ()))
    kept.put(first, "c.py", FileUses((), frozenset(), (Override("c.py", 1, "C.f"),)))
    kept.put(third, "b.py", FileUses((), frozenset(), ()))
    assert kept.of(second).get("b.py") is None
    assert kept.of(first).get("b.py") is not None
    assert kept.of(third).get("b.py") is not None


# Places


LINES = {
    "u.rs": "struct U { name: String }\nstruct V { name: String }\n\nfn f(u: U) -> String { u.name.clone() }\n",
    "A.java": "class A { void m(int a) {} void m(long a) {}\n  void k(int a) {}\n  void k(long a) {}\n}\n",
    "B.java": "class B {\n  void k(int a) {}\n}\n",
    "g.py": "import os\n\n\ndef g(x):\n    x.zork()\n    return [g(1), g(2), g(x)]\n\n\nos.sep\np, q = 1, 2\n",
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("lines"), LINES))


def test_each_meaning_of_a_name_is_addressed_by_its_column_where_two_share_a_line(lines: Asking) -> None:
    text = lines("find_references", symbol="name")
    assert "U.name u.rs:1:12: 2 references\nV.name u.rs:2:12: 1 reference\n" in text
    assert 'next: find_references(symbol="u.rs:1:12")' in text
    assert 'next: find_references(symbol="u.rs:2:12")' in text
    assert lines("find_references", symbol="u.rs:1:12").startswith("find_references u.U.name: 2 references")
    assert lines("find_references", symbol="u.rs:2:12").startswith("find_references u.V.name: 1 reference,")


def test_each_of_several_overloads_on_one_line_can_be_chosen(lines: Asking) -> None:
    text = lines("go_to_definition", symbol="A.m")
    assert 'go_to_definition(symbol="A.java:1:16")' in text
    assert 'go_to_definition(symbol="A.java:1:33")' in text
    assert "lines 1-1 of 1" in lines("go_to_definition", symbol="A.java:1:33")


def test_overloads_are_one_meaning_of_a_name(lines: Asking) -> None:
    text = lines("find_references", symbol="k")
    assert "k (2 symbols): 3 references in 2 files, complete" in text.splitlines()[0]
    assert 'find_references(symbol="A.java:2")' in text
    assert 'find_references(symbol="B.java:2")' in text
    assert 'find_references(symbol="A.java:3")' not in text


def test_a_line_that_defines_several_symbols_means_none_of_them_silently(lines: Asking) -> None:
    text = lines("find_references", symbol="g.py:10")
    assert 'find_references(symbol="g.py:10:1")' in text
    assert 'find_references(symbol="g.py:10:4")' in text


@pytest.mark.parametrize(
    ("symbol", "told"),
    [
        ("g.py:5:7", "'zork' is used here, but its definition was not found: 'g.py:5:7'."),
        ("g.py:9:4", "'sep' comes from outside of the code base: 'g.py:9:4'."),
        ("g.py:3", "No symbol is defined or used at 'g.py:3'."),
    ],
)
def test_a_place_that_means_no_symbol_says_what_is_known_of_it(lines: Asking, symbol: str, told: str) -> None:
    assert told in lines.error("find_references", symbol=symbol)


def test_a_use_that_is_not_understood_says_what_to_search_for(lines: Asking) -> None:
    error = lines.error("go_to_definition", symbol="g.py:5:7")
    assert 'Call search_text(query="zork", word=true) or symbol_search(query="zork", match="exact").' in error


def test_several_uses_on_one_line_are_one_item_that_says_how_many(lines: Asking) -> None:
    text = lines("find_references", symbol="g.g")
    assert "4 uses on 2 lines" in text
    assert "account: exact 4" in text
    assert text.count("6: return [g(1), g(2), g(x)]  [3 times]") == 1


def test_two_classes_of_one_name_have_members_of_their_own(tmp_path: Path, opened: Open) -> None:
    source = "def test():\n    class A:\n        size = 1\n\n    class A:\n        size = 2\n"
    ask = opened(write(tmp_path, {"a.py": source}))
    assert ask("symbol_search", query="size").startswith("symbol_search size: 2 symbols")
    text = ask("find_references", symbol="a.py:3")
    assert "3: size = 1  [definition]" in text
    assert "6: size = 2  [definition]" in text


OVERLOADS = {
    "First.cs": "namespace N;\npartial class P { static int Get(int a) => 1; int A() => Get(1); }\n",
    "Second.cs": 'namespace N;\npartial class P { static int Get(string a) => 2; int B() => Get(""); }\n',
}


@pytest.mark.parametrize("symbol", ["First.cs:2:30", "Second.cs:2:30"])
def test_overloads_in_the_parts_of_a_type_are_one_symbol(symbol: str, tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, OVERLOADS))("find_references", symbol=symbol)
    assert "N.P.Get: 4 references in 2 files, complete" in text


def test_what_a_file_opens_is_seen_in_that_file_alone(tmp_path: Path, opened: Open) -> None:
    files = {
        "Far.cs": "namespace Far { class Thing { } }\n",
        "A.cs": "using Far;\nnamespace Near { class A { Thing one; } }\n",
        "B.cs": "namespace Near { class B { Thing one; } }\n",
    }
    assert "account: exact 2, undecided 1" in opened(write(tmp_path, files))("find_references", symbol="Far.Thing")


# Tiers


def test_a_member_of_what_may_be_from_outside_is_likely(tmp_path: Path, opened: Open) -> None:
    code = (
        "from zoo import Jar\n\n\nclass Box:\n    def __init__(self):\n        self.a = Box()\n"
        "        self.b = Jar()\n        self.b = Box()\n\n    def close(self):\n        self.a.close()\n"
        "        self.b.close()\n"
    )
    text = opened(write(tmp_path, {"a.py": code}))("find_references", symbol="Box.close")
    assert "exact 2, likely 1" in text
    assert "12: self.b.close()  [likely]" in text


def test_a_member_of_one_of_several_values_of_which_one_is_from_outside_is_likely(tmp_path: Path, opened: Open) -> None:
    code = (
        "interface Clock { now(): number }\nexport class Base {\n  constructor(private own: Clock | undefined) {}\n"
        "  time() {\n    return (this.own || Date).now() + (this.own || undefined).now() + this.own.now();\n  }\n}\n"
    )
    text = opened(write(tmp_path, {"a.ts": code}))("find_references", symbol="Clock.now")
    assert "exact 3, likely 1" in text


def test_a_member_of_a_local_name_that_is_given_something_unknown_too_is_likely(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Box:\n    def close(self): ...\n\n\ndef use(given):\n    box = given.open()\n    box.close()\n"
        "    box = Box()\n    box.close()\n    other = Box()\n    other.close()\n    other = Box()\n"
    )
    text = opened(write(tmp_path, {"a.py": code}))("find_references", symbol="Box.close")
    assert "exact 3, likely 1" in text
    assert "7: box.close()  [likely]" in text


ATTRIBUTES = """class Plain:
    def go(self): ...


class Fine:
    def go(self): ...


class Base:
    kind = Plain

    @classmethod
    def begin(cls):
        cls.shared = cls.kind()

    def set_up(self):
        self.own = Plain()

    def run(self):
        self.shared.go()
        self.own.go()


class Derived(Base):
    def set_up(self):
        self.own = Fine()

    def walk(self):
        self.shared.go()
        self.own.go()
"""


def test_what_a_method_gives_its_object_or_its_class_takes_the_place_of_what_a_base_gave_it(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, {"a.py": ATTRIBUTES}))
    plain, fine = (ask("find_references", symbol=f"{name}.go") for name in ("Plain", "Fine"))
    assert [line.partition(":")[0] for line in plain.splitlines() if line[:1].isdigit()] == ["2", "20", "21", "29"]
    assert [line.partition(":")[0] for line in fine.splitlines() if line[:1].isdigit()] == ["6", "30"]
    assert "exact 4" in plain
    assert "exact 2" in fine


def test_a_call_of_what_a_trait_declares_is_one_of_the_trait_and_likely_one_of_what_implements_it(
    tmp_path: Path, opened: Open
) -> None:
    code = "trait T { fn go(&self); }\nstruct A;\nimpl T for A { fn go(&self) {} }\nfn f(a: A) { a.go(); }\n"
    ask = opened(write(tmp_path, {"a.rs": code}))
    assert "exact 2" in ask("find_references", symbol="T.go")
    assert "exact 1, likely 1" in ask("find_references", symbol="A.go")
    assert ask("go_to_definition", symbol="a.rs:4:16").startswith("go_to_definition a.A.go")


KIND = "package a\n\ntype Kind int\n\nfunc (Kind) run() {}\n\n"


def test_a_constant_of_go_has_the_type_of_the_one_before_it_across_a_comment(tmp_path: Path, opened: Open) -> None:
    code = f"{KIND}const (\n\tOne Kind = iota\n\t// the second\n\tTwo\n)\n\nfunc main() {{ Two.run() }}\n"
    assert "exact 2" in opened(write(tmp_path, {"a.go": code}), patience=60.0)("find_references", symbol="Kind.run")


def test_a_group_of_very_many_constants_is_looked_into(tmp_path: Path, opened: Open) -> None:
    names = "\n".join(f"\tName{number}" for number in range(12_000))
    code = f"{KIND}const (\n\tFirst Kind = iota\n{names}\n)\n\nfunc main() {{ Name9.run() }}\n"
    assert "exact 2" in opened(write(tmp_path, {"a.go": code}), patience=60.0)("find_references", symbol="Kind.run")


CRATES = {
    "core/Cargo.toml": '[package]\nname = "acme-core"\n',
    "core/src/lib.rs": "pub fn total() -> u8 {\n    1\n}\n",
    "cli/Cargo.toml": '[package]\nname = "acme-cli"\n',
    "cli/src/main.rs": "use acme_core::total;\n\nfn main() {\n    total();\n}\n",
}


@pytest.mark.parametrize(
    ("manifest", "uses"),
    [
        ('[package]\nname = "acme-core"\n', 3),
        ('[package]\nname = "else"\n\n[lib]\nname = "acme_core"\npath = "./src/lib.rs"\n', 3),
        ('[package]\nname = "acme-other"\n', 1),
        ('[package]\nname = ["acme-core"]\n', 1),
        ('[workspace]\nmembers = ["core"]\n', 1),
        ("name = ", 1),
        ("a = " + "[" * 60_000, 1),
        ("\x00", 1),
    ],
)
def test_a_package_is_called_what_its_manifest_says(tmp_path: Path, opened: Open, manifest: str, uses: int) -> None:
    ask = opened(write(tmp_path, {**CRATES, "core/Cargo.toml": manifest}))
    assert f"{uses} reference" in ask("find_references", symbol="core/src/lib.rs:1")


def test_a_manifest_that_changes_is_read_again(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CRATES))
    assert "3 references" in ask("find_references", symbol="total")
    (tmp_path / "core/Cargo.toml").write_text('[package]\nname = "acme-renamed"\n')
    assert "1 reference," in ask("find_references", symbol="total")


@pytest.mark.parametrize(
    ("manifest", "uses"),
    [
        ('{"name": "@acme/core"}', 3),
        ('{"name": "@acme/core", "exports": {".": {"import": {"types": "./src/index.ts"}}}}', 3),
        ('{"name": "@acme/core", "main": ["no"], "exports": null}', 3),
        ('{"name": "@acme/other"}', 1),
        ('{"name": {"is": "@acme/core"}}', 1),
        ("[]", 1),
        ("{", 1),
        ("[" * 60_000, 1),
        ('{"name": "@acme/core", "x": "' + "x" * 70_000 + '"}', 1),
        ("\xff", 1),
    ],
)
def test_an_import_by_the_name_of_a_package_is_of_the_one_in_the_tree(
    tmp_path: Path, opened: Open, manifest: str, uses: int
) -> None:
    files = {
        "core/src/index.ts": "export function total(): number {\n  return 1;\n}\n",
        "app/main.ts": 'import { total } from "@acme/core";\ntotal();\n',
        "core/package.json": manifest,
    }
    ask = opened(write(tmp_path, files))
    assert f"{uses} reference" in ask("find_references", symbol="core/src/index.ts:1")


def _configured(options: object, **others: object) -> str:
    return json.dumps({"compilerOptions": options, **others})


_CORE = {"@core/*": ["./core/*"]}


@pytest.mark.parametrize(
    ("configuration", "uses"),
    [
        (_configured({"paths": _CORE}), 3),
        (_configured({"paths": {"@core/*": ["./gone/*", "core/*"], "@*": ["gone/*"]}}), 3),
        (_configured({"paths": {"@core/total": ["./core/total.ts"], "@core/*": ["gone/*"]}}), 3),
        ('// all of it\n{"compilerOptions": {"paths": {"@core/*": ["./core/*",],},},}', 3),
        (_configured({}, extends="./base"), 3),
        (_configured({}, extends=["./gone.json", "./base.json"]), 3),
        (_configured({}, references=[{"path": "./base.json"}]), 3),
        (_configured({"baseUrl": "./other"}, extends="./base"), 1),
        (_configured({"paths": {}}, extends="./base"), 1),
        (_configured({}, extends="./tsconfig.json"), 1),
        (_configured({"paths": {"@core/*": "./core/*"}}), 1),
        (_configured({"paths": {"@core/*": ["../../core/*"]}}), 1),
        (_configured({"paths": ["@core/*"], "baseUrl": 1}, extends=None, references={}), 1),
        ("{", 1),
        ("[" * 60_000, 1),
        ("\xff", 1),
    ],
)
def test_an_import_leads_where_the_configuration_of_the_compiler_says(
    tmp_path: Path, opened: Open, configuration: str, uses: int
) -> None:
    files = {
        "core/total.ts": "export function total(): number {\n  return 1;\n}\n",
        "app/main.ts": 'import { total } from "@core/total";\ntotal();\n',
        "tsconfig.json": configuration,
        "base.json": _configured({"paths": _CORE}),
    }
    ask = opened(write(tmp_path, files))
    assert f"{uses} reference" in ask("find_references", symbol="core/total.ts:1", tier="exact")


DECLARED = {
    "a.h": "class A {\npublic:\n    void f(int x);\n};\n",
    "a.cpp": '#include "a.h"\nvoid A::f(int x) {\n    f(1);\n}\n',
    "main.cpp": '#include "a.h"\nint main() {\n    A a;\n    a.f(2);\n}\n',
}


@pytest.mark.parametrize("symbol", ["f", "A.f", "a.h:3", "a.cpp:2"])
def test_a_member_that_is_declared_in_one_file_and_defined_in_another_is_one_symbol(
    symbol: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, DECLARED))
    assert "A.f: 4 references in 3 files, complete" in ask("find_references", symbol=symbol)
    assert "main.cpp:4 main" in ask("call_hierarchy", symbol=symbol)


def test_members_of_classes_that_know_nothing_of_each_other_are_several_symbols(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {**DECLARED, "b.cpp": "class A {\n    void f(int x) {}\n};\n"}))
    text = ask("find_references", symbol="A.f")
    assert "A.f (2 symbols): 5 references in 4 files, complete" in text.splitlines()[0]
    assert "A.f a.cpp:2: 4 references\nA.f b.cpp:2: 1 reference\n" in text


CHAINS = {
    "a.rs": "struct Cmd;\nimpl Cmd {{\n    fn arg(self) -> Cmd {{ self }}\n    fn go(self) {{}}\n}}\n\n"
    "fn main() {{\n    Cmd{}.go();\n}}\n",
    "a.py": "class Cmd:\n    def arg(self) -> 'Cmd':\n        return self\n\n    def go(self): ...\n\n\nCmd(){}.go()\n",
    "a.ts": "class Cmd {{\n  arg(): Cmd {{ return this; }}\n  go() {{}}\n}}\nnew Cmd(){}.go();\n",
    "A.java": "class Cmd {{\n  Cmd arg() {{ return this; }}\n  void go() {{}}\n"
    "  static void main() {{ new Cmd(){}.go(); }}\n}}\n",
}


@pytest.mark.parametrize("path", CHAINS)
def test_a_long_chain_of_calls_is_examined(tmp_path: Path, opened: Open, path: str) -> None:
    ask = opened(write(tmp_path, {path: CHAINS[path].format(".arg()" * 40)}), patience=60.0)
    text = ask("find_references", symbol="Cmd.go")
    assert "not examined" not in text
    assert "complete" in text.splitlines()[0]


def test_uses_of_a_type_in_the_functions_of_a_class_are_resolved_once(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = "".join(f"    int m{number}(Basket a) {{ Basket b = a; return 0; }}\n" for number in range(20))
    files = {"Basket.java": "class Basket {}\n", "User.java": f"class User {{\n{methods}}}\n"}
    ask = opened(write(tmp_path, files))
    resolved: list[str] = []
    resolve = Resolver.resolve

    def count(resolver: Resolver, path: str, name: str, use: Use) -> Sequence[Resolution]:
        resolved.append(path)
        return resolve(resolver, path, name, use)

    monkeypatch.setattr(Resolver, "resolve", count)
    assert "41 uses on 21 lines" in ask("find_references", symbol="Basket", max_tokens=4_000)
    assert resolved.count("User.java") < 5


_HEIRS = 12


@pytest.fixture
def heirs(tmp_path: Path, opened: Open) -> Asking:
    """Return classes that name a type: some inherit another one of that name, over another class or in a function."""
    local = (
        "class Local {\n    void run() {\n        class Base { class Name {} }\n"
        "        class Sub extends Base { Name inner; }\n    }\n    Name outer;\n}\n"
    )
    files = {
        "Name.java": "class Name {}\n",
        "Plain.java": "class Plain {}\n",
        "Holder.java": "class Holder { static class Name {} }\n",
        "Middle.java": "class Middle extends Holder {}\n",
        "ZLocal.java": local,
        **{f"Plain{n}.java": f"class Plain{n} extends Plain {{ Name own; }}\n" for n in range(_HEIRS)},
        **{f"Heir{n}.java": f"class Heir{n} extends Middle {{ Name inherited; }}\n" for n in range(_HEIRS)},
    }
    return opened(write(tmp_path, files))


def test_a_type_that_a_class_inherits_is_meant_by_its_name(heirs: Asking) -> None:
    text = heirs("find_references", symbol="Name.java:1:7", max_tokens=4_000)
    assert f"{_HEIRS + 2} references" in text
    assert "inherited" not in text
    assert "inner" not in text
    assert f"{_HEIRS + 1} references" in heirs("find_references", symbol="Holder.Name", max_tokens=4_000)


def test_bases_are_not_evaluated_for_each_class_that_inherits_no_type_of_the_name(
    heirs: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[str] = []
    mro = Inheritance.mro

    def note(inheritance: Inheritance, type_: Type) -> tuple[Type, ...]:
        evaluated.append(str(getattr(type_.origin, "name", "")))
        return mro(inheritance, type_)

    monkeypatch.setattr(Inheritance, "mro", note)
    heirs("find_references", symbol="Name.java:1:7")
    assert len({name for name in evaluated if name.startswith("Plain") and name != "Plain"}) < _HEIRS


def test_the_files_of_a_package_are_put_in_order_once_for_those_of_a_folder(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = {f"shop/User{n}.java": f"package shop;\nclass User{n} {{ Basket own; }}\n" for n in range(20)}
    files = {"shop/Basket.kt": "package shop\n\nclass Basket\n", **users}
    ask = opened(write(tmp_path, files))
    ordered: list[str] = []
    nearest_first = module_files._nearest_first

    def note(importer: str, found: Sequence[str]) -> Sequence[str]:
        ordered.append(importer)
        return nearest_first(importer, found)

    monkeypatch.setattr(module_files, "_nearest_first", note)
    assert "21 references in 21 files" in ask("find_references", symbol="Basket", max_tokens=4_000)
    assert len(ordered) < 5
