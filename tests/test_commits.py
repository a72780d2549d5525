"""Roots that are commits: any branch, tag or commit of a repository on this machine, without a checkout."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from conftest import Asking, start_configured
from consoles import Console
from leadline_server.call import Session
from leadline_server.config import Config
from repeating import repeated
from repositories import commit, git

SHOP = {
    "src/shop.py": "class Shop:\n    def sell(self): pass\n\n\ndef open_shop():\n    return Shop().sell()\n",
    "src/till.py": "from shop import open_shop\n\nopen_shop()\n",
}
LATER = {"src/shop.py": SHOP["src/shop.py"].replace("sell", "lend"), "src/late.py": "def arrives(): pass\n"}

Opening = Callable[..., Asking]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with two commits on main: before and after ``LATER``, which has the tag v2."""
    folder = tmp_path / "shop"
    commit(folder, SHOP)
    git(folder, "tag", "-a", "-m", "first", "v1")
    commit(folder, LATER)
    git(folder, "tag", "v2")
    return folder


@pytest.fixture
def opening(sessions: list[Session], tmp_path: Path) -> Opening:
    """Open a session on commits: each root by its name, a folder and a ref; the empty name stands alone."""

    def start(allow_edits: bool = False, **roots: tuple[Path, str]) -> Asking:
        alone = roots.pop("alone", None)
        folder = alone[0] if alone is not None else next(iter(roots.values()))[0]
        refs = {name: ref for name, (_, ref) in roots.items() if ref}
        config = Config(
            folder,
            tmp_path / "cache",
            "openai",
            allow_edits=allow_edits,
            roots={name: place for name, (place, _) in roots.items()},
            refs={"": alone[1]} if alone is not None else refs,
        )
        return start_configured(config, sessions)

    return start


def test_answers_are_of_the_commit_and_say_which(opening: Opening, repository: Path) -> None:
    asking = opening(alone=(repository, "v1"))
    name = git(repository, "rev-parse", "v1^{commit}")
    assert f"commit {name[:8]} (v1)" in asking("symbol_search", query="sell")
    assert "def sell" in asking("read_file", path="src/shop.py")
    assert "src/late.py" not in asking("list_files", recursive=True)
    assert "src/till.py" in asking("find_references", symbol="open_shop")


def test_two_commits_are_navigated_side_by_side(opening: Opening, repository: Path) -> None:
    asking = opening(old=(repository, "HEAD~1"), new=(repository, "main"), now=(repository, ""))
    found = asking("search_text", query="(sell|lend)\\(self", regex=True)
    assert "old/src/shop.py" in found
    assert "new/src/shop.py" in found
    assert "now/src/shop.py" in found
    assert "old: commit " in found
    assert "now: commit" not in found
    assert "new/" not in asking("symbol_search", query="sell")


def test_what_is_not_committed_is_not_there(opening: Opening, repository: Path) -> None:
    (repository / "src/draft.py").write_text("draft = 1\n")
    asking = opening(alone=(repository, "main"))
    assert "draft" not in asking("list_files", recursive=True)
    assert "There is no file or folder 'src/draft.py'" in asking.error("read_file", path="src/draft.py")


@pytest.mark.parametrize("pack", [False, True])
def test_a_branch_that_moves_is_followed(opening: Opening, repository: Path, pack: bool) -> None:
    asking = opening(alone=(repository, "main"))
    assert "no symbols" in asking("symbol_search", query="reopen", match="exact")
    moved = commit(repository, {"src/shop.py": "def reopen(): pass\n", "src/late.py": None})
    if pack:
        git(repository, "pack-refs", "--all")
        git(repository, "gc", "-q")
    answer = asking("symbol_search", query="reopen")
    assert "src/shop.py" in answer
    assert f"commit {moved[:8]} (main)" in answer
    assert "src/late.py" not in asking("list_files", recursive=True)
    git(repository, "reset", "-q", "--hard", "v1")
    assert "def sell" in asking("read_file", path="src/shop.py")


def test_head_follows_another_branch(opening: Opening, repository: Path) -> None:
    asking = opening(alone=(repository, "HEAD~1"))
    assert "def sell" in asking("read_file", path="src/shop.py")
    git(repository, "switch", "-q", "-c", "other")
    commit(repository, {"src/other.py": "other = 1\n"})
    assert "def lend" in asking("read_file", path="src/shop.py")


def test_a_branch_that_is_deleted_keeps_its_last_commit_and_is_said_to_be_gone(
    opening: Opening, repository: Path
) -> None:
    git(repository, "branch", "feature", "v1")
    asking = opening(alone=(repository, "feature"))
    git(repository, "branch", "-q", "-D", "feature")
    answer = asking("search_text", query="sell")
    assert "src/shop.py" in answer
    assert "(feature, which is gone)" in answer


def test_an_answer_while_a_branch_moves_is_of_one_commit(opening: Opening, repository: Path) -> None:
    asking = opening(alone=(repository, "main"))
    one = commit(repository, {f"src/{name}.py": "value = 'word_1'\n" for name in "abcdefgh"})
    other = commit(repository, {f"src/{name}.py": "value = 'word_2'\n" for name in "abcdefgh"})
    turns = cycle((other, one))
    seen: set[str] = set()
    with repeated(lambda: git(repository, "update-ref", "refs/heads/main", next(turns))):
        for turn in range(1_000):
            answer = asking("search_text", query="word_\\d", regex=True, context=0)
            words = {number for number in "12" if f"word_{number}" in answer}
            commits = {name[:8] for name in (one, other) if name[:8] in answer}
            assert len(words) == len(commits) == 1, answer
            assert words == {"1" if one[:8] in answer else "2"}
            seen |= words
            if turn >= 20 and seen == {"1", "2"}:
                break
    assert seen == {"1", "2"}


def test_links_and_submodules_are_left_out_and_named(opening: Opening, repository: Path, tmp_path: Path) -> None:
    commit(tmp_path / "part", {"part.py": "part = 1\n"})
    (repository / "src/link.py").symlink_to("shop.py")
    git(repository, "submodule", "--quiet", "add", str(tmp_path / "part"), "part")
    commit(repository, {})
    asking = opening(alone=(repository, "main"))
    listed = asking("list_files", recursive=True, max_tokens=1000)
    assert "not listed: part (submodule) and 1 more" in listed
    assert "symbolic link in a commit" in asking.error("list_files", path="src/link.py")
    assert "cannot be read: symbolic link in a commit" in asking.error("read_file", path="src/link.py")


def test_ignore_files_of_leadline_secrets_and_keys_count_as_on_the_disk(opening: Opening, repository: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    files = {".gitignore": "*.py\n", ".leadlineignore": "lib/\n", "lib/a.py": "a = 1\n", ".env": "PASSWORD=x\n"}
    commit(repository, {**files, "src/key.py": f'TOKEN = "{key}"\n'})
    git(repository, "add", "-f", "src/key.py", "lib/a.py")
    git(repository, "commit", "-q", "-m", "keys")
    asking = opening(alone=(repository, "main"))
    listed = asking("list_files", recursive=True)
    assert "key.py" in listed
    assert "lib/" not in listed
    assert key not in asking("read_file", path="src/key.py")
    assert "secret" in asking.error("read_file", path=".env")


def test_a_pointer_of_large_file_storage_is_said_to_be_one(opening: Opening, repository: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345678\n"
    commit(repository, {"data/model.py": pointer})
    asking = opening(alone=(repository, "main"))
    assert "Git LFS pointer: the content (12,345,678 bytes) is not in the repository" in asking(
        "read_file", path="data/model.py"
    )


def test_edits_are_previewed_and_refused(opening: Opening, repository: Path) -> None:
    asking = opening(allow_edits=True, alone=(repository, "main"))
    assert "nothing can be written" in asking("rename_symbol", symbol="open_shop", new_name="open_store")
    refused = asking.error("rename_symbol", symbol="open_shop", new_name="open_store", apply=True)
    assert "is not on disk" in refused
    assert "Edit a checkout" in refused


def test_a_folder_of_a_repository_is_a_root_of_its_own(opening: Opening, repository: Path) -> None:
    asking = opening(alone=(repository / "src", "v1"))
    listed = asking("list_files", recursive=True)
    assert "shop.py" in listed
    assert "src/" not in listed


def test_a_bare_repository_and_a_linked_work_tree_are_read(opening: Opening, repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "v1")
    asking = opening(bare=(tmp_path / "bare.git", "v1"), linked=(tmp_path / "linked", "HEAD"))
    found = asking("symbol_search", query="sell")
    assert "bare/src/shop.py" in found
    assert "linked/src/shop.py" in found


# The console


def test_a_root_is_a_folder_an_at_sign_and_a_ref(console: Console, repository: Path) -> None:
    ran = console("call", "--root", f"{repository}@v1", "search_text", "query=def sell")
    assert (ran.code, "(v1)" in ran.out, "src/shop.py" in ran.out) == (0, True, True), ran.err
    both = ["--root", f"old={repository}@HEAD~1", "--root", f"now={repository}"]
    ran = console("call", *both, "symbol_search", "query=lend")
    assert "now/src/shop.py" in ran.out, ran.err
    ran = console("index", "--root", f"{repository}@v1", "--no-facts")
    assert "2 files" in ran.out, ran.err


def test_a_folder_whose_name_has_an_at_sign_is_that_folder(console: Console, repository: Path, tmp_path: Path) -> None:
    odd = tmp_path / "shop@v1"
    odd.mkdir()
    (odd / "odd.py").write_text("odd = 1\n")
    ran = console("call", "--root", str(odd), "search_text", "query=odd")
    assert "odd.py" in ran.out, ran.err
    assert "commit" not in ran.out
    moved = repository.rename(tmp_path / "a@b")
    ran = console("call", "--root", f"{moved}@v1", "search_text", "query=sell")
    assert "(v1)" in ran.out, ran.err


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("v3", "Did you mean 'v1' or 'v2'?"),
        ("mian", "Did you mean 'main'"),
        ("--output=x", "There is no commit '--output=x'"),
        ("HEAD~9", "There is no commit 'HEAD~9'"),
        ("v1:src", "There is no commit 'v1:src'"),
    ],
)
def test_a_ref_that_there_is_not_names_those_that_were_meant(
    console: Console, repository: Path, ref: str, said: str
) -> None:
    ran = console("call", "--root", f"{repository}@{ref}", "count_files")
    assert ran.code == 2
    assert said in ran.err


def test_what_has_no_commits_says_so(console: Console, tmp_path: Path, repository: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "is not in a git repository" in console("call", "--root", f"{plain}@main", "count_files").err
    git(plain, "init", "-q")
    assert "has no commits yet" in console("call", "--root", f"{plain}@HEAD", "count_files").err
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    ran = console("call", "--root", f"{tmp_path / 'shallow'}@HEAD~1", "count_files")
    assert "git fetch --unshallow" in ran.err
    ran = console("call", "--root", f"{repository / 'src'}@v1", "--root", f"{plain}@main", "count_files")
    assert "several roots need names" in ran.err or "Invalid value" in ran.err


def test_doctor_lists_the_commits(console: Console, repository: Path) -> None:
    ran = console("doctor", "--root", f"{repository}@v1")
    assert "(v1)" in ran.out or "@v1: " in ran.out
    assert "2 files" in ran.out


# Damage and malice


def _object(repository: Path, name: str) -> Path:
    return repository / ".git/objects" / name[:2] / name[2:]


def test_an_object_that_is_missing_or_damaged_is_said_and_all_else_answers(opening: Opening, repository: Path) -> None:
    missing = _object(repository, git(repository, "rev-parse", "main:src/late.py"))
    damaged = _object(repository, git(repository, "rev-parse", "main:src/till.py"))
    missing.unlink()
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:12] + b"nonsense")
    asking = opening(alone=(repository, "main"))
    assert "def lend" in asking("read_file", path="src/shop.py")
    assert "damaged" in asking.error("read_file", path="src/till.py")
    assert "its object is missing" in asking.error("read_file", path="src/late.py")
    assert "src/shop.py" in asking("search_text", query="lend")


def test_a_commit_whose_tree_is_missing_leaves_the_last_one_that_could_be_read(
    opening: Opening, repository: Path
) -> None:
    asking = opening(alone=(repository, "main"))
    commit(repository, {"src/more.py": "more = 1\n"})
    _object(repository, git(repository, "rev-parse", "main:src")).unlink()
    answer = asking("search_text", query="lend")
    assert "src/shop.py" in answer
    assert "not newer" in answer


@pytest.mark.parametrize("how", ["alternates", "objects", "common", "pointer"])
def test_objects_of_another_repository_are_never_read(
    console: Console, repository: Path, tmp_path: Path, how: str
) -> None:
    secret = tmp_path / "secret"
    commit(secret, {"plan.py": "secret_plan = 1\n"})
    name = git(secret, "rev-parse", "HEAD")
    own = repository / ".git"
    if how == "alternates":
        (own / "objects/info/alternates").write_text(f"{secret}/.git/objects\n")
    elif how == "objects":
        shutil.rmtree(own / "objects")
        (own / "objects").symlink_to(secret / ".git/objects")
    elif how == "common":
        (own / "commondir").write_text(f"{secret}/.git\n")
    else:
        shutil.rmtree(own)
        own.write_text(f"gitdir: {secret}/.git\n")
    ran = console("call", "--root", f"{repository}@{name}", "search_text", "query=secret_plan")
    assert ran.code == 2
    assert "secret_plan" not in ran.out
    assert "cannot be read" in ran.err


def test_nothing_that_a_repository_configures_runs(opening: Opening, repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    commit(repository, {".gitattributes": "* filter=evil diff=evil\n"})
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "core.fsmonitor", "core.pager"):
        git(repository, "config", key, str(program))
    git(repository, "config", "core.sshCommand", str(program))
    shutil.copy(program, repository / ".git/hooks/post-checkout")
    replaced, other = git(repository, "rev-parse", "v1:src/shop.py"), git(repository, "rev-parse", "v2:src/shop.py")
    git(repository, "update-ref", f"refs/replace/{replaced}", other)
    mark.unlink(missing_ok=True)
    asking = opening(alone=(repository, "v1"))
    assert "def sell" in asking("read_file", path="src/shop.py")
    assert not mark.exists()


def test_a_forged_tree_gives_no_path_that_leaves(opening: Opening, repository: Path) -> None:
    blob = git(repository, "rev-parse", "v1:src/shop.py")
    raw = b"".join(f"100644 {name}\0".encode() + bytes.fromhex(blob) for name in ("..", ".git", "good.py"))
    forged = repository / "forged"
    forged.write_bytes(raw)
    tree = git(repository, "hash-object", "-t", "tree", "-w", "--literally", "forged")
    name = git(repository, "commit-tree", "-m", "forged", tree)
    asking = opening(alone=(repository, name))
    listed = asking("list_files", recursive=True)
    assert "good.py" in listed
    assert "a name that no file can have" in listed
    assert os.path.lexists(forged)
