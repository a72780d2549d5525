"""Files as the index knows them before anybody has looked into them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from leadline_tools.index.files.file import SYMBOLS, Columns, File
from leadline_tools.index.tree.walked_files import ListedFile
from leadline_tools.languages import language_by_name, maybe_script, telling_name, telling_names


def columns_of(found: Sequence[ListedFile]) -> Columns:
    """Return files that nobody has looked into."""
    # To unzip would make an iterator for each file.
    paths, sizes, changes_ns = [one[0] for one in found], [one[1] for one in found], [one[2] for one in found]
    many, done = len(paths), list(map(_undone, telling_names(paths)))
    return Columns([0] * many, paths, sizes, changes_ns, [0] * many, [b""] * many, done, [""] * many)


def new(file: File) -> File:
    """Return a file of which nothing is indexed."""
    return file._replace(id=0, lines=0, digest=b"", done=undone(file.path), error="")


def undone(path: str) -> int:
    """Return what is done of a file that nobody has looked into: its symbols, if it can have none worth indexing."""
    return _undone(telling_name(path))


@lru_cache(4_096)
def _undone(name: str) -> int:
    """Return the same for all files whose names tell the same of their language: of a large tree these are few."""
    language = language_by_name(name)
    is_code = maybe_script(name) if language is None else language.outline.indexed
    return 0 if is_code else SYMBOLS
