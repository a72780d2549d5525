"""The selection of files by folder, pattern and language."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from leadline_tools.index.files.file import File
from leadline_tools.index.files.file_list import FileList
from leadline_tools.index.files.file_table import below
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.path_scope import matching_files, parse_scope, without_excluded
from leadline_tools.index.text.patterns import path_matcher
from leadline_tools.languages import LANGUAGES, PARSED, UNKNOWN, known_scripts, language_name
from leadline_tools.model import FileCount

_NONE = "(no extension)"

_WHOLE_NAMES = frozenset(name for language in LANGUAGES.values() for name in language.files.filenames)
"""Names of files that tell a language as a whole."""


def select(
    index: Index, path: str = ".", pattern: str = "*", *, recursive: bool = True, regex: bool = False
) -> Sequence[str]:
    """Return the paths of the files that ``path`` means and that match ``pattern``, sorted.

    Args:
        index: Where to look.
        path: Folders, files and globs, and what is excluded from them, separated by commas: see ``Scope``. Raises
            PathNotFound for a folder or file that there is not, and NoFileMatches for a glob that matches nothing.
        pattern: A glob as in .gitignore, or with ``regex`` an RE2 expression.
        recursive: False for the files directly in the folders only.
        regex: What ``pattern`` is.

    """
    scope = parse_scope(index, path)
    matches = None if pattern in ("", "*", "**") and not regex else path_matcher(pattern, regex)
    found = [_below(index, folder, matches, recursive=recursive) for folder in scope.folders]
    for glob in scope.globs:
        matching = matching_files(index, glob)
        found.append(matching if matches is None else [*filter(matches, matching)])
    every = found[0] if len(found) == 1 else sorted(set().union(*found))
    return without_excluded(index, scope, every)


def select_scope(index: Index, path: str) -> frozenset[str] | None:
    """Return the files that the ``path`` of a question means, as ``select`` does; None for all."""
    return None if path in ("", ".") else frozenset(select(index, path))


def _below(index: Index, folder: str, matches: Callable[[str], bool] | None, *, recursive: bool) -> Sequence[str]:
    """Return the paths at or below a folder or file whose part behind it matches."""
    alone = index.paths.exists(folder)
    start = len(folder) + 1 if folder and not alone else 0
    paths: Sequence[str] = [folder] if alone else below(index.files.paths, folder)
    if not (alone or recursive):
        paths = [paths[at] for at, _, name in folders(paths, start) if not name]
    return paths if matches is None else [path for path in paths if matches(path[start:])]


def files_at(index: Index, paths: Iterable[str]) -> Iterator[File]:
    """Yield the files at some paths; one that has gone meanwhile is left out."""
    return (file for path in paths if (file := index.files.get(path)) is not None)


def entries(index: Index, paths: Iterable[str]) -> FileList:
    """Return files as answers show them."""
    return FileList([*paths], index.files.listing)


def written_in(paths: Iterable[str], names: frozenset[str]) -> list[str]:
    """Return those of thousands of paths that are of languages with some names: most are told by how they end."""
    if UNKNOWN in names:
        return [path for path in paths if language_name(path) in names]
    endings = _endings(names)
    scripts = known_scripts()
    return [
        path
        for path in paths
        if scripts.get(path, "") in names
        or (
            path.lower().endswith(endings)
            if path[path.rfind("/") + 1 :] not in _WHOLE_NAMES
            else language_name(path) in names
        )
    ]


@cache
def _endings(names: frozenset[str]) -> tuple[str, ...]:
    """Return the extensions of files of languages with some names."""
    known = (extension for language in PARSED.values() for extension in language.files.extensions)
    return tuple(one for one in dict.fromkeys(known) if language_name(f"_{one}") in names)


def _extensions(paths: Iterable[str]) -> list[str]:
    """Return the extensions of paths with their dots, or words for none."""
    ends = [path[path.rfind(".") - 1 :] for path in paths]
    known = {end: _extension(end) for end in set(ends)}  # of thousands of paths a few hundred
    return list(map(known.__getitem__, ends))


def _extension(end: str) -> str:
    """Return the extension of a path by its end from before the last dot, or any end without a dot."""
    before, dot, after = end[:1], end[1:2], end[2:]
    return f".{after.lower()}" if dot == "." and after and before != "/" and "/" not in after else _NONE


def grouped(files: FileList, by: str, folder: str = "") -> list[FileCount]:
    """Return the totals by ``extension``, ``language`` or ``directory`` (below ``folder``), largest first."""
    if by == "directory":
        return [files.counted(group, rows) for group, rows in directories(files.paths, folder).items()]
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(_extensions(files.paths) if by == "extension" else files.languages):
        groups.setdefault(name, []).append(row)
    counts = [files.counted(group, rows) for group, rows in groups.items()]
    return sorted(counts, key=lambda count: (-count.files, count.group))


def extensions(paths: Iterable[str]) -> list[tuple[str, int]]:
    """Return the extensions of paths and how many have each, commonest first."""
    return sorted(Counter(_extensions(paths)).items(), key=lambda one: (-one[1], one[0]))


def directories(paths: Sequence[str], folder: str, most: int = 40) -> Mapping[str, Sequence[int]]:
    """Return disjoint folders that together hold all sorted ``paths``, the largest ones opened, at most about ``most``.

    They come in the order of their names, with the places of their paths. A folder whose own files stand apart from
    those of its subfolders is named with ``*``.
    """
    groups: dict[str, Sequence[int]] = {}
    _open(paths, range(len(paths)), f"{folder}/" if folder else "", groups)
    closed: set[str] = set()
    while True:
        large = max(
            (g for g in groups if g.endswith("/") and g not in closed and len(groups[g]) > len(paths) / most),
            key=lambda g: len(groups[g]),
            default=None,
        )
        if large is None:
            break
        inner: dict[str, Sequence[int]] = {}
        _open(paths, groups[large], large, inner)
        if len(groups) - 1 + len(inner) > most:
            closed.add(large)
        else:
            del groups[large]
            groups.update(inner)
    return {group: groups[group] for group in sorted(groups)}


def _open(paths: Sequence[str], rows: Sequence[int], prefix: str, groups: dict[str, Sequence[int]]) -> None:
    """Group files by the folder directly below ``prefix``; those in none are ``prefix*``, in the root ``./*``."""
    alone: list[int] = []
    for start, end, head in folders([paths[row] for row in rows], len(prefix)):
        if head:
            groups[f"{prefix}{head}/"] = rows[start:end]
        else:
            alone.append(rows[start])
    if alone:
        groups[f"{prefix or './'}*"] = alone


def folders(paths: Sequence[str], start: int) -> Iterator[tuple[int, int, str]]:
    """Yield where the paths of each folder begin and end in sorted paths, and its name, which begins at ``start``.

    A file that is in no folder from there on comes alone, with an empty name.
    """
    at = 0
    while at < len(paths):
        head, slash, _ = paths[at][start:].partition("/")
        end = bisect_left(paths, f"{paths[at][:start]}{head}0", at) if slash else at + 1  # "0" comes behind "/"
        yield at, end, head if slash else ""
        at = end
