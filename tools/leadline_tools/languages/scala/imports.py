"""Imports and packages of Scala: what an import takes, which packages a file is in, where packages lie.

A *package clause* may stand in others or behind them: the names of all together are that of the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import AROUND, PACKAGE, Imported, Paths
from leadline_tools.languages.scala.outline import select_children

_SOURCES = (".scala", ".java")


def read_import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b.C, d._`` and ``import a.{B, C => D, *}``."""
    path: list[str] = []
    for child in (*node.children[1:], None):
        if child is None or child.type == ",":
            if len(path) > 1:
                yield Imported(".".join(path[:-1]), path[-1], path[-1])
            path = []
        elif child.type == "identifier":
            path.append(text(child))
        elif child.type != ".":
            selectors = child.named_children if child.type == "namespace_selectors" else (child,)
            yield from (_read_selector(".".join(path), selector) for selector in selectors)
            path = []


def _read_selector(module: str, selector: Node) -> Imported:
    if selector.type == "namespace_wildcard":
        return Imported(module, "*", "")
    name = text(selector.child_by_field_name("name")) or text(selector)
    return Imported(module, name, text(selector.child_by_field_name("alias")) or name)


def name_package(name: Node) -> str:
    """Return the whole name of the package of a clause, which may stand in others or behind them.

    https://scala-lang.org/files/archive/spec/2.13/09-top-level-definitions.html#packagings
    """
    parts = [text(part) for part in name.named_children]
    clause = name.parent
    while clause is not None:
        before = clause.prev_named_sibling
        while before is not None and not (before.type == "package_clause" and _has_no_body(before)):
            before = before.prev_named_sibling
        around = clause.parent if before is None else before
        while around is not None and around.type != "package_clause":
            around = around.parent
        clause = around
        if clause is not None:
            named = clause.child_by_field_name("name")
            parts = [*(text(part) for part in (named.named_children if named is not None else ())), *parts]
    return ".".join(parts)


def name_package_of_object(name: Node) -> str:
    """Return the whole name of the package whose object a package object is.

    https://scala-lang.org/files/archive/spec/2.13/09-top-level-definitions.html#package-objects
    """
    return ".".join(filter(None, (name_package(name), text(name))))


def _has_no_body(node: Node) -> bool:
    return node.child_by_field_name("body") is None


def read_packages(root: Node) -> Iterator[Imported]:
    """Yield the packages that a file says it is in, or has the object of, the outermost first.

    A clause without a body that another one follows says where the next package is, and declares nothing.
    """
    clauses = select_children("package_clause", "package_object")(root)
    for clause, following in zip_longest(clauses, clauses[1:]):
        name = clause.child_by_field_name("name")
        if name is not None:
            package = name_package_of_object(name) if clause.type == "package_object" else name_package(name)
            chained = following is not None and following.type == "package_clause" and _has_no_body(following)
            around = AROUND if chained and _has_no_body(clause) else ""
            yield Imported(package, "", PACKAGE, exports=True, space=around)


def list_possible_packages(module: str, packages: Sequence[str]) -> Sequence[str]:
    """Return the packages that a name may mean: one in those around it, or one from the root."""
    plain = module.removeprefix("_root_.")
    return [*(f"{package}.{plain}" for package in packages if plain == module), plain]


def locate_package(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files in the folder of a package, seen from the importer's or the root; a name may be an object."""
    tail = module.replace(".", "/")
    beside = importer.rpartition("/")[0]
    for folder in (f"{beside}/{tail}", tail):
        found = [path for path in paths.inside(folder) if path.endswith(_SOURCES)]
        if found:
            return found
    return () if "." in module else None


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package; a script is in none."""
    folder = path.rpartition("/")[0]
    if not path.endswith(_SOURCES):
        return ()
    return [
        other
        for other in paths.inside(folder)
        if other != path and other.rpartition("/")[0] == folder and other.endswith(_SOURCES)
    ]
