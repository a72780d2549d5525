"""Imports of PHP: ``use``, includes, and the folders in which a namespace may lie."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.php.outline import spell_dotted
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.languages.terms import TOP

_SOURCE_ROOTS = ("src", "lib")


def read_use(node: Node) -> Iterator[Imported]:
    """Read the clauses of a ``use``, grouped or not, with or without ``as``."""
    prefix = next((spell_dotted(child) for child in node.named_children if child.type == "namespace_name"), "")
    group = node.child_by_field_name("body")
    for clause in (group or node).named_children:
        if clause.type != "namespace_use_clause" or not clause.named_children:
            continue
        path = ".".join(filter(None, (prefix, spell_dotted(clause.named_children[0]))))
        space, _, name = path.rpartition(".")
        alias = text(clause.child_by_field_name("alias")) or name
        yield Imported(space, name, alias, space=space)


def find_owner(name: Node) -> str:
    """Return the term for what is outside of all namespaces, of which the first part of a name in a ``use`` is one."""
    whole = name.parent
    clause = whole.parent if whole is not None else None
    if whole is None or clause is None or whole.type != "namespace_name" or name.prev_named_sibling is not None:
        return ""
    return "" if _is_in_group(whole) else TOP


def _is_in_group(node: Node) -> bool:
    """Return whether a node is in the braces of a ``use``, behind the namespace that all names in them are in."""
    around: Node | None = node
    while around is not None and around.type not in ("namespace_use_group", "namespace_use_declaration"):
        around = around.parent
    return around is not None and around.type == "namespace_use_group"


def read_include(node: Node) -> Iterator[Imported]:
    """Read ``require 'a.php'`` and ``require __DIR__ . '/a.php'``; any other path is known only when it runs."""
    path = node.named_children[0] if node.named_children else None
    here = ""
    if path is not None and path.type == "binary_expression":
        if text(path.child_by_field_name("left")) != "__DIR__":
            return
        here, path = ".", path.child_by_field_name("right")
    if path is not None and path.type in ("string", "encapsed_string") and path.named_child_count == 1:
        yield Imported(f"{here}{text(path.named_children[0])}", "*", "")


def locate_module(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of an include, or the files that may hold a namespace."""
    if "/" in module or module.endswith(".php"):
        return _locate_file(module, importer, paths)
    return _locate_namespace(module, paths) or None


def _locate_file(path: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of an include: beside the includer, from the root, or the only one that ends so."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))
    for form in (beside, posixpath.normpath(path)):
        if paths.exists(form):
            return (form,)
    found = paths.ending(path) if not path.startswith(".") else ()
    return found if len(found) == 1 else ()


def _locate_namespace(module: str, paths: Paths) -> Sequence[str]:
    """Return where a namespace may lie: folders are named like it. What is found there tells its namespace."""
    parts = module.split(".")
    folders = dict.fromkeys(("/".join(parts), parts[-1], parts[-1].lower(), *_SOURCE_ROOTS) if module else ())
    found = dict.fromkeys(path for folder in folders for path in paths.inside(folder) if path.endswith(".php"))
    return list(found)


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside: they mostly share the namespace, and tell it."""
    return [other for other in paths.inside(path.rpartition("/")[0]) if other.endswith(".php") and other != path]
