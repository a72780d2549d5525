"""Everyday code in which what a library passes on decides what a name means: iterators, closures, patterns, queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

ITERATORS = {
    "Cargo.toml": '[package]\nname = "s"\n',
    "src/row.rs": "pub struct Row { pub size: u64 }\npub struct Other { pub size: u64 }\n"
    "pub struct Rows { pub size: u64 }\n"
    "impl Iterator for Rows {\n    type Item = Row;\n    fn next(&mut self) -> Option<Row> { None }\n}\n"
    "pub struct Plain;\nimpl Plain { pub fn fold(&self, f: impl Fn(u64, Other)) {} pub fn big(&self) {} }\n"
    "pub struct Others;\n"
    "impl Iterator for Others {\n    type Item = Other;\n    fn next(&mut self) -> Option<Other> { None }\n}\n",
    "src/ext.rs": "use crate::row::Row;\n"
    "pub struct Big<I> { pub inner: I }\n"
    "impl<I: Iterator<Item = Row>> Iterator for Big<I> {\n    type Item = Row;\n"
    "    fn next(&mut self) -> Option<Row> { self.inner.find(|row| row.size > 9) }\n}\n"
    "pub trait RowsExt: Iterator<Item = Row> + Sized {\n    fn big(self) -> Big<Self> { Big { inner: self } }\n}\n"
    "impl<I: Iterator<Item = Row>> RowsExt for I {}\n"
    "pub trait Sized2 { fn small(&self) -> Row; }\n"
    "impl<I> Sized2 for I where I: Iterator<Item = Row> { fn small(&self) -> Row { todo!() } }\n",
    "src/main.rs": "mod ext;\nmod row;\nuse ext::Sized2 as _; use ext::RowsExt;\nuse row::{Others, Plain, Rows};\n"
    "fn main(rows: Rows, plain: Plain, others: Others) {\n"
    "    rows.fold(0, |sum, row| sum + row.size);\n"
    "    rows.max_by_key(|row| row.size);\n"
    "    plain.fold(|sum, row| sum + row.size);\n"
    "    assert!(rows.big().all(|row| row.size > 1));\n"
    "    plain.big();\n"
    "    others.big();\n    rows.small().size;\n}\n",
}


@pytest.mark.parametrize(("use", "definition"), [(6, 1), (7, 1), (9, 1), (8, 2), (12, 1)])
def test_a_closure_that_an_iterator_of_the_code_base_calls_takes_what_its_type_says(
    tmp_path: Path, opened: Open, use: int, definition: int
) -> None:
    ask = opened(write(tmp_path, ITERATORS))
    column = ITERATORS["src/main.rs"].splitlines()[use - 1].index(".size") + 2
    assert f"in src/row.rs:{definition}" in ask("go_to_definition", symbol=f"src/main.rs:{use}:{column}")


def test_an_interface_gives_its_members_to_types_that_satisfy_the_bounds_of_its_implementation(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, ITERATORS))
    assert "in src/ext.rs:8" in ask("go_to_definition", symbol="src/main.rs:9:18")
    assert "in src/row.rs:9" in ask("go_to_definition", symbol="src/main.rs:10:11")
    assert "definition was not found" in ask("go_to_definition", symbol="src/main.rs:11:12")


SHARED = {
    "Cargo.toml": '[package]\nname = "s"\n',
    "src/node.rs": "use std::cell::{Ref, RefCell};\nuse std::rc::Rc;\npub type NodeRef = Rc<RefCell<Node>>;\n"
    "pub struct Node { pub width: u32, pub parent: Option<NodeRef> }\n"
    "impl Node {\n    pub fn depth(&self) -> u32 {\n"
    "        self.parent.as_ref().map_or(0, |parent| parent.borrow().depth() + 1)\n    }\n}\n"
    "pub fn walk(node: &NodeRef, visit: &mut dyn FnMut(Ref<'_, Node>)) { visit(node.borrow()) }\n",
    "src/own.rs": "use crate::node::Node;\npub struct Ref<T> { pub inner: T, pub width: u8 }\n"
    "pub fn show(one: Ref<Node>) -> u8 { one.width }\n",
    "src/main.rs": "mod node;\nmod own;\nuse node::{walk, NodeRef};\n"
    "fn main(root: &NodeRef) {\n    walk(root, &mut |node| { node.width; });\n}\n",
}


def test_a_closure_that_is_borrowed_takes_what_the_function_says(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SHARED))
    assert "in src/node.rs:4" in ask("go_to_definition", symbol="src/main.rs:5:35")
    assert "in src/own.rs:2" in ask("go_to_definition", symbol="src/own.rs:3:41")


def test_the_closure_of_map_or_takes_what_the_option_holds(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SHARED))
    assert "in src/node.rs:6" in ask("go_to_definition", symbol="src/node.rs:7:65")


OPTIONS = {
    "Options.cs": "namespace S;\npublic class Mail { public int Port { get; set; } }\n"
    "public class Other { public int Port { get; set; } }\n"
    "public class Setup<T> { public int Port { get; set; } }\n"
    "public class Own { public void Configure<T>(System.Action<Setup<T>> set) {} }\n",
    "Use.cs": "namespace S;\nclass Use {\n"
    "  object Find(int id) { if (Get(id) is not { } mail) return null; mail.Port = 1;\n"
    "    if (Get(id) is not (not { Port: 1 } one)) one.Port = 2; return mail; }\n"
    "  Mail Get(int id) => null;\n"
    "  void Add(IServiceCollection services) { services.Configure<Mail>(o => o.Port = 1); }\n"
    "  void Own(Own services) { services.Configure<Mail>(o => o.Port = 1); }\n}\n",
}


@pytest.mark.parametrize(("use", "definition"), [("3:72", 2), ("4:31", 2), ("4:51", 2), ("6:75", 2), ("7:60", 4)])
def test_a_pattern_that_is_negated_and_options_that_are_configured_say_the_type(
    tmp_path: Path, opened: Open, use: str, definition: int
) -> None:
    ask = opened(write(tmp_path, OPTIONS))
    assert f"in Options.cs:{definition}" in ask("go_to_definition", symbol=f"Use.cs:{use}")


DECLARED_LAMBDAS = {
    "node.py": "class Node:\n    def __init__(self, size: int) -> None:\n        self.size = size\n\n"
    "class Other:\n    def __init__(self, size: int) -> None:\n        self.size = size\n",
    "use.py": "from typing import Callable\nfrom node import Node, Other\n\nTest = Callable[[Node], bool]\n\n"
    "def total(root: Node, keep: Test = lambda n: not n.size) -> int: ...\n\n"
    "def larger(least: int) -> Callable[[Node, int], bool]:\n    return lambda n, m: n.size > least\n\n"
    'by: "Callable[[Other], int] | None" = lambda n: n.size\n'
    "plain = lambda n: n.size\n",
}


@pytest.mark.parametrize(("use", "definition"), [("6:53", 3), ("9:27", 3), ("11:51", 7)])
def test_the_type_that_is_declared_for_a_lambda_says_what_it_takes(
    tmp_path: Path, opened: Open, use: str, definition: int
) -> None:
    ask = opened(write(tmp_path, DECLARED_LAMBDAS))
    assert f"in node.py:{definition}" in ask("go_to_definition", symbol=f"use.py:{use}")
    assert "definition was not found" in ask("go_to_definition", symbol="use.py:12:21")


DEFAULTS = {
    "model.ts": "export interface Point { host: string }\nexport interface Other { host: string }\n"
    "export interface Page { first: Point; rest: { other: Other } }\n",
    "use.ts": "import type { Page, Point } from './model';\n"
    "export function f(points: Point[], { first = { host: 'a' } }: Page) {\n"
    "  const [, one = { host: 'b' }] = points;\n"
    "  const [{ host } = { host: 'c' }] = points;\n"
    "  return [first, one, host];\n}\n"
    "export function g(page: Page) {\n"
    "  const { rest: { other = { host: 'd' } } } = page;\n"
    "  const { first: one = { host: 'e' } } = page;\n  return [other, one];\n}\n",
}


@pytest.mark.parametrize(("use", "definition"), [("2:48", 1), ("3:20", 1), ("8:29", 2), ("9:26", 1)])
def test_the_default_of_a_part_of_a_pattern_is_of_the_type_of_the_part(
    tmp_path: Path, opened: Open, use: str, definition: int
) -> None:
    ask = opened(write(tmp_path, DEFAULTS))
    assert f"in model.ts:{definition}" in ask("go_to_definition", symbol=f"use.ts:{use}")


BRACES = {
    "model.h": "#pragma once\n#include <memory>\n#include <vector>\n#include <map>\nnamespace geo {\n"
    "struct Shape { int area() const; int kind; };\nstruct Other { int area() const; int kind; };\n"
    "template <class T> struct Own { void push_back(const Other& one); };\n"
    "struct Scene {\n  template <typename T, typename... Args> T& add(Args&&... args);\n"
    "  template <class T> std::unique_ptr<T> make();\n};\n"
    "void draw(int times, const Shape& shape);\n}\n",
    "use.cpp": '#include "model.h"\nvoid use(std::vector<geo::Shape>& shapes, geo::Own<geo::Shape>& own) {\n'
    "  geo::Scene scene;\n  auto& one = scene.add<geo::Shape>(2);\n  one.area();\n"
    "  auto two = scene.make<geo::Other>();\n  two->area();\n"
    "  shapes.push_back({.kind = 1});\n  own.push_back({.kind = 2});\n"
    "  geo::draw(1, {.kind = 3});\n  shapes.insert(shapes.begin(), {.kind = 4});\n}\n",
}


@pytest.mark.parametrize(("use", "definition"), [("5:7", 6), ("7:8", 7), ("8:22", 6), ("11:36", 6)])
def test_template_arguments_of_a_method_and_what_a_call_takes_in_braces_say_the_type(
    tmp_path: Path, opened: Open, use: str, definition: int
) -> None:
    ask = opened(write(tmp_path, BRACES))
    assert f"in model.h:{definition}" in ask("go_to_definition", symbol=f"use.cpp:{use}")
    assert "definition was not found" in ask("go_to_definition", symbol="use.cpp:9:19")  # a member of the code base


REPOSITORIES = {
    "s/Order.java": "package s;\npublic class Order { public String name() { return null; } }\n",
    "s/Other.java": "package s;\npublic class Other { public String name() { return null; } }\n",
    "s/Orders.java": "package s;\nimport org.springframework.data.jpa.repository.JpaRepository;\n"
    "public interface Orders extends JpaRepository<Order, Long> { Other save(Order one); }\n",
    "s/Own.java": "package s;\npublic interface Own extends CrudRepository<Order, Other> {}\n"
    "interface CrudRepository<T, V> { V findById(T key); }\n",
    "s/Use.java": "package s;\nclass Use {\n  void use(Orders orders, Own own) {\n"
    "    orders.findById(1L).orElseThrow().name();\n"
    "    orders.findAll().forEach(one -> one.name());\n"
    "    orders.save(null).name();\n"
    "    var found = orders.getReferenceById(2L); found.name();\n"
    "    own.findById(null).name();\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("use", "definition"),
    [("4:39", "Order"), ("5:41", "Order"), ("6:23", "Other"), ("7:52", "Order"), ("8:24", "Other")],
)
def test_a_repository_gives_the_objects_that_its_type_argument_says(
    tmp_path: Path, opened: Open, use: str, definition: str
) -> None:
    ask = opened(write(tmp_path, REPOSITORIES))
    assert f"in s/{definition}.java:2" in ask("go_to_definition", symbol=f"s/Use.java:{use}")


MANAGERS = {
    "models.py": "from django.db import models\n\n\nclass PostQuerySet(models.QuerySet):\n"
    "    def recent(self):\n        return self.filter(age__lt=3)\n\n"
    "    def by(self, author):\n        return self.filter(author=author).recent()\n\n\n"
    "class Post(models.Model):\n    objects = PostQuerySet.as_manager()\n\n    def publish(self):\n        pass\n\n\n"
    "class Draft(models.Model):\n    def publish(self):\n        pass\n\n    def recent(self):\n        pass\n\n\n"
    "class Own:\n    def filter(self, **kw):\n        return Draft()\n\n\n"
    "class OwnSet(Own):\n    def recent(self):\n        return self.filter().recent()\n",
    "use.py": "from models import Post\n\n\ndef use(author):\n"
    "    Post.objects.recent().exclude(a=1).by(author)\n"
    "    post = Post.objects.get(pk=1)\n    post.publish()\n"
    "    for one in Post.objects.by(author).recent():\n        one.publish()\n",
}


@pytest.mark.parametrize(
    ("use", "definition"),
    [
        ("use.py:5:18", 5),
        ("use.py:5:40", 8),
        ("use.py:7:10", 15),
        ("use.py:8:40", 5),
        ("use.py:9:13", 15),
        ("models.py:9:43", 5),
        ("models.py:34:30", 23),
    ],
)
def test_a_manager_that_a_query_set_makes_has_its_methods_and_gives_objects_of_the_class(
    tmp_path: Path, opened: Open, use: str, definition: int
) -> None:
    ask = opened(write(tmp_path, MANAGERS))
    assert f"in models.py:{definition}" in ask("go_to_definition", symbol=use)


COMPARED = {
    "model.h": "#pragma once\n#include <map>\n#include <stack>\n#include <vector>\n"
    "struct Shape { int kind; };\nstruct Less { int kind; bool operator()(int a, int b) const; };\n",
    "use.cpp": '#include "model.h"\nint use(std::map<int, Shape, Less>& by,\n'
    "        std::stack<Shape, std::vector<Shape>>& all, std::map<int, Shape, std::less<>>& plain) {\n"
    "  return by[1].kind + all.top().kind + plain.at(2).kind;\n}\n",
}


@pytest.mark.parametrize("use", ["4:16", "4:33", "4:52"])
def test_how_a_container_compares_and_what_it_adapts_is_not_what_it_holds(
    tmp_path: Path, opened: Open, use: str
) -> None:
    ask = opened(write(tmp_path, COMPARED))
    assert "in model.h:5" in ask("go_to_definition", symbol=f"use.cpp:{use}")
