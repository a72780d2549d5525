"""The files of a tree are those that git would list, in a work tree and elsewhere, and nothing from outside it."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from leadline_tools.index.tree.disk import git_files
from leadline_tools.index.tree.disk import walk as walking
from leadline_tools.index.tree.disk.repositories import BARE, LINKED
from leadline_tools.index.tree.disk.walk import PathScan
from leadline_tools.index.tree.disk.walk import walk as whole_walk
from leadline_tools.index.tree.programs import Limits
from leadline_tools.index.tree.walked_files import Skipped, Walked
from torture.wire import PATIENCE

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}

Grow = Callable[..., None]


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=root, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout


def walk(root: Path) -> Walked:
    """Walk a tree, and see that a first glance at it, and what follows from there, come to the same."""
    scan = PathScan(root)
    walked = whole_walk(root)
    assert scan.paths == paths(walked)
    assert scan.with_files() == walked
    return walked


def paths(walked: Walked) -> list[str]:
    return [found.path for found in walked.files]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


@pytest.fixture
def grow(root: Path) -> Grow:
    """Return what writes files, each with its own path as its text unless another is given."""

    def grow(*files: str, **texts: str) -> None:
        for path in files:
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(path, errors="surrogateescape")
        for path, text in texts.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    return grow


@pytest.fixture(params=["git", "folder"])
def source(request: pytest.FixtureRequest, root: Path) -> str:
    """Return what lists the root: git, or our own walk."""
    if request.param == "git":
        git(root, "init", "-q")
    return str(request.param)


# What is listed


def test_files_are_listed_by_path_with_their_size_and_time(root: Path, grow: Grow, source: str) -> None:
    grow("b.py", "a/b.py", "a.py", ".hidden", ".github/ci.yml", "-rf", "a b")
    walked = walk(root)
    assert paths(walked) == ["-rf", ".github/ci.yml", ".hidden", "a b", "a.py", "a/b.py", "b.py"]
    assert walked.source == source
    assert (walked.skipped, walked.skipped_count, walked.ignored_everything) == ((), 0, False)
    for found in walked.files:
        status = (root / found.path).stat()
        assert (found.size, found.changed_ns) == (status.st_size, status.st_ctime_ns)


def test_ignored_files_are_not_listed(root: Path, grow: Grow, source: str) -> None:
    grow(
        "a.py",
        "a.o",
        "keep.o",
        "build/a.py",
        "lib/build",
        "lib/a.o",
        "lib/b.o",
        "lib/sub/c.o",
        "docs/_build/x",
        "top.md",
    )
    grow("docs/top.md", "\u00e9.tmp")
    grow(**{".gitignore": "*.o\n!keep.o\nbuild/\ndocs/_build\n/top.md\n???.tmp\n", "lib/.gitignore": "!b.o\n/sub/\n"})
    walked = walk(root)
    assert walked.source == source
    assert paths(walked) == [
        *[".gitignore", "a.py", "docs/top.md", "keep.o", "lib/.gitignore", "lib/b.o", "lib/build", "\u00e9.tmp"],
    ]


def test_both_sources_list_the_same(root: Path, grow: Grow) -> None:
    grow("a", "b/c", "b/d/e.log", "f/g.log", "f/keep.log", "h/i/j", "h/i/k", "l", "m/n/o", "m/p")
    grow(
        **{".gitignore": "*.log\n!keep.log\nh/**\n!h/i\nm/*\n!m/n", "b/.gitignore": "!*.log", "f/.gitignore": "*\n!g*"}
    )
    by_folder = walk(root)
    git(root, "init", "-q")
    (root / ".git/info/exclude").write_text("l\n!p\n")
    by_git = walk(root)
    shutil.rmtree(root / ".git/objects")
    without_git = walk(root)
    assert (by_folder.source, by_git.source, without_git.source) == ("folder", "git", "folder")
    assert paths(by_git) == paths(without_git) == [path for path in paths(by_folder) if path != "l"]


def test_a_tracked_file_is_listed_even_if_a_rule_ignores_it(root: Path, grow: Grow) -> None:
    grow("a.o", "b.o", "c.py", **{".gitignore": "*.o\n"})
    git(root, "init", "-q")
    git(root, "add", "-f", "a.o")
    assert paths(walk(root)) == [".gitignore", "a.o", "c.py"]


def test_a_tracked_file_that_is_deleted_is_not_listed(root: Path, grow: Grow) -> None:
    grow("a.py", "b/c.py")
    git(root, "init", "-q")
    git(root, "add", ".")
    shutil.rmtree(root / "b")
    walked = walk(root)
    assert paths(walked) == ["a.py"]
    assert walked.skipped == ()


def test_a_file_in_conflict_is_listed_once(root: Path, grow: Grow) -> None:
    git(root, "init", "-q", "-b", "main")
    for branch in ("main", "other"):
        grow(**{"a.py": branch})
        git(root, "checkout", "-q", "--orphan", branch)
        git(root, "add", ".")
        git(root, "commit", "-qm", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "--allow-unrelated-histories", "main")
    assert len(git(root, "ls-files", "-s").splitlines()) == 2
    assert paths(walk(root)) == ["a.py"]


def test_a_folder_of_a_work_tree_is_listed_by_its_own_paths(root: Path, grow: Grow) -> None:
    grow("src/a.py", "src/b.o", "c.py", **{".gitignore": "*.o\n"})
    git(root, "init", "-q")
    walked = walk(root / "src")
    assert (paths(walked), walked.source) == (["a.py"], "git")


def test_repositories_inside_are_walked_by_their_own_rules(root: Path, tmp_path: Path, grow: Grow, source: str) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "lib.py").touch()
    git(library, "init", "-q")
    git(library, "add", ".")
    git(library, "commit", "-qm", "x")
    grow("a.py", "a.log", **{".gitignore": "*.log\n"})
    git(root, "clone", "-q", str(library), "nested")
    if source == "git":
        git(root, "submodule", "--quiet", "add", str(library), "module")
    else:
        git(root, "clone", "-q", str(library), "module")
    for repository in ("nested", "module"):
        grow(f"{repository}/b.log", f"{repository}/b.tmp", **{f"{repository}/.gitignore": "*.tmp\n"})
    listed = [path for path in paths(walk(root)) if not path.startswith(".gitm")]
    inside = [".gitignore", "b.log", "lib.py"]
    assert listed == [
        ".gitignore",
        "a.py",
        *(f"module/{file}" for file in inside),
        *(f"nested/{file}" for file in inside),
    ]


def test_linked_work_trees_of_the_same_repository_are_left_out_and_named(root: Path, grow: Grow) -> None:
    grow("a.py")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "worktree", "add", "-q", ".agents/one")
    git(root, "worktree", "add", "-q", "inner")
    git(root / "inner", "worktree", "add", "-q", "deeper")
    walked = walk(root)
    assert paths(walked) == ["a.py"]
    assert walked.skipped == (Skipped(".agents/one", LINKED), Skipped("inner", LINKED))
    inner = walk(root / "inner")
    assert (paths(inner), inner.skipped) == (["a.py"], (Skipped("deeper", LINKED),))
    shutil.rmtree(root / ".git" / "worktrees" / "inner")  # git takes the folder for a plain one then
    assert paths(walk(root)) == ["a.py"]


def test_a_linked_work_tree_is_left_out_without_git(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "worktree", "add", "-q", "inner")
    monkeypatch.setenv("PATH", "")
    walked = walk(root)
    assert (paths(walked), walked.skipped) == (["a.py"], (Skipped("inner", LINKED),))


def test_a_linked_work_tree_of_another_repository_is_listed(
    root: Path, tmp_path: Path, grow: Grow, source: str
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "lib.py").touch()
    git(library, "init", "-q")
    git(library, "add", ".")
    git(library, "commit", "-qm", "x")
    grow("a.py")
    git(library, "worktree", "add", "-q", str(root / "beside"))
    walked = walk(root)
    assert (paths(walked), walked.skipped, walked.source) == (["a.py", "beside/lib.py"], (), source)


def test_of_a_folder_with_a_bare_repository_the_work_trees_are_listed(root: Path, grow: Grow, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "lib.py").touch()
    git(library, "init", "-q")
    git(library, "add", ".")
    git(library, "commit", "-qm", "x")
    git(root, "clone", "-q", "--bare", str(library), ".bare")
    grow(**{".git": "gitdir: ./.bare\n"})
    git(root, "worktree", "add", "-q", "main")
    git(root, "worktree", "add", "-q", "next")
    walked = walk(root)
    assert paths(walked) == ["main/lib.py", "next/lib.py"]
    assert walked.skipped == (Skipped(".bare", BARE),)


def test_a_bare_repository_is_left_out_and_named(root: Path, grow: Grow, source: str) -> None:
    grow("a.py", "objects/a.py", "refs/a.py")
    git(root, "init", "-q", "--bare", "mirrors/lib.git")
    walked = walk(root)
    assert paths(walked) == ["a.py", "objects/a.py", "refs/a.py"]
    assert (walked.skipped, walked.source) == ((Skipped("mirrors/lib.git", BARE),), source)


def test_names_that_are_not_utf8_are_listed(root: Path, grow: Grow, source: str) -> None:
    names = sorted([os.fsdecode(b"caf\xe9.py"), "a\nb.py", "\x1b[31m.py", "\u202eyp.a", "a\\b.py", "a\tb\"c'.py"])
    grow(*names)
    walked = walk(root)
    assert (paths(walked), walked.source) == (names, source)


@pytest.fixture
def dig(root: Path) -> Iterator[Callable[[str, int], None]]:
    """Return what makes folders in folders; pathlib makes and removes them by recursion, which is not deep enough."""

    def dig(name: str, depth: int) -> None:
        descriptor = os.open(root, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir(name, dir_fd=descriptor)
            below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
        os.close(descriptor)

    yield dig
    subprocess.run(["rm", "-rf", root], check=True)


def test_a_deep_tree_is_listed(root: Path, dig: Callable[[str, int], None], source: str) -> None:
    dig("d", 1_500)
    walked = walk(root)
    assert (paths(walked), walked.source) == (["d/" * 1_500 + "deep.py"], source)


def test_a_folder_too_deep_for_a_path_is_skipped(root: Path, grow: Grow, dig: Callable[[str, int], None]) -> None:
    grow("a.py")
    dig("d" * 200, 30)
    walked = walk(root)
    assert paths(walked) == ["a.py"]
    assert [skipped.reason for skipped in walked.skipped] == ["unreadable folder"]


def test_an_empty_folder_has_no_files(root: Path, source: str) -> None:
    walked = walk(root)
    assert (walked.files, walked.ignored_everything, walked.source) == ([], False, source)


def test_a_root_that_is_not_there_has_no_files(root: Path) -> None:
    assert walk(root / "gone").files == []


# Rules that leave nothing


def test_rules_that_leave_nothing_are_not_applied_and_that_is_said(root: Path, grow: Grow, source: str) -> None:
    grow("a.py", "b/c.py", **{".gitignore": "/*\n!/debian/\n"})
    walked = walk(root)
    assert paths(walked) == [".gitignore", "a.py", "b/c.py"]
    assert walked.ignored_everything
    assert walked.source == "folder", source


def test_a_root_that_a_larger_tree_ignores_is_listed_by_its_own_rules(root: Path, grow: Grow) -> None:
    grow("vendor/a.py", "vendor/a.o", **{".gitignore": "/vendor/\n", "vendor/.gitignore": "*.o\n"})
    git(root, "init", "-q")
    walked = walk(root / "vendor")
    assert (paths(walked), walked.ignored_everything) == ([".gitignore", "a.py"], False)


def test_the_rules_of_the_user_and_the_system_are_left_out(
    root: Path, tmp_path: Path, grow: Grow, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "ignore").write_text("*.py\n")
    (tmp_path / ".gitconfig").write_text(f"[core]\n\texcludesFile = {tmp_path}/git/ignore\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    grow("a.py", "b.c")
    walked = walk(root)
    assert (paths(walked), walked.source) == (["a.py", "b.c"], source)


def test_an_ignore_file_that_is_a_link_is_no_rule(root: Path, grow: Grow, source: str) -> None:
    grow("a.py", rules="*.py\n")
    (root / ".gitignore").symlink_to("rules")
    walked = walk(root)
    assert (paths(walked), walked.source) == ([".gitignore", "a.py", "rules"], source)


def test_an_ignore_file_that_is_a_pipe_does_not_wait(root: Path, grow: Grow) -> None:
    grow("a.py")
    os.mkfifo(root / ".gitignore")
    walked = walk(root)
    assert paths(walked) == ["a.py"]
    assert walked.skipped == (Skipped(".gitignore", "not a regular file: a named pipe"),)


# What is skipped


def test_links_are_listed_only_where_they_lead_to_a_file_of_the_tree(
    root: Path, tmp_path: Path, source: str, grow: Grow
) -> None:
    grow("src/a.py")
    for outside in ("elsewhere", "root-evil"):
        (tmp_path / outside).mkdir()
        (tmp_path / outside / "secret.py").touch()
    targets = {
        "inside.py": "src/a.py",
        "absolute.py": str(root / "src" / "a.py"),
        "chain.py": "inside.py",
        "src/up.py": "../src/a.py",
        "out.py": "../elsewhere/secret.py",
        "sibling.py": str(tmp_path / "root-evil" / "secret.py"),
        "through.py": "out/secret.py",
        "out": "../elsewhere",
        "folder": "src",
        "loop": ".",
        "self": "self",
        "gone.py": "src/gone.py",
    }
    for link, target in targets.items():
        (root / link).symlink_to(target)
    walked = walk(root)
    assert walked.source == source
    assert paths(walked) == ["absolute.py", "chain.py", "inside.py", "src/a.py", "src/up.py"]
    assert {found.size for found in walked.files} == {len("src/a.py")}
    assert walked.skipped == (
        Skipped("folder", "symbolic link to a folder"),
        Skipped("gone.py", "symbolic link to nothing"),
        Skipped("loop", "symbolic link to a folder"),
        Skipped("out", "symbolic link out of the tree"),
        Skipped("out.py", "symbolic link out of the tree"),
        Skipped("self", "symbolic link in a loop"),
        Skipped("sibling.py", "symbolic link out of the tree"),
        Skipped("through.py", "symbolic link out of the tree"),
    )


def test_a_root_may_be_reached_through_a_link(root: Path, tmp_path: Path, grow: Grow, source: str) -> None:
    grow("a.py")
    (root / "b.py").symlink_to(tmp_path / "alias" / "a.py")
    (tmp_path / "alias").symlink_to(root)
    walked = walk(tmp_path / "alias")
    assert (paths(walked), walked.source) == (["a.py", "b.py"], source)


def test_pipes_and_sockets_are_skipped(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py")
    monkeypatch.chdir(root)
    os.mkfifo("pipe.py")
    (root / "link.py").symlink_to("pipe.py")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.py")
        walked = walk(root)
    assert paths(walked) == ["a.py"]
    assert walked.skipped == (
        Skipped("link.py", "symbolic link to a named pipe"),
        Skipped("pipe.py", "not a regular file: a named pipe"),
        Skipped("socket.py", "not a regular file: a socket"),
    )


def test_what_is_skipped_is_named_up_to_a_limit_and_counted(
    root: Path, grow: Grow, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow("a.py")
    monkeypatch.setattr(walking, "MOST_SKIPPED", 3)
    for number in range(5):
        (root / f"{number}").symlink_to("..")
    walked = walk(root)
    assert (len(walked.skipped), walked.skipped_count, walked.source) == (3, 5, source)


def test_unreadable_folders_are_named(root: Path, grow: Grow, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py", "locked/b.py")
    if source == "git":
        said = "warning: could not open directory 'locked/': Permission denied"
        stand_in(root.parent, monkeypatch, f"echo \"{said}\" >&2; printf 'a.py\\0'")
    else:
        scandir = os.scandir

        def refusing(path: str) -> object:
            if path.endswith("locked/"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refusing)
    walked = walk(root)
    assert (paths(walked), walked.source) == (["a.py"], source)
    assert walked.skipped == (Skipped("locked", "unreadable folder"),)


def test_a_file_that_vanishes_meanwhile_is_not_there(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py")
    git(root, "init", "-q")
    stand_in(root.parent, monkeypatch, r"printf 'a.py\0gone.py\0gone/b.py\0a.py/c\0'")
    walked = walk(root)
    assert (paths(walked), walked.skipped, walked.source) == (["a.py"], (), "git")


# git


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program of that name in the place of git."""
    program = folder / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def test_no_name_that_git_gives_leads_out_of_the_tree(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py", "sub/b.py")
    (root.parent / "elsewhere").mkdir()
    (root.parent / "elsewhere" / "secret.py").touch()
    (root / "folder").symlink_to("../elsewhere")
    names = [
        "../elsewhere/secret.py",
        "sub/../../elsewhere/secret.py",
        "folder/secret.py",
        "/etc/passwd",
        "..",
        ".",
        "",
    ]
    names += ["sub//b.py", "./a.py", ".git/config", "sub/.git/config", "a/" * 100_000, "x" * 5_000, "a.py"]
    answer = root.parent / "answer"
    answer.write_bytes(b"".join(os.fsencode(name) + b"\0" for name in names))
    stand_in(root.parent, monkeypatch, f"cat {answer}")
    assert paths(walk(root)) == ["a.py"]


@pytest.mark.parametrize("script", ["exit 128", "exit 1; echo a.py", "kill -9 $$", "exec /nowhere"])
def test_a_git_that_fails_is_done_without(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    grow("a.py", "a.o", **{".gitignore": "*.o\n"})
    stand_in(root.parent, monkeypatch, script)
    walked = walk(root)
    assert (paths(walked), walked.source) == ([".gitignore", "a.py"], "folder")


def test_a_git_that_does_not_answer_is_done_without(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py")
    stand_in(root.parent, monkeypatch, "exec cat /dev/zero")
    monkeypatch.setattr(git_files, "_LIMITS", Limits(0.05))
    walked = walk(root)
    assert (paths(walked), walked.source) == (["a.py"], "folder")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process waits for")
@pytest.mark.parametrize(
    "name", [".gitignore", ".git/info/exclude", ".git/index", ".git/config", ".git/HEAD", "sub/.gitignore"]
)
def test_a_pipe_in_place_of_a_file_that_git_opens_costs_two_seconds_at_most(root: Path, grow: Grow, name: str) -> None:
    grow("a.py", "sub/b.py")
    git(root, "init", "-q")
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    started = time.monotonic()
    assert {"a.py", "sub/b.py"} == set(paths(whole_walk(root)))
    assert time.monotonic() - started < 2 * PATIENCE


def test_git_does_not_mark_a_shared_index_as_used(root: Path, grow: Grow) -> None:
    grow("a.py", "b.o", "sub/c.py", **{".gitignore": "*.o\n"})
    git(root, "init", "-q")
    git(root, "add", "-f", "a.py", "b.o")
    git(root, "update-index", "--split-index")
    grow("d.o")
    files = [path for path in (root / ".git").rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    for below, listed in ((root, [".gitignore", "a.py", "b.o", "sub/c.py"]), (root / "sub", ["c.py"])):
        walked = walk(below)
        assert (paths(walked), walked.source) == (listed, "git")
    assert {path.stat().st_mtime for path in files} == {1_000_000_000}


def test_a_split_index_of_a_linked_work_tree_is_not_written_to_either(root: Path, grow: Grow) -> None:
    grow("main/a.py")
    main, linked = root / "main", root / "linked"
    git(main, "init", "-q")
    git(main, "add", ".")
    git(main, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a")
    git(main, "worktree", "add", "-q", str(linked))
    git(linked, "update-index", "--split-index")
    (main / ".git/info").mkdir(exist_ok=True)
    (main / ".git/info/exclude").write_text("*.o\n")
    (linked / "c.o").write_text("")
    files = [path for path in (main / ".git").rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    walked = walk(linked)
    assert (paths(walked), walked.source) == (["a.py"], "git")
    assert {path.stat().st_mtime for path in files} == {1_000_000_000}


def test_a_machine_without_git_is_served(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("a.py")
    git(root, "init", "-q")
    monkeypatch.setenv("PATH", str(root.parent / "nowhere"))
    walked = walk(root)
    assert (paths(walked), walked.source) == (["a.py"], "folder")


def test_a_git_inside_the_tree_is_not_run(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(root, monkeypatch, f"touch {root.parent}/ran")
    grow("a.py")
    assert paths(walk(root)) == ["a.py", "bin/git"]
    assert not (root.parent / "ran").exists()


def test_a_hostile_repository_makes_git_run_nothing(root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = root.parent / "trap"
    trap.write_text(f"#!/bin/sh\necho $0 $@ >> {root.parent}/ran\n")
    trap.chmod(0o755)
    grow("a.py", "sub/b.py", **{"sub/.gitignore": "*.o\n", ".gitattributes": "* filter=evil diff=evil\n"})
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    # A partial clone that lacks an ignore file, which git would fetch to know the rules of a folder.
    blob = git(root, "rev-parse", ":sub/.gitignore").strip()
    git(root, "update-index", "--skip-worktree", "sub/.gitignore")
    (root / "sub/.gitignore").unlink()
    stored = root / ".git/objects" / blob[:2] / blob[2:]
    stored.chmod(stat.S_IWUSR)
    stored.unlink()
    grow("sub/new.py")
    for hook in ("post-index-change", "fsmonitor-watchman", "query-watchman", "pre-auto-gc"):
        shutil.copy(trap, root / ".git/hooks" / hook)
    for name, value in {
        "core.fsmonitor": str(trap),
        "core.hooksPath": str(root / ".git/hooks"),
        "core.sshCommand": str(trap),
        "core.pager": str(trap),
        "core.untrackedCache": "true",
        "filter.evil.clean": str(trap),
        "filter.evil.process": str(trap),
        "diff.evil.textconv": str(trap),
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ext::" + str(trap),
        "remote.origin.uploadpack": str(trap),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "alias.ls-files": f"!{trap}",
    }.items():
        git(root, "config", name, value)
    git_before = {path: path.lstat().st_mtime_ns for path in sorted((root / ".git").rglob("*"))}
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_TRACE", str(root.parent / "ran"))
    assert paths(walk(root)) == [".gitattributes", "a.py", "sub/b.py", "sub/new.py"]
    assert not (root.parent / "ran").exists()
    assert {path: path.lstat().st_mtime_ns for path in sorted((root / ".git").rglob("*"))} == git_before


def test_a_bare_repository_and_a_foreign_work_tree_are_walked_as_folders(
    root: Path, tmp_path: Path, grow: Grow
) -> None:
    grow("a.py")
    git(root, "init", "-q", "--bare", ".")
    git(root, "config", "core.bare", "false")
    git(root, "config", "core.worktree", str(tmp_path))
    walked = walk(root)
    assert walked.source == "folder"
    assert "a.py" in paths(walked)
    assert not any(path.startswith(("..", "root")) for path in paths(walked))
