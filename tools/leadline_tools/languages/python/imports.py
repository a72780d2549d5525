"""Imports of Python: what an import binds, and which file is a module.

A *form* is a path that a module may have: a file, or a package with ``__init__``. A *twin* is the stub of a module, or
the module of a stub.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.lazy_regex import lazy_compile

_ENDINGS: Final = (".py", ".pyi")


def read_import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b, c as d``: the first binds ``a``, the second ``d``."""
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            module = text(child.child_by_field_name("name"))
            yield Imported(module, "", text(child.child_by_field_name("alias")))
        else:
            first = text(child).partition(".")[0]
            yield Imported(first, "", first)


_IMPORTED_NAME = rb"[\w\x80-\xff]+(?:\s+as\s+[\w\x80-\xff]+)?"
_IMPORTED_NAMES = _IMPORTED_NAME + rb"(?:\s*,\s*" + _IMPORTED_NAME + rb")*"

_PLAIN_IMPORT: Final = lazy_compile(
    rb"from\s+([\w.\x80-\xff]+)\s+import\s*(?:\s(" + _IMPORTED_NAMES + rb")|\(\s*(" + _IMPORTED_NAMES + rb")\s*,?\s*\))"
)
"""An import without comments and continued lines."""


def read_import_from(node: Node) -> Sequence[Imported]:
    """Read ``from .a import b, c as d`` and ``from a import *``."""
    words = text(node).split(None, 3)
    listed = words[3] if len(words) == 4 and words[2] == "import" else "*"
    if listed[0] == "(" and listed[-1] == ")":
        listed = listed[1:-1]
    if _NOT_PLAIN.isdisjoint(listed):
        return _split_imported_names(words[1], listed)
    return list(_read_imported_names(node))


def read_future_import(node: Node) -> Sequence[Imported]:
    """Read ``from __future__ import a``, of which the grammar has no module."""
    return [Imported("__future__", text(name), text(name)) for name in node.children_by_field_name("name")]


_NOT_PLAIN: Final = frozenset("()*#\\;")
"""What the names of an import are among in whose text more than these has to be read."""


def _split_imported_names(module: str, listed: str) -> list[Imported]:
    """Read ``a, b as c``, which are names of a module."""
    found: list[Imported] = []
    for name in listed.split(","):
        words = name.split()
        if words:
            found.append(new_tuple(Imported, (module, words[0], words[-1], False, "")))
    return found


_INDENTED_IMPORT: Final = lazy_compile(rb"[ \t]+(?:import[ \t]+([\w., \t\x80-\xff]+)|(?=from[ \t]))")


def read_indented_imports(content: bytes) -> Iterator[Imported]:
    """Read the imports that are indented, by their text: those of functions."""
    at = content.find(b"import ")
    while at >= 0:
        begin = content.rfind(b"\n", 0, at) + 1
        line = _INDENTED_IMPORT.match(content, begin) if begin < at else None
        if line is not None and line[1] is not None:
            yield from _split_imported_modules(line[1].decode("utf-8", "replace"))
        elif line is not None and (plain := _PLAIN_IMPORT.match(content, line.end())) is not None:
            module, bare, enclosed = plain.groups()
            yield from _split_imported_names(
                module.decode("utf-8", "replace"), (bare or enclosed).decode("utf-8", "replace")
            )
        at = content.find(b"import ", at + 7)


def _split_imported_modules(listed: str) -> Iterator[Imported]:
    """Read ``a.b, c as d`` behind ``import``."""
    for words in filter(None, (part.split() for part in listed.split(","))):
        first = words[0].partition(".")[0]
        yield Imported(words[0], "", words[-1]) if len(words) > 1 else Imported(first, "", first)


def _read_imported_names(node: Node) -> Iterator[Imported]:
    module = text(node.child_by_field_name("module_name")).replace(" ", "")
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Imported(module, "*", "")
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name = text(child.child_by_field_name("name"))
            yield Imported(module, name, text(child.child_by_field_name("alias")))
        else:
            yield Imported(module, text(child), text(child))


def find_module_part(name: Node) -> str:
    """Return the module of which a name in an import is the last part; empty for a name that a module has."""
    dotted = name.parent
    around = dotted.parent if dotted is not None and dotted.type == "dotted_name" else None
    if dotted is None or around is None:
        return ""
    statement = around.parent if around.type in ("relative_import", "aliased_import") else around
    if statement is None:
        return ""
    if statement.type != "import_statement" and dotted in statement.children_by_field_name("name"):
        return ""
    if statement.type == "import_from_statement" and around.type == "aliased_import":
        return ""
    begin = around.start_byte if around.type == "relative_import" else dotted.start_byte
    written = text(around if around.type == "relative_import" else dotted)
    return written.encode()[: name.end_byte - begin].decode("utf-8", "replace").replace(" ", "")


def locate_module(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a module; relative ones from the importer's package, absolute ones from any source root."""
    stem = module.lstrip(".")
    up = len(module) - len(stem)
    tail = stem.replace(".", "/")
    if up:
        folder = importer.split("/")[:-up]
        base = "/".join((*folder, tail)) if tail else "/".join(folder)
        found = [path for path in _list_forms(base) if paths.exists(path)]
        return found[:1]
    beside = importer[: importer.rfind("/") + 1]
    near = (f"{folder}{form}" for folder in ("", beside) for form in _list_forms(tail) if _is_root(folder, paths))
    anywhere = (
        path for form in _list_forms(tail) for path in paths.ending(form) if _is_root(path[: -len(form)], paths)
    )
    return tuple(islice(chain(filter(paths.exists, near), anywhere), 1))


def find_namespace(module: str, importer: str, paths: Paths) -> str:
    """Return the folder of a package without ``__init__``; empty where a module of the language has the name.

    https://peps.python.org/pep-0420/
    """
    stem = module.lstrip(".")
    tail = stem.replace(".", "/")
    if up := len(module) - len(stem):
        folder = "/".join(filter(None, (*importer.split("/")[:-up], tail)))
        return folder if folder and folder in paths.folders_with(folder, _ENDINGS) else ""
    if not tail or stem.partition(".")[0] in sys.stdlib_module_names:
        return ""
    beside = importer[: importer.rfind("/") + 1]
    found = [one for one in paths.folders_with(tail, _ENDINGS) if _is_root(one[: -len(tail)], paths)]
    return next((near for near in (tail, f"{beside}{tail}") if near in found), found[0] if found else "")


def find_twin(path: str) -> str:
    """Return the stub beside a module, or the module beside a stub."""
    return path[:-1] if path.endswith(".pyi") else f"{path}i" if path.endswith(".py") else ""


def outermost_modules(paths: Iterable[str]) -> frozenset[str]:
    """Return the names of the modules and packages that are in no package: an import finds them before the library's.

    https://docs.python.org/3/library/sys_path_init.html
    """
    files = [path for path in paths if path.endswith(".py")]
    packages = {path.rpartition("/")[0] for path in files if f"/{path}".endswith("/__init__.py")}
    places = (place.rpartition("/") for place in {*packages, *(path.removesuffix(".py") for path in files)} - {""})
    return frozenset(name for folder, _, name in places if folder not in packages)


def _is_root(folder: str, paths: Paths) -> bool:
    """Return whether modules may be imported from a folder, which ends with a slash: not if it is a package itself."""
    return not folder or not paths.exists(f"{folder}__init__.py")


def _list_forms(base: str) -> Iterable[str]:
    slash = f"{base}/" if base else ""
    return (f"{slash}__init__.py", f"{base}.py", f"{slash}__init__.pyi", f"{base}.pyi")
