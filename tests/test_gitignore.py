"""Ignore rules mean what git takes them for, globs what gitignore(5) says, and no pattern takes long."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leadline_tools.index.text.gitignore import LONGEST, Names, Rules, compile_glob

GIT = {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}, "LC_ALL": "C"}
QUIET = ("-c", f"core.excludesFile={os.devnull}", "-c", "core.ignoreCase=false")

NAMES = ["a", "b", "ab", "a.b", "foo", ".a", "[a]", "a b", "b-", "#a", "!b", "caf\u00e9", "a\\b", "\udce9", "x\ny"]
FOLDERS = ["", "a/", "a/ab/", "a/ab/foo/", "b.a/", "foo/", "foo/a/", "foo/b/", "foo/b/a/"]
TREE = sorted(f"{folder}{name}" for folder in FOLDERS for name in NAMES if f"{folder}{name}/" not in FOLDERS)
RULE_SETS = 40

PIECES = [
    *["a", "b", "foo", ".", "*", "*", "**", "?", "/", "/", "!", " ", "#", "\\", "caf\u00e9", "\u00e9", "-", "]", "\r"],
    *["[ab]", "[!a]", "[^b]", "[a-f]", "[]a]", "[!]a]", "[a-]", "[b-a]", "[/]", "[\\]]", "[a\\-z]", "[[:alpha:]]", "["],
    *["[[:punct:]x]", "[[:nope:]]", "[[:]", "[a-c-e]", "/**/", "**/", "/**", "foo**/", "**\\/", "\udce9", "***"],
]
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with the same tree many times, each to be given its own rules."""
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], env=GIT, check=True)
    for number in range(RULE_SETS):
        for path in TREE:
            file = root / f"{number:02}" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    return root


def left_by_git(root: Path) -> set[str]:
    command = ["git", *QUIET, "ls-files", "-z", "-o", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, env=GIT, check=True, capture_output=True).stdout
    return {path for path in os.fsdecode(listed).split("\0") if path and not path.endswith(".gitignore")}


def left_by_rules(text: str) -> Iterator[str]:
    rules = Rules(text)
    for path in TREE:
        parts = path.split("/")
        above = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        if any(rules.verdict(folder.rpartition("/")[2], folder, True) for folder in above):
            continue
        if not rules.verdict(parts[-1], path, False):
            yield path


@settings(max_examples=100)
@given(st.lists(LINES, min_size=1, max_size=3).map("\n".join), st.sets(st.sampled_from(NAMES), min_size=1))
def test_rules_that_do_not_concern_a_folder_say_nothing_of_what_is_in_it(text: str, names: set[str]) -> None:
    rules = Rules(text)
    for folder in FOLDERS:
        if not rules.concern(folder, Names(names)):
            there = [(name, folder + name, is_folder) for name in names for is_folder in (False, True)]
            assert [one for one in there if rules.verdict(*one) is not None] == []


def test_rules_of_other_names_do_not_concern_a_folder() -> None:
    rules = Rules("*.o\n*.tab.[ch]\nbuild/\n/docs/*.md\n/*.spec\ncscope.*\n/src/out\n**/gen/x?")
    assert not rules.concern("lib/net/", Names({"a.c", "b.h", "spec", "tab.c"}))
    concerned = {
        *[("lib/", "a.o"), ("lib/", "y.tab.c"), ("lib/", "build"), ("docs/", "a.md"), ("", "a.spec")],
        *[("lib/", "cscope.out"), ("src/", "out"), ("lib/gen/", "xy")],
    }
    assert {(folder, name) for folder, name in concerned if rules.concern(folder, Names({"a.c", name}))} == concerned


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(LINES, min_size=1, max_size=4).map("\n".join), min_size=RULE_SETS, max_size=RULE_SETS))
def test_rules_leave_what_git_leaves(repository: Path, texts: list[str]) -> None:
    expected: dict[str, list[str]] = {}
    for number, text in enumerate(texts):
        (repository / f"{number:02}" / ".gitignore").write_bytes(os.fsencode(text))
    for path in sorted(left_by_git(repository)):
        expected.setdefault(path[:2], []).append(path[3:])
    for number, text in enumerate(texts):
        assert list(left_by_rules(text)) == expected.get(f"{number:02}", []), text


@pytest.mark.parametrize(
    ("text", "ignored", "kept"),
    [
        ("a.py  ", ["a.py"], ["a.py  "]),
        ("a\\ ", ["a "], ["a"]),
        ("a\\\\ ", ["a\\"], ["a\\ "]),
        ("\\#a\n#b\n\\!c", ["#a", "!c"], ["b", "#b", "c"]),
        ("\ufeff*.o\r\nb", ["a.o", "b"], ["a.c"]),
        ("a\\", [], ["a", "a\\"]),
        ("?.py", ["a.py"], ["\u00e9.py"]),
        ("??.py", ["\u00e9.py"], ["a.py"]),
        ("\udce9*", ["\udce9.py"], ["\u00e9.py"]),
        ("\ud800", ["\ud800"], ["\ud801"]),
        ("*.tar.gz\n*~", ["a.tar.gz", "a~"], ["a.gz", "~a"]),
        ("*\n!*.c\nb.c", ["a", "b.c"], ["a.c"]),
        ("x" * (LONGEST + 1), [], ["x" * (LONGEST + 1)]),
    ],
)
def test_a_line_means_what_the_manual_says(text: str, ignored: list[str], kept: list[str]) -> None:
    rules = Rules(text)
    assert [name for name in (*ignored, *kept) if rules.verdict(name, name, False)] == ignored


def test_the_last_rule_wins_and_says_whether_it_ignores() -> None:
    rules = Rules("*.o\n!keep.o\nbuild/\n/docs/*.md\n!/docs/a.md")
    assert rules.verdict("a.o", "src/a.o", False) is True
    assert rules.verdict("keep.o", "src/keep.o", False) is False
    assert rules.verdict("a.c", "src/a.c", False) is None
    assert rules.verdict("build", "src/build", True) is True
    assert rules.verdict("build", "src/build", False) is None
    assert rules.verdict("b.md", "docs/b.md", False) is True
    assert rules.verdict("a.md", "docs/a.md", False) is False
    assert rules.verdict("b.md", "src/docs/b.md", False) is None


# Globs


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.py", ["a.py", "x/y/a.py", ".py"], ["a.pyi", "a.py/b"]),
        ("test_*.py", ["test_a.py", "x/test_a.py"], ["a/test_b/c.py", "a_test_.py"]),
        ("test*", ["tests.py", "x/test"], ["tests/a.py"]),
        ("docs", ["docs", "docs/a", "x/docs/a"], ["docs2", "a/docs2/b"]),
        ("docs/", ["docs/a", "x/docs/y/a"], ["docs", "x/docs"]),
        ("test*/", ["tests/a.py", "x/tests/y/a"], ["tests"]),
        ("django/db", ["django/db", "django/db/models/a.py"], ["x/django/db/a", "django/db2/a"]),
        ("django/db/", ["django/db/a", "django/db/models/a.py"], ["django/db", "x/django/db/a"]),
        ("django/*", ["django/a.py"], ["django/db/a.py", "x/django/a.py"]),
        ("django/**", ["django/a.py", "django/db/a.py"], ["django", "x/django/a"]),
        ("**/tests/*.py", ["tests/a.py", "x/y/tests/a.py"], ["tests/x/a.py", "mytests/a.py"]),
        ("src/**/a.py", ["src/a.py", "src/x/a.py", "src/x/y/a.py"], ["src/xa.py", "a.py"]),
        ("src/**/x/**/a.py", ["src/x/a.py", "src/b/x/c/x/a.py"], ["src/a.py", "src/bx/a.py"]),
        ("src/*/tests", ["src/a/tests/b.py", "src/a/tests"], ["src/tests/b.py", "src/a/b/tests/c"]),
        ("**", ["a", "x/y"], []),
        ("/", ["a", "x/y"], []),
        ("./", ["a", "x/y"], []),
        ("**/", ["x/y"], ["a"]),
        ("/setup.py", ["setup.py"], ["x/setup.py"]),
        ("/*.py", ["a.py"], ["x/a.py"]),
        ("./src/a.py", ["src/a.py"], ["x/src/a.py"]),
        ("a**b", ["ab", "axb", "x/axb"], ["a/b"]),
        ("x/a**/b", ["x/a/b", "x/ac/b"], ["x/ab", "x/a/c/b"]),
        ("?.c", ["a.c", "\u00e9.c"], ["ab.c", ".c"]),
        ("[a-c].c", ["a.c", "x/b.c"], ["d.c"]),
        ("[!a-c].c", ["d.c"], ["a.c"]),
        ("[^a-c].c", ["d.c"], ["a.c"]),
        ("[[:digit:]]*", ["1a"], ["a1"]),
        ("*.{ts,tsx}", ["a.ts", "x/b.tsx"], ["a.js"]),
        ("{src,lib}/**/*.{c,h}", ["src/a.c", "lib/x/y/a.h"], ["a.c", "src/a.cpp"]),
        ("{*.py,docs/}", ["x/a.py", "docs/a", "x/docs/b"], ["docs", "a.c"]),
        ("a{,.b{1,2}}", ["a", "a.b1", "x/a.b2"], ["a.b"]),
        ("{a}", ["{a}"], ["a"]),
        ("a}", ["a}"], ["a"]),
        ("\\{a,b\\}", ["{a,b}"], ["a"]),
        ("[{]a,b}", ["{a,b}"], ["a"]),
        ("\\*.py", ["*.py"], ["a.py"]),
        ("\\!a", ["!a"], ["a"]),
        ("-x", ["-x"], ["x"]),
        ("#a", ["#a"], ["a"]),
        ("a b ", ["a b "], ["a b"]),
        ("a\n*", ["a\nb"], ["a"]),
    ],
)
def test_a_glob_matches(pattern: str, matching: list[str], others: list[str]) -> None:
    matches = compile_glob(pattern)
    assert [path for path in (*matching, *others) if matches(path)] == matching


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("", "empty"),
        ("[a", "without its ]"),
        ("src/[!]", "without its ]"),
        ("{[a,b}", "without its ]"),
        ("[[:nope:]]", "[:nope:]"),
        ("{a,b", "without its }"),
        ("{,a}", "empty"),
        ("a\\", "backslash"),
        ("!a", "cannot exclude"),
        ("a\0", "NUL"),
        ("a" * (LONGEST + 1), "1,001 characters"),
        ("{a,b}" * 20, "more than 100 patterns"),
    ],
)
def test_a_glob_that_means_nothing_says_why_in_one_line(pattern: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"\A[^\n]{1,200}\.\Z") as refused:
        compile_glob(pattern)
    assert said in str(refused.value)


@given(st.lists(st.sampled_from([*PIECES, "{", ",", "}"]), max_size=8).map("".join), st.sampled_from(TREE))
def test_any_glob_is_refused_or_answers(pattern: str, path: str) -> None:
    try:
        matches = compile_glob(pattern)
    except ValueError:
        return
    assert matches(path) in {True, False}


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 400 + "b",
        "a*" * 400 + "b",
        "*[a]" * 200 + "b",
        "**/a*a*a*/" * 60 + "b",
        "**/" * 300 + "b",
        "**/*/" * 150 + "b",
        "x/" + "**/a/" * 150 + "b",
        "{*a,a*,?}" * 4 + "b",
        "{" * 999,
        "[" * 999,
        "{,}" * 300,
        "{a,{a,{a,{a,b}}}}" * 20,
    ],
)
def test_no_pattern_takes_long(pattern: str) -> None:
    paths = ["a" * 4_000, "a/" * 2_000 + "a", "aaaaaaaa/" * 400 + "aaaa"]
    began = time.process_time()
    for matches in (Rules(f"{pattern}\n/{pattern}").verdict, _glob_as_verdict(pattern)):
        assert not any(matches(path, path, False) for path in paths)
    assert time.process_time() - began < 2


def _glob_as_verdict(pattern: str) -> Callable[[str, str, bool], bool | None]:
    try:
        matches = compile_glob(pattern)
    except ValueError:
        return lambda *_: None
    return lambda _, path, __: matches(path)
