"""Namespaces of C# that a file sees: those around a place, and those that it or its project opens.

https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/namespaces#1464-global-using-namespace-directives
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.resolve.project.code_base import FactSource

_GLOBAL_USING = re.compile(rb"^[ \t]*global[ \t]+using[ \t]+(?:global::)?([\w.]+)[ \t]*;", re.MULTILINE)
_ITEM = re.compile(rb"<Using\s+Include=\"([\w.]+)\"\s*/?>")
_PROJECT = ".csproj"
_BUILD_FILES = (_PROJECT, ".props", ".targets")


class SeenNamespaces:
    """Knows the namespaces that files see."""

    def __init__(self, source: FactSource) -> None:
        self._source = source
        self._opening: Sequence[tuple[str, str]] | None = None
        self._folders: dict[str, str] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._opening = None
        self._folders.clear()

    def nearest_first(self, path: str, scope: int) -> Iterator[AbstractSet[str]]:
        """Yield the namespaces that a scope of a file sees, the nearest first; those that are opened together."""
        facts, _ = self._source.facts(path)
        if facts is None:
            return
        parts = facts.scopes[scope].name.split(".") if scope >= 0 else []
        yield from (frozenset({".".join(parts[:number])}) for number in range(len(parts), 0, -1))
        yield frozenset({""})
        around = frozenset(facts.outwards(scope))
        opened = (imported.space for at, imported in facts.wildcards if at in around and imported.space)
        yield frozenset((*opened, *self.opened_by_project(path)))

    def opened_by_project(self, path: str) -> Sequence[str]:
        """Return the namespaces that are opened for all files of the project that a file belongs to."""
        if self._opening is None:
            self._opening = list(self._directives())
        return [space for folder, space in self._opening if self._is_within(path, folder)]

    def _directives(self) -> Iterator[tuple[str, str]]:
        """Yield the namespaces that projects open, each with the folder for whose files."""
        project = self._source.project
        for file in sorted(project.spelling("global")):
            if file.endswith(".cs"):
                found = _GLOBAL_USING.findall(project.text(file))
                yield from ((self._folder(file), one.decode("utf-8", "replace")) for one in found)
        for file in sorted(project.spelling("Using")):
            if file.endswith(_BUILD_FILES):
                found = _ITEM.findall(project.text(file))
                yield from ((file.rpartition("/")[0], one.decode("utf-8", "replace")) for one in found)

    def _is_within(self, path: str, folder: str) -> bool:
        return not folder or f"{self._folder(path)}/".startswith(f"{folder}/")

    def _folder(self, path: str) -> str:
        """Return the folder of the project that a file belongs to: the nearest above that holds one, else the tree."""
        own = folder = path.rpartition("/")[0]
        if own not in self._folders:
            while folder and not self._holds_project(folder):
                folder = folder.rpartition("/")[0]
            self._folders[own] = folder
        return self._folders[own]

    def _holds_project(self, folder: str) -> bool:
        inside = self._source.project.paths.inside(folder)
        return any(one.endswith(_PROJECT) and one.rpartition("/")[0] == folder for one in inside)
