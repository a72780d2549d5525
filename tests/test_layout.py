"""The paths of a tree by file name and by folder are those that a look at every path would find."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.index.paths.layout import Layout

SEGMENTS = st.lists(st.sampled_from(("a", "b", "ab", "a.b", "-", "_")), min_size=1, max_size=4)
PATHS = st.sets(SEGMENTS.map("/".join), max_size=30).map(sorted)


@given(PATHS, SEGMENTS.map("/".join))
def test_the_files_that_end_in_a_path_are_found_shortest_first(paths: list[str], suffix: str) -> None:
    ending = [path for path in paths if f"/{path}".endswith(f"/{suffix}")]
    assert Layout(paths).ending(suffix) == sorted(ending, key=lambda path: (len(path), path))


@given(PATHS, st.lists(st.sampled_from(("a", "b", "ab")), max_size=3).map("/".join))
def test_the_files_directly_in_the_folders_that_end_in_a_path_are_found(paths: list[str], folder: str) -> None:
    inside = [path for path in paths if f"/{path.rpartition('/')[0]}".endswith(f"/{folder}")]
    assert sorted(Layout(paths).inside(folder)) == inside


@given(PATHS)
def test_every_name_of_a_file_is_there_once_and_every_folder_by_its_own(paths: list[str]) -> None:
    layout = Layout(paths)
    assert sorted(layout.names) == sorted({path.rpartition("/")[2] for path in paths})
    folders = {path[:end] for path in paths for end, sign in enumerate(path) if sign == "/"}
    assert {folder for named in layout.folders.values() for folder in named} == folders
    assert all(folder.rpartition("/")[2] == name for name, named in layout.folders.items() for folder in named)
