"""Namespaces of C# that a file sees: those around a place, and those that it or its project opens.

A project also names types for all its files, and opens types whose static members they see. So does a file of imports
for the Razor files of its folder and those below.

https://learn.microsoft.com/aspnet/core/mvc/views/layout#importing-shared-directives
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/namespaces#1464-global-using-namespace-directives
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from leadline_tools.languages.rules.imports import WILDCARD, Imported
from leadline_tools.resolve.project.code_base import FactSource
from leadline_tools.resolve.scopes.component_namespaces import ComponentNamespaces
from leadline_tools.resolve.scopes.namespaces import opened_namespaces

_GLOBAL_USING = re.compile(
    rb"^[ \t]*global\s+using\s+(?P<static>static\s+)?(?:(?P<alias>\w+)\s*=\s*)?(?:global::)?(?P<name>[\w.]+)\s*;",
    re.MULTILINE,
)
_ITEM = re.compile(
    rb"<Using\s+Include=\"(?P<name>[\w.]+)\"(?:\s+Static=\"(?P<static>[Tt]rue)\"|\s+Alias=\"(?P<alias>\w+)\")?\s*/?>"
)
_RAZOR_USING = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*@using\s+(?P<static>static\s+)?(?:(?P<alias>\w+)\s*=\s*)?(?:global::)?"
    rb"(?P<name>[\w.]+)[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_RAZOR_IMPORTS = {"_Imports.razor": ".razor", "_ViewImports.cshtml": ".cshtml"}
"""The files whose directives hold for others, and how the names of those end."""

_PROJECT = ".csproj"
_BUILD_FILES = (_PROJECT, ".props", ".targets")


class ProjectUsing(NamedTuple):
    """What a project imports for all its files.

    Args:
        folder: That of the project.
        path: The file that says it.
        imported: What is imported.
        ending: How the names of the files end that it holds for, those below the folder; empty for all of the project.

    """

    folder: str
    path: str
    imported: Imported
    ending: str = ""


class SeenNamespaces:
    """Knows the namespaces that files see."""

    def __init__(self, source: FactSource, components: ComponentNamespaces) -> None:
        self._source = source
        self._components = components
        self._usings: Sequence[ProjectUsing] | None = None
        self._folders: dict[str, str] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._usings = None
        self._folders.clear()

    def nearest_first(self, path: str, scope: int) -> Iterator[AbstractSet[str]]:
        """Yield the namespaces that a scope of a file sees, the nearest first; those that are opened together."""
        facts, _ = self._source.facts(path)
        if facts is None:
            return
        parts = facts.around(scope).split(".") if scope >= 0 else []
        yield from (frozenset({".".join(parts[:number])}) for number in range(len(parts), 0, -1))
        own = self._components.around(path)
        yield from (frozenset({space}) for space in own)
        yield frozenset({""})
        around = frozenset(facts.outwards(scope))
        spaces = [(at, imported.space) for at, imported in facts.wildcards if at in around and imported.space]
        opened = (one for at, space in spaces for one in opened_namespaces(facts, at, space))
        yield frozenset((*opened, *self.opened_by_project(path)))

    def named_by_project(self, path: str, spaces: Sequence[str]) -> Sequence[str]:
        """Return the namespaces of a scope, innermost first, with those that a file or its project adds.

        The class of a Razor file is in a namespace that the file does not say, and opens the others there.
        """
        own, *outer = self._components.around(path) or ("",)
        opened = self.opened_by_project(path)
        if not own:
            return list(dict.fromkeys((*spaces, *opened))) if opened else spaces
        return list(dict.fromkeys((own, *filter(None, spaces), *opened, *outer, "")))

    def opened_by_project(self, path: str) -> Sequence[str]:
        """Return the namespaces that are opened for all files of the project that a file belongs to."""
        return [one.imported.space for one in self.usings(path) if one.imported.name == WILDCARD and one.imported.space]

    def usings(self, path: str) -> Sequence[ProjectUsing]:
        """Return what is imported for all files of the project that a file belongs to."""
        if self._usings is None:
            self._usings = list(self._directives())
        return [one for one in self._usings if self._is_within(path, one)]

    def _directives(self) -> Iterator[ProjectUsing]:
        """Yield what projects import for all their files."""
        project = self._source.project
        for file in sorted(project.spelling("global")):
            if file.endswith(".cs"):
                found = _GLOBAL_USING.finditer(project.text(file))
                yield from (ProjectUsing(self._folder(file), file, _read_using(one)) for one in found)
        for file in sorted(project.spelling("Using")):
            if file.endswith(_BUILD_FILES):
                found = _ITEM.finditer(project.text(file))
                yield from (ProjectUsing(file.rpartition("/")[0], file, _read_using(one)) for one in found)
        for name, ending in _RAZOR_IMPORTS.items():
            for file in project.paths.ending(name):
                found = _RAZOR_USING.finditer(project.text(file))
                yield from (ProjectUsing(file.rpartition("/")[0], file, _read_using(one), ending) for one in found)

    def _is_within(self, path: str, using: ProjectUsing) -> bool:
        folder = using.folder
        if using.ending and not path.endswith(using.ending):
            return False
        own = path if using.ending else f"{self._folder(path)}/"
        return not folder or own.startswith(f"{folder}/")

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


def _read_using(found: re.Match[bytes]) -> Imported:
    """Return what a directive imports: a namespace, the static members of a type, or something under another name."""
    spelled, alias = ((found[group] or b"").decode("utf-8", "replace") for group in ("name", "alias"))
    if found["static"]:
        return Imported(spelled, WILDCARD, "")
    if not alias:
        return Imported(spelled, WILDCARD, "", space=spelled)
    space, _, name = spelled.rpartition(".")
    return Imported(space, name, alias, space=space)
