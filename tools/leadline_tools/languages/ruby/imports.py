"""Imports of Ruby: what ``require`` takes in, and where a module may lie."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.ruby.outline import list_arguments, name_method
from leadline_tools.languages.rules.imports import Imported, Paths

_REQUIRES = frozenset({"require", "require_relative", "load"})


def read_require(node: Node) -> Iterator[Imported]:
    """Read ``require "a"`` with a literal path; a relative one is given a leading dot."""
    method = name_method(node)
    arguments = list_arguments(node)
    if method not in _REQUIRES or len(arguments) != 1 or arguments[0].type != "string":
        return
    parts = arguments[0].named_children
    if len(parts) == 1 and parts[0].type == "string_content":
        path = text(parts[0]).removesuffix(".rb")
        yield Imported(f"./{path}" if method == "require_relative" else path, "*", "")


def locate_require(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a require: beside the file, or on what is most likely the load path."""
    if module.startswith("."):
        beside = posixpath.normpath(f"{posixpath.join(posixpath.dirname(importer), module)}.rb")
        return (beside,) if paths.exists(beside) else ()
    for form in (f"lib/{module}.rb", f"{module}.rb"):
        if paths.exists(form):
            return (form,)
        found = paths.ending(form)
        if len(found) == 1:
            return found
    return ()


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside, above and below: a module is mostly told by its folder, and each file tells its own."""
    folder, _, name = path.rpartition("/")
    folders = dict.fromkeys((folder, posixpath.dirname(folder), posixpath.join(folder, name.rpartition(".")[0])))
    found = [other for each in folders if each for other in paths.inside(each)]
    return [other for other in dict.fromkeys(found) if other.endswith(".rb") and other != path]
