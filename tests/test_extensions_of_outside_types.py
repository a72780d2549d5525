"""Extension methods of Scala: whose receiver is of a type from outside, or which are called like a parameter."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

CODE = (
    "package a\n\n"
    "type Mapper[A] = A => A\n"
    "object Mapper { extension [A](m: Mapper[A]) def toOption: Option[A] = None }\n"
    "extension (text: String) def shout: String = text\n"
    "object Use {\n"
    "  def one(e: Either[String, Int]) = e.toOption\n"
    "  def two(xs: List[Int]) = xs.shout\n"
    "}\n"
)


def test_an_extension_does_not_take_the_place_of_a_member_of_a_type_from_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"A.scala": CODE}))
    for symbol in ("A.scala:7:39", "A.scala:8:31"):
        assert "1 candidate" in ask("go_to_definition", symbol=symbol)


def test_a_named_argument_of_an_object_that_is_called_is_a_parameter_of_its_apply(tmp_path: Path, opened: Open) -> None:
    code = (
        "object Castles {\n"
        "  extension (c: Long) def side: Boolean = c > 0\n"
        "  def apply(side: Boolean): Long = 1L\n"
        "}\n"
        "object Use { val one = Castles(side = true) }\n"
    )
    ask = opened(write(tmp_path, {"A.scala": code}))
    assert "A.scala:3:13" in ask("go_to_definition", symbol="A.scala:5:32")
    assert "5: object Use" not in ask("find_references", symbol="A.scala:2:27")
    assert "5: object Use { val one = Castles(side = true) }  [likely]" in ask("find_references", symbol="A.scala:3:13")
