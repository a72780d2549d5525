"""A variable that is given values of two types stands for both, wherever the second assignment is."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

PYTHON = "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\n"
RUBY = "class A\n  def m; end\nend\nclass B\n  def m; end\nend\n"
JAVASCRIPT = "class A { m() {} }\nclass B { m() {} }\n"
PHP = "<?php\nclass A { function m() {} }\nclass B { function m() {} }\n"

BODIES = {
    "python: a module's variable under if": ("u.py", PYTHON, "x = A()\nif c:\n    x = B()\nx.m()\n"),
    "python: global": ("u.py", PYTHON, "x = A()\ndef g():\n    global x\n    x = B()\nx.m()\n"),
    "python: if in a function": ("u.py", PYTHON, "def f(c):\n    x = A()\n    if c: x = B()\n    x.m()\n"),
    "python: match": (
        "u.py",
        PYTHON,
        "def f(c):\n    x = A()\n    match c:\n        case 1:\n            x = B()\n    x.m()\n",
    ),
    "ruby: modifier": ("u.rb", RUBY, "def f(c)\n  x = A.new\n  x = B.new if c\n  x.m\nend\n"),
    "ruby: block": ("u.rb", RUBY, "def f(c)\n  x = A.new\n  c.each { x = B.new }\n  x.m\nend\n"),
    "ruby: block at the top": ("u.rb", RUBY, "x = A.new\n2.times do\n  x = B.new\nend\nx.m\n"),
    "ruby: or": ("u.rb", RUBY, "def f(c)\n  x = A.new if c\n  x ||= B.new\n  x.m\nend\n"),
    "javascript: if": ("u.js", JAVASCRIPT, "function f(c) { let x = new A(); if (c) x = new B(); x.m(); }\n"),
    "javascript: ??=": ("u.js", JAVASCRIPT, "function f(c) { let x = c ? new A() : null; x ??= new B(); x.m(); }\n"),
    "javascript: pattern": ("u.js", JAVASCRIPT, "function f(c) { let x = new A(); if (c) [x] = [new B()]; x.m(); }\n"),
    "typescript: ||=": ("u.ts", JAVASCRIPT, "function f(c: any) { let x; x = new A(); x ||= new B(); x.m(); }\n"),
    "php: if": ("u.php", PHP, "function f($c) { $x = new A(); if ($c) $x = new B(); $x->m(); }\n"),
    "php: ??=": ("u.php", PHP, "function f($c) { $x = $c ? new A() : null; $x ??= new B(); $x->m(); }\n"),
    "kotlin: when": (
        "u.kt",
        "class A { fun m() {} }\nclass B { fun m() {} }\n",
        "fun f(c: Int) { val x = when (c) { 1 -> A(); else -> B() }\n x.m() }\n",
    ),
    "swift: a conditional": (
        "u.swift",
        "class A { func m() {} }\nclass B { func m() {} }\n",
        "func f(c: Bool) { let x = c ? A() : B(); x.m() }\n",
    ),
    "c#: dynamic": (
        "u.cs",
        "class A { public void m() {} }\nclass B { public void m() {} }\n",
        "class U { void f(bool c) { dynamic x = new A(); if (c) x = new B(); x.m(); } }\n",
    ),
    "lua: if": (
        "u.lua",
        "local A = {}\nA.__index = A\nfunction A.new() return setmetatable({}, A) end\nfunction A:m() end\n"
        "local B = {}\nB.__index = B\nfunction B.new() return setmetatable({}, B) end\nfunction B:m() end\n",
        "local function f(c)\n  local x = A.new()\n  if c then x = B.new() end\n  x:m()\nend\n",
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_definition_is_that_of_both_types(name: str, tmp_path: Path, opened: Open) -> None:
    path, types, body = BODIES[name]
    source = types + body
    line = next(
        number for number, text in enumerate(source.split("\n"), 1) if ".m" in text or "->m" in text or "x:m" in text
    )
    text = source.split("\n")[line - 1]
    column = max(text.rfind(mark) + len(mark) for mark in (".m", "->m", "x:m"))
    shown = opened(write(tmp_path, {path: source}))("go_to_definition", symbol=f"{path}:{line}:{column}")
    assert "2 definitions" in shown or "2 candidates" in shown


def test_a_variable_of_a_module_of_which_one_value_is_unknown_is_likely(tmp_path: Path, opened: Open) -> None:
    source = f"import outside\n{PYTHON}x = A()\nif c:\n    x = outside.make()\nx.m()\n"
    shown = opened(write(tmp_path, {"u.py": source}))("find_references", symbol="A.m")
    assert "9: x.m()  [likely]" in shown


def test_a_block_of_ruby_binds_its_own_name_where_no_one_is_around_it(tmp_path: Path, opened: Open) -> None:
    source = f"{RUBY}def f(c)\n  c.each {{ x = B.new; x.m }}\n  x = A.new\n  x.m\nend\n"
    shown = opened(write(tmp_path, {"u.rb": source}))("go_to_definition", symbol="u.rb:8:26")
    assert "u.rb:5" in shown


CAT = "class Cat { meow() {} }\n"

UNSURE = {
    "a parameter": "function f(x, c) { if (c) x = new Cat(); x.meow(); }\n",
    "a parameter before it is given a value": "function f(x) { x.meow(); x = new Cat(); }\n",
    "a parameter that may keep its value": "function f(x) { x = x || new Cat(); x.meow(); }\n",
    "a parameter of an arrow function": "const f = (x, c) => { if (c) x = new Cat(); x.meow(); };\n",
    "a part of a parameter": "function f({ x }, c) { if (c) x = new Cat(); x.meow(); }\n",
    "what is caught": "function f() { try { g(); } catch (x) { if (c) x = new Cat(); x.meow(); } }\n",
    "a variable whose first value is unknown": "function f(c) { let x = made(); if (c) x = new Cat(); x.meow(); }\n",
    "a value or another": "function f(a) { const x = a || new Cat(); x.meow(); }\n",
}


@pytest.mark.parametrize("path", ["u.js", "u.ts"])
@pytest.mark.parametrize("name", UNSURE)
def test_a_member_of_what_may_have_a_value_that_nobody_knows_is_likely(
    name: str, path: str, tmp_path: Path, opened: Open
) -> None:
    shown = opened(write(tmp_path, {path: CAT + UNSURE[name]}))("find_references", symbol="Cat.meow")
    assert "[likely]" in shown
    assert "likely 1" in shown


SURE = {
    "a parameter that is always given a value": "function f(x) { x = new Cat(); x.meow(); }\n",
    "a parameter with a default": "function f(x = new Cat(), c) { if (c) x = new Cat(); x.meow(); }\n",
    "a variable without a first value": "function f(c) { let x; if (c) x = new Cat(); x.meow(); }\n",
    "a variable that begins as nothing": "function f(c) { let x = null; if (c) x = new Cat(); x.meow(); }\n",
    "a variable that is made of itself": "function f(c) { let x = null; x = x || new Cat(); x.meow(); }\n",
}


@pytest.mark.parametrize("name", SURE)
def test_a_member_of_what_has_known_values_alone_is_exact(name: str, tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"u.js": CAT + SURE[name]}))("find_references", symbol="Cat.meow")
    assert "exact 2" in shown
    assert "likely" not in shown


def test_a_variable_of_javascript_that_is_given_something_unknown_later_is_likely(tmp_path: Path, opened: Open) -> None:
    source = f"{CAT}function f(c) {{ let x = new Cat(); if (c) x = made(); x.meow(); }}\n"
    assert "likely 1" in opened(write(tmp_path, {"u.js": source}))("find_references", symbol="Cat.meow")
    assert "exact 2" in opened(write(tmp_path / "typed", {"u.ts": source}))("find_references", symbol="Cat.meow")
