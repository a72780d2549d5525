"""Imports of Swift, and the folders of modules.

The build decides which files make up a module: here the files of one folder do, and those of a target of a package or
of a project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import commonprefix, join, normpath

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.languages.swift.outline import children_of

_IMPORTED = ("class", "struct", "enum", "protocol", "func", "let", "var", "typealias")


def read_import(node: Node) -> Iterator[Imported]:
    """Read ``import A`` and ``import struct A.B``; one that is exported is seen by files that import the module."""
    exported = any("@_exported" in text(one) for one in children_of("modifiers")(node))
    for path in children_of("identifier")(node):
        module, _, name = text(path).rpartition(".")
        if module and children_of(*_IMPORTED)(node):
            yield Imported(module, name, name)
        else:
            yield Imported(text(path), "*", "")
            if exported:
                yield Imported(text(path), "*", "", exports=True)


_SOURCES = ("Sources", "Source", "src", "srcs", "Tests", "Plugins")
"""The folders in which the package manager looks for the folder of a target that says no path."""

_DOCUMENTATION = ".docc/"
"""What the folder of a catalogue of documentation ends with, whose sources are examples that are not compiled together.

https://www.swift.org/documentation/docc/documenting-a-swift-framework-or-package
"""

_MANIFEST = "Package.swift"

_TARGET = re.compile(
    rb"\.(?:target|executableTarget|testTarget|macro|plugin|systemLibrary)\(\s*+name:\s*+\"(?P<name>[^\"\n]+)\""
    rb"(?P<rest>(?:(?!\.(?:target|executableTarget|testTarget|macro|plugin)\(\s*+name:\s*+\"[^\"\n]+\"\s*+,)[^\0])*)"
)
_PATH = re.compile(rb"\bpath:\s*+\"(?P<path>[^\"\n]*+)\"")


def locate_module(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a target of a package, in its folder and below; any other module may be anywhere."""
    folders = [folder for name, folder in _targets(paths) if name == module]
    folders = folders or [folder for root in _SOURCES for folder in paths.folders_with(f"{root}/{module}", (".swift",))]
    folders.sort(key=lambda folder: -len(commonprefix((folder.split("/"), importer.split("/")))))
    return _swift_files(paths, folders) or None


def list_module_files(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the folder, and of the target around it with all its folders.

    A target is a folder of a package, or one beside the project file of Xcode.
    https://docs.swift.org/package-manager/PackageDescription/PackageDescription.html#target
    """
    if _DOCUMENTATION in path:
        return ()
    folder = path.rpartition("/")[0]
    near = [one for one in paths.inside(folder) if one.rpartition("/")[0] == folder and one.endswith(".swift")]
    target = _target_around(path, paths)
    found = dict.fromkeys((*near, *(_swift_files(paths, [target]) if target else ())))
    return [other for other in found if other != path]


def _target_around(path: str, paths: Paths) -> str:
    """Return the folder of the target that a file is part of; empty where its path does not tell one."""
    told = [folder for _, folder in _targets(paths) if path.startswith(f"{folder}/")]
    if told:
        return max(told, key=len)
    segments = path.split("/")[:-1]
    for number, segment in reversed(list(enumerate(segments[:-1]))):
        if segment in ("Sources", "Tests"):
            return "/".join(segments[: number + 2])
    projects = {one.rpartition("/")[0].rpartition("/")[0] for one in paths.ending("project.pbxproj")}
    for number in range(len(segments) - 1, -1, -1):
        if "/".join(segments[:number]) in projects:
            return "/".join(segments[: number + 1])
    return ""


def _swift_files(paths: Paths, folders: Sequence[str]) -> list[str]:
    files = (path for folder in folders for path in paths.below(folder) if path.endswith(".swift"))
    return [path for path in files if _DOCUMENTATION not in path]


def _targets(paths: Paths) -> Iterator[tuple[str, str]]:
    """Yield the targets that the manifests of packages give a path, with the folder of each."""
    for manifest in paths.ending(_MANIFEST):
        root = manifest.rpartition("/")[0]
        for name, path in paths.manifest(manifest, read_targets) or ():
            yield name, normpath(join(root, path))


def read_targets(manifest: bytes) -> Sequence[tuple[str, str]]:
    """Return the targets of a manifest that say where they are, each with that path."""
    said = ((target, _PATH.search(target["rest"])) for target in _TARGET.finditer(manifest))
    return [
        (target["name"].decode("utf-8", "replace"), path["path"].decode("utf-8", "replace"))
        for target, path in said
        if path is not None
    ]
