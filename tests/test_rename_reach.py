"""What a language hides from other files is not looked for in them, and is not renamed with what is called like it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import Asking, Open, late_facts, write
from leadline_server.call import Request
from leadline_tools.index.facts.file_facts import Fetched, FileFacts
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.questions.names import Names, NameSearchResult, Wanted
from leadline_tools.patience import Patience
from leadline_tools.resolve.rename import mentions
from leadline_tools.resolve.rename.mentions import MOST

Start = Callable[..., Asking]


@pytest.fixture
def start(tmp_path: Path, opened: Open) -> Start:
    """Open a session that may write on a tree of some files."""

    def begin(files: Mapping[str, str]) -> Asking:
        return opened(write(tmp_path / "root", dict(files)), cache=tmp_path / "cache", allow_edits=True)

    return begin


def text_of(asking: Asking, path: str) -> str:
    return (asking.session.index.root / path).read_text(encoding="utf-8")


ELSEWHERE = {
    "go": ("sub/b.go", "package sub\n\nfunc g(x t) int { return x.hidden() }\n"),
    "java": ("q/B.java", "package q; class B { int g(Object x) { return hidden(x); } }\n"),
    "kotlin": ("sub/b.kt", "package sub\n\nfun g(x: Any) = hidden(x)\n"),
    "csharp": ("B.cs", "class B { int G(object x) { return hidden(x); } }\n"),
    "php": ("b.php", "<?php\nfunction g($x) { return $x->hidden(); }\n"),
    "swift": ("other/b.swift", "func g(x: Any) { hidden(x) }\n"),
    "scala": ("b.scala", "object B { def g(x: Any) = hidden(x) }\n"),
    "typescript": ("b.ts", "export class B { #hidden() { return 2; } g(x) { return x.#hidden(); } }\n"),
    "c": ("b.c", "int g(void) { return hidden(); }\n"),
    "cpp": ("b.cpp", "int g() { return hidden(); }\n"),
}
"""A file of each language that has the name, and cannot mean what hides it."""

HIDING = {
    "go": ("a.go", "package a\n\ntype t struct{}\n\nfunc (x t) hidden() int { return 1 }\n\nvar one = t{}.hidden()\n"),
    "java": ("p/A.java", "package p; class A { private int hidden() { return 1; } int f() { return hidden(); } }\n"),
    "kotlin": ("a.kt", "private fun hidden() = 1\nfun f() = hidden()\n"),
    "csharp": ("A.cs", "class A { private int hidden() { return 1; } int F() { return hidden(); } }\n"),
    "php": (
        "a.php",
        "<?php\nclass A { private function hidden() { } function f() { $this->hidden(); } }\n",
    ),
    "swift": ("a.swift", "fileprivate func hidden() -> Int { return 1 }\nfunc f() -> Int { return hidden() }\n"),
    "scala": ("a.scala", "object A { private def hidden() = 1; def f() = hidden() }\n"),
    "typescript": ("a.ts", "export class A { #hidden() { return 1; } f() { return this.#hidden(); } }\n"),
    "c": ("a.c", "static int hidden(void) { return 1; }\nint f(void) { return hidden(); }\n"),
    "cpp": ("a.cpp", "static int hidden() { return 1; }\nint f() { return hidden(); }\n"),
}


@pytest.fixture
def looked_into(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the files of which facts were asked for so far."""
    asked: set[str] = set()
    fetch = FileFacts.fetch

    def noted(facts: FileFacts, paths: Iterable[str], until: float = 0.0, name: str = "") -> Fetched:
        wanted = list(paths)
        asked.update(wanted)
        return fetch(facts, wanted, until, name)

    monkeypatch.setattr(FileFacts, "fetch", noted)
    return asked


@pytest.mark.parametrize("language", HIDING)
def test_a_file_that_cannot_see_a_name_is_not_looked_into(start: Start, looked_into: set[str], language: str) -> None:
    (home, code), (other, text) = HIDING[language], ELSEWHERE[language]
    asking = start({home: code, other: text})
    line = next(number for number, row in enumerate(code.split("\n"), 1) if "hidden" in row)
    answer = asking("rename_symbol", symbol=f"{home}:{line}:{hidden_at(code)}", new_name=fresh(language), apply=True)
    assert text_of(asking, home) == code.replace("hidden", "fresh")
    assert text_of(asking, other) == text
    assert "decide" not in answer
    assert other not in looked_into


STRUCTURE = "struct s { int hidden; };\nint f(struct s *x) { return x->hidden; }\n"
MEMBER = "int g(struct s *x) { return x->hidden; }\n"


def test_a_member_of_a_type_in_a_source_file_is_looked_for_in_no_other(start: Start, looked_into: set[str]) -> None:
    asking = start({"a.c": STRUCTURE, "b.c": MEMBER, "a.cpp": STRUCTURE, "b.cpp": MEMBER})
    for home in ("a.c", "a.cpp"):
        assert "2 references, complete" in asking("find_references", symbol=f"{home}:1:16")
    assert looked_into.isdisjoint({"b.c", "b.cpp"})


def test_a_macro_of_a_source_file_is_looked_for_in_what_that_takes_in_and_in_no_other(
    start: Start, looked_into: set[str]
) -> None:
    macro = "#define hidden 1\n"
    asking = start({"a.c": f'{macro}#include "a.h"\n', "a.h": "int f = hidden;\n", "b.c": "int g = hidden;\n"})
    assert "2 references in 2 files, complete" in asking("find_references", symbol="a.c:1:9")
    assert "a.h" in looked_into
    assert "b.c" not in looked_into


def test_a_member_of_a_type_in_a_header_is_looked_for_where_that_is_taken_in(
    start: Start, looked_into: set[str]
) -> None:
    seeing = {"b.h": '#include "a.h"\n', "c.c": f'#include "b.h"\n{MEMBER}'}
    asking = start(
        {"a.h": STRUCTURE, **seeing, "d.c": MEMBER, "sub/a.h": STRUCTURE, "sub/e.c": f'#include "a.h"\n{MEMBER}'}
    )
    answer = asking("find_references", symbol="a.h:1:16")
    assert "3 references in 2 files, complete" in answer
    assert "c.c" in answer
    assert looked_into.isdisjoint({"d.c", "sub/e.c"})


def test_a_header_that_comes_nearer_is_the_one_that_is_taken_in(start: Start) -> None:
    files = {"x/a.h": STRUCTURE, "y/a.h": STRUCTURE, "x/b/c.c": f"#include <a.h>\n{MEMBER}"}
    asking = start(files)
    assert "3 references in 2 files, complete" in asking("find_references", symbol="x/a.h:1:16")
    (asking.session.index.root / "x/b/a.h").write_text(STRUCTURE)
    assert "2 references, complete" in asking("find_references", symbol="x/a.h:1:16")
    assert "3 references in 2 files, complete" in asking("find_references", symbol="x/b/a.h:1:16")


def test_a_header_without_an_extension_takes_in_what_it_says(start: Start) -> None:
    whole = {"eigen/Core": '#include "src/Matrix.h"\n', "eigen/src/Matrix.h": STRUCTURE}
    user = f"#include <eigen/Core>\n{MEMBER}"
    asking = start(
        {
            **whole,
            "eigen/src/Block.h": '#include "Matrix.h"\nint h(struct s *x) { return x->hidden; }\n',
            "a.cpp": user,
        }
    )
    answer = asking("find_references", symbol="eigen/src/Matrix.h:1:16")
    assert "4 references in 3 files, complete" in answer
    assert "exact 4" in answer


TAKING_IN = {
    "a file that takes it in": {"a.c": STRUCTURE, "b.c": f'#include "a.c"\n{MEMBER}'},
    "a file that it takes in": {"a.c": f'{STRUCTURE}#include "t.h"\n', "t.h": MEMBER},
    "a header": {"a.h": STRUCTURE, "b.c": f'#include "a.h"\n{MEMBER}'},
    "a header that nothing is known to take in": {"a.h": STRUCTURE, "b.c": MEMBER},
    "what relies on whoever takes both in": {
        "a.h": STRUCTURE,
        "b.h": MEMBER,
        "c.c": '#include "a.h"\n#include "b.h"\n',
    },
    "a file that spells its name otherwise": {
        "a.h": STRUCTURE,
        "b.c": f'#include "A.h"\n{MEMBER}',
        "x/A.h": "",
        "c.c": '#include "a.h"\n',
    },
    "a module": {"a.cpp": f"{STRUCTURE}export module a;\n", "b.cpp": f"import a;\n{MEMBER}"},
}


@pytest.mark.parametrize("case", TAKING_IN)
def test_a_member_of_a_type_is_looked_for_where_its_file_may_be_seen(
    start: Start, looked_into: set[str], case: str
) -> None:
    home, other, *_ = TAKING_IN[case]
    asking = start(TAKING_IN[case])
    asking("find_references", symbol=f"{home}:1:16")
    assert other in looked_into


def hidden_at(code: str) -> int:
    """Return the column of the name in the line that declares it."""
    row = next(row for row in code.split("\n") if "hidden" in row)
    return row.index("hidden") + 1


def fresh(language: str) -> str:
    return "#fresh" if language == "typescript" else "fresh"


SEEN = {
    "Sources/A/a.swift": ("public class A { public private(set) var @hidden = 1 }\n", "Sources/A/b.swift"),
    "a.scala": ("package a\nclass A { private[a] def @hidden = 1 }\n", "b.scala"),
    "a.cs": ("class A { private protected int @hidden; }\n", "b.cs"),
    "a.php": ("<?php\ntrait A { private function @hidden() { return 1; } }\n", "b.php"),
    "a.h": ("static inline int @hidden(void) { return 1; }\n", "b.c"),
}
OUTSIDE = {
    "Sources/A/b.swift": "func g(a: A) -> Int { return a.hidden }\n",
    "b.scala": "package a\nobject B { def g(a: A) = a.hidden }\n",
    "b.cs": "class B : A { int G() { return hidden; } }\n",
    "b.php": "<?php\nclass B { use A; function g() { return $this->hidden(); } }\n",
    "b.c": '#include "a.h"\nint g(void) { return hidden(); }\n',
}


@pytest.mark.parametrize("home", SEEN)
def test_what_other_files_see_in_spite_of_the_word_is_renamed_there(start: Start, home: str) -> None:
    (code, other) = SEEN[home]
    line, column = next((n, row.index("@") + 1) for n, row in enumerate(code.split("\n"), 1) if "@" in row)
    asking = start({home: code.replace("@", ""), other: OUTSIDE[other]})
    asking("rename_symbol", symbol=f"{home}:{line}:{column}", new_name="fresh", apply=True)
    assert text_of(asking, other) == OUTSIDE[other].replace("hidden", "fresh")


def test_what_is_inherited_is_known_after_it_was_asked_what_inherits(start: Start) -> None:
    asking = start({"a.cs": "class A { protected int kept; }\n", "b.cs": "class B : A { int G() { return kept; } }\n"})
    asking("find_implementations", symbol="A")
    assert "exact 2" in asking("find_references", symbol="A.kept")


def test_a_part_of_a_type_in_another_file_sees_what_is_private(start: Start) -> None:
    parts = {
        "A.cs": "partial class A { private int hidden = 1; }\n",
        "B.cs": "partial class A { int G() { return hidden; } }\n",
    }
    asking = start(parts)
    asking("rename_symbol", symbol="A.hidden", new_name="fresh", apply=True)
    assert text_of(asking, "B.cs") == parts["B.cs"].replace("hidden", "fresh")


def test_a_private_method_is_not_overridden_by_one_of_its_name(start: Start) -> None:
    files = {
        "A.java": "class A { private int run() { return 1; } int f() { return run(); } }\n",
        "B.java": "class B extends A { int run() { return 2; } }\n",
    }
    asking = start(files)
    asking("rename_symbol", symbol="A.run", new_name="start", apply=True)
    assert text_of(asking, "A.java") == files["A.java"].replace("run", "start")
    assert text_of(asking, "B.java") == files["B.java"]


GO = {
    "go.mod": "module example.com/m\n",
    "shop/shop.go": "package shop\n\nfunc Total() int { return 1 }\n",
    "user/user.go": 'package user\n\nimport "example.com/m/shop"\n\nvar one = shop.Total()\n',
    "other/other.go": "package other\n\nfunc f(x T) int { return x.Total() }\n",
}


def test_an_exported_function_of_go_is_looked_for_where_its_package_is_imported(
    start: Start, looked_into: set[str]
) -> None:
    asking = start(GO)
    asking("rename_symbol", symbol="shop.Total", new_name="Sum", apply=True)
    assert "shop.Sum()" in text_of(asking, "user/user.go")
    assert "other/other.go" not in looked_into


def test_what_is_generated_is_refused_before_anything_is_looked_for(start: Start, looked_into: set[str]) -> None:
    asking = start({"a.go": "// Code generated by x. DO NOT EDIT.\n\npackage a\n\nfunc F() {}\n"})
    assert "it is generated" in asking.error("rename_symbol", symbol="a.go:5", new_name="G", apply=True)
    assert not looked_into


FITTING = {
    "a.go": (
        "package a\n\n"
        "type Runner interface{ Run(a, b int) (int, error) }\n\n"
        "type Engine struct{}\n\n"
        "func (e Engine) Run(int, int) (n int, err error) { return 1, nil }\n\n"
        "type Car struct{ Engine }\n\n"
        "var _ Runner = Car{}\n"
    ),
    "b.go": (
        "package a\n\n"
        "type Other struct{}\n\n"
        "func (o Other) Run() {}\n\n"
        "type Field struct{ Run func(a, b int) (int, error) }\n"
    ),
}


@pytest.mark.parametrize("symbol", ["Runner.Run", "Engine.Run"])
def test_what_makes_a_go_type_fit_an_interface_is_renamed_with_it(start: Start, symbol: str) -> None:
    asking = start(FITTING)
    asking("rename_symbol", symbol=symbol, new_name="Go", apply=True)
    assert text_of(asking, "a.go").count("Go(") == 2
    assert text_of(asking, "b.go") == FITTING["b.go"]


def test_a_method_that_an_interface_gets_from_an_embedded_type_is_renamed_with_it(start: Start) -> None:
    parts = FITTING["a.go"].replace("type Runner", "type Stopper interface{ Stop() }\n\ntype Runner")
    parts = parts.replace("Run(a, b int) (int, error) }", "Run(a, b int) (int, error); Stop() }")
    parts += "\nfunc (c Car) Stop() {}\n"
    asking = start({"a.go": parts})
    asking("rename_symbol", symbol="Engine.Run", new_name="Go", apply=True)
    assert text_of(asking, "a.go") == parts.replace("Run(", "Go(")


def test_a_method_is_not_renamed_while_it_is_not_known_who_has_one_of_its_name(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = start(FITTING)
    exact = Names.exact

    def behind(names: Names, name: str, wanted: Wanted = Wanted()) -> NameSearchResult:  # noqa: B008
        return exact(names, name, wanted)._replace(more=frozenset(Match))

    monkeypatch.setattr(Names, "exact", behind)
    refused = asking.error("rename_symbol", symbol="a.go:7:17", new_name="Go", apply=True)
    assert "not examined in time, ask again" in refused
    assert text_of(asking, "a.go") == FITTING["a.go"]


def test_a_method_that_hides_that_of_an_embedded_type_keeps_its_name(start: Start) -> None:
    code = (
        "package a\n\n"
        "type Engine struct{}\n\n"
        "func (e Engine) Run() {}\n\n"
        "type Car struct{ Engine }\n\n"
        "func (c Car) Run() { c.Engine.Run() }\n"
    )
    asking = start({"a.go": code})
    asking("rename_symbol", symbol="Engine.Run", new_name="Turn", apply=True)
    changed = code.replace("(e Engine) Run", "(e Engine) Turn").replace("Engine.Run()", "Engine.Turn()")
    assert text_of(asking, "a.go") == changed


def test_an_embedded_field_is_called_like_its_type(start: Start) -> None:
    files = {
        "a.go": "package a\n\ntype env struct{ depth int }\n\ntype Checker struct{ *env }\n",
        "b.go": "package a\n\nfunc (c *Checker) f() {\n\tc.env = &env{1}\n\t_ = Checker{env: c.env}.depth\n}\n",
        "c.go": "package a\n\ntype other struct{ env int }\n\nfunc g(o other) int { return o.env }\n",
    }
    asking = start(files)
    asking("rename_symbol", symbol="a.go:3", new_name="scope", apply=True)
    assert text_of(asking, "b.go") == files["b.go"].replace("env", "scope")
    assert text_of(asking, "c.go") == files["c.go"]


LINKED = {
    "assembly": ("a.go", "package a\n\nfunc add(x int) int\n", "a.s", "TEXT \u00b7add(SB), 0, $0-16\n    RET\n"),
    "directive": ("a.go", "package a\n\n//go:linkname add runtime.add\nfunc add(x int) int\n", "b.txt", "\n"),
    "elsewhere": (
        "a.go",
        "package a\n\nfunc add() {}\n",
        "b/b.go",
        "package b\n\n//go:linkname sum m/a.add\nfunc sum()\n",
    ),
}


@pytest.mark.parametrize("how", LINKED)
def test_what_is_linked_under_its_name_by_what_is_no_code_is_refused(start: Start, how: str) -> None:
    home, code, other, text = LINKED[how]
    asking = start({home: code, other: text, "README.md": "\u00b7 add\n"})
    refused = asking.error("rename_symbol", symbol="add", new_name="sum2", apply=True)
    assert "it is linked by that name" in refused
    assert text_of(asking, home) == code


def test_what_is_only_written_about_is_renamed(start: Start) -> None:
    asking = start({"a.go": "package a\n\n// add adds.\nfunc add() {}\n", "README.md": "\u00b7 add\n"})
    assert "not changed: 2 mentions" in asking("rename_symbol", symbol="add", new_name="sum", apply=True)


def test_a_rename_says_why_mentions_may_be_missing(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = start({"a.go": "package a\n\nfunc add() {}\n", "README.md": "add\n" * (MOST + 1), "more.md": "add\n"})
    answer = asking("rename_symbol", symbol="add", new_name="sum")
    assert f"not changed: >={MOST} mentions, the first of them listed" in answer
    monkeypatch.setattr(mentions, "LEAST_SECONDS", 0.0)
    request = Request("rename_symbol", {"symbol": "add", "new_name": "sum"}, patience=Patience(0))
    assert "texts of 3 files not searched in time, ask again" in asking.session.call(request).text
    assert not json.loads(asking.session.call(replace(request, as_json=True)).text)["complete"]


def test_of_a_file_that_is_not_understood_in_time_it_is_not_said_that_nothing_stands_there(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = start({"a.py": "def f():\n    pass\n\n\nf()\n"})
    late_facts(monkeypatch, lambda _path: True)
    assert "The names in 'a.py' were not resolved in time. Ask again" in asking.error(
        "go_to_definition", symbol="a.py:5"
    )


def test_a_name_that_rests_on_a_file_which_is_not_understood_in_time_is_not_said_to_come_from_outside(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = {"a.py": "class A:\n    def f(self): ...\n", "b.py": "from a import A\n\nA().f()\n"}
    asking = start({**code, "c.py": "class C:\n    def f(self): ...\n"})
    late_facts(monkeypatch, lambda path: path == "a.py")
    assert "The names in 'b.py' were not resolved in time. Ask again" in asking.error(
        "go_to_definition", symbol="b.py:3:5"
    )


def test_a_file_that_declares_methods_of_a_type_is_not_asked_who_embeds_it(start: Start, looked_into: set[str]) -> None:
    files = {
        "a.go": "package a\n\ntype Base struct{ depth int }\n",
        "b.go": "package a\n\nfunc (b *Base) run(other *Base, more ...Base) Base { return Base{} }\n",
    }
    embedding = ["struct {\n\t*Base // here\n}", "struct{ Base }", "struct {\n\tBase `json`\n}", "Base"]
    files |= {f"c{n}.go": f"package a\n\ntype C{n} {how}\n" for n, how in enumerate(embedding)}
    files["d.go"] = "package a\n\ntype (\n\tone int\n\tC4 Base\n)\n"
    files["e.go"] = "package a\n\ntype C5 interface {\n\t~int | Base\n}\n"
    asking = start(files)
    shown = asking("find_implementations", symbol="Base", detail="lean")
    assert [f"C{n}" in shown for n in range(5)] == [True] * 5
    assert "b.go" not in looked_into


@pytest.mark.parametrize("path", ["user/user_test.go", "main.go"])
def test_what_nobody_can_import_fits_an_interface_of_another_package(start: Start, path: str) -> None:
    package = "main" if path == "main.go" else "user"
    files = {
        "io/io.go": "package io\n\ntype Closer interface{ Close() error }\n",
        path: f"package {package}\n\ntype File struct{{}}\n\nfunc (f File) Close() error {{ return nil }}\n",
    }
    asking = start(files)
    asking("rename_symbol", symbol=f"{path}:5:15", new_name="End", apply=True)
    assert "Closer interface{ End() error }" in text_of(asking, "io/io.go")


def test_an_interface_with_an_unexported_method_is_not_fitted_from_another_package(start: Start) -> None:
    files = {
        "io/io.go": "package io\n\ntype Closer interface{ Close() error; close() }\n",
        "user/user.go": (
            "package user\n\ntype File struct{}\n\n"
            "func (f File) Close() error { return nil }\n\nfunc (f File) close() {}\n"
        ),
    }
    asking = start(files)
    asking("rename_symbol", symbol="File.Close", new_name="End", apply=True)
    assert text_of(asking, "io/io.go") == files["io/io.go"]


def test_a_rename_lists_the_keys_that_a_type_from_outside_may_take_from_the_renamed_one(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "flags.ts": "export const FLAGS = { dark: { on: true } } as const\nexport type Name = keyof typeof FLAGS\n",
        "app.ts": (
            'import type { Name } from "./flags"\n'
            "export interface Options { overrides: Partial<Record<Name, boolean>> }\n"
            "const options: Options = { overrides: { dark: false } }\n"
        ),
    }
    shown = opened(write(tmp_path, files))("rename_symbol", symbol="flags.ts:1:24", new_name="night")
    assert "other types keep one of the old name: app.ts:3" in shown
