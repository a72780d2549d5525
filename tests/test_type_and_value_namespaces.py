"""Names of Scala: types and values in one scope, each of which has a namespace of its own; packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

CODE = (
    "trait Monoid[A] { def empty: A; def add(x: A, y: A): A }\n"
    "object Uses {\n"
    "  def fold[B](xs: List[B])(implicit B: Monoid[B]): B =\n"
    "    xs.foldLeft(B.empty)((a: B, b: B) => B.add(a, b))\n"
    "}\n"
    "class Holder[F](F: Monoid[F]) {\n"
    "  def one: F = F.empty\n"
    "}\n"
)


@pytest.fixture
def scala(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"A.scala": CODE}))


@pytest.mark.parametrize(
    ("symbol", "uses"),
    [
        ("A.scala:3:12", "exact 6"),
        ("A.scala:3:37", "exact 3"),
        ("A.scala:6:14", "exact 3"),
        ("A.scala:6:17", "exact 2"),
    ],
)
def test_a_type_parameter_and_a_parameter_of_one_name_have_uses_of_their_own(
    scala: Asking, symbol: str, uses: str
) -> None:
    assert uses in scala("find_references", symbol=symbol)


@pytest.mark.parametrize(
    ("symbol", "line"),
    [
        ("A.scala:3:12", "def fold[Kind](xs: List[Kind])(implicit B: Monoid[Kind]): Kind ="),
        ("A.scala:3:37", "def fold[B](xs: List[B])(implicit Kind: Monoid[B]): B ="),
        ("A.scala:4:42", "xs.foldLeft(Kind.empty)((a: B, b: B) => Kind.add(a, b))"),
        ("A.scala:6:14", "class Holder[Kind](F: Monoid[Kind]) {"),
        ("A.scala:6:17", "class Holder[F](Kind: Monoid[F]) {"),
    ],
)
def test_a_rename_changes_the_type_parameter_or_the_parameter_alone(scala: Asking, symbol: str, line: str) -> None:
    assert line in scala("rename_symbol", symbol=symbol, new_name="Kind")


def test_a_class_that_is_called_like_a_package_is_no_package(tmp_path: Path, opened: Open) -> None:
    files = {
        "a/Tree.scala": (
            "package a\n\nclass Tree {\n  import Tree.Leaf\n  def grow: Leaf = Leaf(1)\n}\n"
            "object Tree {\n  case class Leaf(n: Int)\n}\n"
        ),
        "a/Wood.scala": "package a\n\nimport Tree.{Leaf => Blade}\n\nobject Wood { val one = Blade(2) }\n",
    }
    ask = opened(write(tmp_path, files))
    for symbol in ("a/Tree.scala:5:13", "a/Tree.scala:5:20", "a/Wood.scala:5:25"):
        assert "a/Tree.scala:8" in ask("go_to_definition", symbol=symbol)


def test_a_file_declares_in_the_innermost_of_its_packages_alone(tmp_path: Path, opened: Open) -> None:
    files = {
        "a/b/Eval.scala": "package a\npackage b\n\nobject Eval\nclass Deep\n",
        "a/b/c/Inner.scala": "package a\npackage b\npackage c\n\nclass Inner {\n  def deep: Deep = new Deep\n}\n",
        "a/Use.scala": "package a\n\nimport cats._\n\nclass Use {\n  def run(x: Eval[Int]): Int = 1\n}\n",
    }
    ask = opened(write(tmp_path, files))
    assert "a/b/Eval.scala:5" in ask("go_to_definition", symbol="a/b/c/Inner.scala:6:13")
    assert "1 candidate" in ask("go_to_definition", symbol="a/Use.scala:6:14")


def test_a_name_of_a_type_and_of_a_value_leads_to_the_one_that_is_named(tmp_path: Path, opened: Open) -> None:
    code = (
        "export interface Lost extends Error {}\nexport interface Make {\n  new (message: string): Lost;\n}\n"
        "export const Lost: Make = make();\nthrow new Lost('x');\n"
    )
    ask = opened(write(tmp_path, {"a.ts": code}))
    assert "Interface in a.ts:1" in ask("go_to_definition", symbol="a.ts:3:26")
    assert "in a.ts:5" in ask("go_to_definition", symbol="a.ts:6:11")
