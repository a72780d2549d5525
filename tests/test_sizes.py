"""No module above 500 lines, no class above 25 methods, no function above 60 lines: what is larger can only shrink."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("server/leadline_server", "tools/leadline_tools", "estimators/leadline_estimators")

LINES, METHODS, STATEMENT_LINES = 500, 25, 60

LARGE_MODULES: dict[str, int] = {}
"""Modules that are larger still, and their lines."""

LARGE_CLASSES = {
    "leadline_server/call.py:Session": 26,
    "leadline_tools/index/facts/fact_builder.py:FactBuilder": 27,
    "leadline_tools/index/work/indexer.py:Indexer": 29,
    "leadline_tools/index/work/writer.py:Writer": 32,
}
"""Classes that have more methods still, and how many."""


def modules() -> Iterator[tuple[str, str]]:
    """Yield the modules of the packages and their sources."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file.relative_to((ROOT / package).parent).as_posix(), file.read_text(encoding="utf-8")


def large_modules() -> dict[str, int]:
    return {path: lines for path, source in modules() if (lines := source.count("\n")) > LINES}


def large_classes() -> dict[str, int]:
    found: dict[str, int] = {}
    for path, source in modules():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in node.body)
                if methods > METHODS:
                    found[f"{path}:{node.name}"] = methods
    return found


def test_no_function_is_long() -> None:
    long = [
        f"{path}:{node.lineno} {node.name}"
        for path, source in modules()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > STATEMENT_LINES
    ]
    assert not long


@pytest.mark.parametrize(("measure", "known"), [(large_modules, LARGE_MODULES), (large_classes, LARGE_CLASSES)])
def test_what_is_large_is_known_and_does_not_grow(measure: Callable[[], dict[str, int]], known: dict[str, int]) -> None:
    assert {name: size for name, size in measure().items() if size > known.get(name, 0)} == {}


@pytest.mark.parametrize(("measure", "known"), [(large_modules, LARGE_MODULES), (large_classes, LARGE_CLASSES)])
def test_what_has_become_small_is_no_exception_any_more(
    measure: Callable[[], dict[str, int]], known: dict[str, int]
) -> None:
    assert known.keys() <= measure().keys()
