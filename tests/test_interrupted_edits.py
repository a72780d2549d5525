"""What a killed edit has left is reported, and put back by what may write: a server with edits, ``leadline doctor``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Open, write
from consoles import Console
from leadline_tools.edits import journal as journals
from leadline_tools.edits.journal import Journal, journal_folder
from leadline_tools.edits.plan import Edit, plan
from leadline_tools.index.tree.disk.disk_tree import DiskTree

FILES = {"a.py": "old = 1\n", "b.py": "old = 2\n", "c.py": "old = 3\n"}


class Killed(BaseException):
    """Ends an edit where it is."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree in which an edit was killed after it had replaced one of three files."""
    root = write(tmp_path / "root", FILES)
    tree = DiskTree(root)
    with monkeypatch.context() as killed:
        put = journals._File.put

        def put_one(file: journals._File) -> None:
            if file.change.path != "a.py":
                raise Killed
            put(file)

        def die(*_: object) -> None:
            raise Killed

        killed.setattr(journals._File, "put", put_one)
        killed.setattr(Journal, "_taken_back", die)
        journal = Journal(journal_folder(tmp_path / "cache", str(root)), tree)
        with pytest.raises(Killed):
            journal.apply(plan(tree, {path: [Edit(0, 3, "new")] for path in FILES}), "one", "q")
    assert (root / "a.py").read_text() == "new = 1\n"
    return root


def files(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in root.iterdir()}


def report(console: Console, root: Path, *options: str) -> dict[str, str]:
    """Return what ``leadline doctor`` finds of edits."""
    ran = console("doctor", "--json", "--root", str(root), "--cache-dir", str(root.parent / "cache"), *options)
    return next(found for found in json.loads(ran.out) if found["name"] == "edits")


def test_a_server_without_edits_reports_it_and_changes_nothing(opened: Open, root: Path) -> None:
    before = files(root)
    text = opened(root, cache=root.parent / "cache")("rename_symbol", symbol="b.py:old", new_name="other")
    assert "an edit was interrupted and may be half done (3 edits in 3 files)" in text
    assert "leadline doctor --repair" in text
    assert files(root) == before


def test_a_server_with_edits_puts_it_back(opened: Open, root: Path) -> None:
    opened(root, cache=root.parent / "cache", allow_edits=True)
    assert files(root) == FILES


def test_doctor_reports_it_and_puts_it_back_when_asked(console: Console, root: Path) -> None:
    before = files(root)
    found = report(console, root)
    assert (found["state"], found["seen"]) == ("poor", "1 interrupted")
    assert "--repair" in found["cure"]
    assert files(root) == before
    assert report(console, root, "--repair")["seen"] == "1 interrupted; reverted and removed"
    assert files(root) == FILES
    assert report(console, root)["seen"] == "none is interrupted"


def test_doctor_removes_what_an_edit_that_is_over_has_left(console: Console, root: Path) -> None:
    journal = Journal(journal_folder(root.parent / "cache", str(root)), DiskTree(root))
    (left,) = [name for name in files(root) if name.endswith("-1.new")]
    journal.recover()
    unknown = ".leadline-0123456789ab-0.old"
    write(root, {left: "new = 2\n", f"sub/{left}": "", unknown: "of another server", ".leadline-notes": "mine"})
    assert report(console, root)["seen"] == f"left beside files: {left}, sub/{left}"
    assert report(console, root, "--repair")["state"] == "good"
    (root / "sub").rmdir()
    assert files(root) == {**FILES, unknown: "of another server", ".leadline-notes": "mine"}


def test_records_that_another_program_has_written_are_not_read(opened: Open, root: Path) -> None:
    journal = journal_folder(root.parent / "cache", str(root))
    own = (journal / "one.json").read_text()
    records = ("[" * 100_000, own.replace("[", "[" * 2_000, 1), own.replace('"begun"', "9" * 5_000), "[1, 2]", "{}", "")
    for number, record in enumerate(records):
        (journal / f"other{number}.json").write_text(record)
    opened(root, cache=root.parent / "cache", allow_edits=True)
    assert files(root) == FILES
