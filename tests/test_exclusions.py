"""What ``.leadlineignore`` and the option ``exclude`` leave out is nowhere listed or ranked, and is called ignored."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import INDEXING_SECONDS, Asking, Open, write
from leadline_server.call import Session
from leadline_server.cli import main
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.workspace import Workspace

TREE = {
    "app/cart.py": "class Cart:\n    def settle(self):\n        return 1\n",
    "app/made.py": "class MadeCart:\n    def settle(self):\n        return 2\n",
    "app/kept_made.py": "class KeptCart:\n    def settle(self):\n        return 3\n",
    "vendor/lib/cart.py": "class VendoredCart:\n    def settle(self):\n        return 4\n",
    "vendor/own/cart.py": "class OwnCart:\n    def settle(self):\n        return 5\n",
    "README.md": "# Shop\n\nCart and settle.\n",
}
QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("list_files", {"recursive": True, "limit": 50}),
    ("count_files", {"by": "directory"}),
    ("search_text", {"query": "settle"}),
    ("symbol_search", {"query": "Cart"}),
    ("repo_map", {}),
    ("find_code", {"query": "where is a cart settled"}),
    ("find_references", {"symbol": "Cart"}),
)
LEFT_OUT = ("made.py", "MadeCart", "vendor", "VendoredCart", "OwnCart")


def in_git(root: Path) -> Path:
    """Make a repository of a tree in which all its files are tracked."""
    for arguments in (("init", "-q"), ("add", "-A")):
        subprocess.run(("git", *arguments), cwd=root, check=True)
    return root


def in_no_repository(root: Path) -> Path:
    return root


@pytest.mark.parametrize("made", [in_git, in_no_repository])
@pytest.mark.parametrize("by", ["file", "option"])
def test_what_is_excluded_is_in_no_answer(tmp_path: Path, opened: Open, made: Callable[[Path], Path], by: str) -> None:
    rules: tuple[str, ...] = ("*made.py", "!kept_made.py", "/vendor/")
    files = TREE | ({".leadlineignore": "\n".join(rules)} if by == "file" else {})
    root = made(write(tmp_path / "shop", files))
    if by == "option":
        rules = ("app/made.py", "/vendor/")
    ask = opened(root, exclude=rules if by == "option" else ())
    for tool, arguments in QUESTIONS:
        text = ask(tool, **arguments)
        assert not [one for one in LEFT_OUT if one in text.replace("kept_made.py", "")], (tool, text)
    assert "4 files" in ask("count_files") if by == "file" else "3 files" in ask("count_files")
    assert "KeptCart" in ask("symbol_search", query="Cart")


@pytest.mark.parametrize("made", [in_git, in_no_repository])
def test_a_path_that_is_left_out_is_said_to_be_ignored_and_by_what(
    tmp_path: Path, opened: Open, made: Callable[[Path], Path]
) -> None:
    files = TREE | {"vendor/.leadlineignore": "lib/\n", ".leadlineignore": "made.py\n"}
    ask = opened(made(write(tmp_path / "shop", files)), exclude=("*.md",))
    said = {
        "app/made.py": "ignored by .leadlineignore",
        "vendor/lib/cart.py": "ignored by vendor/.leadlineignore",
        "README.md": "ignored by the option exclude",
    }
    for path, reason in said.items():
        assert reason in ask.error("search_text", query="settle", path=path)
    assert "vendor/lib holds no listed file: ignored by vendor/.leadlineignore" in ask("list_files", path="vendor/lib")
    assert "class OwnCart" in ask("search_text", query="class OwnCart")


def test_a_rule_takes_back_what_rules_of_its_own_kind_have_left_out_and_nothing_else(
    tmp_path: Path, opened: Open
) -> None:
    files = TREE | {
        ".gitignore": "made.py\n",
        ".leadlineignore": "cart.py\n!made.py\n!README.md\n",
        "vendor/.leadlineignore": "!cart.py\n",
    }
    ask = opened(write(tmp_path / "shop", files), exclude=("*.md",))
    listed = ask("list_files", recursive=True, limit=50)
    assert "made.py\n" not in listed.replace("kept_made.py", "")
    assert "README.md" not in listed
    assert listed.count("cart.py") == 2
    assert "vendor/lib/\n" in listed
    assert "vendor/own/\n" in listed


@pytest.mark.parametrize("made", [in_git, in_no_repository])
def test_a_change_of_an_ignore_file_is_noticed(tmp_path: Path, opened: Open, made: Callable[[Path], Path]) -> None:
    root = made(write(tmp_path / "shop", TREE))
    ask = opened(root)
    assert "5 lines in 5 files" in ask("search_text", query="def settle")
    write(root, {"vendor/.leadlineignore": "lib\n"})
    assert "4 lines in 4 files" in ask("search_text", query="def settle")
    write(root, {"vendor/.leadlineignore": "lib\nown\n"})
    assert "3 lines in 3 files" in ask("search_text", query="def settle")
    (root / "vendor/.leadlineignore").unlink()
    assert "5 lines in 5 files" in ask("search_text", query="def settle")


def test_a_new_file_that_is_left_out_does_not_appear(tmp_path: Path, opened: Open) -> None:
    root = write(tmp_path / "shop", TREE | {".leadlineignore": "logs/\n"})
    ask = opened(root, exclude=("*.tmp",))
    assert "no lines" in ask("search_text", query="late needle")
    write(root, {"logs/a.txt": "late needle\n", "app/b.tmp": "late needle\n", "app/c.txt": "late needle\n"})
    assert "1 line" in ask("search_text", query="late needle")


def test_servers_with_other_exclusions_do_not_share_an_index(tmp_path: Path, opened: Open) -> None:
    root = write(tmp_path / "shop", TREE)
    without = opened(root, cache=tmp_path / "cache", exclude=("vendor",))
    whole = opened(root, cache=tmp_path / "cache")
    assert "3 lines in 3 files" in without("search_text", query="def settle")
    assert "5 lines in 5 files" in whole("search_text", query="def settle")
    assert "3 lines in 3 files" in without("search_text", query="def settle")


def test_rules_hold_in_each_of_several_roots(tmp_path: Path, sessions: list[Session]) -> None:
    roots = {name: write(tmp_path / name, TREE) for name in ("one", "two")}
    config = Config(roots["one"], None, "openai", roots=roots, exclude=("/vendor", "made.py"))
    parts = [Index(root, None, 1, name=name, exclude=config.exclude) for name, root in roots.items()]
    index = Workspace(parts)
    session = Session(config, index)
    sessions.append(session)
    index.start()
    assert index.wait(INDEXING_SECONDS)
    ask = Asking(session)
    assert "4 lines in 4 files" in ask("search_text", query="def settle")
    assert "ignored by the option exclude" in ask.error("search_text", query="settle", path="two/vendor/own/cart.py")


def test_files_are_excluded_on_the_command_line_in_the_environment_and_in_the_configuration(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", TREE)
    command = ["call", "--alone", "count_files", "--root", str(root), "--cache-dir", str(tmp_path / "cache")]
    run = CliRunner().invoke
    configured = tmp_path / "leadline.toml"
    configured.write_text('exclude = ["vendor/", "*.md"]\n')
    assert "6 files" in run(main, command).output
    assert "3 files" in run(main, [*command, "--exclude", "vendor/", "--exclude", "*.md"]).output
    assert "3 files" in run(main, command, env={"LEADLINE_EXCLUDE": "vendor/ *.md"}).output
    assert "3 files" in run(main, ["--config", str(configured), *command]).output
    refused = run(main, [*command, "--exclude", "[a"])
    assert refused.exit_code == 2
    assert "'[a'" in refused.output
