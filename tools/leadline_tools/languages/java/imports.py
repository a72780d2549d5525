"""Imports and packages of Java: where a package lies, and which files belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.rules.imports import PACKAGE, Imported, Paths
from leadline_tools.lazy_regex import lazy_compile

_SOURCE_ROOT = lazy_compile(r"(.*/)?src/[^/]+/java")
"""A folder that no package spells, though it is named like one: below it lie the packages of a source set of Maven.
https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html"""


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


def read_package(root: Node) -> Iterator[Imported]:
    """Yield the package that a file says it is in: below another root of sources it has other files."""
    for clause in children_of_type("package_declaration")(root):
        names = [child for child in clause.named_children if child.type in ("scoped_identifier", "identifier")]
        yield from (Imported("".join(text(name).split()), "", PACKAGE, exports=True) for name in names)


def locate_package(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return the files of a package: those in the folders that its name spells below any root of sources."""
    inside = paths.inside(module.replace(".", "/")) if module else ()
    return [
        path for path in inside if path.endswith(".java") and _SOURCE_ROOT.fullmatch(path.rpartition("/")[0]) is None
    ]


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the folder: those of the package below other roots are found by its name."""
    folder = path.rpartition("/")[0]
    return [
        file
        for file in paths.inside(folder)
        if file.rpartition("/")[0] == folder and file != path and file.endswith(".java")
    ]
