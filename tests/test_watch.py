"""A watcher knows all that happened before it is asked, and looks at no more than that."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from conftest import Asking, Open
from leadline_server.call import Request
from leadline_tools.index.changes import watch
from leadline_tools.index.changes.changed_paths import ChangedPaths
from leadline_tools.index.changes.notified import Notified
from leadline_tools.index.changes.watch import Watcher, WatchMode, WatchState
from leadline_tools.index.tree.disk import disk_tree
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.disk.walk import look, walk
from leadline_tools.index.tree.walked_files import ListedFile, Walked

GIT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments], cwd=root, env=GIT, check=True, capture_output=True
    )


def write(root: Path, *paths: str, text: str = "text\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


class Mirror:
    """A list of files that follows a tree by what a watcher says of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, ListedFile] = {}
        self.walks = 0
        self.watcher = Watcher(DiskTree(root), self.files.__contains__)
        self.watcher.start(())
        self.touched = self.watcher.touched()
        self._walk()

    def ask(self) -> ChangedPaths:
        """Follow what has happened, and return what the watcher said."""
        self.touched = self.watcher.touched()
        if self.touched.everything:
            self._walk()
        else:
            self._look(self.touched.paths)
        return self.touched

    def _walk(self) -> None:
        while True:
            began = time.monotonic()
            walked = walk(self.root)
            self.walks += 1
            self.files.clear()
            self.files.update((file.path, file) for file in walked.files)
            if self.watcher.checked(walked, began):
                return

    def _look(self, paths: Iterable[str]) -> None:
        below = {file for path in paths for file in self.files if file.startswith(f"{path}/")}
        looked = look(self.root, below.union(paths))
        for path in below.union(paths):
            self.files.pop(path, None)
        self.files.update((file.path, file) for file in looked.files)

    def differences(self) -> set[ListedFile]:
        """Return what a walk finds and the list does not have, and the other way round."""
        return set(self.files.values()) ^ set(walk(self.root).files)

    def is_true(self) -> bool:
        """Return whether the list is what a walk finds."""
        return not self.differences()


Mirrors = Callable[[Path], Mirror]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    write(root, "a.py", "pkg/b.py", "pkg/deep/c.py", "docs/d.md")
    return root


@pytest.fixture
def mirrors() -> Iterator[Mirrors]:
    made: list[Mirror] = []

    def make(root: Path) -> Mirror:
        made.append(Mirror(root))
        made[-1].ask()
        return made[-1]

    yield make
    for mirror in made:
        mirror.watcher.close()


@pytest.fixture
def mirror(mirrors: Mirrors, root: Path) -> Mirror:
    return mirrors(root)


def replace(path: Path, text: str) -> None:
    """Write as editors do that rename a new file over the old one."""
    beside = path.with_name(f"{path.name}~")
    beside.write_text(text)
    beside.replace(path)


# Whatever happens

PATHS = st.lists(st.sampled_from(["a", "b", "c.log", "d.py"]), min_size=1, max_size=3).map("/".join)


class Happening(RuleBasedStateMachine):
    """Anything that can happen to a tree, in any order."""

    places: pytest.TempPathFactory
    in_git: bool

    def __init__(self) -> None:
        super().__init__()
        self.root = self.places.mktemp("happening")
        write(self.root, "kept.txt")
        if self.in_git:
            git(self.root, "init", "-q")
        self.mirror = Mirror(self.root)
        self.count = 0

    @rule(path=PATHS)
    def write(self, path: str) -> None:
        self.count += 1
        with contextlib.suppress(OSError):
            write(self.root, path, text="x" * self.count)

    @rule(path=PATHS)
    def make_folder(self, path: str) -> None:
        with contextlib.suppress(OSError):
            (self.root / path).mkdir(parents=True)

    @rule(path=PATHS)
    def remove(self, path: str) -> None:
        target = self.root / path
        with contextlib.suppress(OSError):
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            else:
                target.unlink()

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        with contextlib.suppress(OSError):
            (self.root / old).replace(self.root / new)

    @rule(path=PATHS, to=PATHS)
    def link(self, path: str, to: str) -> None:
        with contextlib.suppress(OSError):
            (self.root / path).symlink_to(self.root / to)

    @rule(folder=st.sampled_from(["", "a/", "a/b/"]), rules=st.sampled_from(["*.log", "a/b", "!*.log", "b/", "*"]))
    def ignore(self, folder: str, rules: str) -> None:
        with contextlib.suppress(OSError):
            write(self.root, f"{folder}.gitignore", text=f"{rules}\n")

    @rule(path=PATHS)
    def track(self, path: str) -> None:
        if self.in_git and (self.root / path).is_file():
            with contextlib.suppress(subprocess.CalledProcessError):  # what lies behind a link
                git(self.root, "add", "-f", path)

    @rule()
    def ask(self) -> None:
        self.mirror.ask()
        assert self.mirror.differences() == set()

    def teardown(self) -> None:
        self.ask()
        self.mirror.watcher.close()
        shutil.rmtree(self.root)


@pytest.mark.parametrize("in_git", [True, False])
def test_whatever_happens_is_seen(tmp_path_factory: pytest.TempPathFactory, in_git: bool) -> None:
    there = {"places": tmp_path_factory, "in_git": in_git}
    run_state_machine_as_test(
        type("There", (Happening,), there),
        settings=settings(max_examples=100, stateful_step_count=20, deadline=None),
    )


# One file


def test_nothing_is_touched_where_nothing_happens(mirror: Mirror) -> None:
    assert mirror.ask() == ChangedPaths(frozenset(), everything=False)
    assert mirror.watcher.state == WatchState(WatchMode.WATCHING)
    assert mirror.watcher.lag == 0


def test_every_edit_is_seen_by_the_question_right_behind_it(mirror: Mirror) -> None:
    for number in range(1000):
        write(mirror.root, "pkg/b.py", text=str(number))
        assert mirror.ask() == ChangedPaths(frozenset({"pkg/b.py"}), everything=False)


def test_an_edit_that_leaves_size_and_time_is_seen(mirror: Mirror) -> None:
    file = mirror.root / "a.py"
    before = file.stat()
    file.write_text("TEXT\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert mirror.ask() == ChangedPaths(frozenset({"a.py"}), everything=False)


def test_a_file_that_an_editor_replaces_is_seen(mirror: Mirror) -> None:
    replace(mirror.root / "pkg/b.py", "new\n")
    assert "pkg/b.py" in mirror.ask().paths
    assert mirror.is_true()
    assert mirror.walks == 2


def test_touch_and_permissions_are_seen(mirror: Mirror) -> None:
    (mirror.root / "a.py").touch()
    assert mirror.ask().paths == {"a.py"}
    (mirror.root / "a.py").chmod(0)
    assert mirror.ask().paths == {"a.py"}


def test_files_that_come_go_and_move_are_seen(mirror: Mirror) -> None:
    write(mirror.root, "new.py")
    (mirror.root / "docs/d.md").unlink()
    (mirror.root / "pkg/b.py").rename(mirror.root / "docs/b.py")
    assert mirror.ask() == ChangedPaths(frozenset({"new.py", "docs/d.md", "pkg/b.py", "docs/b.py"}), everything=False)
    assert mirror.is_true()


def test_names_that_are_not_utf8_are_seen(mirror: Mirror) -> None:
    name = os.fsdecode(b"pkg/\xff.py")
    (mirror.root / name).write_text("x")
    assert mirror.ask().paths == {name}
    assert mirror.is_true()


def test_the_target_of_a_link_touches_the_link(mirrors: Mirrors, root: Path) -> None:
    write(root, ".gitignore", text="/hidden/\n")
    write(root, "hidden/target.py")
    (root / "link.py").symlink_to("pkg/b.py")
    (root / "pkg/out.py").symlink_to("../hidden/target.py")
    mirror = mirrors(root)
    write(root, "pkg/b.py", text="new\n")
    assert mirror.ask().paths == {"pkg/b.py", "link.py"}
    write(root, "hidden/target.py", text="longer\n")
    assert mirror.ask().paths == {"pkg/out.py"}
    assert mirror.is_true()


def test_a_link_that_led_nowhere_is_seen_when_its_target_comes(mirrors: Mirrors, root: Path) -> None:
    write(root, ".gitignore", text="/hidden/\n")
    (root / "link.py").symlink_to("hidden/deep/target.py")
    mirror = mirrors(root)
    write(root, "hidden/deep/target.py")
    mirror.ask()
    assert "link.py" in mirror.files
    assert mirror.is_true()


def test_a_link_into_the_repository_brings_nothing_else_of_it(mirrors: Mirrors, root: Path) -> None:
    git(root, "init", "-q")
    (root / "described").symlink_to(".git/description")
    mirror = mirrors(root)
    write(root, ".git/description", text="new\n")
    write(root, ".git/other", ".git/more/deep")
    assert mirror.ask() == ChangedPaths(frozenset({"described"}), everything=False)
    assert mirror.is_true()


def test_links_that_come_and_go_are_seen(mirror: Mirror) -> None:
    link = mirror.root / "link.py"
    for target in ("pkg/b.py", "a.py", "nowhere", "../..", "pkg"):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        mirror.ask()
        assert mirror.is_true()
    link.unlink()
    mirror.ask()
    write(mirror.root, "pkg/b.py", text="new\n")
    assert mirror.ask().paths == {"pkg/b.py"}


# Folders


def test_what_is_put_into_a_new_folder_is_seen(mirror: Mirror) -> None:
    write(mirror.root, "new/deeper/e.py")
    assert "new/deeper/e.py" in mirror.ask().paths
    write(mirror.root, "new/deeper/f.py", "new/deeper/still/g.py")
    mirror.ask()
    assert mirror.is_true()
    assert mirror.walks == 2


def test_an_empty_folder_is_watched_too(mirrors: Mirrors, root: Path) -> None:
    (root / "empty/deeper").mkdir(parents=True)
    mirror = mirrors(root)
    write(root, "empty/deeper/e.py")
    assert mirror.ask().paths == {"empty/deeper/e.py"}
    assert mirror.is_true()


def test_folders_that_go_and_move_are_seen(mirror: Mirror) -> None:
    (mirror.root / "pkg/deep/c.py").unlink()
    (mirror.root / "pkg/deep").rmdir()
    mirror.ask()
    assert mirror.is_true()
    (mirror.root / "pkg").rename(mirror.root / "lib")
    mirror.ask()
    assert mirror.is_true()
    write(mirror.root, "lib/b.py", text="longer than before\n")
    assert mirror.ask().paths == {"lib/b.py"}
    write(mirror.root, "pkg/b.py")
    mirror.ask()
    write(mirror.root, "pkg/b.py", text="new\n")
    assert mirror.ask().paths == {"pkg/b.py"}


def test_a_folder_that_takes_the_place_of_another_is_seen(mirror: Mirror) -> None:
    write(mirror.root.parent, "other/b.py", text="from elsewhere\n")
    for file in ("pkg/deep/c.py", "pkg/b.py"):
        (mirror.root / file).unlink()
    (mirror.root / "pkg/deep").rmdir()
    (mirror.root.parent / "other").replace(mirror.root / "pkg")
    mirror.ask()
    assert mirror.is_true()
    write(mirror.root, "pkg/b.py", text="new\n")
    assert mirror.ask().paths == {"pkg/b.py"}


def test_a_folder_that_is_closed_and_opened_again_is_seen(mirror: Mirror) -> None:
    pkg = mirror.root / "pkg"
    try:
        pkg.chmod(0)
        if os.access(pkg, os.R_OK):
            pytest.skip("rights do not bind this user")
        mirror.ask()
        assert mirror.is_true()
    finally:
        pkg.chmod(0o755)
    mirror.ask()
    assert mirror.is_true()
    write(mirror.root, "pkg/deep/c.py", text="new\n")
    assert mirror.ask().paths == {"pkg/deep/c.py"}


def test_a_root_that_goes_and_comes_again_is_seen(mirror: Mirror) -> None:
    away = mirror.root.with_name("away")
    mirror.root.rename(away)
    assert mirror.ask().everything
    assert not mirror.files
    assert mirror.ask().everything
    write(mirror.root, "other.py")
    assert mirror.ask().everything
    assert mirror.is_true()
    write(mirror.root, "pkg/new.py")
    assert mirror.ask().paths >= {"pkg/new.py"}
    assert mirror.is_true()


def test_a_root_that_is_replaced_is_seen(mirror: Mirror) -> None:
    above_it = mirror.root.parent
    above_it.rename(above_it.with_name(f"{above_it.name}-moved"))
    write(mirror.root, "other.py")
    assert mirror.ask().everything
    assert list(mirror.files) == ["other.py"]


def test_a_folder_that_is_mounted_at_two_places_is_seen_at_both(root: Path) -> None:
    (root / "bound").mkdir()
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from test_watch import Mirror, write\n"
        "mirror = Mirror(Path(sys.argv[1])); mirror.ask()\n"
        "write(mirror.root, 'bound/b.py', text='new')\n"
        "assert mirror.ask().paths == {'pkg/b.py', 'bound/b.py'}, mirror.touched\n"
        "assert mirror.is_true()\n"
    )
    mounting = 'mount --bind "$1/pkg" "$1/bound" || exit 77; shift; exec "$@"'
    command = ["unshare", "-rm", "sh", "-c", mounting, "sh", str(root), sys.executable, "-c", script, str(root)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    try:
        ran = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    except FileNotFoundError:
        pytest.skip("no unshare")
    if ran.returncode == 77 or "unshare" in ran.stderr:
        pytest.skip("mounts are not allowed here")
    assert ran.returncode == 0, ran.stderr


# Rules and git


def test_what_the_rules_ignore_costs_nothing(mirrors: Mirrors, root: Path) -> None:
    write(root, ".gitignore", text="build/\n*.o\n")
    write(root, "build/x/1.py")
    mirror = mirrors(root)
    write(root, "build/x/2.py", "build/y/z/3.py", "pkg/b.o", "pkg/build/4.py")
    assert mirror.ask() == ChangedPaths(frozenset(), everything=False)


@pytest.mark.parametrize("in_git", [True, False])
def test_a_change_of_the_rules_asks_for_a_walk(mirrors: Mirrors, root: Path, in_git: bool) -> None:
    if in_git:
        git(root, "init", "-q")
    write(root, "build/deep/x.py")
    mirror = mirrors(root)
    write(root, ".gitignore", text="build/\n")
    assert mirror.ask().everything
    assert "build/deep/x.py" not in mirror.files
    write(root, "build/deep/y.py")
    assert not mirror.ask().paths
    (root / ".gitignore").unlink()
    assert mirror.ask().everything
    write(root, "build/deep/x.py", text="new\n")
    assert mirror.ask().paths == {"build/deep/x.py"}
    assert mirror.is_true()


def test_the_rules_of_a_repository_ask_for_a_walk(mirrors: Mirrors, root: Path) -> None:
    git(root, "init", "-q")
    mirror = mirrors(root)
    write(root, ".git/info/exclude", text="a.py\n")
    assert mirror.ask().everything
    assert "a.py" not in mirror.files


def test_a_repository_that_begins_asks_for_a_walk(mirror: Mirror) -> None:
    git(mirror.root, "init", "-q")
    assert mirror.ask().everything
    write(mirror.root, "x.log")
    write(mirror.root, ".gitignore", text="*.log\n")
    mirror.ask()
    git(mirror.root, "add", "-f", "x.log")
    mirror.ask()
    assert "x.log" in mirror.files


def test_another_branch_is_seen(mirrors: Mirrors, root: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    git(root, "switch", "-qc", "other")
    write(root, "pkg/b.py", text="on the other branch\n")
    write(root, "other/new.py")
    git(root, "add", ".")
    git(root, "commit", "-qm", "two")
    mirror = mirrors(root)
    for branch in ("main", "other", "main"):
        git(root, "switch", "-q", branch)
        mirror.ask()
        assert mirror.is_true()
    assert "other/new.py" not in mirror.files


def test_what_git_tracks_in_spite_of_a_rule_is_seen(mirrors: Mirrors, root: Path) -> None:
    git(root, "init", "-q")
    write(root, ".gitignore", text="vendor/\n*.log\n")
    write(root, "vendor/x.py", "x.log")
    git(root, "add", "-f", "vendor/x.py", "x.log")
    mirror = mirrors(root)
    write(root, "vendor/x.py", text="new\n")
    assert mirror.ask().paths == {"vendor/x.py"}
    for path in ("vendor/x.py", "x.log"):
        (root / path).unlink()
        mirror.ask()
        assert mirror.is_true()
        write(root, path, text="again\n")
        mirror.ask()
        assert mirror.is_true()


def test_git_in_another_place_is_watched_there(mirrors: Mirrors, root: Path, tmp_path: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    tree = tmp_path / "tree"
    git(root, "worktree", "add", "-q", str(tree))
    write(tree, ".gitignore", text="*.log\n")
    write(tree, "x.log")
    for start in (tree, tree / "pkg"):
        write(start, "x.log")
        mirror = mirrors(start)
        write(start, "new.py")
        mirror.ask()
        assert mirror.is_true()
        git(start, "add", "-f", "x.log")
        assert mirror.ask().everything
        assert "x.log" in mirror.files
    write(tree, ".gitignore", text="*.py\n")
    mirror.ask()
    assert mirror.is_true()


def test_where_the_rules_leave_nothing_new_files_are_seen(mirrors: Mirrors, root: Path) -> None:
    write(root, ".gitignore", text="/*\n")
    mirror = mirrors(root)
    assert "pkg/b.py" in mirror.files
    write(root, "pkg/new.py")
    assert mirror.ask() == ChangedPaths(frozenset({"pkg/new.py"}), everything=False)
    assert mirror.is_true()


# The index


def seen(asking: Asking, word: str) -> bool:
    """Return whether a file is found to hold a word; the answer is kept."""
    return "pkg/b.py" in asking.session.call(Request("search_text", {"query": word}, store=True)).text


def test_a_call_looks_at_what_has_changed_and_at_nothing_else(
    opened: Open, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opened(root)
    assert not seen(asking, "appears")

    def walked(_root: Path, _exclude: tuple[str, ...]) -> None:
        raise AssertionError("the whole tree was walked")

    monkeypatch.setattr(disk_tree, "walk", walked)
    write(root, "pkg/b.py", text="appears = 1\n")
    assert seen(asking, "appears")
    write(root, "fresh/e.py", text="def arrives(): pass\n")
    assert "fresh/e.py" in asking("symbol_search", query="arrives")
    (root / "fresh/e.py").unlink()
    assert "fresh/e.py" not in asking("list_files", recursive=True)


def test_a_call_sees_an_edit_that_leaves_size_and_time(opened: Open, root: Path) -> None:
    asking = opened(root)
    assert seen(asking, "text")
    before = (root / "pkg/b.py").stat()
    for word in ("abcd", "efgh", "abcd"):
        write(root, "pkg/b.py", text=f"{word}\n")
        os.utime(root / "pkg/b.py", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert [found for found in ("abcd", "efgh") if seen(asking, found)] == [word]


def test_what_goes_wrong_after_looking_is_looked_at_again(
    opened: Open, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opened(root)
    write(root, "pkg/b.py", text="appears\n")

    def fail_in_calls(folder: Path, paths: Iterable[str]) -> Walked:
        if threading.current_thread() is threading.main_thread():
            raise ZeroDivisionError
        return look(folder, paths)

    with monkeypatch.context() as patched:
        patched.setattr(disk_tree, "look", fail_in_calls)
        with pytest.raises(ZeroDivisionError):
            asking("list_files")
    assert seen(asking, "appears")


def test_an_answer_that_may_be_behind_the_tree_says_so(
    opened: Open, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_remote", lambda _root: "nfs")
    asking = opened(root)
    note = "since nfs does not report changes made elsewhere"
    assert note not in asking("list_files")
    monkeypatch.setattr(watch, "_FAST_SECONDS", 0.0)
    monkeypatch.setattr(watch, "_SHARE", 1e-9)
    for _ in range(2):
        answer = asking("list_files")
        assert answer.count(note) == 1, answer
    write(root, "new.py")
    assert "new.py" not in asking("list_files")


# Where there is no inotify


@pytest.fixture
def elsewhere(mirrors: Mirrors, root: Path, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    """Watch as macOS and Windows do."""
    monkeypatch.setattr(watch, "Folders", Notified)
    write(root, ".gitignore", text="build/\n")
    write(root, "build/x.o")
    git(root, "init", "-q")
    (root / "link.py").symlink_to("a.py")
    return mirrors(root)


def test_elsewhere_every_edit_is_seen_by_the_question_right_behind_it(elsewhere: Mirror) -> None:
    for number in range(200):
        write(elsewhere.root, "pkg/b.py", text=str(number))
        assert "pkg/b.py" in elsewhere.ask().paths
        assert elsewhere.is_true()
    assert elsewhere.watcher.state == WatchState(WatchMode.WATCHING)
    assert not elsewhere.ask().paths


def test_elsewhere_what_comes_goes_and_moves_is_seen(elsewhere: Mirror) -> None:
    root = elsewhere.root
    changes: list[Callable[[], object]] = [
        lambda: write(root, "new.py"),
        lambda: (root / "pkg/b.py").rename(root / "docs/b.py"),
        lambda: replace(root / "new.py", "replaced\n"),
        (root / "new.py").unlink,
        lambda: write(root, "a.py", text="the link has it too\n"),
        lambda: (root / "pkg").rename(root / "lib"),
        lambda: shutil.rmtree(root / "lib"),
        lambda: write(root, ".gitignore", text="*.md\n"),
        lambda: git(root, "add", "-f", "docs/d.md"),
        lambda: write(root, ".git/info/exclude", text="docs/b.py\n"),
    ]
    for change in changes:
        change()
        elsewhere.ask()
        assert elsewhere.is_true()


def test_elsewhere_what_the_rules_ignore_is_not_told(elsewhere: Mirror) -> None:
    write(elsewhere.root, "build/x.o", "build/y.o")
    assert elsewhere.ask() == ChangedPaths(frozenset(), everything=False)


def test_elsewhere_a_root_that_goes_and_comes_again_is_seen(elsewhere: Mirror) -> None:
    shutil.rmtree(elsewhere.root)
    assert elsewhere.ask().everything
    assert not elsewhere.files
    write(elsewhere.root, "other.py")
    assert elsewhere.ask().everything
    write(elsewhere.root, "new.py")
    elsewhere.ask()
    assert elsewhere.is_true()


# Many, and refused


def test_a_storm_of_events_asks_for_a_walk(mirror: Mirror) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    for number in range(limit + 1):
        (mirror.root / ("a.py", "pkg/b.py")[number % 2]).touch()
    write(mirror.root, "docs/d.md", text="the last\n")
    assert mirror.ask().everything
    assert mirror.is_true()
    write(mirror.root, "docs/d.md", text="one more\n")
    assert mirror.ask().paths == {"docs/d.md"}


def test_more_paths_than_are_worth_keeping_ask_for_a_walk(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leadline_tools.index.changes.changed_paths._MOST", 3)
    write(mirror.root, *(f"new_{number}.py" for number in range(5)))
    assert mirror.ask().everything
    assert mirror.is_true()


def test_what_could_not_be_used_is_asked_for_again(mirror: Mirror) -> None:
    write(mirror.root, "a.py", text="new\n")
    assert mirror.watcher.touched().paths == {"a.py"}
    mirror.watcher.doubt()
    assert mirror.ask().everything
    assert mirror.is_true()
    assert not mirror.ask().everything


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.ENOSYS])
def test_where_watches_are_refused_each_question_walks(
    mirrors: Mirrors, root: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(_queue: object, _folder: str) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("leadline_tools.index.changes.inotify.Inotify.add", refuse)
    monkeypatch.setattr(watch, "_FAST_SECONDS", 60.0)  # on a busy machine a walk of three files may take long
    mirror = mirrors(root)
    state = mirror.watcher.state
    assert state.mode is WatchMode.POLLING
    assert state.reason
    write(root, "a.py", text="new\n")
    assert mirror.ask().everything
    assert mirror.is_true()
    assert mirror.watcher.lag == 0


def test_a_limit_that_is_reached_later_makes_it_walk(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_queue: object, _folder: str) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("leadline_tools.index.changes.inotify.Inotify.add", refuse)
    write(mirror.root, "new/x.py")
    assert mirror.ask().everything
    assert mirror.watcher.state.mode is WatchMode.POLLING
    assert "max_user_watches" in mirror.watcher.state.reason
    assert mirror.is_true()


def test_a_walk_too_slow_for_each_question_is_made_for_a_tenth_of_the_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(watch, "_remote", lambda _root: "nfs")
    watcher = Watcher(DiskTree(root), lambda _path: False)
    watcher.start(())
    assert watcher.state == WatchState(WatchMode.POLLING, "nfs does not report changes made elsewhere")
    assert watcher.touched().everything
    now[0] += 2.0
    assert watcher.checked(walk(root), began=1000.0)
    now[0] = 1019.0
    assert watcher.touched() == ChangedPaths(frozenset(), everything=False)
    assert watcher.lag == 20.0
    now[0] = 1020.0
    assert watcher.touched().everything


def test_a_network_file_system_is_known_by_its_mount(monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = (
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
        "2 1 0:3 / /home/me/net\\040work rw shared:1 - nfs4 server:/ rw\n"
        "3 2 8:2 / /home/me/net\\040work/disk rw - ext4 /dev/sdb rw\n"
        "4 1 0:5 / /mnt/remote rw - fuse.sshfs host: rw\n"
    )
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: mounts)
    kinds = {
        "/home/me/net work/tree": "nfs4",
        "/home/me/net work/disk/tree": "",
        "/home/me/network": "",
        "/home/me": "nfs4",
        "/mnt/remote": "fuse.sshfs",
        "/srv": "",
    }
    assert {root: watch._remote(Path(root)) for root in kinds} == kinds


# Other checkouts of the repository


def test_a_linked_work_tree_that_is_added_is_left_out_until_it_is_removed(root: Path, mirrors: Mirrors) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    mirror = mirrors(root)
    git(root, "worktree", "add", "-q", "inner")
    mirror.ask()
    assert mirror.is_true()
    assert "inner/a.py" not in mirror.files
    write(root, "inner/a.py", "inner/new.py", "inner/pkg/b.py")
    mirror.ask()
    assert mirror.is_true()
    (root / "inner" / ".git").unlink()
    mirror.ask()
    assert mirror.is_true()
    assert "inner/new.py" in mirror.files


def test_a_linked_work_tree_that_was_there_is_left_out(root: Path, mirrors: Mirrors) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "worktree", "add", "-q", "inner")
    mirror = mirrors(root)
    write(root, "inner/new.py", "inner/deep/new.py")
    mirror.ask()
    assert mirror.is_true()
    git(root, "worktree", "remove", "--force", "inner")
    write(root, "inner/new.py")
    mirror.ask()
    assert mirror.is_true()
    assert "inner/new.py" in mirror.files


# Several roots


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_all_roots_share_one_queue_and_each_sees_its_own_changes_only(mirrors: Mirrors, tmp_path: Path) -> None:
    write(tmp_path / "first", "a.py")
    first = mirrors(tmp_path / "first")
    shared = queues()
    roots = [tmp_path / f"root_{number}" for number in range(20)]
    for one in roots:
        write(one, "a.py", "pkg/b.py")
    each = [mirrors(one) for one in roots]
    assert queues() == shared
    walks = [mirror.walks for mirror in each]
    write(roots[3], "pkg/b.py", text="new\n")
    write(roots[7], "pkg/c.py")
    assert [bool(mirror.ask().paths) for mirror in each] == [number in (3, 7) for number in range(20)]
    assert all(mirror.is_true() for mirror in each)
    assert [mirror.walks for mirror in each] == walks
    for mirror in each:
        mirror.watcher.close()
    assert queues() == shared
    assert first.is_true()


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_two_roots_of_one_repository_both_see_what_decides_on_their_files(mirrors: Mirrors, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "one/a.py", "two/a.py", "two/b.log")
    one, two = mirrors(tmp_path / "one"), mirrors(tmp_path / "two")
    write(tmp_path, ".gitignore", text="*.txt\n")
    assert one.ask().everything
    assert two.ask().everything
    one.watcher.close()
    write(tmp_path, ".gitignore", text="*.log\n")
    assert two.ask().everything
    assert set(two.files) == {"a.py"}


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_a_root_that_nobody_asks_about_is_walked_once_after_a_storm_of_events(
    mirrors: Mirrors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline_tools.index.changes.event_queue._MOST_PENDING", 10)
    write(tmp_path, "busy/a.py", "quiet/a.py")
    busy, quiet = mirrors(tmp_path / "busy"), mirrors(tmp_path / "quiet")
    walks = quiet.walks
    for number in range(20):
        write(tmp_path, "busy/a.py", text=f"{number}\n")
        assert not quiet.ask().paths
    write(tmp_path, "busy/last.py")
    assert busy.ask().everything
    assert busy.is_true()
    write(tmp_path, "busy/a.py", text="once more\n")
    assert busy.ask().paths == {"a.py"}
    assert quiet.walks == walks


def queues() -> int:
    """Return how many queues of inotify this process has."""
    links = [str(entry.readlink()) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
    return links.count("anon_inode:inotify")
