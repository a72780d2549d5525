"""What a branch, or the work tree, has changed: ``changed_since`` of list_files, symbol_search and find_code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conftest import Asking, Open, start_configured
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_tools.index.tree.commit.line_changes import changed_lines
from repositories import commit, git

SHOP = '''class Shop:
    """Sells."""

    size = 3

    def sell(self):
        return self.size

    def buy(self):
        return self.size

    def lend(self):
        return self.size
'''


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository whose branch feature changes, adds, renames and deletes; main has gone on meanwhile."""
    folder = tmp_path / "shop"
    commit(folder, {"src/shop.py": SHOP, "src/kept.py": "def keeps(): pass\n", "src/gone.py": "def goes(): pass\n"})
    git(folder, "switch", "-q", "-c", "feature")
    changed = SHOP.replace("def sell(self):\n        return self.size", "def sell(self):\n        return 4")
    commit(folder, {"src/shop.py": changed, "src/new.py": "def arrives(): pass\n", "src/gone.py": None})
    git(folder, "switch", "-q", "main")
    commit(folder, {"src/kept.py": "def keeps(): return 1\n"})
    git(folder, "switch", "-q", "feature")
    return folder


@pytest.fixture
def on_commit(repository: Path, sessions: list[Session], tmp_path: Path) -> Asking:
    """Open a session on the commit of the branch."""
    return start_configured(Config(repository, tmp_path / "cache", "openai", refs={"": "feature"}), sessions)


def names(answer: str) -> set[str]:
    """Return the words of an answer that are names of the fixtures."""
    known = ("shop.py", "kept.py", "new.py", "draft.py", "Shop", "size", "sell", "buy", "lend", "arrives", "keeps")
    body = answer.split("\n", 1)[1].split("next:", maxsplit=1)[0]
    return {name for name in known if f"{name}" in body.replace("self.size", "")}


def test_the_files_and_symbols_of_a_branch_are_listed(on_commit: Asking, repository: Path) -> None:
    base = git(repository, "merge-base", "main", "feature")[:8]
    listed = on_commit("list_files", changed_since="main")
    assert f"since {base}, the merge base with main: 1 changed, 1 added, 1 deleted" in listed
    assert names(listed) == {"shop.py", "new.py"}
    touched = on_commit("symbol_search", query="*", changed_since="main", detail="lean")
    assert {"sell", "arrives"} <= names(touched)
    assert names(touched).isdisjoint({"buy", "lend", "keeps", "size"})
    assert "no symbols" in on_commit("symbol_search", query="buy", match="exact", changed_since="main")
    assert "sell" in on_commit("symbol_search", query="sell", changed_since="main")
    found = on_commit("find_code", query="where are things sold or kept", changed_since="main")
    assert "kept.py" not in found


def test_a_work_tree_counts_with_what_is_not_committed(opened: Open, repository: Path) -> None:
    asking = opened(repository)
    assert names(asking("list_files", changed_since="main")) == {"shop.py", "new.py"}
    (repository / "src/draft.py").write_text("def drafted(): pass\n")
    (repository / "src/shop.py").write_text(SHOP.replace("lend", "rent"))
    assert names(asking("list_files", changed_since="main")) == {"shop.py", "new.py", "draft.py"}
    changed = asking("symbol_search", query="*", changed_since="main")
    assert "rent" in changed
    assert "sell" not in changed
    (repository / "src/shop.py").write_text(SHOP)
    assert names(asking("list_files", changed_since="main")) == {"new.py", "draft.py"}
    assert names(asking("list_files", changed_since="HEAD")) == {"shop.py", "draft.py"}


def test_a_file_that_was_only_touched_or_has_other_line_ends_is_not_changed(opened: Open, repository: Path) -> None:
    asking = opened(repository)
    os.utime(repository / "src/shop.py", (1, 1))
    (repository / "src/kept.py").write_bytes(b"def keeps(): pass\r\n")
    assert "no files" in asking("list_files", changed_since="HEAD")


def test_the_answer_follows_when_the_other_branch_moves(on_commit: Asking, repository: Path) -> None:
    assert names(on_commit("list_files", changed_since="main")) == {"shop.py", "new.py"}
    git(repository, "update-ref", "refs/heads/main", "feature")
    assert "no files" in on_commit("list_files", changed_since="main")


def test_a_ref_that_there_is_not_is_an_error_that_names_the_nearest(
    on_commit: Asking, opened: Open, tmp_path: Path
) -> None:
    assert "Did you mean 'main'" in on_commit.error("list_files", changed_since="mian")
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.py").write_text("a = 1\n")
    assert "is not in a git repository" in opened(plain).error("symbol_search", query="a", changed_since="main")


def test_nothing_that_a_repository_configures_runs(opened: Open, repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=evil diff=evil\n")
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.external", "core.fsmonitor"):
        git(repository, "config", key, str(program))
    mark.unlink(missing_ok=True)
    (repository / "src/shop.py").write_text(SHOP + "\n# more\n")
    assert names(opened(repository)("list_files", changed_since="HEAD")) == {"shop.py"}
    assert not mark.exists()


@pytest.mark.parametrize(
    ("before", "after", "added", "removed"),
    [
        ("a b c", "a x c", [(2, 2)], []),
        ("a b c", "a c", [], [1]),
        ("a c", "a b b c", [(2, 3)], []),
        ("", "a", [(1, 1)], []),
        ("a b", "", [], [0]),
        ("a b c d e", "b c x e", [(3, 3)], [0]),
    ],
)
def test_changed_lines_are_those_of_the_later_text(
    before: str, after: str, added: list[tuple[int, int]], removed: list[int]
) -> None:
    found = changed_lines(*("".join(f"{line}\n" for line in text.split()).encode() for text in (before, after)))
    assert (list(found.added), list(found.removed)) == (added, removed)


def test_of_several_roots_those_without_changes_are_not_named(
    repository: Path, sessions: list[Session], tmp_path: Path
) -> None:
    roots = {"new": repository, "old": repository}
    config = Config(repository, tmp_path / "cache", "openai", roots=roots, refs={"new": "feature", "old": "main~1"})
    listed = start_configured(config, sessions)("list_files", changed_since="main")
    assert "new: since " in listed
    assert "old: since " not in listed
    assert "new/src" in listed
