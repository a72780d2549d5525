"""The ``path`` argument of a question: folders, files and globs, and what is excluded from them.

Examples are ``src``, ``src/*.py``, ``!tests/**`` and ``src,lib,!**/*_test.go``. Globs are those of ``.gitignore``, so
``!tests`` excludes every folder of that name. A file or folder whose name holds a comma, a leading exclamation mark or
a wildcard is found as it is spelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from leadline_tools.errors import BadArgument, LeadlineError, NoFileMatches, NotListed, PathNotFound
from leadline_tools.index.index import Index
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.text.patterns import LONGEST, path_matcher
from leadline_tools.index.tree.descent import is_absolute

_WILDCARDS = "*?[{"
_OPENING, _CLOSING = "{[", "}]"

_MOST_ENTRIES = 8
"""Files and folders that an error about a path names."""

_MOST_PARTS = 50
"""Paths and globs in one argument."""


@dataclass(frozen=True, slots=True)
class PathScope:
    """What a ``path`` argument means.

    Args:
        folders: Folders and files as the tree names them; the root where something is excluded and nothing included.
        globs: What else is included.
        excluded: What is left out, as it is written behind the exclamation mark.

    """

    folders: tuple[str, ...]
    globs: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Return the folder or file that holds all of it; the root where there is no single one."""
        return self.folders[0] if len(self.folders) == 1 and not self.globs else ""

    def within(self, folder: str) -> str:
        """Return the ``path`` argument for the part of it in a folder; empty where globs leave no way to write it."""
        return "" if self.globs else ",".join((folder or ".", *(f"!{one}" for one in self.excluded)))


def parse_scope(index: Index, path: str) -> PathScope:
    """Return what ``path`` means; raises PathNotFound for a folder or file that there is not."""
    plain = "," not in path and not path.startswith("!") and not any(one in path for one in _WILDCARDS)
    if plain or _is_place(index, path):
        return PathScope((_folder(index, path),))
    folders: list[str] = []
    globs: list[str] = []
    excluded: list[str] = []
    for part in _parts(index, path):
        if part.startswith("!") and not _is_place(index, part):
            excluded.append(part[1:].strip())
        elif any(one in part for one in _WILDCARDS) and not _is_place(index, part):
            globs.append(part)
        else:
            folders.append(_folder(index, part))
    return PathScope(tuple(folders) if folders or globs else ("",), tuple(globs), tuple(excluded))


def roots_of(index: Index, path: str) -> frozenset[str]:
    """Return the names of the roots that a ``path`` argument is about; all of them where that is not sure."""
    names = index.root_names
    parts = (part.strip() for part in _split(path))
    each = [_roots_of_part(index, names, part) for part in parts if part and not part.startswith("!")]
    return frozenset[str]().union(*each) if each and all(each) else names.all


def check_root(index: Index, path: str) -> None:
    """Raise PathNotFound for a plain path that is in no root, before any root is opened to look for it."""
    odd = path.startswith("!") or any(one in path for one in _WILDCARDS)
    if not odd and len([*_split(path)]) == 1:
        index.paths.locate(path)


def _roots_of_part(index: Index, names: RootNames, part: str) -> frozenset[str]:
    """Return the roots that a path or glob is about; none where it may match anywhere, or nowhere."""
    if is_absolute(part):
        try:
            part = index.tree.inside(part)
        except LeadlineError:
            return frozenset()
    part = part.removeprefix("./").rstrip("/")
    anchored = "/" in part or not any(one in part for one in _WILDCARDS)  # else a glob is that of a name
    return names.about(part) if anchored else frozenset()


def matching_files(index: Index, glob: str) -> Sequence[str]:
    """Return the files that a glob matches; raises NoFileMatches, with what was probably meant, for none."""
    matches = path_matcher(glob, regex=False)
    found = [path for path in index.files.paths if matches(path)]
    if not found:
        segments = glob.split("/")
        folder = "/".join(segments[: _plain_segments(segments)])
        reason = index.unlisted.reason(folder) if folder else ""
        if reason:
            raise NotListed(folder, reason)
        raise NoFileMatches(glob, _nearest_glob(index, glob), beside=_top_entries(index))
    return found


def _folder(index: Index, path: str) -> str:
    """Return a folder or file as the tree names it; raises PathNotFound, with what there is, for none."""
    try:
        return index.paths.folder(path)
    except PathNotFound as error:
        if error.nearest is not None:
            raise
        raise PathNotFound(path, beside=_top_entries(index)) from None


def _top_entries(index: Index) -> Sequence[str]:
    """Return the names of folders and files at the top of the tree, folders first, or those of the roots."""
    if index.root_names:
        return [*islice(index.root_names, _MOST_ENTRIES)]
    parts = (path.partition("/") for path in index.files.paths)
    entries = dict.fromkeys(f"{name}{slash}" for name, slash, _ in parts)
    return sorted(entries, key=lambda one: not one.endswith("/"))[:_MOST_ENTRIES]


def without_excluded(index: Index, scope: PathScope, paths: Sequence[str]) -> Sequence[str]:
    """Return the paths that a scope does not exclude; raises NoFileMatches where it excludes all of them."""
    if not scope.excluded or not paths:
        return paths
    excludes = [_excluder(index, one) for one in scope.excluded]
    left = [path for path in paths if not any(one(path) for one in excludes)]
    if not left:
        raise NoFileMatches(",".join(f"!{one}" for one in scope.excluded), every=len(paths))
    return left


def scope_notes(index: Index, path: str) -> Iterator[str]:
    """Yield what an answer has to say of its ``path`` argument: what of it holds or excludes no file."""
    scope = parse_scope(index, path)
    for folder in scope.folders:
        if folder and not index.files.has_folder(folder) and not index.paths.exists(folder):
            reason = index.unlisted.reason(folder) or "it is empty, or the ignore rules exclude its files"
            yield f"{folder} holds no listed file: {reason}"
    for one in scope.excluded:
        if not any(map(_excluder(index, one), index.files.paths)):
            near = _nearest_glob(index, one)
            yield f"!{one} excludes no file{f'; did you mean !{near}?' if near else ''}"


def _is_place(index: Index, path: str) -> bool:
    """Return whether a path is that of a file, or of a folder with files."""
    try:
        inside = index.paths.locate(path)
    except LeadlineError:
        return False
    return index.paths.exists(inside) or index.files.has_folder(inside)


def _parts(index: Index, path: str) -> Iterator[str]:
    """Yield the paths and globs in an argument: what commas separate, unless a file or folder has them in its name."""
    if len(path) > LONGEST:
        raise BadArgument("path", f"it has {len(path):,} characters, more than {LONGEST:,}", "Give fewer globs.")
    pieces = list(_split(path))
    if len(pieces) > _MOST_PARTS:
        raise BadArgument("path", f"it has {len(pieces):,} parts, more than {_MOST_PARTS}", "Give fewer globs.")
    start = 0
    while start < len(pieces):
        ends = range(len(pieces), start + 1, -1)
        joined = ((",".join(pieces[start:end]).strip(), end) for end in ends)
        part, start = next(
            ((one, end) for one, end in joined if _is_place(index, one.removeprefix("!"))),
            (pieces[start].strip(), start + 1),
        )
        if part:
            yield part


def _split(path: str) -> Iterator[str]:
    """Yield what stands between the commas of an argument that are not in braces or brackets, or escaped."""
    start = depth = 0
    escaped = False
    for at, character in enumerate(path):
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif character == "," and not depth:
            yield path[start:at]
            start = at + 1
    yield path[start:]


def _excluder(index: Index, excluded: str) -> Callable[[str], bool]:
    """Return what tells whether a path is excluded by a glob, or by a path that only looks like one."""
    odd = excluded.startswith(("/", "!")) or any(one in excluded for one in (*_WILDCARDS, ","))
    if odd and _is_place(index, excluded):
        place = index.paths.locate(excluded)
        return lambda path: path == place or path.startswith(f"{place}/")
    return path_matcher(excluded, regex=False)


def _nearest_glob(index: Index, glob: str) -> str:
    """Return the glob that was probably meant by one that matches nothing; empty for none."""
    near = (*_anywhere(glob), *_other_folder(index, glob), *_other_case(index, glob))
    return next((one for one in near if any(map(path_matcher(one, regex=False), index.files.paths))), "")


def _anywhere(glob: str) -> Iterable[str]:
    return () if glob.startswith("**") else (f"**/{glob.lstrip('./')}",)


def _other_folder(index: Index, glob: str) -> Iterator[str]:
    """Yield the same glob in the folder that its plain parts, or the first of them, were probably meant for."""
    segments = glob.split("/")
    plain = _plain_segments(segments)
    for end in (plain, *range(1, plain)):
        try:
            index.paths.folder("/".join(segments[:end]))
        except PathNotFound as error:
            if error.nearest and index.files.has_folder(error.nearest):
                yield "/".join((error.nearest, *segments[end:]))
                yield error.nearest
        except LeadlineError:
            return


def _other_case(index: Index, glob: str) -> Iterator[str]:
    """Yield the same glob with its folders spelled as the tree has them, then the file that it matches but for case."""
    matches = path_matcher(glob.lower(), regex=False)
    path = next((path for path in index.files.paths if matches(path.lower())), None)
    if path is not None:
        segments = glob.split("/")
        plain = _plain_segments(segments)
        yield "/".join((*path.split("/")[:plain], *segments[plain:]))
        yield path


def _plain_segments(segments: Sequence[str]) -> int:
    """Return how many of the first segments of a glob are names of folders."""
    wild = (number for number, one in enumerate(segments) if any(c in one for c in _WILDCARDS))
    return next(wild, len(segments) - 1)
