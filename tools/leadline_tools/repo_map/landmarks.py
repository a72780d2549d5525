"""The landmarks of a tree, known before any symbol is rated: its files, where programs begin, what packages export.

It is kept for each index until that changes: maps around several focuses rest on the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from leadline_tools.index.index import Index
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.repo_map.copies import copied_folders
from leadline_tools.repo_map.documented_names import DocumentedNames, documented_names
from leadline_tools.repo_map.entry_points import EntryPoint, main_functions, read_manifests
from leadline_tools.repo_map.file_marks import FileMarks
from leadline_tools.repo_map.public_interface import exported_names


@dataclass(frozen=True, slots=True)
class Landmarks:
    """What is known of the tree of one root.

    Args:
        marks: What each file is.
        entry_points: Where programs begin.
        exported: The names that packages export, by file.
        documented: What the texts of the tree name.
        descriptions: What manifests say of their folders.

    """

    marks: FileMarks
    entry_points: Sequence[EntryPoint]
    exported: Mapping[str, frozenset[str]]
    documented: DocumentedNames
    descriptions: Mapping[str, str]


_KEPT: WeakKeyDictionary[Index, tuple[Snapshot, Landmarks]] = WeakKeyDictionary()


def landmarks_of(index: Index) -> Landmarks:
    """Return what is known of the tree of an index of one root."""
    snapshot = index.snapshot
    kept = _KEPT.get(index)
    if kept is None or kept[0] != snapshot:
        kept = _KEPT[index] = snapshot, _find(index)
    return kept[1]


def _find(index: Index) -> Landmarks:
    marks = FileMarks(copied_folders(index))
    manifests = read_manifests(index)
    entries = [one for one in (*manifests.entry_points, *main_functions(index)) if marks.is_ranked(one.path)]
    fronts = [one for one in manifests.fronts if marks.is_ranked(one.path)]
    exported = exported_names(index, fronts)
    return Landmarks(marks, entries, exported, documented_names(index), manifests.descriptions)
