"""The ``path`` argument of a question: a folder, a file, or a glob."""

from __future__ import annotations

from leadline_tools.index.index import Index

_MAGIC = "*?[{"


def split_scope(index: Index, path: str) -> tuple[str, str]:
    """Return the folder and the glob that ``path`` means; a file that is called like a glob is that file."""
    if not any(character in path for character in _MAGIC) or index.exists(path):
        return path, "*"
    return ".", path
