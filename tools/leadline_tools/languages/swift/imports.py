"""Imports of Swift, and the folders of modules.

The build decides which files make up a module: here the files of one folder do, and those of the folder of a target of
a package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.languages.swift.outline import children_of

_IMPORTED = ("class", "struct", "enum", "protocol", "func", "let", "var", "typealias")


def read_import(node: Node) -> Iterator[Imported]:
    """Read ``import A`` and ``import struct A.B``."""
    for path in children_of("identifier")(node):
        module, _, name = text(path).rpartition(".")
        if module and children_of(*_IMPORTED)(node):
            yield Imported(module, name, name)
        else:
            yield Imported(text(path), "*", "")


def locate_module(module: str, _importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a module of a package; any other may be anywhere."""
    found = [path for path in paths.inside(f"Sources/{module}") if path.endswith(".swift")]
    return found or None


_TARGET = re.compile(r"(.*/)?(?:Sources|Tests)/[^/]+")


def list_module_files(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the folder, and of the folder of the target of a package around it."""
    folder = path.rpartition("/")[0]
    target = _TARGET.match(folder)
    folders = dict.fromkeys((folder, target[0] if target is not None else folder))
    found = [other for each in folders for other in paths.inside(each) if other.rpartition("/")[0] == each]
    return [other for other in found if other != path and other.endswith(".swift")]
