"""No module above 500 lines, no class above 25 methods, no function above 60 lines, no large folder of the engine."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("server/leadline_server", "tools/leadline_tools", "estimators/leadline_estimators")

LINES, METHODS, STATEMENT_LINES = 500, 25, 60

ROOMS = ("leadline_tools/index/", "leadline_tools/resolve/")
"""Folders whose folders have at most ``MODULES`` modules each, apart from ``__init__``."""

MODULES = 12


def modules() -> Iterator[tuple[str, str]]:
    """Yield the modules of the packages and their sources."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file.relative_to((ROOT / package).parent).as_posix(), file.read_text(encoding="utf-8")


def nodes() -> Iterator[tuple[str, ast.AST]]:
    """Yield all that the modules say, with their paths."""
    for path, source in modules():
        yield from ((path, node) for node in ast.walk(ast.parse(source)))


def test_no_module_is_long() -> None:
    assert {path: lines for path, source in modules() if (lines := source.count("\n")) > LINES} == {}


def test_no_class_has_many_methods() -> None:
    methods = {
        f"{path}:{node.name}": sum(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in node.body)
        for path, node in nodes()
        if isinstance(node, ast.ClassDef)
    }
    assert {name: many for name, many in methods.items() if many > METHODS} == {}


def test_no_function_is_long() -> None:
    long = [
        f"{path}:{node.lineno} {node.name}"
        for path, node in nodes()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > STATEMENT_LINES
    ]
    assert not long


def test_no_folder_of_the_index_or_the_resolution_has_many_modules() -> None:
    folders = Counter(path.rpartition("/")[0] for path, _ in modules() if not path.endswith("/__init__.py"))
    rooms = {folder: many for folder, many in folders.items() if folder.startswith(ROOMS)}
    assert len(rooms) > len(ROOMS)
    assert {folder: many for folder, many in rooms.items() if many > MODULES} == {}
