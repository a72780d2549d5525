"""Counts files, and estimates what reading them would cost."""

from __future__ import annotations

from typing import Literal

from leadline_tools.index.files.file_list import FileList
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.file_selection import entries, grouped, select
from leadline_tools.index.request_scope.index_notes import listing_notes, text_notes
from leadline_tools.index.request_scope.path_scope import PathScope, parse_scope
from leadline_tools.result import Call, Result, Size, Value
from leadline_tools.tool import FolderPath, tool


@tool
def count_files(
    index: Index,
    pattern: str = "*",
    path: FolderPath = ".",
    recursive: bool = True,
    regex: bool = False,
    by: Literal["extension", "language", "directory"] = "extension",
) -> Result:
    """Count files, lines, bytes and the tokens to read them."""
    files = entries(index, select(index, path, pattern, recursive=recursive, regex=regex))
    scope = parse_scope(index, path)
    total = files.counted("total")
    groups = grouped(files, by, scope.folder)
    return Result(
        subject=pattern if scope == PathScope(("",)) else f"{pattern} in {scope.folder or path}",
        noun="groups",
        items=[total, *groups],
        notes=(*listing_notes(index), *text_notes(index)),
        calls=_listing(files, pattern, scope.folder or path, recursive, regex),
    )


def _listing(files: FileList, pattern: str, path: str, recursive: bool, regex: bool) -> tuple[Call, ...]:
    """Return the call that lists the first of the files that were counted."""
    if not files:
        return ()
    shown = min(20, len(files))
    asked: dict[str, Value] = {"pattern": pattern} if pattern != "*" else {}
    if regex:
        asked["regex"] = True
    size = Size(rows=shown, width=20)
    return (Call.of("list_files", size, **asked, path=path, recursive=recursive, limit=shown),)
