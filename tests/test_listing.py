"""A list of the files in one folder says what lies in the folders below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "README.md": "# Tree\n",
    **{f"src/lib/file_{number}.py": "" for number in range(4)},
    **{f"part_{number}/a.txt": "" for number in range(12)},
}


@pytest.fixture
def ask(opened: Open, tmp_path: Path) -> Asking:
    return opened(write(tmp_path, FILES))


def test_folders_below_are_told_with_their_files_most_first(ask: Asking) -> None:
    answer = ask("list_files")
    assert "1 file, complete" in answer
    told = next(line for line in answer.splitlines() if line.startswith("in folders below: "))
    assert told.startswith("in folders below: src/ 4, part_")
    assert told.endswith("/ 1, 5 in 5 others")


def test_they_are_counted_by_the_pattern(ask: Asking) -> None:
    assert "in folders below: src/ 4\n" in ask("list_files", pattern="*.py")
    assert "in folders below" not in ask("list_files", pattern="*.rb")


def test_a_folder_that_has_only_folders_offers_its_largest(ask: Asking) -> None:
    answer = ask("list_files", path="src", pattern="*.py")
    assert "no files" in answer
    assert 'next: list_files(pattern="*.py", path="src/lib")' in answer
    assert "4 files, complete" in ask("list_files", pattern="*.py", path="src/lib")


def test_what_lists_everything_below_tells_no_folders(ask: Asking) -> None:
    assert "in folders below" not in ask("list_files", recursive=True, limit=50)
    assert "in folders below" not in ask("list_files", path="README.md")
