"""Files that are kept by column are those that an object for each would tell, one by one, in runs and in totals."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import columns
from leadline_estimators.tokenizer import contract_line
from leadline_estimators.truncation import Form
from leadline_server.errors import NoSuchResult
from leadline_server.prices import Prices
from leadline_server.rows import ItemRows
from leadline_server.store import Store
from leadline_tools.index.files.file import DONE, TEXT, File, Listing
from leadline_tools.index.files.file_list import FileList
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.request_scope.file_selection import directories, grouped
from leadline_tools.languages import language_name
from leadline_tools.model import FileCount, FileEntry
from leadline_tools.result import Call, Result

NAMES = ("a.py", "b.PY", "c.ts", "Makefile", ".gitignore", "x.gitignore", "odd.", "\udcff.py", "data")
FOLDERS = ("", "pkg/", "pkg/deep/", "pkg/deep/er/", "web/", "a.b/")
DIGEST = bytes(range(16))

files = st.lists(
    st.builds(
        lambda folder, name, size, lines, digest, done: File(0, folder + name, size, 7, lines, digest, done, ""),
        st.sampled_from(FOLDERS),
        st.sampled_from(NAMES),
        st.integers(0, 1 << 40),
        st.integers(0, 1_000),
        st.sampled_from([b"", DIGEST]),
        st.sampled_from([0, TEXT, DONE]),
    ),
    max_size=40,
    unique_by=lambda file: file.path,
).map(lambda found: sorted(found, key=lambda file: file.path))


@pytest.fixture(autouse=True, scope="module")
def few_at_once() -> Iterator[None]:
    """Have files come in groups, though there are few."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("leadline_tools.index.files.file_table.AT_ONCE", 3)
        yield


def listed_of(found: list[File]) -> FileList:
    """Return files as a list has them."""
    paths, sizes = [file.path for file in found], [file.size for file in found]
    return FileList.of(Listing(paths, sizes, [file.lines for file in found], [file.binary for file in found]))


def shown(file: File) -> FileEntry:
    return FileEntry(file.path, file.size, file.lines, "binary" if file.binary else language_name(file.path))


@given(found=files, start=st.integers(-3, 45), stop=st.integers(-3, 45))
def test_each_file_and_each_run_is_that_of_its_objects(found: list[File], start: int, stop: int) -> None:
    listed, entries = listed_of(found), list(map(shown, found))
    assert [*listed] == entries == [listed[row] for row in range(len(listed))]
    assert [*listed[start:stop]] == entries[start:stop]
    assert [*FileList.loaded(listed[start:stop].dumped())] == entries[start:stop]


@given(found=files, asked=st.lists(st.sampled_from([folder + name for folder in FOLDERS for name in NAMES])))
def test_the_table_gives_many_files_as_it_gives_each(found: list[File], asked: list[str]) -> None:
    table = FileTable()
    table.fill(columns(found))
    there = {path: file for path in asked if (file := table.get(path)) is not None}
    assert set(there) == {file.path for file in found} & set(asked)
    entries = [shown(there[path]) if path in there else FileEntry(path, 0, 0, language_name(path)) for path in asked]
    assert [*FileList(asked, table.listing)] == entries
    assert [FileList(asked, table.listing)[row] for row in range(len(asked))] == entries
    assert [*FileList(asked, table.listing)[1:3]] == entries[1:3]


@given(found=files)
def test_a_list_is_as_long_as_its_lines(found: list[File]) -> None:
    rows = ItemRows(listed_of(found), cast("Prices", None))
    headings = [rows.heading(row) for row in range(len(rows))]
    lines = "".join(rows.text(row, Form.Normal) for row in range(len(rows)))
    opened = "".join(contract_line(heading) for heading, _ in groupby(headings))
    printed = all(file.path.isprintable() for file in found)
    assert listed_of(found).characters == len(lines) + len(opened) or not printed


@given(found=files, by=st.sampled_from(["extension", "language", "directory"]))
def test_every_file_is_counted_once_however_they_are_grouped(found: list[File], by: str) -> None:
    listed, entries = listed_of(found), list(map(shown, found))
    total = _totals(entries)
    assert listed.counted("all") == FileCount("all", *total)
    groups = grouped(listed, by)
    assert sum(group.files for group in groups) == total[0]
    assert sum(group.lines for group in groups) == total[1]
    assert sum(group.bytes for group in groups) == total[2]
    assert sum((Counter(dict(group.languages)) for group in groups), Counter[str]()) == +Counter(dict(total[3]))
    if by == "language":
        assert {group.group for group in groups} == {entry.language for entry in entries}


@given(found=files, most=st.integers(1, 12))
def test_folders_hold_what_lies_in_them(found: list[File], most: int) -> None:
    paths = [file.path for file in found]
    for group, rows in directories(paths, "", most).items():
        folder, star = group.removeprefix("./").removesuffix("*"), group.endswith("*")
        inside = [path for path in paths if path.startswith(folder)]
        assert [paths[row] for row in rows] == [path for path in inside if not star or "/" not in path[len(folder) :]]


def _totals(entries: list[FileEntry]) -> tuple[int, int, int, tuple[tuple[str, int], ...]]:
    languages: dict[str, int] = {}
    for entry in entries:
        languages[entry.language] = languages.get(entry.language, 0) + entry.bytes
    lines, size = sum(entry.lines for entry in entries), sum(entry.bytes for entry in entries)
    return len(entries), lines, size, tuple(sorted(languages.items()))


ONE = FileList.of(Listing(["a.py"], [1], [1], [False])).dumped()
DAMAGED = {
    "nothing": b"",
    "no list": b"no list",
    "too short": zlib.compress(b"[]"),
    "of another version": zlib.compress(b'["a.py",[1],[1],"0"]' + b" " * 40),
    "cut": zlib.compress(zlib.decompress(ONE)[:-1]),
    "a column too short": zlib.compress(struct.pack("<4Q", 4, 8, 0, 1) + b"a.py" + bytes(8) + b"\0"),
    "no whole numbers": zlib.compress(struct.pack("<4Q", 4, 7, 8, 1) + b"a.py" + bytes(15) + b"\0"),
    "no text": zlib.compress(struct.pack("<4Q", 1, 8, 8, 1) + b"\xff" + bytes(16) + b"\0"),
}


@pytest.mark.parametrize("dumped", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_list_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dumped: bytes) -> None:
    monkeypatch.setattr(FileList, "dumped", lambda _: dumped)
    call = Call.of("list_files")
    store = Store(tmp_path / "results.db")
    uri = store.uri("local", call, "state")
    listed = FileList.of(Listing(["a.py"], [1], [1], [False]))
    store.put(uri, call, Result(subject="*", noun="files", items=listed), "local")
    with pytest.raises(NoSuchResult):
        store.get(uri, "local")
    store.close()


MANY = Result(
    subject="*",
    noun="files",
    items=FileList.of(
        Listing([f"{number:05}.py" for number in range(2_500)], [7] * 2_500, [1] * 2_500, [False] * 2_500)
    ),
)


def test_a_large_list_is_there_at_once_and_after_the_end(tmp_path: Path) -> None:
    store, call = Store(tmp_path / "results.db"), Call.of("list_files")
    uri = store.uri("local", call, "state")
    store.put(uri, call, MANY, "local")
    assert [*store.get(uri, "local")[1].items] == [*MANY.items]
    with pytest.raises(NoSuchResult):
        store.get(uri, "another")
    store.close()
    store.put(store.uri("local", call, "later"), call, MANY, "local")
    again = Store(tmp_path / "results.db")
    assert [*again.get(uri, "local")[1].items] == [*MANY.items]
    again.close()


def test_a_large_list_that_cannot_be_kept_is_no_result_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: FileList) -> bytes:
        raise OverflowError("too large")

    monkeypatch.setattr(FileList, "dumped", broken)
    store, call = Store(tmp_path / "results.db"), Call.of("list_files")
    uri = store.uri("local", call, "state")
    store.put(uri, call, MANY, "local")
    store.close()
    assert "could not be stored" in caplog.text
    again = Store(tmp_path / "results.db")
    with pytest.raises(NoSuchResult):
        again.get(uri, "local")
    again.close()
