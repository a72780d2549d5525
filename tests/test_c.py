"""What is shown of C and C++, and in which language a file is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

HEADS = {
    "typedef struct {\n  int x;\n} Point;\n": ("3 typedef struct Point", "2 int x"),
    "typedef struct node { int x; } node_t;\n": ("1 struct node", "1 typedef struct node node_t"),
    "struct S { int y : 3, *z; } gs;\n": ("1 struct S", "1 int y : 3", "1 int *z", "1 struct S gs"),
    "struct T { union { int a; } u; };\n": ("1 union u",),
    "static int first, second = 2;\n": ("1 static int first", "1 static int second = 2"),
    "int a = f(1, 2), b[3];\n": ("1 int a = f(1, 2)", "1 int b[3]"),
    "void (*hook)(int, int), *other(void);\n": ("1 void (*hook)(int, int)", "1 void *other(void)"),
}


@pytest.mark.parametrize("source", HEADS)
def test_an_outline_shows_the_name_of_everything_that_a_declaration_declares(
    source: str, tmp_path: Path, opened: Open
) -> None:
    for path in ("a.c", "a.cpp"):
        lines = opened(write(tmp_path / path, {path: source}))("document_symbols", path=path).splitlines()
        assert set(HEADS[source]) <= {line.strip() for line in lines}


def test_a_type_definition_is_of_the_kind_of_its_type(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.c": "typedef struct { int x; } Point;\ntypedef enum { RED } Color;\n"}))
    assert "1 symbol" in ask("symbol_search", query="Point", kind="Struct")
    assert "1 symbol" in ask("symbol_search", query="Color", kind="Enum")
