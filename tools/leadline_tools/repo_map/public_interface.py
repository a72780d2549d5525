"""The exports of a package: the names that its front defines or takes from its other files, and public headers.

A front is the file by which others import a package: that which a manifest names, or the file that stands for the
topmost folder of a package. A module of Go has its front in the folder of its `go.mod`: others import all that it
exports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.questions.imported_files import WHOLE
from leadline_tools.index.tree.marks import Mark, mark_of
from leadline_tools.repo_map.entry_points import Front

EVERYTHING = "*"
"""Stands for all names of a file."""

_MOST_FRONTS = 48
"""Fronts that are looked into, those nearest to the top first."""

_MOST_PASSED_ON = 600
"""Files whose names a package passes on."""

_STEPS = 3
"""Files through which a name is passed on."""

_FRONT = re.compile(r"(?:^|/)(?:__init__\.py|index\.[cm]?[jt]sx?|lib\.rs|mod\.ts)$")
_HEADER = re.compile(r"(?:^|/)include/(?:.*/)?[^/]+\.(?:h|hh|hpp|hxx)$")
"""Headers that other projects include: https://cliutils.gitlab.io/modern-cmake/chapters/basics/structure.html."""


def exported_names(index: Index, fronts: Iterable[Front]) -> Mapping[str, frozenset[str]]:
    """Return the names that packages export, by the files that define them; ``EVERYTHING`` stands for all."""
    found: dict[str, set[str]] = {}
    waiting = [(path, _STEPS) for path in _fronts(index, fronts)]
    seen = {path for path, _ in waiting}
    while waiting and len(found) < _MOST_PASSED_ON:
        path, steps = waiting.pop(0)
        found.setdefault(path, set()).add(EVERYTHING)
        for one in index.imports.of(path) or ():
            if one.name == "" and not one.exports:
                continue
            for file in one.files[:8]:
                names = found.setdefault(file, set())
                names.add(EVERYTHING if one.name in WHOLE else one.name)
                passes = one.name in WHOLE or _FRONT.search(file) is not None
                if passes and steps and file not in seen:
                    seen.add(file)
                    waiting.append((file, steps - 1))
    modules = {path.rpartition("/")[0] for path in index.paths.ending("go.mod")}
    for path in index.files.paths:
        is_front = path.endswith(".go") and path.rpartition("/")[0] in modules
        if (is_front or _HEADER.search(path)) and mark_of(path) is Mark.Product:
            found.setdefault(path, set()).add(EVERYTHING)
    return {path: frozenset(names) for path, names in found.items()}


def _fronts(index: Index, fronts: Iterable[Front]) -> Sequence[str]:
    """Return the paths of fronts: those that manifests name, else the topmost files that stand for a folder."""
    named = [front.path for front in fronts if mark_of(front.path) is Mark.Product]
    topmost = sorted(_topmost(index.files.paths), key=lambda path: (path.count("/"), path))
    return list(dict.fromkeys((*named, *topmost)))[:_MOST_FRONTS]


def _topmost(paths: Iterable[str]) -> Iterator[str]:
    """Yield the files that stand for a folder, none of those above which stands for one."""
    folders = {path.rpartition("/")[0]: path for path in paths if _FRONT.search(path) and mark_of(path) is Mark.Product}
    for folder, path in folders.items():
        above = folder
        while above:
            above = above.rpartition("/")[0]
            if above in folders:
                break
        else:
            yield path
