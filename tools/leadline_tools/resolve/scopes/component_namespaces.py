"""Namespaces of components: no Razor file says in which one its class is, its folder and its project do.

https://learn.microsoft.com/aspnet/core/blazor/components/#component-name-class-name-and-namespace
https://learn.microsoft.com/aspnet/core/mvc/views/razor#namespace
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from leadline_tools.languages.rules.imports import Paths

_COMPONENT = ".razor"
_IMPORTS = "_Imports.razor"
_PROJECT = ".csproj"
_PROPERTIES = "Directory.Build.props"
_NAMESPACE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*@namespace[ \t]+(?P<name>[\w.]+)", re.MULTILINE)
_ROOT = re.compile(rb"<RootNamespace\b[^>]*>\s*(?P<name>[^<]*?)\s*</RootNamespace>")
_PROJECT_NAME = re.compile(r"\$\(MSBuildProjectName(?:\.Replace\([^()]*\))?\)")


def is_component(path: str) -> bool:
    """Return whether a file is a component: a class that is called like the file."""
    return path.endswith(_COMPONENT)


class _Texts(Protocol):
    """The files of a code base."""

    @property
    def paths(self) -> Paths:
        """Return the paths of all."""
        ...

    def text(self, path: str) -> bytes:
        """Return the content of one."""
        ...


class ComponentNamespaces:
    """Knows in which namespaces the classes of Razor files are."""

    def __init__(self, texts: _Texts) -> None:
        self._texts = texts
        self._known: dict[str, str | None] = {}
        self._parts: frozenset[str] | None = None

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._known.clear()
        self._parts = None

    def of(self, path: str) -> str | None:
        """Return the namespace of the class that a Razor file is; None for any other file, and where it is unknown."""
        if not is_component(path):
            return None
        if path not in self._known:
            self._known[path] = self._find(path)
        return self._known[path]

    def around(self, path: str) -> list[str]:
        """Return the namespaces around the class of a Razor file, innermost first; none of any other file."""
        parts = (self.of(path) or "").split(".")
        return [".".join(parts[:number]) for number in range(len(parts), 0, -1) if parts[0]]

    def name_in(self, path: str, name: str, of: str) -> str:
        """Return how a file has what the file ``of`` has under a dotted name: the latter may be in no namespace there.

        It is empty for what is in another namespace.
        """
        if not is_component(path) and not is_component(of):
            return name
        full = ".".join(filter(None, (self.of(of), name)))
        space = self.of(path)
        return full.removeprefix(f"{space}.") if not space or full.startswith(f"{space}.") else ""

    def space_in(self, path: str, space: str) -> str | None:
        """Return how a file has a namespace; None where it declares nothing in that.

        Of several components of one name whose namespaces are unknown, none is known to be meant.
        """
        if not is_component(path):
            return space
        own = self.of(path)
        if own is None:
            alike = self._texts.paths.ending(path.rpartition("/")[2])
            return space if len(alike) == 1 else None
        return "" if space == own else space.removeprefix(f"{own}.") if space.startswith(f"{own}.") else None

    def is_part_of_namespace(self, name: str) -> bool:
        """Return whether the namespace of a component has a part with a name: no declaration may say so."""
        if self._parts is None:
            components = filter(is_component, self._texts.paths.below(""))
            self._parts = frozenset(part for path in components for part in (self.of(path) or "").split("."))
        return name in self._parts

    def _find(self, path: str) -> str | None:
        said = self._say(path)
        if said:
            return said
        folder = path.rpartition("/")[0]
        for above in _folders_above(folder):
            imports = f"{above}/{_IMPORTS}" if above else _IMPORTS
            said = self._say(imports) if self._texts.paths.exists(imports) else ""
            if said:
                return _join(said, folder, above)
        for above in _folders_above(folder):
            projects = [one for one in self._inside(above) if one.endswith(_PROJECT)]
            if projects:
                root = self._root(projects[0], above) if len(projects) == 1 else ""
                return _join(root, folder, above) if root else None
        return None

    def _say(self, path: str) -> str:
        """Return the namespace that the directive of a file gives."""
        found = _NAMESPACE.search(self._texts.text(path))
        return found["name"].decode("utf-8", "replace") if found is not None else ""

    def _root(self, project: str, folder: str) -> str:
        """Return the namespace of what is in the folder of a project; empty where it is computed in another way."""
        name = project.rpartition("/")[2].removesuffix(_PROJECT)
        above = (f"{one}/{_PROPERTIES}" if one else _PROPERTIES for one in _folders_above(folder))
        nearest = next(filter(self._texts.paths.exists, above), "")
        for path in filter(None, (project, nearest)):
            found = _ROOT.search(self._texts.text(path))
            if found is not None:
                name = _PROJECT_NAME.sub(name, found["name"].decode("utf-8", "replace"))
                break
        return "" if "$" in name or not name else ".".join(map(_as_identifier, name.split(".")))

    def _inside(self, folder: str) -> Iterator[str]:
        return (path for path in self._texts.paths.inside(folder) if path.rpartition("/")[0] == folder)


def _folders_above(folder: str) -> Iterator[str]:
    """Yield a folder and those above it, the nearest first; the root is empty."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _join(space: str, folder: str, above: str) -> str:
    """Return the namespace of a folder, given that of one above it."""
    below = folder.removeprefix(above).strip("/")
    return ".".join((space, *map(_as_identifier, below.split("/")))) if below else space


def _as_identifier(name: str) -> str:
    """Return a name with what no identifier has replaced."""
    replaced = re.sub(r"\W", "_", name)
    return replaced if not replaced[:1].isdigit() else f"_{replaced}"
