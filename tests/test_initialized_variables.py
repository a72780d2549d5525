"""C++: ``T x(a * b);`` in a function is a variable where ``a`` is a value, and a function where it is a type."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

PRODUCTS = {
    "x.cpp": (
        "struct T { T(int); int v; };\n"
        "int a, b;\n"
        "void f(int width, int height) {\n"
        "  T x(a * b);\n"
        "  T y(width * height);\n"
        "  T z(width & height);\n"
        "  T g(T * b);\n"
        "  extern T e(Other * one);\n"
        "  use(x.v, y, z);\n"
        "}\n"
        "struct S {\n"
        "  int m;\n"
        "  void go(int n) {\n"
        "    T l(m * n);\n"
        "    auto c = [](int p) { T i(p * p); use(i); };\n"
        "  }\n"
        "};\n"
        "template <class U> void h(int n) { T l(U * n); }\n"
    )
}


@pytest.fixture
def products(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, PRODUCTS))


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        ("2:5", [2, 4]),
        ("2:8", [2, 4]),
        ("3:12", [3, 5, 6]),
        ("3:23", [3, 5, 6]),
        ("12:7", [12, 14]),
        ("13:15", [13, 14]),
        ("15:21", [15]),
        ("18:31", [18]),
        ("7:11", [7]),
    ],
    ids=str,
)
def test_an_operand_in_parentheses_is_no_parameter(products: Asking, place: str, lines: list[int]) -> None:
    text = products("find_references", symbol=f"x.cpp:{place}")
    found = [int(line.partition(":")[0]) for line in text.splitlines() if line.partition(":")[0].isdigit()]
    assert sorted(set(found)) == lines


def test_operands_that_are_the_same_variable_are_two_uses(products: Asking) -> None:
    assert "3 uses" in products("find_references", symbol="x.cpp:15:21")
