"""The configuration of ruff that applies to a file, looked at before ruff does.

ruff takes the nearest ``.ruff.toml``, ``ruff.toml`` or ``pyproject.toml`` with a ``[tool.ruff]`` table, in that order,
from the folder of the file upwards, and the files that it says it extends. It would look above the root, follow links
and paths that lead out, and repeat in its messages what it finds there. So ours is the first look: what leads out of
the tree or is no TOML is never handed to ruff.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from leadline_tools.errors import LeadlineError, PathNotFound
from leadline_tools.index.text.key_masking import mask_text
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

    ``problem`` says why it cannot be used, and ``place`` where it says so. ``has_version`` is true where the tree says
    for which version of Python it is: ruff would else look for that above the root.
    """

    path: str = ""
    problem: str = ""
    place: tuple[int, int] = (1, 1)
    has_version: bool = False

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
        has_version = False
        try:
            options = self._options(path)
            if options is not None:
                has_version = self._must_stay_inside(path, options)
        except PathNotFound:
            return None
        except LeadlineError as error:
            return Configuration(path, mask_text(str(error)).rstrip("."))
        except ValueError as error:
            found = _PLACE.search(str(error))
            place = (int(found[1]), int(found[2])) if found is not None else (1, 1)
            return Configuration(path, mask_text(_PLACE.sub("", str(error)).strip()), place)
        if options is None:
            return None
        return Configuration(path, has_version=has_version or self._requires_version(folder))

    def _requires_version(self, folder: str) -> bool:
        """Return whether a folder, or one above it in the tree, has a project that says what Python it requires."""
        path = f"{folder}/pyproject.toml" if folder else "pyproject.toml"
        try:
            project = self._table(path).get("project")
        except (LeadlineError, ValueError):
            project = None
        if isinstance(project, dict) and "requires-python" in project:
            return True
        return bool(folder) and self._requires_version(folder.rpartition("/")[0])

    def _options(self, path: str) -> Mapping[str, Any] | None:
        """Return what a file says of ruff; None for a pyproject.toml that says nothing. Raises ValueError."""
        table = self._table(path)
        if not path.endswith("pyproject.toml"):
            return table
        tools = table.get("tool")
        options = tools.get("ruff") if isinstance(tools, dict) else None
        return options if isinstance(options, dict) else None

    def _table(self, path: str) -> Mapping[str, Any]:
        """Return what a file of TOML holds; raises ValueError for one that is none."""
        raw = self._tree.read_raw(path, LARGEST)
        try:
            return tomllib.loads(raw.decode("utf-8-sig"))
        except RecursionError:
            raise ValueError("it is nested too deep") from None
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"it is not valid TOML: {error}") from None

    def _must_stay_inside(self, path: str, options: Mapping[str, Any]) -> bool:
        """Raise ValueError where a configuration extends what is not in the tree, or is itself no configuration.

        Return whether it, or one that it extends, says for which version of Python the files are.
        """
        has_version = False
        for _ in range(_MOST_EXTENDED):
            has_version = has_version or "target-version" in options
            extended = options.get("extend")
            if extended is None:
                return has_version
            if not isinstance(extended, str) or any(sign in extended for sign in _EXPANDED):
                raise ValueError(f"it extends {mask_text(repr(extended)):.80}, which is not followed")
            folder = path.rpartition("/")[0]
            try:
                path = self._tree.inside(extended if extended.startswith("/") else f"{folder}/{extended}".lstrip("/"))
                options = self._options(path) or {}
            except LeadlineError as error:
                raise ValueError(f"it extends {mask_text(repr(extended)):.80}: {str(error).rstrip('.')}") from None
        raise ValueError(f"it extends more than {_MOST_EXTENDED} files")
