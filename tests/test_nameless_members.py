"""Members of types without a name: what they declare in the place of a member of their base, and of no other type."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import Asking, Open, write

SOURCES: Mapping[str, str] = {
    "a.java": (
        "interface Closeable { void close(); }\n"
        "class Socket implements Closeable { public void close() {} }\n"
        "class Make {\n"
        "    Closeable make() { return new Closeable() { public void close() {} }; }\n"
        "    void use(Closeable c) { c.close(); }\n"
        "}\n"
    ),
    "a.kt": (
        "interface Closeable { fun close() }\n"
        "class Socket : Closeable { override fun close() {} }\n\n"
        "fun make(): Closeable = object : Closeable { override fun close() {} }\n"
        "fun use(c: Closeable) { c.close() }\n"
    ),
    "a.php": (
        "<?php interface Closeable { public function close(): void; }\n"
        "class Socket implements Closeable { public function close(): void {} }\n\n"
        "function make() { return new class implements Closeable { public function close(): void {} }; }\n"
        "function take(Closeable $c): void { $c->close(); }\n"
    ),
    "a.scala": (
        "trait Closeable { def close(): Unit }\n"
        "class Socket extends Closeable { def close(): Unit = () }\n"
        "object Make {\n"
        "  def make(): Closeable = new Closeable { def close(): Unit = () }\n"
        "  def use(c: Closeable): Unit = c.close()\n"
        "}\n"
    ),
    "a.ts": (
        "export abstract class Closeable { abstract close(): void; }\n"
        "export class Socket extends Closeable { close(): void {} }\n\n"
        "export function make(): Closeable { return new (class extends Closeable { close(): void {} })(); }\n"
        "export function use(c: Closeable) { c.close(); }\n"
    ),
    "a.js": (
        "export class Closeable { close() {} }\n"
        "export class Socket extends Closeable { close() {} }\n\n"
        "export const make = () => new (class extends Closeable { close() {} })();\n"
        "export function use() { const c = new Closeable(); c.close(); }\n"
    ),
}
"""Sources in which a base and a subtype have a method, and a type without a name has it on line 4."""


@pytest.fixture(params=list(SOURCES))
def asking(request: pytest.FixtureRequest, tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {request.param: SOURCES[request.param]}))


def test_what_a_type_without_a_name_declares_overrides_a_member_of_its_base(asking: Asking) -> None:
    text = asking("find_references", symbol="Closeable.close")
    assert "2 references, complete" in text
    assert "(unnamed type).close a" in text.partition("overridden, not counted: ")[2].splitlines()[0]
    found = asking("find_implementations", symbol="Closeable.close")
    assert "1 anonymous or external" in found
    assert "\n4: " in found.partition("anonymous or external: a")[2]


def test_what_a_type_without_a_name_declares_is_no_member_of_another_subtype(asking: Asking) -> None:
    text = asking("find_references", symbol="Socket.close")
    assert "1 reference, complete" in text
    assert "another symbol 3" in text


def test_a_member_is_renamed_together_with_that_of_a_type_without_a_name(asking: Asking) -> None:
    text = asking("rename_symbol", symbol="Closeable.close", new_name="shut")
    assert "4 edits in 1 file" in text
    assert text.count("shut()") == 4


def test_a_type_without_a_name_that_does_not_declare_a_member_is_none_that_overrides_it(
    tmp_path: Path, opened: Open
) -> None:
    code = (
        "abstract class Base { void close() {} abstract void open(); }\n"
        "class Make {\n    Base make() { return new Base() { void open() {} }; }\n}\n"
    )
    ask = opened(write(tmp_path, {"A.java": code}))
    assert "anonymous" not in ask("find_implementations", symbol="Base.close")
    assert "1 anonymous or external" in ask("find_implementations", symbol="Base.open")
    assert "1 anonymous or external" in ask("find_implementations", symbol="Base")


GIVEN = """package app
trait Show[A]:
  def show(a: A): String
given Show[Int] with
  def show(a: Int): String = "1"
given [A](using of: Show[A]): Show[List[A]] with {
  def show(a: List[A]): String = of.show(a.head)
}
given named: Show[String] with
  def show(a: String): String = a
given Ordering[Int] = Ordering.by(x => -x)
object Use:
  def show(n: Int) = n
  def use = show(3)
"""


def test_a_given_without_a_name_is_an_anonymous_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.scala": GIVEN}))
    types = ask("find_implementations", symbol="Show")
    assert "4: given Show[Int] with" in types
    assert "6: given [A](using of: Show[A]): Show[List[A]] with {" in types
    members = ask("find_implementations", symbol="Show.show")
    assert all(f"{line}: " in members for line in (5, 7))
    renamed = ask("rename_symbol", symbol="Show.show", new_name="text", max_tokens=1_000)
    assert all(f"+{line}" in renamed for line in ("  def text(a: Int)", "  def text(a: List[A]): String = of.text("))
    assert "decide" not in renamed
    assert "2 references, complete" in ask("find_references", symbol="Use.show")
