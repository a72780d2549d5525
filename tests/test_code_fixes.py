"""Diagnostics are exact and say what they rest on; the fixes that are chosen change what they say, and nothing else."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.diagnostics import ruff
from leadline_tools.diagnostics.choice import mended
from leadline_tools.diagnostics.text_positions import TextPositions
from leadline_tools.edits.plan import Edit
from leadline_tools.index.tree import mirror
from leadline_tools.languages import LANGUAGES
from leadline_tools.languages.structural import knows, literals, matches
from leadline_tools.navigation import apply_code_fix

TOOL = "apply_code_fix"

Files = dict[str, str]
Start = Callable[..., Asking]

posix = pytest.mark.skipif(os.name == "nt", reason="a link or a script of POSIX")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer depends on how busy the machine is."""
    monkeypatch.setattr(apply_code_fix, "SECONDS", 120.0)


@pytest.fixture
def start(opened: Open, tmp_path: Path) -> Start:
    """Open a session on files; what is written is allowed."""

    def on(files: Files, **options: object) -> Asking:
        root = write(tmp_path / "root", files)
        return opened(root, cache=tmp_path / "cache", **{"allow_edits": True, **options})

    return on


def found(ask: Asking, **arguments: object) -> list[dict[str, Any]]:
    """Return the diagnostics of an answer as JSON objects."""
    answer = ask.session.call(Request(TOOL, {**arguments, "max_tokens": 9_000}, as_json=True))
    assert not answer.is_error, answer.text
    page = json.loads(answer.text)
    assert page["complete"]
    return list(page["items"])


def on_offer(ask: Asking, code: str, **arguments: object) -> str:
    """Return the id of the first fix of a code."""
    ids = (fix["id"] for one in found(ask, **arguments) if one["code"] == code for fix in one["fixes"])
    return str(next(ids))


# Syntax errors

FAULTS = {
    "bash": ("a.sh", "if [ x ]; then\n  echo\n", (3, 1), "`fi` is missing"),
    "c": ("a.c", "int f(int a { return a; }\n", (1, 12), "`)` is missing"),
    "cpp": ("a.cpp", "int main() {\n  foo(1;\n}\n", (2, 8), "`)` is missing"),
    "csharp": ("a.cs", "class A { void F() { Foo(1; } }\n", (1, 27), "`)` is missing"),
    "css": ("a.css", "a { color: red; b {\n", (1, 3), "`{` is never closed"),
    "dart": ("a.dart", "void f() {\n  print(1;\n}\n", (2, 10), "`)` is missing"),
    "dockerfile": ("Dockerfile", "FROM a\nCOPY\n", (2, 1), "COPY"),
    "elixir": ("a.ex", "defmodule A do\n  def f(x do\n    x\n  end\nend\n", (5, 1), "`)` is missing"),
    "go": ("a.go", "package a\n\nfunc f() {\n\tx := 1 +\n}\n", (4, 9), "unexpected `+`"),
    "haskell": ("A.hs", "f = (1 +\n", (1, 5), "`(`"),
    "hcl": ("a.tf", 'variable "a" {\n  default = [1\n}\n', (3, 1), "`]` is missing"),
    "html": ("a.html", "<div class='a>x</div>\n", (1, 1), "is not complete"),
    "java": ("A.java", "class A {\n  void f() { int x = 1 }\n}\n", (2, 23), "`;` is missing"),
    "javascript": ("a.js", "const é = [1, 2;\n", (1, 16), "`]` is missing"),
    "json": ("a.json", '{"a": 1,}\n', (1, 8), "unexpected `,`"),
    "julia": ("a.jl", "function f(x\n  x\nend\n", (1, 11), "`(`"),
    "kotlin": ("a.kt", "fun f( {\n val x = 1\n}\n", (1, 6), "`(` is never closed"),
    "lua": ("a.lua", "if x then\n y()\n", (1, 1), "`if x then` is not complete"),
    "make": ("Makefile", "ifeq (a,b\nX = 1\nendif\n", (1, 6), "`(`"),
    "objc": ("a.m", "@interface A\n- (void)go\n@end\n", (2, 11), "`;` is missing"),
    "perl": ("a.pl", "sub f {\n  my $x = (1;\n}\n", (2, 13), "`)` is missing"),
    "php": ("a.php", "<?php\nfunction f() {\n  echo 1\n}\n", (3, 9), "`;` is missing"),
    "python": ("a.py", "x = 1\nfor i in x print(i)\n", (2, 12), "Expected"),
    "ruby": ("a.rb", "def f\n  puts 1\n", (1, 1), "`def f` is not complete"),
    "rust": ("a.rs", "fn main() {\n    let x = 5\n    let y = 6;\n}\n", (2, 14), "`;` is missing"),
    "scala": ("a.scala", "object A {\n def f( = 1\n}\n", (2, 7), "`(` is never closed"),
    "sql": ("a.sql", "CREATE TABLE a (\n  id INT\n;\n", (2, 9), "`)` is missing"),
    "swift": ("a.swift", "func f( {\n}\n", (1, 8), "`)` is missing"),
    "toml": ("a.toml", "b = 1\na =\n", (2, 1), "`a =`"),
    "tsx": ("a.tsx", "const a = <p>x</p;\n", (1, 18), "`>`"),
    "typescript": ("a.ts", "function f(a: string { }\n", (1, 21), "`)` is missing"),
    "yaml": ("a.yaml", "a: [1, 2\nb: 3\n", (1, 4), "`[` is never closed"),
    "zig": ("a.zig", "fn f() void {\n    g(1;\n}\n", (2, 8), "`)` is missing"),
}
"""By language: a file, its text, where it is wrong, and what is said of it."""


def test_every_language_that_can_be_wrong_is_among_the_examples() -> None:
    assert set(FAULTS) == LANGUAGES.keys() - {"markdown"}


@pytest.fixture(scope="module")
def faulty(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    """Ask about a file of each language with one mistake in it."""
    files = {f"{language}/{name}": text for language, (name, text, _, _) in FAULTS.items()}
    return opened(write(tmp_path_factory.mktemp("faulty"), files))


def test_code_that_a_directive_cuts_apart_is_no_syntax_error(start: Start) -> None:
    code = "class C {\n  void F(int a\n#if X\n    , int b\n#endif\n  ) { int c = ; }\n}\n"
    assert [(one["line"], one["code"]) for one in found(start({"a.cs": code}))] == [(6, "syntax")]


@pytest.mark.parametrize("language", FAULTS)
def test_a_syntax_error_is_told_where_it_shows(faulty: Asking, language: str) -> None:
    name, _, place, said = FAULTS[language]
    (one,) = [one for one in found(faulty, path=f"{language}/{name}") if one["code"] in {"syntax", ruff.SYNTAX}]
    assert ((one["line"], one["column"]), said in one["message"]) == (place, True), one["message"]
    assert (one["end_line"], one["end_column"]) >= place


def test_a_folder_tells_the_errors_of_all_its_files_and_which_checker_looked(faulty: Asking) -> None:
    listed = found(faulty)
    assert {one["path"].partition("/")[0] for one in listed} == set(FAULTS)
    text = faulty(TOOL, max_tokens=9_000)
    assert f"files checked: ruff 1, syntax {len(FAULTS) - 1}" in text
    assert f"{len(listed)} diagnostics in {len(FAULTS)} files, complete" in text


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        (
            "a.go",
            "package a\n\nfunc f() {\n\tif x {\n\t\ty()\n}\n\nfunc g() {\n}\n",
            "the `{` of line 4 is never closed",
        ),
        ("a.c", "int f() {\n  if (a) {\n    b();\n  c();\n}\nint g() { return 1; }\n", "`{` of line 2 is never"),
        ("a.js", "f();\n}\n", "`}` closes nothing"),
    ],
)
def test_a_bracket_that_is_not_closed_is_found_by_the_indentation(
    start: Start, path: str, text: str, said: str
) -> None:
    assert any(said in one["message"] for one in found(start({path: text})))


def test_what_is_no_code_gives_few_diagnostics_and_an_exact_total(start: Start) -> None:
    ask = start({"a.js": "%%% ((( }}} \x01 @@@ ;;; ]]] \n" * 3_000, "b.json": "{" * 50_000})
    text = ask(TOOL, max_tokens=300)
    total = int(re.search(r"of (>=)?([\d,]+) diag", text)[2].replace(",", ""))  # type: ignore[index]
    assert total <= 3_000 + 1_000
    assert "b.json" in ask(TOOL, path="b.json")


def test_a_missing_token_is_put_in_where_that_mends_the_file(start: Start, tmp_path: Path) -> None:
    ask = start({"a.js": "foo(1, 2;\nbar();\n", "b.js": "if (a) {\n  b();\n"})
    chosen = on_offer(ask, "syntax", path="a.js")
    preview = ask(TOOL, path="a.js", fix=chosen)
    assert "-foo(1, 2;\n+foo(1, 2);\n" in preview
    assert "nothing is written yet: apply=true writes it" in preview
    ask(TOOL, path="a.js", fix=chosen, apply=True)
    assert (tmp_path / "root/a.js").read_text() == "foo(1, 2);\nbar();\n"
    ask(TOOL, path="b.js", fix="syntax:unsafe", apply=True)
    assert (tmp_path / "root/b.js").read_text() == "if (a) {\n  b();\n}\n"


# ruff

LINT = {
    "pyproject.toml": '[tool.ruff.lint]\nselect = ["F", "E", "B"]\n',
    "a.py": "import os\nimport sys\n\nprint(sys.path)\nx = f''\n\n\ndef f(a=[]):\n    return a\n",
    "pkg/b.py": "import re\n\nx = 1\nvalue = x == None\n",
}


def test_ruff_finds_by_the_configuration_of_the_tree(start: Start) -> None:
    listed = found(start({**LINT, "pkg/ruff.toml": 'lint.select = ["E711"]\n'}))
    assert [(one["path"], one["code"], one["severity"]) for one in listed] == [
        ("a.py", "F401", "warning"),
        ("a.py", "F541", "warning"),
        ("a.py", "B006", "warning"),
        ("pkg/b.py", "E711", "warning"),
    ]
    assert [fix.get("unsafe", False) for one in listed for fix in one["fixes"]] == [False, False, True, True]


def test_all_takes_the_safe_fixes_and_says_how_many_it_leaves(start: Start, tmp_path: Path) -> None:
    ask = start(LINT)
    text = ask(TOOL, fix="all", apply=True)
    assert "2 unsafe fixes are left out" in text
    assert (tmp_path / "root/a.py").read_text() == LINT["a.py"].replace("import os\n", "").replace("f''", "''")
    assert (tmp_path / "root/pkg/b.py").read_text() == "\nx = 1\nvalue = x == None\n"
    assert {one["code"] for one in found(ask)} == {"B006", "E711"}


@pytest.mark.parametrize("chosen", ["F401", "ruff:F401", "F401, F401", " F401,"])
def test_a_code_takes_its_fixes_in_all_files(start: Start, chosen: str) -> None:
    text = start(LINT)(TOOL, fix=chosen)
    assert "2 edits in 2 files" in text
    assert ("-import os\n" in text, "-import re\n" in text, "-x = f''" in text) == (True, True, False)


def test_a_file_that_is_generated_or_vendored_is_edited_only_if_it_is_named(start: Start, tmp_path: Path) -> None:
    written = {"node_modules/m/a.py", "venv/a.py", "a_pb2.py", "made.py"}
    others = dict.fromkeys(written, "import os\n") | {"made.py": "# Code generated by x. DO NOT EDIT\nimport os\n"}
    ask = start({"a.py": "import os\n", **others})
    assert "and it is only edited if path is exactly this file" in ask(TOOL, fix="all", apply=True)
    assert (tmp_path / "root/a.py").read_text() == ""
    assert {path: (tmp_path / "root" / path).read_text() for path in written} == others
    assert "is only edited if path" in ask.error(TOOL, path="venv", fix="all", apply=True)
    for path in written:
        ask(TOOL, path=path, fix="all", apply=True)
        assert "import os" not in (tmp_path / "root" / path).read_text()


def test_unsafe_fixes_of_a_code_are_made_when_they_are_asked_for(start: Start, tmp_path: Path) -> None:
    ask = start(LINT)
    preview = ask(TOOL, fix="E711")
    assert "1 unsafe fixes are left out" in preview
    assert "@@" not in preview
    ask(TOOL, fix="E711:unsafe", apply=True)
    assert "value = x is None" in (tmp_path / "root/pkg/b.py").read_text()


def test_an_edit_is_taken_back(start: Start, tmp_path: Path) -> None:
    ask = start(LINT)
    done = ask(TOOL, fix="all", apply=True)
    uri = re.search(r"undo=\"([^\"]+)\"", done)
    assert uri is not None
    ask(TOOL, undo=uri[1], apply=True)
    assert {path: (tmp_path / "root" / path).read_text() for path in LINT} == LINT


def test_an_id_is_the_same_for_the_same_content_and_gone_when_the_file_changes(start: Start, tmp_path: Path) -> None:
    ask = start(LINT)
    chosen = on_offer(ask, "F541")
    assert on_offer(ask, "F541", path="a.py") == chosen
    (tmp_path / "root/a.py").write_text(f"# a comment\n{LINT['a.py']}")
    error = ask.error(TOOL, fix=chosen)
    assert chosen in error
    assert "call again without fix" in error
    assert on_offer(ask, "F541") != chosen


def test_two_fixes_of_the_same_text_are_not_made_together(start: Start, tmp_path: Path) -> None:
    ask = start({"pyproject.toml": '[tool.ruff.lint]\nselect = ["F", "E"]\n', "a.py": "import os, sys\nprint(sys)\n"})
    text = ask(TOOL, fix="all", apply=True)
    assert "1 overlap with others" in text
    assert "E401" not in {one["code"] for one in found(ask)} or "F401" not in {one["code"] for one in found(ask)}
    compile((tmp_path / "root/a.py").read_text(), "a.py", "exec")


def test_fixes_that_break_the_syntax_together_are_not_made_together(start: Start, tmp_path: Path) -> None:
    text = "try:\n    import os\n    import re\nexcept ImportError:\n    print()\n"
    ask = start({"pyproject.toml": '[tool.ruff.lint]\nselect = ["F401"]\n', "a.py": text})
    if len(found(ask)[0]["fixes"]) == 0:
        pytest.skip("this ruff offers no fix here")
    ask(TOOL, fix="F401:unsafe", apply=True)
    compile((tmp_path / "root/a.py").read_text(), "a.py", "exec")


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        ("[tool.ruff\n", "not valid TOML"),
        ("[tool.ruff]\nunknown_field = 1\n", "unknown field"),
        ('[tool.ruff.lint]\nselect = ["ZZZ"]\n', "Unknown rule selector"),
        ('[tool.ruff]\nrequired-version = ">=99"\n', "Required version"),
        ('[tool.ruff]\nextend = "../outside.toml"\n', "it extends '../outside.toml'"),
        ('[tool.ruff]\nextend = "/etc/passwd"\n', "it extends '/etc/passwd'"),
        ('[tool.ruff]\nextend = "$HOME/ruff.toml"\n', "not followed"),
        ('[tool.ruff]\nextend = "pyproject.toml"\n', "extends more than"),
        ("[tool.ruff]\nx = " + "[" * 20_000 + "\n", "nested too deep"),
        ("#" * 600_000, "more than the limit"),
        ("[tool.ruff]\nx = '\udcff'\n", "not UTF-8"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_a_configuration_that_cannot_be_used_is_named_and_python_is_still_parsed(
    start: Start, tmp_path: Path, configuration: str, said: str
) -> None:
    (tmp_path / "outside.toml").write_text("secret of the neighbour\n")
    ask = start({"a.py": "import os\nx = (\n", "pkg/b.py": "x = [1\n", "pkg/ruff.toml": ""})
    (tmp_path / "root/pyproject.toml").write_bytes(configuration.encode("utf-8", "surrogateescape"))
    listed = found(ask)
    (blamed,) = [one for one in listed if one["code"] == ruff.CONFIGURATION]
    assert blamed["path"] == "pyproject.toml"
    assert said in blamed["message"]
    assert blamed["message"].endswith("so ruff did not check 1 file")
    assert "neighbour" not in json.dumps(listed)
    assert {one["path"]: one["code"] for one in listed if one["path"].endswith(".py")} == {
        "a.py": "syntax",
        "pkg/b.py": ruff.SYNTAX,
    }


@posix
def test_a_project_above_the_root_does_not_tell_the_version_of_python(start: Start, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "a"\nrequires-python = ">=3.7"\n')
    code = "match x:\n    case 1:\n        pass\n"
    asking = start({"ruff.toml": '[lint]\nselect = ["E9"]\n', "a.py": code, "old/a.py": code})
    assert "no diagnostics" in asking("apply_code_fix", path="a.py")
    write(tmp_path / "root", {"old/pyproject.toml": '[project]\nname = "b"\nrequires-python = ">=3.7"\n[tool.ruff]\n'})
    assert "Python 3.7" in asking("apply_code_fix", path="old/a.py")


@posix
@pytest.mark.parametrize("swapped", ["a.py", "pyproject.toml"])
def test_ruff_opens_nothing_in_the_tree(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    (tmp_path / "outside").write_text("import secret_of_the_neighbour\n")
    program = tmp_path / "ruff"
    link = f"ln -sfn {tmp_path}/outside {tmp_path}/root/{swapped}"
    program.write_text(f'#!/bin/sh\n{link}\nexec {ruff.ruff_program(str(tmp_path / "root"))} "$@"\n')
    program.chmod(0o755)
    ask = start({"pyproject.toml": '[tool.ruff.lint]\nselect = ["F401"]\n', "a.py": "import os\n"})
    monkeypatch.setattr(ruff, "find_program", lambda *_: str(program))
    text = ask(TOOL, path="a.py")
    assert (tmp_path / "root" / swapped).is_symlink()
    assert "neighbour" not in text
    assert ("`os` imported but unused" in text) == (swapped != "a.py")


@posix
def test_ruff_gets_the_modules_of_the_tree_and_no_folder_outside(start: Start, tmp_path: Path) -> None:
    write(tmp_path / "outside", {"neighbour/__init__.py": ""})
    code = "import neighbour\nimport own\nimport requests\n\nneighbour, own, requests\n"
    files = {
        "pyproject.toml": '[tool.ruff]\nsrc = [".", "../outside"]\nlint.select = ["I"]\n',
        "own/__init__.py": "",
        "a.py": code,
    }
    assert "-import own\n" in start(files)(TOOL, path="a.py", fix="all")
    write(tmp_path / "root", {"a.py": "import neighbour\nimport requests\n\nimport own\n\nneighbour, own, requests\n"})
    assert "no diagnostics" in start(files | {"a.py": (tmp_path / "root/a.py").read_text()})(TOOL, path="a.py")


def test_no_copy_of_a_file_is_left(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "_MEMORY_FOLDER", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()
    ask = start({"a.py": "import os\n"})
    assert "F401" in ask(TOOL)
    assert not list((tmp_path / "copies").iterdir())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "root"))
    assert "Set TMPDIR to a folder outside of the tree" in ask(TOOL)
    assert not list((tmp_path / "root").glob("leadline-*"))


def test_a_configuration_above_or_behind_a_link_out_of_the_tree_is_not_read(start: Start, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff\nsecret = 'of the neighbour'\n")
    ask = start({"a.py": "import os\n", "linked/b.py": "import os\n"})
    (tmp_path / "root/linked/ruff.toml").symlink_to(tmp_path / "pyproject.toml")
    listed = found(ask)
    assert [(one["path"], one["code"]) for one in listed] == [
        ("linked/ruff.toml", ruff.CONFIGURATION),
        ("a.py", "F401"),
    ]
    assert "neighbour" not in json.dumps(listed)


def test_a_configuration_writes_and_excludes_nothing_that_was_asked_for(start: Start, tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[tool.ruff]\nfix = true\nunsafe-fixes = true\nextend-exclude = ["old"]\ncache-dir = "c"\n',
        "a.py": "import os\n",
        "old/b.py": "import os\n",
    }
    ask = start(files)
    assert {one["path"] for one in found(ask)} == {"a.py"}
    assert "excludes 1 files" in ask(TOOL)
    assert {one["path"] for one in found(ask, path="old/b.py")} == {"old/b.py"}
    root = tmp_path / "root"
    assert {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} == set(files)
    assert (root / "a.py").read_text() == "import os\n"


def test_file_names_are_never_options_nor_lists_of_files(start: Start) -> None:
    files = {"@list.py": "import os\n", "--fix.py": "import os\n", "-.py": "import os\n", "a b.py": "import os\n"}
    assert {one["path"] for one in found(start(files))} == set(files)


def test_keys_in_the_code_are_masked_in_what_ruff_says(start: Start) -> None:
    key = "ghp_" + "a1B2" * 9
    ask = start({"pyproject.toml": '[tool.ruff.lint]\nselect = ["S", "Q"]\n', "a.py": f"password = '{key}'\n"})
    listed = found(ask)
    assert {"S105", "Q000"} <= {one["code"] for one in listed}
    assert key not in json.dumps(listed)
    assert "the edit would touch a key" in ask.error(TOOL, fix="Q000")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_marks_and_wide_characters_do_not_shift_a_fix(
    start: Start, tmp_path: Path, end: str, mark: str
) -> None:
    text = "import os\nprint('\U0001d4b3é', f'')\n"
    ask = start({"pyproject.toml": '[tool.ruff.lint]\nselect = ["F"]\n'})
    path = tmp_path / "root/a.py"
    path.write_bytes((mark + text.replace("\n", end)).encode())
    ask(TOOL, path="a.py", fix="all", apply=True)
    assert path.read_bytes() == (mark + "print('\U0001d4b3é', '')\n".replace("\n", end)).encode()


def test_without_ruff_python_is_parsed_and_the_answer_says_so(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruff, "find_program", lambda *_: None)
    ask = start({"a.py": "import os\nx = (1\n"})
    assert [one["code"] for one in found(ask)] == ["syntax"]
    assert "ruff is not installed" in ask(TOOL)


@posix
def test_a_ruff_of_the_tree_is_not_run(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = start({"bin/ruff": f"#!/bin/sh\ntouch {tmp_path}/ran\n", "a.py": "import os\n"})
    (tmp_path / "root/bin/ruff").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/root/bin")
    monkeypatch.setattr(ruff, "_script_folders", lambda: (f"{tmp_path}/root/bin",))
    assert "ruff is not installed" in ask(TOOL)
    assert not (tmp_path / "ran").exists()


@posix
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("case $* in *bad.py*) kill -9 $$;; *) echo '[]';; esac", "ruff crashes on it"),
        ("case $* in *bad.py*) echo nonsense;; *) echo '[]';; esac", "ruff crashes on it"),
    ],
)
def test_a_file_that_ruff_dies_of_costs_no_other(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    program = tmp_path / "ruff"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(ruff, "find_program", lambda *_: str(program))
    ask = start({"a.py": "", "bad.py": "", "c.py": ""})
    text = ask(TOOL)
    assert "ruff 2" in text
    assert f"not checked: bad.py (ruff: {said})" in text


# Patterns


def test_a_pattern_tells_where_it_matches_and_a_rewrite_what_becomes_of_it(start: Start, tmp_path: Path) -> None:
    ask = start({"a.py": "print(1, 2)\nx = print(f(3))\n", "b.js": "print(4)\n", "c.txt": "print(5)\n"})
    assert [(one["path"], one["message"]) for one in found(ask, pattern="print($$$A)")] == [
        ("a.py", "print(1, 2)"),
        ("a.py", "print(f(3))"),
        ("b.js", "print(4)"),
    ]
    asked = {"pattern": "print($$$A)", "rewrite": "log($$$A)"}
    assert [one["fixes"][0]["title"] for one in found(ask, **asked)] == ["log(1, 2)", "log(f(3))", "log(4)"]
    ask(TOOL, fix="all", apply=True, **asked)
    assert (tmp_path / "root/a.py").read_text() == "log(1, 2)\nx = log(f(3))\n"
    assert (tmp_path / "root/c.txt").read_text() == "print(5)\n"


def test_one_match_of_several_is_chosen_by_its_id(start: Start, tmp_path: Path) -> None:
    ask = start({"a.py": "f(1)\nf(2)\nf(3)\n"})
    asked = {"pattern": "f($A)", "rewrite": "g($A)"}
    ids = [one["fixes"][0]["id"] for one in found(ask, **asked)]
    ask(TOOL, fix=f"{ids[0]},{ids[2]}", apply=True, **asked)
    assert (tmp_path / "root/a.py").read_text() == "g(1)\nf(2)\ng(3)\n"


def test_of_matches_inside_one_another_the_outer_one_is_rewritten_first(start: Start, tmp_path: Path) -> None:
    ask = start({"a.py": "f(f(1))\n"})
    asked = {"pattern": "f($A)", "rewrite": "g($A)"}
    assert "1 overlap with others" in ask(TOOL, fix="all", apply=True, **asked)
    assert (tmp_path / "root/a.py").read_text() == "g(f(1))\n"
    (left,) = found(ask, **asked)
    ask(TOOL, fix=left["fixes"][0]["id"], apply=True, **asked)
    assert (tmp_path / "root/a.py").read_text() == "g(g(1))\n"


def test_an_empty_rewrite_with_a_choice_removes_what_matches(start: Start, tmp_path: Path) -> None:
    ask = start({"a.js": "debug(1);\nrun();\n"})
    ask(TOOL, pattern="debug($$$A);", fix="all", apply=True)
    assert (tmp_path / "root/a.js").read_text() == "\nrun();\n"


def test_a_rewrite_that_does_not_parse_is_told(start: Start) -> None:
    ask = start({"a.py": "f(1)\n"})
    assert "more syntax errors afterwards: a.py" in ask(TOOL, pattern="f($A)", rewrite="g($A", fix="all")


PATTERNS = {
    "bash": ("echo hi\n", "echo $X", "printf $X", "printf hi\n"),
    "c": ("int f() { free(x); }\n", "free($X)", "drop($X)", "int f() { drop(x); }\n"),
    "cpp": ("int f() { free(x); }\n", "free($X)", "drop($X)", "int f() { drop(x); }\n"),
    "csharp": ("class A { void f() { Foo(x); } }\n", "Foo($X)", "Bar($X)", "class A { void f() { Bar(x); } }\n"),
    "css": ("a { color: red; }\n", "color: red", "color: blue", "a { color: blue; }\n"),
    "elixir": ("IO.puts(x)\n", "IO.puts($X)", "IO.inspect($X)", "IO.inspect(x)\n"),
    "go": ('package m\n\nvar x = fmt.Sprint("a")\n', "fmt.Sprint($A)", "str($A)", 'package m\n\nvar x = str("a")\n'),
    "haskell": ("f = putStrLn x\n", "putStrLn $X", "print $X", "f = print x\n"),
    "hcl": ("a = file(x)\n", "a = $X", "b = $X", "b = file(x)\n"),
    "html": ("<div class='a'>x</div>\n", "<div class='a'>$$$C</div>", "<p>$$$C</p>", "<p>x</p>\n"),
    "java": ("class A { void f() { g(x); } }\n", "g($X)", "h($X)", "class A { void f() { h(x); } }\n"),
    "javascript": ("var a = 1; b()\n", "var $A = $B", "let $A = $B", "let a = 1; b()\n"),
    "json": ('{"a": 1}\n', '{"a": $V}', '{"b": $V}', '{"b": 1}\n'),
    "kotlin": ("fun f() { g(x) }\n", "g($X)", "h($X)", "fun f() { h(x) }\n"),
    "lua": ("g(x)\n", "g($X)", "h($X)", "h(x)\n"),
    "php": ("<?php\n$x = array(1, 2);\n", "array($$$A)", "[$$$A]", "<?php\n$x = [1, 2];\n"),
    "python": ("x = dict(a=1)\n", "dict($$$A)", "Dict($$$A)", "x = Dict(a=1)\n"),
    "ruby": ("puts x\n", "puts $X", "p $X", "p x\n"),
    "rust": ("fn f() { a.unwrap() }\n", "$A.unwrap()", "$A?", "fn f() { a? }\n"),
    "scala": ("object A { def f = g(x) }\n", "g($X)", "h($X)", "object A { def f = h(x) }\n"),
    "swift": ("func f() { g(x) }\n", "g($X)", "h($X)", "func f() { h(x) }\n"),
    "tsx": ("const a = <A b={1}>x</A>\n", "<A $$$X>$$$C</A>", "<B $$$X>$$$C</B>", "const a = <B b={1}>x</B>\n"),
    "typescript": ("const a = g<T>(x)\n", "g<$T>($X)", "h<$T>($X)", "const a = h<T>(x)\n"),
    "yaml": ("a: 1\nb: 2\n", "a: $V", "c: $V", "c: 1\nb: 2\n"),
}
"""By language: a text, a pattern, a rewrite and what becomes of the text."""


def rewritten(language: str, text: str, pattern: str, rewrite: str) -> str:
    """Return a text with its outermost matches rewritten."""
    edits: list[Edit] = []
    for match in sorted(matches(text.encode(), LANGUAGES[language], pattern, rewrite)):
        if not edits or match.start >= edits[-1].end:
            edits.append(Edit(match.start, match.end, match.text or ""))
    return mended(text.encode(), edits).decode()


def test_patterns_are_known_in_at_least_twenty_languages_each_with_its_example() -> None:
    assert {name for name, language in LANGUAGES.items() if knows(language)} == set(PATTERNS)
    assert len(PATTERNS) >= 20


@pytest.mark.parametrize("language", PATTERNS)
def test_a_pattern_is_rewritten_in_every_language(language: str) -> None:
    text, pattern, rewrite, result = PATTERNS[language]
    assert rewritten(language, text, pattern, rewrite) == result


@pytest.mark.parametrize(
    ("text", "pattern", "rewrite", "result"),
    [
        ("f(1)\n", "f($A, $$$B)", "g($A, $$$B)", "f(1)\n"),
        ("f()\n", "f($$$A)", "g(1, $$$A)", "g(1)\n"),
        ("f()\n", "f($$$A)", "g($$$A, 1)", "g(1)\n"),
        ("f(1, 1)\nf(1, 2)\n", "f($A, $A)", "g($A)", "g(1)\nf(1, 2)\n"),
        ("if x:\n    f(a)\n", "f($A)", "if $A:\n    g()", "if x:\n    if a:\n        g()\n"),
        (
            "    \nif x:\n    f(1,\n      2)\n",
            "f($$$A)",
            "g(\n    $$$A)",
            "    \nif x:\n    g(\n        1,\n          2)\n",
        ),
        ('def h():\n    f("""\nraw\n""")\n', "f($A)", "g($A)", 'def h():\n    g("""\nraw\n""")\n'),
        ("f('é', \U0001d4b3)\n", "f($A, $B)", "f($B, $A)", "f(\U0001d4b3, 'é')\n"),
    ],
)
def test_what_a_metavariable_stands_for_is_kept(text: str, pattern: str, rewrite: str, result: str) -> None:
    assert rewritten("python", text, pattern, rewrite) == result


words = st.sampled_from(
    ["f(1)", "f(a, b)", "g(f(2))", "x = 'f(1)'", "# f(1)", "f ( é )", "y.f(3)", "f()", '"""\nf(1)\n"""']
)


@given(st.lists(words, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_a_rewrite_leaves_everything_else_as_it_is(lines: list[str], end: str) -> None:
    text = "".join(line.replace("\n", end) + end for line in lines)
    content = text.encode()
    found = matches(content, LANGUAGES["python"], "f($$$A)", "renewed($$$A)")
    kept: list[Edit] = []
    for match in sorted(found):
        if not kept or match.start >= kept[-1].end:
            kept.append(Edit(match.start, match.end, match.text or ""))
    result = mended(content, kept)
    outside = [content[start:stop] for start, stop in _between(kept, len(content))]
    position = 0
    for part in outside:
        position = result.index(part, position) + len(part)
    renamed = result.decode().replace("renewed(", "f(").replace("\r\n", "\n")
    assert renamed == text.replace("f ( é )", "f(é)").replace("\r\n", "\n")


def _between(edits: Iterable[Edit], size: int) -> Iterable[tuple[int, int]]:
    position = 0
    for edit in edits:
        yield position, edit.start
        position = edit.end
    yield position, size


@given(st.text(alphabet="a\né\U0001d4b3\r", max_size=40), st.data())
def test_a_place_is_the_byte_that_it_came_from(text: str, data: st.DataObject) -> None:
    content = text.encode()
    byte = len(text[: data.draw(st.integers(0, len(text)))].encode())
    places = TextPositions(content)
    assert places.byte(*places.place(byte)) == byte


def test_the_words_of_a_pattern_are_those_that_every_match_holds() -> None:
    assert literals("foo.bar($A, $$$ARGS) + x_1") == ["foo", "bar", "x_1"]


# Questions that cannot be answered


@pytest.fixture(scope="module")
def small(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    """Ask about two files and an empty folder."""
    root = write(tmp_path_factory.mktemp("small"), {"a.py": "f(1)\n", "data/b.json": "{}\n"})
    (root / "empty").mkdir()
    return opened(root)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"fix": "zzzzzzzz"}, "There are no fixes"),
        ({"fix": "F401"}, "There is no fix 'F401' here"),
        ({"path": "nowhere"}, "There is no file or folder 'nowhere'"),
        ({"path": "../x"}, "not a path inside the root"),
        ({"path": "a.py", "start_line": 9}, 'Call apply_code_fix(path="a.py")'),
        ({"path": "a.py", "start_line": 3, "end_line": 2}, "lines count from 1"),
        ({"path": "a.py", "start_line": -1}, "lines count from 1"),
        ({"start_line": 1}, "is not a single file"),
        ({"rewrite": "x"}, "there is no pattern"),
        ({"path": "a.py", "pattern": "f($A"}, "does not parse as python (tried on a.py)"),
        ({"path": "a.py", "pattern": "$A $B"}, "Multiple AST nodes"),
        ({"path": "a.py", "pattern": "$$$"}, "multi meta variable"),
        ({"path": "a.py", "pattern": "f($a)"}, "$a is not a metavariable: they are upper case"),
        ({"pattern": "f($A)", "rewrite": "g($B)"}, "$B is not a metavariable of the pattern. The pattern has $A."),
        ({"pattern": "f($_A)", "rewrite": "g($_A)"}, "$_A is not a metavariable"),
        ({"pattern": "f" * 3_000}, "more than 2,000 characters"),
        ({"fix": "all", "apply": True}, "may not write"),
        ({"undo": "leadline://result/aaaaaaaa"}, "No edit is stored"),
    ],
    ids=str,
)
def test_what_cannot_be_answered_says_what_to_do(small: Asking, arguments: dict[str, object], said: str) -> None:
    assert said in small.error(TOOL, **arguments)


def test_where_nothing_is_wrong_the_answer_says_what_was_looked_at(small: Asking) -> None:
    text = small(TOOL, path="data")
    assert "no diagnostics" in text
    assert "files checked: syntax 1" in text
    assert "there are no files" in small(TOOL, path="empty")
    assert "no places" in small(TOOL, pattern="nothing($A)")


def test_a_pattern_that_is_code_of_hardly_any_file_is_an_error_unless_it_matches(start: Start) -> None:
    ask = start({"a.py": "f(1)\n", "b.go": "package b\n", "c.yaml": "a: 1\n"})
    assert "does not parse as python, nor as the other language (tried on a.py)" in ask.error(TOOL, pattern="(((")
    text = ask(TOOL, path="c.yaml", pattern="(((")
    assert "no places" in text
    assert "files checked: pattern 1" in text


def test_lines_narrow_what_is_told_and_what_a_code_chooses(start: Start) -> None:
    ask = start({"a.py": "f(1)\nf(2)\nf(3)\nf(4)\n"})
    asked = {"path": "a.py", "pattern": "f($A)"}
    assert [one["line"] for one in found(ask, start_line=2, end_line=3, **asked)] == [2, 3]
    assert [one["line"] for one in found(ask, start_line=3, **asked)] == [3]
    assert "2 edits in 1 file" in ask(TOOL, start_line=2, end_line=3, rewrite="g($A)", fix="all", **asked)


def test_files_that_cannot_be_looked_at_are_named(start: Start, tmp_path: Path) -> None:
    ask = start({"a.js": "f(;\n", "b.js": "/" * 5_000_000})
    (tmp_path / "root/c.js").write_bytes(b"\0\1\2" * 100)
    text = ask(TOOL)
    assert "a.js\n" in text
    assert "not checked: b.js (too large to parse)" in text


def test_what_is_not_looked_at_in_time_is_told(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply_code_fix, "SECONDS", -1.0)
    text = start({"a.py": "x\n", "b.js": "x\n"})(TOOL)
    assert "no diagnostics yet" in text
    assert "not checked within" in text


@pytest.mark.parametrize(
    "page",
    [
        "<ul>{% for x in y %}<li>{{ x }}{% if a < b %}</ul>{% endif %}\n",
        "<<%= tag %> class='x'>hi</<%= tag %>>\n",
        "<input {{ attributes }} value='{{ \"it's\" | t }}'>\n",
    ],
)
def test_a_template_of_a_page_is_not_reported_as_wrong_html(page: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.html": page, "b.html": "<div class='a>x</div>\n<p>{{ x }}</p>\n"}))
    text = ask("apply_code_fix", path="a.html")
    assert "error" not in text
    assert "not checked, templates are no HTML before they are filled in: a.html" in text
    assert "error syntax" in ask("apply_code_fix", path="b.html")
