"""Folders of git inside a tree that are no part of it: what git itself stores, and other checkouts of the same files.

* A *bare repository* holds objects and references in place of files: ``HEAD``, ``objects`` and ``refs``, whatever it is
  called.
* A *linked work tree* (``git worktree add``) inside a work tree of the same repository has the same files once more, of
  another branch. Its ``.git`` is a file that names ``worktrees/ID`` in the folder of that repository. A submodule is
  part of the tree: its ``.git`` names ``modules/NAME``. So are the work trees in a folder that only holds a bare
  repository: there is no other checkout around them.

Only the ``.git`` files and, to know whether it is bare, the configuration of a repository are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container
from pathlib import Path

from leadline_tools.errors import PathError
from leadline_tools.index.tree.disk.disk_files import DiskFiles

BARE = "bare git repository"
LINKED = "linked git work tree of the same repository"

_LARGEST_POINTER = 4096
"""Bytes that are read of a ``.git`` that is a file."""

_LARGEST_CONFIGURATION = 64 * 1024
"""Bytes that are read of the configuration of a repository."""

_STORED = ("HEAD", "objects", "refs")
"""What git takes a folder for a repository by."""

_BARE = re.compile(r"^\s*bare\s*(?:=\s*(?:true|yes|on|1)\s*)?$", re.IGNORECASE | re.MULTILINE)


def why_left_out(root: Path, folder: str, names: Container[str]) -> str:
    """Return why a folder of the tree at ``root`` that has ``names`` is no part of it; empty where it is.

    ``folder`` is relative to the root, which is always a part.
    """
    if not folder:
        return ""
    if all(name in names for name in _STORED) and _stores(root / folder):
        return BARE
    return LINKED if ".git" in names and _is_linked(root, root / folder) else ""


def git_folder(pointer: Path) -> Path:
    """Return where git keeps a repository: the folder ``.git``, or the one that a file in its place names."""
    if not pointer.is_file():
        return pointer
    text = _read(pointer, _LARGEST_POINTER)
    return pointer.parent / text.removeprefix("gitdir:").strip() if text else pointer


def _stores(folder: Path) -> bool:
    """Return whether a folder is a repository of git, from what lies in it."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _is_linked(root: Path, folder: Path) -> bool:
    """Return whether a folder is a linked work tree of a repository that has another work tree around it."""
    if not (folder / ".git").is_file():
        return False
    own = _shared_folder(folder)
    if own is None:
        return False
    around = (one for one in folder.parents if os.path.lexists(one / ".git"))
    for above in around:
        linked = _shared_folder(above)
        if own == (linked or _real(git_folder(above / ".git"))):
            return linked is not None or not _is_bare(own)
        if not above.is_relative_to(root):
            break
    return False


def _shared_folder(work_tree: Path) -> Path | None:
    """Return the folder of the repository that a linked work tree shares with others; None for one that is not."""
    folder = git_folder(work_tree / ".git")
    linked = folder.parent.name == "worktrees" and folder.name != ".git"
    return _real(folder.parent.parent) if linked else None


def _is_bare(folder: Path) -> bool:
    return _BARE.search(_read(folder / "config", _LARGEST_CONFIGURATION)) is not None


def _read(file: Path, most: int) -> str:
    """Return the text of a small file; empty where it cannot be read."""
    tree = DiskFiles(file.parent)
    try:
        return os.fsdecode(tree.read_bytes(file.name, most))
    except PathError:
        return ""


def _real(folder: Path) -> Path:
    return Path(os.path.realpath(folder))
