"""Imports and packages of Java: where a package lies, and which files belong to it.

A *source set* is a folder such as ``src/main/java``, below which the folders spell packages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.lazy_regex import lazy_compile

_SOURCE_SET = lazy_compile(r"(?P<sets>(?:.*/)?src/)[^/]+/java/(?P<package>.+)")
"""Where a package lies below https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html."""

_SOURCE_ROOT = lazy_compile(r"(.*/)?src/[^/]+/java")
"""A folder that no package spells, though it is named like one."""


def read_import(node: Node) -> Iterator[Imported]:
    """Read an import declaration: a type of a package, a static member of a type, or all of either."""
    path = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    written = "".join(text(path).split())
    if any(child.type == "asterisk" for child in node.named_children):
        yield Imported(written, "*", "")
        return
    package, _, name = written.rpartition(".")
    if package:
        yield Imported(package, name, name)


def locate_package(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return the files of a package: those in the folders that its name spells below any root of sources."""
    inside = paths.inside(module.replace(".", "/")) if module else ()
    return [
        path for path in inside if path.endswith(".java") and _SOURCE_ROOT.fullmatch(path.rpartition("/")[0]) is None
    ]


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package, those of the other source sets of a Maven module too."""
    folder = path.rpartition("/")[0]
    found = [file for file in paths.inside(folder) if file.rpartition("/")[0] == folder]
    if (here := _SOURCE_SET.fullmatch(folder)) is not None:
        for file in paths.inside(here["package"]):
            there = _SOURCE_SET.fullmatch(file.rpartition("/")[0])
            if there is not None and there["sets"] == here["sets"] and file not in found:
                found.append(file)
    return [file for file in found if file != path and file.endswith(".java")]
