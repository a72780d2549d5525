"""A local variable or a parameter is renamed in its scope, and in the calls that name it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from conftest import Asking, Open, write

Start = Callable[..., Asking]


@pytest.fixture
def start(tmp_path: Path, opened: Open) -> Start:
    """Open a session that may write on a tree of some files."""

    def begin(files: Mapping[str, str]) -> Asking:
        root = write(tmp_path / "root", dict(files))
        return opened(root, cache=tmp_path / "cache", allow_edits=True)

    return begin


def text_of(asking: Asking, path: str) -> str:
    return (asking.session.index.root / path).read_text(encoding="utf-8")


def place(code: str, mark: str = "@") -> tuple[str, str]:
    """Return code without its mark, and the line and column behind which the mark stood."""
    before, _, after = code.partition(mark)
    return before + after, f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


SCOPES = {
    "closure.py": (
        "def outer(total):\n    def inner():\n        return @total\n    return [total for total in (total,)]\n",
        "def outer(fresh):\n    def inner():\n        return fresh\n    return [total for total in (fresh,)]\n",
    ),
    "nonlocal.py": (
        "def outer():\n    n = 1\n    def inner():\n        nonlocal n\n        @n += 1\n    return n\n",
        "def outer():\n    fresh = 1\n    def inner():\n        nonlocal fresh\n        fresh += 1\n    return fresh\n",
    ),
    "match.py": (
        "a = 1\n\n\ndef f(p):\n    match p:\n        case [a, P(x=b)] if b:\n            return @a\n",
        "a = 1\n\n\ndef f(p):\n    match p:\n        case [fresh, P(x=b)] if b:\n            return fresh\n",
    ),
    "default.py": (
        "a = 1\n\n\ndef f(a=a, *, b: int = a):\n    return @a\n",
        "a = 1\n\n\ndef f(fresh=a, *, b: int = a):\n    return fresh\n",
    ),
    "string.py": (
        "def f(value):\n    return f'{@value!r}: value'\n",
        "def f(fresh):\n    return f'{fresh!r}: value'\n",
    ),
    "shorthand.ts": (
        "export function f({ a, b: c }: T) {\n  const d = { @a, c };\n  return a + d.a;\n}\n",
        "export function f({ a: fresh, b: c }: T) {\n  const d = { a: fresh, c };\n  return fresh + d.a;\n}\n",
    ),
    "shadow.rs": (
        "fn f(x: i32) -> i32 {\n    let @x = x + 1;\n    x\n}\n",
        "fn f(x: i32) -> i32 {\n    let fresh = x + 1;\n    fresh\n}\n",
    ),
    "block.go": (
        "package a\n\nfunc f(n int) int {\n\tif n := n + 1; n > 0 {\n\t\treturn @n\n\t}\n\treturn n\n}\n",
        "package a\n\nfunc f(n int) int {\n\tif fresh := n + 1; fresh > 0 {\n\t\treturn fresh\n\t}\n\treturn n\n}\n",
    ),
    "A.java": (
        "class A {\n  int n;\n  int f(int n) { this.n = @n; return n; }\n}\n",
        "class A {\n  int n;\n  int f(int fresh) { this.n = fresh; return fresh; }\n}\n",
    ),
    "a.c": (
        "int n;\nint f(int @n) { { int n = 2; } return n; }\nint g(void) { return n; }\n",
        "int n;\nint f(int fresh) { { int n = 2; } return fresh; }\nint g(void) { return n; }\n",
    ),
    "a.php": (
        "<?php\nfunction f(@$a) { return fn() => $a; }\nfunction g($a) { return $a; }\n",
        "<?php\nfunction f($fresh) { return fn() => $fresh; }\nfunction g($a) { return $a; }\n",
    ),
}


@pytest.mark.parametrize("path", SCOPES)
def test_a_local_name_is_renamed_where_its_scope_sees_it(start: Start, path: str) -> None:
    code, at = place(SCOPES[path][0])
    asking = start({path: code})
    asking("rename_symbol", symbol=f"{path}:{at}", new_name="fresh", apply=True)
    assert text_of(asking, path) == SCOPES[path][1]


NAMED = {
    "a.py": ("def f(@a, b):\n    return a + b\n\n\nf(a=1, b=2)\ng(a=3)\n", "f(fresh=1, b=2)\ng(a=3)\n"),
    "a.cs": (
        "class C { int F(int @a) { return a; } int G() { return F(a: 1) + H(a: 2); } int H(int b) { return b; } }\n",
        "F(fresh: 1) + H(a: 2)",
    ),
    "a.kt": ("fun f(@a: Int) = a\nfun g(b: Int) = b\nval c = f(a = 1) + g(b = 2)\n", "f(fresh = 1) + g(b = 2)"),
    "a.swift": (
        "func f(@a: Int, b c: Int) -> Int { return a + c }\nlet d = f(a: 1, b: 2)\n",
        "func f(fresh: Int, b c: Int) -> Int { return fresh + c }\nlet d = f(fresh: 1, b: 2)\n",
    ),
    "a.scala": (
        "object O { def f(@a: Int) = a; def g() = f(a = 1) }\n",
        "def f(fresh: Int) = fresh; def g() = f(fresh = 1)",
    ),
    "a.php": (
        "<?php\nfunction f($@a) { return $a; }\nf(a: 1);\n",
        "function f($fresh) { return $fresh; }\nf(fresh: 1);\n",
    ),
    "a.rb": (
        "def f(@a:, b: 1)\n  a + b\nend\n\nf(a: 1, b: 2)\n",
        "def f(fresh:, b: 1)\n  fresh + b\nend\n\nf(fresh: 1, b: 2)\n",
    ),
}


@pytest.mark.parametrize("path", NAMED)
def test_a_call_that_names_a_parameter_gets_its_new_name(start: Start, path: str) -> None:
    code, at = place(NAMED[path][0])
    asking = start({path: code})
    asking("rename_symbol", symbol=f"{path}:{at}", new_name="fresh", apply=True)
    assert NAMED[path][1] in text_of(asking, path)


CALLED = {
    "shapes.py": (
        "class Shape:\n"
        "    def __init__(self, width):\n"
        "        self.width = width\n\n"
        "    def grow(self, by):\n"
        "        '''Grow by as much as by says.'''\n"
        "        return by\n\n\n"
        "class Box(Shape):\n"
        "    def grow(self, by):\n"
        "        return super().grow(by=by)\n"
    ),
    "use.py": (
        "from functools import partial\n\nfrom shapes import Box, Shape\n\n\n"
        "def use(box: Box, unknown):\n"
        "    Shape(width=1), Box(width=2)\n"
        "    box.grow(by=1)\n"
        "    unknown.grow(by=2)\n"
        "    return partial(box.grow, by=3)\n"
    ),
}


def test_a_parameter_of_a_constructor_is_named_where_the_type_or_one_below_is_called(start: Start) -> None:
    asking = start(CALLED)
    asking("rename_symbol", symbol="shapes.py:2:24", new_name="wide", apply=True)
    assert "    Shape(wide=1), Box(wide=2)\n" in text_of(asking, "use.py")
    assert "        self.width = wide\n" in text_of(asking, "shapes.py")


def test_parameters_of_members_that_override_each_other_are_renamed_together(start: Start) -> None:
    asking = start(CALLED)
    answer = asking("rename_symbol", symbol="shapes.py:5:20", new_name="step", apply=True)
    assert "renamed together, since a call may mean any of them: Box.grow" in answer
    assert "    def grow(self, step):\n        return super().grow(step=step)\n" in text_of(asking, "shapes.py")
    assert "    box.grow(step=1)\n" in text_of(asking, "use.py")


def test_a_call_of_something_unknown_and_a_function_handed_on_are_left_to_decide(start: Start) -> None:
    asking = start(CALLED)
    answer = asking("rename_symbol", symbol="shapes.py:5:20", new_name="step")
    assert "undecided, not changed: use.py" in answer
    assert "9: unknown.grow(by=2)" in answer
    assert "10: return partial(box.grow, by=3)" in answer


def test_what_is_mentioned_inside_of_the_function_is_told_and_nothing_else(start: Start) -> None:
    answer = start(CALLED | {"README.md": "by and by\n"})("rename_symbol", symbol="shapes.py:5:20", new_name="step")
    assert "mentioned, not changed: shapes.py\n6: '''Grow by as much as by says.'''" in answer
    assert "README" not in answer


@pytest.mark.parametrize(
    ("code", "new", "says"),
    [
        ("def f(@a):\n    b = 1\n    return a + b\n", "b", "b is bound there"),
        ("b = 1\n\n\ndef f(@a):\n    return a + b\n", "b", "b is used there, and would mean what is called a now"),
        ("def f(@a):\n    return [a for b in a]\n", "b", "b is bound there"),
        ("def f(@a):\n    import a\n    return a\n", "b", "'a' is a module here, not a symbol"),
        ("class A:\n    def f(@self):\n        return self\n", "me", "self is defined by the language"),
        ("def f(@a):\n    return a\n", "class", "is a keyword of python"),
        ("def f(@a):\n    return a\n", "a", "it is already called a"),
    ],
)
def test_what_is_in_the_way_of_a_local_name_is_told_and_nothing_changed(
    start: Start, code: str, new: str, says: str
) -> None:
    written, at = place(code)
    asking = start({"a.py": written})
    assert says in asking.error("rename_symbol", symbol=f"a.py:{at}", new_name=new, apply=True)
    assert text_of(asking, "a.py") == written


def test_the_value_of_a_setter_is_given_by_the_language_and_a_parameter_of_that_name_is_not(start: Start) -> None:
    code = "class C { int W { set { w = value; } } void F(int value) { w = value; } int w; }\n"
    asking = start({"a.cs": code})
    assert "defined by the language" in asking.error("rename_symbol", symbol="a.cs:1:30", new_name="given")
    asking("rename_symbol", symbol="a.cs:1:52", new_name="given", apply=True)
    assert "void F(int given) { w = given; }" in text_of(asking, "a.cs")


def test_a_public_type_of_java_says_how_its_file_has_to_be_called(start: Start) -> None:
    answer = start({"src/Box.java": "public class Box { Box() {} }\n"})(
        "rename_symbol", symbol="Box", new_name="Crate", apply=True
    )
    assert "decide: the file must then be called Crate.java: git mv src/Box.java src/Crate.java" in answer


def test_the_name_of_a_type_switch_is_renamed_in_all_of_its_cases(start: Start) -> None:
    code = (
        "package a\n\nfunc f(v any) any {\n\tswitch @x := v.(type) {\n\tcase int:\n\t\treturn x\n"
        "\tcase string, bool:\n\t\treturn x\n\tdefault:\n\t\treturn x\n\t}\n}\n"
    )
    for here in (code, code.replace("@", "").replace("return x", "return @x", 1)):
        text, at = place(here)
        asking = start({"a.go": text})
        asking("rename_symbol", symbol=f"a.go:{at}", new_name="fresh", apply=True)
        assert text_of(asking, "a.go") == re.sub(r"\bx\b", "fresh", text)


SHORT = {
    "variable": (
        "def g(@a)\n  h = { a: }\n  f(a:)\n  f a:, b: 1\nend\n",
        "{ a: fresh }\n  f(a: fresh)\n  f a: fresh, b: 1",
    ),
    "parameter": ("def f(@a:)\n  a\nend\n\ndef g(a)\n  f(a:)\n  f(a: a)\nend\n", "f(fresh: a)\n  f(fresh: a)"),
    "both": ("def f(@a:)\n  f(a:)\nend\n", "def f(fresh:)\n  f(fresh:)\nend"),
}


@pytest.mark.parametrize("which", SHORT)
def test_an_argument_of_ruby_that_is_a_name_and_a_value_at_once_keeps_the_other_one(start: Start, which: str) -> None:
    code, at = place(SHORT[which][0])
    asking = start({"a.rb": code})
    asking("rename_symbol", symbol=f"a.rb:{at}", new_name="fresh", apply=True)
    assert SHORT[which][1] in text_of(asking, "a.rb")
