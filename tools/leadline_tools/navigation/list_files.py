"""Lists files."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.errors import BadArgument, PastTheEnd
from leadline_tools.index.files.file_list import BINARY, FileList
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.changed_since import ChangedScope
from leadline_tools.index.request_scope.file_selection import directories, entries, extensions, folders, select
from leadline_tools.index.request_scope.index_notes import listing_notes
from leadline_tools.index.request_scope.path_scope import PathScope, parse_scope
from leadline_tools.languages import language_names
from leadline_tools.model import FileEntry
from leadline_tools.result import Breakdown, Call, Continued, Result, Size, Value, Window
from leadline_tools.tool import FolderPath, tool_of_paths

LISTED_UNASKED = 20
"""More files than this are counted, not listed, unless a limit is given."""

LARGEST_PAGE = 100

_EXTENSIONS_SHOWN = 12
_COUNT_WIDTH = 72
"""Characters of a line of count_files, which counts a group."""

_ROOT = PathScope(("",))

_FOLDERS_NAMED = 8
"""Folders below that are named where only the files directly in one are listed."""


@tool_of_paths
def list_files(
    index: Index,
    pattern: str = "*",
    path: FolderPath = ".",
    recursive: bool = False,
    regex: bool = False,
    offset: int = 0,
    limit: int = 0,
    changed_since: str = "",
) -> Result:
    """List files by directory. Over 20 without limit: exact counts and prices instead. limit (to 100), offset: page.

    pattern: gitignore-style glob. changed_since: git ref; files, or symbols, changed since the merge base.
    """
    if offset < 0 or limit < 0:
        raise BadArgument("offset and limit", "they cannot be negative", "Use offset from 0 and limit from 1 to 100.")
    scope = parse_scope(index, path)
    folder = scope.folder
    changed = ChangedScope(index, changed_since) if changed_since else None
    recursive = recursive or changed is not None
    if scope == _ROOT and not recursive and index.parts[0].tree.name:
        return _roots(index, offset, limit)
    selected = select(index, path, pattern, recursive=recursive, regex=regex)
    files = entries(index, selected if changed is None else [one for one in selected if one in changed.paths])
    question = _Question(pattern, path, recursive, regex, scope, changed_since)
    if offset and offset >= len(files):
        page = limit or LISTED_UNASKED
        back = question.call(Size(), offset=max(0, len(files) - page), limit=page)
        raise PastTheEnd(f"offset {offset:,}", f"{len(files):,} files match", str(back))
    limit = min(limit, LARGEST_PAGE)
    inside = () if recursive or offset else select(index, path, pattern, regex=regex)
    below = _below(inside, folder)
    many = not limit and not offset and len(files) > LISTED_UNASKED
    calls = question.narrower(files, folder) if many else _telling(files[offset:], limit or LISTED_UNASKED)
    return Result(
        subject=pattern if scope == _ROOT else f"{pattern} in {folder or path}",
        noun="files",
        items=files,
        notes=(*_folder_notes(below), *(changed.notes if changed is not None else ()), *listing_notes(index)),
        breakdowns=_breakdowns(files.paths, folder) if many else (),
        calls=calls or question.deeper(below),
        window=Window(offset, limit),
        more=Continued(question.call(_names(files[:limit]), offset=offset, limit=limit), "offset") if limit else None,
        span="[Files {first}-{last} of {total}]" if limit else "",
    )


def _below(paths: Sequence[str], folder: str) -> list[tuple[str, int]]:
    """Return the folders directly below ``folder`` that hold some of the sorted paths, with how many; most first."""
    inside = f"{folder}/" if folder else ""
    found = [(inside + name, end - start) for start, end, name in folders(paths, len(inside)) if name]
    return sorted(found, key=lambda one: -one[1])


def _folder_notes(below: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """Return the line that tells what the folders below hold."""
    if not below:
        return ()
    named = [f"{path.rpartition('/')[2]}/ {number:,}" for path, number in below[:_FOLDERS_NAMED]]
    rest = below[_FOLDERS_NAMED:]
    if rest:
        named.append(f"{sum(number for _, number in rest):,} in {len(rest):,} others")
    return (f"in folders below: {', '.join(named)}",)


def _roots(index: Index, offset: int, limit: int) -> Result:
    """Return the roots, which are all that lies at the top where there are several."""
    counts = [entries(part, part.files.paths).counted(part.title) for part in index.parts]
    largest = max(counts, key=lambda count: count.files)
    return Result(
        subject="roots",
        noun="roots",
        items=counts,
        notes=listing_notes(index),
        calls=(
            Call.of("list_files", Size(rows=20, width=24), path=largest.group),
            Call.of("count_files", Size(rows=len(counts) + 1, width=_COUNT_WIDTH), by="directory"),
        ),
        window=Window(offset, limit),
    )


class _Question:
    """The arguments that a question was asked with, for asking it again a little differently."""

    def __init__(
        self, pattern: str, path: str, recursive: bool, regex: bool, scope: PathScope, changed_since: str
    ) -> None:
        self._scope = scope
        self._given: list[tuple[str, Value, Value]] = [
            ("pattern", pattern, "*"),
            ("path", path, "."),
            ("recursive", recursive, False),
            ("regex", regex, False),
            ("changed_since", changed_since, ""),
        ]

    def call(self, size: Size, **others: Value) -> Call:
        """Return the call of this question with other arguments in their place."""
        arguments = {name: value for name, value, default in self._given if value != default}
        return Call("list_files", tuple({**arguments, **others}.items()), size)

    def narrower(self, files: FileList, folder: str) -> tuple[Call, ...]:
        """Return calls that list a part: the largest subfolder, the first page, the commonest kind of file."""
        page = min(LARGEST_PAGE, len(files))
        calls = [self.call(_names(files[:page]), offset=0, limit=page)]
        calls += self._largest(_below(files.paths, folder))
        counted = Size(rows=len(set(language_names(files.paths))) + 1, width=_COUNT_WIDTH)
        path = self._scope.within(folder)
        calls += [Call.of("count_files", counted, path=path, by="language")] if path else []
        return tuple(calls)

    def deeper(self, below: Sequence[tuple[str, int]]) -> tuple[Call, ...]:
        """Return the call that lists the largest folder below; the one that counts everything where there is none."""
        return self._largest(below) or (Call.of("count_files", Size(rows=20, width=100)),)

    def _largest(self, below: Sequence[tuple[str, int]]) -> tuple[Call, ...]:
        largest = [(path, number) for folder, number in below[:1] if (path := self._scope.within(folder))]
        return tuple(self.call(Size(rows=min(50, number), width=24), path=path) for path, number in largest)


def _names(files: FileList) -> Size:
    """Return the size of a list of files: their names, and about one line in four for a folder."""
    names = sum(len(path) - path.rfind("/") - 1 for path in files.paths)
    return Size(rows=len(files), width=8 + names // max(1, len(files)))


def _breakdowns(paths: Sequence[str], folder: str) -> tuple[Breakdown, ...]:
    inside = [(name, len(rows)) for name, rows in directories(paths, folder).items()]
    ending = extensions(paths)
    rest = ending[_EXTENSIONS_SHOWN:]
    others = [(f"{len(rest)} others", sum(number for _, number in rest))] if rest else []
    return Breakdown("directory", tuple(inside)), Breakdown("extension", (*ending[:_EXTENSIONS_SHOWN], *others))


def _telling(files: FileList, shown: int) -> tuple[Call, ...]:
    """Return the call that reads the first file that looks like an introduction, else the first shown that is text."""
    introductions = (
        row for row, path in enumerate(files.paths) if path[path.rfind("/") + 1 :].lower().startswith("readme")
    )
    texts = (row for row in range(min(shown, len(files))) if files[row].lines)
    best = next((file for file in map(files.__getitem__, introductions) if _may_be_text(file)), None)
    best = best or next(map(files.__getitem__, texts), None)
    return () if best is None else (Call.of("read_file", Size(min(best.bytes, 4_000)), path=best.path),)


def _may_be_text(file: FileEntry) -> bool:
    """Return whether there is something in a file, and nobody has found yet that it is no text."""
    return file.bytes > 0 and file.language != BINARY
