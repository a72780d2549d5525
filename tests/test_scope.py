"""The path argument of every tool: folders, files, globs and exclusions, in one argument."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_tools.tool import TOOLS, Takes

CODE = "def build():\n    return build()\n"
FILES = (
    "src/a.py",
    "src/a_test.py",
    "src/tests/b.py",
    "tests/c.py",
    "lib/d.py",
    "odd, name/e.py",
    "!odd/f.py",
    "app/[id]/page.py",
    "app/i/page.py",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    root = write(tmp_path_factory.mktemp("scope"), dict.fromkeys(FILES, CODE))
    (root / "empty").mkdir()
    return opened(root)


def searched(tree: Asking, path: str) -> set[str]:
    """Return the files in which a search of text below ``path`` finds something."""
    text = tree("search_text", query="def build", path=path)
    return {one for one in FILES if f"\n{one}\n" in f"\n{text}" or f"{one}:" in text}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("!tests/**", set(FILES) - {"tests/c.py"}),
        ("!tests", set(FILES) - {"tests/c.py", "src/tests/b.py"}),
        ("src,!**/*_test.py", {"src/a.py", "src/tests/b.py"}),
        ("src, lib", {"src/a.py", "src/a_test.py", "src/tests/b.py", "lib/d.py"}),
        ("src/*.py,!*_test.py,lib", {"src/a.py", "lib/d.py"}),
        ("{src,lib}/*.py", {"src/a.py", "src/a_test.py", "lib/d.py"}),
        ("odd, name", {"odd, name/e.py"}),
        ("odd, name,lib", {"odd, name/e.py", "lib/d.py"}),
        ("!odd", {"!odd/f.py"}),
        ("!!odd,!odd, name,!src,!tests", {"lib/d.py", "app/[id]/page.py", "app/i/page.py"}),
        ("app,!app/[id]", {"app/i/page.py"}),
        ("src/a.py,lib", {"src/a.py", "lib/d.py"}),
    ],
)
def test_a_path_includes_and_excludes(tree: Asking, path: str, found: set[str]) -> None:
    assert searched(tree, path) == found


REQUIRED = {
    "find_code": {"query": "build"},
    "search_text": {"query": "build"},
    "symbol_search": {"query": "build"},
    "find_references": {"symbol": "lib/d.py:1"},
    "go_to_definition": {"symbol": "lib/d.py:1"},
    "find_implementations": {"symbol": "lib/d.py:1"},
}


@pytest.mark.parametrize("tool", [name for name, one in TOOLS.items() if Takes.Folder in one.takes.values()])
def test_every_tool_with_a_path_takes_exclusions_and_says_which_exclude_nothing(tree: Asking, tool: str) -> None:
    text = tree(tool, **REQUIRED.get(tool, {}), path="lib,!test/**", max_tokens=2_000)
    assert "!test/** excludes no file; did you mean !tests/**?" in text
    assert "src/a.py" not in text
    assert "No file matches 'test/**'. Did you mean 'tests/**'?" in tree.error(
        tool, **REQUIRED.get(tool, {}), path="test/**"
    )


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("*.rs", "No file matches '*.rs'."),
        ("b*.py,src", ""),
        ("tests/b.*", "No file matches 'tests/b.*'. Did you mean '**/tests/b.*'?"),
        ("app/src/tests/*.py", "Did you mean 'src/tests/*.py'?"),
        ("SRC/*.py", "Did you mean 'src/*.py'?"),
        ("src/A*.py", "Did you mean 'src/a.py'?"),
        ("lib,libs", "There is no file or folder 'libs'. Did you mean"),
        ("tsts", 'There is no file or folder \'tsts\'. Call search_text(query="build", path="tests").'),
        ("arcs", "There is no file or folder 'arcs'. At the top are '!odd/', 'app/'"),
        ("src,!src/**", "'!src/**' excludes all 3 files."),
        (",".join("a*" * 60), "parts, more than 50"),
    ],
)
def test_a_path_that_matches_nothing_is_an_error_that_names_the_nearest(tree: Asking, path: str, message: str) -> None:
    if not message:
        assert searched(tree, path) == {"src/a.py", "src/a_test.py", "src/tests/b.py"}
    else:
        assert message in tree.error("search_text", query="build", path=path)


def test_a_folder_without_files_is_named(tree: Asking) -> None:
    assert "empty holds no listed file" in tree("search_text", query="build", path="empty")


def test_the_folders_of_a_list_keep_what_is_excluded(tmp_path: Path, opened: Open) -> None:
    names = [f"src/{folder}/{i}.{ending}" for folder in "ab" for i in range(15) for ending in ("py", "md")]
    ask = opened(write(tmp_path, dict.fromkeys(names, "x\n")))
    text = ask("list_files", path="src,!*.md", recursive=True)
    assert "30 files" in text
    assert 'list_files(path="src/a,!*.md"' in text
    assert "15 files" in ask("list_files", path="src/a,!*.md")


@pytest.mark.parametrize(("path", "problem"), [("packages/**", "No file matches"), ("packages", "There is no file or")])
def test_an_error_about_a_path_that_is_like_no_other_names_what_is_at_the_top_of_the_tree(
    tmp_path: Path, opened: Open, path: str, problem: str
) -> None:
    ask = opened(write(tmp_path, {"a.py": "def run(): ...\n", "inner/b.py": "", "inner/c.py": ""}))
    error = ask.error("find_references", symbol="run", path=path)
    assert problem in error
    assert "At the top are 'inner/', 'a.py'." in error
