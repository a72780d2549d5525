"""Folders with code of other projects, recognized by their own licence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import is_vendored

_LICENCE = re.compile(r"(?:^|/)(?:LICEN[CS]E|COPYING|COPYRIGHT)(?:[.-][\w.-]+)?$")
_LONGEST_LINE = 200
"""Characters of a line that may say who holds the copyright."""

_NO_HOLDER = frozenset("the and inc ltd llc all rights reserved copyright notice holder holders owner".split())

_MOST_LICENCES = 200
_LARGEST = 64 << 10
"""Bytes of a licence that are read."""

_MOST_ASKED = 40
"""Files of a folder that are asked whether they import something outside of it."""


def copied_folders(index: Index) -> Sequence[str]:
    """Return the folders, with a slash at the end, that hold copies of other projects, sorted.

    Such a folder has a licence by holders that the licence at the top does not name, and nothing in it imports from the
    rest of the tree. Those that package managers fill are not listed here: their names say so (``is_vendored``).
    """
    paths = [path for path in index.files.paths if _LICENCE.search(path)]
    own = frozenset(holder for path in paths if "/" not in path for holder in _holders(index, path))
    if not own:
        return ()
    folders: list[str] = []
    for path in islice((path for path in paths if "/" in path), _MOST_LICENCES):
        folder = path[: path.rfind("/") + 1]
        if is_vendored(path) or any(folder.startswith(known) for known in folders):
            continue
        holders = frozenset(_holders(index, path))
        if holders and own.isdisjoint(holders) and not any(_reaches_out(index, folder)):
            folders.append(folder)
    return folders


def _holders(index: Index, path: str) -> Iterator[str]:
    """Yield those who hold the copyright by a licence, as words in small letters."""
    source = index.try_read(path) if index.files.size(path) <= _LARGEST else None
    for line in source.lines() if source is not None else ():
        before, claim, holder = line[:_LONGEST_LINE].lower().partition("copyright")
        if claim and not re.search("[a-z]", before):
            words = [word for word in re.findall("[a-z]{3,}", holder) if word not in _NO_HOLDER]
            if words:
                yield " ".join(words)


def _reaches_out(index: Index, folder: str) -> Iterator[bool]:
    """Yield for some files of a folder whether they import a file outside of it."""
    for file in islice(index.files.below(folder.rstrip("/")), _MOST_ASKED):
        imports = index.imports.of(file.path) or ()
        yield any(not target.startswith(folder) for one in imports for target in one.files[:1])
