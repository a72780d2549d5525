"""Edits are made all together or not at all, keep every byte that they do not mean, and can be taken back."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.edits.entry import State
from leadline_tools.edits.hunks import applied_hunks, file_hunks, hunks
from leadline_tools.edits.journal import Journal
from leadline_tools.edits.plan import Edit, EditPlan, FileChange, Splice, digest, plan
from leadline_tools.errors import ChangedSince, LeadlineError, NotEncodable, NotWritten, PathError
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.source import Tree

FILES = {"a.py": b"old = 1\nprint(old)\n", "b/c.py": b"from a import old\r\nold\r\n", "b/d.py": b"# old\nold()\n"}

posix = pytest.mark.skipif(os.name == "nt", reason="a mode or a link of POSIX")


def made(root: Path, files: Mapping[str, bytes] = FILES) -> Tree:
    for path, raw in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(raw)
    return DiskTree(root)


def replaced(content: bytes, old: str = "old", new: str = "renewed") -> list[Edit]:
    """Return the edits that replace every ``old`` in a text."""
    edits, word, position = [], old.encode(), 0
    while (found := content.find(word, position)) >= 0:
        edits.append(Edit(found, found + len(word), new))
        position = found + len(word)
    return edits


def planned(tree: Tree, paths: Sequence[str] = tuple(FILES), new: str = "renewed") -> EditPlan:
    return plan(tree, {path: replaced(tree.read(path).content, new=new) for path in paths})


def contents(root: Path) -> dict[str, bytes]:
    """Return every file below a folder, whatever it is called."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return made(tmp_path / "root")


@pytest.fixture
def journal(tmp_path: Path, tree: Tree) -> Journal:
    return Journal(tmp_path / "journal", tree)


RENEWED = {path: raw.replace(b"old", b"renewed") for path, raw in FILES.items()}


# What is planned


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        (b"a old b", b"a renewed b"),
        (b"\xef\xbb\xbfold\r\nold\r\n", b"\xef\xbb\xbfrenewed\r\nrenewed\r\n"),
        (b"caf\xe9 old caf\xe9", b"caf\xe9 renewed caf\xe9"),
        (b"old\rold\r\rx", b"renewed\rrenewed\r\rx"),
        ("\ufeffüold🙂old".encode("utf-16-le"), "\ufeffürenewed🙂renewed".encode("utf-16-le")),
        ("\ufeffüold🙂old".encode("utf-16-be"), "\ufeffürenewed🙂renewed".encode("utf-16-be")),
        ("\ufeffold".encode("utf-32-le"), "\ufeffrenewed".encode("utf-32-le")),
        ("中文 old\n".encode(), "中文 renewed\n".encode()),
    ],
    ids=["ascii", "mark and CRLF", "latin-1", "CR", "UTF-16 LE", "UTF-16 BE", "UTF-32", "UTF-8"],
)
def test_encoding_mark_and_line_ends_stay_and_the_way_back_restores_every_byte(
    tmp_path: Path, raw: bytes, after: bytes
) -> None:
    tree = made(tmp_path, {"f.py": raw})
    change = planned(tree, ["f.py"]).files[0]
    assert change.applied(raw) == after
    assert change.reversed.applied(after) == raw


@pytest.mark.parametrize(("raw", "end"), [(b"old\r\nx\r\n", b"\r\n"), (b"old\rx\r", b"\r"), (b"old\nx", b"\n")])
def test_new_lines_end_as_those_of_the_file(tmp_path: Path, raw: bytes, end: bytes) -> None:
    change = planned(made(tmp_path, {"f.py": raw}), ["f.py"], new="1\n2").files[0]
    assert change.applied(raw) == raw.replace(b"old", b"1" + end + b"2")


@pytest.mark.parametrize(
    ("raw", "new"),
    [(b"caf\xe9 old", "gr\u00fcn"), ("\ufeffold".encode("utf-16-le") + b"x", "new"), (b"old", "\ud800")],
    ids=["unknown encoding", "half a character", "lone surrogate"],
)
def test_what_an_encoding_cannot_hold_is_refused(tmp_path: Path, raw: bytes, new: str) -> None:
    with pytest.raises(NotEncodable, match="does not fit the encoding"):
        planned(made(tmp_path, {"f.py": raw}), ["f.py"], new=new)


def test_edits_that_overlap_are_refused_and_those_that_change_nothing_are_left_out(tree: Tree) -> None:
    with pytest.raises(ValueError, match="overlap"):
        plan(tree, {"a.py": [Edit(0, 3, "x"), Edit(2, 5, "y")]})
    assert plan(tree, {"a.py": [Edit(0, 3, "old")]}) == EditPlan()


texts = st.text(st.sampled_from("ab\nü🙂"), max_size=40)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """Draw a text and replacements of its characters that do not overlap, in order."""
    text = draw(texts)
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
    return text, [(start, end, draw(st.text(st.sampled_from("xy\nü"), max_size=4))) for start, end in pairs]


@given(edited(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le"]), st.sampled_from(["\n", "\r\n"]))
def test_a_plan_makes_what_replacing_in_the_text_makes_and_its_hunks_patch_the_lines(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[tuple[int, int, str]]], encoding: str, end: str
) -> None:
    text, replacements = drawn
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    ends = "\n" if "\n" not in text else end
    raw = (mark + text.replace("\n", end)).encode(encoding)
    tree = made(tmp_path_factory.mktemp("drawn"), {"f.py": raw})
    content = text.replace("\n", end)
    places = [len(text[:at].replace("\n", end).encode()) for at in range(len(text) + 1)]
    assert tree.read("f.py").content == content.encode()
    edits = [Edit(places[start], places[stop], new) for start, stop, new in replacements]
    after, position = "", 0
    for start, stop, new in replacements:
        after += text[position:start].replace("\n", end) + new.replace("\n", ends)
        position = stop
    after += text[position:].replace("\n", end)
    changes = plan(tree, {"f.py": edits}).files
    change = changes[0] if changes else FileChange("f.py", digest(raw), digest(raw), ())
    assert change.applied(raw) == (mark + after).encode(encoding)
    assert change.reversed.applied(change.applied(raw)) == raw
    assert patched(tree, text, change, raw) == after.replace("\r\n", "\n")


def patched(tree: Tree, text: str, change: FileChange, raw: bytes) -> str:
    """Return a text in which each hunk is put in the place of the lines that it names."""
    lines = text.splitlines(keepends=True)
    result: list[str] = []
    done = 0
    for hunk in file_hunks(tree, change, raw):
        old = hunk.old.splitlines(keepends=True)
        first = hunk.start_line - 1
        assert lines[first : first + len(old)] == old
        result += [*lines[done:first], hunk.new]
        assert "".join(result).removesuffix(hunk.new).count("\n") == hunk.new_start_line - 1
        done = first + len(old)
    return "".join((*result, *lines[done:]))


def test_a_hunk_is_whole_lines_with_those_around_it(tmp_path: Path) -> None:
    raw = b"1\n2\n3\n4\nold old\nold\n5\n6\n7\n8\nold"
    tree = made(tmp_path, {"f.py": raw})
    first, second = hunks(tree, planned(tree, ["f.py"]))
    assert (first.start_line, first.old, first.new) == (5, "old old\nold\n", "renewed renewed\nrenewed\n")
    assert (first.before, first.after) == (("2", "3", "4"), ("5", "6", "7"))
    assert (second.start_line, second.old, second.after) == (11, "old", ())


KEY = "ghp_" + 36 * "Z"


def test_a_key_is_masked_in_a_hunk_and_kept_in_the_file(tmp_path: Path) -> None:
    raw = f"old = '{KEY}'\n".encode()
    tree = made(tmp_path, {"f.py": raw})
    wanted = planned(tree, ["f.py"])
    shown = next(hunks(tree, wanted))
    assert shown.old.startswith("old = 'ghp_<key masked>")
    assert shown.new.startswith("renewed = 'ghp_<key masked>")
    assert wanted.files[0].applied(raw) == raw.replace(b"old", b"renewed")


@pytest.mark.parametrize("edit", [Edit(10, 20, "x"), Edit(0, 3, "'<key masked>'")])
def test_an_edit_that_touches_a_masked_key_is_refused(tmp_path: Path, edit: Edit) -> None:
    tree = made(tmp_path, {"f.py": f"old = '{KEY}'\n".encode()})
    with pytest.raises(PathError, match="touch a key"):
        plan(tree, {"f.py": [edit]})


# What is written


def test_an_edit_of_several_files_is_made_and_taken_back_and_nothing_is_left_beside_them(
    tree: Tree, journal: Journal
) -> None:
    entry = journal.apply(planned(tree), "one", "q")
    assert entry.happened
    assert contents(tree.root) == RENEWED
    assert journal.holds(entry.plan)
    found = journal.find("one")
    assert found == entry
    journal.apply(entry.plan.reversed, "two", "q2")
    assert contents(tree.root) == FILES
    assert not journal.holds(entry.plan)


def test_hunks_of_an_edit_that_was_made_are_those_of_its_preview(tree: Tree, journal: Journal) -> None:
    wanted = planned(tree)
    preview = list(hunks(tree, wanted))
    journal.apply(wanted, "one", "q")
    assert list(applied_hunks(tree, wanted)) == preview


def test_a_file_that_changed_since_the_plan_keeps_all_files_as_they_are(tree: Tree, journal: Journal) -> None:
    wanted = planned(tree)
    (tree.root / "b/d.py").write_bytes(b"old, and mine\n")
    with pytest.raises(ChangedSince, match=r"'b/d\.py' changed"):
        journal.apply(wanted, "one", "q")
    assert contents(tree.root) == {**FILES, "b/d.py": b"old, and mine\n"}


@posix
def test_the_mode_of_a_file_is_kept(tree: Tree, journal: Journal) -> None:
    (tree.root / "a.py").chmod(0o751)
    journal.apply(planned(tree), "one", "q")
    assert (tree.root / "a.py").stat().st_mode & 0o777 == 0o751


def read_only(root: Path) -> None:
    (root / "b/d.py").chmod(0o444)


def linked(root: Path) -> None:
    (root / "b/d.py").rename(root / "b/real.py")
    (root / "b/d.py").symlink_to("real.py")


def folder_linked(root: Path) -> None:
    (root / "b").rename(root / "real")
    (root / "b").symlink_to("real")


def hard_linked(root: Path) -> None:
    os.link(root / "b/d.py", root / "twin")


def gone(root: Path) -> None:
    (root / "b/d.py").unlink()


def folder(root: Path) -> None:
    (root / "b/d.py").unlink()
    (root / "b/d.py").mkdir()


@posix
@pytest.mark.parametrize("spoil", [read_only, linked, folder_linked, hard_linked, gone, folder])
def test_what_is_no_plain_writable_file_of_the_tree_is_refused_and_nothing_is_written(
    tree: Tree, journal: Journal, spoil: Callable[[Path], None]
) -> None:
    wanted = planned(tree)
    spoil(tree.root)
    before = contents(tree.root)
    with pytest.raises(PathError):
        journal.apply(wanted, "one", "q")
    assert contents(tree.root) == before


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "b/../../outside.py"])
def test_no_plan_leads_out_of_the_root(tree: Tree, journal: Journal, path: str) -> None:
    (tree.root.parent / "outside.py").write_bytes(b"old")
    change = FileChange(path, digest(b"old"), digest(b"new"), (Splice(0, b"old", b"new"),))
    with pytest.raises(LeadlineError):
        journal.apply(EditPlan((change,)), "one", "q")
    with pytest.raises(PathError):
        plan(tree, {path: [Edit(0, 3, "new")]})
    assert (tree.root.parent / "outside.py").read_bytes() == b"old"


class FailsAt:
    """A function of the system that fails the n-th time that it is called."""

    def __init__(self, function: Callable[..., object], number: int, error: int = errno.ENOSPC) -> None:
        self._function = function
        self._left = number
        self._error = error

    def __call__(self, *given: object, **named: object) -> object:
        self._left -= 1
        if self._left == 0:
            raise OSError(self._error, os.strerror(self._error))
        return self._function(*given, **named)


@pytest.mark.parametrize(("name", "number"), [(name, n) for name in ("write", "fsync", "replace") for n in range(1, 5)])
def test_a_disk_that_is_full_at_any_step_leaves_every_file_as_it_was(
    tree: Tree, journal: Journal, monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    wanted = planned(tree)
    monkeypatch.setattr(os, name, FailsAt(getattr(os, name), number))
    refused = ""
    try:
        journal.apply(wanted, "one", "q")
    except NotWritten as error:
        refused = str(error)
    monkeypatch.undo()
    expected = FILES if "no space" in refused else RENEWED
    assert contents(tree.root) == expected
    journal.recover()
    assert contents(tree.root) == expected
    found = journal.find("one")
    assert (found is not None and found.happened) is (expected is RENEWED)


def test_without_hard_links_the_old_files_are_copied(
    tree: Tree, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", FailsAt(os.link, 1, errno.EPERM))
    monkeypatch.setattr(os, "replace", FailsAt(os.replace, 3))
    with pytest.raises(NotWritten):
        journal.apply(planned(tree), "one", "q")
    assert contents(tree.root) == FILES


def test_a_file_that_changes_while_an_edit_is_written_is_not_overwritten(
    tree: Tree, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = os.replace

    def meddling(*given: object, **named: object) -> None:
        take(*given, **named)  # type: ignore[arg-type]
        (tree.root / "b/d.py").write_bytes(b"mine\n")

    wanted = planned(tree)
    monkeypatch.setattr(os, "replace", meddling)
    with pytest.raises(LeadlineError, match=r"changed while it was written to|not made"):
        journal.apply(wanted, "one", "q")
    monkeypatch.undo()
    assert contents(tree.root) == {**FILES, "b/d.py": b"mine\n"}


def test_an_edit_is_forgotten_after_a_day(tree: Tree, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.apply(planned(tree), "one", "q")
    monkeypatch.setattr("leadline_tools.edits.journal.KEPT_SECONDS", -1)
    assert journal.find("one") is None
    journal.recover()
    assert list((tree.root.parent / "journal").glob("*.json")) == []


def test_a_record_that_is_damaged_costs_only_itself(tree: Tree, journal: Journal) -> None:
    journal.apply(planned(tree), "one", "q")
    for name, text in (("two", "[1,2"), ("three", "{}"), ("four", '["k","q","nowhere",1,[],[]]'), ("five", "null")):
        (tree.root.parent / "journal" / f"{name}.json").write_text(text)
    assert journal.recover() == []
    assert journal.find("two") is None
    latest = journal.latest("q")
    assert latest is not None
    assert latest.state is State.Tidied


# What ends the process

STEPS = ("open", "write", "fsync", "link", "replace", "unlink", "stat", "close", "fchmod")


def dying(function: Callable[..., object], steps: Iterator[int]) -> Callable[..., object]:
    """Return a function of the system before which the process ends, as with ``kill -9``, when it is its turn."""

    def called(*given: object, **named: object) -> object:
        if next(steps) == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)

    return called


def end_at(number: int, root: Path) -> int:
    """Make an edit in a process that ends before its ``number``-th step; return how it ended: 0 where it did not."""
    tree = made(root)
    wanted = planned(tree)
    child = os.fork()
    if child == 0:
        steps = iter(range(number, -1_000_000, -1))
        for name in STEPS:
            setattr(os, name, dying(getattr(os, name), steps))
        Journal(root.parent / "journal", tree).apply(wanted, "one", "q")
        os._exit(0)
    return os.waitpid(child, 0)[1]


def fate(number: int, root: Path) -> str:
    """Return what became of an edit whose process ended at a step: every file is the old or the new one, then alike."""
    ended = end_at(number, root)
    found = contents(root)
    assert all(found[path] in {FILES[path], RENEWED[path]} for path in FILES), (number, found)
    journal = Journal(root.parent / "journal", DiskTree(root))
    journal.recover()
    entry = journal.find("one")
    happened = entry is not None and entry.happened
    assert contents(root) == (RENEWED if happened else FILES), number
    assert happened or ended == signal.SIGKILL
    return "finished" if ended == 0 else "made" if happened else "undone" if entry else "not begun"


@posix
def test_whatever_ends_the_process_at_any_step_every_file_is_the_old_or_the_new_one_and_it_is_known_which(
    tmp_path: Path,
) -> None:
    # In a process without threads, which may be forked.
    script = "import sys, test_edits; test_edits.fates(sys.argv[1])"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, str(tmp_path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert process.returncode == 0, process.stderr
    counts = Counter(process.stdout.split(","))
    assert counts["undone"] > 25
    assert counts["made"] > 2
    assert counts.total() > 50
    assert list(counts) == ["not begun", "undone", "made", "finished"]


def fates(folder: str) -> None:
    """Print what became of an edit, for every second step at which its process can end."""
    found: list[str] = []
    while "finished" not in found:
        found.append(fate(2 * len(found), Path(folder) / str(len(found)) / "root"))
    sys.stdout.write(",".join(found))
