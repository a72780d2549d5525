"""Packages that are installed in a tree: git ignores them, but servers take types from them.

For TypeScript these are ``node_modules`` beside each ``package.json``, for Python ``.venv`` and ``venv`` at the root.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_MODULES = (".py", ".pyi")
_MOST_FOLDERS = 50
"""Folders with a package.json whose packages are looked for."""


def package_files(root: str, listed: Sequence[str], most: int, languages: Collection[str]) -> Iterator[str]:
    """Yield the paths of at most so many files of installed packages, relative to ``root``; links are not followed."""
    found = 0
    for folder, endings, names in _folders(listed, languages):
        for path in _files(root, folder):
            name = path.rpartition("/")[2]
            if name.endswith(endings) or name in names:
                if found == most:
                    return
                found += 1
                yield path


def package_links(root: str, listed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the links among installed packages that lead to folders below the root: their paths and their targets.

    A target is relative, and goes up only at its beginning, so it cannot leave whatever it leads through.
    """
    for folder in _package_folders(listed):
        pending = [folder]
        while pending:
            place = pending.pop()
            for entry in _entries(root, place):
                path = f"{place}/{entry.name}"
                if entry.is_symlink():
                    with suppress(OSError):
                        target = os.readlink(entry.path)  # noqa: PTH115  thousands of them
                        if _stays_inside(path, target):
                            yield path, target
                elif entry.is_dir() and (entry.name.startswith("@") or place.endswith("node_modules/.pnpm")):
                    pending.append(path if entry.name.startswith("@") else f"{path}/node_modules")
                elif entry.is_dir() and entry.name == ".pnpm":
                    pending.append(path)


def _folders(
    listed: Sequence[str], languages: Collection[str]
) -> Iterator[tuple[str, tuple[str, ...], frozenset[str]]]:
    """Yield folders of packages, with how the names of files in them end, and whole names."""
    if not _SCRIPTS.isdisjoint(languages):
        for folder in _package_folders(listed):
            yield folder, _DECLARATIONS, frozenset({"package.json"})
    if "python" in languages:
        for folder in (".venv", "venv"):
            yield folder, _MODULES, frozenset({"pyvenv.cfg", "py.typed"})


def _package_folders(listed: Sequence[str]) -> list[str]:
    manifests = sorted((path for path in listed if path.rpartition("/")[2] == "package.json"), key=len)
    return [path.removesuffix("package.json") + "node_modules" for path in manifests[:_MOST_FOLDERS]]


def _files(root: str, folder: str) -> Iterator[str]:
    pending = [folder]
    while pending:
        place = pending.pop()
        for entry in sorted(_entries(root, place), key=lambda entry: entry.name):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    pending.append(f"{place}/{entry.name}")
                elif entry.is_file(follow_symlinks=False):
                    yield f"{place}/{entry.name}"


def _entries(root: str, folder: str) -> list[os.DirEntry[str]]:
    try:
        place = f"{root}/{folder}"
        if os.path.realpath(place) != place:
            return []
        with os.scandir(place) as entries:
            return list(entries)
    except OSError:
        return []


def _stays_inside(path: str, target: str) -> bool:
    parts = target.split("/")
    up = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
    return not target.startswith("/") and ".." not in parts[up:] and up <= path.count("/")
