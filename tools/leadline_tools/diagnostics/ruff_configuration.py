"""The configuration of ruff that applies to a file, read before ruff does.

ruff takes the nearest ``.ruff.toml``, ``ruff.toml`` or ``pyproject.toml`` with a ``[tool.ruff]`` table, in that order,
from the folder of the file upwards, and the files that it says it extends. It would look above the root, follow links
and paths that lead out, and repeat in its messages what it finds there. So a configuration is read here, and ruff gets
a copy of what was read. What leads out of the tree or is no TOML is never given to ruff.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from leadline_tools.errors import IsFolder, LeadlineError, PathNotFound
from leadline_tools.index.text.key_masking import mask_text
from leadline_tools.index.tree.descent import is_absolute
from leadline_tools.index.tree.source import Tree

LARGEST = 512 << 10
"""Bytes of the largest file that is taken for a configuration."""

_NAMES = (".ruff.toml", "ruff.toml", "pyproject.toml")
_MOST_EXTENDED = 8
_EXPANDED = ("~", "$", "%")
"""Signs that ruff replaces by what the environment says, which is no business of a tree."""

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file that configures ruff, or the built-in rules where ``path`` is empty.

    Args:
        path: Where it is.
        problem: Why it cannot be used; empty where it can.
        place: The line and column of the problem, from 1.
        has_version: Whether the tree says for which version of Python it is: ruff would else look for that above.
        leads_out: Whether it names folders of sources outside of the tree.
        files: The bytes of each file that it consists of: itself, what it extends, what says the version.

    """

    path: str = ""
    problem: str = ""
    place: tuple[int, int] = (1, 1)
    has_version: bool = False
    leads_out: bool = field(default=False, compare=False)
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes], compare=False)

    @property
    def folder(self) -> str:
        """Return the folder to which its paths are relative."""
        return self.path.rpartition("/")[0]


class Configurations:
    """The configurations of a tree, each read once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._nearest: dict[str, Configuration] = {}

    def grouped(self, paths: Iterable[str]) -> Mapping[Configuration, list[str]]:
        """Return files by the configuration that applies to them."""
        groups: dict[Configuration, list[str]] = {}
        for path in paths:
            groups.setdefault(self._of(path.rpartition("/")[0]), []).append(path)
        return groups

    def _of(self, folder: str) -> Configuration:
        """Return the configuration of the files in a folder."""
        if folder not in self._nearest:
            found = next(filter(None, (self._at(folder, name) for name in _NAMES)), None)
            if found is None:
                found = self._of(folder.rpartition("/")[0]) if folder else Configuration()
            self._nearest[folder] = found
        return self._nearest[folder]

    def _at(self, folder: str, name: str) -> Configuration | None:
        """Return the configuration in a file; None where there is none."""
        path = f"{folder}/{name}" if folder else name
        chain = _Chain(self._tree)
        try:
            if not chain.follow(path):
                return None
        except (PathNotFound, IsFolder):  # ruff looks further too
            return None
        except LeadlineError as error:
            return Configuration(path, mask_text(str(error)).rstrip("."))
        except ValueError as error:
            found = _PLACE.search(str(error))
            place = (int(found[1]), int(found[2])) if found is not None else (1, 1)
            return Configuration(path, mask_text(_PLACE.sub("", str(error)).strip()), place)
        has_version = chain.has_version or chain.add_project(folder)
        return Configuration(path, has_version=has_version, leads_out=chain.leads_out, files=chain.files)


class _Chain:
    """A configuration and those that it extends, as they are read.

    Attributes:
        files: The bytes of each file, by its path.
        has_version: Whether one of them says for which version of Python the files are.
        leads_out: Whether one of them names folders of sources outside of the tree.

    """

    def __init__(self, tree: Tree) -> None:
        self.files: dict[str, bytes] = {}
        self.has_version = False
        self.leads_out = False
        self._tree = tree

    def follow(self, path: str) -> bool:
        """Read a configuration and what it extends; return False for a pyproject.toml that says nothing of ruff.

        Raises ValueError for one that extends what is not in the tree or is itself no configuration, and the
        ``LeadlineError`` that says why the first one cannot be read.
        """
        options = self._options(path)
        if options is None:
            return False
        for _ in range(_MOST_EXTENDED):
            self.has_version = self.has_version or "target-version" in options
            self.leads_out = self.leads_out or any(self._is_outside(path, one) for one in _sources_of(options))
            extended = options.get("extend")
            if extended is None:
                return True
            if not isinstance(extended, str) or any(sign in extended for sign in _EXPANDED):
                raise ValueError(f"it extends {mask_text(repr(extended)):.80}, which is not followed")
            if is_absolute(extended):
                raise ValueError(f"it extends {mask_text(repr(extended)):.80}, an absolute path, which is not followed")
            try:
                path = self._tree.inside(_joined(path, extended))
                options = self._options(path) or {}
            except LeadlineError as error:
                raise ValueError(f"it extends {mask_text(repr(extended)):.80}: {str(error).rstrip('.')}") from None
        raise ValueError(f"it extends more than {_MOST_EXTENDED} files")

    def add_project(self, folder: str) -> bool:
        """Add the nearest project, from a folder upwards, that says what Python it requires.

        Return whether there is one.
        """
        path = f"{folder}/pyproject.toml" if folder else "pyproject.toml"
        try:
            raw, table = self._table(path)
        except (LeadlineError, ValueError):
            raw, table = b"", {}
        project = table.get("project")
        if isinstance(project, dict) and "requires-python" in project:
            self.files[path] = raw
            return True
        return bool(folder) and self.add_project(folder.rpartition("/")[0])

    def _is_outside(self, path: str, source: object) -> bool:
        """Return whether a folder of sources that a configuration names is not below the root."""
        if not isinstance(source, str) or is_absolute(source) or any(sign in source for sign in _EXPANDED):
            return True
        try:
            self._tree.inside(_joined(path, source))
        except LeadlineError:
            return True
        return False

    def _options(self, path: str) -> Mapping[str, Any] | None:
        """Return what a file says of ruff; None for a pyproject.toml that says nothing. Raises ValueError."""
        raw, table = self._table(path)
        if path.endswith("pyproject.toml"):
            tools = table.get("tool")
            options = tools.get("ruff") if isinstance(tools, dict) else None
            if not isinstance(options, dict):
                return None
            table = options
        self.files[path] = raw
        return table

    def _table(self, path: str) -> tuple[bytes, Mapping[str, Any]]:
        """Return the bytes of a file of TOML and what it holds; raises ValueError for one that is none."""
        raw = self._tree.read_raw(path, LARGEST)
        try:
            return raw, tomllib.loads(raw.decode("utf-8-sig"))
        except RecursionError:
            raise ValueError("it is nested too deep") from None
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"it is not valid TOML: {error}") from None
        except ValueError:
            raise ValueError("it has a number with too many digits") from None


def _joined(path: str, named: str) -> str:
    """Return a path that a configuration names, relative to the root."""
    return f"{path.rpartition('/')[0]}/{named}".lstrip("/")


def _sources_of(options: Mapping[str, Any]) -> Iterable[object]:
    """Return the folders of sources that a configuration names."""
    sources = options.get("src")
    return sources if isinstance(sources, list) else ()
