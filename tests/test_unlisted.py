"""What lies in the tree and is not listed is said to be ignored or left out, with what does so, and never missing."""

from __future__ import annotations

import pytest

from conftest import Asking, Open, write

FILES = {
    ".gitignore": "/dist/\n*.log\n",
    "src/m.py": "x = 1\n",
    "src/.gitignore": "made.py\n",
    "src/made.py": "def made(): ...\n",
    "dist/a.py": "def built(): ...\n",
    "dist/deep/b.py": "def deep(): ...\n",
    "run.log": "built\n",
    "mirror/HEAD": "ref: refs/heads/main\n",
    "mirror/objects/info/packs": "P pack\n",
    "mirror/refs/heads/main": "0\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("unlisted"), FILES))


@pytest.mark.parametrize("tool", ["list_files", "count_files"])
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("dist", "dist holds no listed file: ignored by .gitignore"),
        ("dist/deep", "dist/deep holds no listed file: ignored by .gitignore"),
        ("mirror/refs", "mirror/refs holds no listed file: mirror is skipped: bare git repository"),
    ],
)
def test_a_folder_that_is_ignored_or_left_out_says_so(tree: Asking, tool: str, path: str, reason: str) -> None:
    assert reason in tree(tool, path=path)


def test_what_is_left_out_is_named_in_lists(tree: Asking) -> None:
    assert "not listed: mirror (bare git repository)" in tree("list_files")
    assert "not listed: mirror (bare git repository)" in tree("count_files")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("dist/a.py", "'dist/a.py' is neither searched nor indexed: ignored by .gitignore"),
        ("dist/**/*.py", "'dist' is neither searched nor indexed: ignored by .gitignore"),
        ("src/made.py", "'src/made.py' is neither searched nor indexed: ignored by src/.gitignore"),
        ("mirror/HEAD", "'mirror/HEAD' is neither searched nor indexed: mirror is skipped"),
    ],
)
def test_a_search_in_a_file_that_is_not_listed_says_why(tree: Asking, path: str, reason: str) -> None:
    assert reason in tree.error("search_text", query="built", path=path)


def test_a_search_that_finds_nothing_says_that_ignored_files_are_not_searched(tree: Asking) -> None:
    assert "ignored by .gitignore are not searched" in tree("search_text", query="built")
    assert "ignored" not in tree("search_text", query="x = 1")


def test_a_file_that_is_ignored_is_read_with_a_note(tree: Asking) -> None:
    text = tree("read_file", path="dist/a.py")
    assert "1: def built(): ..." in text
    assert "neither searched nor indexed: ignored by .gitignore" in text
    assert "ignored" not in tree("read_file", path="src/m.py")


@pytest.mark.parametrize(
    "tool", ["find_references", "call_hierarchy", "find_implementations", "type_members", "rename_symbol"]
)
@pytest.mark.parametrize("symbol", ["dist/a.py:1:5", "dist/a.py:1", "dist/a.py:built"])
def test_uses_of_what_an_ignored_file_defines_are_not_said_to_be_none(tree: Asking, tool: str, symbol: str) -> None:
    more = {"new_name": "made"} if tool == "rename_symbol" else {}
    error = tree.error(tool, symbol=symbol, **more)
    assert "'dist/a.py' is neither searched nor indexed: ignored by .gitignore" in error


def test_the_definition_in_an_ignored_file_is_shown_without_a_call_for_its_uses(tree: Asking) -> None:
    text = tree("go_to_definition", symbol="dist/a.py:1:5")
    assert "1: def built(): ..." in text
    assert "find_references(" not in text


def test_what_is_not_there_is_missing(tree: Asking) -> None:
    assert "There is no file or folder 'dist/none.py'" in tree.error("read_file", path="dist/none.py")
    assert "There is no file or folder 'none'" in tree.error("list_files", path="none")
