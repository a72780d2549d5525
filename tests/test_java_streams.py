"""What streams and optional values of Java hold after functions that they are passed.

https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/stream/Stream.html
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

SHOP = """package shop;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;
class Buyer { String mark() { return ""; } static Buyer of(Order order) { return null; } }
class Line { String mark() { return ""; } }
class Order {
  String mark() { return ""; }
  Buyer buyer() { return null; }
  List<Line> lines() { return null; }
}
class Box<T> {
  T held;
  <R> R map(Function<Box<T>, R> made) { return null; }
}
class Odd { Line map(Function<Order, Buyer> made) { return null; } Line collect(Object how) { return null; } }
class Use {
  Buyer made(Order order) { return null; }
  void run(List<Order> orders, Optional<Order> one, Box<Order> box, Odd odd, Line o) {
    BODY
  }
}
"""
BUYER, LINE, ORDER = "Shop.java:5:22", "Shop.java:6:21", "Shop.java:8\n"

BODIES = {
    "orders.stream().map(o -> o.buyer()).filter(b -> true).forEach(b -> b.mark());": BUYER,
    "orders.stream().map((Order each) -> { return each.buyer(); }).forEach(b -> b.mark());": BUYER,
    "one.map(Order::buyer).get().mark();": BUYER,
    "orders.stream().map(Buyer::of).forEach(b -> b.mark());": BUYER,
    "orders.stream().map(this::made).forEach(b -> b.mark());": BUYER,
    "orders.stream().map(each -> new Line()).forEach(l -> l.mark());": LINE,
    "orders.stream().flatMap(each -> each.lines().stream()).forEach(l -> l.mark());": LINE,
    "orders.stream().map(Order::lines).flatMap(List::stream).forEach(l -> l.mark());": LINE,
    "orders.stream().map(o -> o.lines().stream().map(l -> Buyer.of(o)).toList()).forEach(b -> b.get(0).mark());": BUYER,
    "orders.stream().collect(Collectors.toList()).get(0).mark();": ORDER,
    "orders.stream().collect(Collectors.groupingBy(Order::buyer)).forEach((b, list) -> b.mark());": BUYER,
    "orders.stream().collect(Collectors.groupingBy(Order::buyer)).forEach((b, list) -> list.get(0).mark());": ORDER,
    "box.map(it -> it.held).mark();": ORDER,
    "odd.map(each -> each.buyer()).mark();": LINE,
}
UNDECIDED = (
    "orders.stream().map(each -> { Buyer b = each.buyer(); return b; }).forEach(b -> b.mark());",
    "orders.stream().collect(Own.toList()).get(0).mark();",
)


def place_of_call(body: str) -> str:
    """Return the place of the last call of ``mark`` in the tree with a body."""
    lines = SHOP.replace("BODY", body).split("\n")
    number = next(at for at, line in enumerate(lines) if body in line)
    return f"Shop.java:{number + 1}:{lines[number].rindex('mark') + 1}"


@pytest.mark.parametrize(("body", "leads"), BODIES.items(), ids=range(len(BODIES)))
def test_what_a_function_makes_of_elements_is_known(body: str, leads: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"Shop.java": SHOP.replace("BODY", body)}))
    assert f"Method in {leads}" in ask("go_to_definition", symbol=place_of_call(body))


@pytest.mark.parametrize("body", UNDECIDED, ids=range(len(UNDECIDED)))
def test_what_no_expression_says_is_undecided(body: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"Shop.java": SHOP.replace("BODY", body)}))
    assert "the definition was not found" in ask("go_to_definition", symbol=place_of_call(body))
