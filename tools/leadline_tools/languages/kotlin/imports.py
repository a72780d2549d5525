"""Imports of Kotlin, and the folders of packages.

A *source set* is a folder of sources that are compiled together: ``src/main/kotlin``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.kotlin.outline import has_token, list_name
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.rules.imports import PACKAGE, Imported, Paths
from leadline_tools.lazy_regex import lazy_compile

DEFAULT_PACKAGES = frozenset(
    "kotlin kotlin.annotation kotlin.collections kotlin.comparisons kotlin.io kotlin.jvm kotlin.ranges kotlin.sequences"
    " kotlin.text".split()
)
"""What every file imports: https://kotlinlang.org/docs/packages.html#default-imports."""

_SOURCES = (".kt", ".java")

_SOURCE_SET = re.compile(r"(?P<sets>(?:.*/)?src/)[^/]+/kotlin/(?P<package>.+)")
"""Where a package lies below https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html."""


_FACADE = lazy_compile(rb"@file:\s*(?:\[[^\]\n]*?)?(?:kotlin\.jvm\.)?JvmName\(\s*(?:name\s*=\s*)?\"(\w+)\"")


def name_facade(path: str, content: bytes) -> str:
    """Return the class that the platform makes of what a file declares outside of types.

    https://kotlinlang.org/docs/java-to-kotlin-interop.html#package-level-functions
    """
    said = _FACADE.search(content)
    if said is not None:
        return said[1].decode("utf-8", "replace")
    stem = re.sub(r"\W", "_", path.rpartition("/")[2].removesuffix(".kt"))
    return f"{stem[:1].upper()}{stem[1:]}Kt"


def read_import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b.C``, ``import a.b.C as D`` and ``import a.b.*``."""
    for path in children_of_type("qualified_identifier")(node):
        if has_token(node, "*"):
            yield Imported(text(path), "*", "")
        else:
            module, _, name = text(path).rpartition(".")
            yield Imported(module, name, text(next(iter(list_name(node)), None)) or name)


def read_package(root: Node) -> Iterator[Imported]:
    """Yield the package that a file says it is in: its folders need not be called so.

    https://kotlinlang.org/docs/coding-conventions.html#directory-structure
    """
    for header in children_of_type("package_header")(root):
        yield from (
            Imported(join_name(name), "", PACKAGE, exports=True)
            for name in children_of_type("qualified_identifier")(header)
        )


def join_name(name: Node) -> str:
    """Return a dotted name without spaces and comments."""
    return ".".join(text(part) for part in name.named_children if part.type == "identifier")


def locate_package(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return the files in the folder of a package."""
    return [path for path in paths.inside(module.replace(".", "/")) if path.endswith(_SOURCES)]


def list_package_files(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package, those of other source sets too; a script is in none."""
    folder = path.rpartition("/")[0]
    if not path.endswith(_SOURCES):
        return ()
    own = _SOURCE_SET.fullmatch(folder)
    package = own["package"] if own is not None else folder
    found = []
    for other in paths.inside(package):
        there = other.rpartition("/")[0]
        its = _SOURCE_SET.fullmatch(there) if own is not None else None
        same = its is not None and own is not None and its.group("sets", "package") == own.group("sets", "package")
        if other != path and (there == folder or same) and other.endswith(_SOURCES):
            found.append(other)
    return found
