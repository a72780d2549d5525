"""Extension methods of Scala whose receiver is of a type from outside, which may have a member of that name."""

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
